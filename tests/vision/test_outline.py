"""The outline of a flat die: its top where it was read, its foot nearer to the point straight below the camera."""

from dataclasses import replace

import numpy as np

from vision.geometry import TrayGeometry
from vision.lens import Lens
from vision.outline import flat_outline
from vision.read import Reading

FACE = 30.0
LENS = Lens((1170.0, 1170.0), (320.0, 240.0), (0.0, 0.0, 0.0), (0.0, 0.0, 640.0))
UNMEASURED = TrayGeometry(((80, 60), (560, 60), (560, 420), (80, 420)), FACE, (640, 480))
MEASURED = replace(UNMEASURED, lens=LENS)


def reading_at(x: float, y: float, angle: float = 0.0) -> Reading:
    return Reading(2, 0.99, 2, "flat", angle, (x - FACE / 2, y - FACE / 2, FACE, FACE), 0.9, 0.0)


def test_a_die_below_the_camera_shows_its_top_alone() -> None:
    outline = flat_outline(MEASURED, reading_at(320, 240))
    assert np.ptp(outline.top, axis=0).tolist() == [FACE, FACE]
    assert np.abs(outline.whole - (320, 240)).max() < FACE / 2 + 1e-3


def test_one_beside_it_shows_the_side_towards_the_camera() -> None:
    outline = flat_outline(MEASURED, reading_at(320, 80))
    below = outline.whole[:, 1].max() - outline.top[:, 1].max()
    assert abs(below - (160 - FACE / 2) * 16 / 640) < 1e-3
    assert abs(outline.whole[:, 1].min() - outline.top[:, 1].min()) < 1e-3


def test_it_is_turned_as_the_face_is_and_further() -> None:
    turned = flat_outline(MEASURED, reading_at(320, 240, 30.0))
    further = flat_outline(MEASURED, reading_at(320, 240, 10.0), turned=20.0)
    assert np.allclose(turned.top, further.top)
    assert abs(np.ptp(turned.top[:, 0]) - FACE * (np.cos(np.pi / 6) + np.sin(np.pi / 6))) < 1e-3


def test_a_camera_that_nobody_has_measured_looks_straight_down_or_aslant() -> None:
    straight = flat_outline(UNMEASURED, reading_at(320, 240))
    aslant = flat_outline(UNMEASURED, reading_at(320, 240), aslant=(0.2, 0.0))
    assert np.allclose(np.ptp(straight.whole, axis=0), FACE)
    assert abs(aslant.whole[:, 0].max() - straight.top[:, 0].max() - (0.2 - 0.5 / 40) * FACE) < 0.1
    assert np.allclose(np.ptp(aslant.top, axis=0), FACE)

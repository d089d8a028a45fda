"""What the empty tray was like before a fault is what is gone back to."""

import numpy as np

from vision.before import SOUND_S, Before
from vision.empty import EmptyTray, Image

SHAPE = (120, 160)
NOBODY = np.zeros(SHAPE, bool)
HUE = np.zeros((*SHAPE, 2), np.float32)


def grey(level: float) -> Image:
    return np.full(SHAPE, level, np.uint8)


def test_what_was_learned_just_before_a_fault_is_not_believed() -> None:
    before = Before(SHAPE)
    before.keep(0.0, EmptyTray(grey(100)), NOBODY)
    before.keep(SOUND_S, EmptyTray(grey(130)), NOBODY)
    found = before.lost(1.5 * SOUND_S, "glare", EmptyTray(grey(160)))
    assert found is not None
    assert float(found.picture.mean()) == 100


def test_nothing_is_known_where_nothing_was_kept() -> None:
    assert Before(SHAPE).lost(1.0, "glare", None) is None


def test_after_lamps_went_off_and_on_the_tray_is_known_from_the_last_usual_light() -> None:
    before, usual = Before(SHAPE), grey(100)
    usual[40:80, 60:100] = 180
    before.keep(10.0, EmptyTray(usual), NOBODY)
    found = before.lost(10.1, "light_changed", EmptyTray(usual))
    assert found is not None
    wrong = EmptyTray(grey(20))  # in the dark the tray looked alike everywhere
    before.relit(11.0, wrong, grey(20), HUE)
    before.lost(12.0, "light_changed", wrong)
    tray = before.relit(13.0, wrong, usual, HUE)
    assert np.abs(tray.picture - usual).max() < 3

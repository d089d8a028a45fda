"""Whole pictures compared with ones that people looked at and found right.

After a wanted change draw them again with `python -m tests.models.sim.test_pictures`, and look at them.
"""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.sim.camera import VIDEO, Picture, develop
from models.sim.tracer import render
from tests.models.sim.scenes import scene_of

FOLDER = Path(__file__).parents[2] / "data" / "sim"
PICTURES = {
    "felt": ("day", ("ivory", "white", "red", "black", "blue")),
    "leather": ("lamp", ("ivory", "ivory", "ivory", "asian", "asian")),
    "octagon": ("two_lamps", ("white", "white", "black", "blue", "red")),
    "round": ("lamp", ("red", "red", "asian", "black", "blue")),
}


def draw(tray_name: str) -> Picture:
    scene = scene_of(tray_name, *PICTURES[tray_name], size=(160, 120))
    return develop(render(scene, samples=(32, 64)).rgb, VIDEO, np.random.default_rng(1))


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("tray_name", PICTURES)
def test_picture_is_as_it_was(tray_name: str) -> None:
    reference = cv2.imread(str(FOLDER / f"{tray_name}.png"))
    assert reference is not None
    off = np.abs(draw(tray_name) - reference.astype(float))
    # Other machines round otherwise, which moves single samples, not surfaces.
    assert off.mean() < 1.0
    assert np.percentile(off, 99.5) < 12


if __name__ == "__main__":
    for name in PICTURES:
        cv2.imwrite(str(FOLDER / f"{name}.png"), draw(name))

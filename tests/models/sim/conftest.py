"""What the tests of the simulated tray start from."""

import os
import shutil
from dataclasses import replace

import pytest

from models.sim.scene import Scene
from tests.models.sim.scenes import scene_of


@pytest.fixture
def compiler() -> None:
    """Skips a test that draws where there is no compiler; CI must have one."""
    if shutil.which("g++") is None and "CI" not in os.environ:
        pytest.skip("drawing needs g++, which is not installed")


@pytest.fixture
def five_dice() -> Scene:
    """Five named dice in the felt tray by day, seen from straight above at 320x240 by a lens that distorts."""
    scene = scene_of("felt", "day", ("ivory", "white", "red", "black", "blue"))
    return replace(scene, lens=replace(scene.lens, k1=-0.05))

"""Patterns repeat without a seam and are the same every time."""

from typing import get_args

import numpy as np
import pytest

from models.sim.scene import TextureName
from models.sim.textures import pattern, texels

NAMES = get_args(TextureName)


@pytest.mark.parametrize("name", NAMES)
def test_pattern_fills_its_range_and_repeats(name: TextureName) -> None:
    drawn = pattern(name, 1)
    assert drawn.shape == (512, 512)
    assert drawn.dtype == np.float32
    assert 0 <= drawn.min() < drawn.max() <= 1
    for axis in (0, 1):
        steps = np.abs(np.diff(drawn, axis=axis)).mean(axis=1 - axis)
        seam = np.abs(np.take(drawn, 0, axis) - np.take(drawn, -1, axis)).mean()
        assert seam <= steps.max() * 1.5 + 0.02


@pytest.mark.parametrize("name", NAMES)
def test_pattern_is_drawn_the_same_again(name: TextureName) -> None:
    first = pattern(name, 2).copy()
    pattern.cache_clear()
    np.testing.assert_array_equal(first, pattern(name, 2))
    assert (first != pattern(name, 3)).any()


def test_texels_lie_between_their_colours() -> None:
    dark, light = (0.1, 0.2, 0.05), (0.4, 0.3, 0.6)
    codes, mean = texels("felt", 0, dark, light)
    assert codes.dtype == np.int32
    assert ((np.array(dark) < mean) & (mean < np.array(light))).all()
    for channel in range(3):
        value = (((codes >> (8 * channel)) & 255) / 255) ** 2
        assert value.mean() == pytest.approx(mean[channel], abs=1e-3)
        assert dark[channel] - 0.01 < value.min() <= value.max() < light[channel] + 0.01

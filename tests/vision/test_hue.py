"""Hues: what light and shadow leave of them."""

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.hue import chroma, hues, hues_at, shaded_hues

LEVEL = st.integers(20, 255)


def flat(colour: tuple[float, ...]) -> np.ndarray:
    return np.full((5, 5, 3), colour, np.float32)


@given(st.tuples(LEVEL, LEVEL, LEVEL), st.floats(0.3, 1.0))
def test_a_shadow_leaves_the_hues_that_are_reckoned(colour: tuple[int, int, int], left: float) -> None:
    lit, shaded = (flat(tuple(share * level for level in colour)) for share in (1.0, left))
    grey = np.asarray(cv2.cvtColor(lit, cv2.COLOR_BGR2GRAY), np.float32).ravel()[:1]
    reckoned = shaded_hues(grey, hues_at(hues(lit), np.array([12])), np.array([left], np.float32))
    np.testing.assert_allclose(reckoned, hues_at(hues(shaded), np.array([12])), atol=0.05)


@given(st.tuples(LEVEL, LEVEL, LEVEL))
def test_chroma_is_how_far_red_or_blue_is_from_grey(colour: tuple[int, int, int]) -> None:
    lit = flat(colour)
    grey = np.asarray(cv2.cvtColor(lit, cv2.COLOR_BGR2GRAY), np.float32).ravel()[:1]
    told = chroma(grey, hues_at(hues(lit), np.array([12])))
    assert abs(told[0] - max(abs(colour[2] - grey[0]), abs(colour[0] - grey[0]))) < 0.1

"""A calibration is held against the picture in play: what comes slowly is said once, and only when seen twice."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from calibration.drift import EVERY_S, Drift
from calibration.facts import Calibration, Picture
from tests.calibration.drawn import SIZE, empty, outline

FLOOR = tuple((float(x), float(y)) for x, y in outline())


@pytest.fixture(scope="module")
def bare() -> np.ndarray:
    return empty()


@pytest.fixture
def drift(bare: np.ndarray) -> Drift:
    level = float(np.median(cv2.cvtColor(bare, cv2.COLOR_BGR2GRAY)[200:280, 280:360]))
    return Drift(Calibration(*SIZE, FLOOR, 30.0, picture=Picture(30.0, 0.3, level, (60.0, 120.0, 50.0), 1.5, 0.8)))


def said(drift: Drift, picture: np.ndarray, since: float, seconds: float) -> Iterator[str]:
    for t in np.arange(since, since + seconds, 0.5):
        yield from drift.step(float(t), picture, FLOOR)


def aside(bare: np.ndarray, px: float) -> np.ndarray:
    moved = cv2.warpAffine(bare, np.array([[1, 0, px], [0, 1, px / 2]]), SIZE, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def test_what_holds_is_not_spoken_of(drift: Drift, bare: np.ndarray) -> None:
    assert list(said(drift, bare, 0.0, 3 * EVERY_S)) == []


def test_a_stand_that_sank_and_a_lamp_that_went_are_said_once(drift: Drift, bare: np.ndarray) -> None:
    assert list(said(drift, bare, 0.0, 1.5 * EVERY_S)) == []
    assert list(said(drift, aside(bare, 8.0), 1.5 * EVERY_S, 3 * EVERY_S)) == ["camera_moved"]
    dim = (aside(bare, 8.0) * 0.3).astype(np.uint8)
    assert list(said(drift, dim, 4.5 * EVERY_S, 3 * EVERY_S)) == ["light_changed"]


def test_a_short_shadow_is_passed_over(drift: Drift, bare: np.ndarray) -> None:
    dim = (bare * 0.3).astype(np.uint8)
    assert list(said(drift, dim, 0.0, EVERY_S + 5)) == []
    assert list(said(drift, bare, EVERY_S + 5, 3 * EVERY_S)) == []

"""What a camera is held at."""

import pytest

from calibration.facts import Locked
from calibration.lock import lock

CHOSEN = Locked(7000, 4.0, (1.8, 1.5), focus=2.5)


@pytest.mark.parametrize(
    ("mains", "fps", "exposure_us", "gain"),
    [
        (None, 30.0, 7000, 4.0),
        (50, 30.0, 10_000, 2.8),
        (60, 30.0, 8333, 3.36),
        (50, 120.0, 7000, 4.0),  # a half period is longer than a frame
    ],
)
def test_exposure_of_whole_half_periods(mains: int | None, fps: float, exposure_us: int, gain: float) -> None:
    held = lock(CHOSEN, mains, fps)
    assert held.exposure_us == exposure_us
    assert held.gain == pytest.approx(gain)
    assert (held.white_balance, held.focus) == (CHOSEN.white_balance, 2.5)


def test_gain_does_not_fall_below_one() -> None:
    bright = Locked(1000, 1.0, (1.8, 1.5))
    assert lock(bright, 50, 30.0) == bright

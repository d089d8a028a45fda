"""Where a body reaches in is told for what of it is over the floor."""

import numpy as np
import pytest

from vision.border import Mask, along_border, arm, reaches_in

SHAPE = (160, 200)
FLOOR = np.zeros(SHAPE, np.uint8)
FLOOR[40:120, 40:160] = 1
ARM, BESIDE, INSIDE = (slice(70, 91), slice(0, 100)), (slice(0, 20), slice(100, 141)), (slice(60, 90), slice(60, 90))


def body(*places: tuple[slice, slice]) -> Mask:
    mask = np.zeros(SHAPE, bool)
    for place in places:
        mask[place] = True
    return mask


@pytest.mark.parametrize(
    ("places", "at", "reaches"),
    [
        ([ARM], (0.5, 80.0), True),
        ([ARM, BESIDE], (0.5, 80.0), True),
        ([BESIDE], None, True),
        ([INSIDE], None, False),
        ([(slice(60, 160), slice(100, 121))], (110.0, 158.5), True),
        ([], None, False),
    ],
    ids=["an arm", "another's is beside", "beside the tray", "nothing joins it to the border", "from below", "nobody"],
)
def test_arm(places: list[tuple[slice, slice]], at: tuple[float, float] | None, reaches: bool) -> None:
    assert arm(body(*places), FLOOR) == at
    assert reaches_in(body(*places)) is reaches


def test_along_the_border_once_around() -> None:
    border = along_border(body(ARM, (slice(0, 1), slice(50, 60)), (slice(158, 160), slice(198, 200))))
    around = 2 * sum(SHAPE)
    assert len(border) == around
    assert np.flatnonzero(border).tolist() == [
        *range(50, 60),
        *range(200 + 158, 200 + 160 + 2),
        *range(around - 91, around - 70),
    ]

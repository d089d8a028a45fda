"""What is said of dice at rest."""

import numpy as np
import pytest

from scorer.events import DieUnseen
from tests.vision.drawn_tray import DIE_PX, GEOMETRY
from vision.read import Reading
from vision.report import RestReport
from vision.resting import Resting, Settlement


def lying(number: int) -> Resting:
    reading = Reading(number, 0.99, number, "flat", 0.0, (0.0, 0.0, DIE_PX, DIE_PX), 0.9, 0.0)
    return Resting(60.0 * number, 240.0, DIE_PX, "flat", reading, np.zeros((32, 32), np.float32), number)


@pytest.mark.parametrize(
    ("count", "strayed", "unseen"), [(4, (1.0, 30), [(1.0, 30)]), (5, (1.0, 30), []), (4, None, [])]
)
def test_a_die_is_missed_that_flew_past_the_rim_unless_all_are_there(
    count: int, strayed: tuple[float, int] | None, unseen: list[tuple[float, int]]
) -> None:
    dice = tuple(lying(number) for number in range(1, count + 1))
    ids = tuple(range(1, count + 1))
    settled = Settlement(dice, thrown=ids, kept=(), moved=(), changed=(), gone=(), lifted=())
    said = RestReport(GEOMETRY).say(settled, [], [], strayed, (), {"t": 2.0, "frame": 60, "t_said": 2.2})
    assert [(event.t, event.frame) for event in said if isinstance(event, DieUnseen)] == unseen

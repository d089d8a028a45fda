"""What is said of dice at rest."""

from dataclasses import replace

import numpy as np
import pytest

from scorer.events import DiceAtRest, DieUnseen, KeptDieMoved
from tests.vision.drawn_tray import DIE_PX, GEOMETRY
from vision.geometry import TrayGeometry
from vision.lens import Lens
from vision.read import Reading
from vision.report import RestReport
from vision.resting import Resting, Settlement
from vision.track import Sighting, Track


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


def test_a_kept_die_followed_out_while_one_lies_beside_the_tray_is_lost_and_not_forgotten() -> None:
    kept, beside = lying(1), replace(lying(2), state="off_tray")
    settled = Settlement((beside,), thrown=(2,), kept=(), moved=(), changed=(), gone=(kept,), lifted=())
    sighting = Sighting(0.0, 0.0, DIE_PX, 0.5, still=False, near_body=False, beyond=1.0)
    out = Track(1, sighting, 1.0, 0.5, sighting, die=1, travel=3.0)
    said = RestReport(GEOMETRY).say(settled, [], [out], None, (), {"t": 2.0, "frame": 60, "t_said": 2.2})
    assert [event.id for event in said if isinstance(event, KeptDieMoved) and event.identity == "lost"] == [1]


@pytest.mark.parametrize(
    ("left", "said"), [((0.9, 27), (0.9, 27)), (None, (1.0, 30))], ids=["over the rim", "up to it"]
)
def test_a_die_left_the_tray_when_it_crossed_the_rim_and_not_when_it_was_seen_last(
    left: tuple[float, int] | None, said: tuple[float, int]
) -> None:
    settled = Settlement((lying(1),), thrown=(1,), kept=(), moved=(), changed=(), gone=(), lifted=())
    sighting = Sighting(0.0, 0.0, DIE_PX, 0.6, still=False, near_body=False, beyond=2.0)
    over = Track(1, sighting, 1.0, 0.5, sighting, travel=3.0, heat=0.6, left=left, frame=30)
    events = RestReport(GEOMETRY).say(settled, [], [over], None, (), {"t": 2.0, "frame": 60, "t_said": 2.2})
    assert [(event.t, event.frame) for event in events if isinstance(event, DieUnseen)] == [said]


@pytest.mark.parametrize(
    ("heat", "die", "travel", "count"),
    [(0.6, None, 3.0, 1), (0.6, None, 1.0, 0), (0.45, None, 3.0, 0), (0.45, 3, 3.0, 1)],
    ids=["a die", "a die that a hand took along", "fingers", "a die that lay there, smeared by its flight"],
)
def test_where_nothing_was_thrown_no_finger_of_a_leaving_hand_is_a_die_that_went_over_the_rim(
    heat: float, die: int | None, travel: float, count: int
) -> None:
    dice = (lying(1), lying(2))
    settled = Settlement(dice, thrown=(), kept=(1, 2), moved=(), changed=(), gone=(), lifted=())
    sighting = Sighting(0.0, 0.0, DIE_PX, heat, still=False, near_body=False, beyond=1.0)
    over = Track(1, sighting, 1.0, 0.5, sighting, die=die, travel=travel, heat=heat)
    said = RestReport(GEOMETRY).say(settled, [], [over], None, (), {"t": 2.0, "frame": 60, "t_said": 2.2})
    assert sum(event.count for event in said if isinstance(event, DieUnseen)) == count


def test_the_place_of_a_die_is_where_it_stands_though_its_top_is_seen_farther_out() -> None:
    lens = Lens((500.0, 500.0), (320.0, 240.0), (0.0, 0.0, 0.0), (0.0, 0.0, 500.0), (0.0,) * 5)
    geometry = TrayGeometry(((120.0, 40.0), (520.0, 40.0), (520.0, 440.0), (120.0, 440.0)), 16.5, (640, 480), lens=lens)
    x, y = lens.project([(100.0, 50.0)], geometry.die_mm)[0]
    settled = Settlement((replace(lying(1), x=x, y=y),), thrown=(1,), kept=(), moved=(), changed=(), gone=(), lifted=())
    said = RestReport(geometry).say(settled, [], [], None, (), {"t": 2.0, "frame": 60, "t_said": 2.2})
    (rest,) = (event for event in said if isinstance(event, DiceAtRest))
    assert rest.dice[0].place == pytest.approx((100.0, 50.0))

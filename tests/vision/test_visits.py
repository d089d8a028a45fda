"""Hands that come and go over drawn throws: which of them interfere."""

import pytest

from scorer.events import BodyInterfered, HandEntered, HandLeft, TrayEvent
from tests.vision.drawn_tray import DIE_PX, GEOMETRY, THROWER, HandPath, reaching, roll
from tests.vision.seen_film import perceived
from vision.lying import Lying
from vision.throw import Throw
from vision.track import DIE_HEAT
from vision.tracker import Tracker
from vision.visits import Visits

LEFT, RIGHT = (-60.0, 240.0), (720.0, 240.0)
THROWN_S = 0.8


def visited(
    hands: list[HandPath], seconds: float, rested: bool = False, count: int = 5, lie: int = 0
) -> tuple[Visits, list[TrayEvent]]:
    """The visits of these hands over a roll of so many dice where others `lie`, and what was said of them; `rested`:
    its dice were said to rest."""
    visits, tracker, throw, lying, said = Visits(), Tracker(DIE_PX), Throw(), Lying(GEOMETRY), list[TrayEvent]()
    for perception, scene in perceived(roll(THROWN_S, count=count), hands, seconds):
        frame = scene.frame
        tracks = tracker.step(frame.t, scene.picture, scene.sightings)
        throw.step(scene, tracks, tracker.tracks, lying, perception)
        thrown = [track for track in tracks if track.free is not None and lying.is_new(track, DIE_HEAT)]
        said += visits.step((frame.t, frame.index), scene, [] if rested else thrown, len(thrown) + lie, perception)
        if rested and not visits.present:
            visits.rest()
    return visits, said


@pytest.mark.parametrize(
    ("since", "origin", "rested", "interferes"),
    [
        (0.85, RIGHT, False, True),
        (0.9, LEFT, False, False),
        (1.1, LEFT, False, True),
        (2.0, RIGHT, False, False),
        (1.1, LEFT, True, False),
    ],
    ids=["another's at once", "the throwing one still", "it came back", "all lay still", "they were said to rest"],
)
def test_a_hand_interferes_that_comes_while_dice_move_after_the_throwing_one_left(
    since: float, origin: tuple[float, float], rested: bool, interferes: bool
) -> None:
    hands = [THROWER, reaching((origin[0] + (240 if origin == LEFT else -240), 240), since, since + 0.6, origin)]
    visits, said = visited(hands, since + 0.4, rested)
    assert [type(event) for event in said if not isinstance(event, BodyInterfered)] == [
        HandEntered,
        HandLeft,
        HandEntered,
    ]
    assert any(isinstance(event, BodyInterfered) for event in said) is interferes
    assert visits.present


@pytest.mark.parametrize(
    ("origin", "interferes"), [((560.0, 240.0), True), ((80.0, 240.0), False)], ids=["another's", "the throwing one"]
)
def test_a_hand_whose_arm_looks_like_the_table_is_told_by_where_it_is_over_the_floor(
    origin: tuple[float, float], interferes: bool
) -> None:
    tips = origin[0] + (160 if origin[0] < 320 else -160), 240
    visits, said = visited([THROWER, reaching(tips, 0.85, 1.45, origin)], 1.25)
    assert visits.present
    assert any(isinstance(event, BodyInterfered) for event in said) is interferes


@pytest.mark.parametrize(
    ("since", "count", "lie", "interferes"),
    [(0.95, 5, 0, False), (1.2, 5, 0, True), (2.0, 5, 0, False), (1.2, 2, 0, False), (1.2, 2, 3, True)],
    ids=["it follows them", "while all move", "all lay still", "it may have others yet", "the others lie there"],
)
def test_a_hand_interferes_that_comes_while_dice_move_which_were_thrown_from_beside_the_tray(
    since: float, count: int, lie: int, interferes: bool
) -> None:
    hand = reaching((RIGHT[0] - 240, 240), since, since + 0.6, RIGHT)
    _, said = visited([hand], since + 0.4, count=count, lie=lie)
    assert any(isinstance(event, BodyInterfered) for event in said) is interferes

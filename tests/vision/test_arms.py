"""Arms are told apart by where they reach in."""

import numpy as np

from tests.vision.test_border import SHAPE, body
from vision.arms import MOST, Arms, Labels

LEFT, RIGHT, ABOVE = (slice(70, 91), slice(0, 90)), (slice(70, 91), slice(110, 200)), (slice(0, 45), slice(90, 110))


FPS = 30


def seen(*frames: tuple[tuple[slice, slice], ...], arms: Arms | None = None) -> Labels:
    """The numbers in the last of these frames."""
    arms, labels = arms or Arms(), np.zeros(SHAPE, np.uint8)
    for n, places in enumerate(frames):
        labels = arms.step(n / FPS, body(*places))
    return labels


def numbers(labels: Labels, place: tuple[slice, slice]) -> list[int]:
    return [int(n) for n in np.unique(labels[place])]


def test_each_arm_has_its_number_as_long_as_it_is_seen_and_when_it_comes_back() -> None:
    labels = seen((LEFT,), (LEFT, RIGHT), (RIGHT,), (), (LEFT, RIGHT, ABOVE))
    assert [numbers(labels, place) for place in (LEFT, RIGHT, ABOVE)] == [[1], [2], [3]]
    assert numbers(labels, (slice(100, 160), slice(0, 200))) == [0]


def test_arms_that_touch_are_two_if_they_were_and_one_if_they_were_not() -> None:
    across = (slice(70, 91), slice(0, 200))
    labels = seen((LEFT, RIGHT), (across,))
    assert numbers(labels, LEFT) == [1]
    assert numbers(labels, RIGHT) == [2]
    assert numbers(seen((across,), (LEFT, RIGHT)), across) == [0, 1]


def test_an_arm_that_sweeps_is_the_same_even_round_a_corner() -> None:
    sweeps = [((slice(max(0, 70 - 15 * n), 91 - 15 * n), slice(0, 90)),) for n in range(6)]
    labels = seen(*sweeps, ((slice(0, 60), slice(20, 40)),), ((slice(0, 60), slice(60, 80)),))
    assert numbers(labels, (slice(0, 60), slice(60, 80))) == [1]


def test_what_reaches_in_nowhere_is_of_the_arm_that_was_nearest_there() -> None:
    piece = (slice(70, 91), slice(100, 120))
    assert numbers(seen((LEFT, RIGHT), (LEFT, RIGHT), (LEFT, piece)), piece) == [2]
    assert numbers(seen((LEFT,), ((slice(70, 91), slice(0, 60)), piece)), piece) == [1]
    assert numbers(seen((piece,)), piece) == [0]


def test_fingers_that_come_in_side_by_side_are_one_hand() -> None:
    fingers = [(slice(0, 30), slice(left, left + 12)) for left in (60, 80, 100)]
    assert numbers(seen((fingers[0], fingers[2]), tuple(fingers)), (slice(0, 30), slice(60, 112))) == [0, 1, 2]
    assert numbers(seen(tuple(fingers)), (slice(0, 30), slice(60, 112))) == [0, 1]
    assert numbers(seen((fingers[0],), tuple(fingers)), (slice(0, 30), slice(60, 112))) == [0, 1]


def test_an_arm_that_is_seen_to_reach_in_elsewhere_is_the_same_if_it_lies_where_it_did() -> None:
    palm, sleeve, side = (
        (slice(20, 60), slice(60, 110)),
        (slice(0, 20), slice(60, 70)),
        (slice(20, 30), slice(110, 200)),
    )
    assert numbers(seen((palm, sleeve), (palm, side)), palm) == [1]


def test_no_more_arms_are_told_apart_than_can_be_remembered() -> None:
    arms, labels = Arms(), np.zeros((160, 2000), np.uint8)
    for n in range(20):
        mask = np.zeros(labels.shape, bool)
        mask[:30, 100 * n : 100 * n + 30] = True
        arms.step(n, np.zeros(labels.shape, bool))
        labels = arms.step(n + 0.5, mask)
    assert labels.max() == MOST


def test_an_arm_that_comes_as_the_other_has_gone_is_the_same_as_frames_may_be_missing() -> None:
    assert numbers(seen((LEFT,), (RIGHT,)), RIGHT) == [1]
    assert numbers(seen((LEFT,), (), (RIGHT,)), RIGHT) == [2]
    assert 1 not in numbers(seen((LEFT,), (RIGHT, ABOVE)), RIGHT)


EDGES = (slice(0, 30), slice(40, 50)), (slice(0, 30), slice(130, 140))
HAND = (slice(0, 60), slice(40, 140))


def parts(*frames: tuple[tuple[slice, slice], ...]) -> list[int]:
    """The arms of which the first two seen in these frames are parts."""
    arms = Arms()
    seen(*frames, arms=arms)
    return [arms.whole(n) for n in (1, 2)]


def test_what_comes_in_at_once_and_grows_together_is_one_arm_of_which_the_edges_were_seen_first() -> None:
    assert parts(EDGES) == [1, 2]
    assert parts(EDGES, (HAND,)) == [1, 1]
    assert parts((EDGES[0],), EDGES, (HAND,), (EDGES[1],)) == [1, 1]


def test_arms_that_come_later_or_farther_away_or_only_meet_are_two_persons() -> None:
    assert parts(*[(EDGES[0],)] * 12, EDGES, (HAND,)) == [1, 2]
    assert parts((LEFT, RIGHT), ((slice(30, 160), slice(0, 200)),)) == [1, 2]
    assert parts(EDGES, (*EDGES, (slice(20, 30), slice(40, 140)))) == [1, 2]

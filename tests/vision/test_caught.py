"""A hand that has dice before they come to rest interferes, be it the one that threw them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scorer.events import BodyInterfered, DiceThrown, TrayEvent
from tests.vision.drawn_tray import (
    GEOMETRY,
    HERE,
    PLACES,
    THROWER,
    VALUES,
    DiePath,
    HandPath,
    Pose,
    chain,
    film,
    moving_hand,
    reaching,
    roll,
    thrown,
)
from tests.vision.thrown_track import track
from vision.caught import Caught
from vision.network import Networks
from vision.track import Track
from vision.watcher import Watcher

NEAR = (250.0, 350.0)


def watch(
    networks: Networks, dice: Sequence[DiePath], hands: Sequence[HandPath], seconds: float
) -> tuple[int, list[BodyInterfered]]:
    """How many throws are said of a film, and where a body interfered."""
    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film(list(dice), list(hands), seconds, 30.0):
        events += watcher.step(frame)
    throws = sum(isinstance(event, DiceThrown) for event in events)
    return throws, [event for event in events if isinstance(event, BodyInterfered)]


def catching(at: float, waits: float, since: float) -> HandPath:
    """The hand that threw follows a die that rolls to `NEAR`, has it `at` a time, waits there and leaves."""
    throws = ((since, -60, 240), (since + 0.3, 80, 240), (at - 0.35, 60, 240))
    stays = ((at, 240, 347), (at + waits, 240, 347), (at + waits + 0.4, -60, 240))
    return moving_hand(*throws, (at - 0.1, 90, 300), *stays)


def held_still(path: DiePath, at: float, value: int) -> DiePath:
    """The way of a die that a hand stops at a time, and turns to a value."""

    def there(t: float) -> Pose | None:
        stopped = path(at)
        return path(t) if t < at or stopped is None else replace(stopped, value=value, angle=40.0)

    return there


def test_the_hand_that_threw_has_a_die_that_rolled_away_from_it_and_turns_it(networks: Networks) -> None:
    *others, _ = roll()
    last = held_still(thrown(HERE, NEAR, 1, 0.78), 1.2, 6)
    throws, interfered = watch(networks, [*others, last], [catching(1.2, 0.3, 0.3)], 3.2)
    assert throws == 1
    assert [event.t for event in interfered] == [pytest.approx(1.17, abs=0.07)]


@pytest.mark.parametrize("value", [VALUES[4], 6], ids=["shows what it showed", "shows another value"])
@pytest.mark.parametrize("said", [True, False], ids=["taken before", "taken by that hand"])
def test_a_die_that_the_hand_which_threw_it_hides_until_it_lies_there_was_thrown(
    networks: Networks, value: int, said: bool
) -> None:
    *others, last = roll()
    again = held_still(thrown(HERE, NEAR, 1, 3.5), 3.95, value)
    dice = [*others, chain(lambda t: last(t) if t < 2.3 else None, again)]
    if said:
        hands = [reaching(PLACES[4], 1.9, 2.7, origin=(700, PLACES[4][1])), catching(3.95, 0.4, 3.0)]
    else:
        way = ((1.9, -60, 240), (2.2, 440, 180), (2.4, 440, 180), (2.7, 80, 240), (3.3, 80, 240), (3.55, 60, 240))
        hands = [moving_hand(*way, (3.85, 90, 300), (3.95, 235, 345), (4.35, 235, 345), (4.75, -60, 240))]
    throws, interfered = watch(networks, dice, [THROWER, *hands], 6.0)
    assert throws == 2 and len(interfered) == 1


def test_dice_that_a_hand_takes_as_they_land_were_thrown(networks: Networks) -> None:
    throws, interfered = watch(networks, roll(until=1.63), [THROWER, reaching((350, 220), 1.25, 2.15)], 3.4)
    assert throws == len(interfered) == 1


class Hand:
    """What is seen of a hand over the floor: whether it `covers` where a die was seen last."""

    hidden = 0.1

    def __init__(self, covers: bool) -> None:
        self._covers = covers

    def has(self, _x: float, _y: float) -> bool:
        return self._covers


def flying(travel: float, held: bool, t: float = 2.0, heat: float = 0.4, per_s: float = 5.0) -> Track:
    """A die that rolls so many faces a second to the right, as it is seen at `t`."""
    die = track(travel=travel)
    x = die.sighting.x + per_s * (t - 2.0) * die.sighting.size
    die.sighting = replace(die.sighting, x=x, held=held, near_body=held, heat=heat)
    die.let_go, die.t = True, t
    return die


@pytest.mark.parametrize(("on", "caught"), [(0.2, True), (0.8, False)], ids=["stays", "rolls on"])
def test_a_die_that_bounces_off_a_hand_and_rolls_on_is_not_caught(on: float, caught: bool) -> None:
    found, die = Caught(), flying(2.0, held=True)
    for n in (58, 59):
        found.step((n / 30, n), [flying(2.0, held=False, t=n / 30)], Hand(covers=False))
    found.step((2.0, 60), [die], Hand(covers=True))
    die.travel += on
    found.step((2.1, 63), [die], Hand(covers=False))
    assert found.since == ((2.0, 60) if caught else None)


@pytest.mark.parametrize(
    ("die", "covers", "caught"),
    [
        (flying(2.0, held=False), True, False),
        (flying(2.0, held=False, t=1.95), True, True),
        (flying(2.0, held=False, t=1.95), False, False),
        (flying(2.0, held=False, t=1.5), True, False),
        (flying(1.0, held=True), True, False),
        (flying(2.0, held=True), True, True),
        (flying(2.0, held=True, heat=0.7), True, False),
        (flying(2.0, held=True), False, False),
    ],
    ids=[
        "seen beside it",
        "just hidden",
        "missed elsewhere",
        "missed long before",
        "hardly left the hand",
        "partly hidden",
        "touched, but seen plainly",
        "beside what is not over the floor",
    ],
)
def test_a_hand_has_what_rolled_away_and_what_it_touches_or_hides(die: Track, covers: bool, caught: bool) -> None:
    found = Caught()
    for n in (0, 1):
        t = 1.9 + 0.05 * n
        found.step((t, 57 + n), [flying(die.travel, held=False, t=t)], Hand(covers=False))
    found.step((2.0, 60), [die], Hand(covers))
    assert (found.since is not None) == caught


def test_a_die_that_hardly_rolls_any_more_is_not_caught() -> None:
    found = Caught()
    for n in (57, 58, 59):
        found.step((n / 30, n), [flying(2.0, held=False, t=n / 30, per_s=1.5)], Hand(covers=False))
    found.step((2.0, 60), [flying(2.0, held=True)], Hand(covers=True))
    assert found.since is None


def test_a_die_that_stopped_as_a_shadow_came_over_it_is_not_caught() -> None:
    found = Caught()
    for n in (57, 58, 59, 60):
        found.step((n / 30, n), [flying(2.0, held=False, t=n / 30)], Hand(covers=False))
    stopped = flying(2.0, held=False)
    stopped.t = 61 / 30
    found.step((stopped.t, 61), [stopped], Hand(covers=False))
    found.step((62 / 30, 62), [stopped], Hand(covers=True))
    assert found.since is None


@pytest.mark.parametrize("aside", [0.16, 0.5], ids=["located a little aside", "hidden in part"])
def test_a_die_that_has_just_stopped_is_not_caught_where_fingers_come_beside_it(aside: float) -> None:
    found, lies = Caught(), flying(2.0, held=False)
    for n in range(60, 64):
        lies.t = n / 30
        found.step((lies.t, n), [lies], Hand(covers=False))
    place, heat = replace(lies.sighting, x=lies.sighting.x + aside * lies.sighting.size), 0.4 if aside > 0.2 else 0.6
    lies.sighting, lies.t = replace(place, near_body=True, held=True, heat=heat), 64 / 30
    found.step((lies.t, 64), [lies], Hand(covers=True))
    lies.sighting, lies.t = replace(lies.sighting, heat=0.3), 65 / 30
    found.step((lies.t, 65), [lies], Hand(covers=True))
    assert found.since is None

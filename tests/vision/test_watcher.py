"""What is said of drawn throws, hands and faults, from the pixels on."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, TypeVar

import cv2
import numpy as np
import pytest

from scorer.events import (
    BodyInterfered,
    DiceAtRest,
    DiceLifted,
    DiceThrown,
    DieUnseen,
    HandEntered,
    HandLeft,
    KeptDieChanged,
    KeptDieMoved,
    TrayEvent,
    ViewLost,
    ViewRestored,
    to_json,
)
from tests.vision.drawn_tray import (
    DIE_PX,
    GEOMETRY,
    HERE,
    PLACES,
    THROW_S,
    THROWER,
    VALUES,
    DiePath,
    Hand,
    HandPath,
    Image,
    Point,
    Pose,
    chain,
    film,
    lying,
    moving_hand,
    reaching,
    roll,
    thrown,
)
from vision.network import Networks
from vision.view import Phase
from vision.watcher import Watcher

Kind = TypeVar("Kind", bound=TrayEvent)


def watch(
    networks: Networks,
    dice: Sequence[DiePath],
    hands: Iterable[HandPath] = (THROWER,),
    seconds: float = 2.0,
    fps: float = 30.0,
    change: Callable[[float, Image], Image] = lambda _t, image: image,
) -> list[TrayEvent]:
    watcher = Watcher(networks, GEOMETRY)
    return [event for frame in film(dice, list(hands), seconds, fps, change) for event in watcher.step(frame)]


def names(events: Sequence[TrayEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def only(events: Sequence[TrayEvent], kind: type[Kind]) -> list[Kind]:
    return [event for event in events if isinstance(event, kind)]


def values(rest: DiceAtRest) -> list[int | None]:
    return sorted((die.value for die in rest.dice), key=lambda v: v or 0)


@pytest.mark.parametrize(("fps", "step"), [(30.0, 1), (60.0, 2), (90.0, 3)])
def test_of_more_frames_than_tell_anything_all_are_looked_at_only_while_dice_fly(
    networks: Networks, fps: float, step: int
) -> None:
    watcher, looked = Watcher(networks, GEOMETRY), dict[int, Phase]()
    for frame in film(roll(), [THROWER], 2.0, fps):
        watcher.step(frame)
        looked[watcher.view.frame] = watcher.view.phase
    told = [(looked[frame], frame - before) for before, frame in pairwise(looked)]
    assert [gap for phase, gap in told if phase == "rolling"][-10:] == [1] * 10
    assert [gap for _, gap in told[-3:]] == [step] * 3


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_throw_is_seen_read_and_said_in_time(networks: Networks, fps: float) -> None:
    events = watch(networks, roll(), fps=fps)
    assert names(events) == ["HandEntered", "HandLeft", "DiceThrown", "DiceAtRest"]
    (throw,), (rest,) = only(events, DiceThrown), only(events, DiceAtRest)
    assert values(rest) == [1, 2, 4, 5, 6]
    assert len(rest.thrown) == throw.count == 5
    assert (rest.kept, rest.missing) == ((), 0)
    assert all(die.state == "flat" and die.thrown for die in rest.dice)
    assert max(throw.tumble) > 0.1
    assert throw.t_last - throw.t_first < 0.5
    assert throw.frame == round(throw.t_first * fps)
    stopped = 0.7 + 0.08 + THROW_S
    assert abs(rest.t - stopped) <= 0.1
    assert rest.t_said <= stopped + 0.25
    assert rest.frame == round(rest.t * fps)
    place = next(die.place for die in rest.dice if die.value == 6)
    assert place == pytest.approx((42.7, 10.7), abs=4)


def test_same_frames_give_the_same_lines(networks: Networks) -> None:
    first, second = ([to_json(event) for event in watch(networks, roll(), seconds=1.8)] for _ in range(2))
    assert first == second


def test_kept_dice_stay_and_the_others_are_thrown_again(networks: Networks) -> None:
    again = [(420.0, 250.0), (310.0, 320.0), (460.0, 170.0)]
    dice = roll(until=2.3)
    dice[0], dice[1] = roll()[:2]
    dice[2:] = [chain(die, thrown(HERE, to, 3, 3.4)) for die, to in zip(dice[2:], again, strict=True)]
    taking = [reaching(place, 1.9, 2.7, origin=(700, place[1])) for place in PLACES[2:]]
    events = watch(networks, dice, [THROWER, *taking, reaching((110, 240), 3.0, 3.7)], seconds=4.6)
    first, second = only(events, DiceAtRest)
    kept = {die.id for die in first.dice if die.value in (4, 2)}
    assert set(second.kept) == kept
    assert values(second) == [2, 3, 3, 3, 4]
    assert len(second.thrown) == 3
    lifted = [id_ for event in only(events, DiceLifted) for id_ in event.ids]
    assert set(lifted) == {die.id for die in first.dice} - kept
    assert [throw.count for throw in only(events, DiceThrown)] == [5, 3]


@pytest.mark.parametrize(
    ("x", "y", "shown", "turn"),
    [(254.5, 196.4, (4, 4), 20), (252.5, 200.4, (2, 2), 110), (247.6, 202.5, (6, 3), 20), (249.9, 204.8, (2, 3), 110)],
)
def test_dice_that_lie_flush_are_two_though_they_are_located_as_one(
    networks: Networks, x: float, y: float, shown: tuple[int, int], turn: float
) -> None:
    aside = x + 1.01 * DIE_PX * math.cos(math.radians(turn)), y + 1.01 * DIE_PX * math.sin(math.radians(turn))
    pair = [thrown(HERE, place, value, 0.7) for place, value in zip(((x, y), aside), shown, strict=True)]
    others = [
        chain(thrown(HERE, place, value, 0.72, until=2.3), thrown(HERE, (place[0] + 20, place[1]), again, 3.2))
        for place, value, again in zip(PLACES[2:], (6, 1, 5), (2, 3, 4), strict=True)
    ]
    watcher, hands = Watcher(networks, GEOMETRY), [THROWER, reaching((400, 260), 2.0, 3.4)]
    events = [event for frame in film([*pair, *others], hands, 4.6) for event in watcher.step(frame)]
    assert (watcher.view.phase, len({die.id for die in watcher.view.dice})) == ("settled", 5)
    first, second = only(events, DiceAtRest)
    assert [event.count for event in only(events, DiceThrown)] == [5, 3]
    assert values(first) == sorted([*shown, 6, 1, 5])
    assert {die.value for die in second.dice if die.id in second.kept} == {*shown}
    assert values(replace(second, dice=tuple(die for die in second.dice if die.thrown))) == [2, 3, 4]


def turned(path: DiePath, degrees: float) -> DiePath:
    return lambda t: None if (pose := path(t)) is None else replace(pose, angle=pose.angle + degrees)


@pytest.mark.parametrize(
    ("kept", "rolled", "turn", "x", "y"), [(6, 4, 20, 253.2, 196.6), (4, 3, 110, 247.2, 201.0)], ids=["creeps", "flies"]
)
def test_a_die_thrown_flush_beside_a_kept_one_is_counted(
    networks: Networks, kept: int, rolled: int, turn: float, x: float, y: float
) -> None:
    aside = x + 1.01 * DIE_PX * math.cos(math.radians(turn)), y + 1.01 * DIE_PX * math.sin(math.radians(turn))
    places, start = ((400.0, 120.0), (500.0, 200.0), (140.0, 330.0)), (440.0, 60.0)
    others = [thrown(HERE, place, value, 0.74) for place, value in zip(places, (2, 3, 5), strict=True)]
    again = turned(thrown(start, aside, rolled, 3.0), turn - 20)
    one = chain(thrown(HERE, (400.0, 330.0), 1 + rolled % 6, 0.8, until=2.4), again)
    hands = [THROWER, reaching((390, 332), 2.0, 2.8, (720, 332)), reaching(start, 2.85, 3.25, (720, 60))]
    events = watch(networks, [turned(thrown(HERE, (x, y), kept, 0.7), turn - 20), *others, one], hands, 4.4)
    assert [event.count for event in only(events, DiceThrown)] == [5, 1]
    second = only(events, DiceAtRest)[1]
    assert values(second) == sorted([kept, rolled, 2, 3, 5])
    assert [die.value for die in second.dice if die.thrown] == [rolled]
    assert second.t == pytest.approx(3.6, abs=0.1)


def print_on_floor(empty: Image) -> Callable[[float, Image], Image]:
    """What shows this picture (h, w, 3) wherever the drawn floor is bare."""
    plain = next(iter(film([], [], 0.1))).image

    def printed(t: float, image: Image) -> Image:
        bare = np.abs(image.astype(np.int16) - plain).max(axis=2) < 16
        return np.where(bare[..., None], empty + (image.astype(np.int16) - plain), image).clip(0, 255).astype(np.uint8)

    return printed


def test_what_is_printed_on_the_floor_beside_dice_is_none(networks: Networks) -> None:
    empty = next(iter(film([], [], 0.1))).image
    for y in range(66, 420, 15):
        for x in range(86, 560, 15):
            cv2.circle(empty, (x, y), 3, (30, 60, 20), -1)
    events = watch(networks, roll(count=4), seconds=2.0, change=print_on_floor(empty))
    (rest,) = only(events, DiceAtRest)
    assert len(rest.dice) == 4


@pytest.mark.parametrize("at", [0.7, 1.4], ids=["at once", "once it is known"])
def test_dice_that_fly_over_a_pattern_like_dice_came_when_they_were_thrown(networks: Networks, at: float) -> None:
    empty = next(iter(film([], [], 0.1))).image
    for x, y in np.random.default_rng(5).uniform((110, 90), (530, 390), (24, 2)).round().astype(int).tolist():
        cv2.ellipse(empty, (x, y), (17, 13), x, 0, 360, (150, 170, 165), -1, cv2.LINE_AA)
    thrower = reaching((110, 240), at - 0.5, at + 0.3)
    events = watch(networks, roll(at=at), [thrower], seconds=at + 1.3, change=print_on_floor(empty))
    assert names(events) == ["HandEntered", "HandLeft", "DiceThrown", "DiceAtRest"]
    (throw,), (rest,) = only(events, DiceThrown), only(events, DiceAtRest)
    assert at <= throw.t_first <= throw.t_last <= at + 0.25
    assert values(rest) == [1, 2, 4, 5, 6]


def test_a_die_that_lay_there_from_the_first_was_not_thrown_though_a_shadow_passes_over_it(networks: Networks) -> None:
    place, hand = (330.0, 330.0), moving_hand((0.02, 110, 240), (0.3, 130, 250), (0.75, 110, 240), (0.95, -60, 240))
    y, x = np.mgrid[: GEOMETRY.size[1], : GEOMETRY.size[0]]
    shade = 1 - 0.4 * np.clip((60 - np.hypot(x - place[0], y - place[1])) / 20, 0, 1)

    def shadowed(t: float, image: Image) -> Image:
        return (image * shade[..., None]).astype(np.uint8) if 0.45 <= t < 0.9 else image

    events = watch(networks, [*roll(count=4), lying(*place, 6)], [hand], change=shadowed)
    assert only(events, BodyInterfered)


def test_hand_that_passes_changes_nothing(networks: Networks) -> None:
    events = watch(networks, roll(), [THROWER, reaching((400, 260), 1.8, 2.4)], seconds=2.9)
    assert len(only(events, DiceAtRest)) == 1
    assert len(only(events, HandEntered)) == len(only(events, HandLeft)) == 2
    assert not only(events, DiceLifted)


def test_die_turned_by_a_hand_is_told(networks: Networks) -> None:
    dice = roll()
    dice[0] = chain(thrown(HERE, PLACES[0], 4, 0.7, until=2.1), lying(*PLACES[0], 1, since=2.1))
    events = watch(networks, dice, [THROWER, reaching(PLACES[0], 1.8, 2.4)], seconds=2.9)
    (changed,) = only(events, KeptDieChanged)
    assert (changed.before, changed.after, changed.cause) == (4, 1, "hand")
    assert only(events, DiceAtRest)[-1].thrown == ()


def test_die_slid_by_a_hand_is_the_same_die(networks: Networks) -> None:
    def way(t: float) -> tuple[float, float]:
        share = min(1.0, max(0.0, (t - 2.0) / 0.4))
        return 250 - 90 * share, 200 + 100 * share

    def slid(t: float) -> Pose | None:
        return roll()[0](t) if t < 2.0 else Pose(*way(t), 20, 4)

    def pushing(t: float) -> Hand | None:
        if 1.7 <= t < 2.5:
            return Hand((-60, 240), (way(t)[0] - 20, way(t)[1]))
        return reaching((140, 300), 2.2, 2.8)(t) if t < 2.8 else None

    events = watch(networks, [slid, *roll()[1:]], [THROWER, pushing], seconds=3.4)
    assert len(only(events, DiceAtRest)) == len(only(events, DiceThrown)) == 1
    (moved,) = only(events, KeptDieMoved)
    assert moved.identity == "sure"


@pytest.mark.parametrize("aside", [(140.0, 110.0), (175.0, 200.0)], ids=["far", "near"])
def test_die_that_a_hand_covered_and_slides_later_is_the_same_die(
    networks: Networks, aside: tuple[float, float]
) -> None:
    def way(t: float) -> tuple[float, float]:
        share = min(1.0, max(0.0, (t - 2.7) / 0.4))
        return 250 - 90 * share, 200 + 100 * share

    def slid(t: float) -> Pose | None:
        return roll()[0](t) if t < 2.7 else Pose(*way(t), 20, 4)

    def staying(t: float) -> Hand | None:
        if not 1.7 <= t < 3.3:
            return None
        x, y = way(t)
        beside = (x - (70 if t < 2.75 else 90), y)
        return Hand((-60, 240), (255, 200) if t < 2.2 else aside if t < 2.6 else beside)

    events = watch(networks, [slid, *roll()[1:]], [THROWER, staying], seconds=3.9)
    assert len(only(events, DiceAtRest)) == len(only(events, DiceThrown)) == 1
    assert not only(events, DiceLifted)
    (moved,) = only(events, KeptDieMoved)
    assert moved.identity == "sure"


def test_dice_that_slide_in_without_tumbling_are_told_apart(networks: Networks) -> None:
    def sliding(y: float, value: int) -> DiePath:
        return lambda t: Pose(100 + 220 * min(0.8, t - 0.7), y, 20, value) if t >= 0.7 else None

    events = watch(networks, [sliding(160, 4), sliding(300, 2)])
    (throw,) = only(events, DiceThrown)
    assert throw.count == len(throw.tumble) == 2
    assert max(throw.tumble) < 0.1


def test_dice_that_only_lie_there_when_the_hand_leaves_have_not_tumbled(networks: Networks) -> None:
    dice = [lying(150, 200, 4, since=0.8), lying(150, 250, 2, since=0.8), lying(190, 225, 5, since=0.8)]
    (throw,) = only(watch(networks, dice, [reaching((170, 225), 0.3, 1.3)]), DiceThrown)
    assert (throw.count, throw.tumble) == (3, (0.0, 0.0, 0.0))


def test_die_over_the_rim_and_out_of_the_picture(networks: Networks) -> None:
    dice = [*roll(count=4), thrown(HERE, (720, 300), 3, 0.7)]
    events = watch(networks, dice)
    (unseen,), (rest,) = only(events, DieUnseen), only(events, DiceAtRest)
    assert (unseen.count, unseen.last_seen) == (1, "over_rim")
    assert values(rest) == [1, 2, 4, 6]


def test_die_that_is_first_seen_beyond_the_rim_and_gone_at_once_went_over_it(networks: Networks) -> None:
    """Until then others, or its own speed, hid it."""

    def passes(t: float) -> Pose | None:
        return Pose(600 + 400 * (t - 1.0), 300, 600 * t, 3) if 1.0 <= t < 1.06 else None

    def yellow(t: float, image: Image) -> Image:
        die = image[270:330, 580:] if passes(t) else image[:0, :0]
        die[die.min(axis=2) > 120, 0] = 60
        return image

    events = watch(networks, [*roll(count=4), passes], change=yellow)
    (unseen,), (rest,) = only(events, DieUnseen), only(events, DiceAtRest)
    assert (unseen.count, unseen.last_seen) == (1, "over_rim")
    assert values(rest) == [1, 2, 4, 6]


def test_kept_die_that_is_knocked_away_before_the_hand_comes_to_its_place_was_not_lifted(networks: Networks) -> None:
    """Another was taken to be thrown; the hand that threw reaches where the knocked one lay, which went from view."""
    place, at = (330.0, 150.0), 1.86

    def knocked(t: float) -> Pose | None:
        gone = max(0.0, t - at) / 0.033
        return Pose(place[0] + 27 * gone, place[1] - 8 * gone, 20 + 9 * gone, 2) if gone < 4 else None

    others = [lying(x, y, value) for (x, y), value in zip(PLACES[2:], VALUES[2:], strict=True)]
    taken = lying(250, 300, 4, until=0.7)
    hands = [reaching((250, 300), 0.4, 1.0), reaching((322, 152), 1.53, 2.58)]
    events = watch(networks, [*others, taken, knocked], hands, 3.2)
    assert [len(event.ids) for event in only(events, DiceLifted)] == [1]


@pytest.mark.parametrize("fps", [15.0, 30.0])
def test_kept_die_that_a_hand_takes_with_fingers_that_look_like_dice_was_lifted(networks: Networks, fps: float) -> None:
    """Another was taken just before, and both are thrown; nothing was in flight when its place was seen bare."""
    first, second = ((2.85, 4), (3.0, 1))
    dice = roll()
    for (taken, n), place in zip((first, second), ((430.0, 340.0), (350.0, 330.0)), strict=True):
        dice[n] = chain(thrown(HERE, PLACES[n], VALUES[n], 0.7 + 0.02 * n, taken), thrown((560, 300), place, 6, 3.22))
    take, throw = ((2.5, 700, 240), (2.8, 480, 190), (3.0, 330, 160)), ((3.15, 560, 290), (3.3, 560, 290))
    hand = moving_hand(*take, *throw, (3.55, 700, 240), origin=(700, 240))
    events = watch(networks, dice, [THROWER, hand], 4.4, fps)
    assert [len(event.ids) for event in only(events, DiceLifted)] == [2]
    assert not only(events, KeptDieMoved)


@pytest.mark.parametrize(("fps", "identity"), [(15.0, "lost"), (60.0, "sure")])
def test_which_die_a_throw_hit_away_is_sure_only_if_seen_often_enough(
    networks: Networks, fps: float, identity: str
) -> None:
    """Seldom seen, the one that hit it is next where the kept one lay, and another of the throw where it may be."""
    at, hit = 0.795, 0.882

    def flies(t: float) -> Pose | None:
        if t < hit:
            return Pose(60 + 210 * (t - at) / (hit - at), 240, 700 * t, 2) if t >= at else None
        way = 1 - (1 - min(1.0, (t - hit) / 0.35)) ** 2
        return Pose(270 + 120 * way, 240, 20 + 200 * way, 5 if way > 0.9 else 4)

    def knocked(t: float) -> Pose:
        way = 1 - (1 - min(1.0, max(0.0, t - hit) / 0.4)) ** 3
        return Pose(300 + 93 * way, 240 + 123 * way, 20 + 120 * way, 6 if way > 0.9 else 2 if way else 3)

    others = [lying(520, 95, 2), lying(150, 380, 1)]
    hand = moving_hand((0.3, -60, 240), (0.5, 110, 240), (0.85, 110, 240), (1.1, -60, 240))
    events = watch(networks, [knocked, *others, flies, thrown(HERE, (430, 110), 1, at + 0.03)], [hand], 2.0, fps)
    assert [event.identity for event in only(events, KeptDieMoved)] == [identity]
    assert [(event.before, event.after) for event in only(events, KeptDieChanged)] == [(3, 6)] * (identity == "sure")


@pytest.mark.parametrize(
    ("hit", "back", "identity"), [(0.85, True, "sure"), (0.85, False, "lost"), (0.87, False, "lost")]
)
def test_a_kept_die_is_told_from_the_one_that_hit_it_unseen_only_where_that_comes_back(
    networks: Networks, hit: float, back: bool, identity: str
) -> None:
    """At .87 s the kept die is seen next where the other would have been, had nothing lain there."""
    at = 0.77

    def flies(t: float) -> Pose | None:
        if t < hit:
            return Pose(60 + 220 * (t - at) / (hit - at), 240, 700 * t, 2) if t >= at else None
        way = 1 - (1 - min(1.0, (t - hit) / 0.35)) ** 2
        return Pose(280 + (-70 if back else 70) * way, 240 + 70 * way, 20 + 200 * way, 5) if t > hit + 0.04 else None

    def knocked(t: float) -> Pose:
        way = 1 - (1 - min(1.0, max(0.0, t - hit) / 0.4)) ** 3
        return Pose(310 + 130 * way, 240 - 40 * way, 20 + 120 * way, 6 if way > 0.9 else 2 if way else 3)

    others = [lying(520, 95, 2), lying(150, 380, 1)]
    hand = moving_hand((0.3, -60, 240), (0.5, 110, 240), (0.8, 110, 240), (1.1, -60, 240))
    events = watch(networks, [knocked, *others, flies, thrown(HERE, (430, 390), 1, 0.8)], [hand], 2.2)
    assert [event.identity for event in only(events, KeptDieMoved)] == [identity]


@pytest.mark.parametrize(("seen", "then"), [(1.1, 0.45), (1.05, 0.3)])
def test_a_kept_die_driven_out_of_its_place_by_one_that_shows_the_same_is_not_sure(
    networks: Networks, seen: float, then: float
) -> None:
    """The other is seen before and after the hit so many faces from that place, in two frames that follow each other,
    and no flight smears it, as in bright light."""
    frame, hit = 1 / 30, 0.9

    def flies(t: float) -> Pose | None:
        away = seen + 1.2 * (hit - t) / frame if t <= hit + 1e-6 else then - min(0.15, t - hit - frame)
        return Pose(330 - away * DIE_PX, 240, 30, 4) if t >= 0.75 else None

    def driven(t: float) -> Pose:
        on = max(0.0, t - hit) / frame
        faces = on if on <= 1 else 4 - 3 * (1 - min(1.0, (on - 1) / 10)) ** 2
        return Pose(330 + faces * DIE_PX, 240, 20 + 20 * faces, 6 if on > 0.01 else 4)

    others = [lying(520, 95, 2), lying(150, 380, 1)]
    hand = moving_hand((0.3, -60, 240), (0.5, 110, 240), (0.8, 110, 240), (1.0, -60, 240))
    events = watch(networks, [driven, *others, flies, thrown(HERE, (430, 380), 1, 0.72)], [hand], 2.0)
    assert [event.identity for event in only(events, KeptDieMoved)] == ["lost"]


def test_a_kept_die_seen_as_it_lay_after_another_flew_over_it_is_itself(networks: Networks) -> None:
    """While that one hid it, they could not be told apart; then a third nudges it."""

    def nudged(t: float) -> Pose:
        way = min(1.0, max(0.0, t - 1.12) / 0.15)
        return Pose(300 + 22 * way, 240 + 14 * way, 20 + 15 * way, 3)

    def nudges(t: float) -> Pose | None:
        way = 1 - (1 - min(1.0, (t - 0.9) / 0.3)) ** 2
        turned = Pose(90 + 185 * way, 150 + 72 * way, 20 + 500 * (1 - way), 6 if way > 0.9 else 1 + int(t / 0.06) % 6)
        return turned if t >= 0.9 else None

    dice = [nudged, lying(520, 95, 2), lying(150, 380, 1), thrown(HERE, (520, 240), 5, 0.75), nudges]
    hand = moving_hand((0.3, -60, 240), (0.5, 110, 240), (0.85, 110, 240), (1.1, -60, 240))
    events = watch(networks, dice, [hand], 2.4)
    assert [event.identity for event in only(events, KeptDieMoved)] == ["sure"]
    assert [len(event.thrown) for event in only(events, DiceAtRest)] == [0, 2]


def test_kept_die_that_a_hand_slides_ahead_of_it_and_takes_was_not_knocked_away(networks: Networks) -> None:
    """Another was taken before; the hand is not seen to touch the second, but is all the time beside it."""

    def slid(t: float) -> Pose | None:
        return Pose(250 + 150 * min(0.4, max(0.0, t - 1.9)), 240, 20, 6) if t < 2.6 else None

    behind, over = ((1.9, 170, 240), (2.3, 230, 240)), ((2.5, 330, 240), (2.6, 330, 240))
    hand = moving_hand((1.6, -60, 240), *behind, *over, (2.9, -60, 240))
    taken, others = lying(250, 330, 4, until=0.8), [lying(470, 180, 5), lying(330, 120, 3)]
    events = watch(networks, [taken, slid, *others], [reaching((250, 330), 0.4, 1.2), hand], 3.4)
    assert [len(event.ids) for event in only(events, DiceLifted)] == [1, 1]


def test_kept_die_that_a_hand_uncovers_and_slides_before_it_is_still_keeps_its_number(networks: Networks) -> None:
    def slid(t: float) -> Pose:
        return Pose(250 + 225 * min(0.4, max(0.0, t - 1.15)), 240, 20, 6)

    watcher = Watcher(networks, GEOMETRY)
    back = (0.95, 300, 240), (1.02, 150, 240), (1.08, 150, 240), (1.15, 228, 240)
    hand = moving_hand((0.4, -60, 240), (0.6, 300, 240), *back, (1.55, 322, 240))
    for frame in film([slid, lying(470, 180, 5)], [hand], 1.3):
        watcher.step(frame)
        if frame.index == 10:
            (number,) = (die.id for die in watcher.view.dice if die.x < 300)
    assert number in [die.id for die in watcher.view.dice]


def test_die_beside_the_tray_is_off_tray(networks: Networks) -> None:
    events = watch(networks, [*roll(count=4), thrown(HERE, (602, 300), 3, 0.7)])
    (rest,) = only(events, DiceAtRest)
    assert sorted(die.state for die in rest.dice) == ["flat"] * 4 + ["off_tray"]
    assert not only(events, DieUnseen)


def test_dice_thrown_one_after_the_other(networks: Networks) -> None:
    dice = [*roll(count=4), thrown(HERE, PLACES[4], 5, 1.9)]
    (throw,) = only(watch(networks, dice, [THROWER, reaching((110, 240), 1.2, 2.1)], seconds=3.0), DiceThrown)
    assert throw.count == 5
    assert throw.t_last - throw.t_first > 1.0


def test_die_that_rolls_on_clear_of_the_hand_was_thrown_then_though_a_hand_touches_it_later(networks: Networks) -> None:
    ahead = (0.3, -60), (0.5, 110), (1.0, 110), (1.1, 300), (1.3, 300), (1.45, 110), (2.0, 110), (2.4, -60)
    nudging = moving_hand(*((t, x, 240) for t, x in ahead))
    dice = [thrown(HERE, (330.0, 240.0), 3, 0.7), *(thrown(HERE, PLACES[n], VALUES[n], 1.95) for n in (0, 1, 3, 4))]
    (throw,) = only(watch(networks, dice, [nudging], seconds=3.4), DiceThrown)
    assert throw.count == 5
    assert throw.t_first == pytest.approx(0.8, abs=0.1)


def test_die_that_is_set_down_before_the_others_are_thrown_came_before_them(networks: Networks) -> None:
    hand = moving_hand(
        (0.3, -60, 240), (0.6, 290, 240), (0.75, 290, 240), (0.95, 110, 240), (2.9, 110, 240), (3.2, -60, 240)
    )
    places = ((250.0, 130.0), (430.0, 330.0), (300.0, 350.0), (470.0, 180.0))
    dice = [lying(330, 240, 6, since=0.65), *(thrown(HERE, there, n + 1, 2.6) for n, there in enumerate(places))]
    events = watch(networks, dice, [hand], seconds=4.2)
    (throw,) = only(events, DiceThrown)
    assert throw.count == 5
    assert throw.t_last - throw.t_first > 1.0
    assert not only(events, BodyInterfered)


@pytest.mark.parametrize(("since", "placed"), [(0.7, True), (0.85, True), (1.1, False)])
def test_die_that_is_set_down_just_before_the_others_are_thrown_was_not_thrown_with_them(
    networks: Networks, since: float, placed: bool
) -> None:
    hand = moving_hand((0.3, -60, 240), (0.6, 170, 240), (1.3, 170, 240), (1.6, -60, 240))
    places = ((250.0, 130.0), (430.0, 330.0), (300.0, 350.0), (470.0, 180.0))
    others = [thrown((210, 240), there, n + 1, 1.1) for n, there in enumerate(places)]
    events = watch(networks, [lying(215, 295, 6, since=since), *others], [hand], seconds=3.0)
    (throw,) = only(events, DiceThrown)
    assert throw.count == 5
    interfered = only(events, BodyInterfered)
    assert [event.t for event in interfered] == [pytest.approx(since, abs=0.1)] * placed


def test_dice_set_down_under_the_palm_were_not_thrown_with_the_one_that_rolled(networks: Networks) -> None:
    places = ((170.0, 215.0), (170.0, 262.0), (205.0, 225.0), (205.0, 258.0))
    down = [lying(x, y, 6, 20.0 + 10 * n, since=1.0 + 0.35 * n) for n, (x, y) in enumerate(places)]
    palm = moving_hand((0.3, -60, 240), (0.8, 215, 240), (3.2, 225, 240), (3.6, -60, 240))
    events = watch(networks, [*down, thrown((240.0, 240.0), (420.0, 260.0), 3, 2.8)], [palm], seconds=4.6)
    (throw,) = only(events, DiceThrown)
    assert throw.count == 5
    assert len(only(events, BodyInterfered)) == 1


def test_die_that_comes_to_rest_where_another_lay_was_thrown_as_it_came(networks: Networks) -> None:
    hand = moving_hand(
        (0.5, -60, 240),
        (0.9, 250, 200),
        (1.0, 300, 300),
        (1.2, 400, 230),
        (1.6, 110, 240),
        (4.5, 110, 240),
        (4.8, -60, 240),
    )
    old = ((250.0, 200.0), (300.0, 250.0), (400.0, 300.0), (330.0, 300.0), (350.0, 240.0))
    taken = [lying(*there, n + 1, until=1.0 + 0.05 * n) for n, there in enumerate(old)]
    later = ((260.0, 130.0), (430.0, 350.0), (300.0, 370.0), (470.0, 180.0))
    dice = [*taken, thrown(HERE, old[2], 6, 1.9), *(thrown(HERE, there, n + 1, 4.2) for n, there in enumerate(later))]
    (throw,) = only(watch(networks, dice, [hand], seconds=5.8), DiceThrown)
    assert throw.t_last - throw.t_first > 1.0


BEFORE, UNDER = reaching((110, 240), 1.1, 2.4), reaching((190, 330), 1.6, 3.2)


def test_die_that_a_hand_uncovers_where_none_lay_was_thrown_after_the_others(networks: Networks) -> None:
    dice = [*roll(count=4), lying(160, 330, 5, since=2.6)]
    (throw,) = only(watch(networks, dice, [THROWER, BEFORE, UNDER], seconds=3.6), DiceThrown)
    assert throw.count == 5
    assert throw.t_last - throw.t_first > 1.0


def test_die_that_a_hand_uncovers_where_another_lay_was_thrown_after_the_others(networks: Networks) -> None:
    moved = chain(thrown(HERE, (165, 325), 5, 0.78, until=2.5), lying(180, 365, 5, since=2.5))
    dice = [*roll(count=3), moved, lying(160, 325, 2, since=2.5)]
    (throw,) = only(watch(networks, dice, [THROWER, BEFORE, UNDER], seconds=3.6), DiceThrown)
    assert throw.count == 5
    assert throw.t_last - throw.t_first > 1.0


def test_second_hand_while_dice_roll_interferes(networks: Networks) -> None:
    events = watch(networks, roll(), [THROWER, reaching((400, 260), 1.05, 2.2)], seconds=2.9)
    assert len(only(events, BodyInterfered)) == len(only(events, DiceThrown)) == 1
    assert values(only(events, DiceAtRest)[0]) == [1, 2, 4, 5, 6]


def test_hand_that_comes_as_the_throwing_one_leaves_interferes_too(networks: Networks) -> None:
    other = reaching((420, 140), 0.6, 2.2, origin=(420.0, -60.0))
    events = watch(networks, roll(), [THROWER, other], seconds=2.9)
    left, entered = only(events, HandLeft)[0].t, only(events, HandEntered)[1].t
    assert entered - left < 0.2
    assert len(only(events, BodyInterfered)) == 1


def test_a_second_hand_that_covers_a_rolling_die_interferes_once_though_the_others_lay_as_soon_as_they_were_seen(
    networks: Networks,
) -> None:
    """They came to rest under the hand that threw; nobody saw them fly, and the last is not seen any more."""
    under = [
        lying(x, y, value, since=0.6) for x, y, value in ((70, 225, 4), (105, 232, 2), (72, 262, 6), (108, 266, 1))
    ]
    other = moving_hand((0.95, 720, 180), (1.15, 480, 180), (2.6, 480, 180), (2.9, 720, 180), origin=(720.0, 180.0))
    last = thrown((150.0, 240.0), PLACES[4], 5, 0.7, until=1.3)
    events = watch(networks, [*under, last], [THROWER, other], seconds=3.4)
    assert len(only(events, BodyInterfered)) == len(only(events, DiceThrown)) == 1


STAYS = moving_hand((0.3, -60, 240), (0.6, 110, 240), (2.6, 110, 240), (3.0, -60, 240))
"""The hand that throws, and stays when the dice lie still."""
LAST = PLACES[4]


def catching(since: float, origin: Point, waits: Point | None) -> HandPath:
    """Another's hand that is over the last die to come to rest from a time on, and waits elsewhere before."""
    before = [(0.2, *waits), (since - 0.15, *waits)] if waits else [(since - 0.2, *origin)]
    return moving_hand(*before, (since, *LAST), (since + 0.5, *LAST), (since + 0.8, *origin), origin=origin)


@pytest.mark.parametrize("fps", [15.0, 30.0])
@pytest.mark.parametrize(
    ("origin", "waits"),
    [
        ((720.0, 180.0), None),
        ((470.0, -60.0), None),
        ((470.0, 540.0), (470.0, 330.0)),
        ((720.0, 180.0), (512.0, 180.0)),
    ],
    ids=["comes from the right", "comes from above", "was in before the throw", "was beside that place before"],
)
def test_anothers_hand_that_turns_a_rolling_die_while_the_throwing_one_stays_has_interfered(
    networks: Networks, fps: float, origin: Point, waits: Point | None
) -> None:
    *others, five = roll()

    def turned(t: float) -> Pose | None:
        pose = five(t)
        return pose if pose is None or t < 1.15 else replace(pose, value=3)

    events = watch(networks, [*others, turned], [STAYS, catching(1.1, origin, waits)], seconds=3.5, fps=fps)
    since = 0.45 if waits is not None and math.dist(waits, LAST) < 2 * DIE_PX else 0.8  # it was at the place before
    assert [since < one.t < 1.4 for one in only(events, BodyInterfered)] == [True]
    assert values(only(events, DiceAtRest)[0]) == [1, 2, 3, 4, 6]


@pytest.mark.parametrize(
    ("origin", "tips"),
    [
        ((470.0, 540.0), ((0.2, 470, 350), (2.2, 470, 350), (2.6, 470, 540))),
        ((720.0, 180.0), ((0.2, 430, 180), (0.65, 430, 180), (0.85, 720, 180))),
        ((470.0, -60.0), ((1.8, 470, -60), (2.0, 470, 150), (2.2, 470, 150), (2.5, 470, -60))),
        ((720.0, 180.0), ((0.2, 510, 180), (2.2, 510, 180), (2.6, 720, 180))),
    ],
    ids=["lies beside them", "is gone before they come", "passes over one at rest", "one comes to rest at it"],
)
def test_anothers_hand_that_had_none_of_the_dice_has_not_interfered(
    networks: Networks, origin: Point, tips: tuple[tuple[float, float, float], ...]
) -> None:
    events = watch(networks, roll(), [STAYS, moving_hand(*tips, origin=origin)], seconds=3.5)
    assert only(events, BodyInterfered) == []
    assert values(only(events, DiceAtRest)[0]) == [1, 2, 4, 5, 6]


def test_what_is_held_before_the_lens_is_no_hand_in_the_tray(networks: Networks) -> None:
    def covered(t: float, image: Image) -> Image:
        reach = 1120 * max(0.0, min(t - 0.95, 1.95 - t) / 0.1)
        dark = np.add.outer(np.arange(480), np.arange(640)) < reach
        return np.where(dark[..., None], np.random.default_rng(round(1000 * t)).integers(8, 16), image).astype(np.uint8)

    assert only(watch(networks, roll(), seconds=2.9, change=covered), BodyInterfered) == []


def test_resting_arm_in_view_delays_the_rest_until_it_has_left(networks: Networks) -> None:
    events = watch(networks, roll(), [THROWER, reaching((110, 240), 1.1, 2.4)], seconds=2.9)
    (rest,) = only(events, DiceAtRest)
    left = only(events, HandLeft)[-1].t
    assert left <= rest.t <= left + 0.15  # its finger tips are over the rim a little longer
    assert rest.t_said <= rest.t + 0.25


def test_dark_picture_is_a_lost_view_and_no_rest(networks: Networks) -> None:
    def lights_out(t: float, image: Image) -> Image:
        return image // 12 if 1.2 < t < 2.0 else image

    events = watch(networks, roll(), seconds=2.6, change=lights_out)
    (lost,), (restored,), (rest,) = only(events, ViewLost), only(events, ViewRestored), only(events, DiceAtRest)
    assert (lost.cause, restored.cause) == ("light_changed", "light_changed")
    assert rest.t >= restored.t
    assert values(rest) == [1, 2, 4, 5, 6]


def test_throw_counts_after_a_start_that_was_burnt_out(networks: Networks) -> None:
    def burnt(t: float, image: Image) -> Image:
        return np.clip(3 * image.astype(np.int16) + 60, 0, 255).astype(np.uint8) if t < 1.5 else image

    hand = reaching((110, 240), 3.3, 4.0)
    events = watch(networks, roll(at=3.7), [hand], seconds=5.0, change=burnt)
    (restored,), (thrown_,), (rest,) = only(events, ViewRestored), only(events, DiceThrown), only(events, DiceAtRest)
    assert (restored.cause, thrown_.count) == ("light_changed", 5)
    assert thrown_.t == pytest.approx(3.7, abs=0.1)
    assert values(rest) == [1, 2, 4, 5, 6]


def lamp_on(t: float, image: Image) -> Image:
    """Another lamp comes at 2 s beside the tray: its wall casts a hard shadow, also over the floor."""
    if t < 2.0:
        return image
    shade = np.ones(image.shape[:2], np.float32)
    cv2.fillPoly(shade, [np.array([(78, 60), (150, 58), (130, 422), (78, 420)])], 0.45)
    return np.asarray(np.clip(1.4 * image * cv2.GaussianBlur(shade, (0, 0), 1.2)[..., None], 0, 255), np.uint8)


def test_hard_shadow_that_a_lamp_casts_is_no_hand(networks: Networks) -> None:
    events = watch(networks, roll(), seconds=4.6, change=lamp_on)
    (restored,), (entered,) = only(events, ViewRestored), only(events, HandEntered)
    assert restored.cause == "light_changed"
    assert entered.t < 1.0


@pytest.mark.parametrize(("since", "until"), [(1.5, 4.6), (2.0, 4.6), (2.15, 5.0)], ids=["before", "with it", "after"])
def test_hand_that_is_there_as_a_lamp_comes_is_seen_until_it_leaves(
    networks: Networks, since: float, until: float
) -> None:
    hands = [THROWER, reaching((300, 90), since, until)]
    events = watch(networks, roll(), hands, seconds=until + 0.6, change=lamp_on)
    restored = [event for event in only(events, ViewRestored) if event.cause == "light_changed"]
    assert restored
    assert any(restored[-1].t < left.t <= until + 0.15 for left in only(events, HandLeft))
    assert all(not restored[-1].t < rest.t < until - 0.3 for rest in only(events, DiceAtRest))


@pytest.mark.parametrize("spoil", [{"sound": False}, {"image": np.zeros((240, 320, 3), np.uint8)}], ids=["bad", "size"])
@pytest.mark.parametrize("begun", [0.85, 2.0], ids=["in a throw", "at rest"])
def test_frames_that_are_none_are_a_lost_view_and_prove_no_roll(
    networks: Networks, begun: float, spoil: dict[str, Any]
) -> None:
    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film(roll(), [THROWER], 2.8, 30.0):
        events += watcher.step(replace(frame, **spoil) if begun < frame.t < begun + 0.4 else frame)
    (lost,), (restored,) = only(events, ViewLost), only(events, ViewRestored)
    assert (lost.cause, restored.cause) == ("frames_bad", "frames_bad")
    assert lost.t == pytest.approx(begun, abs=0.05)
    assert restored.t == pytest.approx(begun + 0.4, abs=0.05)
    rests = only(events, DiceAtRest)
    assert [values(rest) for rest in rests] == [[1, 2, 4, 5, 6]] * len(rests)
    assert all(not lost.t <= rest.t < restored.t for rest in rests)
    assert sum(bool(rest.thrown) for rest in rests) == 1


@pytest.mark.parametrize(
    ("at", "hands", "began"),
    [(0.75, [THROWER], 0.65), (2.0, [THROWER, reaching((110, 240), 1.7, 2.3)], 2.0)],
    ids=["unseen", "by a hand that comes again"],
)
def test_dice_that_a_hand_which_left_unseen_has_thrown_were_thrown_as_the_view_was_lost(
    networks: Networks, at: float, hands: list[HandPath], began: float
) -> None:
    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film(roll(at), hands, at + 2.0, 30.0):
        events += watcher.step(replace(frame, sound=not 0.65 < frame.t < 1.65))
    (rest,) = only(events, DiceAtRest)
    (throw,) = only(events, DiceThrown)
    assert throw.t == pytest.approx(began, abs=0.15)
    assert throw.t < rest.t and len(rest.thrown) == 5


@pytest.mark.parametrize("lasts", [0.17, 0.25, 0.8])
def test_picture_of_flying_dice_that_comes_again_and_again_is_no_rest(networks: Networks, lasts: float) -> None:
    watcher, events, stuck = Watcher(networks, GEOMETRY), list[TrayEvent](), None
    for frame in film(roll(), [THROWER], 2.8, 30.0):
        if 1.1 < frame.t < 1.1 + lasts:
            stuck = frame.image if stuck is None else stuck
            frame = replace(frame, image=stuck.copy())
        events += watcher.step(frame)
    (rest,) = only(events, DiceAtRest)
    assert values(rest) == [1, 2, 4, 5, 6]
    lost = lasts > 0.5
    assert [event.cause for event in only(events, ViewLost)] == ["frames_stopped"] * lost
    assert [event.cause for event in only(events, ViewRestored)] == ["frames_stopped"] * lost
    assert all(restored.t <= rest.t for restored in only(events, ViewRestored))


@pytest.mark.parametrize("every", [3, 5])
def test_fault_that_comes_and_goes_is_a_lost_view_until_it_stays_away(networks: Networks, every: int) -> None:
    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film(roll(), [THROWER], 4.0, 30.0):
        events += watcher.step(replace(frame, sound=not 0.6 < frame.t < 3.0 or frame.index % every > 0))
    (lost,), (restored,), (rest,) = only(events, ViewLost), only(events, ViewRestored), only(events, DiceAtRest)
    assert lost.cause == restored.cause == "frames_bad"
    assert lost.t < 0.8 and lost.t_said < 2.0
    assert 2.7 < restored.t <= 3.0
    assert rest.t >= restored.t and values(rest) == [1, 2, 4, 5, 6]


def test_hand_that_lies_there_as_watching_begins_is_gone_when_it_leaves(networks: Networks) -> None:
    hands = [reaching((300, 240), -1.0, 1.2), reaching((110, 240), 2.6, 3.3)]
    events = watch(networks, roll(3.0), hands, seconds=4.6)
    assert len(only(events, HandLeft)) >= 1 and len(only(events, DiceThrown)) == 1
    assert values(only(events, DiceAtRest)[-1]) == [1, 2, 4, 5, 6]


def test_single_frame_that_is_none_delays_no_rest_but_two_do(networks: Networks) -> None:
    def rest(*bad: int) -> DiceAtRest:
        watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
        for frame in film(roll(), [THROWER], 2.4, 30.0):
            events += watcher.step(replace(frame, sound=frame.index not in bad))
        (found,) = only(events, DiceAtRest)
        return found

    plain = rest()
    one, two = rest(plain.frame + 3), rest(plain.frame + 1, plain.frame + 3)
    assert (one.frame, values(one)) == (plain.frame, values(plain))
    assert one.t_said <= plain.t_said + 0.04
    assert two.frame > plain.frame + 3


def test_pushed_camera_is_a_lost_view(networks: Networks) -> None:
    def pushed(t: float, image: Image) -> Image:
        return np.roll(image, (14, 0), (1, 0)) if t > 2.0 else image

    events = watch(networks, roll(), seconds=2.8, change=pushed)
    assert [lost.cause for lost in only(events, ViewLost)] == ["camera_moved"]


def test_swaying_camera_never_confirms(networks: Networks) -> None:
    def swaying(t: float, image: Image) -> Image:
        return np.roll(image, round(6 * np.sin(9 * t)), 1)

    assert not only(watch(networks, roll(), seconds=2.6, change=swaying), DiceAtRest)


def test_dice_that_lie_there_from_the_start_were_not_thrown(networks: Networks) -> None:
    (rest,) = watch(networks, [lying(*place, value) for place, value in zip(PLACES, VALUES, strict=True)], hands=[])
    assert isinstance(rest, DiceAtRest)
    assert (rest.thrown, len(rest.kept)) == ((), 5)
    assert values(rest) == [1, 2, 4, 5, 6]
    assert rest.t == 0
    assert 0.13 <= rest.t_said <= 0.25


@pytest.mark.parametrize("begun", [0.75, 0.85, 0.95, 1.05])
def test_watching_that_begins_in_a_throw_says_no_rest_before_there_is_one(networks: Networks, begun: float) -> None:
    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film(roll(), [THROWER], 2.6):
        events += watcher.step(frame) if frame.t >= begun else []
    stopped = 0.7 + 0.08 + THROW_S
    assert all(rest.t >= stopped - 0.1 for rest in only(events, DiceAtRest))
    assert values(only(events, DiceAtRest)[-1]) == [1, 2, 4, 5, 6]


def test_one_frame_proves_no_rest(networks: Networks) -> None:
    assert not watch(networks, [lying(*PLACES[0], 4)], hands=[], seconds=1 / 30)


def test_view_shows_the_dice_for_annotation(networks: Networks) -> None:
    watcher = Watcher(networks, GEOMETRY)
    for frame in film(roll(), [THROWER], seconds=1.8):
        watcher.step(frame)
    assert watcher.view.frame == 53
    assert watcher.view.still
    assert not watcher.view.hand
    assert sorted(die.reading.value or 0 for die in watcher.view.dice if die.reading) == [1, 2, 4, 5, 6]


def test_dice_that_are_snatched_and_thrown_again_before_a_rest_was_said_are_two_throws(networks: Networks) -> None:
    """The hand that threw stays over the tray."""
    first = [(190.0, 210.0), (215.0, 250.0), (190.0, 280.0), (230.0, 300.0), (240.0, 200.0)]
    again = [(430.0, 300.0), (470.0, 180.0), (400.0, 240.0), (330.0, 330.0), (350.0, 130.0)]
    dice = [
        chain(thrown(HERE, one, 2, 0.7 + 0.02 * n, until=2.35 + 0.02 * n), thrown(HERE, other, 6, at=3.4 + 0.02 * n))
        for n, (one, other) in enumerate(zip(first, again, strict=True))
    ]
    takes = (1.9, 80, 240), (2.3, 195, 250), (2.45, 220, 250), (3.0, 110, 240), (3.6, 110, 240), (4.0, -60, 240)
    events = watch(networks, dice, [moving_hand((0.3, -60, 240), (0.6, 80, 240), *takes)], seconds=4.6)
    (throw,), (rest,) = only(events, DiceThrown), only(events, DiceAtRest)
    assert throw.t_first < 1.0 and throw.t_last > 3.0
    assert values(rest) == [6, 6, 6, 6, 6]


TURNS = moving_hand(
    (0.3, -60, 240), (0.6, 110, 240), (1.8, 110, 240), (2.2, 262, 325), (2.4, 262, 325), (2.9, -60, 240)
)
"""The hand that throws, stays, and reaches for the one at 2.3 s, before its rest is said."""


def turned_by_hand(since: float, value: int, by: tuple[float, float] = (0.0, 0.0)) -> list[DiePath]:
    """The roll of which a hand turns the one to another value, or moves it, before its rest is said."""
    one = roll()[3]

    def path(t: float) -> Pose | None:
        pose = one(t)
        return pose if pose is None or t < since else replace(pose, x=pose.x + by[0], y=pose.y + by[1], value=value)

    return [*roll()[:3], path, roll()[4]]


@pytest.mark.parametrize(
    ("value", "by", "had"),
    [(6, (0.0, 0.0), True), (6, (24.0, 12.0), True), (1, (24.0, 12.0), False), (1, (0.0, 0.0), False)],
    ids=["turned", "turned and moved", "moved", "pointed at"],
)
def test_a_hand_that_stays_and_turns_a_die_before_its_rest_is_said_has_interfered(
    networks: Networks, value: int, by: tuple[float, float], had: bool
) -> None:
    events = watch(networks, turned_by_hand(2.3, value, by), [TURNS], seconds=3.4)
    interfered = only(events, BodyInterfered)
    assert [2.0 < one.t < 2.3 for one in interfered] == [True] * had
    (rest,) = only(events, DiceAtRest)
    assert values(rest) == sorted([2, 4, 5, 6, value])
    assert [type(event) for event in events if isinstance(event, DiceThrown | BodyInterfered | DiceAtRest)] == [
        DiceThrown,
        *[BodyInterfered] * had,
        DiceAtRest,
    ]


@pytest.mark.parametrize(
    ("tips", "stays", "value"),
    [(160.0, 1.6, 6), (160.0, 1.34, 6), (178.0, 1.6, 6), (178.0, 1.8, 1)],
    ids=["turned", "turned at once", "turned by one at it", "left as it lies"],
)
def test_a_hand_that_stays_beside_a_die_that_it_threw_has_interfered_if_it_turns_it(
    networks: Networks, tips: float, stays: float, value: int
) -> None:
    beside, turns = ((0.9, tips, 240), (stays, tips, 240)), ((stays + 0.06, 205, 240), (stays + 0.3, 205, 240))
    hand = moving_hand((0.3, -60, 240), (0.6, 110, 240), *beside, *turns, (stays + 0.7, -60, 240))
    one = thrown((130.0, 240.0), (245.0, 240.0), 1, 0.7)

    def path(t: float) -> Pose | None:
        pose = one(t)
        return pose if pose is None or t < stays + 0.08 else replace(pose, value=value)

    others = [thrown(HERE, PLACES[n], VALUES[n], 0.72 + 0.02 * n) for n in (1, 2, 3, 4)]
    events = watch(networks, [path, *others], [hand], seconds=stays + 1.6)
    assert [abs(one.t - stays) < 0.1 for one in only(events, BodyInterfered)] == [True] * (value == 6)
    assert values(only(events, DiceAtRest)[0]) == sorted([1, 2, 5, 6, value])


@pytest.mark.parametrize("since", [1.27, 1.31, 1.35])
def test_a_hand_that_comes_just_as_the_dice_lie_still_and_turns_one_has_interfered(
    networks: Networks, since: float
) -> None:
    tips = (since, 505), (since + 0.2, 380), (since + 0.5, 380), (since + 0.8, 505)
    t_s, y_s = zip(*tips, strict=True)

    def comes(t: float) -> Hand | None:
        return Hand((300.0, 540.0), (300.0, float(np.interp(t, t_s, y_s)))) if t_s[0] <= t <= t_s[-1] else None

    events = watch(networks, turned_by_hand(since + 0.35, 6), [THROWER, comes], seconds=since + 1.4)
    assert len(only(events, BodyInterfered)) == 1
    assert values(only(events, DiceAtRest)[-1]) == [2, 4, 5, 6, 6]


@pytest.mark.parametrize("value", [6, 1])
def test_a_die_that_shows_something_else_after_frames_did_not_come_has_been_had(networks: Networks, value: int) -> None:
    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film(turned_by_hand(1.7, value), [THROWER], 2.8):
        events += [] if 1.45 < frame.t < 1.9 else watcher.step(frame)
    assert not only(events, ViewLost)
    assert [event.t for event in only(events, BodyInterfered)] == [pytest.approx(1.45, abs=0.05)] * (value == 6)
    assert values(only(events, DiceAtRest)[0]) == sorted([2, 4, 5, 6, value])


@pytest.mark.parametrize("value", [6, 4])
def test_a_kept_die_that_shows_something_else_after_frames_did_not_come_was_turned_by_hand(
    networks: Networks, value: int
) -> None:
    four, *others = roll()

    def kept(t: float) -> Pose | None:
        pose = four(t)
        return pose if pose is None or t < 2.0 else replace(pose, value=value)

    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film([kept, *others], [THROWER], 2.6):
        events += [] if 1.8 < frame.t < 2.2 else watcher.step(frame)
    changed = [(event.before, event.after, event.cause) for event in only(events, KeptDieChanged)]
    assert changed == [(4, 6, "hand")] * (value == 6)


def test_a_hand_that_turns_a_die_which_rolled_to_where_another_had_lain_has_interfered(networks: Networks) -> None:
    rolled = thrown(HERE, (PLACES[0][0], PLACES[0][1] + 1), 5, 1.6)

    def turned(t: float) -> Pose | None:
        pose = rolled(t)
        return pose if pose is None or t < 2.65 else replace(pose, value=6)

    lay = [lying(*place, value, until=0.9) for place, value in zip(PLACES, VALUES, strict=True)]
    there = ((420.0, 250.0), (310.0, 320.0), (460.0, 170.0), (380.0, 120.0))
    again = [turned, *(thrown(HERE, place, 3, 1.62) for place in there)]
    takes, turns = ((0.7, 320, 220), (0.95, 320, 220)), ((2.6, 215, 205), (2.75, 215, 205))
    hand = moving_hand((0.3, -60, 240), *takes, (1.2, 110, 240), (2.4, 110, 240), *turns, (3.1, -60, 240))
    dice = [chain(one, other) for one, other in zip(lay, again, strict=True)]
    events = watch(networks, dice, [hand], seconds=3.8)
    assert len(only(events, BodyInterfered)) == 1
    assert values(only(events, DiceAtRest)[-1]) == [3, 3, 3, 3, 6]


def shadow_ahead(hand: HandPath, ahead: Point) -> Callable[[float, Image], Image]:
    """A soft shadow of a hand, so many px from it."""

    def drawn(there: Hand, by: Point, wider: int) -> Image:
        arm = np.zeros((480, 640), np.uint8)
        start, end = ((round(x + by[0]), round(y + by[1])) for x, y in (there.origin, there.tips))
        cv2.line(arm, start, end, 255, 64 + wider)
        for aside in (-24, -8, 8, 24):
            cv2.line(arm, end, (end[0] + 38, end[1] + aside), 255, 13 + wider)
        return np.asarray(cv2.GaussianBlur(arm, (0, 0), 3.0), np.uint8)

    def shaded(t: float, image: Image) -> Image:
        there = hand(t)
        if there is None:
            return image
        shadow = cv2.subtract(drawn(there, ahead, 0), drawn(there, (0.0, 0.0), 4)) / 255
        return np.asarray(image * (1 - 0.6 * shadow[..., None]), np.uint8)

    return shaded


@pytest.mark.parametrize(("value", "had"), [(1, False), (6, True)])
def test_a_shadow_ahead_of_the_hand_hides_no_turning(networks: Networks, value: int, had: bool) -> None:
    events = watch(networks, turned_by_hand(2.3, value), [TURNS], seconds=3.4, change=shadow_ahead(TURNS, (50.0, 5.0)))
    assert bool(only(events, BodyInterfered)) is had


def test_a_hand_that_catches_a_die_after_another_flew_over_the_rim_has_interfered(networks: Networks) -> None:
    """It comes in .4 s after the dice left a hand beside the tray, which may hold none any more."""
    places = ((900.0, 120.0), *PLACES[1:4])
    over, *others = (thrown(HERE, place, value, 0.7) for place, value in zip(places, VALUES, strict=False))

    def caught(t: float) -> Pose | None:
        pose = thrown(HERE, PLACES[4], 5, 0.78)(min(t, 1.25))
        return pose if pose is None or t < 1.25 else replace(pose, value=6)

    def catches(t: float) -> Hand | None:
        x = float(np.interp(t, (1.1, 1.25, 1.6, 1.85), (720, 480, 480, 720)))
        return Hand((720.0, 180.0), (x, 185.0)) if 1.1 <= t <= 1.85 else None

    events = watch(networks, [over, *others, caught], [catches], seconds=3.2)
    assert len(only(events, BodyInterfered)) == 1


def test_a_kept_die_turned_in_place_is_not_one_that_the_hand_with_others_set_down(networks: Networks) -> None:
    """It shows then what one of those showed."""
    four, two, six, one, five = roll()

    def taken_and_thrown(path: DiePath, taken: float, there: Point, at: float) -> DiePath:
        return chain(lambda t: path(t) if t < taken else None, thrown((150.0, 262.0), there, 3, at))

    def turned(t: float) -> Pose | None:
        pose = one(t)
        return pose if pose is None or t < 2.85 else replace(pose, value=6)

    again = taken_and_thrown(six, 2.4, (440.0, 270.0), 3.6), taken_and_thrown(five, 2.7, (470.0, 180.0), 3.62)
    takes, throws = ((2.0, -60, 240), (2.35, 380, 260), (2.65, 450, 180)), ((3.1, 110, 262), (3.7, 110, 262))
    hand = moving_hand(*takes, *throws, (4.1, -60, 240))
    others = reaching((300, 350), 2.5, 3.2, origin=(320.0, 540.0))
    events = watch(networks, [four, two, turned, *again], [THROWER, hand, others], seconds=5.4)
    assert "sure" not in [event.identity for event in only(events, KeptDieMoved)]
    assert len(only(events, BodyInterfered)) == 1


BOUNCES = ((60.0, 250.0, 130.0, 110.0, 338.0), (240.0, 320.0, 240.0, 240.0, 322.0))
"""Places, px, of a die on its way: x and y."""


def test_a_thrown_die_that_another_of_its_throw_knocks_on_was_not_taken_up_and_thrown_again(networks: Networks) -> None:
    """The other bounces back under the hand that threw, and rolls on as that hand moves aside."""

    def hit(t: float) -> Pose | None:
        pose = thrown(HERE, (370.0, 330.0), 2, 0.72)(t)
        way = 1 - (1 - min(1.0, max(0.0, t - 2.1) / 0.25)) ** 2
        return pose and replace(pose, x=pose.x + 30 * way, y=pose.y + 20 * way, angle=pose.angle + 30 * way)

    def hits(t: float) -> Pose | None:
        if not 0.74 <= t < 1.35 and t < 1.8:
            return None
        x, y = (float(np.interp(t, (0.74, 1.15, 1.35, 1.8, 2.15), way)) for way in BOUNCES)
        return Pose(x, y, 20 + 500 * min(t, 2.15), 3 if t > 2.1 else 1 + int(10 * t) % 6)

    dice = [hit, hits, *(thrown(HERE, place, 4, 0.7 + 0.02 * n) for n, place in enumerate(PLACES[1:3]))]
    dice.append(thrown(HERE, PLACES[4], 5, 0.76))
    hand = moving_hand(
        (0.3, -60, 240), (0.6, 90, 240), (1.2, 90, 240), (1.3, 120, 240), (1.8, 120, 240), (2.3, -60, 240)
    )
    throw = only(watch(networks, dice, [hand], seconds=3.4), DiceThrown)[-1]
    assert throw.count == 5
    assert throw.t_last - throw.t_first < 0.5


def test_a_kept_die_slid_aside_is_none_of_those_thrown_after_it(networks: Networks) -> None:
    def kept(t: float) -> Pose | None:
        pose = thrown(HERE, (200.0, 240.0), 3, 0.7)(t)
        return pose if pose is None or t < 2.8 else replace(pose, x=200.0 + 200 * min(0.5, t - 2.8))

    places = [(150.0, 330.0), (185.0, 350.0)]
    dice = [kept, thrown(HERE, (400.0, 350.0), 2, 0.72), thrown(HERE, (330.0, 380.0), 5, 0.74)]
    for n, (place, to, at) in enumerate(zip(places, [(430.0, 250.0), (470.0, 180.0)], [4.2, 5.8], strict=True)):
        dice.append(chain(thrown(HERE, place, 6 - n, 0.78 + 0.02 * n, until=3.62), thrown(HERE, to, 4, at)))
    slides = (2.3, -60, 240), (2.8, 145, 240), (3.3, 245, 240), (3.4, 180, 240)
    throws = (3.6, 140, 330), (3.65, 150, 330), (3.8, 110, 240), (5.95, 110, 240), (6.3, -60, 240)
    events = watch(networks, dice, [THROWER, moving_hand(*slides, *throws)], seconds=7.0)
    throw = only(events, DiceThrown)[-1]
    assert throw.count == 2
    assert throw.t_last - throw.t_first > 1.0


def test_a_kept_die_that_the_hand_passed_over_and_a_throw_knocks_over_was_not_lifted(networks: Networks) -> None:
    place, hit, way = (200.0, 300.0), 3.5, (0.92, 0.39)

    def kept(t: float) -> Pose | None:
        pose = thrown(HERE, place, 3, 0.7)(t)
        if pose is None or t < hit:
            return pose
        s = min(1.0, (t - hit) / 0.4)
        rolled = 4 * DIE_PX * (1 - (1 - s) ** 3)
        return Pose(
            place[0] + way[0] * rolled, place[1] + way[1] * rolled, 20 + 120 * s, 6 if s > 0.75 else 1 + int(6 * s)
        )

    def hits(t: float) -> Pose | None:
        s = min(1.0, (t - 3.4) / (hit - 3.4))
        x, y = (HERE[k] + s * (place[k] - DIE_PX * way[k] - HERE[k]) for k in (0, 1))
        return None if t < 3.4 else Pose(x, y, 20 + 90 * s, 5 if s == 1 else 1 + int(6 * s))

    dice = [
        kept,
        thrown(HERE, (400.0, 350.0), 2, 0.72),
        thrown(HERE, (330.0, 150.0), 5, 0.74),
        chain(thrown(HERE, (150.0, 310.0), 6, 0.78, until=2.92), hits),
        chain(thrown(HERE, (165.0, 350.0), 1, 0.80, until=2.92), thrown(HERE, (300.0, 250.0), 4, 3.42)),
    ]
    takes = (2.3, -60, 240), (2.6, 100, 320), (2.85, 150, 315), (2.95, 160, 325), (3.1, 110, 240)
    events = watch(networks, dice, [THROWER, moving_hand(*takes, (3.55, 110, 240), (3.9, -60, 240))], seconds=4.8)
    first = only(events, DiceAtRest)[0]
    number = next(fact.id for fact in first.dice if fact.value == 3)
    assert number not in {one for event in only(events, DiceLifted) for one in event.ids}
    assert number in {event.id for event in events if isinstance(event, KeptDieMoved | KeptDieChanged)}


def stacked(lower: DiePath, upper: tuple[DiePath, ...]) -> list[DiePath]:
    """Five thrown dice, of which one comes to lie upon another; a hand takes it off at 2.7 s."""
    return [*roll(count=3), lower, chain(thrown(HERE, (308, 326), 5, 0.8, until=2.7), *upper)]


RIGHT = (700.0, 240.0)
TAKES_OFF = ((2.3, *RIGHT), (2.65, 330.0, 330.0), (2.75, 330.0, 330.0))
"""Where a hand from the right is until it has the upper die."""


@pytest.mark.parametrize(
    ("turned", "throws"),
    [(False, True), (True, True), (True, False)],
    ids=["passed over", "turned", "turned before it leaves"],
)
def test_a_die_that_lay_under_another_is_handled_if_a_hand_turns_it_once_it_was_seen(
    networks: Networks, turned: bool, throws: bool
) -> None:
    as_it_lies = roll(count=4)[3]

    def lower(t: float) -> Pose | None:
        pose = as_it_lies(t)
        return replace(pose, value=6) if pose is not None and turned and t >= 3.4 else pose

    over = ((2.9, 520.0, 330.0), (3.1, 520.0, 330.0), (3.35, 290.0, 332.0), (3.5, 290.0, 332.0))
    away = ((3.8, 560.0, 300.0), (4.1, 560.0, 300.0), (4.5, *RIGHT))
    flies = (thrown((550, 300), (430, 330), 3, 3.95),) if throws else ()
    hand = moving_hand(*TAKES_OFF, *over, *away, origin=RIGHT)
    events = watch(networks, stacked(lower, flies), [THROWER, hand], 5.6)
    first, last = only(events, DiceAtRest)
    below = {die.id for die in first.dice if die.state == "unknown"}
    assert [die.value for die in last.dice if die.id in below] == [6 if turned else 1]
    assert [below <= set(event.ids) for event in only(events, DiceLifted)] == [turned]


@pytest.mark.parametrize("turned", [False, True])
def test_a_die_that_lay_under_another_is_not_handled_if_that_one_is_put_back_on_it_as_it_lies(
    networks: Networks, turned: bool
) -> None:
    as_it_lies = roll(count=4)[3]

    def lower(t: float) -> Pose | None:
        pose = as_it_lies(t)
        return replace(pose, value=6) if pose is not None and turned and t >= 3.5 else pose

    aside, back = ((2.9, 520.0, 330.0), (3.2, 520.0, 330.0)), ((3.4, 330.0, 330.0), (3.7, 330.0, 330.0), (4.1, *RIGHT))
    again = ((4.6, *RIGHT), (4.95, 330.0, 330.0), (5.05, 330.0, 330.0), (5.4, 560.0, 300.0), (5.7, 560.0, 300.0))
    put_back, flies = lying(308, 326, 5, since=3.6, until=5.0), thrown((550, 300), (430, 330), 3, 5.55)
    hands = [moving_hand(*TAKES_OFF, *aside, *back, origin=RIGHT), moving_hand(*again, (6.1, *RIGHT), origin=RIGHT)]
    events = watch(networks, stacked(lower, (put_back, flies)), [THROWER, *hands], 7.6)
    first, *_, last = only(events, DiceAtRest)
    below = {die.id for die in first.dice if die.state == "unknown"}
    assert [die.value for die in last.dice if die.id in below] == [6 if turned else 1]
    assert any(below <= set(event.ids) for event in only(events, DiceLifted)) == turned
    assert not only(events, BodyInterfered)


def test_a_die_that_lay_under_another_is_handled_if_it_is_taken_and_set_down_near_there(networks: Networks) -> None:
    set_down = lying(300, 345, 6, angle=40, since=3.4)
    as_it_lies = roll(count=4)[3]
    lower = chain(lambda t: as_it_lies(t) if t < 2.75 else None, set_down)
    away = ((2.9, 420.0, 330.0), (3.2, 420.0, 330.0), (3.4, 312.0, 345.0), (3.5, 312.0, 345.0))
    throws = ((3.9, 560.0, 290.0), (4.3, 560.0, 290.0), (4.7, *RIGHT))
    hand = moving_hand(*TAKES_OFF, *away, *throws, origin=RIGHT)
    dice = stacked(lower, (thrown((550, 280), (430, 300), 3, 4.2),))
    events = watch(networks, dice, [THROWER, hand], 6.0)
    first, last = only(events, DiceAtRest)
    below = {die.id for die in first.dice if die.state == "unknown"}
    assert [die.value for die in last.dice if die.id in below] == [6]
    assert [below <= set(event.ids) for event in only(events, DiceLifted)] == [True]


def test_a_kept_die_turned_while_nothing_could_be_seen_is_that_die(networks: Networks) -> None:
    dice, kept = roll(until=2.3), roll()
    dice[1] = kept[1]
    dice[0] = lambda t: replace(pose, value=6) if (pose := kept[0](t)) is not None and t > 2.95 else kept[0](t)
    takes = [reaching(place, 1.9, 2.7, origin=(700, place[1])) for place in PLACES[2:]]
    watcher, events = Watcher(networks, GEOMETRY), list[TrayEvent]()
    for frame in film(dice, [THROWER, *takes], 3.8):
        events += watcher.step(replace(frame, sound=not 2.8 < frame.t < 3.1))
    (changed,) = only(events, KeptDieChanged)
    assert (changed.before, changed.after) == (4, 6)
    assert changed.id not in {one for event in only(events, DiceLifted) for one in event.ids}

"""Which dice were thrown, which stayed, and which of the old ones they are."""

from dataclasses import replace

import numpy as np
import pytest

from vision.read import Reading
from vision.rest import FloatArray
from vision.resting import Changed, Resting, Settlement
from vision.settle import settle
from vision.track import Sighting, Track

LOOKS: list[FloatArray] = [np.random.default_rng(n).normal(0, 1, (32, 32)).astype(np.float32) for n in range(9)]


def die(x: float, value: int | None, look: int = 0, id_: int | None = None, touched: bool = False) -> Resting:
    reading = Reading(value, 0.9, value or 1, "flat", 0.0, (0.0, 0.0, 1.0, 1.0), 0.9, 0.0)
    return Resting(x, 0.0, 20.0, "flat", reading, LOOKS[look], id_, touched)


def track(
    x: float, flew: bool = False, die_id: int | None = None, doubtful: bool = False, arrived: bool = True
) -> Track:
    sighting = Sighting(x, 0.0, 20.0, 0.9, still=True, near_body=arrived and not flew)
    travel, heat = (4.0, 0.9) if flew else (0.0, 0.0)
    made = Track(1, sighting, 2.0, 1.0, sighting, arrived, die=die_id, travel=travel, heat=heat, doubtful=doubtful)
    made.free = (1.0, 30) if flew else None
    return made


def judged(
    before: list[Resting],
    now: list[Resting],
    tracks: list[Track],
    first_id: int = 9,
    taken: tuple[Resting, ...] = (),
    away: tuple[int, ...] = (),
    over: tuple[Track, ...] = (),
    lost: tuple[Track, ...] = (),
) -> Settlement:
    return settle(before, taken, now, tracks, first_id, away, over=over, lost=lost)


def test_first_throw_numbers_the_dice() -> None:
    result = judged([], [die(0, 3), die(50, 4)], [track(0, flew=True), track(50, flew=True)], first_id=1)
    assert (result.thrown, result.kept) == ((1, 2), ())
    assert [d.id for d in result.dice] == [1, 2]


def test_dice_that_lay_there_from_the_start_were_not_thrown() -> None:
    result = judged([], [die(0, 3)], [track(0, arrived=False)], first_id=1)
    assert (result.thrown, result.kept) == ((), (1,))


def test_dice_that_lay_there_when_a_match_is_gone_on_with_were_not_thrown() -> None:
    result = settle([], [], [die(0, 3)], [track(0, arrived=False)], first_id=9, start=9)
    assert (result.thrown, result.kept) == ((), (9,))


def test_same_place_and_look_is_the_same_die_even_where_it_cannot_be_read() -> None:
    result = judged([die(0, 3, id_=1)], [die(3, None)], [track(0)])
    assert (result.thrown, result.kept, result.moved, result.changed) == ((), (1,), (), ())


@pytest.mark.parametrize("followed", [True, False])
def test_what_rolled_to_where_a_die_lay_and_shows_the_same_is_not_surely_that_die(followed: bool) -> None:
    before = [die(0, 5, 0, id_=1), die(50, 4, 1, id_=2, touched=True)]
    now = [die(3, 5, 2), die(90, 2, 3)]
    result = judged(before, now, [track(3, flew=True), track(90, flew=True, die_id=1 if followed else None)])
    assert [(d.id, d.value) for d in result.dice] == ([(9, 5), (1, 2)] if followed else [(1, 5), (9, 2)])
    assert result.changed == ((Changed(1, 5, 2, "hit"),) if followed else ())
    assert result.moved == ((1, followed),)
    assert result.kept == (1,)


@pytest.mark.parametrize(("value", "known"), [(5, True), (6, False)])
def test_what_rolled_to_where_a_die_lay_and_looks_like_it_is_that_die_only_if_it_shows_the_same(
    value: int, known: bool
) -> None:
    before = [die(0, 5, 0, id_=1), die(50, 4, 1, id_=2)]
    now = [die(3, value, 0), die(50, 4, 1), die(90, 2, 3)]
    result = judged(before, now, [track(3, flew=True), track(50), track(90, flew=True, die_id=1, doubtful=True)])
    assert [d.id for d in result.dice] == ([1, 2, 9] if known else [9, 2, 10])
    assert result.changed == () and result.kept == ((1, 2) if known else (2,))


@pytest.mark.parametrize(
    ("look", "travel", "sure"),
    [(2, 0.5, False), (0, 0.5, True), (2, 0.1, True)],
    ids=["it came from elsewhere", "it looks as it did", "it has not moved"],
)
def test_what_may_have_changed_places_with_a_die_and_shows_the_same_is_not_surely_that_die(
    look: int, travel: float, sure: bool
) -> None:
    followed = replace(track(3, die_id=1, doubtful=True), travel=travel)
    result = judged([die(0, 5, 0, id_=1)], [die(3, 5, look), die(90, 2, 3)], [followed, track(90, flew=True)])
    assert [(d.id, d.value) for d in result.dice] == [(1, 5), (9, 2)]
    assert result.moved == (() if sure else ((1, False),))


def test_a_die_that_was_followed_to_elsewhere_lies_no_more_where_it_lay() -> None:
    result = judged([die(0, 5, 0, id_=1)], [die(3, 5, 0), die(90, 2, 3)], [track(3), track(90, True, die_id=1)])
    assert [(d.id, d.value) for d in result.dice] == [(9, 5), (1, 2)]


@pytest.mark.parametrize(
    ("touched", "look", "x", "handled"),
    [(True, 1, 3.0, (1,)), (True, 0, 3.0, ()), (False, 1, 3.0, ()), (True, 0, 60.0, (1,))],
    ids=["turned", "a hand over it", "no hand there", "slid"],
)
def test_a_die_that_could_not_be_read_may_show_something_else_once_a_hand_has_had_it(
    touched: bool, look: int, x: float, handled: tuple[int, ...]
) -> None:
    before = [die(0, None, 0, id_=1, touched=touched)]
    followed = replace(track(x, die_id=1), by_hand=True)
    assert judged(before, [die(x, 6, look)], [followed]).handled == handled
    unread = judged(before, [die(x, None, look)], [followed])
    assert unread.handled == ()
    assert judged(list(unread.dice), [die(x, 6, look)], [track(x)]).handled == handled


def test_rethrown_dice_are_new_and_kept_ones_stay() -> None:
    before = [die(0, 3, 0, id_=1), die(50, 4, 1, id_=2, touched=True)]
    result = judged(before, [die(0, 3, 0), die(120, 4, 2)], [track(0), track(120, flew=True)])
    assert (result.thrown, result.kept) == ((9,), (1,))
    assert [d.id for d in result.gone] == [2]


def test_die_put_back_elsewhere_with_its_value_is_that_die() -> None:
    before = [die(0, 3, 0, id_=1, touched=True), die(50, 4, 1, id_=2)]
    result = judged(before, [die(200, 3, 2), die(50, 4, 1)], [track(200), track(50)])
    assert (result.thrown, result.kept, result.moved) == ((), (1, 2), ((1, True),))


def test_die_put_back_with_another_value_counts_as_thrown() -> None:
    result = judged([die(0, 3, 0, id_=1, touched=True)], [die(200, 6, 2)], [track(200)])
    assert result.thrown == (9,)


def test_of_dice_put_back_all_but_one_as_they_were_that_one_was_turned() -> None:
    taken = (die(0, 3, 0, id_=1), die(50, 4, 1, id_=2))
    now = [die(200, 4, 1), die(260, 6, 2)]
    result = judged([], now, [track(200), track(260)], taken=taken)
    assert (result.thrown, result.kept) == ((), (1, 2))
    assert [(d.id, d.value) for d in result.dice] == [(2, 4), (1, 6)]


def test_five_dice_set_down_are_not_those_taken_by_chance_of_four_values() -> None:
    taken = tuple(die(50 * n, value, id_=n + 1) for n, value in enumerate((1, 2, 2, 4, 6)))
    now = [die(300 + 50 * n, value) for n, value in enumerate((1, 1, 2, 4, 6))]
    result = judged([], now, [track(d.x) for d in now], taken=taken)
    assert (len(result.thrown), result.kept) == (5, ())


@pytest.mark.parametrize(("travel", "kept"), [(0.3, (1, 2)), (1.6, ())], ids=["let lie", "rolled"])
@pytest.mark.parametrize("taken", [(), (die(0, 3, id_=3),)], ids=["none held", "one held"])
def test_kept_dice_that_a_hand_arranged_were_not_thrown(
    travel: float, kept: tuple[int, ...], taken: tuple[Resting, ...]
) -> None:
    before = [die(0, 4, 0, id_=1, touched=True), die(50, 5, 1, id_=2, touched=True)]
    now, tracks = [die(200, 5, 2), die(260, 4, 3)], [track(200, flew=True), track(260, flew=True)]
    for each in tracks:
        each.by_hand, each.travel = True, travel
    assert judged(before, now, tracks, taken=taken).kept == kept


def test_a_die_set_down_beside_the_hand_as_it_was_taken_is_put_back() -> None:
    beside = replace(track(200, flew=True), travel=0.3, by_hand=True, steps=3, tumbles=2)
    before, now, taken = [die(0, 2, id_=2)], [die(0, 2), die(200, 4, 2)], (die(50, 4, id_=1),)
    result = judged(before, now, [track(0), beside], taken=taken)
    assert (result.thrown, result.kept) == ((), (1, 2))
    rolled = judged(before, now, [track(0), beside], taken=taken, lost=(replace(track(150, flew=True), tumbles=3),))
    assert rolled.thrown == (9,)


@pytest.mark.parametrize(("others", "thrown"), [((), (9,)), ((die(50, 4, 1, id_=2),), ())], ids=["alone", "beside"])
def test_one_die_set_down_turned_was_put_back_where_others_lie(others: tuple[Resting, ...], thrown: tuple[int]) -> None:
    tracks = [track(200), *(track(d.x) for d in others)]
    result = judged([*others], [die(200, 6, 2), *others], tracks, taken=(die(0, 3, 0, id_=1),))
    assert result.thrown == thrown


@pytest.mark.parametrize("flew", [False, True])
def test_dice_that_left_the_tray_are_back_when_a_hand_sets_them_down(flew: bool) -> None:
    result = judged([], [die(200, 6, 2)], [track(200, flew=flew)], away=(4,))
    assert (result.thrown, result.kept) == (((9,), ()) if flew else ((), (4,)))


def test_die_fetched_from_beside_the_tray_and_set_down_is_that_die() -> None:
    beside = replace(die(300, 5, 2, id_=4), state="off_tray")
    result = judged([beside], [die(200, 6, 2)], [track(200)])
    assert (result.thrown, result.kept, result.gone, result.changed) == ((), (4,), (), ())


def test_die_fetched_from_beside_the_tray_and_thrown_was_thrown_whatever_it_shows() -> None:
    beside = replace(die(300, 5, 2, id_=4), state="off_tray")
    result = judged([beside], [die(200, 5, 2)], [track(200, flew=True)])
    assert (result.thrown, result.kept, result.moved) == ((9,), (), ())


def test_die_knocked_out_of_the_tray_stays_itself_whatever_it_shows_there() -> None:
    out = replace(die(300, 5, 2), state="off_tray")
    result = judged([die(0, 3, 0, id_=1)], [out], [track(300, flew=True, die_id=1)])
    assert (result.kept, result.changed) == ((1,), ())


@pytest.mark.parametrize(
    ("taken", "over", "thrown"),
    [((), (), ()), ((), (track(400, flew=True),), (9,)), ((die(50, 2, id_=2),), (), (9,))],
    ids=["none was held", "another left the tray", "one was held"],
)
def test_a_die_that_shows_what_a_missing_one_did_may_be_a_thrown_one(
    taken: tuple[Resting, ...], over: tuple[Track, ...], thrown: tuple[int, ...]
) -> None:
    result = judged([die(0, 5, 0, id_=1)], [die(200, 5, 2)], [track(200, flew=True)], taken=taken, over=over)
    assert result.thrown == thrown
    assert [gone.id for gone in result.gone] == ([1] if thrown else [])


def test_a_die_that_shows_what_a_missing_one_did_was_knocked_there_where_others_were_thrown() -> None:
    now, tracks = [die(200, 5, 2), die(300, 3, 3)], [track(200, flew=True), track(300, flew=True)]
    result = judged([die(0, 5, 0, id_=1)], now, tracks, taken=(die(50, 2, id_=2),))
    assert (result.thrown, result.moved) == ((9,), ((1, False),))


@pytest.mark.parametrize(("value", "tumbles", "kept"), [(3, 0, (1,)), (5, 0, ()), (3, 8, ())])
def test_die_slid_under_the_fingers_is_that_die_if_it_shows_the_same(
    value: int, tumbles: int, kept: tuple[int, ...]
) -> None:
    before = [die(0, 3, 0, id_=1, touched=True)]
    slid = replace(track(200, flew=True, die_id=1, doubtful=True), by_hand=True, steps=16, tumbles=tumbles)
    assert judged(before, [die(200, value, 2)], [slid]).kept == kept


@pytest.mark.parametrize(("flew", "changed"), [(True, ()), (False, (Changed(1, 5, 2, "hand"),))])
def test_what_lies_where_a_kept_die_was_while_others_were_thrown_was_not_turned_by_a_hand(
    flew: bool, changed: tuple[Changed, ...]
) -> None:
    result = judged(
        [die(0, 5, id_=1, touched=True), die(60, 4, 3, id_=2)],
        [die(3, 2, 2), die(60, 4, 3) if not flew else die(90, 4, 4)],
        [track(3), track(90, flew=True) if flew else track(60, die_id=2)],
    )
    assert result.changed == changed


@pytest.mark.parametrize(("x", "followed"), [(3.0, False), (40.0, True)])
def test_a_kept_die_that_may_have_been_turned_while_others_were_thrown_is_not_said_to_be_lifted(
    x: float, followed: bool
) -> None:
    before = [die(0, 5, id_=1, touched=True), die(60, 4, 3, id_=2, touched=True)]
    there = replace(track(x, die_id=1 if followed else None), by_hand=True)
    result = judged(before, [die(x, 6, 2), die(90, 1, 4)], [there, track(90, flew=True)])
    assert (result.thrown, result.changed) == ((9, 10), ())
    assert ([d.id for d in result.gone], [d.id for d in result.lifted]) == ([1, 2], [2])


@pytest.mark.parametrize(("by_hand", "kept"), [(True, (2,)), (False, (1,))])
def test_a_thrown_die_that_lies_where_one_was_that_it_hit_is_not_that_one(by_hand: bool, kept: tuple[int]) -> None:
    there = replace(track(10, die_id=1), by_hand=by_hand)
    before = [die(0, 5, id_=1, touched=True), die(90, 6, 1, id_=2)]
    now = [die(10, 2, 2), die(90, 6, 1), die(60, 4, 3)]
    result = judged(before, now, [there, track(90, die_id=2), track(60, flew=True)])
    assert result.kept == ((*kept, 2) if kept == (1,) else kept)


@pytest.mark.parametrize(
    ("value", "alone", "held", "kept"),
    [(6, False, True, (1,)), (5, False, True, ()), (6, True, True, ()), (6, False, False, ())],
    ids=["slid", "another value", "rolled on by itself", "no more in the hand"],
)
def test_a_die_slid_by_a_hand_that_holds_others_was_not_thrown_however_it_looked_between_its_fingers(
    value: int, alone: bool, held: bool, kept: tuple[int, ...]
) -> None:
    slid = replace(track(300), first=track(0).sighting, steps=8, tumbles=4, travel=4.0 if alone else 0.0, by_hand=True)
    before = [die(0, 6, id_=1, touched=True), *([die(80, 2, 1, id_=2, touched=True)] if held else [])]
    assert judged(before, [die(300, value, 2)], [slid]).kept == kept


@pytest.mark.parametrize(
    ("steps", "tumbles", "travel", "kept"), [(15, 0, 0.9, (1,)), (15, 1, 0.9, ()), (15, 0, 1.5, ()), (3, 0, 0.9, ())],
    ids=["slid", "tumbled once", "rolled on by itself", "hardly followed"],
)  # fmt: skip
def test_a_die_that_slid_on_beside_the_hand_and_never_tumbled_was_not_thrown(
    steps: int, tumbles: int, travel: float, kept: tuple[int, ...]
) -> None:
    slid = replace(track(300, flew=True), steps=steps, tumbles=tumbles, travel=travel, by_hand=True)
    before = [die(0, 6, id_=1, touched=True), die(80, 2, 1, id_=2, touched=True)]
    assert judged(before, [die(300, 6, 2)], [slid]).kept == kept


@pytest.mark.parametrize(
    ("value", "tumbles", "turned", "held", "kept"),
    [(6, 1, 0, True, (1, 2)), (5, 1, 0, True, ()), (6, 4, 0, True, ()), (6, 1, 2, True, ()), (6, 1, 0, False, ())],
    ids=["slid", "another value", "tumbled", "turned over", "nothing in the hand"],
)
def test_dice_arranged_by_a_hand_that_holds_one_to_throw_were_not_thrown_though_fingers_hid_the_hand_at_one(
    value: int, tumbles: int, turned: int, held: bool, kept: tuple[int, ...]
) -> None:
    slid = replace(track(300, flew=True), steps=13, tumbles=tumbles, looked=5, turned=turned, by_hand=True)
    before = [die(0, 6, id_=1, touched=True), die(80, 2, 1, id_=2, touched=True)]
    now = [die(300, value, 2), die(200, 2, 3)]
    taken = (die(150, 1, 4, id_=3),) if held else ()
    assert judged(before, now, [slid, replace(track(200), by_hand=True)], taken=taken).kept == kept


def test_dice_set_down_with_other_values_than_were_taken_count_as_thrown() -> None:
    taken = (die(0, 3, 0, id_=1), die(50, 4, 1, id_=2), die(100, 4, 2, id_=3))
    now = [die(200, 4, 1), die(260, 6, 2), die(320, 5, 0)]
    assert judged([], now, [track(d.x) for d in now], taken=taken).thrown == (9, 10, 11)


def test_die_turned_on_the_spot_by_a_hand() -> None:
    result = judged([die(0, 3, 0, id_=1, touched=True)], [die(4, 6, 2)], [track(4)])
    assert result.changed == (Changed(1, 3, 6, "hand"),)
    assert result.thrown == ()


def test_followed_die_that_was_knocked_is_that_die() -> None:
    result = judged([die(0, 3, 0, id_=1)], [die(60, 5, 2)], [track(60, flew=True, die_id=1)])
    assert (result.kept, result.moved, result.changed) == ((1,), ((1, True),), (Changed(1, 3, 5, "hit"),))


def test_die_that_a_throw_knocked_on_under_the_hand_was_turned_by_the_throw() -> None:
    now, tracks = [die(60, 5, 2), die(120, 4, 3)], [track(60, flew=True, die_id=1), track(120, flew=True)]
    result = judged([die(0, 3, 0, id_=1, touched=True)], now, tracks)
    assert result.changed == (Changed(1, 3, 5, "hit"),)
    assert judged([die(0, 3, 0, id_=1, touched=True)], now[:1], tracks[:1]).changed == (Changed(1, 3, 5, "hand"),)


def test_doubtful_track_proves_nothing() -> None:
    result = judged([die(0, 3, 0, id_=1)], [die(60, 5, 2)], [track(60, flew=True, die_id=1, doubtful=True)])
    assert result.thrown == (9,)
    assert [d.id for d in result.gone] == [1]


@pytest.mark.parametrize(
    ("witness", "crossed", "there", "kept"),
    [(7, 0.4, 3, (1, 2, 3, 4)), (7, 0.6, 3, (2, 3, 4)), (8, 0.4, 3, (2, 3, 4)), (7, 0.4, 2, (2, 3))],
    ids=["all were seen", "it changed places with something", "another was seen", "one is missing"],
)
def test_a_doubtful_track_is_its_die_s_where_all_others_were_seen_elsewhere(
    witness: int, crossed: float, there: int, kept: tuple[int, ...]
) -> None:
    stayed = [die(100 * n, n, n, id_=n) for n in range(2, 2 + there)]
    knocked, thrown = track(40, flew=True, die_id=1, doubtful=True), track(60, flew=True)
    knocked.witnesses, knocked.strayed = frozenset({witness}), 0.5
    thrown.number, thrown.crossed = 7, crossed
    now = [*stayed, die(40, 1, 6), die(60, 1, 7)]
    result = judged([die(0, 6, 0, id_=1), *stayed], now, [*(track(d.x) for d in stayed), knocked, thrown])
    assert result.kept == kept


def test_untouched_die_found_again_by_its_value_alone_is_not_sure() -> None:
    result = judged([die(0, 3, 0, id_=1)], [die(60, 3, 2), die(90, 5, 3)], [track(60, flew=True), track(90, flew=True)])
    assert (result.kept, result.thrown, result.moved) == ((1,), (9,), ((1, False),))


def test_dice_set_down_again_by_a_second_hand_are_those_that_were_taken() -> None:
    taken = (die(0, 3, id_=1), die(50, 4, id_=2))
    result = judged([], [die(200, 4, 2)], [track(200)], taken=taken)
    assert (result.thrown, result.kept) == ((), (2,))


@pytest.mark.parametrize(("value", "flew"), [(6, False), (4, True)])
def test_dice_that_come_back_otherwise_were_thrown(value: int, flew: bool) -> None:
    result = judged([], [die(200, value, 2)], [track(200, flew=flew)], taken=(die(50, 4, id_=2),))
    assert result.thrown == (9,)


@pytest.mark.parametrize(("values", "found"), [((5, 2), True), ((5, 5), True), ((2, 5), False)])
def test_a_knocked_die_is_the_one_near_by_that_shows_its_value(values: tuple[int, int], found: bool) -> None:
    before = [die(0, 5, id_=1, touched=True)]
    now = [die(24, values[0], 2), die(90, values[1], 3)]
    result = judged(before, now, [track(24, flew=True), track(90, flew=True)], taken=(die(50, 4, id_=2),))
    assert (1 in result.kept) is found
    assert result.moved == (((1, False),) if found else ())


@pytest.mark.parametrize(("value", "known"), [(5, False), (2, True)])
def test_which_of_two_alike_was_knocked_is_not_known_where_one_left_the_tray(value: int, known: bool) -> None:
    before, out = [die(0, 5, id_=1, touched=True)], replace(die(90, value, 3), state="off_tray")
    tracks = [track(24, flew=True), track(90, flew=True)]
    result = judged(before, [die(24, 5, 2), out], tracks, taken=(die(50, 4, id_=2),))
    assert (1 in result.kept) is known


@pytest.mark.parametrize(("left", "kept", "thrown"), [(False, (1,), ()), (True, (), (9,))])
def test_thrown_die_is_not_the_kept_one_with_its_value_that_was_seen_to_leave(
    left: bool, kept: tuple[int, ...], thrown: tuple[int, ...]
) -> None:
    over = (track(400, flew=True, die_id=1),) if left else ()
    result = judged([die(0, 6, 0, id_=1)], [die(30, 6, 2)], [track(30, flew=True)], over=over)
    assert (result.kept, result.thrown) == (kept, thrown)
    assert [d.id for d in result.gone] == ([1] if left else [])


@pytest.mark.parametrize(
    ("witness", "there", "lifted"), [(7, 3, ()), (8, 3, (1,)), (7, 2, (1,))],
    ids=["all others were seen elsewhere then", "another was seen", "one is missing"],
)  # fmt: skip
def test_a_doubtful_die_that_left_is_itself_where_all_others_were_seen_elsewhere(
    witness: int, there: int, lifted: tuple[int, ...]
) -> None:
    stayed = [die(100 * n, n, n, id_=n) for n in range(2, 2 + there)]
    out, thrown = track(400, flew=True, die_id=1, doubtful=True), track(60, flew=True)
    out.witnesses, out.strayed, thrown.number = frozenset({witness}), 0.5, 7
    before = [die(0, 6, 0, id_=1, touched=True), *stayed]
    result = judged(before, [*stayed, die(60, 1, 7)], [*(track(d.x) for d in stayed), thrown], over=(out,))
    assert result.thrown == (9,)
    assert tuple(d.id for d in result.lifted) == lifted


def test_die_thrown_under_another_is_there_unread_and_keeps_its_number_once_it_is_seen() -> None:
    upper = replace(die(50, None, 1), state="stacked")
    flown = [track(x, flew=True) for x in (0, 50, 100, 150)]
    first = judged([], [die(0, 3), upper, die(100, 4, 2), die(150, 6, 3)], flown, first_id=1)
    assert (first.thrown, [(d.id, d.value, d.state) for d in first.covered]) == (
        (1, 2, 3, 4, 5),
        [(5, None, "unknown")],
    )

    lying = [*first.dice, *first.covered]
    still = judged(lying, [die(0, 3), upper, die(100, 4, 2), die(150, 6, 3)], [track(x) for x in (0, 50, 100, 150)])
    assert (still.thrown, still.gone, [d.id for d in still.covered]) == ((), (), [5])

    touched = [replace(d, touched=d.x == 50) for d in lying]
    fingers_first = track(58)
    fingers_first.travel, fingers_first.steps = 0.7, 1
    for there in (track(58), fingers_first):
        now = [die(0, 3), die(58, 2, 4), die(100, 4, 2), die(150, 6, 3)]
        seen = judged(touched, now, [track(0), there, track(100), track(150)])
        assert (seen.thrown, seen.moved, seen.changed, [d.id for d in seen.lifted]) == ((), (), (), [2])
        assert {d.id: d.value for d in seen.dice}[5] == 2


@pytest.mark.parametrize(("touched", "same"), [(True, True), (False, False)])
def test_die_that_could_not_be_read_is_found_elsewhere_once_the_one_that_leant_on_it_is_taken(
    touched: bool, same: bool
) -> None:
    unread = [
        replace(die(x, None, look, id_), state="unknown", touched=touched) for x, look, id_ in ((0, 1, 3), (18, 2, 4))
    ]
    result = judged(unread, [die(10, 6, 4)], [track(10)])
    assert (result.kept == (4,)) == same
    assert (result.thrown == ()) == same


@pytest.mark.parametrize(("unseen", "blind"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("taken_back", [True, False])
def test_die_that_nobody_saw_come_there_was_not_set_down_by_hand(unseen: bool, blind: bool, taken_back: bool) -> None:
    stayed, came = [die(50 * n, n, n, n) for n in range(1, 5)], track(0, arrived=False)
    came.unseen, came.blind = unseen, blind
    fate = {"taken": (die(300, 6, 5, 5),)} if taken_back else {"away": (5,)}
    result = judged(stayed, [*stayed, die(0, 2, 6)], [*(track(d.x) for d in stayed), came], **fate)
    assert result.thrown == ((9,) if unseen or blind else ())


@pytest.mark.parametrize("blind", [False, True])
def test_die_elsewhere_that_shows_what_one_did_that_a_hand_had_was_put_there_unless_that_was_not_seen(
    blind: bool,
) -> None:
    before, came = [replace(die(0, 6, id_=1), touched=True), die(90, 4, 1, id_=2)], track(200, arrived=False)
    came.blind = blind
    result = judged(before, [die(200, 6, 5), die(90, 4, 1)], [came, track(90)])
    assert (result.thrown, result.moved) == (((9,), ()) if blind else ((), ((1, True),)))
    assert [gone.id for gone in result.lifted] == ([1] if blind else [])


@pytest.mark.parametrize(("x", "moved"), [(3, ()), (12, ((1, True),))], ids=["it lies as it lay", "it was bumped over"])
def test_a_die_that_could_not_be_read_and_lies_elsewhere_has_moved_and_was_in_no_hand(
    x: float, moved: tuple[tuple[int, bool], ...]
) -> None:
    before = [die(0, None, id_=1), die(90, 4, 1, id_=2)]
    now = [die(x, 6, 2), die(90, 4, 1)]
    result = judged(before, now, [track(x, die_id=1), track(90, die_id=2)])
    assert (result.moved, result.handled) == (moved, ())

"""The verdict on a film: right, off in time, asked, wrong; and values confirmed wrong above all."""

import pytest

from models.tray.rulings import judge
from tests.models.tray.lines import counted, die, rest, ruling

FIVE = [1, 2, 3, 4, 5]
LYING = rest(3.0, *(die(value, 20 * value) for value in FIVE))
TRUE = [LYING, counted(3.0, FIVE), ruling(5.0, "BoxEntered", box="C", points=15)]


def test_the_same_rulings_are_right_whatever_they_carry_besides() -> None:
    said = [{**line, "t": line["t"] + 0.1, "entry": 7, "ids": [3]} for line in TRUE]
    assert judge(TRUE, said).outcome == "right"


def test_a_time_more_than_100_ms_off_is_off_time() -> None:
    said = [TRUE[0], {**TRUE[1], "t": 3.134}, TRUE[2]]
    verdict = judge(TRUE, said)
    assert verdict.outcome == "off_time"
    assert verdict.difference is not None
    assert verdict.difference.words == "3.00 s: RollCounted roll=1 values=12345 player=Ann is said to be +134 ms off"


def test_wrong_values_counted_are_wrong_and_named() -> None:
    verdict = judge(TRUE, [LYING, counted(3.0, [1, 2, 3, 4, 6]), TRUE[2]])
    assert verdict.outcome == "wrong"
    assert verdict.wrong_values == ("3.00 s: counted 12346, right is 12345",)
    assert verdict.difference is not None
    assert verdict.difference.words == (
        "3.00 s: ruled RollCounted roll=1 values=12346 player=Ann; right is RollCounted roll=1 values=12345 player=Ann"
    )


@pytest.mark.parametrize("name", ["ReadingAsked", "DieAsked", "RollHeld", "RollUnseen"])
def test_asking_people_is_told_apart_from_ruling_wrong(name: str) -> None:
    assert judge(TRUE, [LYING, ruling(3.0, name)]).outcome == "asked"


def test_a_notice_that_comes_with_a_hold_is_asked_too() -> None:
    said = [LYING, ruling(3.0, "Noticed", reason="weak_throw"), ruling(3.0, "RollHeld", reason="weak_throw")]
    assert judge(TRUE, said).outcome == "asked"


def test_nothing_asked_excuses_a_wrong_value_later() -> None:
    true = [*TRUE, rest(9.0, *(die(6, 20 * n) for n in range(5))), counted(9.0, [6] * 5, roll=2)]
    said = [LYING, ruling(3.0, "RollHeld"), counted(9.0, [5, 6, 6, 6, 6])]
    verdict = judge(true, said)
    assert verdict.outcome == "wrong"
    assert len(verdict.wrong_values) == 1
    assert judge(true, [*said[:2], counted(9.0, [6] * 5)]).outcome == "asked"


def test_what_was_missed_or_invented_is_wrong() -> None:
    assert judge(TRUE, [LYING, TRUE[2]]).outcome == "wrong"
    invented = judge(TRUE, [*TRUE[:2], counted(4.5, FIVE, roll=2), TRUE[2]])
    assert invented.outcome == "wrong"
    assert invented.invented == ("4.50 s: RollCounted roll=2 values=12345 player=Ann",)
    order = ruling(3.0, "RerollOrdered", reason="off_tray", count=1, roll=1)
    assert judge(TRUE, [LYING, order]).invented == ("3.00 s: RerollOrdered roll=1 reason=off_tray player=Ann count=1",)


def test_a_roll_counted_where_nothing_was_thrown_is_invented() -> None:
    true = [*TRUE, rest(8.0, *(die(value, 20 * value, thrown=False) for value in FIVE))]
    assert judge(true, [*TRUE, counted(8.0, FIVE, roll=2)]).invented


def test_a_question_that_had_to_be_asked_is_missed_where_the_roll_is_counted() -> None:
    true = [LYING, ruling(3.0, "RollHeld", roll=1, values=FIVE, reason="staggered")]
    assert judge(true, [LYING, counted(3.0, FIVE)]).outcome == "wrong"


def test_the_end_of_one_is_the_first_difference() -> None:
    verdict = judge(TRUE, TRUE[:2])
    assert verdict.difference is not None
    assert verdict.difference.words == "5.00 s: ruled nothing; right is BoxEntered player=Ann box=C points=15"


def test_a_roll_held_and_counted_when_people_said_so_is_not_invented() -> None:
    true = [LYING, ruling(3.0, "RollHeld"), counted(5.5, FIVE)]
    assert judge(true, true).invented == ()


@pytest.mark.parametrize(("values", "outcome"), [(FIVE, "asked"), ([1, 2, 3, 4, 6], "wrong")])
def test_a_roll_that_counts_late_because_a_value_was_asked_is_judged_by_the_rest_it_was_asked_at(
    values: list[int], outcome: str
) -> None:
    verdict = judge(TRUE, [LYING, ruling(3.0, "ReadingAsked", likely=4), counted(4.8, values)])
    assert verdict.outcome == outcome
    assert verdict.invented == ()
    assert bool(verdict.wrong_values) is (outcome == "wrong")

"""Figures from counts: bounds stand beside shares, and what p claims is proven."""

import itertools

import numpy as np
import pytest

from models.training.evaluate import Case, Outcome, Tally
from models.training.figures import (
    Answer,
    at_least,
    at_most,
    chance,
    confusion,
    confusion_table,
    p_bin,
    percent,
    reliability,
    reliability_table,
    risk,
    risk_table,
    tally_table,
)
from models.training.thresholds import BASE, chances, choose


def case(labelled: int | None, outcome: Outcome, likely: int | None) -> Case:
    return Case("x", labelled, "", outcome, likely, None if likely is None else 0.7, None)


def answer(score: float, right: bool = True, die: str = "x 0", sure: bool = True) -> Answer:
    return Answer(die, 3, 3 if right else 2, score, sure)


def test_one_sided_bounds_follow_the_rule_of_three() -> None:
    assert at_most(0, 3000) == pytest.approx(3 / 3000, rel=0.01)
    assert at_least(3000, 3000) == pytest.approx(1 - 3 / 3000, rel=1e-4)
    assert at_most(0, 0) == 1


def test_a_share_near_nought_or_all_keeps_its_digits() -> None:
    assert [percent(s) for s in (0, 0.5, 0.00034, 0.99966, 1)] == [
        "0.0 %",
        "50.0 %",
        "0.0340 %",
        "99.9660 %",
        "100.0 %",
    ]


def test_the_table_stars_what_was_learnt_from() -> None:
    tallies = {"a": Tally(dice=4, right=3, unsure=1), "b": Tally(dice=1, missed=1)}
    lines = tally_table(tallies, ["a"]).splitlines()
    assert lines[1].startswith("a*")
    assert "75.0 %" in lines[1]
    assert "guessed" not in lines[0]
    assert "guessed" in tally_table({"a": Tally(unreadable=1)})


def test_confusion_counts_every_case_once() -> None:
    cases = [
        case(4, "right", 4),
        case(4, "wrong", 5),
        case(4, "unsure", 5),
        case(6, "missed", None),
        case(0, "guessed", 2),
        case(0, "refused", 2),
        case(None, "extra", 1),
    ]
    table = confusion(cases)
    assert table["4"] == {"1": 0, "2": 0, "3": 0, "4": 1, "5": 1, "6": 0, "unsure": 1, "missed": 0}
    assert (
        table["6"]["missed"] == table["unreadable"]["2"] == table["unreadable"]["unsure"] == table["no die"]["1"] == 1
    )
    assert sum(sum(row.values()) for row in table.values()) == len(cases)
    assert len(confusion_table(table).splitlines()) == 1 + len(table)


def test_a_higher_bar_leaves_fewer_sure() -> None:
    rows = risk([(0.3, False), (0.52, True), (0.9, True)], 5, 0.52)
    by_bar = {row["bar"]: (row["sure"], row["wrong"]) for row in rows}
    assert by_bar[0.25] == (3, 1)
    assert by_bar[0.5] == by_bar[0.52] == (2, 0)
    assert by_bar[0.95] == (0, 0)
    assert "0.52 <" in risk_table(rows, 0.52)


def test_the_chance_rises_with_the_score_even_where_the_counts_do_not() -> None:
    rng = np.random.default_rng(5)
    scores = rng.random(400)
    given = [answer(float(s), bool(rng.random() < s), f"x {i}") for i, s in enumerate(scores)]
    points = chances(given, sure=0.45)
    assert all(a[0] < b[0] and a[1] <= b[1] for a, b in itertools.pairwise(points))
    assert all(0 <= p[1] < 1 for p in points)


def test_p_claims_no_more_than_the_dice_prove() -> None:
    given = [answer(0.95, die=f"x {i}") for i in range(500) for _ in range(20)]
    assert chances(given, 0.5)[-1][1] == pytest.approx(at_least(500, 500), abs=1e-4)
    one_wrong = [*given, answer(0.95, right=False, die="x 7")]
    assert chances(one_wrong, 0.5)[-1][1] == pytest.approx(at_least(499, 500), abs=1e-4)
    assert chances(given[: 20 * 10], 0.5)[-1][1] < 0.8


def test_p_steps_at_the_bar_for_what_is_doubted_lies_just_below_it() -> None:
    doubted = [answer(0.99 * 0.36, right=i % 2 == 0, die=f"d {i}", sure=False) for i in range(100)]
    sure = [answer(0.38, die=f"s {i}") for i in range(300)]
    points = chances([*doubted, *sure], 0.36)
    assert chance(points, 0.99 * 0.36) < 0.6
    assert chance(points, 0.36) > 0.98


def test_the_rows_of_a_reliability_table_hold_every_look_once() -> None:
    given = [
        answer(0.1, right=False, die="a 0"),
        answer(0.9, die="b 0"),
        answer(0.9, die="b 0"),
        answer(1.0, die="c 0"),
    ]
    rows = reliability(given, [[0.2, 0.1], [0.8, 0.9992]])
    assert sum(row["looks"] for row in rows) == 4
    last = rows[-1]
    assert (last["from"], last["looks"], last["dice"], last["dice_wrong"]) == (0.999, 3, 2, 0)
    assert rows[0]["looks_wrong"] == 1
    assert len(reliability_table(rows).splitlines()) == 3
    assert p_bin(1.0) == p_bin(0.999) == len(rows) - 1


def test_the_bar_is_the_lowest_well_above_every_sure_mistake() -> None:
    right = [answer(score) for score in (0.26, 0.36, 0.39, 0.8)]
    assert choose(right).sure == BASE.sure
    chosen = choose([*right, answer(0.32, right=False), answer(0.9, right=False, sure=False)])
    assert chosen.sure == 0.52
    assert chosen.clear > chosen.sure

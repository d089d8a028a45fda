"""Throw-offs: who starts, and how a tie is broken where the players agreed on a way."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scorer.errors import MatchError
from scorer.events import Fact, HouseRulesDeclared, MatchEnded, RefereeCalled, RefereeDecided, ThrowOffStopped
from scorer.presets import ruleset
from scorer.state import Options
from tests.scorer.tray import choose, dice, die, feed, match, short, shorts, throw, unseen

THROW = Options(throw_for_start=True)
FOUR = ["Ann", "Ben", "Cy", "Dee"]


def one_by_one(values: str, t: float = 3) -> list[Fact]:
    """Single dice thrown one after the other."""
    return [fact for place, value in enumerate(values) for fact in throw(t + 5 * place, dice(value, first=place + 1))]


def test_the_highest_throw_again_until_one_is_highest() -> None:
    """RULES.md L18: 5, 3, 5, 2, so the first and the third roll again: 2, 2; again 6, 1: the first starts."""
    umpire, rulings = match(one_by_one("53522261"), options=THROW, players=FOUR)
    told = [short(ruling) for ruling in rulings if type(ruling).__name__ != "RollCounted"]
    assert told == [
        *["TurnStarted start"] * 3,
        "ThrowOffEnded start purpose=start sums={'Ann': 5, 'Ben': 3, 'Cy': 5, 'Dee': 2} highest=AnnCy",
        "ThrowOff start purpose=start players=AnnCy dice=1 rolls=1",
        *["TurnStarted start"] * 2,
        "ThrowOffEnded start purpose=start sums={'Ann': 2, 'Cy': 2} highest=AnnCy",
        "ThrowOff start purpose=start players=AnnCy dice=1 rolls=1",
        *["TurnStarted start"] * 2,
        "ThrowOffEnded start purpose=start sums={'Ann': 6, 'Cy': 1} highest=Ann",
        "TurnStarted",
    ]
    assert umpire.state.player == "Ann"


@pytest.mark.parametrize(("clockwise", "second"), [(True, "Dee"), (False, "Ben")])
def test_play_goes_on_from_the_starter(clockwise: bool, second: str) -> None:
    rules = ruleset("bho", {"clockwise": clockwise})
    umpire, _ = match(one_by_one("1161"), options=THROW, players=FOUR, rules=rules)
    assert umpire.state.player == "Cy"
    feed(umpire, throw(30, dice("12345", first=11)), choose(32, "LS", player="Cy"))
    assert umpire.state.player == second


def test_a_die_of_another_game_is_recorded_in_a_throw_off_too() -> None:
    strange, surplus = throw(3, [replace(die(1, 4), foreign=True)]), throw(9, dice("44", first=11))
    _, rulings = match(strange, surplus, options=THROW)
    assert shorts(rulings) == ["RollRefused foreign_die", "IncidentRecorded foreign_die", "RollRefused throw_off"]


def test_the_dice_for_who_starts_are_not_changed_while_they_are_thrown() -> None:
    umpire, _ = match(one_by_one("3"), options=THROW, rules=ruleset("wyi"))
    with pytest.raises(MatchError, match="start_dice"):
        umpire.declare({"start_dice": "all"}, t=9)
    late = umpire.on(HouseRulesDeclared(t=9, settings={"start_dice": "all"}))
    assert shorts(late) == ["CallRefused start_open call=house_rules"]
    assert shorts(umpire.on(HouseRulesDeclared(t=9, settings={"mulligan": True})))[0].startswith("MatchStarted")


def test_a_roll_of_a_throw_off_is_thrown_again_without_those_disqualified_since() -> None:
    umpire, rulings = match(one_by_one("5342"), options=THROW, players=FOUR)
    first = next(ruling.entry for ruling in rulings if type(ruling).__name__ == "RollCounted")
    out = RefereeDecided(t=31, action="disqualify", reason="twice", player="Ben")
    again = RefereeDecided(t=33, action="throw_again", reason="it leaned", replaces=first)
    feed(umpire, RefereeCalled(t=30), out, RefereeCalled(t=32), again, throw(40, dice("1", first=11)))
    assert umpire.state.player == "Cy"


def test_a_throw_off_of_which_everybody_was_disqualified_ends_the_match() -> None:
    """The other was out before the roll was undone, so one was left in it, and then nobody."""
    umpire, rulings = match(one_by_one("53"), options=THROW)
    first = next(ruling.entry for ruling in rulings if type(ruling).__name__ == "RollCounted")
    ben, ann = (RefereeDecided(t=31, action="disqualify", reason="twice", player=name) for name in ("Ben", "Ann"))
    again = RefereeDecided(t=33, action="throw_again", reason="it leaned", replaces=first)
    rulings = feed(umpire, RefereeCalled(t=30), ben, RefereeCalled(t=32), again, RefereeCalled(t=34), ann)
    assert isinstance(rulings[-1], MatchEnded)


def test_all_dice_may_be_thrown_for_who_starts() -> None:
    rules = ruleset("deluxe", {"start_dice": "all"})
    umpire, rulings = match(
        throw(3, dice("111111")), throw(9, dice("11111", first=11)), throw(15, dice("111112", first=21)),
        options=THROW, rules=rules,
    )  # fmt: skip
    assert shorts(rulings) == [
        "RollCounted roll=1 values=111111",
        "TurnStarted start",
        "RollRefused all_dice_together",
        "RollCounted roll=1 values=111112",
        "ThrowOffEnded start purpose=start sums={'Ann': 6, 'Ben': 7} highest=Ben",
        "TurnStarted",
    ]
    assert umpire.state.player == "Ben"


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (throw(3, [die(1, 5, "cocked")]), ["RerollOrdered cocked ids=1 count=1 roll=1"]),
        (throw(3, [die(1, None, "off_tray")]), ["RerollOrdered off_tray ids=1 count=1 roll=1"]),
        ([throw(3, dice("1"))[0], unseen(2.9)], []),
        (throw(3, [die(1, None, likely=4)]), ["ReadingAsked id=1 likely=4"]),
        (throw(3, dice("5"), tumble=0.0), ["Noticed weak_throw", "RollHeld weak_throw roll=1 values=5"]),
        (throw(3, dice("55")), ["RollRefused throw_off"]),
        (throw(3, dice("5"), kept=dice("1234", first=11)), ["RollCounted roll=1 values=5", "TurnStarted start"]),
        ([choose(3, "C")], ["BoxRefused throw_off box=C"]),
    ],
)
def test_a_throw_for_the_start_is_judged_like_any_other(facts: Sequence[Fact], expected: list[str]) -> None:
    umpire, rulings = match(facts, options=THROW)
    assert shorts(rulings) == expected
    assert umpire.state.legal == ()


def test_the_winner_of_the_game_before_starts_a_series_game() -> None:
    umpire, _ = match(options=Options(starter="Ben"))
    assert umpire.state.player == "Ben"


NEARLY = "1s=3 2s=6 3s=9 4s=12 5s=15 6s=18 3K=20 4K=0 FH=25 SS=30 LS=40 Y=50"


def tied(tie: str, *facts: Fact | Sequence[Fact]) -> tuple[list[str], MatchEnded | None]:
    """What is ruled when three players end with 20, 20 and 5 points in their last box, after the last entry."""
    rules = ruleset("wyi", {"tie": tie})
    last = [(20, "44444", "Ann"), (26, "45533", "Ben"), (32, "11111", "Cy")]
    umpire, _ = match(rules=rules, players=["Ann", "Ben", "Cy"], cards=[NEARLY.replace("Y=50", "Y=0")] * 3)
    for t, values, player in last:
        feed(umpire, throw(t, dice(values, first=int(t))))
        rulings = feed(umpire, choose(t + 1, "C", player=player))
    rulings += feed(umpire, *facts)
    ended = rulings[-1] if isinstance(rulings[-1], MatchEnded) else None
    return shorts(rulings)[3:], ended


def test_a_tie_that_no_rule_breaks_is_shown_and_left_to_people() -> None:
    said, ended = tied("ask")
    assert said[0] == "TieFound tie_open players=AnnBen total=233"
    assert ended
    assert (ended.complete, ended.winners, ended.places) == (True, ("Ann", "Ben"), {"Ann": 1, "Ben": 1, "Cy": 3})


def test_a_tie_is_broken_by_one_die_each() -> None:
    said, ended = tied("one_die", one_by_one("4461", t=40))
    assert said[:3] == [
        "TieFound tie players=AnnBen total=233",
        "ThrowOff tie purpose=tie players=AnnBen dice=1 rolls=1",
        "TurnStarted tie",
    ]
    assert ended
    assert (ended.winners, ended.places) == (("Ann",), {"Ann": 1, "Ben": 2, "Cy": 3})
    assert ended.totals == {"Ann": 233, "Ben": 233, "Cy": 218}


def test_a_tie_is_broken_by_a_throw_of_all_dice() -> None:
    _, ended = tied("all_dice", throw(40, dice("66661")), throw(46, dice("66662", first=11)))
    assert ended
    assert ended.winners == ("Ben",)


def test_a_tie_is_broken_by_up_to_three_rolls() -> None:
    kept = dice("6666")
    facts: list[Fact | Sequence[Fact]] = [
        throw(40, dice("66661")),
        throw(46, [die(11, 2)], kept=kept),
        ThrowOffStopped(t=50, player="Ben"),
        ThrowOffStopped(t=50, player="Ann"),
        throw(60, dice("66661", first=21)),
        throw(66, [die(31, 2)], kept=dice("6666", first=21)),
        throw(72, [die(41, 1)], kept=dice("6666", first=21)),
    ]
    said, ended = tied("three_rolls", *facts)
    assert said[3:] == [
        "RollCounted roll=1 values=16666",
        "RollCounted roll=2 values=26666",
        "CallRefused not_your_turn call=stop",
        "TurnStarted tie",
        "RollCounted roll=1 values=16666",
        "RollCounted roll=2 values=26666",
        "RollCounted roll=3 values=16666",
        "ThrowOffEnded tie purpose=tie sums={'Ann': 26, 'Ben': 25} highest=Ann",
        "MatchEnded complete=True winners=Ann",
    ]
    assert ended


def test_a_player_disqualified_in_a_throw_off_is_out_of_it() -> None:
    out = [RefereeCalled(t=10), RefereeDecided(t=11, action="disqualify", reason="second offence", player="Ann")]
    umpire, rulings = match(one_by_one("6"), out, options=THROW)
    assert shorts(rulings)[-1] == "TurnStarted"
    assert umpire.state.player == "Ben"
    umpire, _ = match(one_by_one("6"), out, options=THROW, players=["Ann", "Ben", "Cy"])
    feed(umpire, one_by_one("45", t=20))
    assert umpire.state.player == "Cy"

"""A box is chosen, checked by the marker, announced, crossed out or cried, and only then written."""

from collections.abc import Sequence

import pytest

from scorer.events import BoxAgreed, BoxDisputed, BoxEntered, CryAnswered, Fact
from scorer.presets import ruleset
from scorer.state import Options
from tests.scorer.tray import FIRST, KEPT_33, SECOND, THIRD, choose, dice, feed, match, short, shorts, throw

MARKER = Options(marker=True)
AGREED = ["BoxEntered box=C points=17", "TurnEnded", "TurnStarted"]


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ([choose(5, "C"), BoxAgreed(t=6, player="Ben")], ["BoxProposed box=C points=17", *AGREED]),
        (
            [choose(5, "3K"), choose(6, "C"), BoxAgreed(t=7, player="Ben")],
            ["BoxProposed box=3K", "BoxProposed replaces=4 box=C points=17", *AGREED],
        ),
        (
            [BoxAgreed(t=4, player="Ben"), choose(5, "C"), BoxAgreed(t=6, player="Ann"), BoxAgreed(t=7, player="Ben")],
            [
                "CallRefused nothing_proposed call=agree",
                "BoxProposed box=C points=17",
                "CallRefused not_the_marker call=agree",
                *AGREED,
            ],
        ),
        (
            [choose(5, "C"), *SECOND, choose(8, "3K"), BoxAgreed(t=9, player="Ben")],
            ["BoxProposed box=C points=17", "RollRefused box_proposed", "BoxProposed replaces=4 box=3K",
             "BoxEntered box=3K", "TurnEnded", "TurnStarted"],
        ),
        (
            [choose(5, "C"), BoxDisputed(t=6, player="Ben"), choose(7, "3K")],
            ["BoxProposed box=C points=17", "DisputeOpened by=Ben", "BoxRefused dispute box=3K"],
        ),
        (
            [choose(5, "C"), BoxDisputed(t=6, player="Ann")],
            ["BoxProposed box=C points=17", "CallRefused not_the_marker call=dispute"],
        ),
    ],
)  # fmt: skip
def test_a_box_waits_for_the_marker(facts: Sequence[Fact], expected: list[str]) -> None:
    umpire, _ = match(FIRST, options=MARKER)
    assert shorts(feed(umpire, facts)) == expected


def test_the_game_waits_for_agreement_and_shows_what_is_proposed() -> None:
    umpire, _ = match(FIRST, choose(5, "C"), options=MARKER)
    assert umpire.state.waiting_for == "agreement"
    assert umpire.state.marker == "Ben"
    assert umpire.state.message == "C 17: agreed?"
    assert not umpire.state.cards[0].points


def test_dice_in_the_air_when_the_marker_agrees_are_nobodys_roll() -> None:
    umpire, _ = match(FIRST, choose(5, "C"), options=MARKER)
    in_the_air, at_rest = throw(9, dice("55555", first=11))
    feed(umpire, in_the_air, BoxAgreed(t=8.5, player="Ben"))
    assert shorts(umpire.on(at_rest)) == ["RollRefused box_proposed"]


def test_a_throw_beyond_the_rolls_allowed_withdraws_nothing() -> None:
    umpire, _ = match(FIRST, SECOND, THIRD, choose(12, "Y"), options=MARKER)
    rulings = feed(umpire, throw(15, dice("11111", first=41)), BoxAgreed(t=16, player="Ben"))
    assert shorts(rulings)[:2] == ["RollRefused box_proposed", "BoxEntered box=Y points=50"]


def test_whoever_plays_alone_agrees_alone() -> None:
    _, rulings = match(FIRST, choose(5, "C"), options=MARKER, players=["Ann"])
    assert shorts(rulings)[1:3] == ["BoxProposed box=C points=17", "BoxEntered box=C points=17"]


def test_points_are_announced_where_the_match_asks_for_it() -> None:
    _, rulings = match(FIRST, choose(5, "C"), choose(6, "C", announced=18), options=Options(announce=True))
    assert shorts(rulings)[1:5] == [
        "BoxRefused not_announced box=C",
        "BoxProposed box=C points=17",
        "ScoreCorrected box=C announced=18 right=17",
        "BoxEntered box=C points=17",
    ]


def test_a_zero_may_be_written_freely_only_where_the_rules_say_so() -> None:
    deluxe = ruleset("deluxe")
    _, rulings = match(throw(3, dice("111122")), choose(5, "C", cross=True), rules=deluxe, cards=["FH=40 3P=0", ""])
    assert shorts(rulings)[1:3] == ["BoxProposed box=C", "BoxEntered box=C crossed=True"]
    _, rulings = match(FIRST, choose(5, "C", cross=True), choose(6, "LS", cross=True))
    assert shorts(rulings)[1:4] == ["BoxRefused no_voluntary_zero box=C", "BoxProposed box=LS", "BoxEntered box=LS"]


def test_six_dice_are_ruled_like_five() -> None:
    umpire, rulings = match(throw(3, dice("11111")), throw(7, dice("666666", first=11)), rules=ruleset("deluxe"))
    assert shorts(rulings) == ["RollRefused all_dice_together", "RollCounted roll=1 values=666666"]
    assert umpire.state.legal[0].box == "Y"


CRY = ruleset("wyi", {"battle_cry": True})


@pytest.mark.parametrize(("cried", "points"), [(True, 50), (False, 0)])
def test_a_yahtzee_is_entered_once_people_said_whether_it_was_cried(cried: bool, points: int) -> None:
    umpire, rulings = match(throw(3, dice("44444")), choose(5, "Y"), rules=CRY)
    assert short(rulings[-1]) == "CryAsked battle_cry box=Y"
    assert umpire.state.waiting_for == "cry"
    early = feed(umpire, throw(7, dice("123", first=11), kept=KEPT_33), choose(8, "C"))
    assert shorts(early) == ["RollRefused cry_asked", "BoxRefused cry_asked box=C"]
    entered = umpire.on(CryAnswered(t=9, cried=cried))[0]
    assert isinstance(entered, BoxEntered)
    assert (entered.points, entered.reason) == (points, None if cried else "no_cry")
    assert umpire.state.cards[0].points == {"Y": points}


def test_nothing_is_asked_about_a_yahtzee_in_another_box() -> None:
    _, rulings = match(throw(3, dice("44444")), choose(5, "4s"), CryAnswered(t=6, cried=False), rules=CRY)
    assert shorts(rulings)[2:] == [
        "BoxEntered box=4s points=20", "TurnEnded", "TurnStarted", "CallRefused nothing_asked call=answer",
    ]  # fmt: skip

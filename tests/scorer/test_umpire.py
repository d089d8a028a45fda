"""The match: turns, boxes, the end, and what the display is told."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scorer.card import Card
from scorer.errors import MatchError
from scorer.events import (
    BoxEntered,
    BoxRefused,
    Fact,
    MatchEnded,
    MatchStarted,
    ReadingAnswered,
    RecordingEnded,
    RollCounted,
    Ruling,
    TurnEnded,
    TurnStarted,
)
from scorer.presets import BHO
from scorer.state import Options
from scorer.umpire import Umpire, replay
from tests.scorer.tray import FIRST, choose, dice, die, match, short, throw

SCENARIOS: dict[str, tuple[Sequence[Fact], list[str]]] = {
    "a box is chosen": (
        [*FIRST, choose(5, "3s"), *throw(9, dice("55555", first=11))],
        [
            "RollCounted roll=1 values=13346",
            "BoxProposed box=3s points=6",
            "BoxEntered box=3s points=6",
            "TurnEnded",
            "TurnStarted",
            "RollCounted roll=1 values=55555",
        ],
    ),
    "the score announced is wrong": (
        [*FIRST, choose(5, "C", announced=18)],
        [
            "RollCounted roll=1 values=13346",
            "BoxProposed box=C points=17",
            "ScoreCorrected box=C announced=18 right=17",
            "BoxEntered box=C points=17",
            "TurnEnded",
            "TurnStarted",
        ],
    ),
    "boxes that may not be chosen": (
        [
            choose(1, "C"),
            *FIRST,
            choose(5, "C", player="Ben"),
            choose(5, "7s"),
            choose(5, "C", announced=17),
            choose(6, "C", player="Ben"),
            *throw(9, [*dice("1334"), die(5, None, "off_tray")]),
            choose(10, "C", player="Ben"),
        ],
        [
            "BoxRefused no_roll box=C",
            "RollCounted roll=1 values=13346",
            "BoxRefused not_your_turn box=C",
            "BoxRefused unknown_box box=7s",
            "BoxProposed box=C points=17",
            "BoxEntered box=C points=17",
            "TurnEnded",
            "TurnStarted",
            "BoxRefused no_roll box=C",
            "RerollOrdered off_tray ids=5 count=1 roll=1",
            "BoxRefused roll_open box=C",
        ],
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    facts, expected = SCENARIOS[name]
    _, rulings = match(*facts)
    assert [short(ruling) for ruling in rulings] == expected


def test_the_match_and_its_first_turn_are_opened() -> None:
    opened, turn = Umpire(BHO, ["Ann", "Ben"]).start()
    assert isinstance(opened, MatchStarted)
    assert (opened.rules, opened.players, opened.player) == ("bho", ("Ann", "Ben"), None)
    assert (type(turn), turn.player) == (TurnStarted, "Ann")


@pytest.mark.parametrize("players", [[], ["Ann", "Ann"], ["Ann", " "]])
def test_players_must_be_told_apart(players: list[str]) -> None:
    with pytest.raises(MatchError, match="players"):
        Umpire(BHO, players)


def play_out(options: Options | None = None) -> tuple[Umpire, list[Ruling]]:
    """A whole match: each turn one roll of five sixes, put in the best box or entered by itself."""
    umpire, rulings = match(options=options)
    t = 0.0
    while not umpire.state.over:
        t += 10
        for fact in throw(t, dice("66666", first=int(t))):
            rulings += umpire.on(fact)
        state = umpire.state
        if options is None:
            rulings += umpire.on(choose(t + 1, state.legal[0].box, state.player))
    return umpire, rulings


def test_a_match_ends_when_every_box_is_filled() -> None:
    umpire, rulings = play_out()
    last = rulings[-1]
    assert isinstance(last, MatchEnded)
    assert last.complete
    assert sum(isinstance(ruling, TurnEnded) for ruling in rulings) == 26
    written = [ruling for ruling in rulings if isinstance(ruling, BoxEntered)]
    for player, total in last.totals.items():
        mine = [ruling for ruling in written if ruling.player == player]
        assert total == sum(ruling.points + ruling.yahtzee_bonus + ruling.upper_bonus for ruling in mine)
    assert umpire.state.waiting_for == "nothing"
    assert umpire.state.legal == ()


def test_nothing_is_ruled_after_the_end() -> None:
    umpire, _ = play_out()
    assert umpire.on(RecordingEnded(t=999)) == ()
    assert umpire.on(choose(999, "C")) == ()


def test_a_match_without_choices_plays_itself_out() -> None:
    umpire, rulings = play_out(Options(automatic_boxes=True))
    assert umpire.state.over
    assert sum(isinstance(ruling, RollCounted) for ruling in rulings) == 3 * 26
    assert all(ruling.automatic for ruling in rulings if isinstance(ruling, BoxEntered))


def test_a_recording_that_ends_early_enters_nothing() -> None:
    _, rulings = match(FIRST, RecordingEnded(t=9, frame=270))
    last = rulings[-1]
    assert isinstance(last, MatchEnded)
    assert (last.complete, last.totals, last.frame) == (False, {"Ann": 0, "Ben": 0}, 270)
    assert not any(isinstance(ruling, BoxEntered) for ruling in rulings)


def test_the_end_of_a_recording_may_be_the_end_of_the_match() -> None:
    umpire = Umpire(BHO, ["Ann"], Options(automatic_boxes=True))
    nearly = Card({box.name: 5 if box.name == "C" else 0 for box in BHO.boxes if box.name != "Y"})
    umpire.state = replace(umpire.state, cards=(nearly,))
    _feed(umpire, throw(3, dice("66666")))
    last = umpire.on(RecordingEnded(t=9))[-1]
    assert isinstance(last, MatchEnded)
    assert (last.complete, last.totals) == (True, {"Ann": 55})


def test_a_ruling_has_the_times_of_what_it_rests_on() -> None:
    _, rulings = match(FIRST, choose(5.5, "C"))
    counted, proposed = rulings[0], rulings[1]
    assert (counted.t, counted.frame, counted.t_said, counted.player) == (3.0, 90, 3.2, "Ann")
    assert (proposed.t, proposed.frame, proposed.t_said, proposed.player) == (5.5, 90, 5.5, "Ann")
    assert "BHO competition rules" in counted.rule


def test_a_refused_choice_names_who_chose() -> None:
    _, rulings = match(FIRST, choose(5, "C", player="Ben"))
    assert (rulings[-1].player, rulings[-1].reason) == ("Ben", "not_your_turn")


def test_a_forced_box_is_refused_with_its_rule() -> None:
    umpire, rulings = match(
        throw(3, dice("66666")),
        choose(5, "Y"),
        throw(8, dice("12345", first=11)),
        choose(9, "LS", player="Ben"),
        throw(13, dice("66666", first=21)),
        choose(14, "C"),
        choose(15, "Y"),
        choose(16, "6s"),
    )
    refused = [ruling for ruling in rulings if isinstance(ruling, BoxRefused)]
    assert [ruling.reason for ruling in refused] == ["joker_upper_forced", "filled"]
    assert "BHO competition rules, rev. B, line 52" in refused[0].rule
    assert umpire.state.totals["Ann"].total == 50 + 30 + 100


def test_the_display_follows_the_turn() -> None:
    umpire = Umpire(BHO, ["Ann", "Ben"])
    umpire.start()
    assert (umpire.state.player, umpire.state.roll, umpire.state.rolls_allowed) == ("Ann", 0, 3)
    assert (umpire.state.waiting_for, umpire.state.message) == ("throw", "Ann to throw")
    _feed(umpire, FIRST)
    assert (umpire.state.roll, umpire.state.dice) == (1, (1, 3, 3, 4, 6))
    assert umpire.state.legal[0].box == "C"
    assert umpire.state.message == "Roll 1 counts"
    _feed(umpire, throw(7, [die(11, None, likely=2), die(12, 1)], kept=dice("334", first=2)))
    assert (umpire.state.roll, umpire.state.waiting_for) == (2, "reading")
    assert (umpire.state.dice, umpire.state.legal) == ((1, 3, 3, 4, None), ())
    assert umpire.state.message == "Is it a 2?"
    umpire.on(ReadingAnswered(t=9, id=11, value=2))
    _feed(umpire, throw(13, [die(21, None, "off_tray")], kept=[*dice("334", first=2), die(12, 1)]))
    waiting = umpire.state.waiting_for
    assert waiting == "reroll"
    _feed(umpire, throw(15, [die(22, 5)], kept=[*dice("334", first=2), die(12, 1)]))
    assert umpire.state.waiting_for == "box"
    umpire.on(choose(20, "3s"))
    assert (umpire.state.player, umpire.state.roll, umpire.state.dice) == ("Ben", 0, ())
    assert umpire.state.message == "3s: 6"
    _feed(umpire, throw(25, dice("11111"), tumble=0))
    assert (umpire.state.waiting_for, umpire.state.message) == ("hold", "Does roll 1 count? weak throw")


def test_the_display_asks_for_a_missing_die() -> None:
    umpire, _ = match(FIRST, throw(7, [die(4, 2)], kept=dice("133")))
    assert (umpire.state.waiting_for, umpire.state.message) == ("die", "Where is the die?")


def test_a_state_is_never_changed() -> None:
    umpire = Umpire(BHO, ["Ann"])
    umpire.start()
    before = umpire.state
    _feed(umpire, FIRST)
    umpire.on(choose(5, "C"))
    assert before.turn.roll == 0
    assert not before.cards[0].points


def _feed(umpire: Umpire, facts: Sequence[Fact]) -> None:
    for fact in facts:
        umpire.on(fact)


def test_a_match_is_rebuilt_from_what_was_seen_and_said() -> None:
    facts = [*FIRST, choose(5, "C"), *throw(9, dice("55555", first=11)), choose(12, "Y", player="Ben")]
    umpire, rulings = match(facts)
    state, again = replay(BHO, ["Ann", "Ben"], Options(), facts)
    assert state == umpire.state
    assert again[2:] == tuple(rulings)


def test_every_ruling_has_its_number_and_its_rule() -> None:
    umpire = Umpire(BHO, ["Ann", "Ben"])
    rulings = [*umpire.start(), *(ruling for fact in FIRST for ruling in umpire.on(fact))]
    assert [ruling.entry for ruling in rulings] == [1, 2, 3]
    assert all("line" in ruling.rule for ruling in rulings)


def test_a_starter_must_play() -> None:
    with pytest.raises(MatchError, match="starter"):
        Umpire(BHO, ["Ann"], Options(starter="Ben"))

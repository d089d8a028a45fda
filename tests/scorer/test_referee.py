"""Disputes and pauses: play waits, and people decide."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scorer.events import (
    BodyInterfered,
    BoxAgreed,
    BoxDisputed,
    BoxEntered,
    CryAnswered,
    Fact,
    HoldAnswered,
    HouseRuleCalled,
    KeptDieChanged,
    KeptDieMoved,
    MatchEnded,
    PauseCalled,
    RecordingEnded,
    RefereeCalled,
    RefereeDecided,
    RefereeRuled,
    ResumeCalled,
    RollCounted,
    RollHeld,
    RollRefused,
    Undone,
    ViewLost,
    ViewRestored,
)
from scorer.presets import BHO, ruleset
from scorer.referee import settlements
from scorer.rules import Ruleset
from scorer.said import RefereeAction
from scorer.state import Options
from scorer.umpire import Umpire, step
from tests.scorer.tray import FIRST, SECOND, at, choose, dice, die, feed, lift, match, rest, shorts, throw

CALL = RefereeCalled(t=7.5, player="Ben")
OPENED = "DisputeOpened by=Ben"


def decide(
    action: RefereeAction, reason: str = "all saw it", replaces: int | None = None, player: str | None = None,
    id: int | None = None, before: int | None = None, after: int | None = None,
) -> RefereeDecided:  # fmt: skip
    return RefereeDecided(
        t=9, action=action, reason=reason, replaces=replaces, player=player, id=id, before=before, after=after
    )


UNSEEN = [FIRST[0], ViewLost(**at(2.5), cause="blocked"), ViewRestored(**at(2.9), cause="blocked"), FIRST[1]]
TOUCHED = [FIRST[0], BodyInterfered(**at(2.5)), FIRST[1]]
LOST_BESIDE_A_6 = [
    *FIRST,
    lift(4, 1, 3, 4),
    KeptDieMoved(**at(6.5), id=2, identity="lost"),
    rest(7, dice("3551", first=11), kept=[die(5, 6)]),
]
"""One of the dice that show 3 5 5 1 is a kept 3; another die was surely kept, as 6."""
UNSURE = throw(3, dice("1334?"))


@pytest.mark.parametrize(
    ("before", "facts", "expected"),
    [
        (
            FIRST,
            [CALL, *throw(9, dice("55555", first=11)), choose(10, "C"), HoldAnswered(t=11, counts=True), CALL],
            [OPENED, "RollRefused dispute", "BoxRefused dispute box=C", "CallRefused dispute call=answer",
             "CallRefused dispute call=referee"],
        ),
        (
            FIRST,
            [CALL, HouseRuleCalled(t=9, player="Ann", rule="mulligan"), BoxAgreed(t=9, player="Ben")],
            [OPENED, "CallRefused dispute call=mulligan", "CallRefused dispute call=agree"],
        ),
        (
            FIRST,
            [CALL, KeptDieChanged(**at(9), id=2, before=3, after=6, cause="hand")],
            [OPENED, "RestoreOrdered turned_by_hand id=2 value=3", "IncidentRecorded kept_die_turned"],
        ),
        (FIRST, [CALL, decide("confirm")], [OPENED, "RefereeRuled all saw it replaces=4 action=confirm"]),
        (FIRST, [CALL, decide("confirm", reason=" ")], [OPENED, "CallRefused no_reason call=confirm"]),
        (FIRST, [decide("confirm")], ["CallRefused no_dispute call=confirm"]),
        (
            TOUCHED,
            [CALL, decide("confirm")],
            [OPENED, "RefereeRuled all saw it replaces=5 action=confirm", "RollCounted roll=1 values=13346"],
        ),
        (
            UNSEEN,
            [decide("confirm")],
            ["RefereeRuled all saw it replaces=3 action=confirm", "RollCounted roll=1 values=13346"],
        ),
        (
            UNSEEN,
            [decide("throw_again"), *throw(12, dice("55555", first=11))],
            ["RefereeRuled all saw it replaces=3 action=throw_again", "RollRefused referee replaces=3 roll=1",
             "RollCounted roll=1 values=55555"],
        ),
        (
            UNSURE,
            [decide("correct_reading", after=6)],
            ["RefereeRuled all saw it replaces=3 action=correct_reading after=6", "RollCounted roll=1 values=13346"],
        ),
        (UNSURE, [decide("confirm")], ["CallRefused no_dispute call=confirm"]),
        (UNSEEN[:2], [decide("confirm")], ["CallRefused no_dispute call=confirm"]),
        (UNSEEN[:2], [CALL, decide("confirm")], [OPENED, "CallRefused nothing_to_confirm call=confirm"]),
        (UNSURE, [CALL, decide("confirm")], [OPENED, "CallRefused nothing_to_confirm call=confirm"]),
        (FIRST, [CALL, decide("confirm", replaces=999)], [OPENED, "CallRefused no_such_entry call=confirm"]),
        (
            FIRST,
            [CALL, decide("correct_reading", id=4, before=3, after=5), decide("correct_reading", before=4, after=4),
             decide("correct_reading", after=4)],
            [OPENED, *["CallRefused bad_reading call=correct_reading"] * 3],
        ),
        (
            FIRST,
            [CALL, decide("warn", player="Ben")],
            [OPENED, "RefereeRuled all saw it replaces=4 action=warn offence=1"],
        ),
        (
            LOST_BESIDE_A_6,
            [decide("correct_reading", after=6), decide("correct_reading", after=5)],
            ["CallRefused bad_reading call=correct_reading",
             "RefereeRuled all saw it replaces=4 action=correct_reading after=5",
             "RestoreOrdered knocked id=12 value=3", "RollCounted roll=2 values=13356"],
        ),
        (UNSURE, [decide("correct_reading", after=7)], ["CallRefused bad_reading call=correct_reading"]),
        (
            FIRST,
            [CALL, decide("correct_reading", before=4, after=3)],
            [OPENED, "RefereeRuled all saw it replaces=3 action=correct_reading before=4 after=3",
             "RollCounted referee replaces=3 roll=1 values=13336"],
        ),
        (
            FIRST,
            [CALL, *throw(9, dice("55555", first=11)), decide("correct_reading", id=4, after=3)],
            [OPENED, "RollRefused dispute", "RefereeRuled all saw it replaces=3 action=correct_reading after=3",
             "RollCounted referee replaces=3 roll=1 values=13336"],
        ),
        (
            FIRST,
            [CALL, decide("correct_reading", before=2, after=3)],
            [OPENED, "CallRefused bad_reading call=correct_reading"],
        ),
        (
            [*FIRST, *SECOND],
            [CALL, decide("throw_again"), *throw(15, dice("11111", first=31))],
            [OPENED, "RefereeRuled all saw it replaces=4 action=throw_again", "RollRefused referee replaces=4 roll=2",
             "RollCounted roll=2 values=11111"],
        ),
        ([], [CALL, decide("throw_again")], [OPENED, "CallRefused no_roll call=throw_again"]),
        (
            throw(3, [*dice("1334"), die(5, None, "off_tray")]),
            [CALL, decide("throw_again"), *throw(12, dice("55555", first=11))],
            [OPENED, "RefereeRuled all saw it replaces=3 action=throw_again", "RollRefused referee replaces=3 roll=1",
             "RollCounted roll=1 values=55555"],
        ),
        (
            FIRST,
            [CALL, decide("restore_die", id=2)],
            [OPENED, "RefereeRuled all saw it replaces=4 action=restore_die", "RestoreOrdered referee id=2 value=3"],
        ),
        (
            FIRST,
            [CALL, decide("restore_die", id=2, after=4), decide("restore_die", id=2, before=6)],
            [OPENED, *["CallRefused bad_reading call=restore_die"] * 2],
        ),
        (FIRST, [CALL, decide("restore_die", id=77)], [OPENED, "CallRefused bad_reading call=restore_die"]),
        (FIRST, [CALL, decide("warn", player="Cy")], [OPENED, "CallRefused unknown_player call=warn"]),
        (FIRST, [CALL, decide("reinstate", player="Ann")], [OPENED, "CallRefused unknown_player call=reinstate"]),
    ],
)  # fmt: skip
def test_scenario(before: Sequence[Fact], facts: Sequence[Fact], expected: list[str]) -> None:
    umpire, _ = match(before)
    assert shorts(feed(umpire, facts)) == expected


def test_play_waits_until_the_referee_has_decided() -> None:
    umpire, _ = match(FIRST, CALL)
    assert (umpire.state.waiting_for, umpire.state.message) == ("dispute", "The referee decides")
    feed(umpire, decide("confirm"))
    assert (umpire.state.waiting_for, umpire.state.message) == ("throw", "It stands: all saw it")


def test_a_throw_that_began_while_play_waited_is_none() -> None:
    in_the_air, at_rest = throw(9, dice("55555", first=11))
    umpire, _ = match(FIRST, CALL, in_the_air, decide("confirm"))
    assert shorts(feed(umpire, at_rest)) == ["RollRefused dispute"]


def test_a_corrected_roll_shows_its_new_boxes_and_names_the_old_one() -> None:
    umpire, _ = match(throw(3, dice("12346")), CALL, decide("correct_reading", id=5, after=5))
    assert umpire.state.legal[0].box == "LS"
    assert umpire.state.turn.lying[-1].by_people
    assert shorts(feed(umpire, choose(20, "LS")))[1] == "BoxEntered box=LS points=40"


def test_an_earlier_roll_may_be_corrected_although_its_box_was_entered() -> None:
    umpire, rulings = match(throw(3, dice("12346")), choose(5, "LS"))
    counted = next(ruling for ruling in rulings if isinstance(ruling, RollCounted))
    wrong = decide("correct_reading", replaces=counted.entry, before=6, after=5)
    alone = feed(umpire, CALL, wrong, replace(wrong, by=("Ben",)))
    assert shorts(alone)[1:] == ["CallRefused undo_needs_two call=correct_reading"] * 2
    assert umpire.state.cards[0].points == {"LS": 0}
    both = feed(umpire, replace(wrong, by=("Ann", "Ben")))
    assert shorts(both) == [
        "RefereeRuled all saw it replaces=3 action=correct_reading before=6 after=5",
        "Undone referee replaces=5 by=AnnBen",
        "RollCounted referee replaces=3 roll=1 values=12345",
    ]
    assert (umpire.state.player, umpire.state.turn.values) == ("Ann", (1, 2, 3, 4, 5))
    assert not umpire.state.cards[0].points


def test_every_entry_that_falls_with_an_older_roll_is_named_newest_first() -> None:
    facts = [*FIRST, choose(5, "C"), *throw(13, dice("12345", first=11)), choose(15, "LS", player="Ben")]
    held = throw(23, dice("66666", first=21), lasting=2.0)
    umpire, rulings = match(facts, held, CALL)
    named = [ruling.entry for ruling in rulings if isinstance(ruling, (RollCounted, BoxEntered, RollHeld))]
    decided = umpire.on(replace(decide("throw_again", replaces=named[0]), by=("Ben", "Ann")))
    assert [type(ruling) for ruling in decided] == [RefereeRuled, Undone, Undone, Undone, Undone, RollRefused]
    assert [ruling.replaces for ruling in decided[1:]] == named[::-1]
    assert [ruling.player for ruling in decided[1:]] == ["Ann", "Ben", "Ben", "Ann", "Ann"]
    assert not any(card.points for card in umpire.state.cards)


def test_the_referee_enters_or_reopens_a_disputed_box() -> None:
    options = Options(marker=True)
    umpire, _ = match(FIRST, choose(5, "C"), BoxDisputed(t=6, player="Ben"), decide("confirm"), options=options)
    assert umpire.state.cards[0].points == {"C": 17}
    umpire, _ = match(
        FIRST, choose(5, "C"), BoxDisputed(t=6, player="Ben"), decide("correct_reading", before=6, after=5),
        options=options,
    )  # fmt: skip
    assert umpire.state.proposal is None
    assert umpire.state.waiting_for == "throw"
    umpire, _ = match(FIRST, choose(5, "C"), CALL, decide("confirm"), options=options)
    assert umpire.state.cards[0].points == {"C": 17}


def test_a_yahtzee_that_the_referee_confirms_must_have_been_cried_all_the_same() -> None:
    rules = ruleset("wyi", {"battle_cry": True})
    disputed = BoxDisputed(t=6, player="Ben")
    umpire, _ = match(throw(3, dice("44444")), choose(5, "Y"), disputed, rules=rules, options=Options(marker=True))
    assert shorts(umpire.on(decide("confirm")))[1:] == ["CryAsked battle_cry box=Y"]
    feed(umpire, CryAnswered(t=12, cried=False))
    assert umpire.state.cards[0].points == {"Y": 0}


def test_what_the_referee_sets_back_is_remembered() -> None:
    umpire, _ = match(FIRST, CALL, decide("restore_die", id=2))
    assert umpire.state.turn.restores == {2: 3}


def test_a_roll_is_corrected_after_a_later_one_was_refused() -> None:
    late = throw(7, [die(11, 2)], kept=dice("1334"), lasting=2.0)
    umpire, _ = match(FIRST, [lift(4, 5)], late, HoldAnswered(t=8, counts=False), CALL)
    feed(umpire, decide("correct_reading", replaces=3, before=6, after=5))
    assert umpire.state.turn.values == (1, 3, 3, 4, 5)


def test_a_roll_is_corrected_after_the_next_one_was_left_without_a_value() -> None:
    unread = throw(7, [die(11, None)], kept=dice("1334"))
    again = throw(12, [die(21, 5)], kept=[*dice("1334")], lasting=2.0)
    umpire, _ = match(FIRST, [lift(4, 5)], unread, [lift(8, 11)], again, HoldAnswered(t=13, counts=False))
    values = umpire.state.turn.values
    assert values == ()
    feed(umpire, CALL, decide("correct_reading", replaces=3, before=3, after=4))
    assert umpire.state.turn.values == (1, 3, 4, 4, 6)


def test_warnings_are_counted_and_never_made_by_the_umpire() -> None:
    umpire, _ = match(FIRST, CALL, decide("warn", player="Ann"))
    second = feed(umpire, CALL, decide("warn", player="Ann"))[-1]
    assert isinstance(second, RefereeRuled)
    assert (second.player, second.offence) == ("Ann", 2)
    assert umpire.state.player == "Ann"


def test_a_disqualified_player_is_passed_over_and_may_come_back() -> None:
    umpire, _ = match(FIRST, players=["Ann", "Ben", "Cy"])
    out = feed(umpire, CALL, decide("disqualify", player="Ann"))
    assert shorts(out)[1:] == ["RefereeRuled all saw it replaces=4 action=disqualify", "TurnEnded", "TurnStarted"]
    assert umpire.state.player == "Ben"
    feed(umpire, throw(20, dice("12345")), choose(22, "LS", player="Ben"))
    feed(umpire, throw(30, dice("12345")), choose(32, "LS", player="Cy"))
    assert (umpire.state.player, umpire.state.marker) == ("Ben", "Cy")
    feed(umpire, CALL, decide("reinstate", player="Ann"))
    feed(umpire, throw(40, dice("23456")), choose(42, "SS", player="Ben"))
    feed(umpire, throw(50, dice("23456")), choose(52, "SS", player="Cy"))
    assert umpire.state.player == "Ann"


def test_the_match_ends_without_the_disqualified_who_cannot_win() -> None:
    umpire, _ = match(cards=["C=20", FULL])
    rulings = feed(umpire, CALL, decide("disqualify", player="Ann"))
    assert shorts(rulings)[-1] == "MatchEnded complete=True winners=Ben"
    umpire, _ = match(players=["Ann"])
    assert shorts(feed(umpire, CALL, decide("disqualify", player="Ann")))[-1] == "MatchEnded complete=True"


FULL = "1s=3 2s=6 3s=9 4s=12 5s=15 6s=18 3K=20 4K=0 FH=25 SS=30 LS=40 Y=50 C=20"


def ended(*after: Sequence[Fact], chance: int = 5, rules: Ruleset = BHO) -> Umpire:
    """Ann has won, with a chance of 30 in her last box and what came `after`; Ben and Cy have the same card."""
    others = FULL.replace("C=20", f"C={chance}")
    umpire, rulings = match(
        throw(3, dice("66666")),
        choose(5, "C"),
        *after,
        players=["Ann", "Ben", "Cy"],
        cards=[FULL.replace(" C=20", ""), others, others],
        rules=rules,
    )
    assert shorts(rulings)[-1] == "MatchEnded complete=True winners=Ann"
    return umpire


def test_what_is_decided_after_the_end_tells_the_places_anew() -> None:
    umpire = ended()
    assert shorts(feed(umpire, decide("warn", player="Ann"))) == ["CallRefused no_dispute call=warn"]
    assert shorts(feed(umpire, CALL, decide("warn", player="Ann")))[0] == OPENED
    assert umpire.state.over and umpire.state.waiting_for == "nothing"
    decisions: tuple[tuple[RefereeAction, dict[str, int]], ...] = (
        ("disqualify", {"Ben": 1, "Cy": 1}), ("reinstate", {"Ann": 1, "Ben": 2, "Cy": 2}),
    )  # fmt: skip
    for action, place in decisions:
        assert not feed(umpire, throw(20, dice("12345")), choose(21, "LS"))
        _, ruled, told = feed(umpire, CALL, decide(action, player="Ann"))
        assert isinstance(ruled, RefereeRuled) and isinstance(told, MatchEnded) and told.places == place
        assert umpire.state.over


def test_a_tie_that_was_broken_stays_so_whoever_is_disqualified_and_reinstated_after_the_end() -> None:
    throws = (throw(20.0 + 6 * place, [die(20 + place, value)]) for place, value in enumerate((6, 2, 1)))
    umpire = ended(*throws, chance=30, rules=ruleset("bho", {"tie": "one_die"}))
    both: tuple[RefereeAction, ...] = ("disqualify", "reinstate")
    for name, won in (("Ben", ("Ann",)), ("Ann", ("Ben", "Cy"))):
        told = [feed(umpire, CALL, decide(action, player=name))[-1] for action in both]
        assert [one.winners for one in told if isinstance(one, MatchEnded)] == [won, ("Ann",)]


def test_a_roll_that_is_corrected_after_the_end_opens_the_match_again() -> None:
    umpire = ended()
    roll = next(mark.entry for mark in umpire.state.history if mark.after)
    one = decide("correct_reading", replaces=roll, before=6, after=5)
    assert shorts(feed(umpire, CALL, one))[1:] == ["CallRefused undo_needs_two call=correct_reading"]
    rulings = feed(umpire, replace(one, by=("Ann", "Cy")))
    assert "RollCounted referee replaces=3 roll=1 values=56666" in shorts(rulings)
    assert not umpire.state.over and umpire.state.waiting_for == "throw"
    assert shorts(feed(umpire, choose(30, "C")))[-1] == "MatchEnded complete=True winners=Ann"
    said = shorts(feed(umpire, CALL, decide("restore_die", after=6), decide("confirm")))
    assert (
        said[1] == "CallRefused bad_reading call=restore_die" and said[2].endswith("action=confirm") and said[3:] == []
    )


def test_after_the_end_no_way_out_of_a_dispute_is_offered_that_is_refused() -> None:
    umpire, _ = match(FIRST, RecordingEnded(t=5, frame=150), CALL)
    assert umpire.state.over and umpire.state.dispute
    for way in settlements(umpire.state):
        assert step(umpire.state, decide(way))[0].dispute is None
    assert settlements(umpire.state)


def test_all_wait_for_a_player_who_is_away() -> None:
    umpire, _ = match(FIRST)
    rulings = feed(
        umpire, PauseCalled(t=5, player="Ben"), PauseCalled(t=5), throw(9, dice("55555", first=11)), choose(10, "C"),
        rest(11, kept=dice("13346")), ResumeCalled(t=12), ResumeCalled(t=12),
    )  # fmt: skip
    assert shorts(rulings) == [
        "MatchPaused by=Ben",
        "CallRefused paused call=pause",
        "RollRefused paused",
        "BoxRefused paused box=C",
        "MatchResumed",
        "CallRefused not_paused call=resume",
    ]
    assert umpire.state.waiting_for == "throw"


def test_a_roll_that_was_corrected_and_is_then_thrown_again_counts_neither_way() -> None:
    umpire, _ = match(FIRST)
    feed(umpire, CALL, decide("correct_reading", before=6, after=5), CALL, decide("throw_again"))
    assert (umpire.state.turn.values, umpire.state.turn.roll, umpire.state.legal) == ((), 0, ())

"""What holds in every match that random people play, by any rules: five hundred matches, or as many as are asked for.

`FAIRTRAY_MATCHES=100000` plays that many (see `make test-long`).
"""

import json
import os
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.card import Card
from scorer.events import (
    BoxEntered,
    DiceAtRest,
    LegalBox,
    MatchEnded,
    ReadingAnswered,
    RefereeDecided,
    RollCounted,
    RollRefused,
    TurnStarted,
    Undone,
    from_json,
    to_json,
)
from scorer.legal import earned
from scorer.referee import settlements
from scorer.rules import Ruleset
from scorer.said import LEANS
from scorer.state import State
from scorer.turn import OpenRoll
from scorer.umpire import start, step
from tests.scorer.play import Taken, play

MATCHES = int(os.environ.get("FAIRTRAY_MATCHES", "500"))


@settings(max_examples=MATCHES, deadline=None)
@given(st.integers(0, 2**48))
def test_every_match_keeps_to_the_law(seed: int) -> None:
    first, steps = play(seed)
    for taken in steps:
        for ruling in taken.rulings:
            assert ruling.rule
            assert "cheat" not in json.dumps(to_json(ruling)).lower().replace("cheat free", "")
        _assert_entries(taken)
        _assert_rolls(taken)
        _assert_cards(taken)
        _assert_people_decide(taken)
        _assert_disputes_end(taken)
        assert taken.after.message is not None
        assert taken.after.waiting_for
    _assert_replays(first, steps)


def _assert_entries(taken: Taken) -> None:
    """Rulings are numbered without a gap, and a correction names an earlier one."""
    numbers = [ruling.entry for ruling in taken.rulings]
    assert numbers == list(range(taken.before.entries + 1, taken.after.entries + 1))
    assert all(ruling.replaces < ruling.entry for ruling in taken.rulings if ruling.replaces is not None)


def _assert_disputes_end(taken: Taken) -> None:
    """A dispute can always be ended, and one that is withdrawn leaves what was asked before."""
    ways = settlements(taken.after)
    assert bool(ways) == (taken.after.dispute is not None)
    for way in ways:
        after, _ = step(taken.after, RefereeDecided(t=taken.fact.t, action=way, reason="said"))
        assert after.dispute is None
        if way == "withdraw" and not taken.after.over:
            assert (after.turn, after.proposal) == (taken.after.turn, taken.after.proposal)


def _assert_rolls(taken: Taken) -> None:
    """A roll counts with all its dice, each sure, on record or decided by people, and never beyond those allowed."""
    before = taken.before
    for counted in taken.rulings:
        if isinstance(counted, RollCounted):
            by_referee = counted.replaces is not None
            assert by_referee or len(counted.values) == before.dice_in_play
            assert all(value in range(1, 7) for value in counted.values)
            assert len(counted.kept) <= len(counted.values)
            assert by_referee or counted.roll <= before.rolls_allowed
            assert by_referee or counted.roll > before.turn.roll
            _assert_known(taken, counted)
    refused = [ruling for ruling in taken.rulings if isinstance(ruling, RollRefused) and ruling.replaces is None]
    if isinstance(taken.fact, DiceAtRest) and refused:
        after = taken.after
        assert (after.cards, after.current, after.proposal) == (before.cards, before.current, before.proposal)
        assert (after.turn.roll, after.turn.values) == (before.turn.roll, before.turn.values)


def _assert_known(taken: Taken, counted: RollCounted) -> None:
    """Every value was on record, read surely in this rest, or said by people just now."""
    fact, before = taken.fact, taken.before
    question = before.turn.question
    on_record: Sequence[int | None] = [die.value for die in before.turn.lying]
    if counted.replaces is not None:
        on_record = next(mark.after.values for mark in before.history if mark.entry == counted.replaces and mark.after)
    elif isinstance(question, OpenRoll):
        on_record = [die.value for die in (*question.recorded, *question.missing, *question.lost)]
    known = [*on_record, *before.turn.restores.values()]
    if isinstance(fact, DiceAtRest):
        known += [die.value for die in fact.dice if die.state == "flat" or before.options.cocked_stands]
    if isinstance(fact, ReadingAnswered):
        known += [fact.value]
        if fact.value == LEANS and isinstance(question, OpenRoll):
            known += [die.value for die in question.recorded if die.id == fact.id]
    known += [fact.after] if isinstance(fact, RefereeDecided) else []
    for value in counted.values:
        assert value in known
        known.remove(value)


def _assert_cards(taken: Taken) -> None:
    """Only a box entered adds to a card, exactly what was ruled; only people's word takes anything away."""
    before, after = taken.before, taken.after
    if any(isinstance(ruling, Undone) for ruling in taken.rulings):
        _assert_all_named(taken)
        return
    written = [ruling for ruling in taken.rulings if isinstance(ruling, BoxEntered)]
    assert len(written) <= 1
    for number, player in enumerate(before.players):
        old, new = before.cards[number], after.cards[number]
        mine = [ruling for ruling in written if ruling.player == player]
        assert dict(new.points) == dict(old.points) | {ruling.box: ruling.points for ruling in mine}
        assert not any(ruling.box in old for ruling in mine)
        gained = after.totals[player].total - before.totals[player].total
        assert gained == sum(_worth(before.rules, old, ruling) for ruling in mine)


def _assert_all_named(taken: Taken) -> None:
    """Whatever falls has a ruling that names it; a house rule called for a roll that is only corrected stands."""
    named = {ruling.replaces for ruling in taken.rulings}
    left = {mark.entry for mark in taken.after.history}
    for mark in taken.before.history:
        if mark.entry not in left | named:
            assert mark.after is None
            assert (mark.cards, taken.after.used) == (taken.before.cards, taken.before.used)


def _worth(rules: Ruleset, card: Card, entered: BoxEntered) -> int:
    bonuses = entered.yahtzee_bonus, entered.upper_bonus, entered.house_bonus
    return earned(rules, card, LegalBox(entered.box, entered.points, *bonuses))


def _assert_people_decide(taken: Taken) -> None:
    """While play waits nothing moves but by the referee; nobody is punished but by people; a tie is left alone."""
    before, after = taken.before, taken.after
    if before.barred and not before.over and not isinstance(taken.fact, RefereeDecided):
        assert not any(isinstance(ruling, RollCounted) for ruling in taken.rulings)
    if not isinstance(taken.fact, RefereeDecided):
        assert (before.out, before.warned) == (after.out, after.warned)
    for ruling in taken.rulings:
        if isinstance(ruling, TurnStarted):
            assert ruling.player not in after.out
        if isinstance(ruling, MatchEnded) and ruling.complete and before.rules.tie == "ask":
            best = max((ruling.totals[name] for name in ruling.places), default=0)
            assert set(ruling.winners) == {name for name in ruling.places if ruling.totals[name] == best}


def _assert_replays(first: State, steps: list[Taken]) -> None:
    """The record alone gives the same state and the same rulings."""
    state, _ = start(first)
    for taken in steps:
        state, rulings = step(state, from_json(json.loads(json.dumps(to_json(taken.fact)))))
        assert rulings == taken.rulings
    assert state == steps[-1].after

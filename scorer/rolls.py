"""What follows once a throw was judged: the roll is remembered, and ends the turn where nothing is left to choose."""

from collections.abc import Sequence
from dataclasses import replace

from scorer.bench import Bench, Outcome
from scorer.choice import enter_automatically, enter_forced
from scorer.contest import go_on
from scorer.events import DieAsked, ReadingAsked, RerollOrdered, RollCounted, RollHeld, RollUnseen, Ruling
from scorer.legal import placements
from scorer.state import State, Step, said
from scorer.turn import Turn
from scorer.undo import mark

_ASKS = (RollHeld, RollUnseen, DieAsked, ReadingAsked, RerollOrdered)
"""Rulings that leave a roll open."""


def after_roll(state: State, outcome: Outcome, bench: Bench, before: State | None = None) -> Step:
    """Take over the turn and what was ruled on it. Play stood so `before` the roll, if not as it stands now."""
    stood, (turn, rulings) = before or state, outcome
    state, ruled = said(state, *rulings)
    turn = _named(state.turn, turn, ruled)
    state = replace(state, turn=turn)
    counted = next((ruling for ruling in ruled if isinstance(ruling, RollCounted)), None)
    if counted is None:
        return state, ruled
    state = mark(state, stood, counted.entry, after=turn, kept=counted.kept)
    state, more = _on_counted(state, bench)
    return state, ruled + more


def _named(before: Turn, turn: Turn, ruled: Sequence[Ruling]) -> Turn:
    """The turn whose open question knows the entry of the ruling that put it, so that a later one can name it."""
    question, asked = turn.question, before.question
    if question is None:
        return turn
    same = asked.entry if asked and asked.roll == question.roll else 0
    entry = next((ruling.entry for ruling in ruled if isinstance(ruling, _ASKS)), question.entry or same)
    return replace(turn, question=replace(question, entry=entry))


def _on_counted(state: State, bench: Bench) -> Step:
    """In a throw-off the sum is taken. A Full House that must be scored is; so is a last roll where nobody chooses."""
    if state.contest:
        return go_on(state, bench)
    if _is_forced(state):
        state = replace(state, turn=replace(state.turn, forced=True))
        if len(state.legal) == 1:
            return enter_forced(state, bench)
    if state.options.automatic_boxes and state.turn.roll >= state.rolls_allowed:
        return enter_automatically(state, bench)
    return state, ()


def _is_forced(state: State) -> bool:
    """Whether a house rule says where the roll goes (Fool House)."""
    if not state.rules.fool_house or "chance_chance" in state.turn.calls:
        return False
    _, refused = placements(state.rules, state.card, state.turn.values)
    return any(refusal.reason == "house_rule" for refusal in refused)

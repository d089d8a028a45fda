"""What follows once a throw was judged: the roll is remembered, and ends the turn where nothing is left to choose."""

from dataclasses import replace

from scorer.bench import Bench, Outcome
from scorer.choice import enter_automatically, enter_forced
from scorer.contest import go_on
from scorer.events import RollCounted
from scorer.legal import placements
from scorer.state import State, Step, said
from scorer.undo import mark


def after_roll(state: State, outcome: Outcome, bench: Bench) -> Step:
    """Take over the turn and what was ruled on it."""
    before, (turn, rulings) = state, outcome
    state, ruled = said(replace(state, turn=turn), *rulings)
    counted = next((ruling for ruling in ruled if isinstance(ruling, RollCounted)), None)
    if counted is None:
        return state, ruled
    state = mark(state, before, counted.entry, after=turn, kept=counted.kept)
    state, more = _on_counted(state, bench)
    return state, ruled + more


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

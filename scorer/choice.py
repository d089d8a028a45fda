"""A box chosen for a roll: proposed, agreed to, cried where the house wants it, and entered."""

from dataclasses import replace

from scorer.bench import Bench
from scorer.boxes import YAHTZEE
from scorer.card import enter
from scorer.events import (
    BoxAgreed,
    BoxChosen,
    BoxEntered,
    BoxProposed,
    BoxRefused,
    CallRefused,
    CryAnswered,
    CryAsked,
    LegalBox,
    Noticed,
    Ruling,
    ScoreCorrected,
)
from scorer.finish import finish_turn
from scorer.legal import placements
from scorer.state import Proposal, State, Step, said
from scorer.undo import mark


def choose(state: State, choice: BoxChosen, bench: Bench) -> Step:
    """The player picks a box for the last roll that counted; another box until the marker has agreed.

    Not while a roll is open: dice are still to be thrown again, or a question about them is unanswered. Dice in the
    air do not matter, because a choice ends the turn with what has counted by then.
    """
    reason = objection(state, choice)
    if reason is not None:
        return said(state, BoxRefused(**bench.head("box", reason, about=choice.player), box=choice.box))
    placement = next(legal for legal in state.legal if legal.box == choice.box)
    crossed = choice.cross and placement.points > 0
    if crossed:
        placement = _zero(state, placement)
    state, rulings = said(state, *_propose(state, bench, choice, placement))
    state = replace(state, proposal=Proposal(placement, rulings[0].entry, crossed))
    if state.options.marker and state.marker is not None:
        return state, rulings
    state, more = agree(state, bench)
    return state, rulings + more


def _propose(state: State, bench: Bench, choice: BoxChosen, placement: LegalBox) -> tuple[Ruling, ...]:
    before = state.proposal.entry if state.proposal else None
    proposed = BoxProposed(**bench.head("proposed"), replaces=before, box=placement.box, points=placement.points)
    if choice.announced is None or choice.announced == placement.points:
        return (proposed,)
    head = bench.head("corrected")
    corrected = ScoreCorrected(**head, box=choice.box, announced=choice.announced, right=placement.points)
    return proposed, corrected


def _zero(state: State, placement: LegalBox) -> LegalBox:
    """A zero in that box: a bonus that does not depend on the points there is earned all the same."""
    bonus = placement.yahtzee_bonus if state.rules.bonus_when == "always" else 0
    house_bonus = placement.house_bonus if bonus else 0
    return replace(placement, points=0, yahtzee_bonus=bonus, upper_bonus=0, house_bonus=house_bonus)


def objection(state: State, choice: BoxChosen) -> str | None:
    """Why the box may not be chosen now, or None where it may."""
    if state.barred or state.contest:
        return state.barred or "throw_off"
    if choice.player != state.player:
        return "not_your_turn"
    if choice.box not in state.rules.by_name:
        return "unknown_box"
    if state.turn.question is not None:
        return "roll_open"
    if not state.turn.values:
        return "no_roll"
    legal = next((legal for legal in state.legal if legal.box == choice.box), None)
    if legal is None:
        return _closed(state, choice.box)
    if state.options.announce and choice.announced is None:
        return "not_announced"
    return "no_voluntary_zero" if choice.cross and legal.points and not state.rules.voluntary_zero else None


def _closed(state: State, box: str) -> str:
    """Why the roll may not go in the box."""
    chance_only = "chance_chance" in state.turn.calls
    _, refused = placements(state.rules, state.card, state.turn.values, chance_only)
    return next(refusal.reason for refusal in refused if refusal.box == box)


def on_agreed(state: State, agreed: BoxAgreed, bench: Bench) -> Step:
    """The marker agrees."""
    reason = marker_objection(state, agreed.player)
    if reason is not None:
        return said(state, CallRefused(**bench.head("box", reason, about=agreed.player), call="agree"))
    return agree(state, bench)


def marker_objection(state: State, player: str) -> str | None:
    """Why this player has no say in the box now, or None."""
    if state.barred:
        return state.barred
    if state.proposal is None:
        return "nothing_proposed"
    return None if player == state.marker else "not_the_marker"


def agree(state: State, bench: Bench) -> Step:
    """The box proposed is entered, once people have said whether a Yahtzee was cried out where that is asked for."""
    proposal = state.proposal
    assert proposal is not None
    if state.rules.battle_cry and _is_yahtzee_box(state, proposal.placement):
        asked = CryAsked(**bench.head("box", "battle_cry"), box=proposal.placement.box)
        return said(replace(state, proposal=replace(proposal, agreed=True)), asked)
    return enter_box(state, proposal, bench)


def on_cry(state: State, answer: CryAnswered, bench: Bench) -> Step:
    """A Yahtzee that was not cried out is entered as 0."""
    proposal = state.proposal
    if state.barred != "cry_asked" or proposal is None:
        return said(state, CallRefused(**bench.head("box", state.barred or "nothing_asked"), call="answer"))
    if answer.cried:
        return enter_box(state, proposal, bench)
    silent = replace(proposal, placement=_zero(state, proposal.placement))
    return enter_box(state, silent, bench, reason="no_cry")


def _is_yahtzee_box(state: State, placement: LegalBox) -> bool:
    return state.rules.by_name[placement.box].box.name == YAHTZEE and placement.points > 0


def enter_automatically(state: State, bench: Bench) -> Step:
    """Nobody chooses: the best box is entered."""
    return agree(replace(state, proposal=Proposal(state.legal[0], 0, automatic=True)), bench)


def enter_forced(state: State, bench: Bench) -> Step:
    """A house rule leaves no other box: nobody announces it, but the marker checks it where that was agreed."""
    if not (state.options.marker and state.marker is not None):
        return enter_automatically(state, bench)
    box = state.legal[0]
    state, proposed = said(state, BoxProposed(**bench.head("proposed"), box=box.box, points=box.points))
    return replace(state, proposal=Proposal(box, proposed[0].entry, automatic=True)), proposed


def enter_box(state: State, proposal: Proposal, bench: Bench, reason: str | None = None) -> Step:
    """Write the score and end the turn."""
    placement = proposal.placement
    if "chance_chance" in state.turn.calls:
        reason = "chance_chance"
    entered = BoxEntered(
        **bench.head("box", reason),
        box=placement.box,
        points=placement.points,
        yahtzee_bonus=placement.yahtzee_bonus,
        upper_bonus=placement.upper_bonus,
        house_bonus=placement.house_bonus,
        automatic=proposal.automatic,
        crossed=proposal.crossed,
    )
    before = state
    state, rulings = said(state, entered)
    card = enter(state.rules, state.card, state.turn.values, placement)
    cards = (*state.cards[: state.current], card, *state.cards[state.current + 1 :])
    state, more = finish_turn(mark(replace(state, cards=cards), before, rulings[0].entry), bench)
    return state, rulings + more


def withdraw(state: State, bench: Bench) -> Step:
    """Play went on although a box was proposed: it was not entered."""
    if state.proposal is None:
        return state, ()
    withdrawn = Noticed(**bench.head("box", "withdrawn"), replaces=state.proposal.entry)
    return said(replace(state, proposal=None), withdrawn)

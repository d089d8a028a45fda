"""The umpire: what was seen and what people said go in, rulings come out.

A pure fold: the same events and answers give the same rulings on every machine, without clock, chance or I/O.
Its first law is that no value is confirmed silently that is not sure: a roll counts when every die in it was read
surely, or its value was decided by people, or is on record from the roll before.
"""

from collections.abc import Sequence
from dataclasses import replace

from scorer.answers import on_die_answered, on_hold_answered, on_look, on_reading_answered
from scorer.bench import VIEW_LOST, Bench, Outcome
from scorer.card import enter
from scorer.events import (
    BodyInterfered,
    BoxChosen,
    BoxEntered,
    BoxProposed,
    BoxRefused,
    DiceAtRest,
    DieAnswered,
    HoldAnswered,
    IncidentRecorded,
    KeptDieChanged,
    LegalBox,
    MatchEnded,
    MatchStarted,
    PlayerInput,
    ReadingAnswered,
    RecordingEnded,
    RollUnseen,
    Ruling,
    ScoreCorrected,
    TrayEvent,
    TurnEnded,
    TurnStarted,
    ViewLost,
)
from scorer.flight import gather, landed
from scorer.kept import on_change
from scorer.legal import placements
from scorer.rules import Ruleset
from scorer.state import OpenRoll, Options, Reroll, State, Turn, new_match
from scorer.throw import is_throw, judge_throw

Step = tuple[State, tuple[Ruling, ...]]
"""The state afterwards, and what was ruled."""


class Umpire:
    """Rules on one match. `state` is what it knows; it is replaced, never changed.

    Raises `MatchError` for players that cannot be told apart.
    """

    def __init__(self, rules: Ruleset, players: Sequence[str], options: Options | None = None) -> None:
        self.state = new_match(rules, tuple(players), options or Options())

    def start(self) -> tuple[Ruling, ...]:
        """Open the match and the first player's turn, at second 0 of the video."""
        return self._keep(start(self.state))

    def on(self, fact: TrayEvent | PlayerInput) -> tuple[Ruling, ...]:
        """What is ruled on one thing seen or said."""
        return self._keep(step(self.state, fact))

    def _keep(self, taken: Step) -> tuple[Ruling, ...]:
        self.state, rulings = taken
        return rulings


def start(state: State) -> Step:
    """The match and its first turn begin."""
    bench = _bench(state, 0.0, 0, 0.0)
    started = MatchStarted(**{**bench.head("match"), "player": None}, rules=state.rules.name, players=state.players)
    return _said(state, (started, TurnStarted(**bench.head("turn"))))


def step(state: State, fact: TrayEvent | PlayerInput) -> Step:
    """Take one thing seen or said into account. After the end of the match nothing changes any more.

    A ruling on an event has the event's times and frame. One on what a person said has that time, and the frame of
    the last event, which is what was said on.
    """
    if state.over:
        return state, ()
    if isinstance(fact, TrayEvent):
        state = replace(state, frame=fact.frame)
        return _said(*_on_event(state, fact, _bench(state, fact.t, fact.frame, fact.t_said)))
    frame = fact.frame if isinstance(fact, RecordingEnded) and fact.frame else state.frame
    return _said(*_on_input(state, fact, _bench(state, fact.t, frame, fact.t)))


def _on_event(state: State, event: TrayEvent, bench: Bench) -> Step:
    turn, flight = state.turn, state.flight
    match event:
        case DiceAtRest():
            thrown = is_throw(event)
            judge = judge_throw if thrown else on_look
            state = replace(state, flight=landed(flight, event, thrown))
            return _after_roll(state, judge(bench, turn, flight, event), bench)
        case KeptDieChanged():
            return _after_roll(state, on_change(bench, turn, event), bench)
        case BodyInterfered():
            incident = IncidentRecorded(**bench.head("roll", "interference"))
            return replace(state, flight=gather(flight, event)), (incident,)
        case ViewLost() if _is_roll_in_the_air(state):
            unseen, rulings = _lose_sight(bench, turn)
            return replace(state, turn=unseen, flight=gather(flight, event)), rulings
        case _:
            return replace(state, flight=gather(flight, event)), ()


def _on_input(state: State, said: PlayerInput, bench: Bench) -> Step:
    match said:
        case BoxChosen():
            return _choose(state, said, bench)
        case HoldAnswered():
            return _after_roll(state, on_hold_answered(bench, state.turn, said), bench)
        case ReadingAnswered():
            return _after_roll(state, on_reading_answered(bench, state.turn, said), bench)
        case DieAnswered():
            return _after_roll(state, on_die_answered(bench, state.turn, said), bench)
        case RecordingEnded():
            return _end_recording(state, bench)
        case _:
            return state, ()


def _is_roll_in_the_air(state: State) -> bool:
    """Whether dice are being thrown that could be a roll, and it is not in question already."""
    question = state.turn.question
    allowed = state.turn.roll < state.rules.rolls or isinstance(question, Reroll)
    return state.flight.count > 0 and allowed and not isinstance(question, OpenRoll)


def _lose_sight(bench: Bench, turn: Turn) -> Outcome:
    """The view is lost while dice are in the air: the roll waits for people, whatever is seen of it later."""
    number = turn.question.roll if turn.question else turn.roll + 1
    unseen = OpenRoll(number, dice=(), before=turn, doubt=VIEW_LOST)
    return replace(turn, question=unseen), (RollUnseen(**bench.head(VIEW_LOST), roll=number),)


def _after_roll(state: State, outcome: Outcome, bench: Bench) -> Step:
    """Take over the turn; where nobody chooses, the last roll of a turn goes in its best box at once."""
    turn, rulings = outcome
    state = replace(state, turn=turn)
    last_counted = turn.roll == state.rules.rolls and turn.values and turn.question is None
    if state.options.automatic_boxes and last_counted:
        state, entered = _enter(state, state.legal[0], bench, automatic=True)
        return state, rulings + entered
    return state, rulings


def _choose(state: State, choice: BoxChosen, bench: Bench) -> Step:
    """The player picks a box for the last roll that counted.

    Not while a roll is open: dice are still to be thrown again, or a question about them is unanswered. Dice in the
    air do not matter, because a choice ends the turn with what has counted by then.
    """
    reason = _objection(state, choice)
    if reason is not None:
        head = {**bench.head("box", reason), "player": choice.player}
        return state, (BoxRefused(**head, box=choice.box),)
    placement = next(legal for legal in state.legal if legal.box == choice.box)
    rulings: tuple[Ruling, ...] = (BoxProposed(**bench.head("proposed"), box=placement.box, points=placement.points),)
    if choice.announced is not None and choice.announced != placement.points:
        head = bench.head("corrected")
        rulings += (ScoreCorrected(**head, box=choice.box, announced=choice.announced, right=placement.points),)
    state, entered = _enter(state, placement, bench, automatic=False)
    return state, rulings + entered


def _objection(state: State, choice: BoxChosen) -> str | None:
    """Why the box may not be chosen now, or None where it may."""
    if choice.player != state.player:
        return "not_your_turn"
    if choice.box not in state.rules.by_name:
        return "unknown_box"
    if state.turn.question is not None:
        return "roll_open"
    if not state.turn.values:
        return "no_roll"
    _, refused = placements(state.rules, state.card, state.turn.values)
    return next((refusal.reason for refusal in refused if refusal.box == choice.box), None)


def _enter(state: State, placement: LegalBox, bench: Bench, automatic: bool) -> Step:
    """Write the score, end the turn, and begin the next one or end the match."""
    entered = BoxEntered(
        **bench.head("box"),
        box=placement.box,
        points=placement.points,
        yahtzee_bonus=placement.yahtzee_bonus,
        upper_bonus=placement.upper_bonus,
        automatic=automatic,
    )
    card = enter(state.rules, state.card, state.turn.values, placement)
    cards = (*state.cards[: state.current], card, *state.cards[state.current + 1 :])
    following = (state.current + 1) % len(state.players)
    ended = TurnEnded(**bench.head("turn"))
    state = replace(state, cards=cards, current=following, turn=Turn())
    if all(card.complete(state.rules) for card in cards):
        state, over = _end_match(state, bench, complete=True)
        return state, (entered, ended, *over)
    begun = TurnStarted(**{**bench.head("turn"), "player": state.player})
    return state, (entered, ended, begun)


def _end_recording(state: State, bench: Bench) -> Step:
    """There is no more to see. Where nobody chooses, a roll that has counted still goes in its best box."""
    rulings: tuple[Ruling, ...] = ()
    if state.options.automatic_boxes and state.legal:
        state, entered = _enter(state, state.legal[0], bench, automatic=True)
        rulings = tuple(ruling for ruling in entered if not isinstance(ruling, TurnStarted))
    if not state.over:
        state, over = _end_match(state, bench, complete=False)
        rulings += over
    return state, rulings


def _end_match(state: State, bench: Bench, complete: bool) -> Step:
    totals = {name: sums.total for name, sums in state.totals.items()}
    ended = MatchEnded(**{**bench.head("match"), "player": None}, totals=totals, complete=complete)
    return replace(state, over=True), (ended,)


def _bench(state: State, t: float, frame: int, t_said: float) -> Bench:
    return Bench(state.rules, state.options, state.player, state.card, t, frame, t_said)


def _said(state: State, rulings: tuple[Ruling, ...]) -> Step:
    """Remember the last rulings for the display."""
    return (replace(state, last=rulings) if rulings else state), rulings

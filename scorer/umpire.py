"""The umpire: what was seen and what people said go in, rulings come out.

A pure fold: the same events and answers give the same rulings on every machine, without clock, chance or I/O.
Its first law is that no value is confirmed silently that is not sure: a roll counts when every die in it was read
surely, or its value was decided by people, or is on record from the roll before.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scorer import choice, contest, house, pressed, referee, undo
from scorer.answers import on_die_answered, on_hold_answered, on_look, on_reading_answered
from scorer.bench import VIEW_LOST, Bench, bench_of
from scorer.clock import remind, watch_time
from scorer.events import (
    BodyInterfered,
    BoxAgreed,
    BoxChosen,
    BoxDisputed,
    CallRefused,
    CryAnswered,
    DiceAtRest,
    DiceThrown,
    DieAnswered,
    DieAsked,
    Fact,
    HoldAnswered,
    HouseRuleCalled,
    HouseRulesDeclared,
    IncidentRecorded,
    KeptDieChanged,
    PauseCalled,
    PlayerInput,
    ReadingAnswered,
    RecordingEnded,
    RefereeCalled,
    RefereeDecided,
    RerollOrdered,
    ResumeCalled,
    RollHeld,
    RollUnseen,
    Ruling,
    ThrowOffStopped,
    TrayEvent,
    Undo,
    ViewLost,
    as_written,
)
from scorer.flight import gather, landed, still_owed
from scorer.kept import on_change, with_handled
from scorer.rolls import after_roll
from scorer.rules import Ruleset
from scorer.settings import Value
from scorer.state import Options, State, Step, new_match, said
from scorer.table import is_throw, sort_out
from scorer.throw import is_refused, judge_throw, lose_sight, refuse
from scorer.turn import Flight, OpenRoll, Reroll, Turn, is_unwatched
from scorer.turns import begin_turn, can_play, close_match


class Umpire:
    """Rules on one match. `state` is what it knows; it is replaced, never changed.

    Raises `MatchError` for players that cannot be told apart.
    """

    def __init__(self, rules: Ruleset, players: Sequence[str], options: Options | None = None) -> None:
        self.state = new_match(rules, tuple(players), options or Options())

    def declare(self, settings: Mapping[str, Value], t: float = 0.0) -> tuple[Ruling, ...]:
        """Change settings of the rules; a match that is open already is opened anew. Raises as `house.declare` does.

        In a record the open match's declaration is `HouseRulesDeclared`.
        """
        declared = house.declare(self.state, settings)
        if self.state.started:
            return self.on(HouseRulesDeclared(t=t, settings=settings))
        self.state = declared
        return ()

    def start(self) -> tuple[Ruling, ...]:
        """Open the match and the first player's turn, at second 0 of the video."""
        return self._keep(start(self.state))

    def on(self, fact: Fact) -> tuple[Ruling, ...]:
        """What is ruled on one thing seen or said."""
        return self._keep(step(self.state, fact))

    def _keep(self, taken: Step) -> tuple[Ruling, ...]:
        self.state, rulings = taken
        return rulings


def start(state: State) -> Step:
    """The match begins, with its first turn or with throws for who starts."""
    bench = bench_of(state, 0.0, 0, 0.0)
    state, opened = house.open_match(state, bench)
    if state.options.throw_for_start and len(state.players) > 1:
        everybody = tuple(range(len(state.players)))
        state, begun = contest.open_contest(state, bench, contest.start_contest(state.rules, everybody))
    else:
        state, begun = begin_turn(state, bench, state.current)
    return replace(state, last=opened + begun), opened + begun


def replay(rules: Ruleset, players: Sequence[str], options: Options, facts: Sequence[Fact]) -> Step:
    """The state and all rulings of a match that saw and heard these facts: the same on every machine."""
    state, rulings = start(new_match(rules, tuple(players), options))
    for fact in facts:
        state, more = step(state, fact)
        rulings += more
    return state, rulings


def step(state: State, fact: Fact) -> Step:
    """Take one thing seen or said into account. After the end of the match it is changed by an undo, or the referee.

    A ruling on an event has the event's times and frame. One on what a person said has that time, and the frame of
    the last event, which is what was said on. Dice at rest that are told twice are ruled on once.
    """
    if state.over and not isinstance(fact, Undo | RefereeCalled | RefereeDecided):
        return state, ()
    before, fact = state, as_written(fact)
    if isinstance(fact, DiceAtRest):
        if fact == state.rest:
            return state, ()
        state = replace(state, rest=fact)
    if isinstance(fact, TrayEvent):
        state = replace(state, frame=fact.frame, begun=state.begun or _begins(state, fact))
        bench = bench_of(state, fact.t, fact.frame, fact.t_said)
        state, reminded = remind(state, bench)
        state, ruled = _on_event(state, fact, bench)
    else:
        frame = fact.frame if isinstance(fact, RecordingEnded) and fact.frame else state.frame
        bench = bench_of(state, fact.t, frame, fact.t)
        state, reminded = remind(state, bench)
        state, ruled = _on_input(state, fact, bench)
    rulings = reminded + ruled
    state = watch_time(pressed.note_bar(before, state, fact.t), ruled)
    return (replace(state, last=rulings) if rulings else state), rulings


def _begins(state: State, event: TrayEvent) -> bool:
    """Whether dice of the match itself are thrown."""
    thrown = isinstance(event, DiceThrown) or (isinstance(event, DiceAtRest) and is_throw(event))
    return thrown and not _is_for_start(state)


def _is_for_start(state: State) -> bool:
    """Whether dice are thrown for who starts: those are none of the match itself."""
    return state.contest is not None and state.contest.purpose == "start"


# --- what was seen ---------------------------------------------------------------------------------------------


def _on_event(state: State, event: TrayEvent, bench: Bench) -> Step:
    match event:
        case DiceAtRest() if is_throw(event):
            return _on_throw(state, event, bench)
        case DiceAtRest():
            return _on_look(state, event, bench)
        case KeptDieChanged():
            return after_roll(state, on_change(bench, state.turn, event), bench)
        case BodyInterfered():
            incident = IncidentRecorded(**bench.head("roll", "interference"))
            return said(replace(state, flight=gather(state.flight, event)), incident)
        case ViewLost() if _is_roll_in_the_air(state):
            state, withdrawn = choice.withdraw(replace(state, flight=gather(state.flight, event)), bench)
            state, ruled = after_roll(state, lose_sight(bench, state.turn), bench)
            return state, withdrawn + ruled
        case ViewLost(cause="not_watched") if not (state.no_throw or _is_unseen(state.turn)):
            return replace(state, flight=_unwatched(state, event)), ()
        case _:
            return replace(state, flight=gather(state.flight, event)), ()


def _on_throw(state: State, rest: DiceAtRest, bench: Bench) -> Step:
    """Dice thrown while nothing was to be thrown, or before this turn, are no roll. What play waits for meanwhile goes
    first: the roll is held until then. A box that was proposed meanwhile is not entered where they are one."""
    flight = state.flight
    told = _is_unseen(state.turn)  # people decide on it already
    reason = None if told else pressed.barred(state, flight)
    reason = reason or (None if pressed.is_of_turn(state, flight) else "before_turn")
    state = pressed.forget_bars(_landed(state, rest, thrown=True))
    if reason:
        state = replace(state, flight=still_owed(state.flight, flight))
        state, ruled = after_roll(state, refuse(bench, state.turn, sort_out(bench, rest, flight), reason), bench)
        state, recorded = _record_before_turn(state, bench) if reason == "before_turn" else (state, ())
        return state, ruled + recorded
    state, late = pressed.without_late(state, flight, bench)
    bench = bench.now(state)
    outcome = judge_throw(bench, state.turn, flight, rest, state.barred)
    refused = is_refused(outcome[1])
    if refused and not _is_taken_up(outcome[1]):
        state = replace(state, flight=still_owed(state.flight, flight))
    state, withdrawn = (state, ()) if refused else choice.withdraw(state, bench)
    state, ruled = after_roll(state, outcome, bench)
    return state, late + withdrawn + ruled


def _landed(state: State, rest: DiceAtRest, thrown: bool) -> State:
    """All is at rest: what was seen since the last rest is over, but for what it did to dice that nobody is sure of."""
    turn = with_handled(state.turn, state.flight)
    return replace(state, flight=landed(state.flight, rest, thrown), turn=turn)


def _record_before_turn(state: State, bench: Bench) -> Step:
    """Where a box was entered while dice were in the air, people judge that."""
    last = state.history[-1] if state.history else None
    if last is None or last.after is not None or last.called is not None:
        return state, ()
    return said(state, IncidentRecorded(**bench.head("roll", "before_turn", state.players[last.current])))


def _on_look(state: State, rest: DiceAtRest, bench: Bench) -> Step:
    """Dice lie there that nobody threw."""
    flight = state.flight
    state = _landed(state, rest, thrown=False)
    rulings: tuple[Ruling, ...] = ()
    in_play = max(state.dice_in_play, state.rules.dice)
    if state.flight.foreign - flight.foreign or state.flight.floor > in_play >= flight.floor:
        state, rulings = said(state, IncidentRecorded(**bench.head("roll", "foreign_die")))
    waits = bool(state.barred)
    outcome = on_look(bench, state.turn, flight, rest, waits, idle=waits and bool(pressed.barred(state, flight)))
    opens = isinstance(outcome[0].question, OpenRoll) and not isinstance(state.turn.question, OpenRoll)
    if opens or is_refused(outcome[1]):
        state = replace(state, begun=state.begun or not _is_for_start(state))
    if opens or is_refused(outcome[1]) or _is_as_before(flight, bench, rest):
        state = replace(state, flight=replace(state.flight, unwatched=None))
    state, withdrawn = choice.withdraw(state, bench) if opens else (state, ())
    state, more = after_roll(state, outcome, bench)
    return state, rulings + withdrawn + more


def _unwatched(state: State, lost: ViewLost) -> Flight:
    """Nothing watches any more; if it did not before in this turn, that is still open."""
    flight = gather(state.flight, lost)
    if is_unwatched(flight, state.turn):
        return flight
    return replace(flight, unwatched=lost.t, lay=tuple(die.value for die in flight.rested))


def _is_as_before(flight: Flight, bench: Bench, rest: DiceAtRest) -> bool:
    """Whether all dice lie there, and surely show what those did that lay there when nothing watched any more."""
    values = [bench.sure(die) for die in rest.dice if die.state != "off_tray"]
    return len(values) == bench.dice and None not in values and Counter(values) == Counter(flight.lay)


def _is_taken_up(rulings: Sequence[Ruling]) -> bool:
    """Whether a throw is held, asked about or refused because another may have been made before it."""
    held = (RollHeld, RollUnseen, DieAsked, RerollOrdered)
    return any(isinstance(ruling, held) or ruling.reason in (VIEW_LOST, "interference") for ruling in rulings)


def _is_unseen(turn: Turn) -> bool:
    """Whether people decide on a throw that nobody saw come to rest."""
    return isinstance(turn.question, OpenRoll) and turn.question.unseen


def _is_roll_in_the_air(state: State) -> bool:
    """Whether dice are being thrown that could be a roll, and it is not in question already."""
    question = state.turn.question
    allowed = state.turn.roll < state.rolls_allowed or isinstance(question, Reroll)
    barred = pressed.barred(state, state.flight)
    return state.flight.count > 0 and allowed and not isinstance(question, OpenRoll) and not barred


# --- what people said ------------------------------------------------------------------------------------------


def _on_input(state: State, told: PlayerInput, bench: Bench) -> Step:
    match told:
        case BoxChosen():
            return choice.choose(state, told, bench)
        case BoxAgreed():
            return choice.on_agreed(state, told, bench)
        case BoxDisputed():
            return referee.on_disputed(state, told, bench)
        case CryAnswered():
            return choice.on_cry(state, told, bench)
        case HoldAnswered() | ReadingAnswered() | DieAnswered():
            return _on_answer(state, told, bench)
        case HouseRulesDeclared():
            return house.on_declared(state, told, bench)
        case HouseRuleCalled():
            return house.on_called(state, told, bench)
        case ThrowOffStopped():
            return _on_stopped(state, told, bench)
        case _:
            return _on_call(state, told, bench)


def _on_call(state: State, told: PlayerInput, bench: Bench) -> Step:
    """What stops the play, or sets it back."""
    match told:
        case PauseCalled():
            return referee.on_paused(state, told, bench)
        case ResumeCalled():
            return referee.on_resumed(state, told, bench)
        case RefereeCalled():
            return referee.on_called(state, told, bench)
        case RefereeDecided():
            return referee.on_decided(state, told, bench)
        case Undo():
            return undo.on_undo(state, told, bench)
        case RecordingEnded():
            return _end_recording(state, bench)
        case _:
            return state, ()


def _on_answer(state: State, told: HoldAnswered | ReadingAnswered | DieAnswered, bench: Bench) -> Step:
    """An answer to an open question; while play waits none is heard, and one to nothing that was asked says so."""
    if state.barred:
        return said(state, CallRefused(**bench.head("roll", state.barred), call="answer"))
    match told:
        case HoldAnswered():
            outcome = on_hold_answered(bench, state.turn, told)
        case ReadingAnswered():
            outcome = on_reading_answered(bench, state.turn, told)
        case DieAnswered():
            outcome = on_die_answered(bench, state.turn, told)
    if outcome == (state.turn, ()):
        reason = "bad_reading" if _is_about_asked(state, told) else "nothing_asked"
        return said(state, CallRefused(**bench.head("roll", reason), call="answer"))
    return after_roll(state, outcome, bench)


def _is_about_asked(state: State, told: PlayerInput) -> bool:
    """Whether the answer is a value for a die that was asked about."""
    return isinstance(told, ReadingAnswered) and any(die.id == told.id for die in state.asked)


def _on_stopped(state: State, told: ThrowOffStopped, bench: Bench) -> Step:
    """In a throw-off the player takes the roll that counted last."""
    if state.barred or told.player != state.player or not state.contest or state.turn.question or not state.turn.values:
        reason = state.barred or ("not_your_turn" if told.player != state.player else "no_roll")
        return said(state, CallRefused(**bench.head("throw_off", reason, about=told.player), call="stop"))
    return contest.take_sum(state, bench)


def _end_recording(state: State, bench: Bench) -> Step:
    """There is no more to see. Where nobody chooses, a roll that has counted still goes in its best box."""
    rulings: tuple[Ruling, ...] = ()
    if state.options.automatic_boxes and state.legal and not state.barred:
        state, rulings = choice.enter_automatically(state, bench)
    if state.over:
        return state, rulings
    state, ended = _close_early(state, bench.now(state))
    return state, rulings + ended


def _close_early(state: State, bench: Bench) -> Step:
    """The match ends where it is: not complete, unless only a throw-off was still to come."""
    complete = not any(can_play(state, player) for player in range(len(state.players)))
    players = state.contest.players if complete and state.contest else ()
    return close_match(state, bench, tuple(state.players[player] for player in players), complete)

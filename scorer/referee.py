"""Disputes and pauses: play waits, and people decide. The umpire gives no penalty and guesses nothing of its own."""

from dataclasses import replace

from scorer.answers import on_hold_answered, on_reading_answered
from scorer.bench import Bench, restore
from scorer.choice import agree, marker_objection
from scorer.contest import without_disqualified
from scorer.dice import FACES
from scorer.events import (
    BoxDisputed,
    CallRefused,
    DisputeOpened,
    HoldAnswered,
    MatchPaused,
    MatchResumed,
    PauseCalled,
    ReadingAnswered,
    RefereeCalled,
    RefereeDecided,
    RefereeRuled,
    ResumeCalled,
    RollCounted,
    RollRefused,
    Ruling,
)
from scorer.finish import pass_over_disqualified
from scorer.rolls import after_roll
from scorer.said import RefereeAction
from scorer.state import Dispute, Mark, State, Step, said
from scorer.turn import Die, OpenRoll, Turn
from scorer.turns import can_play, close_match, leaders
from scorer.undo import agree_together, bar_the_air, find_mark, last_roll, take_back


def on_called(state: State, called: RefereeCalled, bench: Bench) -> Step:
    """Anybody calls the referee: play waits."""
    if state.dispute:
        return said(state, CallRefused(**bench.head("referee", "dispute"), call="referee"))
    return _open(state, bench, called.player, box=False)


def on_disputed(state: State, disputed: BoxDisputed, bench: Bench) -> Step:
    """The marker does not agree with the box: play waits."""
    reason = marker_objection(state, disputed.player)
    if reason is not None:
        return said(state, CallRefused(**bench.head("box", reason, about=disputed.player), call="dispute"))
    return _open(state, bench, disputed.player, box=True)


def _open(state: State, bench: Bench, by: str | None, box: bool) -> Step:
    state, rulings = said(state, DisputeOpened(**bench.head("dispute"), by=by))
    return replace(state, dispute=Dispute(rulings[0].entry, box)), rulings


def on_paused(state: State, called: PauseCalled, bench: Bench) -> Step:
    """Somebody is away: all wait."""
    if state.paused:
        return said(state, CallRefused(**bench.head("referee", "paused"), call="pause"))
    return said(replace(state, paused=True), MatchPaused(**bench.head("paused"), by=called.player))


def on_resumed(state: State, called: ResumeCalled, bench: Bench) -> Step:
    """All are back."""
    if not state.paused:
        return said(state, CallRefused(**bench.head("paused", "not_paused"), call="resume"))
    return said(replace(state, paused=False), MatchResumed(**bench.head("paused"), by=called.player))


# --- the referee's decision ------------------------------------------------------------------------------------


def on_decided(state: State, decided: RefereeDecided, bench: Bench) -> Step:
    """The dispute is closed as the referee says; without a reason, or where it cannot be done, it stays open.

    After the end of the match too: nobody has to look into an incident while all wait. A roll that is corrected or
    thrown again then opens the match again.
    """
    state = _still_open(state)
    reason = _objection(state, decided)
    if reason is not None:
        return said(state, CallRefused(**bench.head("referee", reason), call=decided.action))
    state, ruled = said(replace(state, dispute=None), _ruling(state, decided, bench))
    match decided.action:
        case "confirm":
            state, more = _confirm(state, bench)
        case "correct_reading":
            state, more = _correct(state, decided, bench)
        case "restore_die":
            state, more = _restore(state, decided, bench)
        case "throw_again":
            state, more = _throw_again(state, decided, bench)
        case "withdraw":  # nobody decides: what was asked before is asked again
            more = ()
        case _:
            state, more = _about_player(state, decided, bench)
    return state, ruled + more


def settlements(state: State) -> tuple[RefereeAction, ...]:
    """How people at the table can end the dispute that is open, without saying more."""
    if state.dispute is None:
        return ()
    ways: tuple[RefereeAction, ...] = ("confirm", "throw_again", "withdraw")
    state = _still_open(state)
    return tuple(way for way in ways if _objection(state, RefereeDecided(t=0.0, action=way, reason="said")) is None)


def _still_open(state: State) -> State:
    """The state without what has ended with the match, if that is over."""
    return replace(state, turn=Turn(), proposal=None) if state.over else state


def _objection(state: State, decided: RefereeDecided) -> str | None:
    """Why this cannot be decided now, or None."""
    if not decided.reason.strip():
        return "no_reason"
    if state.dispute is None and not _is_asked(state, decided):
        return "no_dispute"
    if decided.replaces is not None and not 1 <= decided.replaces <= state.entries:
        return "no_such_entry"
    match decided.action:
        case "confirm":
            return None if _can_confirm(state) else "nothing_to_confirm"
        case "correct_reading":
            if decided.after not in FACES or decided.after == decided.before or not _can_correct(state, decided):
                return "bad_reading"
            return _box_objection(state, decided)
        case "restore_die":
            die = _die_decided_on(state.turn, decided)
            agrees = die is not None and {decided.before, decided.after} <= {None, die.value}
            return None if agrees else "bad_reading"
        case "withdraw":
            return None if state.dispute else "no_dispute"
        case "throw_again":
            nothing = state.turn.question is None or decided.replaces is not None
            none = nothing and _roll_decided_on(state, decided) is None
            return "no_roll" if none else _box_objection(state, decided)
        case _:
            return _player_objection(state, decided)


def _can_confirm(state: State) -> bool:
    """Whether anything stands: of what is open only a held roll whose dice were all seen can be let count."""
    question = state.turn.question
    return not isinstance(question, OpenRoll) or bool(question.doubt and question.dice and not question.gone)


def _box_objection(state: State, decided: RefereeDecided) -> str | None:
    """A box that was entered falls only if two players agree (BHO competition rules, line 142)."""
    roll = _roll_decided_on(state, decided)
    falls = roll is not None and roll.cards != state.cards
    return "undo_needs_two" if falls and not agree_together(state, decided.by) else None


def _is_asked(state: State, decided: RefereeDecided) -> bool:
    """Whether a question is open that the referee may decide on."""
    return isinstance(state.turn.question, OpenRoll) and (decided.action != "confirm" or _can_confirm(state))


def _player_objection(state: State, decided: RefereeDecided) -> str | None:
    if decided.player not in state.players:
        return "unknown_player"
    is_out = decided.player in state.out
    return "unknown_player" if is_out != (decided.action == "reinstate") else None


def _ruling(state: State, decided: RefereeDecided, bench: Bench) -> RefereeRuled:
    about_die = decided.action in ("correct_reading", "restore_die")
    offences = state.warned.count(decided.player or "") + 1
    return RefereeRuled(
        **{**bench.head("referee", about=decided.player), "reason": decided.reason.strip()},
        replaces=_decided_entry(state, decided),
        action=decided.action,
        before=decided.before if about_die else None,
        after=decided.after if about_die else None,
        offence=offences if decided.action == "warn" else None,
        votes=decided.votes,
    )


def _decided_entry(state: State, decided: RefereeDecided) -> int:
    """The entry named; else the box in dispute, the roll or question decided on, or the call of the referee."""
    if decided.replaces is not None:
        return decided.replaces
    dispute, question = state.dispute, state.turn.question
    if dispute and dispute.box and state.proposal:
        return state.proposal.entry
    roll = _roll_decided_on(state, decided)
    if decided.action in ("correct_reading", "throw_again") and (roll or question):
        return roll.entry if roll else question.entry if question else 0
    return dispute.entry if dispute else question.entry if question else 0


def _confirm(state: State, bench: Bench) -> Step:
    """What was ruled stands: a box proposed is agreed to, a held roll counts as far as its values are sure."""
    if state.proposal:
        return agree(state, bench)
    return after_roll(state, on_hold_answered(bench, state.turn, HoldAnswered(t=bench.t, counts=True)), bench)


def _correct(state: State, decided: RefereeDecided, bench: Bench) -> Step:
    """A die has another value than was read: an answer to what was asked, or the roll is counted anew with it."""
    value = decided.after or 0
    asked = _asked_die(state.turn, decided) if decided.replaces is None else None
    if asked is not None:
        answer = ReadingAnswered(t=bench.t, id=asked.id, value=value)
        return after_roll(state, on_reading_answered(bench, state.turn, answer), bench)
    roll = _roll_decided_on(state, decided)
    assert roll is not None
    turn = _turn_of(state, roll, decided)
    wrong = _die_decided_on(turn, decided)
    assert wrong is not None and wrong.value is not None
    place = turn.lying.index(wrong)
    lying = (*turn.lying[:place], Die(wrong.id, value, by_people=True), *turn.lying[place + 1 :])
    place = turn.values.index(wrong.value)
    values = tuple(sorted((*turn.values[:place], value, *turn.values[place + 1 :])))
    calls_stand = turn is state.turn
    state, undone = take_back(state, roll, bench, decided.by, "referee", calls_stand)
    state = state if calls_stand else bar_the_air(state, bench.t)
    before = replace(state, used=roll.used)
    state = without_disqualified(replace(state, turn=turn))
    bench = bench.now(state)
    counted = RollCounted(
        **bench.head("roll", "referee"),
        replaces=roll.entry,
        roll=turn.roll,
        values=values,
        legal=bench.legal(values),
        kept=roll.kept,
    )
    turn = replace(turn, values=values, lying=lying, question=None, forced=False)
    state, more = after_roll(state, (turn, (counted,)), bench, before)
    return state, undone + more


def _restore(state: State, decided: RefereeDecided, bench: Bench) -> Step:
    die = _die_decided_on(state.turn, decided)
    assert die is not None and die.value is not None
    turn, order = restore(bench, state.turn, die.id, die.value, "referee")
    return said(replace(state, turn=turn), order)


def _throw_again(state: State, decided: RefereeDecided, bench: Bench) -> Step:
    """The roll is undone and thrown again."""
    undone: tuple[Ruling, ...] = ()
    replaces = state.turn.question.entry if state.turn.question else None
    number = state.roll
    roll = _roll_decided_on(state, decided)
    if roll is not None:
        state, undone = take_back(state, roll, bench, decided.by, "referee")
        replaces, number = roll.entry, roll.after.roll if roll.after else number
    state = without_disqualified(replace(state, turn=state.turn.without_question))
    state = bar_the_air(state, bench.t)
    refused = RollRefused(**bench.now(state).head("roll", "referee"), replaces=replaces, roll=number)
    state, more = said(state, refused)
    return state, undone + more


def _about_player(state: State, decided: RefereeDecided, bench: Bench) -> Step:
    """A warning is counted, a disqualified player has no turn any more, a reinstated one has.

    After the end the places are told anew, by the totals as they are.
    """
    name = decided.player or ""
    if decided.action == "warn":
        return replace(state, warned=(*state.warned, name)), ()
    complete = not any(can_play(state, player) for player in range(len(state.players)))
    state = replace(state, out=state.out ^ {name})
    if state.over:
        best = leaders(state) if complete else ()
        won = tuple(leader for leader in best if leader not in state.beaten)  # a tie that was broken stays so
        return close_match(state, bench.now(state), won or best, complete, state.beaten)
    return pass_over_disqualified(state, bench)


# --- what is decided on ----------------------------------------------------------------------------------------


def _roll_decided_on(state: State, decided: RefereeDecided) -> Mark | None:
    """The roll that counted: the one named, else the last of this turn. One of the disqualified stays as it is."""
    if decided.replaces is not None:
        roll = find_mark(state, decided.replaces)
    else:
        counted = state.turn.values and state.turn.question is None
        roll = last_roll(state) if counted else None
    return roll if roll and roll.after and state.players[roll.current] not in state.out else None


def _turn_of(state: State, roll: Mark, decided: RefereeDecided) -> Turn:
    """The turn with that roll: as the dice lie now, if the die is still there, else as they lay when it counted."""
    assert roll.after is not None
    turn = state.turn
    counted = roll is last_roll(state) and turn.question is None and turn.values and turn.roll == roll.after.roll
    return turn if counted and _die_decided_on(turn, decided) else roll.after


def _die_decided_on(turn: Turn, decided: RefereeDecided) -> Die | None:
    """The die of that id, or the first one with that value."""
    value = decided.before if decided.before is not None else decided.after
    for die in turn.lying:
        if die.value is not None and (die.id == decided.id if decided.id is not None else die.value == value):
            return die
    return None


def _asked_die(turn: Turn, decided: RefereeDecided) -> Die | None:
    """The die that people are asked about: the one of that id, or the only one."""
    if not isinstance(turn.question, OpenRoll):
        return None
    asked = turn.question.unsure or turn.question.lost
    if decided.id is None:
        return asked[0] if len(asked) == 1 else None
    return next((die for die in asked if die.id == decided.id), None)


def _can_correct(state: State, decided: RefereeDecided) -> bool:
    """Whether there is a die to correct."""
    if decided.replaces is None and isinstance(state.turn.question, OpenRoll):
        asked = _asked_die(state.turn, decided)
        values = [die.value for die in state.turn.question.candidates]
        return asked is not None and (asked in state.turn.question.unsure or decided.after in values)
    roll = _roll_decided_on(state, decided)
    die = _die_decided_on(_turn_of(state, roll, decided), decided) if roll else None
    return die is not None and decided.before in (None, die.value) and decided.after != die.value

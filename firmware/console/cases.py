"""What the referee is shown: what is open first, and for each case what can be decided on it."""

from collections.abc import Iterator
from dataclasses import dataclass

from firmware.console.told import Said, said
from firmware.evidence.history import Case, History, Ruled
from scorer.events import DisputeOpened, RollCounted, Ruling
from scorer.messages import say, words_for
from scorer.state import State
from scorer.turn import OpenRoll

KINDS = {"DisputeOpened": "Dispute", "IncidentRecorded": "Incident"}
OPEN_QUESTIONS = ("hold", "reading", "die", "reroll")


@dataclass(frozen=True, slots=True)
class Told:
    """A dispute, an incident or an open question as a line of a list; `settled` is what the referee decided on it."""

    entry: int
    kind: str
    said: Said
    why: str
    settled: Said | None
    is_open: bool


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll that still stands and can be corrected: its dice, and whether boxes entered since fall with it."""

    said: Said
    dice: tuple[tuple[int, int], ...]
    falls: bool


@dataclass(frozen=True, slots=True)
class Choices:
    """What the referee can decide now.

    `confirms` says what is confirmed; `asked` are the dice whose value is asked for; `lying` those with a value.
    """

    open_dispute: int | None
    can_rule: bool
    confirms: str
    rolls: tuple[Roll, ...]
    asked: tuple[int, ...]
    lying: tuple[tuple[int, int], ...]
    players: tuple[str, ...]
    out: frozenset[str]
    warned: tuple[str, ...]


def cases_of(history: History) -> tuple[list[Told], list[Told]]:
    """The cases that are open, disputes and questions first, and those that are settled, the newest first."""
    disputes = [told for case in reversed(history.disputes) if (told := _told(case))]
    incidents = [told for case in reversed(history.incidents) if (told := _told(case))]
    every = [*disputes, *_questions(history), *incidents]
    settled = sorted((told for told in every if not told.is_open), key=lambda told: -told.entry)
    return [told for told in every if told.is_open], settled


def case_of(history: History, entry: int) -> Case | None:
    """The dispute or incident of that number; any other ruling as one on which nothing was decided."""
    for case in (*history.disputes, *history.incidents):
        if case.opened.ruling.entry == entry:
            return case
    ruled = history.ruled(entry)
    return Case(ruled, (), None) if ruled else None


def title_of(case: Case) -> str:
    """What the case is, in words."""
    ruling = case.opened.ruling
    kind = KINDS.get(type(ruling).__name__)
    return f"{kind} {ruling.entry}: {_why(ruling)}" if kind else f"Ruling {ruling.entry}: {say(ruling)}"


def choices_of(state: State, rulings: tuple[Ruled, ...]) -> Choices:
    """What the referee can decide in this state."""
    question = None if state.over else state.turn.question
    asked = () if state.over else state.asked
    lying = tuple((die.id, die.value) for die in state.turn.lying if die.value is not None and not state.over)
    return Choices(
        open_dispute=state.dispute.entry if state.dispute else None,
        can_rule=state.dispute is not None or isinstance(question, OpenRoll),
        confirms=_confirms(state),
        rolls=tuple(_rolls(state, rulings)),
        asked=tuple(die.id for die in asked),
        lying=lying,
        players=state.players,
        out=state.out,
        warned=state.warned,
    )


def _told(case: Case) -> Told:
    ruling = case.opened.ruling
    kind = KINDS[type(ruling).__name__]
    settled = said(case.settled.ruling) if case.settled else None
    return Told(ruling.entry, kind, said(ruling), _why(ruling), settled, case.is_open)


def _why(ruling: Ruling) -> str:
    if isinstance(ruling, DisputeOpened):
        return f"called by {ruling.by or 'somebody'}"
    return words_for(ruling.reason)


def _questions(history: History) -> Iterator[Told]:
    """The question that the game waits with, if any."""
    state = history.state
    question = state.turn.question if state else None
    if state is None or question is None or state.waiting_for not in OPEN_QUESTIONS:
        return
    ruled = history.ruled(question.entry)
    if ruled is not None:
        yield Told(question.entry, "Question", said(ruled.ruling), words_for(ruled.ruling.reason), None, True)


def _confirms(state: State) -> str:
    if state.over:
        return "All that was ruled stands."
    if state.proposal:
        box = state.proposal.placement
        return f"{box.box} is entered for {state.player} with {box.points} points, and play goes on."
    if isinstance(state.turn.question, OpenRoll):
        return "The roll that is held counts, as far as its values are sure, and play goes on."
    return "All that was ruled stands, and play goes on."


def _rolls(state: State, rulings: tuple[Ruled, ...]) -> Iterator[Roll]:
    """The rolls that still stand, the newest first; of those before the last turn none."""
    by_entry: dict[int, Ruling] = {ruled.ruling.entry: ruled.ruling for ruled in rulings}
    marks = [mark for mark in state.history if mark.after and state.players[mark.current] not in state.out]
    for mark in reversed(marks[-6:]):
        ruling = by_entry.get(mark.entry)
        if mark.after is not None and isinstance(ruling, RollCounted):
            dice = tuple((die.id, die.value) for die in mark.after.lying if die.value is not None)
            yield Roll(said(ruling), dice, mark.cards != state.cards)

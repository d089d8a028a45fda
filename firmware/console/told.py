"""What the pages tell of a match, once for all who look: the same as JSON and in the pages' templates."""

from collections.abc import Sequence

from pydantic import BaseModel

from firmware.drawn.sums import sums
from scorer.events import IncidentRecorded, RefereeRuled, RollCounted, Ruling, TurnEnded, TurnStarted
from scorer.legal import REASONS, placements
from scorer.messages import say
from scorer.presets import RULESETS
from scorer.settings import on_card
from scorer.state import State, Waiting

LATEST = 8
"""So many of the last rulings are on the live page."""

_WAITS: dict[Waiting, str] = {
    "throw": "{player} is to throw roll {next} of {rolls}",
    "box": "{player} is to choose a box",
    "agreement": "{marker} is asked: {box} for {points} points?",
    "cry": "Was the Yahtzee cried out?",
    "reroll": "{player} is to throw some dice again; the others stay",
    "hold": "Does this roll count? {marker} says yes or no",
    "reading": "Which value does the die show? {marker} says",
    "die": "Where is the die: thrown, or kept back in the hand?",
    "dispute": "Play waits for the referee",
    "resume": "Paused: somebody is away",
    "nothing": "The match is over",
}


class Box(BaseModel):
    """A box that the roll may go in; `bonus` comes on top."""

    box: str
    title: str
    points: int
    bonus: int


class ClosedBox(BaseModel):
    """A box that the roll may not go in, and the rule that says so."""

    box: str
    title: str
    reason: str
    rule: str


class Row(BaseModel):
    """A row of the score cards: a box, or a sum below; None where a box is open."""

    name: str
    title: str
    points: list[int | None]
    is_sum: bool = False


class Said(BaseModel):
    """A ruling in words, with the rule it rests on; `before` and `after` of a die that the referee corrected."""

    entry: int
    t: float
    name: str
    player: str | None
    text: str
    reason: str | None
    rule: str
    replaces: int | None
    values: list[int] = []
    before: int | None = None
    after: int | None = None


class Match(BaseModel):
    """How the match stands. `entry` is that of the last ruling; `since`: from when the player's time runs, s.

    `code`: what players note of a match that is closed.
    """

    entry: int
    rules: str
    chosen: str
    players: list[str]
    out: list[str]
    player: str
    marker: str | None
    roll: int
    rolls: int
    dice: list[int | None]
    waiting_for: Waiting
    told: str
    message: str
    since: float | None
    limit: float | None
    legal: list[Box]
    closed: list[ClosedBox]
    card: list[Row]
    latest: list[Said]
    over: bool
    code: str


def match_of(state: State, rulings: Sequence[Ruling], code: str = "") -> Match:
    """How the match stands in this state after these rulings."""
    return Match(
        entry=state.entries,
        rules=state.rules.title,
        chosen=on_card(RULESETS.get(state.rules.name, state.rules), state.rules),
        players=list(state.players),
        out=sorted(state.out),
        player=state.player,
        marker=state.marker,
        roll=state.roll,
        rolls=state.rolls_allowed,
        dice=list(state.dice),
        waiting_for=state.waiting_for,
        told=waits(state),
        message=state.message,
        since=state.since,
        limit=state.options.seconds_to_play,
        legal=_legal(state),
        closed=_closed(state),
        card=card_rows(state),
        latest=[said(ruling) for ruling in rulings[-4 * LATEST :] if is_told(ruling)][-LATEST:],
        over=state.over,
        code=code,
    )


def waits(state: State) -> str:
    """What the game waits for, in words."""
    box = state.proposal.placement if state.proposal else None
    if state.contest and state.waiting_for == "throw":
        return f"{state.player} throws {'for the start' if state.contest.purpose == 'start' else 'for the tie'}"
    return _WAITS[state.waiting_for].format(
        player=state.player,
        marker=state.marker or state.player,
        next=state.roll + 1,
        rolls=state.rolls_allowed,
        box=box.box if box else "",
        points=box.points if box else "",
    )


def card_rows(state: State) -> list[Row]:
    """The score cards of all: the boxes, then the sums."""
    boxes = [
        Row(name=slot.name, title=slot.box.title, points=[card.points.get(slot.name) for card in state.cards])
        for slot in state.rules.slots
    ]
    totals = list(state.totals.values())
    below = [
        Row(name=name, title=name, points=list[int | None](numbers), is_sum=True)
        for name, numbers in sums(state.rules, totals)
    ]
    return boxes + below


def said(ruling: Ruling) -> Said:
    """A ruling in words."""
    return Said(
        entry=ruling.entry,
        t=ruling.t,
        name=type(ruling).__name__,
        player=ruling.player,
        text=say(ruling) or type(ruling).__name__,
        reason=ruling.reason,
        rule=ruling.rule,
        replaces=ruling.replaces,
        values=list(ruling.values) if isinstance(ruling, RollCounted) else [],
        before=ruling.before if isinstance(ruling, RefereeRuled) else None,
        after=ruling.after if isinstance(ruling, RefereeRuled) else None,
    )


def is_told(ruling: Ruling) -> bool:
    """Whether people are told of it: that a turn ended shows by the next one; incidents are for the referee first."""
    return not isinstance(ruling, TurnEnded | TurnStarted | IncidentRecorded) and bool(say(ruling))


def _legal(state: State) -> list[Box]:
    names = state.rules.by_name
    return [
        Box(
            box=legal.box,
            title=names[legal.box].box.title,
            points=legal.points,
            bonus=legal.yahtzee_bonus + legal.upper_bonus + legal.house_bonus,
        )
        for legal in state.legal
    ]


def _closed(state: State) -> list[ClosedBox]:
    if not state.legal:
        return []
    chance_only = "chance_chance" in state.turn.calls
    _, refused = placements(state.rules, state.card, state.turn.values, chance_only)
    names = state.rules.by_name
    return [
        ClosedBox(
            box=refusal.box,
            title=names[refusal.box].box.title,
            reason=REASONS[refusal.reason],
            rule=state.rules.texts[refusal.reason],
        )
        for refusal in refused
    ]

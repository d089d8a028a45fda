"""What the umpire knows at a moment: the match, the turn, and what it waits for.

Everything is frozen and nothing else is kept: the same facts in the same order give the same state, and a step makes
a new one, so that a refused throw can give back the state before it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal
from unicodedata import category, normalize

from scorer.card import Card, Totals, totals
from scorer.errors import MatchError
from scorer.legal import best_first, placements
from scorer.messages import message
from scorer.ruled import LegalBox, Purpose, Ruling
from scorer.rules import Ruleset
from scorer.seen import DiceAtRest
from scorer.turn import Die, Flight, OpenRoll, Reroll, Turn

StrictRule = Literal["staggered", "weak_throw", "interference", "more_than_ordered", "view_lost"]
Waiting = Literal[
    "throw", "box", "agreement", "cry", "reroll", "hold", "reading", "die", "dispute", "resume", "nothing"
]


@dataclass(frozen=True, slots=True)
class Options:
    """What the players agreed before the first throw.

    - `automatic_boxes`: nobody chooses, so the best box is entered after the last roll of a turn;
    - `strict`: throws of these kinds are refused at once instead of being held for people to decide;
    - `cocked_stands`: a leaning die that reads surely counts as it leans;
    - `as_it_lies`: a kept die that a throw turned keeps its new face;
    - `marker`: a box is entered once the player to the left agrees, else as soon as it is chosen;
    - `announce`: the roller announces the points with the box;
    - `throw_for_start`: the players throw for who starts; else `starter` does, or who is listed first;
    - `seconds_to_play`: who takes longer to throw or to choose is reminded once, where a limit was agreed.
    """

    automatic_boxes: bool = False
    strict: frozenset[StrictRule] = frozenset()
    cocked_stands: bool = False
    as_it_lies: bool = False
    marker: bool = False
    announce: bool = False
    throw_for_start: bool = False
    starter: str | None = None
    seconds_to_play: float | None = None


@dataclass(frozen=True, slots=True)
class Contest:
    """A throw-off: these players (by number, in order) throw for the highest sum; `sums` of those who have."""

    purpose: Purpose
    players: tuple[int, ...]
    dice: int
    rolls: int
    sums: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A box that was chosen and is not entered yet; `agreed`: only the battle cry is still to be answered.

    `crossed` and `automatic` as in `BoxEntered`.
    """

    placement: LegalBox
    entry: int
    crossed: bool = False
    automatic: bool = False
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Dispute:
    """Play waits for the referee; `box`: the dispute is about the box proposed."""

    entry: int
    box: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """Why what was thrown from one time to another (s) is no roll, or none yet."""

    reason: str
    since: float
    until: float = math.inf


@dataclass(frozen=True, slots=True)
class Mark:
    """How play stood before a roll was counted, a box was entered or a house rule was called, for an undo.

    Of a roll `after` is the turn with it, and `kept` what was kept for it; a house rule was `called` then (s).
    """

    entry: int
    cards: tuple[Card, ...]
    current: int
    before: Turn
    contest: Contest | None
    used: frozenset[tuple[str, str]]
    after: Turn | None = None
    kept: tuple[int, ...] = ()
    called: float | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The whole match as the umpire, the display and the terminal know it.

    `used` are the house rules that players have called in this match, `out` the disqualified players, `warned` who
    was warned, once for each time, `beaten` who lost the throw-off of a match that is over. `since` is when it became
    the player's time to go on (s), None once reminded. `rest`: what was seen at rest last. `begun`: dice of the match
    itself have been thrown; `started` is the entry that opened the match, and `entries` counts all. `bars`: when
    nothing was to be thrown, since the last throw came to rest.
    """

    rules: Ruleset
    options: Options
    players: tuple[str, ...]
    cards: tuple[Card, ...]
    current: int = 0
    turn: Turn = field(default_factory=Turn)
    contest: Contest | None = None
    proposal: Proposal | None = None
    dispute: Dispute | None = None
    paused: bool = False
    used: frozenset[tuple[str, str]] = frozenset()
    out: frozenset[str] = frozenset()
    warned: tuple[str, ...] = ()
    flight: Flight = field(default_factory=Flight)
    bars: tuple[Bar, ...] = ()
    since: float | None = 0.0
    frame: int = 0
    rest: DiceAtRest | None = None
    begun: bool = False
    over: bool = False
    beaten: frozenset[str] = frozenset()
    started: int = 0
    entries: int = 0
    last: tuple[Ruling, ...] = ()
    history: tuple[Mark, ...] = ()

    @property
    def player(self) -> str:
        """Whose turn it is."""
        return self.players[self.current]

    @property
    def card(self) -> Card:
        """The card of the player whose turn it is."""
        return self.cards[self.current]

    @property
    def marker(self) -> str | None:
        """Who checks the box: the next player to the left who is still in the match; None where one plays alone."""
        order = self.players[self.current + 1 :] + self.players[: self.current]
        return next((name for name in order if name not in self.out), None)

    @property
    def roll(self) -> int:
        """How many rolls of the turn have been used, an open one included."""
        question = self.turn.question
        return max(self.turn.roll, question.roll if question else 0)

    @property
    def rolls_allowed(self) -> int:
        """How many rolls this turn may have."""
        if self.contest:
            return self.contest.rolls
        if self.turn.forced:
            return self.turn.roll
        return self.rules.rolls + len(self.turn.calls & {"mulligan", "chance_chance"})

    @property
    def dice_in_play(self) -> int:
        """How many dice this turn is thrown with."""
        return self.contest.dice if self.contest else self.rules.dice + ("mega_yahtzee" in self.turn.calls)

    @property
    def done(self) -> bool:
        """Whether the match is over, and the referee looks into nothing any more."""
        return self.over and not self.dispute

    @property
    def barred(self) -> str | None:
        """Why nothing may be thrown or chosen now, or None."""
        if self.dispute:
            return "dispute"
        if self.paused:
            return "paused"
        return "cry_asked" if self.proposal and self.proposal.agreed else None

    @property
    def no_throw(self) -> str | None:
        """Why nothing may be thrown now, or None: play waits, or the marker is looking at the dice of a box."""
        return self.barred or ("box_proposed" if self.proposal else None)

    @property
    def dice(self) -> tuple[int | None, ...]:
        """The values on the table, sorted; None for each die that nobody is sure of."""
        question = self.turn.question
        if question is None and self.turn.values:
            return self.turn.values
        values = [die.value for die in self.turn.lying]
        return (*sorted(value for value in values if value is not None), *(None for value in values if value is None))

    @property
    def waiting_for(self) -> Waiting:
        """What the game waits for: people's word, dice to be thrown again, a box, a throw, or nothing any more."""
        if self.done:
            return "nothing"
        if self.dispute or self.paused:
            return "dispute" if self.dispute else "resume"
        if self.proposal:
            return "cry" if self.proposal.agreed else "agreement"
        match self.turn.question:
            case Reroll():
                return "reroll"
            case OpenRoll() as roll:
                return "die" if roll.gone else "hold" if roll.doubt else "reading"
        return "box" if self.turn.roll >= self.rolls_allowed else "throw"

    @property
    def asked(self) -> tuple[Die, ...]:
        """The dice of an open roll whose values people are asked for, the next one first."""
        question = self.turn.question
        return question.asked if isinstance(question, OpenRoll) else ()

    @property
    def may_lean(self) -> bool:
        """Whether the die whose value is asked for may turn out to lean, so that it has none."""
        question = self.turn.question
        return isinstance(question, OpenRoll) and bool(question.unsure) and not self.options.cocked_stands

    @property
    def legal(self) -> tuple[LegalBox, ...]:
        """Where the last roll that counted may go, best first; empty while no roll has counted or one is open."""
        if self.over or self.contest or not self.turn.values or self.turn.question is not None:
            return ()
        chance_only = "chance_chance" in self.turn.calls
        return best_first(self.rules, self.card, placements(self.rules, self.card, self.turn.values, chance_only)[0])

    @property
    def totals(self) -> Mapping[str, Totals]:
        """What each player has so far."""
        return {name: totals(self.rules, card) for name, card in zip(self.players, self.cards, strict=True)}

    @property
    def message(self) -> str:
        """The most pressing of the rulings last made, in a few words."""
        return message(self.last)


Step = tuple[State, tuple[Ruling, ...]]
"""The state afterwards, and what was ruled."""


def said(state: State, *rulings: Ruling) -> Step:
    """Number the rulings: every one gets its entry here, once, in the order in which it is made."""
    numbered = tuple(replace(ruling, entry=number) for number, ruling in enumerate(rulings, state.entries + 1))
    return replace(state, entries=state.entries + len(rulings)), numbered


UNWRITABLE = {"Cc", "Cs", "Zl", "Zp"}
"""Unicode's categories of what no name holds: it ends a line, steers a terminal, or cannot be written as UTF-8."""


def new_match(rules: Ruleset, players: tuple[str, ...], options: Options) -> State:
    """The state before the first throw. Raises `MatchError` where the players cannot be told apart."""
    if not players or not all(name.strip() for name in players):
        raise MatchError("players: every player needs a name, such as --players Ann,Ben")
    spelt = [normalize("NFC", name) for name in players]
    for name in players:
        if {category(letter) for letter in name} & UNWRITABLE:
            raise MatchError(f"players: {name!a} holds a control character, or a byte that is no letter; write it anew")
        if spelt.count(normalize("NFC", name)) > 1:
            raise MatchError(f"players: {name!r} is there twice; give each player a name of their own")
    if options.starter is not None and options.starter not in players:
        raise MatchError(f"starter: {options.starter!r} does not play; the players are {', '.join(players)}")
    current = players.index(options.starter) if options.starter is not None else 0
    return State(rules, options, players, cards=tuple(Card() for _ in players), current=current)

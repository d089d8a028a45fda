"""What the umpire knows at a moment: the match, the turn, the dice as they lie, and the question that is open.

Everything is frozen: a step makes a new state, so that a refused throw can give back the state before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from scorer.card import Card, Totals, totals
from scorer.errors import MatchError
from scorer.events import LegalBox, Ruling
from scorer.legal import best_first, placements
from scorer.messages import message
from scorer.rules import Ruleset

StrictRule = Literal["staggered", "weak_throw"]
Waiting = Literal["throw", "box", "reroll", "hold", "reading", "die", "nothing"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the players agreed before the first throw.

    - `automatic_boxes`: nobody chooses, so the best box is entered after the last roll of a turn;
    - `strict`: throws of these kinds are refused at once instead of being held for people to decide;
    - `cocked_stands`: a leaning die that reads surely counts as it leans;
    - `as_it_lies`: a kept die that a throw turned keeps its new face.
    """

    automatic_boxes: bool = False
    strict: frozenset[StrictRule] = frozenset()
    cocked_stands: bool = False
    as_it_lies: bool = False


@dataclass(frozen=True, slots=True)
class Die:
    """A die as it lies for the record: its value, None while nobody is sure, and whether people decided it."""

    id: int
    value: int | None
    by_people: bool = False


@dataclass(frozen=True, slots=True)
class Flight:
    """What was seen since the last throw came to rest; `off_tray` are the ids that lay off the floor even then.

    `blind`: the picture cannot be trusted now; `view_lost`: it could not at some time since, and no throw has begun
    in clear view afterwards; `seen_since`: when the view last came back (s).
    """

    count: int = 0
    t_first: float = 0.0
    t_last: float = 0.0
    tumble: tuple[float, ...] = ()
    over_rim: int = 0
    over_rim_ids: frozenset[int] = frozenset()
    lifted: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    interfered: bool = False
    blind: bool = False
    view_lost: bool = False
    seen_since: float = 0.0
    off_tray: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Reroll:
    """`count` dice of this roll are to be thrown again while the others stay.

    Afterwards `doubt` holds it, and kept dice that were `lost` are asked about (see `OpenRoll`).
    """

    roll: int
    count: int
    doubt: str | None = None
    lost: tuple[Die, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenRoll:
    """A roll at rest that counts once people have answered.

    `doubt` is the reason why it is held; `entered` is when its first die came into the tray (s); `gone` dice were
    not seen to leave (`missing` are they, where known); `lost` are kept dice, with their values on record, that can
    no longer be told from the thrown ones. A die without a value is being asked about. `before` is the turn to
    return to if the roll is refused.
    """

    roll: int
    dice: tuple[Die, ...]
    before: "Turn"
    doubt: str | None = None
    entered: float = 0.0
    gone: int = 0
    missing: tuple[Die, ...] = ()
    lost: tuple[Die, ...] = ()

    @property
    def unseen(self) -> bool:
        """Whether the view was lost before its dice came to rest."""
        return not self.dice

    @property
    def unsure(self) -> tuple[Die, ...]:
        """The dice whose value nobody is sure of."""
        return tuple(die for die in self.dice if die.value is None)


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn: rolls used, values of the last roll that counted, dice on the floor, the open question.

    `restores` holds, by die, the values that kept dice were ordered back to.
    """

    roll: int = 0
    values: tuple[int, ...] = ()
    lying: tuple[Die, ...] = ()
    restores: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    question: Reroll | OpenRoll | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The whole match as the umpire, the display and the terminal know it."""

    rules: Ruleset
    options: Options
    players: tuple[str, ...]
    cards: tuple[Card, ...]
    current: int = 0
    turn: Turn = Turn()
    flight: Flight = Flight()
    frame: int = 0
    over: bool = False
    last: tuple[Ruling, ...] = ()

    @property
    def player(self) -> str:
        """Whose turn it is."""
        return self.players[self.current]

    @property
    def card(self) -> Card:
        """The card of the player whose turn it is."""
        return self.cards[self.current]

    @property
    def roll(self) -> int:
        """How many rolls of the turn have been used, an open one included."""
        question = self.turn.question
        return max(self.turn.roll, question.roll if question else 0)

    @property
    def rolls_allowed(self) -> int:
        """How many rolls a turn may have."""
        return self.rules.rolls

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
        """What the game waits for: a throw, a box, dice to be thrown again, an answer, or nothing any more."""
        question = self.turn.question
        if self.over:
            return "nothing"
        if isinstance(question, Reroll):
            return "reroll"
        if isinstance(question, OpenRoll):
            return "die" if question.gone else "hold" if question.doubt else "reading"
        return "box" if self.turn.roll >= self.rules.rolls else "throw"

    @property
    def legal(self) -> tuple[LegalBox, ...]:
        """Where the last roll that counted may go, best first; empty while no roll has counted or one is open."""
        if self.over or not self.turn.values or self.turn.question is not None:
            return ()
        return best_first(self.rules, self.card, placements(self.rules, self.card, self.turn.values)[0])

    @property
    def totals(self) -> Mapping[str, Totals]:
        """What each player has so far."""
        return {name: totals(self.rules, card) for name, card in zip(self.players, self.cards, strict=True)}

    @property
    def message(self) -> str:
        """The most pressing of the rulings last made, in a few words."""
        return message(self.last)


def new_match(rules: Ruleset, players: tuple[str, ...], options: Options) -> State:
    """The state before the first throw. Raises `MatchError` where the players cannot be told apart."""
    if not players or not all(name.strip() for name in players):
        raise MatchError("players: every player needs a name, such as --players Ann,Ben")
    for name in players:
        if players.count(name) > 1:
            raise MatchError(f"players: {name!r} is there twice; give each player a name of their own")
    return State(rules, options, players, cards=tuple(Card() for _ in players))

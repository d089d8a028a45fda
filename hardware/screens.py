"""What the players are shown, as plain data: the display's pictures are drawn from these alone."""

from dataclasses import dataclass
from typing import Literal

Box = tuple[str, int, int]
"""A box as the card abbreviates it, the points it earns, and the bonus that comes with them."""

Place = tuple[float, float]

Key = tuple[str, str]
"""A button and what it means now."""

Tone = Literal["told", "asked", "order", "refused", "wrong"]
"""How a notice is meant: something said, a question, something to be done, a refusal, or that something is broken."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A die where it lies, and whether it is one that the notice is about. `value`: None = not sure."""

    place: Place
    value: int | None
    meant: bool = False


@dataclass(frozen=True, slots=True)
class Tray:
    """The tray from above as the camera sees it: the floor's outline and the dice, in one unit, y down."""

    outline: tuple[Place, ...]
    dice: tuple[Lying, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """`player` is to throw roll number `roll` (1 is the first) of `rolls`; `message` says what to do, briefly."""

    player: str
    roll: int
    rolls: int
    message: str = ""


@dataclass(frozen=True, slots=True)
class Throwing:
    """So many dice of `player`'s roll are on their way."""

    player: str
    roll: int
    rolls: int
    count: int


@dataclass(frozen=True, slots=True)
class Counted:
    """Roll number `roll` counted: its dice (None = not sure) and every legal box, in any order."""

    player: str
    roll: int
    rolls: int
    dice: tuple[int | None, ...]
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Choosing:
    """The roller has turned to box number `place` of the `boxes`, whose name is `title`.

    `announced`: the points turned to, where the match asks for them; then those of the box are not shown.
    """

    player: str
    roll: int
    rolls: int
    boxes: tuple[Box, ...]
    place: int
    title: str
    announced: int | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the players must do or answer before play goes on: a refusal, a reroll, a question.

    `dice` are those it is about, or all that lie there (None = not sure); `tray` shows where they lie instead. `keys`:
    which button means what, where there are buttons.
    """

    player: str
    roll: int
    rolls: int
    title: str
    text: str = ""
    dice: tuple[int | None, ...] = ()
    tone: Tone = "told"
    tray: Tray | None = None
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of a player's card: each box with its points, None while it is empty, and the total so far."""

    player: str
    total: int
    boxes: tuple[tuple[str, int | None], ...]
    page: int = 1
    pages: int = 1


@dataclass(frozen=True, slots=True)
class Card:
    """The match is over: every player's total, in the order of play; `code` seals the record, for them to note."""

    totals: tuple[tuple[str, int], ...]
    code: str = ""


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that is no player's: setting up, starting, what is broken and how to mend it."""

    title: str
    text: str
    tone: Tone = "told"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a phone finds the match: its address, also as a QR code, and what it asks for there, if anything."""

    title: str
    url: str
    code: str = ""


Screen = Waiting | Throwing | Counted | Choosing | Notice | Sheet | Card | Sign | Address

SHEET = 18
"""So many boxes have room on a page of a card."""

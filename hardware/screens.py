"""What the players are shown, as plain data: the display's pictures are drawn from these alone."""

from dataclasses import dataclass

Box = tuple[str, int, int]
"""A box as the card abbreviates it, the points it earns, and the bonus that comes with them."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """`player` is to throw roll number `roll` (1 is the first) of `rolls`; `message` says what to do, briefly."""

    player: str
    roll: int
    rolls: int
    message: str = ""


@dataclass(frozen=True, slots=True)
class Counted:
    """Roll number `roll` counted: its dice (None = not sure) and every legal box, in any order."""

    player: str
    roll: int
    rolls: int
    dice: tuple[int | None, ...]
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the players must do or answer before play goes on: a refusal, a reroll, a question.

    `dice` are those it is about, or all that lie there (None = not sure).
    """

    player: str
    roll: int
    rolls: int
    title: str
    text: str = ""
    dice: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """The match is over: every player's total, in the order of play."""

    totals: tuple[tuple[str, int], ...]


Screen = Waiting | Counted | Notice | Card

"""One frame as it was seen: the dice, whether a hand is over the tray, whether all is still, whether to trust it."""

from dataclasses import dataclass
from typing import Literal

from scorer.events import DieState, ViewFault
from vision.read import Reading

Phase = Literal["waiting", "hand", "rolling", "moving", "reading", "settled", "lost"]
CALM: tuple[Phase, ...] = ("waiting", "settled")
"""What goes on while nothing moves."""


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die-like thing in one frame: centre and face edge in px, angle in degrees, and what is known of it.

    track: the number under which it is followed, -id where it lies unlocated beside another. id: its number in the
    events once it has been at rest, else None. reading, state: of the last rest, None while it moves.
    """

    x: float
    y: float
    size: float
    angle: float
    track: int
    id: int | None
    reading: Reading | None
    state: DieState | None
    still: bool


@dataclass(frozen=True, slots=True)
class TrayView:
    """What was seen in frame `frame` at `t` s. `still`: nothing moves and no hand is over the tray.

    settled: what lies there has been read. trusted: the view is sound and nothing suggests that it will not be; `fault`
    is why it is not, once that is sure.
    """

    t: float
    frame: int
    dice: tuple[SeenDie, ...]
    hand: bool
    still: bool
    settled: bool = False
    trusted: bool = True
    fault: ViewFault | None = None

    @property
    def phase(self) -> Phase:
        """What goes on; `moving` is motion without a die that moves, `waiting` an empty tray."""
        if not self.trusted:
            return "lost"
        if self.hand:
            return "hand"
        if not self.still:
            return "moving" if all(die.still for die in self.dice) else "rolling"
        if not self.settled:
            return "reading"
        return "settled" if any(die.id for die in self.dice) else "waiting"

"""One frame as it was seen: the dice, whether a hand is over the tray, whether all is still, whether to trust it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scorer.events import DieState, ViewFault
from vision.read import Reading
from vision.resting import Resting
from vision.track import Track

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


def seen_dice(tracks: Sequence[Track], lying: Sequence[Resting], settled: bool) -> tuple[SeenDie, ...]:
    """The dice of these tracks, with what is known of those `lying` there since the last rest; and, while that is
    `settled`, those of them that are not located."""
    dice = []
    for track in tracks:
        thing = track.sighting
        known = (die for die in lying if thing.still and die.id is not None and die.id == track.die)
        die = next(known, None)
        reading, state = (die.reading, die.state) if die is not None else (None, None)
        angle = reading.angle if reading is not None else 0.0
        dice.append(SeenDie(thing.x, thing.y, thing.size, angle, track.number, track.die, reading, state, thing.still))
    located = {track.die for track in tracks}
    for die in lying if settled else ():
        if die.id not in located and not die.covered and die.state != "off_tray":
            place = die.x, die.y, die.size, die.reading.angle, -(die.id or 0), die.id
            dice.append(SeenDie(*place, die.reading, die.state, still=True))
    return tuple(dice)

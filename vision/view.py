"""One frame as it was seen: the dice, whether a hand is over the tray, and whether everything is still."""

from dataclasses import dataclass

from vision.read import Reading


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die in one frame: centre and face edge in px, angle in degrees, and what is known of it.

    id: its number in the events once it has been at rest, else None. reading: of the last rest, None while it moves.
    """

    x: float
    y: float
    size: float
    angle: float
    id: int | None
    reading: Reading | None
    still: bool


@dataclass(frozen=True, slots=True)
class TrayView:
    """What was seen in frame `frame` at `t` s. `still`: nothing moves and no hand is over the tray."""

    t: float
    frame: int
    dice: tuple[SeenDie, ...]
    hand: bool
    still: bool

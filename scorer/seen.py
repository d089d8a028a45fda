"""What was seen in the tray: the events that vision makes.

Times are seconds of video, places are mm on the tray's floor.
"""

from dataclasses import dataclass
from typing import Literal

DieState = Literal["flat", "cocked", "stacked", "off_tray", "unknown"]
LastSeen = Literal["in_hand", "over_rim", "unknown"]
ViewFault = Literal[
    "blocked",
    "camera_moved",
    "tray_moved",
    "light_changed",
    "glare",
    "out_of_focus",
    "frames_stopped",
    "frames_bad",
    "not_watched",
]
"""Why the view is lost; `not_watched`: the appliance is off, or its watching failed, and begins anew then."""


@dataclass(frozen=True, slots=True)
class DieFact:
    """One die at rest: its track, its reading (None = seen, not sure), where it lies, and whether it was just thrown.

    `likely` is the best value where `value` is None, so that people can be asked a short question. `foreign` = this
    die was never seen in the match before: another colour or size.
    """

    id: int
    value: int | None
    p: float
    state: DieState
    place: tuple[float, float]
    thrown: bool
    likely: int | None = None
    foreign: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayEvent:
    """Something seen: when it happened (`t`, `frame`) and the video time at which it could be said (`t_said`)."""

    t: float
    frame: int
    t_said: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEntered(TrayEvent):
    """A body that is no die crosses into the tray."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLeft(TrayEvent):
    """That body has left the tray."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceLifted(TrayEvent):
    """Resting dice left with a hand."""

    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceThrown(TrayEvent):
    """Free dice entered and moved; `tumble` is each die's share of tumbling steps, 0 (slid) to 1."""

    count: int
    t_first: float
    t_last: float
    tumble: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceAtRest(TrayEvent):
    """All dice have been still for 150 ms and read. `missing` = dice known before that are nowhere on the floor."""

    dice: tuple[DieFact, ...]
    thrown: tuple[int, ...]
    kept: tuple[int, ...]
    missing: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDieChanged(TrayEvent):
    """A kept die shows another face."""

    id: int
    before: int
    after: int
    cause: Literal["hand", "hit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDieMoved(TrayEvent):
    """A kept die was knocked or pushed; its face may be the same."""

    id: int
    identity: Literal["sure", "lost"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DieUnseen(TrayEvent):
    """Dice are neither in the tray nor seen to leave it (`over_rim`: last seen crossing the wall)."""

    count: int
    last_seen: LastSeen
    ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyInterfered(TrayEvent):
    """A body entered while thrown dice still moved."""

    ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewLost(TrayEvent):
    """The picture cannot be trusted."""

    cause: ViewFault


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewRestored(TrayEvent):
    """The picture can be trusted again."""

    cause: ViewFault

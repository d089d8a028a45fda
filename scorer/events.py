"""The vocabulary of the tray: what was seen (events), what people chose (inputs), what was ruled (rulings).

Pure frozen dataclasses. This is the only module of `scorer` that `vision` may import: vision makes the events,
the umpire makes the rulings, and both are written to a record as the same kind of JSON line.
Times are seconds of video, places are mm on the tray's floor.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal

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
]


@dataclass(frozen=True, slots=True)
class DieFact:
    """One die at rest: its track, its reading (None = seen, not sure), where it lies, and whether it was just thrown.

    `likely` is the best value where `value` is None, so that people can be asked a short question.
    """

    id: int
    value: int | None
    p: float
    state: DieState
    place: tuple[float, float]
    thrown: bool
    likely: int | None = None


# --- events: what vision saw -----------------------------------------------------------------------------------


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


# --- inputs: what people said ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerInput:
    """Something a person told the umpire at `t`."""

    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxChosen(PlayerInput):
    """The roller picks a box, with the points announced where the match asks for them."""

    player: str
    box: str
    announced: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldAnswered(PlayerInput):
    """People let a held roll count, or refuse it."""

    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingAnswered(PlayerInput):
    """Both sides agree what a die that was asked about shows."""

    id: int
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DieAnswered(PlayerInput):
    """People say where dice went that were not seen to leave: `thrown`, or kept back in the hand."""

    thrown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingEnded(PlayerInput):
    """There is no more video: nothing further will be seen."""

    frame: int = 0


# --- rulings: what the umpire decided --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LegalBox:
    """A box that the roll may go in, and what it earns there; `house_bonus` is that of a Mega-Yahtzee."""

    box: str
    points: int
    yahtzee_bonus: int
    upper_bonus: int
    house_bonus: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """Something decided. `rule` is the text it rests on, in our words with its source."""

    t: float
    frame: int
    t_said: float
    player: str | None
    rule: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(Ruling):
    """The match begins."""

    rules: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(Ruling):
    """`player` is to throw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollCounted(Ruling):
    """A roll counts: its number in the turn, its sorted values, and every box it may go in."""

    roll: int
    values: tuple[int, ...]
    legal: tuple[LegalBox, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RollRefused(Ruling):
    """A throw is no roll of this turn."""

    roll: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RollHeld(Ruling):
    """A throw waits until people confirm or refuse it."""

    roll: int
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RollUnseen(Ruling):
    """The view was lost during a throw: people decide."""

    roll: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollOrdered(Ruling):
    """These dice alone are thrown again; the others stay."""

    ids: tuple[int, ...]
    count: int
    roll: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreOrdered(Ruling):
    """A kept die is turned back to the value it had."""

    id: int
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentRecorded(Ruling):
    """Something for people to judge, with its evidence; never a penalty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Ruling):
    """Something said once, neutrally."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingAsked(Ruling):
    """People are asked what a die shows."""

    id: int
    likely: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DieAsked(Ruling):
    """People are asked where a die went."""

    ids: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxProposed(Ruling):
    """The roller chose a box; the marker is shown it."""

    box: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxEntered(Ruling):
    """The score is written and the turn ends."""

    box: str
    points: int
    yahtzee_bonus: int
    upper_bonus: int
    automatic: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxRefused(Ruling):
    """The box may not be chosen; `reason` says why."""

    box: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCorrected(Ruling):
    """The points announced were not those of the dice."""

    box: str
    announced: int
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Ruling):
    """The player's turn is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded(Ruling):
    """Every box is filled, or the recording is over (`complete` false): the totals."""

    totals: Mapping[str, int]
    complete: bool


def to_json(fact: TrayEvent | Ruling) -> dict[str, Any]:
    """The fact as a JSON line's object: `t`, `frame`, `t_said`, `kind`, `name`, then its own fields.

    Seconds are rounded to 1 ms, mm to 0.1, probabilities to 0.001, so that lines compare as text.
    A `reason` of None is left out, and so are a `likely` of None and a `house_bonus` of 0.
    """
    line: dict[str, Any] = {
        "t": round(fact.t, 3),
        "frame": fact.frame,
        "t_said": round(fact.t_said, 3),
        "kind": "event" if isinstance(fact, TrayEvent) else "ruling",
        "name": type(fact).__name__,
    }
    for field in fields(fact):
        if field.name not in line:
            value = _plain(field.name, getattr(fact, field.name))
            if value is not None or field.name not in ("reason", "likely"):
                line[field.name] = value
    return line


def _plain(name: str, value: Any) -> Any:
    """`value` as JSON knows it."""
    if is_dataclass(value) and not isinstance(value, type):
        inner = {f.name: _plain(f.name, getattr(value, f.name)) for f in fields(value)}
        return {k: v for k, v in inner.items() if not (k == "likely" and v is None) and (k, v) != ("house_bonus", 0)}
    if isinstance(value, float):
        return round(value, 1 if name == "place" else 3) + 0.0  # no minus zero
    if isinstance(value, Mapping):
        return {str(k): _plain(name, v) for k, v in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_plain(name, v) for v in value]
    return value

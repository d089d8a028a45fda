"""Which frames prove which ruling: the decisive ones of a roll, the whole clip of whatever people may argue about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from firmware.evidence.pieces import Frames, Picture, What
from firmware.evidence.ring import Recorder
from firmware.match import Facts
from scorer.events import (
    DiceAtRest,
    DiceThrown,
    DieAsked,
    DisputeOpened,
    IncidentRecorded,
    ReadingAsked,
    RerollOrdered,
    RestoreOrdered,
    RollCounted,
    RollHeld,
    RollRefused,
    RollUnseen,
    Ruling,
)

OF_A_ROLL = (RollCounted, RerollOrdered, ReadingAsked)
"""Proved by the decisive frames."""
ARGUED = (RollRefused, RollHeld, RollUnseen, RestoreOrdered, DieAsked, IncidentRecorded, DisputeOpened)
"""Proved by the whole clip."""
PROVED = (*OF_A_ROLL, *ARGUED)
BEFORE_S = 0.5
"""A throw is shown from so long before its first die enters: the hand that threw."""


@dataclass(frozen=True, slots=True)
class Due:
    """Rulings, by their numbers in the match, and the frames that prove them."""

    entries: tuple[int, ...]
    what: What
    frames: Frames


class Chooser:
    """Follows what is seen and ruled, and chooses from the recorder's last seconds.

    The frames of the last throw are held until the next one: what a throw was like is disputed when it is long over.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._thrown: DiceThrown | None = None
        self._throw: Frames | None = None
        self._throw_times: tuple[float, ...] = ()
        self._rest_times: tuple[float, ...] = ()

    def choose(self, facts: Facts) -> list[Due]:
        """What is to be kept of what happened just now; the frames up to now have been recorded."""
        for fact in facts:
            if isinstance(fact, DiceThrown):
                self._thrown = fact
            if isinstance(fact, DiceAtRest):
                self._hold(fact)
        ruled = [fact for fact in facts if isinstance(fact, Ruling)]
        argued = [ruling for ruling in ruled if isinstance(ruling, ARGUED)]
        counted = [ruling for ruling in ruled if isinstance(ruling, OF_A_ROLL)]
        chosen = [self._due(argued, "clip", self._clip()), self._due(counted, "frames", self._decisive())]
        return [due for due in chosen if due is not None]

    def _hold(self, rest: DiceAtRest) -> None:
        """Note the moments that decide, and keep the frames of a throw in memory."""
        self._rest_times = rest.t, rest.t_said
        if not rest.thrown:
            return
        thrown, self._thrown = self._thrown, None
        self._throw_times = (thrown.t_first - BEFORE_S, thrown.t_first, thrown.t_last) if thrown else ()
        self._throw = self._recorder.since(min(self._throw_times, default=rest.t - BEFORE_S))

    def _clip(self) -> Frames | None:
        """The throw and all of the last seconds."""
        latest = self._recorder.since(0.0)
        if self._throw is None or latest is None or self._throw.crop != latest.crop:
            return latest or self._throw
        pictures = {picture.frame: picture for picture in (*self._throw.pictures, *latest.pictures)}
        return replace(latest, pictures=tuple(pictures[frame] for frame in sorted(pictures)))

    def _decisive(self) -> Frames | None:
        """The throw's beginning and end, and the dice at rest as they were first seen and as they were read."""
        all_ = self._clip()
        times = (*self._throw_times, *self._rest_times) or (self._recorder.t,)
        return replace(all_, pictures=nearest(all_.pictures, times)) if all_ else None

    def _due(self, rulings: Sequence[Ruling], what: What, frames: Frames | None) -> Due | None:
        if not rulings or frames is None or not frames.pictures:
            return None
        return Due(tuple(ruling.entry for ruling in rulings), what, frames)


def nearest(pictures: Sequence[Picture], times: Iterable[float]) -> tuple[Picture, ...]:
    """The picture nearest to each of these times, in order, each once."""
    if not pictures:
        return ()
    found = {(near := min(pictures, key=lambda picture: abs(picture.t - t))).frame: near for t in times}
    return tuple(found[frame] for frame in sorted(found))

"""A throw from its first die to its last rest: who came in is gathered, and said once."""

import math
from collections.abc import Mapping, Sequence

from scorer.events import DiceThrown
from vision.beside import Beside
from vision.crowd import Crowd
from vision.entry import entry
from vision.resting import Resting
from vision.track import Moment, Track

PASSES_S = 0.2
"""A die that flies past the rim is beyond it for no longer (chosen, .1 s where that was met); another light on the
table stays."""
AHEAD_S = 0.4
"""So long before any other is seen free of the hand that threw them, the first die of a throw may fly past the rim:
chosen, .27 s where it was met."""


class Throw:
    """The dice that have come in since the last rest, of which is said once that they were thrown."""

    def __init__(self) -> None:
        """None has come in."""
        self.crowd, self.beside = Crowd(), Beside()
        self._strays: list[Moment] = []
        self._ahead: list[Moment] = []
        self._said = False
        self._began: Moment | None = None
        self._first = math.inf

    def cut_short(self, thrown: Sequence[Track]) -> None:
        """The view is lost while these are in the air: nothing but when they came in is known of them any more."""
        seen = [t.free for t in thrown if t.free is not None and t.flew and t.t > t.first_t]
        if seen and not self._said:
            self._began = min(seen)
        self.crowd, self.beside, self._said = Crowd(), Beside(), False
        self._strays, self._ahead, self._first = [], [], math.inf

    def unseen(self, lost: Moment) -> None:
        """A hand was there as the view was lost, and is gone as it is back: what lies there was thrown about then."""
        if not self._said and self._began is None:
            self._began = lost

    def stray(self, now: Moment, thrown: bool) -> None:
        """Something is beyond the floor now that cannot be followed; whether dice that were `thrown` are seen."""
        (self._strays if thrown else self._ahead).append(now)

    @property
    def strayed(self) -> Moment | None:
        """When something flew past beyond the floor, be it ahead of the dice seen; None where nothing did, or where it
        stayed or came again."""
        strays = self._strays or [now for now in self._ahead if 0 <= self._first - now[0] <= AHEAD_S]
        passed = strays and strays[-1][0] - strays[0][0] <= PASSES_S
        return strays[0] if passed else None

    def say(
        self,
        tracks: Sequence[Track],
        lost: Sequence[Track],
        now: Moment,
        bare: Mapping[int, float],
        lying: Sequence[Resting] = (),
    ) -> list[DiceThrown]:
        """That the dice of these tracks were thrown, if it was not said; see `entry`.

        lying: the same dice at rest.
        """
        if self._said:
            return []
        self._said = True
        lay = [moment for die in lying if (moment := self.beside.first(die.x, die.y, die.look, die.size)) is not None]
        found = entry(tracks, lost, self.crowd, now, bare, lay)
        t, frame = min((found.t_first, found.frame), self._began or (found.t_first, found.frame))
        self._first = t
        return [
            DiceThrown(
                count=len(tracks), t_first=t, t_last=found.t_last, tumble=found.tumble, t=t, frame=frame, t_said=now[0]
            )
        ]

"""The last loss of the view: since when nobody saw what happened, and which dice a hand may have thrown meanwhile."""

import math
from collections.abc import Callable, Sequence

from scorer.events import HandEntered, HandLeft, TrayEvent
from vision.track import MOVED, Moment, Track

COMES_S = 0.6
"""In so long a hand may come, throw a die that lay there and go: chosen, what a hurried one takes."""


class Blind:
    """When the view was lost and when it was back, and whether a hand may have thrown dice since."""

    def __init__(self) -> None:
        """The view was never lost."""
        self._lost: Moment | None = None
        self._back = self._look = -math.inf
        self._hand = self._waits = False

    def lose(self, moment: Moment, hand: bool) -> None:
        """The view is lost, or is so still for another cause; whether a `hand` is in the tray, or dice are thrown."""
        if self._lost is None or self._back > self._lost[0]:
            self._lost = moment
        self._hand |= hand
        self._look, self._waits = -math.inf, False

    def restore(self, moment: Moment) -> None:
        """The view is back."""
        self._back, self._waits = moment[0], self._lost is not None

    def rest(self) -> None:
        """All that lies there is known."""
        self._hand = False

    def step(
        self,
        events: Sequence[TrayEvent],
        seen: Sequence[Track],
        t: float,
        out: bool,
        bare: Callable[[float, float], float],
    ) -> None:
        """Note which of the things `seen` at `t`, s, may be dice thrown while nobody could see it: those that are there
        as the view is back, and if a hand was in meanwhile those that come to light before a rest is said. `events`:
        what is said of hands; `out`: whether dice of the game are in hands, or beside the tray; `bare`: when a place,
        px, was last seen without a die, s."""
        first, self._waits = self._waits, False
        if first and self._lost is not None:
            self._look = t
            self._hand |= out or t - self._lost[0] >= COMES_S
        self._hand |= any(isinstance(event, HandEntered) and event.t <= self._look for event in events)
        if self._hand and self._look > -math.inf:
            for track in seen:
                came = track.die is None and track.first_t >= self._look
                track.blind |= came and bare(track.sighting.x, track.sighting.y) < self._look

    def threw(self, events: Sequence[TrayEvent]) -> Moment | None:
        """When the view was lost, if by these events a hand was there then that was gone as the view was back: what
        lies there was thrown about then."""
        if self._lost is None:
            return None
        left = any(isinstance(event, HandLeft) and self._lost[0] < event.t <= self._look for event in events)
        return self._lost if left else None

    def came(self, thrown: Sequence[Track]) -> Moment | None:
        """When the view was lost, if one of these dice was thrown since, but not in view."""
        return self._lost if any(track.blind and track.travel <= 2 * MOVED for track in thrown) else None

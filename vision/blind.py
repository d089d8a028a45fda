"""The last loss of the view: since when nobody saw what happened, and which dice a hand may have thrown meanwhile."""

from collections.abc import Sequence

from scorer.events import HandEntered, HandLeft, TrayEvent
from vision.track import MOVED, Moment, Track


class Blind:
    """When the view was lost and when it was back, and whether a hand was there."""

    def __init__(self) -> None:
        """The view was never lost."""
        self._lost: Moment | None = None
        self._back: Moment | None = None
        self._hand = self._at_back = False

    def lose(self, moment: Moment, hand: bool) -> None:
        """The view is lost, or is so still for another cause; whether a `hand` is in the tray."""
        if self._lost is None or self._back is not None:
            self._lost, self._back = moment, None
        self._hand |= hand

    def restore(self, moment: Moment) -> None:
        """The view is back."""
        if self._lost is not None:
            self._back, self._at_back = moment, True

    def step(self, events: Sequence[TrayEvent], seen: Sequence[Track], t: float, out: bool) -> None:
        """Note which of the things `seen` at `t`, s, may be dice thrown while nobody could see it: those that are there
        as the view is back, or come to light before a hand leaves that was in then. `events`: what is said of hands;
        `out`: whether dice of the game are in hands, or beside the tray."""
        self._hand |= any(isinstance(event, HandEntered) and self._is_at_back(event) for event in events)
        if self._hand or (self._at_back and out):
            for track in seen:
                track.blind |= track.first_t == t
        self._at_back = False
        if self._back is not None and any(isinstance(event, HandLeft) for event in events):
            self._hand = False

    def threw(self, events: Sequence[TrayEvent]) -> Moment | None:
        """When the view was lost, if a hand was there then that was gone as it was back: by these events."""
        left = any(isinstance(event, HandLeft) and self._is_at_back(event) for event in events)
        return self._lost if left else None

    def came(self, thrown: Sequence[Track]) -> Moment | None:
        """When the view was lost, if one of these dice was thrown since, but not in view."""
        return self._lost if any(track.blind and track.travel <= 2 * MOVED for track in thrown) else None

    def _is_at_back(self, event: TrayEvent) -> bool:
        return (event.t, event.frame) == self._back

"""Dice that had rolled away from the hand that threw them, and that a hand had before they came to rest."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from vision.entry import rolled
from vision.rest import SHORT_LAG_S, SLACK_S
from vision.track import DIE_HEAT, Moment, Sighting, Track
from vision.visits import BEFORE_LENS

ROLLS = 3.0
"""Faces a second at which a die surely rolls yet, over `JUST_S` and just before: chosen. One that lies is located
up to a sixth of a face aside as a hand comes beside it; one that has just stopped did roll over that time."""
ROLLS_ON = 0.5
"""Faces that a die rolls on by itself after it hit a hand, as it may bounce back to the one that threw it: chosen."""
JUST_S = 0.1
"""A die that was seen, or rolled, so long before a hand is over its place is under that: chosen, three frames at 30
fps."""


class Seen(Protocol):
    """What share of the floor the body of a frame hides, and whether what of it is over the floor covers or touches a
    place, px: a `Perception`."""

    @property
    def hidden(self) -> float: ...

    def has(self, x: float, y: float, /) -> bool: ...


class Caught:
    """Which dice a hand hid as they moved, when, and how far they had rolled by then."""

    def __init__(self) -> None:
        """None flew yet."""
        self._had: dict[int, tuple[Moment, float, Track]] = {}
        self._ways: dict[int, list[tuple[float, Sighting]]] = {}
        self._rolling: dict[int, float] = {}

    def step(self, now: Moment, tracks: Iterable[Track], seen: Seen) -> None:
        """Note which of the dice of all these `tracks`, seen now or not, a hand has; before the lens is none."""
        if seen.hidden > BEFORE_LENS:
            return
        self._ways = {n: way for n, way in self._ways.items() if _is_recent(way[-1][0], now[0])}
        self._rolling = {n: t for n, t in self._rolling.items() if _is_recent(t, now[0])}
        for track in tracks:
            had = self._had.get(track.number)
            anew = had is None or _rolled_on(track, had[1])
            if anew and track.number in self._rolling and _flies(track) and _is_had(track, now[0], seen):
                self._had[track.number] = now, track.travel, track
            if track.t == now[0] and track.sighting.surely_die:  # what a hand leaves of one to be seen lies aside of it
                self._watch(track)

    def _watch(self, track: Track) -> None:
        """Note where it is seen now, and whether it rolled there: lately, and just before."""
        here, way = track.sighting, self._ways.setdefault(track.number, [])
        way[:] = [(t, place) for t, place in way if _is_recent(t, track.t)]
        just = [(t, place) for t, place in way if track.t - t >= SHORT_LAG_S - SLACK_S][-1:]
        if all(_went(track, steps) for steps in (way, just)):
            self._rolling[track.number] = track.t
        else:
            self._rolling.pop(track.number, None)
        way.append((track.t, here))

    @property
    def since(self) -> Moment | None:
        """Since when a hand had the first of the dice that did not roll on by itself then; None where it had none."""
        return min((now for now, travel, track in self._had.values() if not _rolled_on(track, travel)), default=None)


def _is_recent(t: float, now: float) -> bool:
    """Whether what was seen at `t` was seen just before `now`, s."""
    return now - t <= JUST_S + SLACK_S


def _went(track: Track, way: Sequence[tuple[float, Sighting]]) -> bool:
    """Whether a die surely rolled to where it is now, over these places that it was at before, oldest first, each with
    its time, s."""
    here = track.sighting
    return bool(way) and max(here.apart(place) for _, place in way) >= ROLLS * (track.t - way[0][0]) * here.size


def _rolled_on(track: Track, travel: float) -> bool:
    return track.travel - travel >= ROLLS_ON


def _flies(track: Track) -> bool:
    """Whether this is surely a die that lay nowhere, rolled away from the hand that threw it and has not lain still
    yet."""
    lay = track.last_still is not None and track.last_still[0] >= track.first_t
    return track.die is None and track.let_go and bool(rolled([track])) and not (lay or track.side)


def _is_had(track: Track, t: float, seen: Seen) -> bool:
    """Whether a hand hides a part of a die at `t`, s, or the place where it was seen just before: beside one that is
    seen plainly it does nothing that is not seen."""
    thing = track.sighting
    hidden = thing.held and thing.heat < DIE_HEAT if track.t == t else t - track.t <= JUST_S
    return hidden and seen.has(thing.x, thing.y)

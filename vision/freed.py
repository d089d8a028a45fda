"""Dice let go by a hand: when that was, and since when they may have lain where it was."""

import math
from collections.abc import Iterable, Sequence

from vision.entry import FREE_ROLL
from vision.flush import ROOM
from vision.perceive import Perception
from vision.rest import Past
from vision.resting import SAME_PLACE
from vision.track import Moment, Track

LET_GO_S = 0.035
"""A die left the hand that threw it so long before it is seen clear of it: of some 160 throws of simulated films the
median at 30, 60 and 90 fps alike, in a trial that no command repeats."""
CLEAR_S = 0.1
"""A die that was clear of any hand for so long had been let go, and is not taken back by one that touches it then."""


def let_go_at(recent: Sequence[Past]) -> Moment:
    """When the dice left the hand that are seen clear of it for the first time in the last of these pictures."""
    first = next(look for look in recent if recent[-1].t - look.t <= LET_GO_S)
    return first.t, first.frame


def is_let_go(track: Track, t: float) -> bool:
    """Whether this has been clear of hands for so long, or rolled so far away from them, that none holds it."""
    return track.free is not None and (t - track.free[0] >= CLEAR_S + LET_GO_S or track.travel >= FREE_ROLL)


def last_vacant(track: Track, tracks: Iterable[Track], perception: Perception) -> float:
    """When the place where a die is seen free was last seen without it: bare, or with another of these dice beside it,
    s.

    What lay just there, until a hand came over it, is likely the same.
    """
    x, y = track.freed
    face = perception.geometry.face_px(x, y)
    lay = [other.last_still for other in tracks if other is not track]
    beside = [there[0] for there in lay if there and SAME_PLACE < math.dist(there[1:], (x, y)) / face < ROOM]
    return max(perception.last_bare(x, y), *beside, -math.inf)


def bare_since(tracks: Iterable[Track], die_px: float) -> dict[int, float]:
    """When the places of those of these dice that lie where they were first seen free were last seen without them, s,
    by the tracks' numbers."""
    reach = SAME_PLACE * die_px
    there = (track for track in tracks if math.dist(track.freed, (track.sighting.x, track.sighting.y)) <= reach)
    return {track.number: track.vacant for track in there}

"""Dice that come to light from under a hand so late that it may not have thrown them with the others."""

import math
from collections.abc import Callable, Sequence

from vision.resting import Resting, apart
from vision.track import Moment, Track

UNDER_S = 1.0
"""Nobody knows what a hand did that uncovers a die so long after others flew: as long as dice may enter after each
other. Of 45 dice of fair throws that were not seen to fly, nor to lie there, the last came to light after .47 s, and
two on which another was let fall later after .87 s, in a trial that no command repeats."""
IT = 0.5
"""Faces from where a die lies within which a track of it ended, if a hand hid it."""


LaySo = Callable[[float, int, Resting], bool]
"""Whether a die at rest, of the track of this number, was seen to lie so before a time, s."""


def came_late(
    tracks: Sequence[Track], followed: Sequence[Track], lying: Sequence[Resting], lay_so: LaySo
) -> Moment | None:
    """When the first of the thrown dice that are `lying` there came to light too late; `tracks` are theirs, `followed`
    all that were since the last rest."""
    flew = min((track.free[0] for track in tracks if track.flew and track.free is not None), default=math.inf)
    late = list[Moment]()
    for own, die in zip(tracks, lying, strict=True):
        its = [track for track in followed if apart(track.sighting, die) <= IT]
        free = min((track.free for track in its if track.free is not None), default=None)
        if free is None or free[0] <= flew + UNDER_S or any(track.flew for track in its):
            continue
        if not lay_so(flew + UNDER_S, own.number, die):
            late.append(free)
    return min(late, default=None)

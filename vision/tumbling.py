"""How a die tumbles: its look beside that of a moment ago, shifted and turned back, and beside an older one."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.rest import Past, cut
from vision.track import Sighting, Track

Image = npt.NDArray[np.uint8]

TUMBLE_S = 0.03
"""Looks are compared over at least this time, so that a share means the same at every frame rate."""
TUMBLE_STEP = 0.06
"""Faces: a die that moves less between two looks rocks to rest, and has little left to tumble."""
TUMBLE_REACH = 1.6
TUMBLED = 0.74
"""A die that only slides or spins keeps a likeness above this to its last look, shifted and turned back."""
TURNS = (0.0, 12.0, -12.0, 24.0, -24.0)
LONG_S = (0.09, 0.2)
"""Away from hands a die is compared, too, with its look of so long ago, at least and at most: one smeared by its flight
looks much as a moment ago while it turns over..."""
LONG_TURNS = (*TURNS, 36.0, -36.0, 48.0, -48.0, 60.0, -60.0)
"""...and one that slides spins farther meanwhile, too."""
SCALE_PX = 16.0
"""Face edge of the looks compared for tumbling."""
INNER = 0.36
"""Half edge, in faces, of what is compared of a die: no corner of the floor comes into it however the die is turned,
whose edge against a bright die looks the same whichever side is up."""


def watch_tumbling(track: Track, t: float, picture: Past, die_px: float) -> None:
    """Compare the die's look in a picture, its face `die_px` wide there, with that of a moment ago."""
    if track.look is not None and (track.sighting.still or t - track.look_t < TUMBLE_S):
        return
    now = _cut(picture, track.sighting, die_px)
    if track.look is not None:
        step = math.hypot(track.sighting.x - track.look_at[0], track.sighting.y - track.look_at[1]) / die_px
        clear = track.look_clear and track.sighting.clear
        moved = step > TUMBLE_STEP
        if step <= TUMBLE_REACH and clear and (moved or track.die is not None):
            track.alike = _best_likeness(track.look, now) >= TUMBLED
            if moved:
                track.steps += 1
                track.tumbles += not track.alike
                _look_back(track, t, now)
    track.look, track.look_t, track.look_at = now, t, (track.sighting.x, track.sighting.y)
    track.look_clear = track.sighting.clear


def look_alike(a: Track, b: Track) -> bool:
    """Whether two dice that were compared with themselves could be taken for each other, shifted and turned."""
    return a.look is None or b.look is None or _best_likeness(a.look, b.look) >= TUMBLED


def _look_back(track: Track, t: float, now: Image) -> None:
    """Compare the look of a die that moves, if no hand is near it, with that of some time ago."""
    least, most = LONG_S
    track.looks = () if track.sighting.near_body else tuple(old for old in track.looks if t - old[0] <= most)
    then = next((look for at, look in reversed(track.looks) if t - at >= least), None)
    if then is not None:
        track.looked += 1
        track.turned += _best_likeness(then, now, LONG_TURNS) < TUMBLED
    if not track.sighting.near_body:
        track.looks = (*track.looks, (t, now))


def _cut(picture: Past, sighting: Sighting, die_px: float) -> Image:
    """2.4 faces around a sighting, with faces of 16 px."""
    return cut(picture, sighting.x, sighting.y, 1.2 * die_px, round(2.4 * SCALE_PX))


def _best_likeness(before: Image, now: Image, turns: Sequence[float] = TURNS) -> float:
    """The best correlation of the middle of the face in `now` with `before` shifted by up to 0.64 faces and turned."""
    edge = now.shape[0]
    face, reach = slice(*_around(edge, INNER)), slice(*_around(edge, 1.0))
    middle = now[face, face]
    best = -1.0
    for turn in turns:
        warp = cv2.getRotationMatrix2D(((edge - 1) / 2, (edge - 1) / 2), turn, 1.0)
        turned = cv2.warpAffine(before, warp, (edge, edge), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        best = max(best, float(cv2.matchTemplate(turned[reach, reach], middle, cv2.TM_CCOEFF_NORMED).max()))
        if best >= TUMBLED:
            break
    return best


def _around(edge: int, faces: float) -> tuple[int, int]:
    """Start and end of so many faces on either side of the middle."""
    half = round(faces * SCALE_PX)
    return edge // 2 - half, edge // 2 + half

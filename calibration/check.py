"""Whether a calibration still holds: the floor's edge where it was, the light as it was, the picture as sharp."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.facts import Calibration
from calibration.floor import colours_of
from calibration.floor_edge import edge_offsets
from calibration.judge import blur_limit
from calibration.light import NEAR_BLACK
from calibration.quality import blur
from calibration.shape import Points, evenly

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]

SAMPLES = 160
REACH_FACES = 1.6
"""Faces around the outline in which the floor's edge is looked for."""
MOVED_FACES, MOVED_PX = 0.06, 1.5
"""Faces, and px, by which an outline that still holds may lie off: codec, a die at the wall. Of nine simulated set-ups
a shift by 3 px was told in eight so, and of 27 stretches of their films in which nothing had moved all were held, in a
trial that no command repeats."""
HELD = 0.6
"""Least share of the outline along which its edge is still there; hands and dice hide some: .77 was the least of these
27."""
LEAST_REACH, REACH_LIMITS = 4.0, 2.0
"""Px, or times by which it may lie off, around the outline in which the edge is looked for again: within more faces a
rim near by may be plainer all round than the floor's own edge."""
STILL, FAINT, LIKE_OTHERS = 0.6, 2.5, 0.2
"""Share of what it may lie off, levels, and share of the usual contrast there, by which an edge that is found so near
is the floor's and not what noise or texture look like."""
LEAST_QUARTER = 0.4
"""Share of each quarter of the outline along which it must be found so: a square that moved along two of its sides
still lies on these. Of 59 simulated set-ups in which nothing had moved all are held so, where 6 were not by the wider
look alone; moves by 3 to 20 px and zooms by 2 % are told as often as by that, in a trial that no command repeats."""
GAIN = (0.55, 1.8)
"""Factors of brightness within which the light is the same; the watcher's are alike."""
CAST = (0.67, 1.5)
"""Factors within which blue and red beside green are the same."""
PLAIN = 6.0
"""Levels of contrast below which the outline of a floor in quite another light shows no edge that could have moved."""
LEFT, JUST = 0.42, 0.4
"""Share of a faint edge that a shadow leaves just where it was, within so much of the limit: .46 at least of drawn ones
along half of which a shadow lay, .37 at most of those that were pushed by 2 to 8 px, in a trial that no command
repeats."""
SOFTER = 1.6
"""Times that the sharpest edges are softer than they were in a picture that is out of focus now."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What of a calibration does not hold any more.

    moved_px: by how much the floor's edge lies elsewhere in the middle. held: share of it that is where it was. gain:
    brightness of the floor beside the calibration's, 1 = alike; cast: blue and red beside green, likewise; None where
    these were not written down. blur_px: sigma of the blur of the sharpest edges. tells_moves: whether the edge was
    seen when the calibration was made, all the time: along corners that people gave there may be none.
    """

    moved_px: float
    held: float
    gain: float | None
    cast: tuple[float, float] | None
    blur_px: float
    reasons: tuple[str, ...]
    tells_moves: bool = True

    @property
    def ok(self) -> bool:
        """Whether it holds."""
        return not self.reasons


def check(calibration: Calibration, pictures: Sequence[Image]) -> Checked:
    """Compare some seconds of pictures, BGR, with the calibration."""
    usual = _usual(pictures)
    outline = _clockwise(np.array(calibration.floor, np.float64))
    softness = blur(np.asarray(cv2.cvtColor(usual, cv2.COLOR_BGR2GRAY), np.uint8))
    limit = _limit(calibration, softness)
    held, moved, contrast = _held(colours_of(usual, 0.7, False), outline, limit, REACH_FACES * calibration.die_px)
    gain, cast = _light(calibration, usual)
    changed = _beyond(gain, GAIN) or any(_beyond(each, CAST) for each in cast or ())
    unseen = _beyond(gain, GAIN) and contrast < PLAIN
    told = tells_moves(calibration)
    reasons = {
        "camera_moved": held < HELD and told and not unseen,
        "light_changed": changed,
        "out_of_focus": not unseen and _is_softer(calibration, softness),
    }
    found = tuple(name for name, holds in reasons.items() if holds)
    return Checked(moved, held, gain, cast, softness, found, told)


def tells_moves(calibration: Calibration) -> bool:
    """Whether the floor's edge was seen when it was calibrated, so that it tells whether camera or tray were moved."""
    return calibration.picture is None or calibration.picture.edge >= HELD


def lies_still(calibration: Calibration, before: Sequence[Image], now: Sequence[Image]) -> bool:
    """Whether the plainest edge about the floor, its rim's, lies on all sides where it lay in pictures before.

    A floor's own edge that is faint beside the rim's may not be found along all sides, by a shadow along some: that
    alone is no move. One that is plain, or lies elsewhere along most, may be a mat's that was pushed in its tray.
    """
    at, away = _around(_clockwise(np.array(calibration.floor, np.float64)))
    limit = _limit(calibration)
    near, far = max(LEAST_REACH, REACH_LIMITS * limit), max(LEAST_REACH, REACH_FACES * calibration.die_px)
    was, lies = (colours_of(_usual(pictures), 0.7, False) for pictures in (before, now))
    _, own = edge_offsets(was, at, away, near)
    there, plain = edge_offsets(was, at, away, far)
    if np.median(own) >= LIKE_OTHERS * np.median(plain):
        return False
    off, own = edge_offsets(lies, at, away, near)
    left = (np.abs(off) <= JUST * limit) & (own >= FAINT)
    here, still_plain = edge_offsets(lies, at, away, far)
    same = (np.abs(here - there) <= STILL * limit) & (np.minimum(plain, still_plain) >= PLAIN)
    return float(left.mean()) >= LEFT and float(same.mean()) >= HELD and _worst_quarter(same) >= LEAST_QUARTER


def _usual(pictures: Sequence[Image]) -> Image:
    return np.asarray(np.median(np.stack(pictures), axis=0), np.uint8)


def _limit(calibration: Calibration, softness: float = 0.0) -> float:
    """Px by which an edge may lie off where nothing moved; a soft edge lies nowhere more exactly."""
    return max(MOVED_PX, MOVED_FACES * calibration.die_px, softness)


def _held(colours: FloatArray, outline: Points, limit: float, reach: float) -> tuple[float, float, float]:
    """The share of the outline where the floor's edge still is, how far off it lies in the middle, px, and the contrast
    within `reach`, px.

    What lies off by more than `limit`, px, has moved. The plainest edge within reach may be the rim's: where more of an
    edge is found close by, on all sides, that is the floor's. In the wide look the places that show no edge, as behind
    a hand, do not count; close by they count against it, as a side that moved shows none there.
    """
    at, away = _around(outline)
    wide, contrast = edge_offsets(colours, at, away, max(LEAST_REACH, reach))
    seen = contrast > 0.25 * float(np.median(contrast))
    held = float((np.abs(wide[seen]) <= limit).mean()) if seen.any() else 0.0
    close, plain = edge_offsets(colours, at, away, max(LEAST_REACH, REACH_LIMITS * limit))
    is_edge = plain >= max(FAINT, LIKE_OTHERS * float(np.median(plain)))
    there = is_edge & (np.abs(close) <= STILL * limit)
    still = float(there.mean()) if _worst_quarter(there) >= LEAST_QUARTER else 0.0
    off = close if still > held else wide
    return max(held, still), float(np.median(np.abs(off))), float(np.median(contrast))


def _worst_quarter(there: npt.NDArray[np.bool_]) -> float:
    """The least share of any quarter of a closed outline that is there."""
    count = len(there) // 4
    so_far = np.cumsum(np.concatenate([[0], there, there[:count]]))
    return float((so_far[count:] - so_far[:-count]).min()) / count


def _beyond(factor: float | None, allowed: tuple[float, float]) -> bool:
    return factor is not None and not allowed[0] <= factor <= allowed[1]


def _is_softer(calibration: Calibration, blur_px: float) -> bool:
    """Whether the picture is too soft for a calibration, and was not so when it was made."""
    known = calibration.picture
    limit = blur_limit(calibration.die_px, (calibration.width, calibration.height))
    return known is not None and blur_px > max(limit, SOFTER * known.blur_px)


def _light(calibration: Calibration, picture: Image) -> tuple[float | None, tuple[float, float] | None]:
    """Brightness, and blue and red beside green, of the floor as shares of those when it was calibrated."""
    known = calibration.picture
    if known is None:
        return None, None
    floor = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(floor, [np.round(np.array(calibration.floor)).astype(np.int32)], 1)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    now = np.median(picture[floor > 0], axis=0) + NEAR_BLACK
    blue, green, red = (now / (np.array(known.colour) + NEAR_BLACK)).tolist()
    return (float(np.median(grey[floor > 0])) + NEAR_BLACK) / (known.level + NEAR_BLACK), (blue / green, red / green)


def _around(outline: Points) -> tuple[Points, Points]:
    """Places evenly round an outline, clockwise in the picture, and the outward unit normals there."""
    at = evenly(outline, SAMPLES)
    along = np.roll(at, -1, axis=0) - np.roll(at, 1, axis=0)
    normals = np.column_stack([along[:, 1], -along[:, 0]])
    return at, normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)


def _clockwise(outline: Points) -> Points:
    """The outline clockwise in the picture, in which y points down."""
    ahead = np.roll(outline, -1, axis=0)
    doubled = float((outline[:, 0] * ahead[:, 1] - ahead[:, 0] * outline[:, 1]).sum())
    return outline if doubled > 0 else outline[::-1]

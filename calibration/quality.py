"""The measure of a recording's pictures: light, noise, focus, glare, flicker, and whether the camera stands still."""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from calibration.light import NEAR_BLACK
from calibration.recording import Recording

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float64]

SHARPEST, STRONG, OWN_BLUR = 5, 0.5, 0.7
"""Percentile of the widths of the strongest edges that counts as the lens' blur (shadows and slopes are softer), the
share of the most contrast from which an edge is strong, and the blur against noise before that, px."""
WINDOW = 31
"""Px in which an edge has its whole contrast."""
GLARE_LEVEL, GLARE_ABOVE, GLARE_SHARE = 235, 35, 0.7
"""A lamp mirrored: so bright in all colours, and so many levels above the floor in its weakest; above a white floor,
this share of what is left to full white."""
FEATURES, LEAST_FEATURES = 80, 8
"""Places followed from look to look to see whether the camera moves."""
AGREED, AGREED_PX = 0.5, 0.2
"""Share of a shift, or px of the small pictures, by which half of the places differ from it at most: of cameras held in
a hand .1, .4 and 1.2, the last of which its steps tell, of noise .8 to 7 in a trial that no command repeats."""
LOOK_S, LEVEL_PX = 0.2, 5.0


@dataclass(frozen=True, slots=True)
class Quality:
    """How good the pictures are.

    level, brightest: median and 95th percentile of grey of the empty tray's picture. noise: spread of a pixel over
    time, levels. blur_px: sigma of the blur of its sharpest edges. flicker: share by which rows change brightness from
    frame to frame while nothing moves. mains: 50 or 60 where that tells. shift_px: how far the picture moves.
    """

    level: float
    brightest: float
    noise: float
    blur_px: float
    flicker: float
    mains: int | None
    shift_px: float


def measure(recording: Recording, empty: Image) -> Quality:
    """The measure of the recording's pictures."""
    grey = _grey(empty)
    flicker, mains = _flicker(recording)
    return Quality(
        level=float(np.median(grey)),
        brightest=float(np.percentile(grey, 95)),
        noise=_noise(recording),
        blur_px=min(blur(_grey(picture)) for picture in (empty, *_spread(recording))),
        flicker=flicker,
        mains=mains,
        shift_px=_shift(recording),
    )


def _spread(recording: Recording) -> list[Image]:
    """Three pictures from the recording's second half: dice have the sharpest edges."""
    return [recording.pictures[len(recording.pictures) * k // 8][1] for k in (4, 6, 7)]


def _grey(picture: Image) -> Image:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def blur(grey: Image) -> float:
    """Sigma, px, of the sharpest edges: an edge of contrast c blurred by sigma has the slope c / (sigma sqrt(2 pi))."""
    smooth = cv2.GaussianBlur(grey, (0, 0), OWN_BLUR).astype(np.float32)
    slope = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8))
    kernel = np.ones((WINDOW, WINDOW), np.uint8)
    contrast = cv2.dilate(smooth, kernel) - cv2.erode(smooth, kernel)
    peaks = (slope >= cv2.dilate(slope, np.ones((5, 5), np.uint8))) & (slope >= 1)
    strong = peaks & (contrast >= STRONG * float(contrast.max()))
    widths = contrast[strong] / slope[strong] / np.sqrt(2 * np.pi)
    return float(np.sqrt(max(0.0, float(np.percentile(widths, SHARPEST)) ** 2 - OWN_BLUR**2))) if len(widths) else 0.0


def glare_spots(empty: Image, floor: npt.NDArray[np.bool_], least_px: float) -> list[tuple[float, float, float]]:
    """x, y and area, px, of the lamps mirrored on the floor (h, w) of the empty tray, larger than `least_px`."""
    whiteness = empty.min(2)
    usual = float(np.median(whiteness[floor])) if floor.any() else 255.0
    above = min(GLARE_ABOVE, GLARE_SHARE * (255 - usual))
    glaring = floor & (whiteness >= max(GLARE_LEVEL, usual + above))
    count, _, stats, centres = cv2.connectedComponentsWithStats(glaring.astype(np.uint8), connectivity=8)
    return [
        (float(centres[k][0]), float(centres[k][1]), float(stats[k, cv2.CC_STAT_AREA]))
        for k in range(1, count)
        if stats[k, cv2.CC_STAT_AREA] >= least_px
    ]


def _noise(recording: Recording) -> float:
    """Spread of a pixel from one kept picture to the next, where least moves."""
    spreads = []
    for (_, before), (_, after) in pairwise(recording.pictures):
        off = after[::2, ::2].astype(np.int16) - before[::2, ::2]
        spreads.append(float(np.mean(np.abs(off))) * 1.25 / np.sqrt(2))
    return float(np.percentile(spreads, 20)) if spreads else 0.0


def _flicker(recording: Recording) -> tuple[float, int | None]:
    """Share by which the brightness of rows changes from frame to frame, and the mains that would do so."""
    if len(recording.small) < 8:
        return 0.0, None
    ratios = row_brightness(recording)
    bends = ratios[2:] - 2 * ratios[1:-1] + ratios[:-2]
    rows = np.sqrt(np.median(bends**2, axis=1) / 6)
    return max(float(np.median(rows)), _drift(ratios)), _mains(ratios.mean(1), recording.fps)


def _drift(ratios: FloatArray) -> float:
    """How far bands have moved between the recording's first and last third, where they stand still from frame to
    frame: the mains beat with the frame rate. Light that falls off otherwise than before is no band."""
    third = max(1, len(ratios) // 3)
    change = np.median(ratios[-third:], axis=0) - np.median(ratios[:third], axis=0)
    rows = np.arange(len(change))
    return float(np.std(change - np.polyval(np.polyfit(rows, change, 1), rows)))


def row_brightness(recording: Recording) -> FloatArray:
    """(frames, rows) brightness of the small pictures' rows, as shares of the usual one."""
    small = recording.small
    reference = np.median(small[:: max(1, len(small) // 25)], axis=0) + NEAR_BLACK
    return np.array([np.median((picture + NEAR_BLACK) / reference, axis=1) for picture in small])


def _mains(brightness: FloatArray, fps: float) -> int | None:
    """50 or 60 Hz, by where the lamp's light, twice as fast, appears between the frames; None where neither does."""
    spectrum = np.abs(np.fft.rfft((brightness - brightness.mean()) * np.hanning(len(brightness))))
    rates = np.fft.rfftfreq(len(brightness), 1 / max(fps, 1e-6))
    usual = np.median(spectrum[rates > 1]) if (rates > 1).any() else 0.0
    best: tuple[float, int] | None = None
    for mains in (50, 60):
        alias = abs(2 * mains - round(2 * mains / fps) * fps) if fps else 0.0
        if alias < 1:
            continue
        height = float(spectrum[np.abs(rates - alias) < 0.7].max(initial=0))
        if height > 6 * usual and (best is None or height > best[0]):
            best = height, mains
    return best[1] if best else None


def _shift(recording: Recording) -> float:
    """How far the picture moves, px of the whole picture: from one look to the next in the usual case, or, where most
    of the first picture is seen again in the last, from the first to the last."""
    apart = max(1, round(LOOK_S * recording.fps))
    picked = [_levelled(picture) for picture in (*recording.small[::apart], recording.small[-1])]
    steps = [_median(ways) for a, b in pairwise(picked) if (ways := _ways(a, b, LEAST_FEATURES)) is not None]
    usual = float(np.percentile(steps, 60)) if steps else 0.0
    whole = _ways(picked[0], picked[-1], FEATURES // 3)
    agreed = _median(whole) if whole is not None and _agree(whole) else 0.0
    factor = max(recording.size) / max(picked[0].shape)
    return float(factor * max(usual, agreed))


def _levelled(picture: Image) -> Image:
    """The picture with the light taken out: bands of a flickering lamp are no movement."""
    grey = picture.astype(np.float32)
    off = grey - cv2.GaussianBlur(grey, (0, 0), LEVEL_PX)
    spread = np.sqrt(cv2.GaussianBlur(off * off, (0, 0), LEVEL_PX)) + 3
    return np.asarray(np.clip(128 + 45 * off / spread, 0, 255), np.uint8)


def _ways(before: Image, after: Image, least: int) -> FloatArray | None:
    """The ways (n, 2) of what is seen in both small pictures, px of theirs; None where that is too little."""
    corners = cv2.goodFeaturesToTrack(before, FEATURES, 0.02, 6)
    if corners is None or len(corners) < least:
        return None
    there, found, _ = cv2.calcOpticalFlowPyrLK(before, after, corners, corners.copy(), winSize=(15, 15), maxLevel=3)
    back, again, _ = cv2.calcOpticalFlowPyrLK(after, before, there, there.copy(), winSize=(15, 15), maxLevel=3)
    returns = np.linalg.norm((back - corners).reshape(-1, 2), axis=1) < 0.5
    ways = (there - corners).reshape(-1, 2)[(found.ravel() > 0) & (again.ravel() > 0) & returns]
    return np.asarray(ways, np.float64) if len(ways) >= least else None


def _median(ways: FloatArray) -> float:
    return float(np.hypot(*np.median(ways, axis=0)))


def _agree(ways: FloatArray) -> bool:
    """Whether most places went the same way, as they do when a camera moves; in noise they go anywhere."""
    apart = np.hypot(*(ways - np.median(ways, axis=0)).T)
    return float(np.median(apart)) < max(AGREED_PX, AGREED * _median(ways))

"""Reading one die: its value where that is sure, how likely it is, and how its top face lies.

The reader looks at a crop in four turns. A value scores the worst of its four probabilities times the mean margin by
which the map of pip centres shows that many pips and no more: two opinions that must agree. Where grey is not clear the
darkest and lightest colour channels are asked too (the far pips of a translucent die vanish in one of them), and
slightly smaller and larger crops; with more chances to agree, those need a higher score.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorer.events import DieState
from vision.errors import PictureError
from vision.face import edge_angle, face_box, find_pips, pip_angle, pip_centre
from vision.network import CROP_FACES, CROP_PX, FloatArray, Networks

Image = npt.NDArray[np.uint8]

TURNS = 4
REACH = 1.3
"""Half edge, in die faces, of the patch cut out around a die; the largest crop needs 0.91 and the blur some more."""
SHRINK_BLUR = 0.42
"""Blur before sampling, in crop pixels: enough that pips do not alias."""
VALUES = 6


@dataclass(frozen=True, slots=True)
class Reading:
    """What one die shows. It is sure where `value` is not None.

    p: chance that `likely`, the best value, is right. score: what p and sureness rest on. blank: probability that there
    is no readable flat face at all. angle: of the face's edges, degrees in [0, 90). box: left, top, width, height of
    the top face, px.
    """

    value: int | None
    p: float
    likely: int
    state: DieState
    angle: float
    box: tuple[float, float, float, float]
    score: float
    blank: float

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of the top face, px."""
        left, top, width, height = self.box
        return left + width / 2, top + height / 2


@dataclass(frozen=True, slots=True)
class _Look:
    """One crop as the reader saw it: score of each value (6,), probability of blank, upright pip map (24, 24)."""

    scores: FloatArray
    blank: float
    pips: FloatArray
    crop: FloatArray
    scale: float


def read_die(networks: Networks, bgr_frames: Sequence[Image], x: float, y: float, die_px: float) -> Reading:
    """Read the die at (x, y) px whose face is `die_px` wide, in one frame or in several of the same resting die.

    Frames are (h, w, 3) BGR or (h, w) grey, all of one size. Several frames only ever add doubt to a chance reading:
    a view's score is its mean over the frames, while contradiction in any single frame counts in full.
    Raises PictureError where there is no frame or (x, y) lies outside it.
    """
    patches = [_patch(frame, x, y, die_px) for frame in bgr_frames]
    if not patches:
        raise PictureError("no frame to read a die in")
    grey = _look(networks, [(_grey(image), dx, dy, die_px) for image, dx, dy in patches], 1.0)
    views = [grey]
    if _mean_scores(grey).max() < networks.thresholds.sure_any:
        views += _further_looks(networks, patches, die_px)
    return _judge(networks, views, x, y, die_px)


def _patch(frame: Image, x: float, y: float, die_px: float) -> tuple[Image, float, float]:
    """The frame around a die, and the die's place in it."""
    height, width = frame.shape[:2]
    if not (0 <= x < width and 0 <= y < height):
        raise PictureError(f"a die at ({x:.0f}, {y:.0f}) lies outside a picture of {width}x{height} px")
    reach = int(REACH * die_px) + 4
    left, top = max(0, int(x) - reach), max(0, int(y) - reach)
    return frame[top : int(y) + reach, left : int(x) + reach], x - left, y - top


def _further_looks(networks: Networks, patches: list[tuple[Image, float, float]], die_px: float) -> list[list[_Look]]:
    """Other sizes of the grey crop, and in colour the darkest and the lightest channel."""
    views = [(_grey, 0.88), (_grey, 1.14)]
    if patches[0][0].ndim == 3:
        views += [(_darkest, 1.0), (_lightest, 1.0), (_darkest, 0.88), (_darkest, 1.14)]
    return [_look(networks, [(channel(i), x, y, die_px * s) for i, x, y in patches], s) for channel, s in views]


def _look(networks: Networks, places: list[tuple[Image, float, float, float]], scale: float) -> list[_Look]:
    """What the reader makes of each (channel, x, y, face px)."""
    crops = [_crop(*place) for place in places]
    turned = np.stack([np.rot90(crop, turn) for crop in crops for turn in range(TURNS)])
    logits, pip_logits = networks.run_reader(_normalised(turned))
    chances = _softmax(logits).reshape(-1, TURNS, VALUES + 1)
    pip_maps = _sigmoid(pip_logits).reshape(-1, TURNS, *pip_logits.shape[1:])
    looks = []
    for crop, chance, maps in zip(crops, chances, pip_maps, strict=True):
        margin = np.mean([_pip_margins(m) for m in maps], axis=0)
        upright = np.mean([np.rot90(m, -turn) for turn, m in enumerate(maps)], axis=0)
        scores = chance[:, 1:].min(0) * np.maximum(margin, 0)
        looks.append(_Look(_float32(scores), float(chance[:, 0].mean()), _float32(upright), crop, scale))
    return looks


def _crop(channel: Image, x: float, y: float, face_px: float) -> FloatArray:
    """48x48 crop, 0 to 1, that spans 1.6 faces around (x, y), unturned."""
    scale = CROP_PX / (CROP_FACES * face_px)
    source = cv2.GaussianBlur(channel, (0, 0), SHRINK_BLUR / scale) if scale < 0.9 else channel
    middle = (CROP_PX - 1) / 2
    warp = np.array([[scale, 0, middle - scale * x], [0, scale, middle - scale * y]], np.float64)
    crop = cv2.warpAffine(source, warp, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return _float32(crop) / np.float32(255)


def _normalised(crops: FloatArray) -> FloatArray:
    mean, deviation = crops.mean((1, 2), keepdims=True), crops.std((1, 2), keepdims=True)
    return _float32((crops - mean) / (deviation + np.float32(0.05)))


def _pip_margins(pip_map: FloatArray) -> FloatArray:
    """For each value v, by how much the v-th strongest peak of a pip map stands above the next one."""
    peaks = np.where(pip_map >= cv2.dilate(pip_map, np.ones((3, 3), np.uint8)), pip_map, 0).ravel()
    strongest = -np.sort(-peaks)[: VALUES + 1]
    return _float32(strongest[:-1] - strongest[1:])


def _mean_scores(view: list[_Look]) -> FloatArray:
    return _float32(np.mean([look.scores for look in view], axis=0))


def _judge(networks: Networks, views: list[list[_Look]], x: float, y: float, die_px: float) -> Reading:
    """Decide from the views (grey first), each a list of looks, one per frame."""
    limits = networks.thresholds
    means = np.stack([_mean_scores(view) for view in views])
    bars = np.array([limits.sure] + [limits.sure_any] * (len(views) - 1), np.float32)
    levelled = means * (limits.sure / bars)[:, None]  # on one scale, where `sure` is the bar for every view
    best = int(levelled.max(0).argmax())
    leading = int(levelled[:, best].argmax())
    score = float(levelled[leading, best])
    others = np.delete(np.stack([look.scores for view in views for look in view]), best, axis=1)
    blank = min(float(np.mean([look.blank for look in view])) for view in views)
    doubted = float(others.max()) >= limits.dissent * float(means[leading, best]) or blank >= limits.blank
    if doubted:
        score = min(score, limits.sure * 0.99)  # p must not look sure where the value is not
    sure = score >= limits.sure
    angle, (left, top), scale = _lie(views[leading], best + 1, sure)
    box = face_box(x + left * die_px * scale, y + top * die_px * scale, die_px, angle)
    state: DieState = "flat" if sure else "unknown"
    return Reading(
        value=best + 1 if sure else None,
        p=networks.probability(score),
        likely=best + 1,
        state=state,
        angle=angle,
        box=box,
        score=score,
        blank=blank,
    )


def _lie(view: list[_Look], value: int, sure: bool) -> tuple[float, tuple[float, float], float]:
    """Angle of the face, offset of its centre in faces of the crop, and the crop's scale, from the last frame."""
    look = view[-1]
    if not sure:
        return edge_angle(look.crop), (0.0, 0.0), look.scale
    pips = find_pips(look.pips, value)
    angle = pip_angle(pips)
    return (edge_angle(look.crop) if angle is None else angle), pip_centre(pips), look.scale


def _grey(patch: Image) -> Image:
    return patch if patch.ndim == 2 else np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8)


def _darkest(patch: Image) -> Image:
    """min(B, G, R): light pips on a coloured body, or coloured pips on white, stand out."""
    return np.asarray(patch.min(2), np.uint8)


def _lightest(patch: Image) -> Image:
    """max(B, G, R): dark pips on a coloured body stand out."""
    return np.asarray(patch.max(2), np.uint8)


def _softmax(logits: FloatArray) -> FloatArray:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return _float32(powers / powers.sum(1, keepdims=True))


def _sigmoid(logits: FloatArray) -> FloatArray:
    return _float32(1 / (1 + np.exp(-logits)))


def _float32(array: object) -> FloatArray:
    return np.asarray(array, np.float32)

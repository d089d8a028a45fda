"""One look at a die: a crop put before the reader in several turns, and the evidence for every value in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.face import Pip, body_and_paint, find_pips
from vision.lattice import Peaks
from vision.network import CROP_FACES, CROP_PX, SHOWN, FloatArray, Networks

Image = npt.NDArray[np.uint8]

LUMA = (0.114, 0.587, 0.299)
"""Weights of blue, green and red in grey."""
HUES = ((0.0, -1.0, 1.0), (1.0, -0.5, -0.5))
"""Weights of blue, green and red in the two hues that the reader is given beside grey: how red, and how blue."""
_MIXES = np.array([LUMA, *HUES], np.float32).T
TURNS = 4
"""Quarter turns that a crop is read in: the worst of them counts."""
VALUES = 6
MOST_PEAKS = 14
"""Peaks of a pip map that are looked at: six pips, and those of two side faces."""
LIKELY = 0.03
"""Below this probability no value is worth the search for its pips."""
NO_MARGIN = 0.02
"""Margin of a value whose pips are not there: it orders what nobody believes."""
SHRINK_BLUR = 0.42
"""Blur before sampling, in crop pixels: enough that pips do not alias."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where to look: one channel (h, w) of a picture or all three, the face's centre there and the face's edge, px."""

    channel: Image
    x: float
    y: float
    face_px: float


@dataclass(frozen=True)
class PipMap:
    """The map of pip centres that a look gave, the mean over the turns, upright (28, 28); its peaks are sought once."""

    cells: FloatArray

    @cached_property
    def found(self) -> tuple[Pip, ...]:
        """The peaks, strongest first."""
        return find_pips(self.cells, MOST_PEAKS)

    @cached_property
    def peaks(self) -> Peaks:
        """How the peaks lie."""
        return Peaks(self.found)

    def of(self, value: int) -> tuple[Pip, ...]:
        """Where the pips of a value lie; the strongest peaks where none lie as they should."""
        lattice = self.peaks.lattice(value)
        return lattice.pips if lattice is not None else self.found[:value]

    def margin(self, value: int) -> float:
        """By how much the map shows the pips of a value and none that would make it another, 0 to 1."""
        lattice = self.peaks.lattice(value)
        return 0.0 if lattice is None else max(0.0, lattice.margin)


@dataclass(frozen=True, slots=True)
class Look:
    """What the reader made of a spot.

    scores: of the values 1 to 6, shape (6,): the worst probability over the turns times the margin by which the pips
    show that value and no other. blank: mean probability of "no readable flat face". crop: what was looked at
    (56, 56), 0 to 1.
    """

    scores: FloatArray
    blank: float
    pips: PipMap
    crop: FloatArray

    def telling(self, value: int) -> FloatArray:
        """The crop (56, 56) of one channel, or that mix of three in which the pips of a value stand out most."""
        if self.crop.ndim == 2:
            return self.crop
        body, paint = body_and_paint(self.crop, self.pips.of(value))
        apart = paint - body
        return _float32(self.crop @ (apart / (float(np.abs(apart).sum()) or 1.0)))

    @property
    def grey(self) -> FloatArray:
        """The crop (56, 56) without its colours."""
        return self.crop if self.crop.ndim == 2 else self.crop @ _float32(LUMA)


def look(networks: Networks, spots: Sequence[Spot], turns: int = TURNS) -> list[Look]:
    """The reader's evidence at every spot, in one run of the network; fewer turns cost less and prove less."""
    if not spots:
        return []
    crops = [cut_crop(spot) for spot in spots]
    turned = np.stack([np.rot90(maps, turn, (1, 2)) for maps in as_given(crops) for turn in range(turns)])
    logits, pip_logits = networks.run_reader(turned)
    chances = _softmax(logits).reshape(-1, turns, VALUES + 1)
    pip_maps = _sigmoid(pip_logits).reshape(-1, turns, *pip_logits.shape[1:])
    return [_weigh(crop, chance, maps) for crop, chance, maps in zip(crops, chances, pip_maps, strict=True)]


def look_where_likely(networks: Networks, spots: Sequence[Spot], least: float) -> list[Look | None]:
    """Looks at the spots, None where no value can score `least`: the worst turn counts, so one turn may rule it out."""
    if not spots:
        return []
    logits, _ = networks.run_reader(as_given([cut_crop(spot) for spot in spots]))
    likely = _softmax(logits)[:, 1:].max(1) >= least
    looks = iter(look(networks, [spot for spot, may in zip(spots, likely, strict=True) if may]))
    return [next(looks) if may else None for may in likely]


def cut_crop(spot: Spot) -> FloatArray:
    """Crop (56, 56) of a channel or (56, 56, 3) of all, 0 to 1, that spans 1.4 faces around the spot, unturned."""
    source, x, y = spot.channel, spot.x, spot.y
    scale = CROP_PX / (CROP_FACES * spot.face_px)
    while scale < 0.5 and min(source.shape[:2]) >= 2:  # halving by area first: a wide blur of a large patch is slow
        source = _halved(source)
        x, y, scale = (x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5, 2 * scale
    if scale < 0.9:
        source = np.asarray(cv2.GaussianBlur(source, (0, 0), SHRINK_BLUR / scale), np.uint8)
    middle = (CROP_PX - 1) / 2
    warp = np.array([[scale, 0, middle - scale * x], [0, scale, middle - scale * y]], np.float64)
    crop = cv2.warpAffine(source, warp, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return _float32(crop) / np.float32(255)


def _halved(image: Image) -> Image:
    size = (image.shape[1] // 2, image.shape[0] // 2)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _weigh(crop: FloatArray, chances: FloatArray, pip_maps: FloatArray) -> Look:
    pips = PipMap(_float32(np.mean([np.rot90(pip_map, -turn) for turn, pip_map in enumerate(pip_maps)], axis=0)))
    worst = chances[:, 1:].min(0)
    margins = [max(NO_MARGIN, pips.margin(i + 1)) if worst[i] >= LIKELY else NO_MARGIN for i in range(VALUES)]
    return Look(worst * _float32(margins), float(chances[:, 0].mean()), pips, crop)


def as_given(crops: Sequence[FloatArray]) -> FloatArray:
    """Crops (56, 56) or (56, 56, 3) as the reader is given them: (n, 3, 56, 56), grey and two hues.

    Grey has mean 0 and contrast 1, and so have the hues, by the contrast of both; a floor keeps plain cloth from noise.
    A single channel has hues of nought.
    """
    maps = np.zeros((len(crops), SHOWN, CROP_PX, CROP_PX), np.float32)
    for shown, crop in zip(maps, crops, strict=True):
        if crop.ndim == 2:
            shown[0] = crop
        else:
            shown[:] = (crop @ _MIXES).transpose(2, 0, 1)
    maps -= maps.mean((2, 3), keepdims=True)
    power = np.square(maps).mean((2, 3))
    power[:, 1:] = power[:, 1:].mean(1, keepdims=True)
    return _float32(maps / (np.sqrt(power)[..., None, None] + np.float32(0.05)))


def _softmax(logits: FloatArray) -> FloatArray:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    return _float32(powers / powers.sum(1, keepdims=True))


def _sigmoid(logits: FloatArray) -> FloatArray:
    return _float32(1 / (1 + np.exp(-logits)))


def _float32(array: object) -> FloatArray:
    return np.asarray(array, np.float32)

"""What stays where it is: patches of the tray's rim and wall, and of the table, found again in every later picture.

Each patch is compared by normalised correlation, which no exposure and no soft shadow changes. What a hand covers does
not correlate and takes no part: the answer comes from the patches that are seen.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.light import NEAR_BLACK

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]
Corners = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]

EDGE_PX = 21
"""Edge of a patch in a working picture, in which a die's face is 18 px."""
SPACING_PX = 14
MOST = 40
SEEN = 0.6
"""Likeness from which a patch is surely the one it was, if perhaps a little aside or blurred."""
SAME = 0.85
"""Likeness of a patch that lies where it lay."""
TOLD = 0.1
"""Share of the edges across a direction, beside those across the other, without which nothing tells a shift in it: one
straight wall (.03 in real clips) shows no shift along itself. Trays of which more than that is seen have .3 or more."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The patches in one picture.

    likeness: of each (n,). shift: px by which those seen lie aside, (0, 0) where too few are. brightness (lower
    quartile, median, upper quartile), sharpness (median): ratios to those at the start, over the patches seen; None
    where too few are.
    """

    likeness: FloatArray
    shift: tuple[float, float]
    brightness: tuple[float, float, float] | None
    sharpness: float | None

    @property
    def same(self) -> float:
        """Share of the patches that lie where they lay."""
        return float((self.likeness >= SAME).mean())

    @property
    def seen(self) -> float:
        """Share of the patches that are seen at all."""
        return float((self.likeness >= SEEN).mean())


class Anchors:
    """Patches of one picture."""

    FEWEST = 5

    def __init__(self, picture: Image, band: npt.NDArray[np.bool_], least: float) -> None:
        """`picture`: grey (h, w), sound; `band`: where in it patches may be centred (h, w).

        least: grey levels of spread of a patch that shows something.
        """
        self._take(picture, *_places(picture, band, least))

    def keep(self, picture: Image, which: npt.NDArray[np.bool_]) -> None:
        """Go on with some of the patches (n,) of the same picture: those that have proved to stay."""
        self._take(picture, self._rows[which], self._columns[which])

    def _take(self, picture: Image, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> None:
        self._rows, self._columns = rows, columns
        patches = self._cut(picture)
        self._level = patches.mean((1, 2))
        self._looks, spread = _normalised(patches)
        slopes = [np.gradient(self._looks, axis=axis) for axis in (2, 1)]
        self._slopes = np.stack(slopes, axis=-1).reshape(len(rows), EDGE_PX**2, 2).astype(np.float32)
        self._stiffness = np.einsum("nka,nkb->nab", self._slopes, self._slopes).astype(np.float64)
        self._sharpness = self._cut(_fine(picture)).std((1, 2)) / np.maximum(spread, 1.0)

    @property
    def enough(self) -> bool:
        """Whether there are enough patches to tell anything: a plain cloth without a rim has none."""
        return len(self._rows) >= self.FEWEST

    @property
    def centres(self) -> Points:
        """Places (n, 2) of the patches' middles, x and y in px."""
        return np.column_stack([self._columns, self._rows]).astype(np.float64) + EDGE_PX // 2

    def compare(self, picture: Image) -> Compared:
        """How the patches are found in a picture of the same size as the first."""
        patches = self._cut(picture)
        looks, spread = _normalised(patches)
        likeness = self._likeness(looks)
        seen = likeness >= SEEN
        if int(seen.sum()) < self.FEWEST:
            return Compared(likeness, (0.0, 0.0), None, None)
        ratios = (patches.mean((1, 2))[seen] + NEAR_BLACK) / (self._level[seen] + NEAR_BLACK)
        low, middle, high = np.percentile(ratios, (25, 50, 75)).tolist()
        fine = self._cut(_fine(picture)).std((1, 2))[seen] / np.maximum(spread[seen], 1.0)
        sharpness = float(np.median(fine / np.maximum(self._sharpness[seen], 1e-3)))
        return Compared(likeness, self._shift(looks, np.nonzero(seen)[0]), (low, middle, high), sharpness)

    def shift(self, picture: Image) -> tuple[float, float] | None:
        """The common shift, px, of the patches that lie where they lay, but for so little, in the directions that they
        tell; None where too few do."""
        looks, _ = _normalised(self._cut(picture))
        same = np.nonzero(self._likeness(looks) >= SAME)[0]
        return self._shift(looks, same) if len(same) >= self.FEWEST else None

    def pull(self, picture: Image) -> tuple[Points, Points, npt.NDArray[np.intp]]:
        """What draws each patch seen aside: stiffness (m, 2, 2) and force (m, 2), whose quotient is its shift in px to
        first order (Lucas and Kanade); the patches (m,) they are of by their numbers in `centres`."""
        looks, _ = _normalised(self._cut(picture))
        seen = np.nonzero(self._likeness(looks) >= SEEN)[0]
        return self._stiffness[seen], self._forces(looks, seen), seen

    def told(self, which: npt.NDArray[np.intp]) -> Points:
        """The directions (2, 0 to 2), unit vectors as columns, in which some of the patches tell a shift."""
        strength, directions = np.linalg.eigh(self._stiffness[which].sum(0))
        return np.asarray(directions[:, strength >= TOLD * strength[-1]], np.float64)

    def _likeness(self, looks: FloatArray) -> FloatArray:
        """How like (n,) the patches are to those at the start."""
        return np.asarray((looks * self._looks).sum((1, 2)), np.float32)

    def _forces(self, looks: FloatArray, which: npt.NDArray[np.intp]) -> Points:
        differences = (self._looks[which] - looks[which]).reshape(len(which), EDGE_PX**2)
        return np.asarray(np.einsum("nka,nk->na", self._slopes[which], differences), np.float64)

    def _shift(self, looks: FloatArray, which: npt.NDArray[np.intp]) -> tuple[float, float]:
        """The common shift of some patches, px, in the directions that they tell."""
        inverse = np.linalg.pinv(self._stiffness[which].sum(0), rcond=TOLD, hermitian=True)
        x, y = (inverse @ self._forces(looks, which).sum(0)).tolist()
        return x, y

    def _cut(self, picture: npt.NDArray[np.generic]) -> FloatArray:
        """The patches (n, 21, 21) of a picture."""
        windows = np.lib.stride_tricks.sliding_window_view(picture, (EDGE_PX, EDGE_PX))
        return windows[self._rows, self._columns].astype(np.float32)


def _places(picture: Image, band: npt.NDArray[np.bool_], least: float) -> Corners:
    """Upper left corners, rows and columns, of the patches with the strongest edges, evenly over the band."""
    half = EDGE_PX // 2
    height, width = picture.shape
    rows, columns = (np.arange(half, side - half, SPACING_PX) for side in (height, width))
    inside = band[np.ix_(rows, columns)]
    tops, lefts = np.nonzero(inside)
    tops, lefts = rows[tops] - half, columns[lefts] - half
    if len(tops) == 0:
        return tops, lefts
    windows = np.lib.stride_tricks.sliding_window_view(picture, (EDGE_PX, EDGE_PX))[tops, lefts]
    spread = windows.astype(np.float32).std((1, 2))
    best = np.argsort(-spread, kind="stable")[:MOST]
    best = np.sort(best[spread[best] >= least])
    return tops[best], lefts[best]


def _normalised(patches: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Patches (n, h, w) of mean 0 and length 1, and the spread of each in levels (n,)."""
    centred = patches - patches.mean((1, 2), keepdims=True)
    spread = centred.std((1, 2))
    length = np.maximum(spread, 0.5) * np.float32(np.sqrt(centred[0].size if len(centred) else 1))
    return np.asarray(centred / length[:, None, None], np.float32), np.asarray(spread, np.float32)


def _fine(picture: Image) -> FloatArray:
    """What of a picture is finer than any defocus leaves."""
    return np.asarray(cv2.Laplacian(picture, cv2.CV_32F, ksize=3), np.float32)

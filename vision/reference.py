"""The tray as it was at the start, which later pictures are compared with."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.anchors import SAME, Anchors, Compared
from vision.corrupt import row_changes
from vision.empty import SQUARE, outline_of
from vision.pieces import grown, pieces

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

FACE_PX = 18.0
TRAY_BAND = (-0.5, 1.3)
"""Faces from the floor's edge within which the patches of the tray lie: its edge, wall and rim."""
TABLE_FROM = 2.0
"""Faces from the floor's edge from which on there is only table."""
EDGES, GRAIN = 6.0, 2.5
"""Grey levels of spread of a patch of the tray and of the table; plain cloth and noise stay below."""
PROOF_S = 1.0
CONFIRMED = 0.4
"""Share of the patches that must lie where they did in the first second, or that begins anew."""
STAYED = 0.7
"""Share of the first second for which a patch must have stayed: one on a hand does not."""
COARSE = 6
ALIKE_COARSELY = 0.9
"""Likeness of pictures of 3 px a face: out of focus they still are what they were, behind a hand they are not."""
BRIGHT = 248
DULL = 232
"""Grey level from which on a place is burnt out, and that below which it was not: chosen, 221 where it was met."""
GLARE_FACES, GLARE_BESIDE = 1.2, 6.0
"""Die areas of floor that are burnt out and were not so before: more than any die's top, and where something
else may be over the tray, more than those of all of them."""
OVER_WALL = 0.5
"""Faces from the floor's edge beyond which nothing that the floor mirrors is seen: chosen."""
FADES, FADES_WITHIN = 0.22, 0.15
"""Share of how much brighter it is than the floor by which a mirrored lamp fades within 3 px at most, and faces from
the floor's edge where that is seen: of drawn ones the median is .1 to .15, of a smeared pale hand .3 to .4, in a trial
that no command repeats."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else is known of a working picture: `dice` (h, w) is 1 where a die may be; `body` says whether
    something is over the tray, and `arm` whether it reaches in from the picture's border."""

    dice: Image
    body: bool
    arm: bool


class Reference:
    """The tray as it was at the start."""

    def __init__(self, picture: Image, away: FloatArray, proved: bool = False) -> None:
        self.picture = picture
        self.tray = Anchors(picture, (away > TRAY_BAND[0]) & (away < TRAY_BAND[1]), EDGES)
        self.table = Anchors(picture, away > TABLE_FROM, GRAIN)
        self.rows = row_changes(picture)
        self._stayed = np.zeros(len(self.tray.centres), np.int32)
        self._checks = 0
        self._since: float | None = None
        self.proved = proved
        """Whether the patches have been seen for long enough to know which of them stay; none may be a hand's."""
        self.level = max(float(picture.mean()), 1.0)
        self._coarse = _coarse(picture)

    def prove(self, t: float, seen: Compared) -> bool:
        """Take note of which patches stay; False where the picture was no good to compare with."""
        self._since = t if self._since is None else self._since
        self._checks += 1
        self._stayed += seen.likeness >= SAME
        self.proved = t - self._since >= PROOF_S
        if self.proved:
            self.tray.keep(self.picture, self._stayed >= STAYED * self._checks)
        return seen.same >= CONFIRMED and self.tray.enough

    def is_coarsely(self, picture: Image) -> bool:
        """Whether a picture shows the same without any detail."""
        now = _coarse(picture)
        return now.std() > 1 and float(np.corrcoef(self._coarse, now)[0, 1]) > ALIKE_COARSELY

    def has_glare(self, picture: Image, seen: Compared, away: FloatArray, around: Surroundings | None) -> bool:
        """Whether floor is burnt out that was not. Where an arm reaches in, or that goes on over the tray's wall, it
        may be bright skin, a sleeve or a cup: these end at an edge, a mirrored lamp fades. Anywhere else it may be a
        panel that a floor as smooth as a mirror shows."""
        if around is None:
            return False
        least = (GLARE_BESIDE if around.body else GLARE_FACES) * FACE_PX**2
        burnt = ((picture >= BRIGHT) & (away < 0) & (around.dice == 0)).astype(np.uint8)
        if cv2.countNonZero(burnt) < least:
            return False
        usual = self.picture * np.float32(seen.brightness[1] if seen.brightness else 1.0)
        burnt &= usual < DULL
        glare = max(pieces(burnt, least), key=np.count_nonzero, default=None)
        if glare is None:
            return False
        may_be_thing = around.arm or _goes_on(picture, usual, glare, away)
        return not may_be_thing or _fades(picture, usual, glare, away)


def _goes_on(picture: Image, usual: FloatArray, burnt: Mask, away: FloatArray) -> bool:
    """Whether what is burnt out on the floor is so beyond the tray's wall, too: a thing above both is."""
    everywhere = ((picture >= BRIGHT) & (usual < DULL)).astype(np.uint8)
    return float(away[grown(burnt, everywhere)].max()) > OVER_WALL


def _fades(picture: Image, usual: FloatArray, burnt: Mask, away: FloatArray) -> bool:
    """Whether what is burnt out fades over the floor, half way to what is `usual` there, and does not end at an
    edge."""
    bright = ((picture > (usual + BRIGHT) / 2) & (away < 0)).astype(np.uint8)
    ends = outline_of(grown(burnt, bright)) & (away < -FADES_WITHIN)
    steps = cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, SQUARE)[ends]
    return bool(ends.any()) and float(np.median(steps / np.maximum(BRIGHT - usual[ends], 1.0))) < FADES


def _coarse(picture: Image) -> FloatArray:
    size = (max(1, picture.shape[1] // COARSE), max(1, picture.shape[0] // COARSE))
    small = cv2.GaussianBlur(picture, (0, 0), COARSE)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.float32).ravel()

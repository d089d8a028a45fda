"""Whether the tray lies elsewhere in the picture than it did: who was pushed, the camera or it, and how far."""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from scorer.events import ViewFault
from vision.anchors import SAME, SEEN, Anchors, Compared
from vision.reference import FACE_PX, Reference, Surroundings
from vision.shift import find_shift, found_nearby, straightened, usual_way

Image = npt.NDArray[np.uint8]
Matrix = npt.NDArray[np.float64]

SHIFT = 0.12
"""Faces by which the tray lies elsewhere when it was pushed. A fixed camera's tray stays within .01 in simulated films
and .06 in real clips; a handheld camera leaves that within a second."""
NUDGED = 0.025
"""Faces by which patches seem to lie aside at a glance, which shortens long ways: from here on it is measured."""
SHIFTED_SHARE = 0.15
"""Share of the patches that do not lie where they lay, from which they are looked for elsewhere."""
ALIGNED = 0.5
"""Share of the patches that lie right once the shift is taken out; the others may be under a hand."""
GAINED, MOST = 0.2, 0.95
"""And so many more than lay right before it is taken out, or nearly all: a hand hides some of a tray that stays, whose
rim may look alike a little way aside."""
EXPLAINED = 0.5
"""And their unlikeness is this share of what it was, or less: a push explains why they look otherwise."""
LEFT = 0.05
"""And so few of those that lay right lie wrong once it is taken out: where the tray went none stays, but an arm beside
a rim that stays may look like that rim elsewhere."""
LESS_ALIKE = 0.01
"""Nor, where most of it lies right, does that become less alike by so much in the mean: chosen. It became so by .03
where an arm lay over a rim both of whose edges look alike, and never in 6 films of pushes, in trials that no command
repeats."""
STRETCHED = 0.04
"""A pushed tray is as large as before to this share (in 16 films of pushes to .005, in a trial that no command
repeats); a wrong fit, as of a rim onto the folds of a sleeve, need not be."""
SEEK_S, SELDOM_S = 0.2, 0.8
"""The tray is looked for so often, and more and more seldom while a body is over it and nothing was found; once pushed,
at every look in which its patches seem to lie right again."""
STEADY = 0.04
"""Faces between two measures of the shift of a tray that lies still again."""
LAID_S = 0.4
REACHED_S = 0.3
"""Whoever pushes a tray has reached in for so long; a body seen first with the push is what moved itself."""
GONE = 0.3
"""Share of the patches that lie right below which the tray is not where it was, unless somebody reaches over them."""


class Push:
    """Whether the tray lies elsewhere in the picture than it did, and where."""

    def __init__(self) -> None:
        self._cause: Literal["camera_moved", "tray_moved"] | None = None
        self._sought = -1.0
        self._wait = SEEK_S
        self._near = (0.0, 0.0)
        self._alone = -REACHED_S
        self._shift: tuple[Matrix, float] | None = None
        self._laid: Matrix | None = None

    @property
    def measured(self) -> bool:
        """Whether the tray lies still elsewhere, and it is known where."""
        return self._laid is not None

    def taken(self) -> Matrix | None:
        """The shift of a push that is over, once."""
        shift, self._laid = self._laid, None
        return shift

    def find(
        self, t: float, reference: Reference, picture: Image, seen: Compared, around: Surroundings | None
    ) -> ViewFault | None:
        """The cause, while the tray lies elsewhere and it is not known where."""
        if around is None or not around.body:
            self._alone = t
        lies_right = 1 - seen.same <= SHIFTED_SHARE
        if lies_right and not self._is_aside(seen):
            self._forget()
        elif t - self._sought >= (SEEK_S if self._alone == t else self._wait) or (lies_right and self._cause):
            self._sought = t
            found = self._seek(t, reference, picture, seen) or self._alone == t
            self._wait = SEEK_S if found else min(2 * self._wait, SELDOM_S)
        return None if self._laid is not None else self._cause

    def _is_aside(self, seen: Compared) -> bool:
        """Whether the patches lie aside, and otherwise than where a push was measured to be none."""
        return lies_aside(seen) and math.dist(seen.shift, self._near) > NUDGED * FACE_PX

    def _forget(self) -> None:
        self._cause = self._shift = self._laid = None

    def _seek(self, t: float, reference: Reference, picture: Image, seen: Compared) -> bool:
        """Look for the tray all around; whether it was found elsewhere."""
        tray, missing = reference.tray, np.nonzero(seen.likeness < SAME)[0]
        if not (self._is_aside(seen) or seen.same < GONE or found_nearby(tray, missing, reference.picture, picture)):
            if self._laid is None and seen.same >= ALIGNED:
                self._forget()
            return False
        shift = find_shift(tray, reference.picture, picture, self._near_fit(tray, picture))
        if shift is None:
            return False
        straight = tray.compare(straightened(picture, shift))
        which = np.nonzero(straight.likeness >= SEEN)[0]
        if straight.same >= ALIGNED and usual_way(shift, tray, which) < SHIFT * FACE_PX:
            self._forget()
            self._near = seen.shift
            return False
        if not explains(shift, seen, straight):
            return False
        self._cause = self._cause or _who(reference, picture, shift, t - self._alone >= REACHED_S)
        self._follow(t, shift, tray, which)
        return True

    def _near_fit(self, tray: Anchors, picture: Image) -> Matrix | None:
        """The last measure where it still fits: the fit of a tray that lies still, begun anew, may end a bit aside."""
        if self._shift is None or tray.compare(straightened(picture, self._shift[0])).same < ALIGNED:
            return None
        return self._shift[0]

    def _follow(self, t: float, shift: Matrix, tray: Anchors, which: npt.NDArray[np.intp]) -> None:
        """Note where the tray lies now, and whether it has lain there for long enough."""
        before, since = self._shift or (shift, t)
        places = np.column_stack([tray.centres, np.ones(len(tray.centres))])
        away = float(np.hypot(*((shift - before) @ places.T)).max())
        steady = away < STEADY * FACE_PX and tray.told(which).shape[1] == 2
        self._shift = (before, since) if steady else (shift, t)
        self._laid = shift if steady and t - since >= LAID_S else None


def lies_aside(seen: Compared) -> bool:
    """Whether the patches seen lie aside by a common shift, which blur leaves them without."""
    return float(np.hypot(*seen.shift)) > NUDGED * FACE_PX


def explains(shift: Matrix, seen: Compared, straight: Compared) -> bool:
    """Whether the patches look as they did once the `shift`, an affine map (2, 3) of px, is taken out of the picture
    (`straight`), and hardly so before (`seen`)."""
    stretched = np.abs(np.linalg.svd(shift[:, :2], compute_uv=False) - 1).max() > STRETCHED
    if stretched or straight.same < max(ALIGNED, min(seen.same + GAINED, MOST)):
        return False
    right = seen.likeness >= SAME
    left, lost = right & (straight.likeness < SAME), (seen.likeness - straight.likeness)[right]
    if seen.same >= ALIGNED and lost.mean() > LESS_ALIKE:
        return False
    which = straight.likeness >= SEEN
    unlike, before = (1 - float(compared.likeness[which].mean()) for compared in (straight, seen))
    return bool(unlike <= EXPLAINED * before and left.mean() <= LEFT)


def _who(reference: Reference, picture: Image, shift: Matrix, reached: bool) -> Literal["camera_moved", "tray_moved"]:
    """Whether the table stayed. Where it shows nothing, whoever had reached in pushed the tray."""
    if reference.table.enough:
        stayed = reference.table.compare(picture).same
        went = reference.table.compare(straightened(picture, shift)).same
        if stayed != went:
            return "tray_moved" if stayed > went else "camera_moved"
    return "tray_moved" if reached else "camera_moved"

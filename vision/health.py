"""Whether the picture can be trusted: frames that come and are whole, a camera and a tray that stay, light, focus.

A frame that is no picture is known before anything else is read from it. All other faults are looked for a few times a
second on patches of the tray's edge (see `anchors`): where they are found, how bright and how sharp. A hand, a sleeve
or a head hides some of them and changes nothing of the others; dice are never on them for long.

After a push the view stays lost until the tray lies still in its new place; how far it was pushed is measured there
(to a hundredth of a face) and handed on, so that play goes on without setting up anew. Where the shift cannot be
measured, because too little of the tray is seen, the view stays lost.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from scorer.events import ViewFault
from vision.corrupt import (
    Mask,
    block_edges,
    has_broken_blocks,
    has_lost_rows,
    has_seam,
    is_dotted,
    is_flat,
    row_changes,
)
from vision.light import Light
from vision.push import GONE, Push, lies_aside
from vision.reference import FACE_PX, Reference, Surroundings
from vision.rest import LAG_S, SLACK_S
from vision.shift import carried

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

CHECK_S = 0.045
STOPPED_S = 0.5
STAY_S = 0.1
"""A fault must last so long to be one, and be over for as long to be over."""
FLICKER_S, STEADY_S = 1.0, LAG_S - SLACK_S
"""Faults that come and go for so long with the view never sound for as long as a rest takes are one: nothing can settle
meanwhile. It is over once the view is sound for that long. Chosen."""
ALONE_S = 0.4
"""A frame that is no picture is passed over where the last such one is longer ago: of a broken stream more are."""
HIDDEN = 0.1
"""Share of the patches seen below which something is before the lens."""
DARK = 0.25
"""Share of the tray's usual brightness below which the picture is dark."""
BLURRED, BLURRED_BESIDE = 0.6, 0.45
"""Share of the usual sharpness. Real clips and films keep .72 or more, beside moving arms .54."""
SHARP_AGAIN = 0.7
SMEARED = 0.5
"""Share of the patches that are seen but look little as they did: far out of focus, where noise passes for detail."""
PUSHES: tuple[ViewFault, ...] = ("camera_moved", "tray_moved")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fault that began or ended, the time of it in s, and the frame.

    shift: with the end of a push, the affine map (2, 3) of working px before it to those after it.
    """

    cause: ViewFault
    lost: bool
    t: float
    frame: int
    shift: Matrix | None = None


class ViewHealth:
    """Judges working pictures, one a frame."""

    def __init__(self, floor: Image) -> None:
        """`floor`: 1 on the tray's floor, 0 elsewhere, (h, w) of the working pictures."""
        self._last: tuple[float, int] | None = None
        self._pending: tuple[ViewFault, float, int] | None = None
        self._over: tuple[float, int] | None = None
        self._unsteady: tuple[float, int] | None = None
        self._flickers = False
        self._spoilt = -ALONE_S
        self._alone = False
        self._checked = -1.0
        self._found: ViewFault | None = None
        self._reference: Reference | None = None
        self._edges: Mask | None = None
        self._light = Light()
        self._push = Push()
        self._blurred = False
        self._set_floor(floor)
        self.fault: ViewFault | None = None

    def _set_floor(self, floor: Image) -> None:
        outside, inside = (cv2.distanceTransform(mask, cv2.DIST_L2, 5) for mask in (1 - floor, floor))
        self._away = np.asarray((outside - inside) / FACE_PX, np.float32)

    @property
    def trusted(self) -> bool:
        """Whether there is no fault, nor the beginning of one."""
        return self.fault is None and self._pending is None

    @property
    def passes_over(self) -> bool:
        """Whether the last frame was no picture, but for long the only one: it is as if it had not come."""
        return self._alone

    @property
    def recovering(self) -> bool:
        """Whether the fault seems over, and only has not been so for long enough; what was pushed may yet sway."""
        return self.fault is not None and self.fault not in PUSHES and self._over is not None

    @property
    def steadying(self) -> bool:
        """Whether what was pushed seems to be where it was, and only has not been so for long enough."""
        return self.fault in PUSHES and self._over is not None

    def aside(self, picture: Image) -> tuple[float, float] | None:
        """How far, working px, the tray lies in this picture (h, w) aside of where it lay at first, as a stand sways;
        None where that is not known."""
        if self._reference is None or not (self._reference.proved and self._reference.tray.enough):
            return None
        return self._reference.tray.shift(picture)

    def moved(self, floor: Image, way: Matrix, picture: Image) -> None:
        """The tray lies elsewhere from now on: its `floor`, the map (3, 3) of old working px to those of the `picture`
        (h, w) that shows it now. What it looked like at the start is carried over."""
        assert self._reference is not None
        self._set_floor(floor)
        self._reference = Reference(carried(self._reference.picture, way, picture), self._away, proved=True)
        self._push, self._edges = Push(), None

    def broken(self, t: float, frame: int) -> list[Verdict]:
        """The next frame is no picture of the usual size."""
        return self._judge(t, frame, "frames_bad")

    def repeated(self, t: float, frame: int) -> list[Verdict]:
        """The next frame is the last one again, and is as if it had not come."""
        if self._last is None or t - self._last[0] <= STOPPED_S or self.fault is not None:
            return []
        self.fault, self._pending, self._over = "frames_stopped", None, None
        return [Verdict("frames_stopped", True, *self._last)]

    def unchanged(self, t: float, frame: int) -> None:
        """The next frame shows what the one before it did, in which nothing was at fault."""
        self._last = (t, frame)
        self._steady(t)
        self._light.unchanged(t)

    def step(self, t: float, frame: int, grey: Image, picture: Image, around: Surroundings | None) -> list[Verdict]:
        """The faults that began or ended with this frame.

        grey: the watched part of the picture as it came (h, w); picture: its working picture. around: what was in the
        frame before, None where that is not known. Where the tray was pushed its edges may look like a torn picture's.
        """
        torn, likely = block_edges(grey)
        rows = self._rows(picture)
        broken = has_broken_blocks(torn, self._edges) and not is_dotted(grey, torn)
        if broken or self._is_empty(picture, rows):
            return self._judge(t, frame, "frames_bad")
        if self._edges is None or not (self._reference and self._reference.proved):
            self._edges = likely if self._edges is None else self._edges | likely
        torn_across = rows is not None and has_seam(*rows)
        if self._reference is None or t - self._checked >= CHECK_S:
            self._checked = t
            self._found = self._find_push(t, picture, around) if torn_across else self._find(t, picture, around)
        bad = torn_across and self._found not in PUSHES and not self._push.measured
        return self._judge(t, frame, "frames_bad" if bad else self._found)

    def _is_empty(self, picture: Image, rows: tuple[FloatArray, FloatArray] | None) -> bool:
        """Whether a picture that is not dark shows nothing, or nothing in many of its `rows`."""
        if self._reference is None:
            return is_flat(picture)
        return rows is not None and (is_flat(picture) or has_lost_rows(*rows))

    def _rows(self, picture: Image) -> tuple[FloatArray, FloatArray] | None:
        """How much the rows differ from each other, and how much those of the tray do in this light; None where that
        is not known or it is dark."""
        if self._reference is None:
            return None
        brightness = float(picture.mean()) / self._reference.level
        if brightness < DARK:
            return None
        return row_changes(picture), np.asarray(min(brightness, 1.0) * self._reference.rows, np.float32)

    def _judge(self, t: float, frame: int, now: ViewFault | None) -> list[Verdict]:
        """Say a fault once it has lasted, and its end; a view that is lost for another cause meanwhile stays lost."""
        verdicts = self._gap(t, frame)
        self._last = (t, frame)
        self._alone = now == "frames_bad" and self.trusted and not verdicts and t - self._spoilt > ALONE_S
        self._spoilt = t if now == "frames_bad" else self._spoilt
        if now is None:
            self._pending = None
            self._over = self._over or (t, frame)
            stay = STEADY_S if self._flickers else STAY_S
            self._steady(t)
            if self.fault is not None and t - self._over[0] >= stay:
                verdicts.append(Verdict(self.fault, False, *self._over, shift=self._push.taken()))
                self.fault = None
            return verdicts
        self._over = None
        self._unsteady = self._unsteady or (t, frame)
        self._pending = (now, *self._pending[1:]) if self._pending else (now, t, frame)
        self._flickers |= t - self._unsteady[0] >= FLICKER_S and self.fault is None
        since = self._unsteady if self._flickers else self._pending[1:]
        if self.fault is None and t - since[0] >= STAY_S:
            verdicts.append(Verdict(now, True, *since))
            self.fault = now
        return verdicts

    def _steady(self, t: float) -> None:
        """Nothing is at fault now: once that is so for a while, what was before is over for good."""
        if self._over is not None and t - self._over[0] >= STEADY_S:
            self._unsteady, self._flickers = None, False

    def _gap(self, t: float, frame: int) -> list[Verdict]:
        """Frames that did not come: the view was lost at the last one and is there again."""
        if self._last is None or t - self._last[0] <= STOPPED_S or self.fault is not None:
            return []
        return [Verdict("frames_stopped", True, *self._last), Verdict("frames_stopped", False, t, frame)]

    def _find_push(self, t: float, picture: Image, around: Surroundings | None) -> ViewFault | None:
        """Whether the tray lies elsewhere; of a picture that says nothing else."""
        if self._reference is None or not (self._reference.proved and self._reference.tray.enough):
            return None
        return self._push.find(t, self._reference, picture, self._reference.tray.compare(picture), around)

    def _find(self, t: float, picture: Image, around: Surroundings | None) -> ViewFault | None:
        if self._reference is None:
            self._reference = Reference(picture, self._away)
            return None
        seen = self._reference.tray.compare(picture) if self._reference.tray.enough else None
        if seen is not None and not self._reference.proved:
            if self._push.find(t, self._reference, picture, seen, around) and not (around and around.body):
                return "camera_moved"  # it sways from the start: nothing is proved by what happens to look the same
            if not self._reference.prove(t, seen):
                self._reference, self._push = Reference(picture, self._away), Push()
            return None
        dark = float(picture.mean()) < DARK * self._reference.level
        if seen is None:
            return "blocked" if dark else None
        push = self._push.find(t, self._reference, picture, seen, around)
        if push is not None or self._push.measured:
            return push
        body = around is not None and around.body
        smeared = seen.same < seen.seen - SMEARED
        gone = seen.seen < HIDDEN or (seen.same < GONE and not body and not dark)
        if (smeared or gone) and not lies_aside(seen) and self._reference.is_coarsely(picture):
            return "out_of_focus"
        if gone and not (body or dark or around is None):
            return "camera_moved"
        if gone:
            self._light.hidden(t)
            return "blocked"
        if self._light.has_changed(t, seen.brightness, self._reference.level):
            return "light_changed"
        if seen.sharpness is not None:
            limit = BLURRED_BESIDE if body else BLURRED
            self._blurred = seen.sharpness < (SHARP_AGAIN if self._blurred else limit)
        if self._blurred:
            return "out_of_focus"
        return "glare" if self._reference.has_glare(picture, seen, self._away, around) else None

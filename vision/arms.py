"""Arms told apart in a body: each is followed from frame to frame by where it reaches in."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.border import along_border
from vision.network import LOCATOR_FACE_PX

Mask = npt.NDArray[np.bool_]
Labels = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int32]
Indices = npt.NDArray[np.intp]

ASIDE_PX = 3.0 * LOCATOR_FACE_PX
"""Along the border, at most between an arm and where it was in the frame before: chosen. Two whose edges are no farther
apart there may be taken for one."""
MOST = 16
"""Arms that are told apart: what else reaches in is of the last one."""
APART_PX = round(LOCATOR_FACE_PX)
"""Between what is seen of two arms for the first time, at least: chosen."""
STAYED = 0.3
"""Share of it, or of what was seen of an arm the frame before, that lies where that was: it is that arm, wherever it
seems to reach in, as a sleeve may look like the table. Chosen."""
WIDE_PX, TOGETHER_S, TOUCHING_PX = 7.0 * LOCATOR_FACE_PX, 0.25, round(1.5 * LOCATOR_FACE_PX)
"""Between the edges of one arm along the border, at most, where no more than these is seen, as its skin looks like the
table; between their first sights; and along which they touch as more of it is seen. Chosen: somebody else's arm hardly
comes in at the same moment, as near, and lies against it."""


class Arms:
    """The arms of one body, by number. Arms that touch as they are first seen are one."""

    def __init__(self) -> None:
        """None was seen yet."""
        self._masks: list[Mask] = []
        self._places: list[Indices] = []
        self._live: list[bool] = []
        self._came: list[float] = []
        self._edges: list[tuple[int, int]] = []  # arms that may be the two edges of one
        self._whole: list[int] = []

    def whole(self, number: int) -> int:
        """The number of an arm, or of the first seen part of it where it turned out to be a part of one."""
        return self._whole[number - 1]

    def step(self, t: float, body: Mask) -> Labels:
        """The numbers, from 1 on, of the arms in the body (h, w) of the next frame, at `t`, s, 0 elsewhere.

        What reaches in where two did, or nowhere, is of the arm that was nearest there. What reaches in nowhere while
        no arm is known is none.
        """
        if not body.any():
            self._live = [False] * len(self._live)
            return np.zeros(body.shape, np.uint8)
        border = along_border(body)
        at = np.flatnonzero(border)
        gaps = [_gaps(at, places, len(border)) for places in self._places]
        if len(gaps) == 1 and (gaps[0] <= ASIDE_PX).all():
            labels = body.astype(np.uint8)
            self._keep(labels, at, np.zeros(len(at), np.intp))
            return labels
        count, found = cv2.connectedComponents(body.astype(np.uint8), connectivity=8)
        parts = np.asarray(found, np.int32)
        part, sizes = along_border(parts)[at], np.bincount(parts.ravel(), minlength=count)
        known = np.zeros((count, 0), bool)
        for gap, mask in zip(gaps, self._masks, strict=True):
            there = np.bincount(parts[mask], minlength=count) > STAYED * np.minimum(sizes, np.count_nonzero(mask))
            known = np.column_stack([known, there | np.isin(np.arange(count), part[gap <= ASIDE_PX])])
        known[0] = False
        known &= np.array(self._live, bool) | ~known[:, self._live].any(1, keepdims=True)
        gone = np.flatnonzero(np.array(self._live, bool) & ~known.any(0))
        for new in self._new(body, parts, part, known, gone):
            gaps.append(np.where(np.isin(part, new), 0.0, np.inf))
            known = np.column_stack([known, np.isin(np.arange(count), new)])
            self._add(t, at[np.isin(part, new)], body.shape, len(border))
        if not gaps:
            return np.zeros(body.shape, np.uint8)
        number = np.where(known.sum(1) == 1, 1 + known.argmax(1), 0).astype(np.uint8)
        labels = np.asarray(number[parts], np.uint8)
        self._part(labels, body & (labels == 0))
        self._join(labels)
        self._keep(labels, at, np.argmin(np.where(known[part].T, gaps, np.inf), 0))
        return labels

    def _add(self, t: float, places: Indices, shape: tuple[int, ...], around: int) -> None:
        """Another arm is first seen at `t`, s, and reaches in there along a border that is so long `around`."""
        number = len(self._masks) + 1
        for other, (came, at) in enumerate(zip(self._came, self._places, strict=True), 1):
            if t - came <= TOGETHER_S and _gaps(places, at, around).min() <= WIDE_PX:
                self._edges.append((other, number))
        self._masks.append(np.zeros(shape, bool))
        self._places.append(places)
        self._live.append(True)
        self._came.append(t)
        self._whole.append(number)

    def _join(self, labels: Labels) -> None:
        """Take for one the arms that may be its edges and touch in this frame."""
        for one, other in self._edges:
            least, most = sorted((self.whole(one), self.whole(other)))
            if least != most and _touching(labels == one, labels == other) >= TOUCHING_PX:
                self._whole = [least if whole == most else whole for whole in self._whole]

    @staticmethod
    def _new(body: Mask, parts: Numbers, part: Numbers, known: Mask, gone: Indices) -> list[Numbers]:
        """The parts of each arm that is seen for the first time, of those parts that reach in: fingers come in side by
        side. Those so near one that is known are marked as its own; so is the only one that comes as another has gone
        since the frame before, which was long ago where frames are missing."""
        fresh = np.unique(part[~known[part].any(1)])
        if len(fresh) == 0:
            return []
        _, hands = cv2.connectedComponents(cv2.dilate(body.astype(np.uint8), np.ones((APART_PX, APART_PX), np.uint8)))
        hand_of = np.zeros(len(known), np.int32)
        hand_of[parts[body]] = hands[body]
        arms, fresh_hands = list[Numbers](), np.unique(hand_of[fresh])
        for hand in fresh_hands:
            mine, there = fresh[hand_of[fresh] == hand], known[hand_of == hand].any(0)
            if there.any():
                known[mine, there.argmax()] = True
            elif len(fresh_hands) == len(gone) == 1:
                known[mine, gone] = True
            elif known.shape[1] + len(arms) < MOST:
                arms.append(mine)
            else:
                known[mine, -1] = True
        return arms

    def _part(self, labels: Labels, unsure: Mask) -> None:
        """Number what is unsure (h, w) as the arm, of those seen a frame ago if any, that was or surely is nearest."""
        if not unsure.any():
            return
        arms = [n for n, live in enumerate(self._live) if live] or list(range(len(self._live)))
        away = [_away((labels == n + 1) | self._masks[n])[unsure] for n in arms]
        labels[unsure] = 1 + np.array(arms)[np.argmin(away, 0)]

    def _keep(self, labels: Labels, at: Indices, arms: Indices) -> None:
        """Remember how each arm is seen now, which reaches in there: one that is not, as it was."""
        for n in range(len(self._masks)):
            mask = labels == n + 1
            self._live[n] = bool(mask.any())
            if self._live[n]:
                self._masks[n] = mask
            if (arms == n).any():
                self._places[n] = at[arms == n]


def numbers(labels: Labels) -> list[int]:
    """Those of the arms that are seen in a picture of their numbers (h, w), in order."""
    return [arm for arm in range(1, int(labels.max(initial=0)) + 1) if (labels == arm).any()]


def _gaps(places: Indices, others: Indices, around: int) -> npt.NDArray[np.float64]:
    """Px along a border that is so long `around` from each of these places on it to the nearest of the others."""
    apart = np.abs(places[:, None] - others)
    return np.asarray(np.minimum(apart, around - apart).min(1), np.float64)


def _touching(one: Mask, other: Mask) -> int:
    """Pixels of a mask that are beside another one."""
    return int(np.count_nonzero(one & (cv2.dilate(other.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)))


def _away(mask: Mask) -> npt.NDArray[np.float32]:
    """Px from each pixel (h, w) to the nearest one of a mask; very many where it is empty."""
    return np.asarray(cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 3), np.float32)

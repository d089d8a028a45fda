"""Arms told apart in a body: each is followed from frame to frame by where it reaches in."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.arm import along_border
from vision.network import LOCATOR_FACE_PX

Mask = npt.NDArray[np.bool_]
Labels = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.intp]

ASIDE_PX = 3.0 * LOCATOR_FACE_PX
"""Along the border, at most between an arm and where it was in the frame before: chosen. So no more than some 25 arms
are told apart."""


class Arms:
    """The arms of one body, by number. Arms that touch as they are first seen are one."""

    def __init__(self) -> None:
        """None was seen yet."""
        self._masks: list[Mask] = []
        self._places: list[Indices] = []

    def step(self, body: Mask) -> Labels:
        """The numbers, from 1 on, of the arms in the body (h, w) of the next frame, 0 elsewhere.

        What reaches in where two did, or nowhere, is of the arm that was nearest there. What reaches in nowhere while
        no arm is known is none.
        """
        border = along_border(body)
        at = np.flatnonzero(border)
        gaps = [_gaps(at, places, len(border)) for places in self._places]
        if len(gaps) == 1 and (gaps[0] <= ASIDE_PX).all():
            labels = body.astype(np.uint8)
            self._keep(labels, at, np.zeros(len(at), np.intp))
            return labels
        count, parts = cv2.connectedComponents(body.astype(np.uint8), connectivity=8)
        part = along_border(parts)[at]
        known = np.zeros((count, 0), bool)
        for gap in gaps:
            known = np.column_stack([known, np.isin(np.arange(count), part[gap <= ASIDE_PX])])
        for new in np.unique(part[~known[part].any(1)]):
            known = np.column_stack([known, np.arange(count) == new])
            gaps.append(np.where(part == new, 0.0, np.inf))
            self._masks.append(np.zeros(body.shape, bool))
            self._places.append(at[part == new])
        if not gaps:
            return np.zeros(body.shape, np.uint8)
        number = np.where(known.sum(1) == 1, 1 + known.argmax(1), 0).astype(np.uint8)
        labels = np.asarray(number[parts], np.uint8)
        self._part(labels, body & (labels == 0))
        self._keep(labels, at, np.argmin(np.where(known[part].T, gaps, np.inf), 0))
        return labels

    def _part(self, labels: Labels, unsure: Mask) -> None:
        """Number what is unsure (h, w) as the arm that was, or surely is, nearest."""
        if unsure.any():
            away = [_away((labels == n) | mask)[unsure] for n, mask in enumerate(self._masks, 1)]
            labels[unsure] = 1 + np.argmin(away, 0)

    def _keep(self, labels: Labels, at: Indices, arms: Indices) -> None:
        """Remember how each arm is seen now, which reaches in there: one that is not, as it was."""
        for n in range(len(self._masks)):
            mask = labels == n + 1
            if mask.any():
                self._masks[n] = mask
            if (arms == n).any():
                self._places[n] = at[arms == n]


def _gaps(places: Indices, others: Indices, around: int) -> npt.NDArray[np.float64]:
    """Px along a border that is so long `around` from each of these places on it to the nearest of the others."""
    apart = np.abs(places[:, None] - others)
    return np.asarray(np.minimum(apart, around - apart).min(1), np.float64)


def _away(mask: Mask) -> npt.NDArray[np.float32]:
    """Px from each pixel (h, w) to the nearest one of a mask; very many where it is empty."""
    return np.asarray(cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 3), np.float32)

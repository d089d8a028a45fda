"""What hangs together in a mask: its pieces, with the pixels at whose corners they touch."""

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Box = tuple[slice, slice]


def box_of(mask: Image) -> Box:
    """Rows and columns of the smallest part of a picture (h, w) that holds all that is not 0 in it."""
    left, top, width, height = cv2.boundingRect(mask)
    return slice(top, top + height), slice(left, left + width)


def pieces(mask: Image, least: float) -> Iterator[Mask]:
    """The pieces (h, w) of a mask, 0 or 1, of so many pixels at least."""
    box = box_of(mask)  # counting costs far more than looking for the box, most of all with OpenCV's own statistics
    labels, areas = _labelled(mask[box])
    for label in np.flatnonzero(areas >= max(least, 1)).tolist():
        piece = np.zeros(mask.shape, np.bool_)
        np.equal(labels, label, out=piece[box])
        yield piece


def largest(mask: Image) -> int:
    """Pixels of the largest piece of a mask (h, w), 0 or 1; 0 where it is empty."""
    return int(_labelled(mask[box_of(mask)])[1].max(initial=0))


def grown(region: Mask, wider: Image) -> Mask:
    """A region (h, w) with what hangs together with it in a wider mask, 0 or 1, that holds it."""
    box, whole = box_of(wider), np.zeros(region.shape, np.bool_)
    if wider[box].size == 0:
        return whole
    count, found = cv2.connectedComponents(wider[box], connectivity=8)
    labels = np.asarray(found, np.int32)
    own = np.zeros(count, np.bool_)
    own[labels[region[box]]] = True
    own[0] = False
    whole[box] = wider[box] > 0 if own[1:].all() else own.take(labels)
    return whole


def _labelled(mask: Image) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
    """The number of the piece at each pixel (h, w), and the pixels of each (n,); 0 is no piece and has none."""
    if mask.size == 0:
        return np.zeros(mask.shape, np.int32), np.zeros(0, np.intp)
    labels = np.asarray(cv2.connectedComponents(mask, connectivity=8)[1], np.int32)
    areas = np.bincount(labels.ravel())
    areas[0] = 0
    return labels, areas

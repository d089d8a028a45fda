"""Pieces of masks: the same as OpenCV's own statistics give."""

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.pieces import box_of, grown, largest, pieces

masks = arrays(np.uint8, st.tuples(st.integers(1, 12), st.integers(1, 12)), elements=st.integers(0, 1))


@given(masks, st.integers(0, 9))
def test_pieces_are_those_of_so_many_pixels(mask: np.ndarray[tuple[int, int], np.dtype[np.uint8]], least: int) -> None:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    large = [label for label in range(1, count) if stats[label, cv2.CC_STAT_AREA] >= least]
    expected = sorted((labels == label).tobytes() for label in large)
    assert sorted(piece.tobytes() for piece in pieces(mask, least)) == expected
    assert largest(mask) == stats[1:, cv2.CC_STAT_AREA].max(initial=0)


@given(masks, masks)
def test_grown_is_all_pieces_that_a_region_touches(
    wider: np.ndarray[tuple[int, int], np.dtype[np.uint8]], other: np.ndarray[tuple[int, int], np.dtype[np.uint8]]
) -> None:
    region = np.zeros(wider.shape, np.bool_)
    rows, columns = (slice(min(a, b)) for a, b in zip(wider.shape, other.shape, strict=True))
    region[rows, columns] = (wider[rows, columns] & other[rows, columns]) > 0
    expected = np.zeros_like(region)
    for piece in pieces(wider, 1):
        expected |= piece & bool((piece & region).any())
    assert np.array_equal(grown(region, wider), expected)


def test_box_holds_all_that_is_not_nought_and_nothing_more() -> None:
    mask = np.zeros((9, 7), np.uint8)
    assert mask[box_of(mask)].size == 0
    mask[2, 3] = mask[5, 1] = 1
    assert box_of(mask) == (slice(2, 6), slice(1, 4))

"""Rubbish of a broken stream, and straight trays that look a little like it."""

import numpy as np
import numpy.typing as npt

from vision.corrupt import BLOCK, block_edges, has_broken_blocks

Image = npt.NDArray[np.uint8]


def rim(levels: float) -> Image:
    """A bright rim whose edges lie on the grid of blocks."""
    picture = np.full((240, 320), 60, np.uint8)
    picture[3 * BLOCK : 12 * BLOCK, 2 * BLOCK : 18 * BLOCK] = 60 + levels
    picture[4 * BLOCK : 11 * BLOCK, 3 * BLOCK : 17 * BLOCK] = 40
    return picture


def torn(picture: Image) -> Image:
    """The picture below the middle slipped aside."""
    below = np.roll(picture[7 * BLOCK :], 70, axis=1)
    return np.concatenate([picture[: 7 * BLOCK], 255 - below])


def test_rim_on_the_grid_is_no_rubbish_in_any_light() -> None:
    edges, usual = block_edges(rim(60))
    assert edges.sum() > 40
    assert not has_broken_blocks(edges, None)
    assert not has_broken_blocks(block_edges(rim(150))[0], usual)


def test_torn_picture_is_rubbish_beside_such_a_rim() -> None:
    _, usual = block_edges(rim(60))
    assert has_broken_blocks(block_edges(torn(rim(60)))[0], usual)

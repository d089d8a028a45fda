"""Rubbish of a broken stream, and straight trays that look a little like it."""

import numpy as np
import numpy.typing as npt

from vision.corrupt import BLOCK, block_edges, has_broken_blocks, is_dotted

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
    assert not is_dotted(torn(rim(60)), block_edges(torn(rim(60)))[0])


def test_coarse_grain_has_such_edges_on_the_grid_and_off_it() -> None:
    dots = np.where(np.random.default_rng(1).random((120, 160)) < 0.1, 200, 40).astype(np.uint8)
    picture = np.kron(dots, np.ones((2, 2), np.uint8))
    edges, usual = block_edges(picture)
    assert has_broken_blocks(edges, np.zeros_like(usual))
    assert is_dotted(picture, edges)

"""Whether a frame is a picture at all: rubbish of a broken stream must be known before anything is read from it.

A decoder that lost data leaves blocks that end on its own grid of 16 px, rows that repeat the one above, or one flat
colour; a torn frame has a seam across its whole width. What a camera sees does none of this: lens and light soften
every edge, and no edge lies on the grid by more than chance, but for those of a straight tray, which stay there.
"""

from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float32]

BLOCK = 16
"""Edge in px of the blocks of which H.264, MPEG-4 and JPEG with halved colour are made."""
STEP = 12.0
"""Grey levels by which broken neighbours differ along the edge of a block."""
SMOOTH = 0.34
"""Share of that step by which the rows beside the edge differ at most: a seen edge is never so sharp."""
LIKELY_STEP, LIKELY_SMOOTH = 4.0, 0.6
"""The same where an edge of the tray may yet become as sharp in another light."""
RUN = 3
"""Blocks in a row whose edges are broken, from which that is the straight edge of a tray not seen before."""
BROKEN_EDGES = 12
"""Edges of blocks in one frame. Filmed and drawn trays have up to 4, boxes drawn into clips afterwards up to 10 (of
some, 14); a damaged stream has this many once 2-5 % of its picture is wrong, and a median of 20-50 beyond."""
ASIDE, ELSEWHERE = 6, 0.5
"""Px off the grid of blocks, where what is broken on the grid has no such edges, and the share of them there from which
the picture itself is made of dots: in a trial that no command repeats, of drawn grain .6 to 1.9, of spoilt frames 0."""
REPEATED = 0.05
"""Mean grey levels between a row and the next where nothing new is shown; the noise of any lens' picture is more."""
SHOWN = 1.0
"""Mean grey levels between such rows of the tray as it was seen before."""
BROKEN_ROWS = 0.25
"""Share of the rows. Filmed and drawn trays have up to 0.2 (a badly focused one), a lower half without data 0.4."""
SEAM = 45.0
"""Mean grey levels across the whole width between two rows that did not differ before; a sleeve's edge has up to 26."""
FLAT = 1.0
"""Grey levels of spread in a picture that shows nothing; the noise of a covered lens alone is about as much."""


def block_edges(grey: Image) -> tuple[Mask, Mask]:
    """Where the picture (h, w) as it was decoded is torn along the edges of its blocks, and where it might come to be
    without harm: both (rows, columns of blocks)."""
    height, width = grey.shape
    rows = np.arange(BLOCK, height - 2, BLOCK)
    columns = width // BLOCK
    if columns == 0 or len(rows) == 0:
        return np.zeros((0, 0), bool), np.zeros((0, 0), bool)
    lines = [grey[rows + offset, : columns * BLOCK] for offset in (-2, -1, 0, 1)]
    above, across, below = (
        cv2.resize(cv2.absdiff(a, b), (columns, len(rows)), interpolation=cv2.INTER_AREA) for a, b in pairwise(lines)
    )
    beside = cv2.max(above, below)
    torn = (across > STEP) & (beside < SMOOTH * across)
    return torn, (across > LIKELY_STEP) & (beside < LIKELY_SMOOTH * across)


def has_broken_blocks(torn: Mask, usual: Mask | None) -> bool:
    """Whether the picture is rubbish, by where it is torn and where the tray's own edges are (None: not known)."""
    if usual is not None:
        return int((torn & ~usual).sum()) >= BROKEN_EDGES
    edges = torn.astype(np.uint8)
    lines = cv2.morphologyEx(edges, cv2.MORPH_OPEN, np.ones((1, RUN), np.uint8)) if edges.size else edges
    return int(edges.sum()) - int(lines.sum()) >= BROKEN_EDGES


def is_dotted(grey: Image, torn: Mask) -> bool:
    """Whether the picture (h, w) has edges like the `torn` ones anywhere: no block, but grain in a hard light."""
    return int(block_edges(grey[ASIDE:])[0].sum()) > ELSEWHERE * int(torn.sum())


def row_changes(picture: Image) -> FloatArray:
    """Mean grey levels (h - 1,) by which each row of a working picture (h, w) differs from the next."""
    differing = cv2.absdiff(picture[1:], picture[:-1])
    return np.asarray(cv2.reduce(differing, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)[:, 0])


def has_lost_rows(changes: FloatArray, usual: FloatArray) -> bool:
    """Whether rows repeat or are empty, by `row_changes` of a picture and of one that was sound."""
    return float(((changes < REPEATED) & (usual > SHOWN)).mean()) > BROKEN_ROWS


def has_seam(changes: FloatArray, usual: FloatArray) -> bool:
    """Whether rows tear, by `row_changes` of a picture and of one that was sound; the straight edge of a tray that has
    come to lie elsewhere looks so too."""
    return float((changes - usual).max()) > SEAM


def is_flat(picture: Image) -> bool:
    """Whether a picture shows one grey level and nothing else."""
    return float(cv2.meanStdDev(picture)[1][0, 0]) < FLAT

"""How large the dice are and how long a millimetre is: by the dice, the tray's width or a board.

Dice stand out of the floor, so how large they look hangs on the camera's height. The tray's rim tells it but roughly;
where people measured from the lens to the floor's middle, the size of dice and the scale by them are surer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.bend import Bend, bend
from calibration.board import Board
from calibration.dice import DOUBT, Measured, measure_dice
from calibration.facts import Scale, Wish
from calibration.gauge import FARTHEST, FILMED_DOUBT, HEIGHT_DOUBT, TAPED, load_gauge
from calibration.pips import Diagonals
from calibration.row import Row, agreed, edge_by_row
from calibration.shape import Points
from calibration.sides import Image, Lying
from calibration.trace import Outline, at_height
from vision.lens import Lens

UNLIKE = 0.2
"""Share by which the dice's outlines may tell another size than their readings do."""
WHITE_LEVEL, WHITE_SHARE, WHITE_DOUBT = 245, 0.3, 0.03
"""Dice a share of whose tops is so light in all colours are overexposed: their light spreads and makes them look
larger, by up to so much in a trial that no command repeats."""
TOP = 0.25
"""Faces from a die's middle that are surely its top."""
ROUNDS = 2
"""By dice that were measured with the height so far, then again with that given."""
USUAL_DIE_MM = 16.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """outline: in the view in which the dice were measured, `measured` None where they tell nothing. unit: mm to half a
    width of the floor, scale: what told so, lens: with the floor in mm. scale_doubt: share by which mm to a px may be
    off in the middle of the floor, 0 where what told it is exact. dice_doubt: by which the size of the dice may be
    beside the floor's. height_odd: the camera's height that was given was left out, as the picture contradicts it. row:
    of dice pushed together, None where none was seen; row_odd: it was left out, as the dice's looks contradict it."""

    outline: Outline
    measured: Measured | None
    unit: float
    scale: Scale
    lens: Lens
    scale_doubt: float = 0.0
    dice_doubt: float = 0.0
    height_odd: bool = False
    row: Row | None = None
    row_odd: bool = False


def size_up(
    dice: Sequence[Lying],
    empty: Image,
    outline: Outline,
    wish: Wish,
    board: Board | None,
    die_px: float,
    face_px: float,
    pips: Sequence[Diagonals] = (),
    together: Sequence[Sequence[Points]] = (),
) -> Sizes:
    """All sizes, by what is known; `empty` is the tray's picture without the dice, BGR, `die_px` the size at which they
    are read, `face_px` that of one that lies plainly, `pips` those that tell how the lens bends over a round floor,
    `together` the middles of the pips of dice that lay on the floor at one time, where a row is shown."""
    size = (empty.shape[1], empty.shape[0])

    def measured(seen: Outline, height_doubt: float) -> Sizes:
        found = measure_dice(dice, empty, seen, height_doubt < HEIGHT_DOUBT)
        own = DOUBT
        if found is not None:
            found = gauged(found, dice, empty, height_doubt)
            found, own = _credible(found, die_px, seen)
        if found is not None and seen.kind not in ("square", "rectangle"):  # dice tell more than a round floor does
            seen = replace(seen, view=found.view)
        bent = _bent(seen, found, pips, board, face_px, size) if seen.kind == "round" else None
        if bent is not None:
            seen = replace(seen, view=bent.view)
            found = found and replace(found, view=bent.view, edge=bent.edge)
        row, odd = None, False
        if found is not None:
            found, row, odd = _by_row(found, together, size, height_doubt)
            own = found.doubt
        return replace(_scaled(seen, board, wish, found, own, face_px, size, bent), row=row, row_odd=odd)

    sizes = without = measured(outline, HEIGHT_DOUBT)
    if wish.height_mm is None or sizes.scale == "assumed":
        return sizes
    for _ in range(ROUNDS):
        held = at_height(sizes.outline, wish.height_mm / sizes.unit, size)
        if held is None:
            return replace(without, height_odd=True)
        sizes = measured(held, TAPED)
    return sizes


def gauged(measured: Measured, dice: Sequence[Lying], empty: Image, height_doubt: float = HEIGHT_DOUBT) -> Measured:
    """The edge as the gauge sees it; where that is quite another, what was measured may be off by as much."""
    lens = measured.view.lens((empty.shape[1], empty.shape[0]))
    found = load_gauge().measure(dice, empty, lens, measured.poses, measured.edge, height_doubt)
    if found is None:
        return replace(measured, doubt=FARTHEST)
    doubt = math.hypot(found.doubt, WHITE_DOUBT) if overexposed(dice) else found.doubt
    return replace(measured, edge=found.edge, doubt=doubt)


def _by_row(
    gauged: Measured, together: Sequence[Sequence[Points]], size: tuple[int, int], height_doubt: float
) -> tuple[Measured, Row | None, bool]:
    """The edge as the gauge and a row of dice tell it together, the row, and whether it was left out as they contradict
    each other: the edge is in as much doubt then. How high the camera is leaves both in doubt alike."""
    lens = gauged.view.lens(size)
    row = edge_by_row(together, lens, gauged.edge)
    if row is None:
        return gauged, None, False
    raised = height_doubt * gauged.edge / lens.place[2]
    own = math.sqrt(max(gauged.doubt**2 - raised**2, FILMED_DOUBT**2))
    both = agreed(row, gauged.edge, own)
    if both is None:
        doubt = max(gauged.doubt, abs(math.log(row.edge / gauged.edge)))
        return replace(gauged, doubt=doubt), row, True
    # Dice that are all a little apart make them look larger; looks that tell little cannot contradict that.
    doubt = max(both.doubt, math.log(row.edge / gauged.edge), own / 2)
    return replace(gauged, edge=both.edge, doubt=math.hypot(doubt, raised)), row, False


def overexposed(dice: Sequence[Lying]) -> bool:
    """Whether the dice are full white."""
    return bool(dice) and float(np.median([_white(die) for die in dice])) > WHITE_SHARE


def _white(die: Lying) -> float:
    """The share of a die's top that is full white."""
    reach, x, y = max(1, round(TOP * die.face_px)), round(die.x), round(die.y)
    top = die.picture[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    return float((top.min(axis=2) >= WHITE_LEVEL).mean())


def edge_at(scale: float, height: float, face_px: float) -> float:
    """A die's edge in half widths by the size at which it is read."""
    edge = face_px / scale
    return edge * (1 - edge / height)


def _bent(
    outline: Outline,
    measured: Measured | None,
    pips: Sequence[Diagonals],
    board: Board | None,
    face_px: float,
    size: tuple[int, int],
) -> Bend | None:
    """The bend of a lens above a round floor, whether dice were measured there or only read."""
    if measured is not None:
        return bend(outline, size, pips, measured.poses[:, :2], measured.edge, board)
    edge = edge_at(outline.view.scale, outline.view.height, face_px)
    return bend(outline, size, pips, np.zeros((1, 2)), edge, board)


def _scaled(
    outline: Outline,
    board: Board | None,
    wish: Wish,
    measured: Measured | None,
    own: float,
    face_px: float,
    size: tuple[int, int],
    bent: Bend | None,
) -> Sizes:
    """The unit and what told it: the board where it lay there. `own`: share by which the dice's size may be off,
    `bent`: what is not known of the lens in whose view they were measured."""
    scale: Scale
    if bent is not None and measured is not None:
        measured = replace(measured, doubt=math.hypot(own, bent.of_dice))
    view, doubt = outline.view, 0.0 if bent is None else bent.by_length
    if board is not None:
        unit, scale = board.unit_mm(view.lens(size)), "board"
    elif wish.tray_mm is not None:
        unit, scale = wish.tray_mm / (2 * max(1.0, view.ratio)), "tray"
    else:
        edge = measured.edge if measured is not None else edge_at(view.scale, view.height, face_px)
        unit, scale = (wish.die_mm or USUAL_DIE_MM) / edge, "assumed" if wish.die_mm is None else "die"
        doubt = math.hypot(own, 0.0 if bent is None else bent.by_dice)
    of_dice = own if measured is None else measured.doubt
    return Sizes(outline, measured, unit, scale, view.lens(size, unit), doubt, of_dice)


def _credible(measured: Measured, die_px: float, outline: Outline) -> tuple[Measured | None, float]:
    """What was measured, and the doubt in the dice's size; None where pips or shadows were.

    It is far from the size at which the dice are read then, and the gauge does not see it so: neither is proven. Dice
    that hardly stand out from the floor may be read, by their pips, at quite another size than they have.
    """
    expected = edge_at(outline.view.scale, outline.view.height, die_px)
    contradicted = abs(math.log(measured.edge / expected))
    if abs(measured.edge / expected - 1) < UNLIKE or measured.doubt < FARTHEST:
        return measured, measured.doubt
    return None, max(DOUBT, contradicted)

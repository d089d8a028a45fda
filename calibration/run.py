"""Calibrating a tray from a recording: everything measured, and whether it can be trusted."""

import math
from dataclasses import dataclass, replace
from datetime import datetime

import cv2
import numpy as np
import numpy.typing as npt

from calibration.beside import close_together
from calibration.board import Board, find_board
from calibration.check import check, lies_still, tells_moves
from calibration.dice import Measured
from calibration.facts import Calibration, Picture, Scale, Wish
from calibration.floor import rough_floor
from calibration.judge import GOOD_FPS, TOO_DARK, of_floor, of_pictures, ordered, spoilt
from calibration.light import Light, light_on
from calibration.other_tray import other_tray
from calibration.outline import find_outline
from calibration.pips import diagonals
from calibration.pointed import POINTED, check_held, outline_pointed_at
from calibration.quality import Quality, glare_spots, measure
from calibration.recording import Recording, Seen, calm_pictures, dice_at_rest, empty_tray, face_size, last_calm
from calibration.register import lain_together, lots_of, registered, unexpected, usual_count
from calibration.row import Row
from calibration.shape import Points, border, mm_per_px
from calibration.sizes import overexposed, size_up
from calibration.trace import Outline
from vision.lens import Lens
from vision.network import Networks

Image = npt.NDArray[np.uint8]

LEAST_S, LEAST_FRAMES = 2.0, 10
DICE_MM = (7.0, 40.0)
"""Edges of dice that people throw; others are no dice, or the length given is wrong."""
GLARE_FACES = 0.25
"""Areas of a face of the smallest mirrored lamp that hides pips."""
POINTS = 64
NOISY = 6.0
USUAL_DICE_MM, USUAL_TRAY_MM = (9.0, 26.0), (120.0, 600.0)
"""Beyond these a length given may be a slip; it is said."""
JITTER = 0.3
"""Spread of the time between frames beside that time, from which it is said."""
EVEN, CLIPPED, BRIGHTNESS_DRIFT, COLOUR_DRIFT = 0.5, 0.1, 0.15, 0.06
"""Of the light on the floor (`Light`), from which it is said."""
ROUGH = 0.01
"""Share by which a length may be off before that is said."""
LAST = 5
"""Pictures from the recording's end in which it is seen whether the tray still lies where it was found."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a recording told: a calibration where it passed, and all that was seen on the way, for the report.

    reasons: why it fails, by their names. advice: what could be better. spots: mirrored lamps, x, y and area in px.
    other: another tray's outline (n, 2), px. scale_doubt: share by which mm to a px may be off in the middle of the
    floor, dice_doubt: by which the size of the dice may be beside the floor's. taped: the camera's height was given
    and taken; height_odd: it was left out, as the picture contradicts it. row: of dice pushed together, None where none
    was asked for or seen; row_odd: it was left out, as the dice's looks contradict it. elsewhere: the outline that is
    plain where the corners given are not on it.
    """

    reasons: tuple[str, ...]
    advice: tuple[str, ...]
    recording: Recording
    empty: Image
    quality: Quality
    outline: Outline | None = None
    calibration: Calibration | None = None
    dice: tuple[Seen, ...] = ()
    measured: Measured | None = None
    spots: tuple[tuple[float, float, float], ...] = ()
    found: tuple[tuple[int, ...], ...] = ()
    board: Board | None = None
    light: Light | None = None
    other: Points | None = None
    scale_doubt: float = 0.0
    dice_doubt: float = 0.0
    taped: bool = False
    height_odd: bool = False
    row: Row | None = None
    row_odd: bool = False
    elsewhere: Outline | None = None

    @property
    def ok(self) -> bool:
        """Whether the calibration can be trusted."""
        return not self.reasons


def calibrate(recording: Recording, networks: Networks, wish: Wish, camera: str, made: datetime) -> Result:
    """Calibrate from a recording; `camera` is its name, `made` the date written down.

    Raises CalibrationError for corners that are no floor's.
    """
    short = recording.seconds < LEAST_S or len(recording.times) < LEAST_FRAMES
    die_px = None if short else face_size(recording, networks)
    board, bare = _board(recording) if wish.board and not short else (None, recording)
    empty = empty_tray(bare, networks, die_px)
    quality = measure(recording, empty)
    reasons = of_pictures(recording, quality, die_px, short)
    result = Result((), ("cut_short",) if recording.cut else (), recording, empty, quality, board=board)
    if short:
        return replace(result, reasons=tuple(reasons))
    if die_px is None:
        return replace(result, reasons=(*reasons, *(() if spoilt(reasons) else ("no_dice",))))
    lain = dice_at_rest(bare, networks, die_px)
    seen = [die for die in lain if die.plain]
    result = replace(result, dice=tuple(seen), found=lain_together(seen))
    if not seen:
        return replace(result, reasons=(*reasons, *(() if spoilt(reasons) else ("no_dice",))))
    places = [(die.lying.x, die.lying.y) for die in seen]
    if wish.corners:
        check_held(wish.corners, places, die_px)
        outline: Outline | None
        outline, elsewhere = outline_pointed_at(empty, places, die_px, wish.corners)
        result = replace(result, elsewhere=elsewhere)
    else:
        reasons += of_floor(empty, places, die_px)
        outline = find_outline(empty, places, die_px)
        if outline is None or not outline.sure:
            rough = rough_floor(empty, places, die_px)
            spots = glare_spots(empty, rough, GLARE_FACES * die_px**2)
            other = other_tray(empty, rough)
            reasons += (["glare"] if spots else []) + (["two_trays"] if other is not None else [])
            reasons += [] if reasons else ["no_tray"]
            return replace(result, reasons=ordered(reasons), outline=outline, spots=tuple(spots), other=other)
    result = replace(result, reasons=tuple(reasons), outline=outline, dice=tuple(lain))
    return _finished(result, networks, wish, die_px, camera, made)


def _board(recording: Recording) -> tuple[Board | None, Recording]:
    """The board where it is seen whole at first, and the recording without the pictures that show it."""
    seen = [(t, find_board(picture)) for t, picture in recording.pictures]
    boards = [board for _, board in seen if board is not None]
    if not boards:
        return None, recording
    without = tuple(p for p, (_, board) in zip(recording.pictures, seen, strict=True) if board is None)
    best = max(boards, key=lambda board: len(board.seen))
    return best, replace(recording, pictures=without or recording.pictures)


def _finished(result: Result, networks: Networks, wish: Wish, die_px: float, camera: str, made: datetime) -> Result:
    """The rest, once the outline is known: sizes, what lies on the floor, and the file."""
    assert result.outline is not None
    outline, size = result.outline, result.recording.size
    plain = [die.lying for die in result.dice if die.plain]
    lying = [die.lying for die in result.dice if die.value is not None]
    pips = diagonals(networks, result.dice) if outline.kind == "round" else ()
    together = _together(result, networks, die_px) if wish.row else []
    sizes = size_up(lying, result.empty, outline, wish, result.board, die_px, plain[0].face_px, pips, together)
    traced = sizes.outline if outline.kind == "round" else outline  # what dice tell of the camera moves no edge
    points = traced.view.lens(size).project(border(traced.kind, traced.view.ratio, POINTS))
    outline, measured, unit, scale, lens = sizes.outline, sizes.measured, sizes.unit, sizes.scale, sizes.lens
    result = replace(result, outline=outline, measured=measured, height_odd=sizes.height_odd)
    result = replace(result, row=sizes.row, row_odd=sizes.row_odd)
    result = replace(result, taped=wish.height_mm is not None and not sizes.height_odd)
    by_corners = _by_corners(result)
    result = replace(result, scale_doubt=math.hypot(sizes.scale_doubt, by_corners))
    result = replace(result, dice_doubt=math.hypot(sizes.dice_doubt, by_corners))
    reasons = list(result.reasons)
    width, height = size
    if ((points < -1) | (points > (width, height))).any():
        reasons.append("tray_cut_off")
    inside = np.zeros((height, width), np.uint8)
    cv2.fillPoly(inside, [np.round(points).astype(np.int32)], 1)
    other = other_tray(result.empty, inside.astype(bool))
    reasons += ["two_trays"] if other is not None else []
    spots = glare_spots(result.empty, inside.astype(bool), GLARE_FACES * die_px**2)
    reasons += ["glare"] if spots else []
    edge_mm, face = _die(measured, unit, lens, die_px, wish, scale)
    if scale != "die" and not DICE_MM[0] <= edge_mm <= DICE_MM[1]:
        reasons.append("no_dice")
    light = light_on(inside.astype(bool), result.empty, result.recording, die_px) if inside.any() else None
    result = replace(result, light=light, dice=tuple(die for die in result.dice if die.plain or _lies_on(die, points)))
    floor = tuple((round(float(x), 2), round(float(y), 2)) for x, y in points)
    unsure = float(np.mean([die.value is None for die in result.dice]))
    calibration = Calibration(
        width=width,
        height=height,
        floor=floor,
        die_px=round(face, 2),
        die_mm=round(edge_mm, 2),
        lens=lens,
        scale=scale,
        shape=outline.kind,
        camera=camera,
        made=made,
        dice=registered(networks, result.dice, usual_count(result.found)),
    )
    picture = _picture(result, inside.astype(bool))
    picture = replace(picture, edge=round(check(calibration, [result.empty]).held, 3))
    calibration = replace(calibration, picture=picture)
    left = None if reasons else _lost(calibration, result)
    if left is not None and lies_still(calibration, [result.empty], last_calm(result.recording, LAST)):
        calibration = replace(calibration, picture=replace(picture, edge=left))
    elif left is not None:
        reasons.append("camera_moving")
    result = replace(result, reasons=ordered(reasons), calibration=calibration, spots=tuple(spots), other=other)
    return replace(result, advice=(*result.advice, *_advice(result, wish, scale, unsure)))


def _together(result: Result, networks: Networks, die_px: float) -> list[list[Points]]:
    """The pips' middles of dice that lay on the floor at one time, at its end: they may be pushed together in it."""
    assert result.outline is not None
    view = result.outline.view
    floor = view.lens(result.recording.size).project(border(result.outline.kind, view.ratio, POINTS))
    calm = calm_pictures(result.recording)
    lots = []
    for lot in lots_of([die for die in result.dice if die.plain and _lies_on(die, floor)]):
        begin, end = max(die.t for die in lot), min(die.until for die in lot)
        shown = [picture for t, picture in calm if begin <= t <= end]
        places = [(die.lying.x, die.lying.y) for die in lot]
        lots += [close_together(networks, shown[-1], places, die_px)] if shown else []
    return lots


def _by_corners(result: Result) -> float:
    """The share by which lengths may be off as people pointed at the floor: where no edge bears them out, by as much as
    they may point beside it, and where another outline is plain, by as much as that is larger or smaller."""
    outline, plain = result.outline, result.elsewhere
    other = 0.0 if plain is None or outline is None else abs(math.log(plain.view.scale / outline.view.scale))
    return max(other, POINTED if outline is not None and outline.taken else 0.0)


def _lost(found: Calibration, result: Result) -> float | None:
    """The share of the floor's edge that is seen at the recording's end where it was in the empty tray, if that is too
    little, else None. A tray was pushed on a table whose pattern stands still, then, or the camera, or the edge is too
    faint to tell moves by. Corners that lie on no edge tell nothing of that."""
    last = last_calm(result.recording, LAST)
    now = check(found, last) if last else None
    return round(now.held, 3) if now is not None and "camera_moved" in now.reasons else None


def _die(
    measured: Measured | None, unit: float, lens: Lens, die_px: float, wish: Wish, scale: Scale
) -> tuple[float, float]:
    """A die's edge in mm, and the px of its face in the middle of the floor."""
    if measured is None and wish.die_mm is None:
        return die_px * mm_per_px(lens), die_px
    edge = wish.die_mm if wish.die_mm is not None else (measured.edge * unit if measured is not None else 16.0)
    at = lens.project([(0, 0)], edge)
    return edge, edge * float(lens.px_per_mm(at, edge)[0])


def _picture(result: Result, floor: npt.NDArray[np.bool_]) -> Picture:
    grey = cv2.cvtColor(result.empty, cv2.COLOR_BGR2GRAY)
    blue, green, red = (float(v) for v in np.median(result.empty[floor], axis=0))
    return Picture(
        fps=round(result.recording.fps, 3),
        jitter_ms=round(result.recording.jitter_ms, 2),
        level=float(np.median(grey[floor])),
        colour=(blue, green, red),
        noise=round(result.quality.noise, 2),
        blur_px=round(result.quality.blur_px, 2),
    )


def _lies_on(die: Seen, floor: Points) -> bool:
    return cv2.pointPolygonTest(floor.astype(np.float32), (die.lying.x, die.lying.y), False) > 0


def doubts(result: Result, mm: float) -> tuple[float | None, float | None]:
    """By how much mm a px and the dice's mm may be off; None of what a length told exactly, or nothing."""
    found = result.calibration
    if found is None or found.scale == "assumed":
        return None, None
    of_dice = None if found.scale == "die" else result.dice_doubt * found.die_mm
    return result.scale_doubt * mm or None, of_dice


def floor_mm(found: Calibration) -> float:
    """The floor's inside width by its lens, mm: between two opposite sides, of a rectangle the longer one."""
    assert found.lens is not None
    across, along = np.ptp(found.lens.to_floor(found.floor), axis=0).tolist()
    return max(across, along) if found.shape == "rectangle" else float(across)


def _is_odd(found: Calibration | None) -> bool:
    """Whether dice or tray are of an unusual size by a length that was given."""
    if found is None or found.scale == "assumed":
        return False
    (small, large), (narrow, wide) = USUAL_DICE_MM, USUAL_TRAY_MM
    return not (small <= found.die_mm <= large and narrow <= floor_mm(found) <= wide)


def _advice(result: Result, wish: Wish, scale: Scale, unsure: float) -> list[str]:
    """What could be better, by names that the messages explain."""
    unmet = bool(wish.expect) and tuple(sorted(wish.expect)) not in result.found
    contradicted = unmet and bool(unexpected(result.found, wish.expect))
    taken = result.outline is not None and result.outline.taken
    checks = {
        "scale_unknown": scale == "assumed",
        "scale_rough": scale == "die" and result.scale_doubt > ROUGH and not taken,
        "lens_unknown": scale in ("tray", "board") and result.scale_doubt > ROUGH and not _by_corners(result),
        "board_not_found": wish.board and scale != "board",
        "expected_contradicted": contradicted,
        "expected_not_read": unmet and not contradicted,
        "corners_taken": taken,
        "corners_odd": result.elsewhere is not None,
        "moves_untold": result.calibration is not None and not tells_moves(result.calibration),
        "few_throws": len(result.found) < 2,
        "frame_rate_low": result.recording.fps < GOOD_FPS,
        "dim": result.quality.brightest < 2 * TOO_DARK,
        "noisy": result.quality.noise > NOISY,
        "readings_unsure": unsure > 0.1,
        "length_odd": _is_odd(result.calibration),
        "height_odd": result.height_odd,
        "row_not_seen": wish.row and result.row is None,
        "row_odd": result.row_odd,
        "dice_overexposed": overexposed([die.lying for die in result.dice]),
        "frames_uneven": result.recording.jitter_ms * result.recording.fps > JITTER * 1000,
    }
    if (light := result.light) is not None:
        checks |= {
            "uneven_light": light.even < EVEN,
            "overexposed": light.clipped > CLIPPED,
            "light_drifts": light.brightness_drift > BRIGHTNESS_DRIFT,
            "colours_drift": light.colour_drift > COLOUR_DRIFT,
        }
    return [name for name, holds in checks.items() if holds]

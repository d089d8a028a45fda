"""Families of recordings that must pass: every shape of tray, height, tilt and lens, with whatever size is known."""

from models.sim.calibration.acts import leave_empty, show, take_and_throw
from models.sim.calibration.board import show_board
from models.sim.calibration.family import Family, as_advised, board, die_size, no_size, row, tray_size
from models.sim.calibration.setup import Wish
from models.sim.stage import Stage


def _board_and_dice(stage: Stage) -> None:
    show_board(stage)
    leave_empty(stage, stage.clock)
    show(stage)
    take_and_throw(stage, len(stage.setting.dice))


SETUPS = (
    Family("square_tray", "a square tray", Wish(("square",)), as_advised),
    Family("rectangle_tray", "a tray longer than wide", Wish(("rectangle",)), as_advised),
    Family("octagon_tray", "an octagonal tray", Wish(("octagon",)), as_advised),
    Family("round_tray", "a round tray", Wish(("round",)), as_advised),
    Family("low_camera", "the camera close above the tray", Wish(height_mm=(350.0, 450.0)), as_advised),
    Family("high_camera", "the camera high above the tray", Wish(height_mm=(950.0, 1200.0)), as_advised),
    Family("tilted_camera", "the camera looks at the tray from the side", Wish(tilt_deg=(12.0, 20.0)), as_advised),
    Family(
        "wide_lens",
        "a wide lens close above the tray bends its sides",
        Wish(height_mm=(350.0, 500.0), tilt_deg=(0.0, 12.0), barrel=(0.5, 1.0), fill=(0.75, 0.9)),
        as_advised,
    ),
    Family("die_known", "the size of the dice is given", Wish(), die_size),
    Family("tray_known", "the size of the tray is given", Wish(), tray_size),
    Family(
        "board",
        "a printed board lies on the floor before the dice",
        Wish(reach_mm=(133.0, 150.0)),
        board,
        act=_board_and_dice,
    ),
    Family("nothing_known", "no size is given: shapes and pixels alone", Wish(), no_size),
)
"""Families that differ in tray, camera or what lies before it: single pictures are drawn of these."""

GOOD = (
    *SETUPS,
    Family("dice_in_row", "the dice's size is given, and they are pushed together in a row", Wish(dice=(5, 5)), row),
)

"""Families of recordings that must pass: every shape of tray, height, tilt and lens, with whatever size is known."""

from models.sim.calibration.acts import leave_empty, show_row, show_row_and_throw, take_and_throw
from models.sim.calibration.board import show_board
from models.sim.calibration.family import Family, Given, as_advised, board_and_row, die_size, no_size, tray_and_row
from models.sim.calibration.setup import Wish
from models.sim.stage import Stage


def _board_and_dice(stage: Stage) -> None:
    show_board(stage)
    leave_empty(stage, stage.clock)
    show_row(stage)
    take_and_throw(stage, len(stage.setting.dice))


def _by_the_manual(name: str, about: str, wish: Wish | None = None, given: Given = as_advised) -> Family:
    return Family(name, about, wish or Wish(), given, act=show_row_and_throw)


GOOD = (
    _by_the_manual("square_tray", "a square tray", Wish(("square",))),
    _by_the_manual("rectangle_tray", "a tray longer than wide", Wish(("rectangle",))),
    _by_the_manual("octagon_tray", "an octagonal tray", Wish(("octagon",))),
    _by_the_manual("round_tray", "a round tray", Wish(("round",))),
    _by_the_manual("low_camera", "the camera close above the tray", Wish(height_mm=(350.0, 450.0))),
    _by_the_manual("high_camera", "the camera high above the tray", Wish(height_mm=(950.0, 1200.0))),
    _by_the_manual("tilted_camera", "the camera looks at the tray from the side", Wish(tilt_deg=(12.0, 20.0))),
    _by_the_manual(
        "wide_lens",
        "a wide lens close above the tray bends its sides",
        Wish(height_mm=(350.0, 500.0), tilt_deg=(0.0, 12.0), barrel=(0.5, 1.0), fill=(0.75, 0.9)),
    ),
    Family("die_known", "the size of the dice is given and nothing else, and they are shown apart", given=die_size),
    _by_the_manual("tray_known", "the size of the tray is given", given=tray_and_row),
    Family(
        "board",
        "a printed board lies on the floor before the dice",
        Wish(reach_mm=(133.0, 150.0)),
        board_and_row,
        act=_board_and_dice,
    ),
    Family("nothing_known", "no size is given: shapes and pixels alone", given=no_size),
)
"""Single pictures are drawn of these, too; a number draws the same as long as their order stays."""

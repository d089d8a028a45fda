"""The options of `fairtray calibrate`."""

from pathlib import Path
from typing import Annotated

import typer

calibrate_app = typer.Typer(help="From a recorded video to a tray that can be trusted.", no_args_is_help=True)

Source = Annotated[str, typer.Argument(help="A video, a folder of frames, `camera` or `usb:0`.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Models = Annotated[Path | None, typer.Option(help="A folder of other networks; else the ones that ship.")]


@calibrate_app.command("run")
def run(
    source: Source,
    out: Annotated[Path, typer.Option("-o", "--out", help="The calibration to write.")] = Path("calibration.toml"),
    die_mm: Annotated[float | None, typer.Option(help="Edge of a die, mm.")] = None,
    tray_mm: Annotated[
        float | None,
        typer.Option(
            help="Inside width of the tray's floor between two opposite sides, mm; the longer of a rectangle."
        ),
    ] = None,
    board: Annotated[bool, typer.Option("--board", help="The printed board lies in the empty tray at first.")] = False,
    height_mm: Annotated[
        float | None, typer.Option(help="From the lens to the floor's middle, mm: makes --die-mm truer.")
    ] = None,
    row: Annotated[
        bool, typer.Option("--row", help="Four or more dice are shown pushed together in a row: makes --die-mm truer.")
    ] = False,
    corners: Annotated[
        str | None, typer.Option(help="The floor's corners where it is not found, px: 'x,y x,y x,y x,y'.")
    ] = None,
    expect: Annotated[str | None, typer.Option(help="The values shown, as 1,2,3,4,5.")] = None,
    report: Annotated[
        Path | None, typer.Option(help="The report with pictures, .html or .htm; else beside the calibration.")
    ] = None,
    models: Models = None,
    as_json: Json = False,
) -> int:
    """Calibrate from a video of the empty tray, then dice shown and thrown; exit status 0 pass, 1 fail."""
    from firmware.commands.calibrate import CalibrateOptions, calibrate_command

    options = CalibrateOptions(source, out, die_mm, tray_mm, board, corners, expect, report, models, height_mm, row)
    return calibrate_command(options, as_json)


@calibrate_app.command("check")
def check(
    source: Source,
    calibration: Annotated[Path, typer.Option(help="The calibration of this tray.")] = Path("calibration.toml"),
    as_json: Json = False,
) -> int:
    """Say within seconds whether a calibration still holds; exit status 0 it does, 1 it does not."""
    from firmware.commands.calibrate import check_command

    return check_command(source, calibration, as_json)


@calibrate_app.command("add-dice")
def add_dice(
    source: Source,
    calibration: Annotated[Path, typer.Option(help="The calibration to add them to.")] = Path("calibration.toml"),
    expect: Annotated[str | None, typer.Option(help="The values shown first, as 1,2,3,4,5.")] = None,
    models: Models = None,
    as_json: Json = False,
) -> int:
    """Adapt the reader to another set of dice: its limits only ever become stricter."""
    from firmware.commands.calibrate import add_dice_command

    return add_dice_command(source, calibration, expect, models, as_json)


@calibrate_app.command("board")
def board_(
    out: Annotated[Path, typer.Option("-o", "--out", help="The sheet to write, .pdf.")] = Path("board.pdf"),
) -> int:
    """Write a board to print: it tells the scale and the lens best."""
    from firmware.commands.calibrate import board_command

    return board_command(out)

"""The options of `fairtray match`."""

from pathlib import Path
from typing import Annotated

import typer

match_app = typer.Typer(help="Matches that were kept: list, show, export, verify, replay, close.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The folder of the match.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@match_app.command("list")
def list_(
    folder: Annotated[Path, typer.Argument(help="The folder that the matches are in.")] = Path("matches"),
    as_json: Json = False,
) -> int:
    """The matches in a folder, a line each."""
    from firmware.commands.matches import list_command

    return list_command(folder, as_json)


@match_app.command("show")
def show(match: Folder, as_json: Json = False) -> int:
    """What was ruled in a match, and its cards; with --json every entry."""
    from firmware.commands.matches import show_command

    return show_command(match, as_json)


@match_app.command("verify")
def verify(
    match: Folder,
    head: Annotated[str | None, typer.Option(help="The code that the players noted at the end.")] = None,
    key: Annotated[str | None, typer.Option(help="The public key of the device that it must be signed by.")] = None,
    as_json: Json = False,
) -> int:
    """Whether anything was altered; exit status 1 and the entry named where it was."""
    from firmware.commands.matches import verify_command

    return verify_command(match, head, key, as_json)


@match_app.command("export")
def export(
    match: Folder,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The folder to write to; else export in it.")] = None,
    roll: Annotated[
        int | None, typer.Option(help="Also the evidence for this roll, by its ruling's entry number.")
    ] = None,
) -> int:
    """The score sheet as PDF and CSV, the record as JSON lines, and a package of the evidence for one roll."""
    from firmware.commands.export import export_command

    return export_command(match, out, roll)


@match_app.command("key")
def key(
    config: Annotated[
        Path | None, typer.Option(help="The configuration; else fairtray.toml, where it lies here.")
    ] = None,
) -> int:
    """The public key of this device, with which its signatures are checked."""
    from firmware.commands.matches import key_command

    return key_command(config)


@match_app.command("replay")
def replay(
    match: Folder,
    models: Annotated[Path | None, typer.Option(help="A folder of other networks; else the ones that ship.")] = None,
    as_json: Json = False,
) -> int:
    """Rule anew on what was seen and said, and read the stored frames anew; exit status 1 where that differs."""
    from firmware.commands.replay import replay_command

    return replay_command(match, as_json, models)


@match_app.command("close")
def close(match: Folder) -> int:
    """End a match where it is; it cannot be gone on with afterwards."""
    from firmware.commands.matches import close_command

    return close_command(match)

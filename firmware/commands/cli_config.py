"""The options of `fairtray config`."""

from pathlib import Path
from typing import Annotated

import typer

config_app = typer.Typer(help="The configuration, fairtray.toml: write one, check one.", no_args_is_help=True)


@config_app.command("init")
def init(
    file: Annotated[Path | None, typer.Argument(help="Where to write it; else it is printed.")] = None,
) -> int:
    """Print the default configuration with a line on every option, or write it to a new file."""
    from firmware.config import commented
    from firmware.errors import FirmwareError

    if file is None:
        print(commented(), end="")
        return 0
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(commented())
    except OSError as error:
        raise FirmwareError(f"cannot write {file}: {error.strerror}") from error
    print(f"wrote {file}")
    return 0


@config_app.command("check")
def check(file: Annotated[Path, typer.Argument(help="The file to check.")] = Path("fairtray.toml")) -> int:
    """Say whether a configuration is in order; else its first fault, with its line and what is allowed there."""
    from firmware.config_file import load

    load(file)
    print(f"{file} is in order")
    return 0

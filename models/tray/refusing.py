"""How the commands that measure refuse bad input: one line, and exit status 2."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from models.tray.errors import TrayError
from vision.errors import VisionError


@contextmanager
def refusing() -> Iterator[None]:
    """Say what is wrong with what was given, and end."""
    try:
        yield
    except (TrayError, VisionError) as error:
        typer.echo(f"fairtray: {error}", err=True)
        raise typer.Exit(2) from None

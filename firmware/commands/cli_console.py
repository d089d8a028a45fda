"""The options of `fairtray console`."""

from pathlib import Path
from typing import Annotated

import typer

console_app = typer.Typer(
    help="The console: the referee's PIN, its addresses, and the pages of a match that is not played.",
    no_args_is_help=True,
)

Config = Annotated[Path | None, typer.Option(help="The configuration; else fairtray.toml, where it lies here.")]


@console_app.command("pin")
def pin(
    config: Config = None, new: Annotated[bool, typer.Option("--new", help="Make one up and print it.")] = False
) -> int:
    """Set the referee's PIN: it is asked for twice, or read from the standard input; only its hash is kept."""
    from firmware.commands.console import pin_command
    from firmware.config_file import configuration

    return pin_command(configuration(config).console, new)


@console_app.command("address")
def address(config: Config = None) -> int:
    """Where the pages are, the players' as a QR code too, and the fingerprint of the referee's certificate."""
    from firmware.commands.console import address_command
    from firmware.config_file import configuration

    return address_command(configuration(config).console)


@console_app.command("serve")
def serve(
    match: Annotated[Path, typer.Argument(help="The folder of the match.", show_default=False)], config: Config = None
) -> int:
    """Show a match that is not being played, for the referee to rule on what is left open; Ctrl-C stops."""
    from firmware.commands.console import serve_command
    from firmware.config_file import configuration

    options = configuration(config)
    return serve_command(options.console, options.evidence, match)

"""The `fairtray` command: its options, and one clear line for whatever is wrong with them."""

import errno
import io
import os
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from firmware.commands.cli_calibrate import calibrate_app
from firmware.commands.cli_config import config_app
from firmware.commands.cli_console import console_app
from firmware.commands.cli_match import match_app
from firmware.errors import EXIT_BAD_INPUT, FirmwareError
from firmware.stopping import Stopping, close_when_ended

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A camera above the dice tray reads the dice, rules on the throws and shows the legal scores.",
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]
Rules = Annotated[str, typer.Option(help="The rules played.")]
Settings = Annotated[list[str] | None, typer.Option("--set", help="NAME=VALUE: change a setting.")]
Agreed = Annotated[list[str] | None, typer.Option("--agree", help="NAME=VALUE: agree about the table.")]

Models = Annotated[Path | None, typer.Option(help="A folder of other networks; else the ones that ship.")]

rules_app = typer.Typer(
    invoke_without_command=True, help="Explain the rules: all, one in full, two compared, or what best play is worth."
)
app.add_typer(rules_app, name="rules")
app.add_typer(calibrate_app, name="calibrate")
app.add_typer(config_app, name="config")
app.add_typer(match_app, name="match")
app.add_typer(console_app, name="console")

EXIT_INTERRUPTED = 130
PLAINER = {
    "Input should be a valid number, unable to parse string as a number": "give a number such as 16.5, without a unit",
    "Input should be a valid integer, unable to parse string as an integer": "give a whole number",
}
"""What is said of a value that is no number, in words for players."""


def main() -> None:
    """Run the command line: exit status 0, or 2 with one line on stderr where the input is bad."""
    close_when_ended()
    _take_all_text()
    sys.exit(_run(sys.argv[1:]))


def _take_all_text() -> None:
    """No work breaks off because of where it is told: what is printed where nobody listens goes nowhere, and letters
    that the terminal has not become `?`."""
    sys.stdout, sys.stderr = (stream or _nowhere() for stream in (sys.stdout, sys.stderr))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _run(arguments: list[str]) -> int:
    try:
        status = app(args=arguments or ["--help"], standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        said = message.rstrip(".") or "one of its commands is missing"
        for theirs, ours in PLAINER.items():
            said = said.replace(theirs, ours)
        return _complain(f"{said} (`{_command(error)} --help` shows what there is)")
    except BrokenPipeError:  # the reader of our output has gone, as after `| head`
        _print_no_more()
        return 1
    except OSError as error:
        if error.errno != errno.ENOSPC and error.filename is None:
            raise
        _print_no_more()
        if error.errno == errno.ENOSPC:
            return _complain(f"cannot write ({error.strerror}): make room, or write elsewhere")
        return _complain(f"{error.filename}: {error.strerror}")
    except (KeyboardInterrupt, typer.Abort):
        return EXIT_INTERRUPTED
    except ValueError as error:
        if not _is_ours(error):
            raise
        return _complain(str(error))
    return status if isinstance(status, int) else 0


def _command(error: typer.TyperException) -> str:
    """The command that was given something wrong, as its user types it."""
    context = getattr(error, "ctx", None)
    if context is None:
        return "fairtray"
    return f"fairtray{context.command_path.removeprefix(context.find_root().command_path)}"


def _is_ours(error: ValueError) -> bool:
    """Whether one of our packages raised it on purpose: its class lives in an `errors` module of theirs."""
    return type(error).__module__.rpartition(".")[2] == "errors"


def _print_no_more() -> None:
    """Let what is still to be printed go nowhere: Python writes it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> int:
    print(f"fairtray: {' '.join(message.split())}", file=sys.stderr)
    return EXIT_BAD_INPUT


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"fairtray {version('fairtray')}")
        raise typer.Exit


def _names(players: str | None) -> tuple[str, ...] | None:
    return tuple(name.strip() for name in players.split(",")) if players is not None else None


@app.callback()
def _fairtray(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Say which.")
    ] = False,
) -> None: ...


@app.command()
def run(
    config: Annotated[
        Path | None, typer.Option(help="The configuration; else fairtray.toml, where it lies here.")
    ] = None,
    source: Annotated[
        str | None, typer.Option(help="`camera`, `usb:0`, a video or a folder; else a camera that is there.")
    ] = None,
    match: Annotated[
        Path | None, typer.Option(help="The folder of the match, which goes on where it ended; else a new one.")
    ] = None,
    out: Annotated[
        Path, typer.Option("-o", "--out", help="Where the sample match is written where there is no camera.")
    ] = Path("out/match"),
    players: Annotated[str | None, typer.Option(help="Names, in order of play, with commas.")] = None,
    rules: Annotated[str | None, typer.Option(help="The rules played.")] = None,
    settings: Settings = None,
    agreed: Agreed = None,
    calibration: Annotated[Path | None, typer.Option(help="The calibration of this tray.")] = None,
    display: Annotated[
        str | None,
        typer.Option(help="picture, emulator, emulator_colour, ssd1306, sh1106, ssd1309, ili9341, st7789 or st7789w."),
    ] = None,
    models: Models = None,
) -> int:
    """Play: the camera if there is one, else the sample match. What is given here goes before the configuration."""
    given = {
        "source": source,
        "match": match,
        "players": _names(players),
        "rules": rules,
        "settings": tuple(settings) if settings else None,
        "agreed": tuple(agreed) if agreed else None,
        "calibration": calibration,
        "display": display,
        "models": models,
    }
    told: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    with Stopping() as stopping:
        from firmware.commands.run import RunOptions, run_command
        from firmware.config_file import configuration

        return run_command(replace(RunOptions.of(out, configuration(config)), **told), stopping)


@app.command()
def status(
    config: Annotated[
        Path | None, typer.Option(help="The configuration; else fairtray.toml, where it lies here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """How the running appliance is; exit status 0 where it is ready, else 1."""
    from firmware.config_file import configuration
    from firmware.play.health import status_command

    return status_command(configuration(config).status.port, as_json)


@app.command()
def doctor(
    config: Annotated[
        Path | None, typer.Option(help="The configuration; else fairtray.toml, where it lies here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Whether everything that a match needs is there and well, and how to mend it; exit status 1 where it is not."""
    from firmware.commands.doctor import doctor_command
    from firmware.config_file import configuration

    return doctor_command(configuration(config), as_json)


@app.command()
def read(
    images: Annotated[list[Path], typer.Argument(help="Photographs.", show_default=False)],
    die_px: Annotated[float | None, typer.Option(help="About how many pixels a die's side has; else found.")] = None,
    as_json: Json = False,
    annotate: Annotated[Path | None, typer.Option(help="Write the pictures with the dice drawn in here.")] = None,
    models: Models = None,
) -> int:
    """Read the dice in photographs."""
    from firmware.commands.read import read_command

    return read_command(images, die_px, as_json, annotate, models)


@app.command()
def watch(
    source: Annotated[str, typer.Argument(help="A video, a folder of frames, `camera` or `usb:0`.")],
    calibration: Annotated[
        Path | None, typer.Option(help="The calibration; else found from the first seconds.")
    ] = None,
    rules: Rules = "bho",
    settings: Settings = None,
    agreed: Agreed = None,
    players: Annotated[
        str | None, typer.Option(help="Names, in order of play; else those of the choices, or one.")
    ] = None,
    as_json: Json = False,
    annotate: Annotated[
        Path | None, typer.Option(help="Write the video with what the watcher believes drawn in (.mp4).")
    ] = None,
    display: Annotated[Path | None, typer.Option(help="Write each picture of the display here.")] = None,
    choices: Annotated[Path | None, typer.Option(help="The boxes that players pick (JSON lines).")] = None,
    events_only: Annotated[
        bool, typer.Option("--events-only", help="Only what was seen, with any number of dice; no match.")
    ] = False,
    match: Annotated[Path | None, typer.Option(help="Keep the match in the ledger of this folder.")] = None,
    models: Models = None,
) -> int:
    """Watch a tray and rule on what happens."""
    from firmware.commands.watch import watch_command
    from firmware.config_file import configuration
    from firmware.play.table import WatchOptions

    options = WatchOptions(
        source,
        calibration,
        rules,
        _names(players),
        annotate,
        display,
        choices,
        events_only,
        tuple(settings or ()),
        tuple(agreed or ()),
        models,
        match,
        evidence=configuration(None).evidence,
    )
    return watch_command(options, as_json)


@app.command()
def score(
    rules: Rules = "bho",
    dice: Annotated[str | None, typer.Option(help="The dice, as 44444.")] = None,
    card: Annotated[str, typer.Option(help="The boxes filled so far, as 'Y=50 4s=8'.")] = "",
    settings: Settings = None,
    batch: Annotated[str | None, typer.Option(help="A file of JSON lines, or - for the standard input.")] = None,
    as_json: Json = False,
) -> int:
    """Say which boxes a roll may go in, with their points, and why not in the others."""
    from firmware.commands.score import score_command

    return score_command(rules, dice, card, settings or [], batch, as_json)


@app.command()
def analyse(
    match: Annotated[Path, typer.Argument(help="The lines of `fairtray watch --json`, or a match folder.")],
    as_json: Json = False,
    plot: Annotated[Path | None, typer.Option(help="Write a picture here (.png or .svg).")] = None,
) -> int:
    """Review a finished match: what each decision cost against optimal play, and what was luck."""
    from firmware.commands.analyse import analyse_command

    return analyse_command(match, as_json, plot)


@app.command()
def simulate(
    scenario: Annotated[str | None, typer.Option(help="What happens; --list names them.")] = None,
    seed: Annotated[int, typer.Option(help="Which film of that family.")] = 1,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The folder to write.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="Name the scenarios.")] = False,
    size: Annotated[
        str | None, typer.Option(help="Width and height of the pictures, px; else 640x480, of set-ups 960x720 or more.")
    ] = None,
    kind: Annotated[str, typer.Option(help="play, or calibration: a tray being set up.")] = "play",
    as_json: Json = False,
) -> int:
    """Film a simulated match, or the set-up of a tray, with what really happened in it."""
    from firmware.commands.simulate import picture_size, simulate_command

    return simulate_command(scenario, seed, out, list_, as_json, picture_size(size) if size else None, kind)


@rules_app.callback()
def list_rules(context: typer.Context, as_json: Json = False) -> int | None:
    """Explain the rules: all in a line each, one in full, two compared, or what best play is worth."""
    from firmware.commands.rules import list_command

    if context.invoked_subcommand is None:
        return list_command(as_json)
    if as_json:
        raise FirmwareError(f"give --json after the command: fairtray rules {context.invoked_subcommand} ... --json")
    return None


@rules_app.command("show")
def show_rules(
    rules: Annotated[str, typer.Argument(help="Which rules.", show_default=False)],
    settings: Settings = None,
    as_json: Json = False,
) -> int:
    """One ruleset in full: the card, the joker rule, every setting and why it is as it is."""
    from firmware.commands.rules import show_command

    return show_command(rules, settings or [], as_json)


@rules_app.command("diff")
def diff_rules(
    first: Annotated[str, typer.Argument(help="These rules", show_default=False)],
    second: Annotated[str, typer.Argument(help="against these.", show_default=False)],
    as_json: Json = False,
) -> int:
    """Where two rulesets differ, each time with a roll that they answer differently."""
    from firmware.commands.rules import diff_command

    return diff_command(first, second, as_json)


@rules_app.command("value")
def value_rules(
    rules: Annotated[str, typer.Argument(help="Which rules.", show_default=False)],
    settings: Settings = None,
    as_json: Json = False,
) -> int:
    """What the best solitaire play is worth, in all and box by box (it takes seconds)."""
    from firmware.commands.value import value_command

    return value_command(rules, settings or [], as_json)

"""The boxes that players picked, from a file of JSON lines: `{"t","player","box","announced"?}`."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firmware.errors import FirmwareError
from scorer.events import BoxChosen


def load_choices(path: Path, players: Sequence[str] | None = None) -> tuple[BoxChosen, ...]:
    """The choices in the order of their time; by anybody where nobody says who plays.

    Raises:
        FirmwareError: the file cannot be read, or a line is no choice of one of `players`; the message names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FirmwareError(f"cannot read the choices {path}: {_why(error)}") from error
    choices = [_choice(path, number, line, players) for number, line in enumerate(lines, 1) if line.strip()]
    return tuple(sorted(choices, key=lambda choice: choice.t))


def _choice(path: Path, number: int, line: str, players: Sequence[str] | None) -> BoxChosen:
    where = f"{path}, line {number}"
    try:
        fields = json.loads(line)
    except json.JSONDecodeError as error:
        raise FirmwareError(f'{where}: not JSON; a choice reads {{"t": 12.5, "player": "Ann", "box": "4s"}}') from error
    if not isinstance(fields, dict):
        raise FirmwareError(f"{where}: a choice is an object with t, player and box")
    unknown = sorted(set(fields) - {"t", "player", "box", "announced"})
    if unknown:
        raise FirmwareError(
            f"{where}: unknown field {unknown[0]!r}; a choice has t, player, box and may have announced"
        )
    return BoxChosen(
        t=_time(where, fields.get("t")),
        player=_player(where, fields.get("player"), players),
        box=_text(where, "box", fields.get("box")),
        announced=_announced(where, fields.get("announced")),
    )


def _time(where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise FirmwareError(f"{where}: t must be the second of the video at which the box was chosen, 0 or more")
    return float(value)


def _text(where: str, name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise FirmwareError(f"{where}: {name} must be a text")
    return value


def _player(where: str, value: Any, players: Sequence[str] | None) -> str:
    name = _text(where, "player", value)
    if players is not None and name not in players:
        raise FirmwareError(f"{where}: {name!r} does not play; the players are {', '.join(players)} (set --players)")
    return name


def _announced(where: str, value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise FirmwareError(f"{where}: announced must be the points that the roller called, a whole number")
    return value


def _why(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not a text file"

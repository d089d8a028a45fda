"""What players said, from a file of JSON lines: a box picked is `{"t","player","box","announced"?,"cross"?}`.

Any other input is a line with its class name, such as `{"t": 12, "name": "HouseRuleCalled", "player": "Ann", ...}`.
A line `{"players": ["Ann", "Ben"]}` says who plays, in the order of play.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.errors import FirmwareError
from scorer.errors import FactError
from scorer.events import BoxChosen, PlayerInput, from_json


@dataclass(frozen=True, slots=True)
class Choices:
    """What was said, in the order of its time, and who plays where the file says so."""

    inputs: tuple[PlayerInput, ...]
    players: tuple[str, ...] | None = None


def load_choices(path: Path, players: Sequence[str] | None = None) -> Choices:
    """Read a file of choices; `players` are those who play, else the file's own; by anybody where nobody says who.

    Raises:
        FirmwareError: the file cannot be read, or a line is no input of one of the players; the message names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FirmwareError(f"cannot read the choices {path}: {_why(error)}") from error
    named, inputs = None, []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        fields = _fields(where, line)
        if "players" in fields and "name" not in fields:
            named = _players(where, fields)
        else:
            inputs.append(_choice(where, fields, players or named))
    return Choices(tuple(sorted(inputs, key=lambda said: said.t)), named)


def _fields(where: str, line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FirmwareError(f'{where}: not JSON; a choice reads {{"t": 12.5, "player": "Ann", "box": "4s"}}') from error
    if not isinstance(fields, dict):
        raise FirmwareError(f"{where}: a choice is an object with t, player and box")
    return fields


def _players(where: str, fields: dict[str, Any]) -> tuple[str, ...]:
    names = fields["players"]
    good = isinstance(names, list) and names and all(isinstance(name, str) and name for name in names)
    if not good or len(set(names)) < len(names) or len(fields) > 1:
        raise FirmwareError(f'{where}: who plays reads {{"players": ["Ann", "Ben"]}}, each name once')
    return tuple(names)


def _choice(where: str, fields: dict[str, Any], players: Sequence[str] | None) -> PlayerInput:
    if "name" in fields:
        return _named(where, fields, players)
    unknown = sorted(set(fields) - {"t", "player", "box", "announced", "cross"})
    if unknown:
        raise FirmwareError(
            f"{where}: unknown field {unknown[0]!r}; a choice has t, player, box and may have announced and cross"
        )
    return BoxChosen(
        t=_time(where, fields.get("t")),
        player=_player(where, fields.get("player"), players),
        box=_text(where, "box", fields.get("box")),
        announced=_announced(where, fields.get("announced")),
        cross=_cross(where, fields.get("cross", False)),
    )


def _named(where: str, fields: dict[str, Any], players: Sequence[str] | None) -> PlayerInput:
    """An input by its class name; whoever it names must play."""
    _time(where, fields.get("t"))
    try:
        said = from_json(fields)
    except FactError as error:
        raise FirmwareError(f"{where}: {error}") from error
    if not isinstance(said, PlayerInput):
        raise FirmwareError(f"{where}: {fields['name']} is seen by the camera; a file of choices holds what people say")
    for name in (getattr(said, "player", None), *getattr(said, "by", ())):
        if name is not None:
            _player(where, name, players)
    return said


def _time(where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= sys.float_info.max:
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


def _cross(where: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise FirmwareError(f"{where}: cross must be true, for a zero written freely, or false")
    return value


def _why(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not a text file"

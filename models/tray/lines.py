"""The JSON lines of `watch --json` and of a film's truth: read, sorted out by kind and name, said in short."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

Line = Mapping[str, Any]

COMPARED = ("kind", "name", "roll", "values", "reason", "player", "box", "points")
"""What two runs are compared by, beside `t` (tray protocol, section 3)."""

_LONG = ("rule", "legal", "settings", "agreed")
"""Fields that no comparison looks at."""


def parse(text: str) -> list[dict[str, Any]]:
    """The lines without their long fields and without those of kind `die`."""
    lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [{k: v for k, v in line.items() if k not in _LONG} for line in lines if line["kind"] != "die"]


def of_kind(lines: Iterable[Line], kind: str) -> list[Line]:
    """The lines of kind `event`, `ruling` or `input`."""
    return [line for line in lines if line["kind"] == kind]


def named(lines: Iterable[Line], name: str) -> list[Line]:
    """The lines with this name."""
    return [line for line in lines if line["name"] == name]


def key(line: Line) -> tuple[object, ...]:
    """What a ruling is compared by."""
    parts = (line.get(name) for name in COMPARED)
    return tuple(tuple(part) if isinstance(part, list) else part for part in parts)


def in_short(line: Line | None) -> str:
    """The line as a few words, such as `RollCounted roll=1 values=22346 player=Ann`."""
    if line is None:
        return "nothing"
    words = [str(line["name"])]
    for name in (*COMPARED[2:], "count", "cause", "before", "after", "identity", "last_seen", "value", "likely"):
        value = line.get(name)
        if value is not None:
            words.append(f"{name}={''.join(map(str, value)) if isinstance(value, list) else value}")
    if "dice" in line:
        words.append("dice=" + " ".join(_die(die) for die in line["dice"]))
    return " ".join(words)


def _die(die: Line) -> str:
    """`4*` for a thrown die, `?` where the value is not sure, with its state where it does not lie flat."""
    value = "?" if die["value"] is None else str(die["value"])
    return value + ("*" if die["thrown"] else "") + ("" if die["state"] == "flat" else f"({die['state']})")

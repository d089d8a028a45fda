"""Checked values of a TOML table, for every file of ours: each complaint names the key and what it may be."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, TypeGuard, cast

from calibration.errors import CalibrationError

Range = tuple[float, float]
ANY = (-1e9, 1e9)
"""No number of ours is beyond, and with these nothing overflows."""
MOST_TOLD, HEAD, TAIL = 100, 60, 30
"""Letters of what somebody wrote that are told back to them, and those at both ends of what is longer."""


class Section:
    """One table of a file; a misspelt key must not silently mean nothing."""

    def __init__(self, table: Mapping[str, Any], name: str, keys: Sequence[str]) -> None:
        """`table` is the whole file. Raises CalibrationError where the section is no table or has an unknown key."""
        given = table.get(name, {})
        if not isinstance(given, dict):
            raise CalibrationError(f"[{name}] is no table")
        self._name, self._table = name, given
        check_keys(given, keys, name)

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def number(self, key: str, allowed: Range, default: float | None = None) -> float:
        """A finite number within the range."""
        value = self._table.get(key, default)
        low, high = allowed
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise CalibrationError(f"{self._name}.{key} must be a number from {low:g} to {high:g}, {unlike(value)}")
        return float(value)

    def whole(self, key: str, allowed: Range, default: int | None = None) -> int:
        """A whole number within the range."""
        number = self.number(key, allowed, default)
        if number != int(number):
            wanted = "a whole number from {:g} to {:g}".format(*allowed)
            raise CalibrationError(f"{self._name}.{key} must be {wanted}, not {number!r}")
        return int(number)

    def text(self, key: str, allowed: Sequence[str] = (), default: str = "") -> str:
        """A line of text, one of `allowed` where there are any."""
        value = self._table.get(key, default)
        if not _is_line(value) or (allowed and value not in allowed):
            wanted = f"one of {', '.join(allowed)}" if allowed else "a line of text"
            raise CalibrationError(f"{self._name}.{key} must be {wanted}, {unlike(value)}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of lines of text."""
        value = self._table.get(key)
        if not isinstance(value, list) or not all(map(_is_line, value)):
            raise CalibrationError(f"{self._name}.{key} must be a list of texts, {unlike(value)}")
        return tuple(value)

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self._table.get(key)
        if not isinstance(value, bool):
            raise CalibrationError(f"{self._name}.{key} must be true or false, {unlike(value)}")
        return value

    def row(self, key: str, length: int, allowed: Range = ANY) -> tuple[float, ...]:
        """A list of so many numbers within the range."""
        found = rows([self._table.get(key)], length, allowed)
        if found is None:
            wanted = "a list of {} numbers from {:g} to {:g}".format(length, *allowed)
            raise CalibrationError(f"{self._name}.{key} must be {wanted}")
        return tuple(found[0])

    def rows(
        self, key: str, columns: int, counts: tuple[int, int], what: str, allowed: Range = ANY
    ) -> tuple[tuple[float, ...], ...]:
        """Rows of so many numbers within the range each; `what` says in words what they must be."""
        found = rows(self._table.get(key), columns, allowed)
        if found is None or not counts[0] <= len(found) <= counts[1]:
            raise CalibrationError("{}.{} must be {} from {:g} to {:g}".format(self._name, key, what, *allowed))
        return tuple(tuple(row) for row in found)


def unlike(value: object) -> str:
    """What is there instead of what must be; TOML has no value that is None, so that is a key left out."""
    return "and is missing" if value is None else f"not {shown(value)}"


def shown(value: object) -> str:
    """A value as it stands in the file, of a long one both ends."""
    try:
        return short(str(value) if isinstance(value, date | time) else repr(value))
    except ValueError:  # Python writes no whole number of more than 4300 digits
        return "a number of thousands of digits"


def short(text: str) -> str:
    """A text, of a long one both ends."""
    return text if len(text) <= MOST_TOLD else f"{text[:HEAD]} ... {text[-TAIL:]}"


def _is_line(value: object) -> TypeGuard[str]:
    """Whether it is a line of text. No file can be named with a NUL."""
    return isinstance(value, str) and "\n" not in value and "\0" not in value


def check_keys(table: Mapping[str, Any], known: Sequence[str], section: str = "") -> None:
    """Raise CalibrationError for a key that nobody reads."""
    for key in table:
        if key not in known:
            name = short(f"{section}.{key}" if section else key)
            raise CalibrationError(f"unknown key {name}; known here: {', '.join(known)}")


def moment(table: Mapping[str, Any], key: str) -> datetime | None:
    """A date with a time, or None where there is none."""
    value = table.get(key)
    if value is not None and not isinstance(value, datetime):
        raise CalibrationError(f"{key} must be a date with a time such as 2026-01-31T20:00:00Z, {unlike(value)}")
    return value


def rows(value: object, columns: int, allowed: Range) -> list[list[float]] | None:
    """`value` as rows of numbers within the range, or None where it is anything else."""
    if not isinstance(value, list) or not all(isinstance(row, list) and len(row) == columns for row in value):
        return None
    given = cast(list[list[Any]], value)
    flat = [v for row in given for v in row]
    low, high = allowed
    if not all(isinstance(v, int | float) and not isinstance(v, bool) and low <= v <= high for v in flat):
        return None
    return [[float(v) for v in row] for row in given]

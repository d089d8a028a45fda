"""Events, inputs and rulings as JSON lines, and back."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from scorer import said, seen
from scorer.errors import FactError
from scorer.ruled import Ruling
from scorer.said import PlayerInput
from scorer.seen import DieFact, TrayEvent

Fact = TrayEvent | PlayerInput
"""What the umpire is told: something seen or something said."""

AnyFact = TypeVar("AnyFact", bound=Fact)

_LEFT_OUT = {"reason": None, "likely": None, "replaces": None, "foreign": False, "house_bonus": 0}
"""Fields that a line does not hold while they say nothing."""


def to_json(fact: Fact | Ruling) -> dict[str, Any]:
    """The fact as a JSON line's object: `t`, for events and rulings `frame` and `t_said`, `kind`, `name`, its fields.

    Seconds are rounded to 1 ms, mm to 0.1, probabilities to 0.001, so that lines compare as text.
    `reason`, `likely`, `replaces`, `foreign` and `house_bonus` are left out where they say nothing.
    """
    line: dict[str, Any] = {"t": round(fact.t, 3)}
    if not isinstance(fact, PlayerInput):
        line |= {"frame": fact.frame, "t_said": round(fact.t_said, 3)}
    line |= {"kind": _kind(fact), "name": type(fact).__name__}
    return line | {name: value for name, value in _written(fact).items() if name not in line}


def from_json(line: Any) -> Fact:
    """The event or input of a line's object, of a known `name`; a field with a default may be missing.

    Raises `FactError`, which names the field, where it is none: a ruling is made by the umpire, not told to it.
    """
    if not isinstance(line, dict):
        raise FactError("a line is a JSON object with name and t")
    name = line.get("name")
    if not isinstance(name, str) or name not in _FACTS:
        raise FactError(f"unknown name {_shown(name)}; the names are {', '.join(_FACTS)}")
    kind = _FACTS[name]
    fact: Fact = _read_object(kind, {key: value for key, value in line.items() if key not in ("kind", "name")}, name)
    return fact


def as_written(fact: AnyFact) -> AnyFact:
    """The fact with its numbers rounded as a line of the record has them, so that the record replays exactly."""
    written: AnyFact = _rounded("", fact)
    return written


def _rounded(name: str, value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 1 if name == "place" else 3) + 0.0  # no minus zero
    if isinstance(value, tuple):
        return tuple(_rounded(name, part) for part in value)
    if isinstance(value, Fact | DieFact):
        return replace(
            value, **{field.name: _rounded(field.name, getattr(value, field.name)) for field in fields(value)}
        )
    return value


def _kind(fact: Fact | Ruling) -> str:
    return "event" if isinstance(fact, TrayEvent) else "input" if isinstance(fact, PlayerInput) else "ruling"


def _written(value: Any) -> dict[str, Any]:
    """The fields of a dataclass as JSON knows them."""
    inner = {field.name: _plain(field.name, getattr(value, field.name)) for field in fields(value)}
    return {name: part for name, part in inner.items() if name not in _LEFT_OUT or part != _LEFT_OUT[name]}


def _plain(name: str, value: Any) -> Any:
    """`value` as JSON knows it."""
    if is_dataclass(value) and not isinstance(value, type):
        return _written(value)
    if isinstance(value, float):
        return _rounded(name, value)
    if isinstance(value, Mapping):
        return {str(k): _plain(name, v) for k, v in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_plain(name, v) for v in value]
    return value


# --- reading ---------------------------------------------------------------------------------------------------

_FACTS: Mapping[str, type[Fact]] = {
    kind.__name__: kind
    for module, base in ((seen, TrayEvent), (said, PlayerInput))
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, base) and kind is not base
}


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _read_object(kind: Any, line: Mapping[str, Any], where: str) -> Any:
    """A dataclass from a line's object."""
    hints = _hints(kind)
    if unknown := sorted(set(line) - set(hints)):
        raise FactError(f"{where} has no field {_shown(unknown[0])}; its fields are {', '.join(hints)}")
    missing = [field.name for field in fields(kind) if field.name not in line and _is_needed(field)]
    if missing:
        raise FactError(f"{where} needs the field {missing[0]!r}")
    return kind(**{name: _read(hints[name], value, name) for name, value in line.items()})


def _is_needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _read(hint: Any, value: Any, where: str) -> Any:
    """The value of this type. Raises `FactError`."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _read_one_of(inner, value, where)
    if origin is Literal:
        if value not in inner:
            raise FactError(f"{where} is {_shown(value)}; it is one of {', '.join(map(str, inner))}")
        return value
    if origin is tuple:
        return _read_row(inner, value, where)
    if origin is not None and issubclass(origin, Mapping):
        return _read_mapping(inner, value, where)
    if is_dataclass(hint):
        if not isinstance(value, dict):
            raise FactError(f"{where} is {_shown(value)}; it is an object")
        return _read_object(hint, value, where)
    return _read_plain(hint, value, where)


def _read_one_of(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    wrong: list[FactError] = []
    for kind in kinds:
        try:
            return _read(kind, value, where)
        except FactError as error:
            wrong.append(error)
    raise wrong[0]


def _read_row(inner: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise FactError(f"{where} is {_shown(value)}; it is a list")
    kinds = (inner[0],) * len(value) if inner[-1] is Ellipsis else inner
    if len(value) != len(kinds):
        raise FactError(f"{where} has {len(value)} values; it has {len(kinds)}")
    return tuple(_read(kind, part, where) for kind, part in zip(kinds, value, strict=True))


def _read_mapping(inner: tuple[Any, ...], value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise FactError(f"{where} is {_shown(value)}; it is an object")
    return MappingProxyType({key: _read(inner[1], part, where) for key, part in value.items()})


def _read_plain(kind: Any, value: Any, where: str) -> Any:
    """A text, a truth value, a whole number, a finite number or nothing."""
    if kind is float and _is_number(value):
        return float(value)
    if kind is int and isinstance(value, int) and not isinstance(value, bool):
        return value
    if kind in (str, bool, NoneType) and isinstance(value, kind):
        return value
    words = {float: "a number", int: "a whole number", str: "a text", bool: "true or false", NoneType: "null"}
    raise FactError(f"{where} is {_shown(value)}; it is {words[kind]}")


def _is_number(value: Any) -> bool:
    """Whether it is a finite number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= sys.float_info.max


def _shown(value: Any) -> str:
    """The value in a message that stays short."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."

"""What the players agree about the table before the first throw, as they write it: `marker=yes`, `strict=staggered`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, get_args

from scorer.errors import MatchError
from scorer.settings import NO, YES, parse_settings
from scorer.state import Options, StrictRule


@dataclass(frozen=True, slots=True)
class Agreement:
    """One option of a match: its name in `Options`, what it means, what it takes in words, and how that is read.

    `read` gives None for a text that it does not take.
    """

    name: str
    about: str
    takes: str
    read: Callable[[str], Any]


def options_of(texts: Sequence[str], automatic_boxes: bool) -> Options:
    """The options of a match for what was agreed, each written as `NAME=VALUE`.

    Raises `RulesetError` for a text that is none or is there twice, and `MatchError` for an option that is not known
    or a value that it does not take.
    """
    options = Options(automatic_boxes=automatic_boxes)
    for name, text in parse_settings(texts).items():
        agreement = AGREEMENTS.get(name)
        if agreement is None:
            raise MatchError(f"unknown agreement {name!r}; there are {', '.join(AGREEMENTS)}")
        value = agreement.read(str(text))
        if value is None:
            raise MatchError(f"agreement {name}={text}: it takes {agreement.takes}")
        changes: dict[str, Any] = {name: value}
        options = replace(options, **changes)
    return options


def agreed(options: Options) -> Mapping[str, str | float | bool]:
    """What was agreed other than usual, as a record keeps it."""
    usual = {field.name: field.default for field in fields(Options) if field.default is not MISSING}
    changed = {name: getattr(options, name) for name in AGREEMENTS if getattr(options, name) != usual[name]}
    return {name: ",".join(sorted(value)) if isinstance(value, frozenset) else value for name, value in changed.items()}


def _yes_or_no(text: str) -> bool | None:
    return True if text.lower() in YES else False if text.lower() in NO else None


def _strict(text: str) -> frozenset[str] | None:
    rules = frozenset(text.split(","))
    return rules if rules <= frozenset(get_args(StrictRule)) else None


def _seconds(text: str) -> float | None:
    return float(text) if text.isascii() and text.isdigit() and 1 <= int(text[:5]) <= 3600 else None


_ALL = (
    Agreement("marker", "a box is entered once the player to the left agrees", "yes or no", _yes_or_no),
    Agreement("announce", "the roller announces the points with the box", "yes or no", _yes_or_no),
    Agreement("throw_for_start", "the players throw for who starts", "yes or no", _yes_or_no),
    Agreement("starter", "this player starts, as the winner of the match before", "a player's name", str),
    Agreement("cocked_stands", "a leaning die that reads surely counts as it leans", "yes or no", _yes_or_no),
    Agreement("as_it_lies", "a kept die that a throw turned keeps its new face", "yes or no", _yes_or_no),
    Agreement(
        "strict",
        "throws of these kinds are refused at once, not held for people to decide",
        f"some of {', '.join(get_args(StrictRule))}, with commas",
        _strict,
    ),
    Agreement(
        "seconds_to_play", "who takes longer to throw or to choose is reminded, once", "seconds, 1 to 3600", _seconds
    ),
)

AGREEMENTS: Mapping[str, Agreement] = {agreement.name: agreement for agreement in _ALL}
"""Every option that players may agree on, in the order in which they are listed."""

"""What the players agree about the table before the first throw, as they write it: `marker=yes`, `strict=staggered`."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

from scorer.errors import MatchError
from scorer.settings import NO, YES, Value, spell
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


def options_of(agreed: Mapping[str, Value | float], usual: Options | None = None) -> Options:
    """The options of a match where this was agreed, as it was written or as a record keeps it; else the usual ones.

    Raises `MatchError` for an option that is not known or a value that it does not take.
    """
    options = usual or Options()
    for name, value in agreed.items():
        agreement = AGREEMENTS.get(name)
        if agreement is None:
            raise MatchError(f"unknown agreement {name!r}; there are {', '.join(AGREEMENTS)}")
        text = spell(value) if isinstance(value, bool) else str(value)
        read = agreement.read(text)
        if read is None:
            raise MatchError(f"agreement {name}={text}: it takes {agreement.takes}")
        changes: dict[str, Any] = {name: read}
        options = replace(options, **changes)
    return options


def agreed(options: Options) -> Mapping[str, Value | float]:
    """What holds other than where nothing was agreed, as a record keeps it: `options_of` gives the options back."""
    changed = {name: getattr(options, name) for name in AGREEMENTS if getattr(options, name) != getattr(_USUAL, name)}
    return {name: ",".join(sorted(value)) if isinstance(value, frozenset) else value for name, value in changed.items()}


_USUAL = Options()


def _yes_or_no(text: str) -> bool | None:
    return True if text.lower() in YES else False if text.lower() in NO else None


def _strict(text: str) -> frozenset[str] | None:
    rules = frozenset(text.split(","))
    return rules if rules <= frozenset(get_args(StrictRule)) else None


def _seconds(text: str) -> float | None:
    return float(text) if re.fullmatch(r"[0-9]{1,4}(\.[0-9]+)?", text) and 1 <= float(text) <= 3600 else None


_YES_NO = "yes or no"

_ALL = (
    Agreement("automatic_boxes", "nobody chooses: the best box is entered after the last roll", _YES_NO, _yes_or_no),
    Agreement("marker", "a box is entered once the player to the left agrees", _YES_NO, _yes_or_no),
    Agreement("announce", "the roller announces the points with the box", _YES_NO, _yes_or_no),
    Agreement("throw_for_start", "the players throw for who starts", _YES_NO, _yes_or_no),
    Agreement("starter", "this player starts, as the winner of the match before", "a player's name", str),
    Agreement("cocked_stands", "a leaning die that reads surely counts as it leans", _YES_NO, _yes_or_no),
    Agreement("as_it_lies", "a kept die that a throw turned keeps its new face", _YES_NO, _yes_or_no),
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

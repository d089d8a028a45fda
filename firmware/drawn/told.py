"""What was seen, in a few words: for the terminal and for the annotated video."""

from collections import Counter
from collections.abc import Sequence

from scorer.events import (
    BodyInterfered,
    DiceAtRest,
    DiceLifted,
    DiceThrown,
    DieFact,
    DieUnseen,
    HandEntered,
    HandLeft,
    KeptDieChanged,
    KeptDieMoved,
    TrayEvent,
    ViewLost,
    ViewRestored,
)

_LAST_SEEN = {"in_hand": ", last in a hand", "over_rim": ", over the rim", "unknown": ""}


AT_ONCE_S = 0.05
"""Dice that enter within less of each other are thrown together."""


def say_event(event: TrayEvent) -> str:
    """One event in a few words; `#3` is die number 3, `?` a die without a sure value."""
    match event:
        case HandEntered():
            return "hand in"
        case HandLeft():
            return "hand out"
        case DiceLifted():
            return f"lifted {_ids(event.ids)}"
        case DiceThrown():
            spread = f" in {event.t_last - event.t_first:.1f} s" if event.t_last - event.t_first >= AT_ONCE_S else ""
            tumble = f", tumble ≥{min(event.tumble):.0%}" if event.tumble else ""
            return f"{event.count} thrown{spread}{tumble}"
        case DiceAtRest():
            return _say_rest(event)
        case KeptDieChanged():
            return f"kept {_ids([event.id])} was {event.before}, is {event.after}: {event.cause}"
        case KeptDieMoved():
            return f"kept {_ids([event.id])} moved{'' if event.identity == 'sure' else ', or another one'}"
        case DieUnseen():
            return f"{_dice(event.count)} unseen{_LAST_SEEN[event.last_seen]}"
        case BodyInterfered():
            return f"hand among moving dice {_ids(event.ids)}".rstrip()
        case ViewLost() | ViewRestored():
            return f"view {'lost' if isinstance(event, ViewLost) else 'back'}: {event.cause.replace('_', ' ')}"
    return type(event).__name__


def _say_rest(rest: DiceAtRest) -> str:
    """Values in order of size, then the dice that do not lie flat in the tray, each with how they lie."""
    flat = sorted(str(die.value or "?") for die in rest.dice if die.state in ("flat", "unknown"))
    odd = Counter(_odd(die) for die in rest.dice if die.state not in ("flat", "unknown"))
    words = [" ".join(flat)] if flat else []
    words += [f"{f'{count} x ' if count > 1 else ''}{text}" for text, count in sorted(odd.items())]
    words += [f"{rest.missing} missing"] if rest.missing else []
    return f"at rest: {', '.join(words)}" if words else "at rest: no dice"


def _odd(die: DieFact) -> str:
    return f"{die.value or '?'} {die.state.replace('_', ' ')}"


def _dice(count: int) -> str:
    return f"{count} {'die' if count == 1 else 'dice'}"


def _ids(ids: Sequence[int]) -> str:
    return " ".join(f"#{number}" for number in ids)


def clock(t: float) -> str:
    """Minutes and seconds of a recording."""
    return f"{int(t) // 60}:{t % 60:04.1f}"

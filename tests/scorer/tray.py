"""A tray to write umpire scenarios with: events in a row, and rulings as short texts."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

from scorer.card import parse_card
from scorer.events import (
    BoxChosen,
    DiceAtRest,
    DiceLifted,
    DiceThrown,
    DieFact,
    DieState,
    DieUnseen,
    Fact,
    LastSeen,
    Ruling,
)
from scorer.presets import BHO
from scorer.rules import Ruleset
from scorer.state import Options
from scorer.umpire import Umpire


def at(t: float) -> dict[str, Any]:
    """The times of an event at `t`, filmed at 30 frames a second and said 200 ms later."""
    return {"t": t, "frame": round(t * 30), "t_said": t + 0.2}


def die(id_: int, value: int | None, state: DieState = "flat", likely: int | None = None) -> DieFact:
    return DieFact(
        id=id_, value=value, p=0.99 if value else 0.1, state=state, place=(0.0, 0.0), thrown=False, likely=likely
    )


def dice(values: str, first: int = 1) -> list[DieFact]:
    """Flat dice with ids from `first`; `?` is one that is not sure."""
    return [die(first + i, None if v == "?" else int(v)) for i, v in enumerate(values)]


def rest(t: float, thrown: Iterable[DieFact] = (), kept: Iterable[DieFact] = (), missing: int = 0) -> DiceAtRest:
    """Dice at rest, those thrown and those that stayed."""
    thrown, kept = list(thrown), list(kept)
    return DiceAtRest(
        **at(t),
        dice=(*thrown, *kept),
        thrown=tuple(fact.id for fact in thrown),
        kept=tuple(fact.id for fact in kept),
        missing=missing,
    )


def throw(
    t: float,
    thrown: Sequence[DieFact],
    kept: Sequence[DieFact] = (),
    *,
    lasting: float = 0.3,
    tumble: float | tuple[float, ...] = 0.5,
) -> list[Fact]:
    """Dice thrown within `lasting` seconds, which come to rest at `t`; they tumbled alike, or each as it says."""
    enter = t - 1.0
    in_the_air = DiceThrown(
        **at(enter),
        count=len(thrown),
        t_first=enter - lasting,
        t_last=enter,
        tumble=tumble if isinstance(tumble, tuple) else (tumble,) * len(thrown),
    )
    return [in_the_air, rest(t, thrown, kept)]


def lift(t: float, *ids: int) -> DiceLifted:
    return DiceLifted(**at(t), ids=ids)


def unseen(t: float, count: int = 1, last_seen: LastSeen = "over_rim", ids: tuple[int, ...] = ()) -> DieUnseen:
    return DieUnseen(**at(t), count=count, last_seen=last_seen, ids=ids)


def choose(t: float, box: str, player: str = "Ann", announced: int | None = None, cross: bool = False) -> BoxChosen:
    return BoxChosen(t=t, player=player, box=box, announced=announced, cross=cross)


def match(
    *facts: Fact | Sequence[Fact],
    options: Options | None = None,
    rules: Ruleset = BHO,
    players: Sequence[str] = ("Ann", "Ben"),
    cards: Sequence[str] = (),
) -> tuple[Umpire, list[Ruling]]:
    """The umpire of Ann's and Ben's match after these facts, and everything ruled since the start.

    `cards` are those that the players begin with.
    """
    umpire = Umpire(rules, players, options)
    if cards:
        umpire.state = replace(umpire.state, cards=tuple(parse_card(rules, card) for card in cards))
    umpire.start()
    return umpire, feed(umpire, *facts)


def feed(umpire: Umpire, *facts: Fact | Sequence[Fact]) -> list[Ruling]:
    """Everything ruled on these facts."""
    rulings: list[Ruling] = []
    for fact in facts:
        for one in [fact] if isinstance(fact, Fact) else fact:
            rulings += umpire.on(one)
    return rulings


def shorts(rulings: Sequence[Ruling]) -> list[str]:
    """Rulings as short texts."""
    return [short(ruling) for ruling in rulings]


def short(ruling: Ruling) -> str:
    """A ruling as `Name reason field=value ...`, without times, rule, player and legal boxes."""
    hidden = {"t", "frame", "t_said", "player", "rule", "reason", "entry", "legal", "kept", "totals", "places"}
    words = [type(ruling).__name__] + ([ruling.reason] if ruling.reason else [])
    for field in fields(ruling):
        value = getattr(ruling, field.name)
        if field.name not in hidden and value not in (None, (), 0, False, {}):
            text = "".join(map(str, value)) if isinstance(value, tuple) else str(value)
            words.append(f"{field.name}={text}")
    return " ".join(words)


FIRST = throw(3.0, dice("13346"))
"""Ann's first roll: dice 1 to 5 show 1 3 3 4 6."""

SECOND: list[Fact] = [lift(4, 1, 4, 5), *throw(7.0, dice("335", first=11), kept=[die(2, 3), die(3, 3)])]
"""Her second: dice 2 and 3 are kept, and 3 3 5 are thrown."""

THIRD: list[Fact] = [
    lift(8, 13),
    *throw(11.0, dice("3", first=21), kept=[die(2, 3), die(3, 3), die(11, 3), die(12, 3)]),
]

KEPT_33 = [die(2, 3), die(3, 3)]

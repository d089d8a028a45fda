"""Rulesets as data: what may differ between one set of Yahtzee rules and another, and the ones on offer.

The engine in `legal.py` knows the parameters and no names, so a new ruleset is a new entry of `RULESETS`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scorer.errors import RulesetError
from scorer.texts import BHO_TEXTS


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """One way to play Yahtzee.

    A *further Yahtzee* is five of a kind while the Yahtzee box is filled. Five parameters say what it does:

    - `active_when`: it is special once the Yahtzee box holds 50 (`box_50`) or anything, 0 included (`box_filled`);
    - `forced_upper`: it must go in the upper box of its face while that is open;
    - `after_upper`: once that box is filled it is a joker, in `any` open box or in the lower boxes first
      (`lower_first`: upper boxes only when no lower box is open);
    - `bonus_when`: with 50 in the Yahtzee box it earns `bonus_points` `always`, or only where it `scored` above 0;
    - `bonus_points`.

    A zero is never chosen freely: every open box may be taken, for what the dice earn there.
    `texts` gives, for each reason a ruling may have, the rule it rests on.
    """

    name: str
    title: str
    texts: Mapping[str, str]
    active_when: Literal["box_50", "box_filled"]
    forced_upper: bool
    after_upper: Literal["any", "lower_first"]
    bonus_when: Literal["always", "scored"]
    bonus_points: int = 100
    upper_bonus_from: int = 63
    upper_bonus: int = 35
    dice: int = 5
    rolls: int = 3


BHO = Ruleset(
    name="bho",
    title="BHO competition rules",
    texts=BHO_TEXTS,
    active_when="box_50",
    forced_upper=True,
    after_upper="any",
    bonus_when="always",
)

RULESETS: Mapping[str, Ruleset] = {rules.name: rules for rules in (BHO,)}


def ruleset(name: str) -> Ruleset:
    """The ruleset of this name. Raises `RulesetError`, which lists the known ones."""
    try:
        return RULESETS[name]
    except KeyError:
        raise RulesetError(f"unknown rules {name!r}; known: {', '.join(RULESETS)}") from None

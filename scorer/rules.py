"""Rulesets as data: every way in which one set of Yahtzee rules may differ from another, as a named parameter.

The engine knows these parameters and no names of rulesets; the rulesets on offer are in `presets.py`, and what players
may change about them in `settings.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from typing import Literal

from scorer.boxes import FULL_HOUSE, YAHTZEE, Box, Section
from scorer.dice import FACES, Dice
from scorer.readings import Reading

ActiveWhen = Literal["box_50", "box_filled", "never"]
AfterUpper = Literal["any", "lower_first"]
BonusWhen = Literal["always", "scored"]
BonusNeeds = Literal["one", "every"]
Middle = Literal["none", "sum", "delta"]
StartDice = Literal["one", "all"]
Tie = Literal["ask", "one_die", "all_dice", "three_rolls"]


@dataclass(frozen=True, slots=True)
class Slot:
    """A box in one column of the card, by the name it has there: `4K`, or `2:4K` where there are several columns.

    `place` is where it stands in its column, from 0.
    """

    name: str
    column: int
    place: int
    box: Box


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """One way to play. Points are those of one column; `texts` gives the rule that each reason of a ruling rests on.
    `about` is the game in a line; `readings` say why each setting has the value it has in the preset, and `remarks`
    what else about the text had to be decided.

    The card: `boxes` of one column, in its order; `columns` of them, which are `rounds` played one after another, or
    else free to choose from; a column counts `weights` times.

    The upper bonus: `upper_bonus` points once a column's upper boxes total `upper_bonus_from`; with
    `upper_bonus_excess` also what they total beyond that.

    A *further Yahtzee* is five of a kind while every Yahtzee box in play is filled:
    - `active_when`: it is special once a Yahtzee box holds its full points (`box_50`) or anything (`box_filled`);
    - `forced_upper`: it must go in the upper box of its face while that is open;
    - `after_upper`: once that box is filled it is a joker, in `any` open box or in the lower boxes first
      (`lower_first`: upper boxes only when no lower box is open);
    - `bonus_when`: with full points in the Yahtzee box it earns `bonus_points` `always`, or where it `scored` above 0;
    - `bonus_needs`: of several Yahtzee boxes `one` or `every` one must hold full points for that;
    - `first_yahtzee_in_box`: none of this where the player's first five of a kind went in another box.

    `voluntary_zero`: a 0 may be written in any open box, also where the dice would score. `middle`: what Plus and
    Minus count, `sum` (both and their difference) or `delta` (the difference); `plus_over_minus`: nothing unless Plus
    is the greater.

    House rules (World Yahtzee Institute, House Rules): `mulligan`, `chance_chance`, `mega_yahtzee` with `mega_bonus`,
    `fool_house`, `battle_cry`, `bottoms_up`. `start_dice`: how many dice each throws for who starts; `tie`: how equal
    totals are broken, where the players agreed on a way.
    """

    name: str
    title: str
    about: str
    source: str
    texts: Mapping[str, str] = field(repr=False, hash=False)
    readings: Mapping[str, Reading] = field(repr=False, hash=False)
    remarks: tuple[Reading, ...] = field(repr=False)
    boxes: tuple[Box, ...] = field(repr=False)
    columns: int = 1
    rounds: bool = False
    weights: tuple[int, ...] = ()
    dice: int = 5
    rolls: int = 3
    upper_bonus_from: int = 63
    upper_bonus: int = 35
    upper_bonus_excess: bool = False
    active_when: ActiveWhen = "never"
    forced_upper: bool = False
    after_upper: AfterUpper = "any"
    bonus_when: BonusWhen = "always"
    bonus_needs: BonusNeeds = "one"
    bonus_points: int = 0
    first_yahtzee_in_box: bool = False
    voluntary_zero: bool = False
    middle: Middle = "none"
    plus_over_minus: bool = False
    mulligan: bool = False
    chance_chance: bool = False
    chance_chance_bonus: bool = True
    mega_yahtzee: bool = False
    mega_bonus: int = 1000
    fool_house: bool = False
    battle_cry: bool = False
    bottoms_up: bool = False
    start_dice: StartDice = "one"
    tie: Tie = "ask"
    clockwise: bool = True

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Every box of the card, column by column."""
        return tuple(
            Slot(box.name if self.columns == 1 else f"{column}:{box.name}", column, place, box)
            for column in range(1, self.columns + 1)
            for place, box in enumerate(self.boxes)
        )

    @cached_property
    def by_name(self) -> Mapping[str, Slot]:
        """The boxes of the card by the names they have there."""
        return {slot.name: slot for slot in self.slots}

    @cached_property
    def box(self) -> Mapping[str, Box]:
        """The boxes of one column by their plain names."""
        return {box.name: box for box in self.boxes}

    @cached_property
    def full_yahtzee(self) -> frozenset[int]:
        """What a Yahtzee box holds after a Yahtzee: one number, or several where the sum is part of it."""
        return frozenset(self.box[YAHTZEE].natural((face,) * self.dice) for face in FACES)

    @cached_property
    def worth(self) -> Mapping[Dice, tuple[int, ...]]:
        """The natural points of every roll, its values ascending, in each of `boxes`."""
        rolls = combinations_with_replacement(FACES, self.dice)
        return {roll: tuple(box.natural(roll) for box in self.boxes) for roll in rolls}

    @cached_property
    def full_houses(self) -> frozenset[Dice]:
        """The rolls that are a Full House and no Yahtzee."""
        pattern = self.box[FULL_HOUSE].pattern
        return frozenset(roll for roll in self.worth if pattern(roll) and roll[0] != roll[-1])

    @cached_property
    def sections(self) -> Mapping[tuple[int, Section], tuple[str, ...]]:
        """The names of the boxes in each section of each column."""
        names: dict[tuple[int, Section], tuple[str, ...]] = {}
        for slot in self.slots:
            where = slot.column, slot.box.section
            names[where] = (*names.get(where, ()), slot.name)
        return names

    def weight(self, column: int) -> int:
        """How many times the column counts."""
        return self.weights[column - 1] if self.weights else 1

    def upper_bonus_for(self, subtotal: int) -> int:
        """The bonus of a column whose upper boxes total this."""
        excess = subtotal - self.upper_bonus_from
        if excess < 0:
            return 0
        return self.upper_bonus + (excess if self.upper_bonus_excess else 0)

    @property
    def dice_allowed(self) -> tuple[int, ...]:
        """How many dice a roll may have: one more in a Mega-Yahtzee turn."""
        return (self.dice, self.dice + 1) if self.mega_yahtzee else (self.dice,)

    def as_rolled(self, dice: Dice) -> tuple[Dice, ...]:
        """The rolls that these dice, ascending, may count as: themselves, or of one die too many any but one."""
        if len(dice) == self.dice:
            return (dice,)
        return tuple(sorted(set(combinations(dice, self.dice))))

    def possible_points(self, box: Box) -> tuple[int, ...]:
        """Every number of points that the box may hold, ascending.

        What all dice alike give as a Full House is among them whether they are one here or not: texts are silent.
        """
        return self._possible_points[box.name]

    @cached_property
    def _possible_points(self) -> Mapping[str, tuple[int, ...]]:
        possible: dict[str, tuple[int, ...]] = {}
        for box, worth in zip(self.boxes, zip(*self.worth.values(), strict=True), strict=True):
            alike = {box.joker((face,) * self.dice) for face in FACES} if box.name == FULL_HOUSE else set()
            possible[box.name] = tuple(sorted({*worth, *alike, *([0] if self.voluntary_zero else [])}))
        return possible

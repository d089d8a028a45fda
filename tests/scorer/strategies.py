"""Rulesets, cards and dice for the properties that hold for every one of them."""

from collections.abc import Mapping

from hypothesis import strategies as st

from scorer.boxes import YAHTZEE
from scorer.card import Card
from scorer.presets import RULESETS
from scorer.rules import Ruleset
from scorer.settings import SETTINGS, Value, change

presets = st.sampled_from(list(RULESETS.values()))


def rolls_of(rules: Ruleset) -> st.SearchStrategy[list[int]]:
    """Any dice of one roll; all dice alike come up often."""
    several = st.lists(st.integers(1, 6), min_size=min(rules.dice_allowed), max_size=max(rules.dice_allowed))
    return st.one_of(several, st.builds(lambda face, count: [face] * count, st.integers(1, 6),
                                        st.sampled_from(rules.dice_allowed)))  # fmt: skip


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any preset with any settings that it can have."""
    rules = draw(presets)
    for name in draw(st.sets(st.sampled_from(list(SETTINGS)), max_size=4)):
        if SETTINGS[name].applies(rules):
            rules = change(rules, name, draw(values_of(name)))
    return rules


def values_of(name: str) -> st.SearchStrategy[Value]:
    """Any value that the setting takes."""
    values = SETTINGS[name].values
    return st.sampled_from([values[0], values[-1]] if isinstance(values, range) else list(values))


@st.composite
def cards_of(draw: st.DrawFn, rules: Ruleset) -> Card:
    """Any card that a match by these rules can lead to, but for bonuses."""
    filled = draw(st.sets(st.sampled_from(rules.slots)))
    if rules.rounds:
        begun = max((slot.column for slot in filled), default=1)
        filled |= {slot for slot in rules.slots if slot.column < begun}
    points: Mapping[str, int] = {
        slot.name: draw(st.sampled_from(rules.possible_points(slot.box))) for slot in rules.slots if slot in filled
    }
    return Card(points, draw(st.integers(0, _most_bonuses(rules, points))))


def _most_bonuses(rules: Ruleset, points: Mapping[str, int]) -> int:
    """How many Yahtzee bonuses such a card may hold, in one column."""
    if rules.columns > 1 or not rules.bonus_points or points.get(YAHTZEE) not in rules.full_yahtzee:
        return 0
    return sum(name != YAHTZEE and (rules.bonus_when == "always" or worth > 0) for name, worth in points.items())

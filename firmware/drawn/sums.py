"""The rows below the boxes of a score card: what its parts add up to."""

from collections.abc import Iterable, Sequence

from scorer.card import Totals
from scorer.rules import Ruleset


def sums(rules: Ruleset, totals: Sequence[Totals]) -> Iterable[tuple[str, list[int]]]:
    """The rows in order, the total last, each with a number for every player."""
    for place in range(rules.columns):
        columns = [added.columns[place] for added in totals]
        of = f" {place + 1}" if rules.columns > 1 else ""
        yield f"upper bonus{of}", [column.upper_bonus for column in columns]
        if rules.middle != "none":
            yield f"Plus and Minus{of}", [column.middle for column in columns]
        if of:
            times = f" (x {rules.weight(place + 1)})" if rules.weights else ""
            yield f"column{of}{times}", [column.total for column in columns]
    if rules.bonus_points:
        yield "Yahtzee bonus", [added.yahtzee_bonus for added in totals]
    if rules.mega_yahtzee:
        yield "Mega bonus", [added.house_bonus for added in totals]
    yield "total", [added.total for added in totals]

"""Cards and dice for the properties that hold for every one of them."""

from hypothesis import strategies as st

from scorer.boxes import BOXES, YAHTZEE, possible_points
from scorer.card import Card

dice = st.lists(st.integers(1, 6), min_size=5, max_size=5)


@st.composite
def cards(draw: st.DrawFn) -> Card:
    """Any card that a match can lead to."""
    filled = draw(st.sets(st.sampled_from(BOXES)))
    points = {box.name: draw(st.sampled_from(possible_points(box))) for box in filled}
    bonuses = draw(st.integers(0, len(points) - 1)) if points.get(YAHTZEE.name) == 50 else 0
    return Card(points, bonuses)

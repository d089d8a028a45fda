"""What optimal play leads to, against published figures of Verhoeff's optimal player."""

from collections.abc import Callable

import pytest

from scorer.analysis.moves import Moves
from scorer.analysis.policy import Outlook, outlook
from tests.scorer.analysis.solved import Solved

PUBLISHED = {  # Wikipedia, Yahtzee, after Verhoeff: mean, and chance of a zero in percent
    "1s": (1.88, 10.84), "2s": (5.28, 1.80), "3s": (8.57, 0.95), "4s": (12.16, 0.60), "5s": (15.69, 0.50),
    "6s": (19.19, 0.53), "3K": (21.66, 3.26), "4K": (13.10, 36.34), "FH": (22.59, 9.63), "SS": (29.46, 1.80),
    "LS": (32.71, 18.22), "Y": (16.87, 66.26), "C": (22.01, 0.0),
}  # fmt: skip


@pytest.fixture(scope="module")
def verhoeff(solved: Callable[[str], Solved]) -> Outlook:
    known = solved("verhoeff")
    return outlook(Moves(known.earn), known.solution)


def test_the_published_mean_and_zeros_of_each_box(verhoeff: Outlook) -> None:
    for box, (mean, zero) in PUBLISHED.items():
        assert verhoeff.means[box] == pytest.approx(mean, abs=0.0051), box
        assert 100 * verhoeff.zeros[box] == pytest.approx(zero, abs=0.0051), box


def test_the_published_bonuses(verhoeff: Outlook) -> None:
    """The same table: upper bonus 23.84, missed in 31.88%; Yahtzee bonuses 9.58."""
    assert verhoeff.means["upper_bonus"] == pytest.approx(23.84, abs=0.0051)
    assert verhoeff.upper_bonus_chance == pytest.approx(0.681181, abs=1e-6)
    assert verhoeff.means["yahtzee_bonus"] == pytest.approx(9.58, abs=0.0051)


def test_the_published_standard_deviation(verhoeff: Outlook) -> None:
    """59.6117: Verhoeff, as precisit's specification and CaseyTewey's README quote it; 59.61: Glenn, table 3."""
    assert verhoeff.sd == pytest.approx(59.6117, abs=0.0001)


def test_boxes_and_bonuses_add_up_to_the_mean_total(verhoeff: Outlook) -> None:
    assert sum(verhoeff.means.values()) == pytest.approx(verhoeff.expected, abs=1e-9)


def test_without_bonus_and_joker(solved: Callable[[str], Solved]) -> None:
    """39.82: Verhoeff's talk."""
    known = solved("no bonus")
    assert outlook(Moves(known.earn), known.solution).sd == pytest.approx(39.8208, abs=0.0001)

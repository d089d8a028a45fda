"""The receiver operating curve of tumbling, on throws whose shares are known."""

from pathlib import Path

import numpy as np
import pytest

from models.tray.events import Pair
from models.tray.results import Result
from models.tray.score import Score
from models.tray.tumble import Cases, curve, of_dice, of_throws, plot, table
from tests.models.tray.lines import event

RESULT = Result("throw", 1, (64, 48), "film", "", "", 1.0, 0.0, 0.0, (), ())


def seen(true: list[float], said: list[float]) -> Score:
    """A film with one throw."""
    found = Pair("DiceThrown", event(1, "DiceThrown", tumble=true), event(1, "DiceThrown", tumble=said))
    return Score(RESULT, None, [found])


def test_a_throw_is_as_strong_as_its_dice_are_in_the_mean() -> None:
    scores = [seen([0.6, 0.5], [0.4, 0.0]), seen([0.0, 0.02], [0.05, 0.0]), seen([0.7], []), seen([0.0, 0.6], [0, 0.5])]
    throws, dice = of_throws(scores), of_dice(scores)
    assert throws.weak.tolist() == [0.025]
    assert throws.thrown.tolist() == [0.2, np.inf, 0.25]
    assert dice.weak.tolist() == [0.05, 0.0]
    assert dice.thrown.tolist() == [0.4, 0.0]


def test_rates_and_area_by_hand() -> None:
    curved = curve(Cases(np.array([0.0, 0.05, 0.3]), np.array([0.05, 0.2, 0.6, np.inf])))
    at = {row["below"]: (row["weak"], row["thrown"]) for row in curved["rows"]}
    assert at[0.1] == (pytest.approx(2 / 3), 0.25)
    assert at[0.04] == (pytest.approx(1 / 3), 0)
    assert curved["area"] == pytest.approx((4 + 3.5 + 2) / 12)
    assert curved["told"] == {"weak": 3, "thrown": 3}
    assert ["0.10", "<", "66.7", "%", "25.0", "%"] in [line.split() for line in table("throw", curved).splitlines()]


def test_no_area_without_both_kinds() -> None:
    assert curve(of_throws([seen([0.5], [0.5])]))["area"] is None


def test_the_plot_is_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert plot([("throws", Cases(np.array([0.0]), np.array([0.5])))], tmp_path / "roc.png")
    assert (tmp_path / "roc.png").read_bytes().startswith(b"\x89PNG")

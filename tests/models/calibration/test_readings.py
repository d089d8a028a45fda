"""Dice read with a calibration and without, counted."""

from pathlib import Path

import pytest

from models.calibration.readings import count, films_in
from models.tray.errors import TrayError


def rest(t: float, *values: int | None) -> dict[str, object]:
    dice = [{"value": value, "state": "flat", "thrown": True} for value in values]
    return {"kind": "event", "name": "DiceAtRest", "t": t, "dice": dice}


def test_rests_and_their_dice_are_counted_by_value() -> None:
    true = [rest(1.0, 1, 2, 3), rest(5.0, 6, 6), rest(9.0, 4)]
    counts = count(true, [rest(1.1, 3, 2, None), rest(5.0, 6, 5), rest(20.0, 1)])
    assert (counts["rests"], counts["rests found"], counts["rests invented"]) == (3, 2, 1)
    assert (counts["dice"], counts["right"], counts["wrong"], counts["asked"]) == (5, 3, 1, 1)


def test_a_folder_without_films_is_named(tmp_path: Path) -> None:
    with pytest.raises(TrayError, match="has no films of play"):
        films_in(tmp_path)

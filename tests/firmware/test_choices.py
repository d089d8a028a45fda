"""The choices file: what is read, and what is said of a line that is none."""

from pathlib import Path

import pytest

from firmware.choices import load_choices
from firmware.errors import FirmwareError
from scorer.events import BoxChosen, HouseRuleCalled, RefereeCalled, Undo

PLAYERS = ("Ann", "Ben")


def write(folder: Path, text: str) -> Path:
    path = folder / "choices.jsonl"
    path.write_text(text)
    return path


def test_choices_come_in_order_of_time(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        '{"t": 9, "player": "Ben", "box": "C", "announced": 21}\n\n{"t": 4.5, "player": "Ann", "box": "4s"}\n',
    )
    assert load_choices(path, PLAYERS).inputs == (
        BoxChosen(t=4.5, player="Ann", box="4s"),
        BoxChosen(t=9.0, player="Ben", box="C", announced=21),
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"t": ' + "1" * 5000 + "}", "not JSON"),
        ("[]", "an object"),
        ('{"t": 1, "player": "Ann", "box": "C", "points": 3}', "unknown field 'points'"),
        ('{"t": -1, "player": "Ann", "box": "C"}', "t must be"),
        ('{"t": true, "player": "Ann", "box": "C"}', "t must be"),
        ('{"t": 1e999, "player": "Ann", "box": "C"}', "t must be"),
        ('{"t": 1' + "0" * 400 + ', "player": "Ann", "box": "C"}', "t must be"),
        ('{"t": NaN, "player": "Ann", "box": "C"}', "t must be"),
        ('{"t": 1, "player": "Cid", "box": "C"}', "'Cid' does not play"),
        ('{"t": 1, "player": "Ann"}', "box must be a text"),
        ('{"t": 1, "player": "Ann", "box": "C", "announced": "x"}', "announced must be"),
        ('{"t": 1, "player": "Ann", "box": "C", "cross": 1}', "cross must be"),
        ('{"t": 1, "name": "Cheated"}', "unknown name 'Cheated'"),
        ('{"name": "RefereeCalled"}', "t must be"),
        ('{"t": -3, "name": "RefereeCalled"}', "t must be"),
        ('{"t": 1, "name": "HouseRuleCalled", "player": "Cid", "rule": "mulligan"}', "'Cid' does not play"),
        ('{"t": 1, "name": "Undo", "entry": 3, "by": ["Ann", "Cid"]}', "'Cid' does not play"),
        ('{"players": []}', "who plays reads"),
        ('{"players": ["Ann", "Ann"]}', "who plays reads"),
        ('{"players": "Ann"}', "who plays reads"),
        ('{"players": ["Ann"], "t": 1}', "who plays reads"),
        ('{"t": 1, "name": "HandLeft", "frame": 3, "t_said": 1}', "seen by the camera"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, said: str) -> None:
    path = write(tmp_path, '{"t": 0, "player": "Ann", "box": "1s"}\n' + line)
    with pytest.raises(FirmwareError, match="line 2") as caught:
        load_choices(path, PLAYERS)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(FirmwareError, match="cannot read the choices"):
        load_choices(tmp_path / "none.jsonl", PLAYERS)
    with pytest.raises(FirmwareError, match="cannot read the choices"):
        load_choices(tmp_path, PLAYERS)


def test_the_file_may_say_who_plays(tmp_path: Path) -> None:
    path = write(tmp_path, '{"players": ["Ben", "Ann"]}\n{"t": 1, "player": "Ann", "box": "C"}')
    assert load_choices(path).players == ("Ben", "Ann")
    path = write(tmp_path, '{"players": ["Ben", "Ann"]}\n{"t": 1, "player": "Cid", "box": "C"}')
    with pytest.raises(FirmwareError, match="line 2: 'Cid' does not play"):
        load_choices(path)


def test_anybody_may_choose_where_nobody_says_who_plays(tmp_path: Path) -> None:
    path = write(tmp_path, '{"t": 1, "player": "Cid", "box": "C"}')
    assert load_choices(path).inputs == (BoxChosen(t=1.0, player="Cid", box="C"),)


def test_a_line_may_be_any_input_by_its_name(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        '{"t": 1, "name": "HouseRuleCalled", "player": "Ann", "rule": "mulligan"}\n'
        '{"t": 2, "name": "RefereeCalled"}\n{"t": 3, "name": "Undo", "entry": 4, "by": ["Ann", "Ben"]}\n'
        '{"t": 4, "player": "Ann", "box": "C", "cross": true}\n',
    )
    assert load_choices(path, PLAYERS).inputs == (
        HouseRuleCalled(t=1.0, player="Ann", rule="mulligan"),
        RefereeCalled(t=2.0),
        Undo(t=3.0, entry=4, by=PLAYERS),
        BoxChosen(t=4.0, player="Ann", box="C", cross=True),
    )

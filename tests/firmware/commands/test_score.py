"""`fairtray score`: one roll, files of rolls, and bad lines among good ones."""

import io
import json
from pathlib import Path

import pytest

from firmware.commands.score import score_command, score_line, score_one
from firmware.errors import FirmwareError
from scorer.errors import CardError, DiceError, RulesetError


def test_one_roll_gives_legal_boxes_and_reasons() -> None:
    answer = score_one("bho", "44444", "Y=50", [])
    assert answer["rules"] == "bho"
    assert answer["dice"] == "44444"
    assert answer["legal"] == [{"box": "4s", "points": 20, "yahtzee_bonus": 100, "upper_bonus": 0}]
    assert {"box": "Y", "reason": "filled"} in answer["refused"]
    assert {"box": "C", "reason": "joker_upper_forced"} in answer["refused"]
    assert len(answer["legal"]) + len(answer["refused"]) == 13


def test_the_dice_are_given_back_as_they_were_asked() -> None:
    assert score_one("bho", "52565", "", [])["dice"] == "52565"


def test_json_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert score_command("bho", "44444", "Y=50 4s=8", [], None, as_json=True) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert json.loads(out) == score_one("bho", "44444", "Y=50 4s=8", [])


def test_people_get_the_best_box_first_and_the_rule_for_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert score_command("bho", "44444", "Y=50 4s=8", [], None, as_json=False) == 0
    out = capsys.readouterr().out
    assert out.index("Large Straight") < out.index("Chance") < out.index("Ones")
    assert "BHO" in out


def test_a_full_table_needs_no_second_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert score_command("bho", "12345", "", [], None, as_json=False) == 0
    assert "Because" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("bho", "44479", "", []), DiceError),
        (("bho", "44444", "Y=51", []), CardError),
        (("poker", "44444", "", []), RulesetError),
        (("bho", "44444", "", ["joker=free"]), RulesetError),
    ],
)
def test_a_bad_single_roll_is_an_error(arguments: tuple[str, str, str, list[str]], error: type[Exception]) -> None:
    with pytest.raises(error):
        score_command(*arguments, batch=None, as_json=True)


def test_dice_or_a_batch_must_be_given_and_not_both() -> None:
    with pytest.raises(FirmwareError, match="no dice"):
        score_command("bho", None, "", [], None, as_json=True)
    with pytest.raises(FirmwareError, match="not both"):
        score_command("bho", "44444", "", [], "rolls.jsonl", as_json=True)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[" * 100_000,
        "[]",
        "null",
        '"44444"',
        '{"dice": "44444"}',
        '{"rules": "bho"}',
        '{"rules": "bho", "dice": 44444}',
        '{"rules": "bho", "dice": null}',
        '{"rules": "bho", "dice": "44479"}',
        '{"rules": "bho", "dice": "\\ud800"}',
        '{"rules": "poker", "dice": "44444"}',
        '{"rules": 1, "dice": "44444"}',
        '{"rules": "bho", "dice": "44444", "card": {"Y": 50}}',
        '{"rules": "bho", "dice": "44444", "card": "Y=51"}',
        '{"rules": "bho", "dice": "44444", "set": "a=1"}',
        '{"rules": "bho", "dice": "44444", "set": [1]}',
        '{"rules": "bho", "dice": "44444", "set": ["a=1"]}',
        '{"rules": "bho", "dice": "44444", "set": {"a": 1}}',
        '{"rules": "bho", "dice": "44444", "cards": ""}',
    ],
)
def test_a_bad_line_is_answered_with_an_error(line: str) -> None:
    answer = score_line(line)
    assert list(answer) == ["error"]
    assert "\n" not in answer["error"]
    json.dumps(answer)


@pytest.mark.parametrize("settings", ["", ', "set": []', ', "set": {}', ', "set": null'])
def test_card_and_set_may_be_left_out(settings: str) -> None:
    assert score_line(f'{{"rules": "bho", "dice": "44444"{settings}}}') == score_one("bho", "44444", "", [])


def test_a_batch_is_answered_line_by_line_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    batch = tmp_path / "rolls.jsonl"
    batch.write_bytes(b'{"rules":"bho","dice":"11111"}\n\nbroken \xff\n{"rules":"bho","dice":"22222","card":"Y=50"}\n')
    assert score_command("bho", None, "", [], str(batch), as_json=True) == 2
    first, second, third = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first["dice"] == "11111"
    assert "error" in second
    assert third["legal"][0]["box"] == "2s"


def test_a_good_batch_from_standard_input_succeeds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"rules":"bho","dice":"11111"}\n')))
    assert score_command("bho", None, "", [], "-", as_json=False) == 0
    assert json.loads(capsys.readouterr().out)["dice"] == "11111"


def test_a_batch_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FirmwareError, match="give a file"):
        score_command("bho", None, "", [], str(tmp_path / "none.jsonl"), as_json=True)


def test_settings_columns_and_house_rules_are_taken_in_a_batch() -> None:
    casino = score_line('{"rules":"casino","dice":"44444","card":"Y=50 1:4s=8","set":{"columns":2}}')
    assert {"box": "1:FH", "points": 25, "yahtzee_bonus": 100, "upper_bonus": 0} in casino["legal"]
    assert {"box": "2:FH", "reason": "round_not_open"} in casino["refused"]
    fool = score_line('{"rules":"bho","dice":"44433","set":{"fool_house":true}}')
    assert [entry["box"] for entry in fool["legal"]] == ["FH"]
    assert {refusal["reason"] for refusal in fool["refused"]} == {"house_rule"}
    mega = score_line('{"rules":"bho","dice":"666666","set":{"mega_yahtzee":"yes","mega_bonus":500}}')
    assert {"box": "Y", "points": 50, "yahtzee_bonus": 0, "upper_bonus": 0, "house_bonus": 500} in mega["legal"]
    rigole = score_line('{"rules":"yams","dice":"44443","set":{"rigole_points":1}}')
    assert rigole["legal"][-1] == {"box": "R", "points": 1, "yahtzee_bonus": 0, "upper_bonus": 0}


def test_people_see_columns_the_mega_bonus_and_that_a_zero_is_free(capsys: pytest.CaptureFixture[str]) -> None:
    assert score_command("triple", "44444", "Y=50 2:Y=50 3:Y=0 1:4s=8", [], None, as_json=False) == 0
    out = capsys.readouterr().out
    assert out.index("Fours (3:4s)") < out.index("Fours (2:4s)")
    assert "160" in out
    assert score_command("bho", "666666", "", ["mega_yahtzee=yes"], None, as_json=False) == 0
    assert "Mega bonus" in capsys.readouterr().out
    assert score_command("deluxe", "123456", "", [], None, as_json=False) == 0
    assert "A 0 may be written in any open box instead" in capsys.readouterr().out

"""`fairtray rules`: the list, one ruleset in full, two compared; docs/rules.md is what the code says."""

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import pytest

from firmware.commands.rulebook import rulebook
from firmware.commands.rules import diff_command, list_command, show_command
from firmware.commands.rules_page import PAGE, renewed
from firmware.commands.run import RunOptions, at_source, sample
from firmware.commands.score import score_command, score_one
from scorer.errors import RulesetError
from scorer.legal import REASONS
from scorer.presets import RULESETS, ruleset
from scorer.readings import HOUSE_RULES
from scorer.settings import SETTINGS, settings_of
from tests.firmware.command import fairtray, fairtray_here

SAMPLE = Path(__file__).parents[3] / "firmware" / "sample"
PAIRS = list(combinations(RULESETS, 2))


def shown(capsys: pytest.CaptureFixture[str], name: str, *settings: str) -> str:
    assert show_command(name, settings, as_json=False) == 0
    return capsys.readouterr().out


def test_a_player_explains_the_rules_through_the_command_line() -> None:
    listed = fairtray("rules")
    assert listed.returncode == 0, listed.stderr
    assert all(sum(line.startswith(f"{name} ") for line in listed.stdout.splitlines()) == 1 for name in RULESETS)
    assert len(json.loads(fairtray("rules", "--json").stdout)["house_rules"]) == 6
    in_full = fairtray("rules", "show", "yams", "--set", "rigole_points=40").stdout
    assert "2 5 5 5 5 = 40" in in_full
    assert "Changed from 50." in in_full
    compared = fairtray("rules", "diff", "bho", "wyi").stdout
    assert "after_upper" in compared
    assert "For example 1 1 1 1 1 on a card with 1s=2 Y=50:" in compared
    assert "bho  2s 3s 4s 5s 6s = 0 + 100" in compared


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rules", "frob"], "No such command 'frob'"),
        (["rules", "show"], "Missing argument"),
        (["rules", "show", "poker"], "unknown rules 'poker'"),
        (["rules", "show", "bho", "--set", "frob=1"], "unknown setting 'frob'"),
        (["rules", "show", "bho", "--set", "tie"], "write NAME=VALUE"),
        (["rules", "show", "casino", "--set", "columns=7"], "it takes 1 to 6"),
        (["rules", "diff", "bho"], "Missing argument"),
        (["rules", "diff", "bho", "poker"], "unknown rules 'poker'"),
        (["rules", "--json", "diff", "bho", "wyi"], "fairtray rules diff ... --json"),
        (["rules", "value", "triple"], "triple"),
        (["watch", str(SAMPLE / "video.mp4"), "--set", "tie=coin"], "it takes ask, one_die"),
        (["run", "--set", "rigole_points=5"], "there is no Rigole"),
    ],
)
def test_bad_input_gets_one_line_and_status_2(arguments: list[str], said: str) -> None:
    ran = fairtray_here(*arguments)
    assert ran.returncode == 2, ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1, ran.stderr
    assert ran.stderr.startswith("fairtray: ")
    assert said in ran.stderr


def test_each_ruleset_and_house_rule_has_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert list_command(as_json=False) == 0
    lines = capsys.readouterr().out.splitlines()
    for name in (*RULESETS, *(name for name, setting in SETTINGS.items() if setting.house)):
        place = next(i for i, line in enumerate(lines) if line.startswith(f"{name} "))
        assert not lines[place + 1].startswith(" ")


@pytest.mark.parametrize("name", RULESETS)
def test_a_ruleset_is_shown_whole_on_80_columns(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, rules = shown(capsys, name), RULESETS[name]
    assert max(map(len, out.splitlines())) <= 80
    assert all(f"{setting}=" in out for setting in settings_of(rules))
    assert ("\nA further Yahtzee\n" in out) == (rules.active_when != "never")
    assert ("joker_upper_forced" in out) == (rules.active_when != "never")
    assert ("round_not_open" in out) == rules.rounds
    assert out.count("The text is silent") >= sum(
        reading.says == "silent" for setting, reading in rules.readings.items() if not SETTINGS[setting].house
    )


@pytest.mark.parametrize("name", RULESETS)
def test_what_is_shown_is_what_is_scored(name: str) -> None:
    book = rulebook(RULESETS[name])
    for box in book["boxes"]:
        legal = score_one(name, box["example"], "", [])["legal"]
        assert box["points"] in {entry["points"] for entry in legal if entry["box"].endswith(box["box"])}
    for case in book["further_yahtzee"]:
        hold_true(name, case)
    assert {refusal["reason"] for refusal in book["refusals"]} <= REASONS.keys()


def test_the_joker_rule_is_worked_out_with_the_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert "filled                   only LS = 40 + 100;" in shown(capsys, "bho", "after_upper=lower_first")
    assert "0         open                     only 4s = 20" in shown(capsys, "bho", "active_when=box_filled")


def test_the_page_says_what_happens_to_a_reason_with_the_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert "round_not_open, only with columns=2 or more\n" in shown(capsys, "casino")
    assert "round_not_open\n" in shown(capsys, "casino", "columns=2")


def test_three_house_rules_are_warned_of_and_taken(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_command("bho", ["mulligan=yes", "fool_house=yes", "battle_cry=yes"], as_json=True) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith("fairtray: warning: 3 house rules (mulligan, fool_house, battle_cry)")
    assert len(printed.err.splitlines()) == 1
    assert sum(house["in_force"] for house in json.loads(printed.out)["house_rules"]) == 3
    assert show_command("bho", ["mulligan=yes", "fool_house=yes"], as_json=True) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_every_printed_example_is_true(first: str, second: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff_command(first, second, as_json=True) == 0
    for difference in json.loads(capsys.readouterr().out)["differences"]:
        for case in filter(None, difference["example"]):
            hold_true(case["rules"], case)
            hold_true_for_people(case, capsys)


def hold_true(rules: str, case: dict[str, Any]) -> None:
    """Every answer of the case is what `fairtray score --json` says."""
    said = score_one(rules, case["dice"], case["card"], [])
    legal, refused = ({entry["box"]: entry for entry in said[kind]} for kind in ("legal", "refused"))
    for answer in case["answers"]:
        if "reason" in answer:
            assert refused[answer["box"]]["reason"] == answer["reason"]
        else:
            scored = legal[answer["box"]]
            assert all(scored[name] == answer[name] for name in ("points", "yahtzee_bonus", "upper_bonus"))


def hold_true_for_people(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """What a box adds in all, and whether a 0 may be written, is what `fairtray score` prints."""
    assert score_command(case["rules"], case["dice"], case["card"], [], None, as_json=False) == 0
    out = capsys.readouterr().out
    rows = re.findall(r"\((\S+)\) +│(?: +\d+ │)+ +(\d+) │", out)
    in_all = {box: int(points) for box, points in rows}
    for answer in case["answers"]:
        if "reason" not in answer:
            assert in_all[answer["box"]] == answer["in_all"]
            assert not answer["or_zero"] or "A 0 may be written in any open box instead." in out


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_rulesets_are_compared_on_80_columns(first: str, second: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff_command(first, second, as_json=False) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert first in out
    assert second in out


def test_equal_rulesets_get_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert diff_command("bho", "bho", as_json=False) == 0
    assert capsys.readouterr().out == "bho and bho are the same rules.\n"
    assert diff_command("bho", "bga", as_json=False) == 0
    assert "bho and bga play the same" in capsys.readouterr().out


def test_unknown_rules_are_an_error() -> None:
    with pytest.raises(RulesetError, match="unknown rules"):
        diff_command("poker", "bho", as_json=True)


def test_the_tables_of_the_page_are_those_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert renewed(page) == page, "renew it with: python -m firmware.commands.rules_page"
    assert all(f"| `{name}` |" in page for name in (*RULESETS, *SETTINGS, *REASONS))


def test_every_tray_rule_that_is_cited_can_be_looked_up() -> None:
    texts = " ".join(text for rules in RULESETS.values() for text in rules.texts.values())
    cited = set(re.findall(r"Fairtray tray rules, ([A-Z][A-Za-z -]*)", texts))
    assert cited
    page = PAGE.read_text(encoding="utf-8")
    headings = re.findall(r"^### (.*)$", page[page.index("## Fairtray tray rules") :], flags=re.MULTILINE)
    assert cited == set(headings)


def test_a_match_is_watched_with_its_settings(tmp_path: Path) -> None:
    film = cv2.VideoCapture(str(SAMPLE / "video.mp4"))
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), film.read()[1])
    houses = ["--set", "mulligan=yes", "--set", "fool_house=yes", "--set", "battle_cry=yes"]
    ran = fairtray("watch", tmp_path, "--calibration", SAMPLE / "calibration.toml", "--json", *houses)
    assert ran.returncode == 0, ran.stderr
    started = json.loads(ran.stdout.splitlines()[0])
    chosen = {name for name, value in started["settings"].items() if value is True and name in HOUSE_RULES}
    assert chosen == {"mulligan", "fool_house", "battle_cry"}
    assert ran.stderr.startswith("fairtray: warning: 3 house rules")


def test_a_match_is_watched_with_what_was_agreed(tmp_path: Path) -> None:
    film = cv2.VideoCapture(str(SAMPLE / "video.mp4"))
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), film.read()[1])
    watched = ("watch", tmp_path, "--calibration", SAMPLE / "calibration.toml", "--players", "Ann,Ben", "--json")
    ran = fairtray(*watched, "--agree", "throw_for_start=yes", "--agree", "strict=staggered")
    assert ran.returncode == 0, ran.stderr
    started, throw_off, turn = (json.loads(line) for line in ran.stdout.splitlines()[:3])
    assert started["agreed"] == {"automatic_boxes": True, "throw_for_start": True, "strict": "staggered"}
    assert (throw_off["name"], throw_off["dice"], throw_off["rolls"]) == ("ThrowOff", 1, 1)
    assert (turn["name"], turn["player"], turn["reason"]) == ("TurnStarted", "Ann", "start")
    for nonsense in ("nonsense=1", "starter=Cleo", "marker=perhaps"):
        refused = fairtray_here(*watched, "--agree", nonsense)
        assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)


def test_run_plays_by_the_settings(tmp_path: Path) -> None:
    options = RunOptions(tmp_path, settings=("tie=one_die",))
    assert at_source(options, "camera").settings == sample(options).settings == ("tie=one_die",)


def test_the_rulebook_knows_every_setting_of_a_changed_ruleset() -> None:
    book = rulebook(ruleset("casino", {"columns": 3}))
    assert next(entry for entry in book["settings"] if entry["name"] == "columns")["value"] == 3
    assert book["turns"] == 39


def test_house_rules_declared_late_or_wrongly_are_refused_with_status_2(tmp_path: Path) -> None:
    film = cv2.VideoCapture(str(SAMPLE / "video.mp4"))
    for number in range(120):
        cv2.imwrite(str(tmp_path / f"{number:03}.jpg"), film.read()[1])
    choices = tmp_path / "choices.json"
    watched = ("watch", tmp_path, "--calibration", SAMPLE / "calibration.toml", "--players", "Ann", "--json")
    for t, settings, complaint in (
        (3.5, {"mulligan": True}, "house rules declared at 3.5 s, after the first throw"),
        (0.1, {"mega_bonus": 1500}, "setting mega_bonus=1500: it takes 0 to 1000"),
    ):
        choices.write_text(json.dumps({"t": t, "name": "HouseRulesDeclared", "settings": settings}))
        ran = fairtray(*watched, "--choices", choices)
        assert ran.returncode == 2
        assert complaint in ran.stderr
        assert ran.stderr.count("\n") == 1
    choices.write_text(json.dumps({"t": 0.1, "name": "HouseRulesDeclared", "settings": {"mulligan": True}}))
    assert fairtray(*watched, "--choices", choices).returncode == 0

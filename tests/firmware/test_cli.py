"""The command line: help, and one line with exit status 2 for what it cannot take."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.firmware.command import fairtray
from vision.network import CARD, LOCATOR, MODELS, READER


def test_help_names_every_command() -> None:
    shown = fairtray().stdout
    assert all(command in shown for command in ("run", "read", "watch", "score", "rules", "simulate"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["frob"], "No such command 'frob'"),
        (["score", "--frob"], "No such option: --frob (`fairtray score --help` shows what there is)"),
        (["read"], "Missing argument"),
        (["calibrate"], "one of its commands is missing (`fairtray calibrate --help` shows what there is)"),
        (["simulate", "--seed", "x"], "Invalid value for '--seed': give a whole number (`"),
        (["calibrate", "run", "x", "--die-mm", "16,5"], "'--die-mm': give a number such as 16.5, without a unit (`"),
        (["score", "--dice", "44479"], "7"),
        (["score", "--dice", "44444", "--card", "Y=51"], "51"),
        (["score", "--dice", "44444", "--rules", "snap"], "snap"),
        (["simulate", "--scenario", "snap", "-o", "x"], "snap"),
        (["watch", "none.mp4"], "none.mp4"),
        (["watch", "usb:97"], "usb:97"),
        (["watch", "camera"], "camera"),
        (["watch", "none.mp4", "--players", "Ann,,Ben"], "--players"),
        (["watch", "none.mp4", "--players", "Ann,Ann"], "'Ann' is there twice"),
        (["watch", ".", "--calibration", "none.toml"], "none.toml"),
        (["read", "none.jpg"], "none.jpg"),
        (["read", 256 * "a"], "aaa: File name too long"),
        (["run", "--display", "snap"], "snap"),
    ],
)
def test_bad_input_gets_one_line_and_status_2(arguments: list[str], said: str) -> None:
    ran = fairtray(*arguments)
    assert ran.returncode == 2, ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1, ran.stderr
    assert ran.stderr.startswith("fairtray: ")
    assert said in ran.stderr


@pytest.mark.parametrize("command", ["read", "watch"])
@pytest.mark.parametrize(("name", "content"), [("text", b"hello"), ("empty", b"")])
def test_files_that_are_not_what_their_name_says(tmp_path: Path, command: str, name: str, content: bytes) -> None:
    path = tmp_path / f"{name}{'.jpg' if command == 'read' else '.mp4'}"
    path.write_bytes(content)
    ran = fairtray(command, path)
    assert ran.returncode == 2
    assert ran.stderr.startswith(f"fairtray: {path}: ")
    assert len(ran.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("command", [["read", "photo.jpg"], ["watch", "film.mp4"], ["run", "--out", "match"]])
def test_networks_made_for_other_dice_labels_are_refused_at_the_start(tmp_path: Path, command: list[str]) -> None:
    for name in (CARD, LOCATOR, READER):
        (tmp_path / name).write_bytes((MODELS / name).read_bytes())
    card = json.loads((tmp_path / CARD).read_text())
    card["files"][READER]["labels"].append(7)
    (tmp_path / CARD).write_text(json.dumps(card))
    ran = fairtray(*command, "--models", tmp_path)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith(f"fairtray: {tmp_path / CARD}: 'labels' of reader.onnx is ")
    assert len(ran.stderr.splitlines()) == 1


@pytest.mark.parametrize(("before", "said"), [("", "Brett-ü.pdf"), ("export PYTHONIOENCODING=ascii;", "Brett-?.pdf")])
def test_letters_that_a_terminal_has_not_break_nothing_off(tmp_path: Path, before: str, said: str) -> None:
    ran = in_shell(before, "calibrate", "board", "-o", tmp_path / "Brett-ü.pdf")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert said in ran.stdout


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_output_that_is_closed_breaks_nothing_off(tmp_path: Path, closed: str) -> None:
    ran = in_shell("", "calibrate", "board", "-o", tmp_path / "board.pdf", after=closed)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "board.pdf").stat().st_size > 0


def in_shell(before: str, *arguments: str | Path, after: str = "") -> subprocess.CompletedProcess[str]:
    command = shlex.join([sys.executable, "-m", "firmware", *map(str, arguments)])
    return subprocess.run(["sh", "-c", f"{before} {command} {after}"], capture_output=True, text=True, check=False)


def test_output_to_a_full_device_is_one_line_and_status_2() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "firmware", "config", "init"]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    said = "fairtray: cannot write (No space left on device): make room, or write elsewhere\n"
    assert (ran.returncode, ran.stderr) == (2, said)

"""The command line: help, and one line with exit status 2 for what it cannot take."""

import subprocess
import sys

import pytest


def fairtray(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "firmware", *arguments], capture_output=True, text=True, check=False)


def test_help_names_every_command() -> None:
    shown = fairtray().stdout
    assert all(command in shown for command in ("run", "read", "watch", "score", "simulate"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["frob"], "No such command 'frob'"),
        (["score", "--frob"], "No such option"),
        (["read"], "Missing argument"),
        (["simulate", "--seed", "x"], "Invalid value for '--seed'"),
        (["score", "--dice", "44479"], "7"),
        (["score", "--dice", "44444", "--card", "Y=51"], "51"),
        (["score", "--dice", "44444", "--rules", "snap"], "snap"),
        (["simulate", "--scenario", "snap", "-o", "x"], "snap"),
        (["watch", "none.mp4"], "none.mp4"),
        (["watch", "usb:97"], "usb:97"),
        (["watch", "camera"], "camera"),
        (["watch", "none.mp4", "--players", "Ann,,Ben"], "--players"),
        (["watch", "none.mp4", "--players", "Ann,Ann"], "--players"),
        (["watch", ".", "--calibration", "none.toml"], "none.toml"),
        (["read", "none.jpg"], "none.jpg"),
        (["run", "--display", "snap"], "snap"),
    ],
)
def test_bad_input_gets_one_line_and_status_2(arguments: list[str], said: str) -> None:
    ran = fairtray(*arguments)
    assert ran.returncode == 2, ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1, ran.stderr
    assert ran.stderr.startswith("fairtray: ")
    assert said in ran.stderr

"""The command line: help, and one line with exit status 2 for what it cannot take."""

from pathlib import Path

import pytest

import vision.network
from tests.firmware.command import fairtray
from vision.errors import ModelError


def test_help_names_every_command() -> None:
    shown = fairtray().stdout
    assert all(command in shown for command in ("run", "read", "watch", "score", "rules", "simulate"))


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
        (["watch", "none.mp4", "--players", "Ann,Ann"], "'Ann' is there twice"),
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


@pytest.mark.parametrize("command", ["read", "watch"])
@pytest.mark.parametrize(("name", "content"), [("text", b"hello"), ("empty", b"")])
def test_files_that_are_not_what_their_name_says(tmp_path: Path, command: str, name: str, content: bytes) -> None:
    path = tmp_path / f"{name}{'.jpg' if command == 'read' else '.mp4'}"
    path.write_bytes(content)
    ran = fairtray(command, path)
    assert ran.returncode == 2
    assert ran.stderr.startswith(f"fairtray: {path}: ")
    assert len(ran.stderr.strip().splitlines()) == 1


def test_a_damaged_network_is_named_with_what_to_do(tmp_path: Path) -> None:
    models = Path(vision.network.__file__).parents[1] / "models"
    for name in ("card.json", "locator.onnx", "reader.onnx"):
        (tmp_path / name).write_bytes((models / name).read_bytes())
    (tmp_path / "reader.onnx").write_bytes(b"no network")
    with pytest.raises(ModelError, match=r"reader\.onnx") as caught:
        vision.network.load_networks(tmp_path)
    assert "\n" not in str(caught.value)

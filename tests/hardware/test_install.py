"""Setting up a Pi: what would be done is printed, files are written with what was there kept, and taken away again."""

import os
import subprocess
from pathlib import Path

import pytest

from hardware.install import (
    BACKUP,
    BOOT,
    BOOT_LINES,
    CONFIG,
    DATA,
    GROUPS,
    HOME,
    JOURNAL,
    UDEV,
    UNIT,
    USER,
    AddLines,
    DropLines,
    Remove,
    Run,
    Write,
    install_steps,
    is_too_old,
    main,
    uninstall_steps,
)  # fmt: skip

CHECKOUT = Path(__file__).parents[2]
BOOT_BEFORE = "# For more options see the documentation\ndtparam=audio=on\ncamera_auto_detect=1\n\n[cm4]\notg_mode=1\n"


def written(root: Path) -> None:
    """Do the steps that write; the commands are for a Pi."""
    for step in install_steps(CHECKOUT):
        if not isinstance(step, Run):
            step.do(root)


def test_make_prints_what_it_would_do_and_does_nothing() -> None:
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "install-pi", "--dry-run"]
    ran = subprocess.run(command, cwd=CHECKOUT, env=alone, capture_output=True, text=True, check=True)
    lines = ran.stdout.splitlines()
    assert lines[1:] == [str(step) for step in install_steps(CHECKOUT)]
    assert any("python3-picamera2" in line for line in lines)
    assert any(GROUPS in line for line in lines)
    assert f"write {UNIT}" in lines


@pytest.mark.parametrize(("asked", "uninstalls"), [("1", True), ("0", False), ("", False)])
def test_make_uninstalls_only_where_it_is_asked_to(asked: str, uninstalls: bool) -> None:
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "install-pi", "--dry-run", f"UNINSTALL={asked}"]
    ran = subprocess.run(command, cwd=CHECKOUT, env=alone, capture_output=True, text=True, check=True)
    assert (f"remove {HOME}" in ran.stdout.splitlines()) is uninstalls


@pytest.mark.parametrize(
    ("left", "stays"),
    [
        ("dtparam=spi=on\ngpu_mem=64\ndtparam=spi=on\n", "gpu_mem=64\ndtparam=spi=on\n"),
        ("#dtparam=spi=on\n# fairtray: end\ngpu_mem=64\n", "gpu_mem=64\n"),
        ("dtparam=spi=on\n# fairtray: end", ""),
    ],
)
def test_lines_behind_those_that_were_added_stay(tmp_path: Path, left: str, stays: str) -> None:
    boot = tmp_path / BOOT.lstrip("/")
    boot.parent.mkdir(parents=True)
    boot.write_text(f"audio=on\n# fairtray: begin\n[all]\n{left}")
    DropLines(BOOT, BOOT_LINES).do(tmp_path)
    assert boot.read_text() == f"audio=on\n{stays}"


def test_what_broke_off_is_uninstalled_and_data_from_another_pi_belong_to_the_user() -> None:
    stopping = uninstall_steps()[0]
    assert isinstance(stopping, Run) and "disable" in stopping.command and stopping.where == UNIT
    commands = {step.command[0]: step for step in install_steps(CHECKOUT) if isinstance(step, Run)}
    assert commands["useradd"].unless_user == USER and commands["useradd"].unless is None
    assert commands["chown"].command[-2:] == (f"{USER}:", DATA)


def test_a_wrong_option_is_refused() -> None:
    assert main(["--frob"]) == 2


@pytest.mark.parametrize(
    ("told", "too_old"),
    [
        ('ID=debian\nVERSION_ID="11"\n', True),
        ('ID=debian\nVERSION_ID="12"\n', False),
        ("ID=arch\n", False),
        ("", False),
    ],
)
def test_a_system_without_python_3_11_is_too_old(tmp_path: Path, told: str, too_old: bool) -> None:
    path = tmp_path / "os-release"
    path.write_text(told)
    assert is_too_old(path) is too_old
    assert not is_too_old(tmp_path / "none")


def test_installing_twice_writes_once_and_keeps_what_was_there(tmp_path: Path) -> None:
    boot = tmp_path / BOOT.lstrip("/")
    boot.parent.mkdir(parents=True)
    boot.write_text(BOOT_BEFORE)
    written(tmp_path)
    once = boot.read_text()
    written(tmp_path)
    assert boot.read_text() == once
    assert once.startswith(BOOT_BEFORE)
    assert set(BOOT_LINES) <= set(once.splitlines())
    assert once.count("camera_auto_detect=1") == 1
    assert boot.with_name(boot.name + BACKUP).read_text() == BOOT_BEFORE


def test_uninstalling_takes_away_what_was_added_and_keeps_data(tmp_path: Path) -> None:
    boot = tmp_path / BOOT.lstrip("/")
    boot.parent.mkdir(parents=True)
    boot.write_text(BOOT_BEFORE)
    written(tmp_path)
    boot.write_text(f"{boot.read_text()}gpu_mem=64\n")
    for step in uninstall_steps():
        if not isinstance(step, Run):
            step.do(tmp_path)
    assert boot.read_text().replace("\n\ngpu_mem", "\ngpu_mem") == f"{BOOT_BEFORE}gpu_mem=64\n"
    assert not any((tmp_path / path.lstrip("/")).exists() for path in (UNIT, JOURNAL, UDEV))
    removed = [step.path for step in uninstall_steps() if isinstance(step, Remove)]
    assert HOME in removed and DATA not in removed and CONFIG not in removed


def test_whoever_is_in_a_group_may_use_its_devices() -> None:
    rules = next(step.text for step in install_steps(CHECKOUT) if isinstance(step, Write) and step.path == UDEV)
    assert all(f'GROUP="{group}"' in rules for group in GROUPS.split(","))


def test_the_unit_starts_what_is_installed_and_lets_it_write_where_it_must() -> None:
    unit = next(step.text for step in install_steps(CHECKOUT) if isinstance(step, Write) and step.path == UNIT)
    lines = unit.splitlines()
    assert f"ExecStart={HOME}/venv/bin/fairtray run --config {CONFIG}" in lines
    assert f"SupplementaryGroups={GROUPS.replace(',', ' ')}" in lines
    assert {"Type=notify", "WatchdogSec=20", "Restart=always", f"WorkingDirectory={DATA}"} <= set(lines)
    assert any(line.startswith("Environment=LG_WD=/run/fairtray") for line in lines)


def test_commands_are_skipped_where_their_work_is_done(tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    Run(("false",), unless="/there").do(tmp_path)
    Run(("false",), where="/none").do(tmp_path)
    Run(("false",), unless_user="root").do(tmp_path)
    with pytest.raises(subprocess.CalledProcessError):
        Run(("false",), unless="/none", unless_user="nobody-of-this-name", where="/there").do(tmp_path)
    DropLines("/none", BOOT_LINES).do(tmp_path)
    AddLines("/lines", ("a=1",)).do(tmp_path)
    assert "a=1" in (tmp_path / "lines").read_text()

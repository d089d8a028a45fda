"""Setting up a Raspberry Pi: `python3 -m hardware.install [--dry-run | --uninstall]`, from a checkout, as root.

It needs nothing but the system's Python, because what Fairtray needs is what it installs. Each step may be done again:
so an upgrade is the same command from a newer checkout. The matches in /var/lib/fairtray and /etc/fairtray.toml are
kept by upgrades and by `--uninstall`.

The virtual environment sees the system's packages for picamera2 alone, which only apt has; everything else, numpy too,
is the locked one of the virtual environment. The one part of picamera2 that is compiled for a numpy is simplejpeg, and
Debian 12's, built for numpy 1, refuses a newer one: so simplejpeg too is the virtual environment's.
"""

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path

USER, GROUPS = "fairtray", "gpio,i2c,spi,video"
HOME, DATA = "/opt/fairtray", "/var/lib/fairtray"
PYTHON = f"{HOME}/venv/bin/python"
CONFIG, BOOT = "/etc/fairtray.toml", "/boot/firmware/config.txt"
UNIT, JOURNAL = "/etc/systemd/system/fairtray.service", "/etc/systemd/journald.conf.d/fairtray.conf"
UDEV = "/etc/udev/rules.d/60-fairtray.rules"
UDEV_TEXT = """\
# Pins, buses and cameras for those who are in their groups, also where the system has no rules for them.
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"
SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"
SUBSYSTEM=="dma_heap", GROUP="video", MODE="0660"
"""
PACKAGES = ("python3-venv", "python3-picamera2", "python3-lgpio", "python3-spidev", "python3-rpi-lgpio", "libgl1")
BOOT_LINES = ("dtparam=i2c_arm=on", "dtparam=spi=on", "camera_auto_detect=1")
JOURNAL_TEXT = "[Journal]\nSystemMaxUse=200M\nRateLimitBurst=2000\n"
FIRST_CONFIG = f"{HOME}/venv/bin/fairtray config init {CONFIG} && sed -i '/^source/s/auto/camera/' {CONFIG}"
MARK = "# fairtray"
OLDEST_DEBIAN = 12
BACKUP = ".before-fairtray"


@dataclass(frozen=True)
class Run:
    """A command; `unless` a file is there, or a user is known; only `where` a file is."""

    command: tuple[str, ...]
    unless: str | None = None
    unless_user: str | None = None
    where: str | None = None

    def __str__(self) -> str:
        told = {
            "unless there is": self.unless,
            "unless there is the user": self.unless_user,
            "where there is": self.where,
        }
        only = "".join(f" ({when} {what})" for when, what in told.items() if what)
        return f"run {' '.join(self.command)}{only}"

    def do(self, root: Path) -> None:
        is_done = self.unless is not None and _under(root, self.unless).exists()
        is_known = self.unless_user is not None and _is_user(self.unless_user)
        has_nothing = self.where is not None and not _under(root, self.where).exists()
        if not (is_done or is_known or has_nothing):
            subprocess.run(self.command, check=True)


@dataclass(frozen=True)
class Write:
    """A file of ours."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"write {self.path}"

    def do(self, root: Path) -> None:
        path = _under(root, self.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text, encoding="utf-8")


@dataclass(frozen=True)
class AddLines:
    """Lines at the end of a file that is not ours, below a mark, those that are not in it; a copy of it is kept."""

    path: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return f"add to {self.path} (kept as {self.path}{BACKUP}): {', '.join(self.lines)}"

    def do(self, root: Path) -> None:
        path = _under(root, self.path)
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        missing = [line for line in self.lines if line not in before.splitlines()]
        if not missing:
            return
        backup = path.with_name(path.name + BACKUP)
        if not backup.exists():
            backup.write_text(before, encoding="utf-8")
        added = "".join(f"{line}\n" for line in missing)
        path.write_text(f"{before.rstrip()}\n\n{MARK}: begin\n[all]\n{added}{MARK}: end\n", encoding="utf-8")


@dataclass(frozen=True)
class DropLines:
    """What `AddLines` added; whatever else was changed in the file since stays.

    Where the mark of their end was taken away, only the lines that are ours go.
    """

    path: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return f"take out of {self.path} what was added to it"

    def do(self, root: Path) -> None:
        path = _under(root, self.path)
        if not path.exists():
            return
        first, *added = f"{path.read_text(encoding='utf-8')}\n".split(f"{MARK}: begin\n")
        kept = first + "".join(self._after(part) for part in added)
        path.write_text(kept.rstrip() + "\n", encoding="utf-8")

    def _after(self, added: str) -> str:
        """What follows our lines in the text from behind the mark of their beginning on."""
        _, end, after = added.partition(f"{MARK}: end\n")
        ours = ("[all]", *self.lines)
        return after if end else "".join(dropwhile(lambda line: line.rstrip() in ours, added.splitlines(keepends=True)))


@dataclass(frozen=True)
class Remove:
    """A file or a folder of ours."""

    path: str

    def __str__(self) -> str:
        return f"remove {self.path}"

    def do(self, root: Path) -> None:
        path = _under(root, self.path)
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


Step = Run | Write | AddLines | DropLines | Remove


def install_steps(checkout: Path) -> Sequence[Step]:
    """What sets a Pi up, or brings it up to this checkout."""
    unit = (Path(__file__).parent / "fairtray.service").read_text(encoding="utf-8")
    pip = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")
    return (
        Run(("apt-get", "update", "-qq")),
        Run(("apt-get", "install", "-y", "-qq", *PACKAGES)),
        Run(("useradd", "--system", "--home-dir", DATA, "--shell", "/usr/sbin/nologin", USER), unless_user=USER),
        *(Run(("groupadd", "--force", group)) for group in GROUPS.split(",")),
        Run(("usermod", "--append", "--groups", GROUPS, USER)),
        Run(("install", "-d", "-o", USER, "-g", USER, "-m", "750", DATA)),
        Run(("chown", "--recursive", "--no-dereference", f"{USER}:", DATA)),  # what came from another Pi
        Run(("python3", "-m", "venv", "--system-site-packages", f"{HOME}/venv"), unless=PYTHON),
        Run((*pip, "--require-hashes", "-r", str(checkout / "requirements-pi.lock"))),
        Run((*pip, "--no-deps", "--no-build-isolation", "--force-reinstall", str(checkout))),
        Run((PYTHON, "-c", "import picamera2")),  # does it go with our numpy?
        Run(("sh", "-c", FIRST_CONFIG), unless=CONFIG),
        AddLines(BOOT, BOOT_LINES),
        Write(UDEV, UDEV_TEXT),
        Run(("udevadm", "control", "--reload")),
        Run(("udevadm", "trigger")),
        Write(JOURNAL, JOURNAL_TEXT),
        Write(UNIT, unit),
        Run(("systemctl", "daemon-reload")),
        Run(("systemctl", "enable", "fairtray.service")),
        Run(("systemctl", "restart", "fairtray.service")),
    )


def uninstall_steps() -> Sequence[Step]:
    """What takes it away again: everything but the matches and the configuration."""
    return (
        Run(("systemctl", "disable", "--now", "fairtray.service"), where=UNIT),
        Remove(UNIT),
        Remove(JOURNAL),
        Remove(UDEV),
        Run(("systemctl", "daemon-reload")),
        DropLines(BOOT, BOOT_LINES),
        Remove(HOME),
    )


def main(arguments: Sequence[str]) -> int:
    """Do the steps, or print them; the exit status."""
    known = {"--dry-run", "--uninstall"}
    if unknown := [argument for argument in arguments if argument not in known]:
        print(f"install-pi: unknown option {unknown[0]}; there are {', '.join(sorted(known))}", file=sys.stderr)
        return 2
    checkout = Path(__file__).resolve().parents[1]
    steps = uninstall_steps() if "--uninstall" in arguments else install_steps(checkout)
    if "--dry-run" in arguments:
        print("\n".join(map(str, steps)))
        return 0
    if os.geteuid() != 0:
        print("install-pi: only root may do this: sudo make install-pi (or add --dry-run to see it)", file=sys.stderr)
        return 2
    if "--uninstall" not in arguments and is_too_old(Path("/etc/os-release")):
        print("install-pi: Fairtray needs Python 3.11: take Pi OS of Debian 12 or newer", file=sys.stderr)
        return 2
    for step in steps:
        print(step, flush=True)
        try:
            step.do(Path("/"))
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"install-pi: this failed ({error}): mend it and run install-pi again", file=sys.stderr)
            return 1
    print(f"matches and configuration stay in {DATA} and {CONFIG}; camera and buses need a restart once: sudo reboot")
    return 0


def is_too_old(os_release: Path) -> bool:
    """Whether the file says of the system that it is an older Debian, or Pi OS, than one with Python 3.11."""
    lines = os_release.read_text(encoding="utf-8").splitlines() if os_release.is_file() else []
    told = {name: value.strip('"') for name, _, value in (line.partition("=") for line in lines)}
    number = told.get("VERSION_ID", "")
    return told.get("ID") in ("debian", "raspbian") and number.isdecimal() and int(number) < OLDEST_DEBIAN


def _is_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _under(root: Path, path: str) -> Path:
    return root / path.lstrip("/")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Films of the sweep: drawn and watched by the command that users run, with the CPU time that each took."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TypeVar

from models.tray.errors import TrayError
from models.tray.versions import digest, drawing_code

VIDEO, TRUTH, CHOICES, CALIBRATION = "video.mp4", "truth.jsonl", "choices.jsonl", "calibration.toml"
DRAWN_BY = "drawn_by.txt"
Drawn = TypeVar("Drawn")


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, its exit status and the CPU seconds that it took."""

    printed: str
    complaint: str
    status: int
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Film:
    """One film of a scenario in its folder, as `simulate -o` writes it; `cpu_s` = what drawing took, 0 if found."""

    folder: Path
    cpu_s: float = 0.0

    @property
    def version(self) -> str:
        """A hash of the film with its truth."""
        return digest(self.folder / name for name in (VIDEO, TRUTH, CHOICES, CALIBRATION))

    @property
    def drawn_by(self) -> str | None:
        """The version of the simulator that drew it; None where the film does not say."""
        return drawn_by(self.folder)


def fairtray(*arguments: str | Path) -> Ran:
    """Run the `fairtray` command to its end."""
    command = [sys.executable, "-m", "firmware", *map(str, arguments)]
    with TemporaryFile() as out, TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        printed, complaint = (stream.read().decode("utf-8", "replace") for stream in (out, err))
    return Ran(printed, complaint, process.returncode, usage.ru_utime + usage.ru_stime)


def find_film(folder: Path) -> Film | None:
    """The whole film in this folder, if there is one."""
    return Film(folder) if all((folder / name).is_file() for name in (VIDEO, TRUTH, CHOICES, CALIBRATION)) else None


def draw_film(scenario: str, seed: int, size: tuple[int, int], folder: Path) -> Film:
    """Draw a film into a new folder.

    Raises:
        TrayError: `simulate` refused it; the message is its own.
    """
    return Film(folder, simulated(folder, scenario, seed, drawing_code(), "--size", f"{size[0]}x{size[1]}"))


def simulated(folder: Path, scenario: str, seed: int, code: str, *options: str) -> float:
    """CPU seconds of drawing a recording of any kind into a new folder, with the version of the `code` that drew it.

    Raises:
        TrayError: `simulate` refused it; the message is its own.
    """
    ran = fairtray("simulate", "--scenario", scenario, "--seed", str(seed), *options, "-o", folder)
    if ran.status != 0:
        raise TrayError(f"{scenario} {seed} cannot be filmed: {last_line(ran.complaint)}")
    (folder / DRAWN_BY).write_text(code + "\n", encoding="utf-8")
    return ran.cpu_s


def drawn_by(folder: Path) -> str | None:
    """The version of the simulator that drew what is in a folder; None where it does not say."""
    note = folder / DRAWN_BY
    return note.read_text(encoding="utf-8").strip() if note.exists() else None


@contextmanager
def kept_or_drawn(kept: Drawn | None, films: Path | None, name: str, draw: Callable[[Path], Drawn]) -> Iterator[Drawn]:
    """The film that is kept, or one drawn now into a folder of this name: among `films`, or else thrown away."""
    if kept is not None:
        yield kept
    elif films is not None:
        shutil.rmtree(films / name, ignore_errors=True)
        yield draw(films / name)
    else:
        with TemporaryDirectory(prefix="fairtray-") as thrown_away:
            yield draw(Path(thrown_away) / name)


def watch_film(film: Film) -> Ran:
    """Watch it with its choices and calibration, as JSON lines."""
    return fairtray(
        "watch", film.folder / VIDEO, "--choices", film.folder / CHOICES,
        "--calibration", film.folder / CALIBRATION, "--json",
    )  # fmt: skip


def last_line(complaint: str) -> str:
    """The last line that a command complained with."""
    lines: Sequence[str] = complaint.strip().splitlines()
    return lines[-1] if lines else "it said nothing"


def list_scenarios(*options: str) -> list[str]:
    """The names of all scenarios, as `simulate --list` gives them with these options."""
    ran = fairtray("simulate", "--list", *options, "--json")
    if ran.status != 0:
        raise TrayError(f"there are no scenarios to film: {last_line(ran.complaint)}")
    return [json.loads(line)["name"] for line in ran.printed.splitlines()]

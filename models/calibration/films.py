"""Calibration recordings of the sweep: drawn and calibrated by the commands that users run."""

import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from models.tray.films import Ran, drawn_by, fairtray, list_scenarios, simulated
from models.tray.versions import digest, recording_code

VIDEO, TRUTH = "video.mp4", "calibration_truth.json"
KIND = ("--kind", "calibration")


@dataclass(frozen=True, slots=True)
class Film:
    """One recording in its folder, as `simulate --kind calibration -o` writes it; `cpu_s`: to draw it, 0 if found."""

    folder: Path
    cpu_s: float = 0.0

    @property
    def truth(self) -> dict[str, Any]:
        """What is true of it."""
        truth: dict[str, Any] = json.loads((self.folder / TRUTH).read_text(encoding="utf-8"))
        return truth

    @property
    def version(self) -> str:
        """A hash of the recording with its truth."""
        return digest(self.folder / name for name in (VIDEO, TRUTH))

    @property
    def drawn_by(self) -> str | None:
        """The version of the simulator that drew it; None where it does not say."""
        return drawn_by(self.folder)


def find_film(folder: Path) -> Film | None:
    """The whole recording in this folder, if there is one."""
    return Film(folder) if all((folder / name).is_file() for name in (VIDEO, TRUTH)) else None


def draw_film(family: str, seed: int, folder: Path) -> Film:
    """Draw a recording into a new folder.

    Raises:
        TrayError: `simulate` refused it; the message is its own.
    """
    return Film(folder, simulated(folder, family, seed, recording_code(), *KIND))


def calibrate_film(film: Film) -> Ran:
    """Calibrate from it, with the options that its user would pass."""
    with TemporaryDirectory(prefix="fairtray-") as folder:
        out = Path(folder) / "calibration.toml"
        return fairtray("calibrate", "run", film.folder / VIDEO, "-o", out, *film.truth["given"], "--json")


def list_families() -> list[str]:
    """The names of all families, as `simulate --list` gives them."""
    return list_scenarios(*KIND)

"""What was found of one film, kept in a file of its own: a sweep that was broken off goes on where it stopped."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from models.tray.lines import Line


@dataclass(frozen=True, slots=True)
class Result:
    """A film watched: its true lines and those said, what it took, and which code and film that was.

    `film` is a hash of the film; `watched_by` and `drawn_by` are hashes of the code, the latter None for a film that
    was found and does not say. `error` is what went wrong where there is no film, or `watch` broke off. Times are in s;
    `cpu_simulate_s` is 0 where the film was there already.
    """

    scenario: str
    seed: int
    size: tuple[int, int]
    film: str
    watched_by: str
    drawn_by: str | None
    seconds: float
    cpu_simulate_s: float
    cpu_watch_s: float
    true: Sequence[Line]
    said: Sequence[Line]
    error: str | None = None

    @property
    def name(self) -> str:
        """The film's name."""
        return name_of(self.scenario, self.seed)


def name_of(scenario: str, seed: int) -> str:
    """What a film's folder and files are called."""
    return f"{scenario}-{seed}"


def store(folder: Path, result: Result) -> None:
    """Write the result, whole or not at all."""
    keep(folder, result.name, asdict(result))


def load(folder: Path, scenario: str, seed: int) -> Result | None:
    """The result kept of this film, if there is one that can be read."""
    try:
        fields = kept(folder, name_of(scenario, seed))
        return Result(**{**fields, "size": (fields["size"][0], fields["size"][1])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def keep(folder: Path, name: str, fields: Mapping[str, Any]) -> None:
    """Write a result's fields, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f".{name}.{os.getpid()}.part"
    part.write_text(json.dumps(fields), encoding="utf-8")
    part.replace(folder / f"{name}.json")


def kept(folder: Path, name: str) -> dict[str, Any]:
    """The fields kept under a name; raises OSError or ValueError where there are none."""
    fields: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return fields

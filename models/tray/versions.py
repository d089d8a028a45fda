"""Which code a result came from: one hash of the sources that decide it, so that old results are known as such."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
_WATCH = (
    "vision/*.py", "scorer/*.py", "calibration/*.py", "models/*.onnx", "models/card.json",
    "firmware/match.py", "firmware/choices.py", "firmware/commands/watch.py",
    *(f"firmware/play/{name}.py" for name in ("table", "sources", "sinks")),
)  # fmt: skip
_SIMULATE = ("models/sim/*.py", "models/sim/*.cpp", "scorer/*.py", "firmware/commands/simulate.py")
_RECORD = (*_SIMULATE, "models/sim/calibration/*.py")
_CALIBRATE = (
    "vision/*.py", "calibration/**/*.py", "models/*.onnx", "models/card.json", "models/gauge.json",
    "firmware/commands/calibrate.py",
)  # fmt: skip


def watching_code() -> str:
    """What decides what is said of a film: the eyes, the umpire and the networks."""
    return digest(_found(_WATCH))


def drawing_code() -> str:
    """What decides what a film shows and what is true of it."""
    return digest(_found(_SIMULATE))


def recording_code() -> str:
    """What decides what a calibration recording shows and what is true of it."""
    return digest(_found(_RECORD))


def calibrating_code() -> str:
    """What decides what calibration finds in a recording."""
    return digest(_found(_CALIBRATE))


def digest(paths: Iterable[Path]) -> str:
    """A short hash of these files, by name and content."""
    facts = [f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in sorted(paths)]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


def _found(patterns: Iterable[str]) -> list[Path]:
    return [path for pattern in patterns for path in ROOT.glob(pattern)]

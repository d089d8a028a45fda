"""Which code a result came from: one hash of the sources that decide it, so that old results are known as such."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
_WATCH = (
    "vision/*.py", "scorer/*.py", "calibration/*.py", "models/*.onnx", "models/card.json", "models/leaner.json",
    "firmware/match.py", "firmware/choices.py", "firmware/commands/watch.py",
    *(f"firmware/play/{name}.py" for name in ("table", "sources", "sinks")),
)  # fmt: skip
_SIMULATE = ("models/sim/*.py", "models/sim/*.cpp", "scorer/*.py", "firmware/commands/simulate.py")
_RECORD = (*_SIMULATE, "models/sim/calibration/*.py")
_CALIBRATE = (
    "vision/*.py", "calibration/**/*.py", "models/*.onnx", "models/card.json", "models/leaner.json",
    "models/gauge.json", "firmware/commands/calibrate.py",
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


def code_behind(*modules: str) -> set[Path]:
    """The files of our own that modules, by their dotted names, are made of: their own and all that these import."""
    found: set[Path] = set()
    left = [path for name in modules for path in _files(name)]
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += [file for name in _imported(path) for file in _files(name)]
    return found


def digest(paths: Iterable[Path]) -> str:
    """A short hash of these files, by name and content."""
    facts = [f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in sorted(paths)]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


def _found(patterns: Iterable[str]) -> list[Path]:
    return [path for pattern in patterns for path in ROOT.glob(pattern)]


def _imported(path: Path) -> Iterator[str]:
    """What may be names of modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def _files(module: str) -> list[Path]:
    """The file of a module, if it is our own."""
    base = ROOT.joinpath(*module.split("."))
    return [path for path in (base.with_name(f"{base.name}.py"), base / "__init__.py") if path.is_file()]

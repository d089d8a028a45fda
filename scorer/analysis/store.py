"""Solutions on disk, so that a ruleset is solved once on a machine."""

import hashlib
import inspect
import os
import tempfile
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np

from scorer import boxes, card, dice, legal, rules
from scorer.analysis import earnings, moves, solver, turn
from scorer.analysis.earnings import check_solvable
from scorer.analysis.solver import Solution, solve
from scorer.rules import Ruleset

_CODE = (boxes, card, dice, legal, rules, earnings, moves, solver, turn)
"""All code that the values rest on: a change of any of it makes them new."""


def load_or_solve(ruleset: Ruleset, folder: Path) -> Solution:
    """The solution from the folder, else worked out and kept there, where the folder can be written.

    A file that cannot be read, or is not whole, is worked out again.
    Raises `AnalysisError` where the rules cannot be solved.
    """
    check_solvable(ruleset)
    path = path_of(ruleset, folder)
    found = _load(ruleset, path)
    if found is None:
        found = solve(earnings.earnings(ruleset))
        keep(found, folder)
    return found


def keep(solution: Solution, folder: Path) -> None:
    """Write a solution to the folder whole or not at all; a folder that cannot be written is no error."""
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as part:
            np.savez(part, values=solution.values)
        os.replace(part.name, path_of(solution.rules, folder))


def path_of(ruleset: Ruleset, folder: Path) -> Path:
    """The file of a ruleset: its name holds a hash of the parameters, of every roll's points, and of the code."""
    shape = [(box.name, box.section, box.face, box.base, box.adds_sum) for box in ruleset.boxes]
    parts = [repr(ruleset), repr(shape), repr(sorted(ruleset.worth.items())), *map(inspect.getsource, _CODE)]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return folder / f"{ruleset.name}-{digest[:24]}.npz"


def _load(ruleset: Ruleset, path: Path) -> Solution | None:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            values = arrays["values"]  # the archive's checksum is tested here
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return Solution(ruleset, values) if values.dtype == np.float64 and values.ndim == 3 else None


def user_folder(environment: Mapping[str, str]) -> Path:
    """Where a user's solutions are kept: in the cache folder that the environment names, else in `~/.cache`."""
    named = environment.get("XDG_CACHE_HOME", "")
    return (Path(named) if Path(named).is_absolute() else Path.home() / ".cache") / "fairtray"

"""Keeps what was measured, piece by piece, so that a long measurement goes on where it was broken off."""

import hashlib
import json
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from models.training.parallel import spread
from vision.network import CARD

Task = TypeVar("Task")
Result = TypeVar("Result")


def spread_kept(
    work: Callable[[Task], Result], tasks: Sequence[Task], folder: Path, facts: Callable[[Task], str]
) -> Iterator[Result]:
    """Yield the results of all tasks in their order, as `spread` does; those that `folder` keeps are not done again.

    `facts` tells all that a task's result follows from.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{hashlib.sha256(facts(task).encode()).hexdigest()[:16]}.pickle" for task in tasks]
    missing = [(task, path) for task, path in zip(tasks, paths, strict=True) if not path.exists()]
    if len(missing) < len(tasks):
        print(f"{len(tasks) - len(missing)} of {len(tasks)} parts were done before", file=sys.stderr, flush=True)
    for _ in spread(partial(_keep, work), missing):
        pass
    for path in paths:
        yield pickle.loads(path.read_bytes())


def of_networks(models: Path) -> str:
    """What decides what a folder's networks answer, but for the code that runs them."""
    card = json.loads((models / CARD).read_text(encoding="utf-8"))
    return json.dumps([card[part] for part in ("files", "thresholds", "calibration")])


def _keep(work: Callable[[Task], Result], piece: tuple[Task, Path]) -> None:
    """Do a task and write its result, whole or not at all."""
    task, path = piece
    part = path.with_suffix(".part")
    part.write_bytes(pickle.dumps(work(task)))
    part.replace(path)

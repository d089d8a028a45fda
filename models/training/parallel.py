"""Spreads work over the cores, in processes that start afresh."""

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TypeVar

from models.training.progress import Progress

Task = TypeVar("Task")
Result = TypeVar("Result")

_PAUSE = 60.0  # seconds between two lines about the progress


def spread(work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
    """Yield the results of all tasks in their order, one task at a time on each core; say each minute how far it is.

    Workers are spawned: a fork of a process in which OpenCV or onnxruntime has threads may hang. All of them
    are started at once, a second each: there are no more than tasks.
    """
    workers = max(1, min(os.cpu_count() or 1, len(tasks)))
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        progress = Progress("parts", len(tasks), say=partial(print, file=sys.stderr, flush=True), pause=_PAUSE)
        for done, result in enumerate(pool.map(work, tasks), 1):
            progress.at(done)
            yield result

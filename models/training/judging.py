"""Puts labelled photographs before networks, on all cores, and gathers what became of the dice by source."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2

from models.training.card import counted
from models.training.clips import judge_clips
from models.training.evaluate import Case, Measure, Tally, count, given_places, whole_photo, whole_photo_unsized
from models.training.figures import tally_table
from models.training.kept import of_networks, spread_kept
from models.training.real import LEARNT, Photo, read_picture
from models.training.words import TITLES
from models.tray.versions import code_behind, digest
from vision.network import Thresholds, load_networks

Say = Callable[[str], None]
Judged = dict[str, list[tuple[Case, ...]]]
"""The cases of every picture, by source."""

_PHOTOS_AT_ONCE = 20


@dataclass(frozen=True)
class Task:
    """Photographs of one source, the folder of the networks to put them before, and a bar other than their card's."""

    models: Path
    photos: tuple[Photo, ...]
    how: Measure
    thresholds: Thresholds | None = None


def _judged(task: Task) -> list[tuple[Case, ...]]:
    cv2.setNumThreads(1)
    networks = load_networks(task.models)
    if task.thresholds is not None:
        networks = replace(networks, thresholds=task.thresholds)
    return [task.how(networks, photo, read_picture(photo.path)) for photo in task.photos]


def tasks_of(photos: Sequence[Photo], how: Measure, judge: Callable[[str], Path]) -> list[Task]:
    """Return tasks of a few photographs of one source each; reading at given places needs places."""
    tasks = []
    for source in sorted({p.source for p in photos if p.dice or how is not given_places}):
        mine = [p for p in photos if p.source == source]
        for start in range(0, len(mine), _PHOTOS_AT_ONCE):
            tasks.append(Task(judge(source), tuple(mine[start : start + _PHOTOS_AT_ONCE]), how))
    return tasks


def facts_of(task: Task) -> str:
    """All that decides what is answered of a task."""
    pictures = digest(photo.path for photo in task.photos)
    return f"{_code()} {of_networks(task.models)} {task.photos} {pictures} {task.how.__name__} {task.thresholds}"


@cache
def _code() -> str:
    return digest(code_behind("models.training.evaluate", "models.training.thresholds"))


def judge_photos(tasks: Sequence[Task], work: Path) -> Judged:
    """Return what became of the dice of all tasks, one picture after another; what `work` keeps is not done again."""
    judged: Judged = {}
    for task, cases in zip(tasks, spread_kept(_judged, tasks, work, facts_of), strict=True):
        judged.setdefault(task.photos[0].source, []).extend(cases)
    return judged


def tallies_of(judged: Judged) -> dict[str, Tally]:
    """Return the tally of every source."""
    return {source: sum((count(cases) for cases in pictures), Tally()) for source, pictures in judged.items()}


def flat(pictures: Sequence[tuple[Case, ...]]) -> list[Case]:
    """Return the cases of some pictures as one list."""
    return [case for cases in pictures for case in cases]


def all_cases(judged: Judged) -> list[Case]:
    """Return the cases of all sources as one list."""
    return [case for pictures in judged.values() for case in flat(pictures)]


def views_of(models: Path, folder: Path, photos: Sequence[Photo], work: Path) -> Iterator[tuple[str, Judged]]:
    """Judge the photographs with and without their die size, and the clips, each as it is asked for."""
    for name, how in (("sized", whole_photo), ("unsized", whole_photo_unsized)):
        yield name, judge_photos(tasks_of(photos, how, lambda source: models), work)
    if (folder / "video_events.csv").exists():
        yield "clips", judge_clips(load_networks(models), folder)


def say_tallies(name: str, judged: Judged, say: Say) -> dict[str, dict[str, int]]:
    """Say what became of the dice by source, and return it."""
    tallies = tallies_of(judged)
    stars = LEARNT if name in ("sized", "unsized") else ()
    say(f"{TITLES[name]}\n{tally_table(tallies, list(stars))}\n")
    return counted(tallies)

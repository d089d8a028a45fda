"""The two reports: what the shipped networks do on real photographs, and the card with a bar chosen on others."""

import json
import multiprocessing
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.training.card import counted, write_card
from models.training.clips import measure_clips
from models.training.evaluate import Measure, Tally, given_places, measure, table, whole_photo, whole_photo_unsized
from models.training.real import ASLANT, LEARNT, Photo, load_photos
from models.training.thresholds import BASE, Answer, answers, chances, choose, surest_mistakes, tried
from models.training.words import TITLES, card_in_words
from vision.network import CARD, Thresholds, load_networks

Say = Callable[[str], None]


@dataclass(frozen=True)
class _Task:
    """Photographs of one source and the folder of the networks to put them before."""

    models: Path
    photos: tuple[Photo, ...]
    how: Measure


def _pool() -> ProcessPoolExecutor:
    """Return workers that start afresh: a fork of a process in which OpenCV or onnxruntime has threads may hang."""
    return ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn"))


def _measured(task: _Task) -> dict[str, Tally]:
    return measure(load_networks(task.models), task.photos, task.how)


def _answered(task: _Task) -> list[Answer]:
    return answers(load_networks(task.models), task.photos)


def _tallies(tasks: Iterable[_Task]) -> dict[str, Tally]:
    """Return the tallies of all tasks by source, one task at a time on each core."""
    tallies: dict[str, Tally] = {}
    with _pool() as pool:
        for part in pool.map(_measured, tasks):
            tallies |= part
    return tallies


def _tasks(photos: Sequence[Photo], how: Measure, judge: Callable[[str], Path]) -> list[_Task]:
    """Return a task for every source; reading at given places needs places."""
    sources = sorted({p.source for p in photos if p.dice or how is not given_places})
    return [_Task(judge(s), tuple(p for p in photos if p.source == s), how) for s in sources]


def evaluate(models: Path, folder: Path, say: Say) -> dict[str, Any]:
    """Measure the networks of a folder on the labelled photographs, say the tables and return their numbers.

    Raises ModelError or TrainingError where there are no such networks or photographs.
    """
    networks, photos = load_networks(models), load_photos(folder)
    figures: dict[str, Any] = {}
    for name, how in (("sized", whole_photo), ("unsized", whole_photo_unsized)):
        tallies = _tallies(_tasks(photos, how, lambda source: models))
        say(f"{table(TITLES[name], tallies, list(LEARNT))}\n")
        figures[name] = counted(tallies)
    if (folder / "video_events.csv").exists():
        tallies = measure_clips(networks, folder)
        say(f"{table(TITLES['clips'], tallies, [])}\n")
        figures["clips"] = counted(tallies)
    recorded = json.loads((models / CARD).read_text(encoding="utf-8")).get("figures", {})
    for name in ("left_out", "left_out_given"):
        if name in recorded:
            tallies = {source: Tally(**counts) for source, counts in recorded[name].items()}
            say(f"{table(TITLES[name] + ' (as the card has it)', tallies, [])}\n")
            figures[name] = recorded[name]
    return figures


def describe(models: Path, folds: Path, folder: Path, say: Say) -> None:
    """Choose the bar on sources left out, measure everything and write both cards of the networks in `models`.

    A source is judged by the fold that never saw it, or by the networks that ship where they did not see it either.
    """

    def judge(source: str) -> Path:
        return folds / source if source in LEARNT else models

    photos = load_photos(folder)
    _set_bar(models, folds, BASE)
    with _pool() as pool:
        above = [p for p in photos if p.source not in ASLANT]
        given = [a for part in pool.map(_answered, _tasks(above, given_places, judge)) for a in part]
    thresholds = choose(given)
    say(f"on sources left out:\n{tried(given)}\nsurest mistakes:\n{surest_mistakes(given)}\n")
    _set_bar(models, folds, thresholds, chances(given))
    figures = evaluate(models, folder, say)
    for name, how in (("left_out", whole_photo), ("left_out_given", given_places)):
        tallies = _tallies(_tasks(photos, how, judge))
        say(f"{table(TITLES[name], tallies, [])}\n")
        figures[name] = counted(tallies)
    card = write_card(models, thresholds, chances(given), figures)
    (models / "CARD.md").write_text(card_in_words(card), encoding="utf-8")


def _set_bar(models: Path, folds: Path, thresholds: Thresholds, calibration: Sequence[Sequence[float]] = ()) -> None:
    for folder in (models, *(folds / source for source in LEARNT)):
        write_card(folder, thresholds, calibration)

"""The reports: what networks do on real photographs, on perturbed dice and on the simulated test set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

from models.training import sweep as sweeping
from models.training.card import counted, record
from models.training.describe import judges, left_out, of_left_out
from models.training.evaluate import Case, whole_photo
from models.training.figures import confusion, confusion_table, risk, risk_table, tally_table
from models.training.judging import (
    Judged,
    Say,
    all_cases,
    flat,
    judge_photos,
    say_tallies,
    tallies_of,
    tasks_of,
    views_of,
)
from models.training.parallel import spread
from models.training.real import ASLANT, LEARNT, Photo, load_photos
from models.training.sheets import write_failures
from models.training.simulated import SETS
from models.training.thresholds import BASE
from models.training.words import KEY, TITLES, write_words
from vision.network import load_networks

_SCENES_AT_ONCE = 10
SCENES = 1000
LOOKS = sweeping.LOOKS


@dataclass(frozen=True)
class _Scenes:
    """Simulated pictures of one set, by their numbers, and the folder of the networks to put them before."""

    models: Path
    name: str
    numbers: range


def _simulated(task: _Scenes) -> list[tuple[Case, ...]]:
    cv2.setNumThreads(1)
    networks = load_networks(task.models)
    return [whole_photo(networks, *SETS[task.name](number)) for number in task.numbers]


def evaluate(models: Path, folder: Path, work: Path, out: Path | None, say: Say) -> dict[str, Any]:
    """Measure the networks of a folder on the labelled photographs, say the tables and return their numbers.

    What `work` keeps is not done again; contact sheets of the failures go to `out`. Raises ModelError or TrainingError
    where there are no such networks or photographs.
    """
    networks, photos = load_networks(models), load_photos(folder)
    figures: dict[str, Any] = {"confusion": {}}
    say(KEY)
    kept = _said_judges(models, say)
    views = dict(views_of(models, folder, photos, work))
    if len(kept) == len(LEARNT):
        views |= left_out(photos, lambda source: kept.get(source, models), views["sized"], work)
        figures |= of_left_out(views)
    for name, judged in views.items():
        figures[name] = say_tallies(name, judged, say)
        figures["confusion"].setdefault(name, confusion(all_cases(judged)))
        say(f"label against answer:\n{confusion_table(figures['confusion'][name])}\n")
        if out is not None:
            _say_sheets(say, write_failures(out, name, {s: flat(pictures) for s, pictures in judged.items()}))
    figures["risk"] = _risk(models, photos, work)
    say(f"{TITLES['risk']}\n{risk_table(figures['risk'], networks.thresholds.sure)}\n")
    return figures


def _say_sheets(say: Say, written: Sequence[Path]) -> None:
    if written:
        say(f"every failure is shown in {written[0].parent}: {', '.join(path.name for path in written)}\n")


def _risk(models: Path, photos: Sequence[Photo], work: Path) -> list[dict[str, float]]:
    """Return risk against coverage on whole photographs from above, under the most lenient bar and all higher ones."""
    above = [p for p in photos if p.source not in ASLANT]
    tasks = [replace(task, thresholds=BASE) for task in tasks_of(above, whole_photo, lambda source: models)]
    cases = [case for case in all_cases(judge_photos(tasks, work)) if case.labelled is not None]
    said = [(c.score or 0.0, c.outcome == "right") for c in cases if c.outcome in ("right", "wrong")]
    return risk(said, len(cases), load_networks(models).thresholds.sure)


def _said_judges(models: Path, say: Say) -> dict[str, Path]:
    """Say and return by which networks sources may be judged that never saw them."""
    kept = judges(models)
    say(f"judged by networks that never saw it: {', '.join(kept) or 'none'}; all else by the networks that ship")
    return kept


def simulate(models: Path, pictures: int, out: Path | None, say: Say) -> dict[str, Any]:
    """Measure the networks of a folder on the simulated test set: as many drawn scenes, a quarter as many traced trays.

    Raises ModelError, or SimulatorError where trays cannot be traced.
    """
    load_networks(models)
    tasks = []
    for name, wanted in (("drawn", pictures), ("traced", -(-pictures // 4))):
        starts = range(0, wanted, _SCENES_AT_ONCE)
        tasks += [_Scenes(models, name, range(start, min(start + _SCENES_AT_ONCE, wanted))) for start in starts]
    judged: Judged = {}
    for done, (task, cases) in enumerate(zip(tasks, spread(_simulated, tasks), strict=True), 1):
        judged.setdefault(task.name, []).extend(cases)
        say(f"{done} of {len(tasks)} lots judged: {task.name}")
    tallies = tallies_of(judged)
    figures: dict[str, Any] = {"tallies": counted(tallies), "confusion": {}, "unreadable": {}}
    say(f"\n{KEY}\n{TITLES['simulated']}\n{tally_table(tallies)}\n")
    for name, lots in judged.items():
        figures["confusion"][name] = confusion(flat(lots))
        figures["unreadable"][name] = _by_kind(flat(lots))
        say(f"{name}, label against answer:\n{confusion_table(figures['confusion'][name])}\n")
        for kind, row in figures["unreadable"][name].items():
            say(f"{name}, {kind}: {row['guessed']} of {row['dice']} read though sure")
    if out is not None:
        _say_sheets(say, write_failures(out, "simulated", {name: flat(lots) for name, lots in judged.items()}))
    return figures


def _by_kind(cases: Sequence[Case]) -> dict[str, dict[str, int]]:
    """Return how many dice that must not be read there were, and how many were, by what hinders reading."""
    kinds: dict[str, dict[str, int]] = {}
    for case in cases:
        if case.outcome in ("guessed", "refused"):
            row = kinds.setdefault(case.kind or "unreadable", {"dice": 0, "guessed": 0})
            row["dice"] += 1
            row["guessed"] += case.outcome == "guessed"
    return dict(sorted(kinds.items()))


def perturbed(models: Path, folder: Path, looks: int, out: Path, say: Say) -> dict[str, Any]:
    """Sweep perturbed dice over the photographs, each source judged by networks that never saw it if there are any.

    Raises ModelError or TrainingError where networks or photographs are missing.
    """
    load_networks(models)
    kept = _said_judges(models, say)
    photos = [p for p in load_photos(folder) if p.dice]
    total = sweeping.sweep(photos, lambda source: kept.get(source, models), looks, out)
    figures = sweeping.figures(total, [source for source in LEARNT if source not in kept])
    say(f"\n{TITLES['perturbed']}\n{sweeping.words(figures)}\n")
    if total.mistakes:
        say(f"sure mistakes, shown in {out / 'wrong.png'}:\n{sweeping.listed(total.mistakes)}")
    return figures


def add(models: Path, name: str, figures: Mapping[str, Any]) -> None:
    """Put figures measured after the card was written into both cards of the networks that they were measured of."""
    record(models, name, figures)
    write_words(models)


def add_photographs(models: Path, figures: Mapping[str, Any]) -> None:
    """Likewise what `evaluate` measured."""
    for name in ("sized", "unsized", "clips", "left_out", "left_out_given", "left_out_forced"):
        if name in figures:
            record(models, name, figures[name])
    if "left_out" in figures:
        record(models, "confusion", {name: figures["confusion"][name] for name in ("left_out", "left_out_given")})
    write_words(models)

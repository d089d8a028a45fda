"""The reports: what networks do on real photographs and on the simulated test set, and the card with its bar."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

from models.training import sweep as sweeping
from models.training.card import counted, record, sha256, write_card
from models.training.clips import judge_clips
from models.training.errors import TrainingError
from models.training.evaluate import Case, Measure, Tally, count, given_places, whole_photo, whole_photo_unsized
from models.training.figures import (
    Answer,
    confusion,
    confusion_table,
    forced,
    reliability,
    reliability_table,
    risk,
    risk_table,
    tally_table,
)
from models.training.parallel import spread
from models.training.plot import canvas, plot
from models.training.real import ASLANT, LEARNT, Photo, load_photos, read_picture
from models.training.sheets import write_failures
from models.training.simulated import SETS
from models.training.thresholds import BASE, answers, chances, choose, surest_mistakes, tried
from models.training.words import KEY, TITLES, write_words
from vision.network import CARD, LOCATOR, READER, Thresholds, load_networks

Say = Callable[[str], None]
Judged = dict[str, list[tuple[Case, ...]]]
"""The cases of every picture, by source."""

_PHOTOS_AT_ONCE = 20
_SCENES_AT_ONCE = 10
_SHIPPED = "shipped"  # beside the folds: a copy of what ships, under the bar of the moment
PLOT = "reliability.png"
SCENES = 1000
LOOKS = sweeping.LOOKS


@dataclass(frozen=True)
class _Task:
    """Photographs of one source, the folder of the networks to put them before, and a bar other than their card's."""

    models: Path
    photos: tuple[Photo, ...]
    how: Measure
    thresholds: Thresholds | None = None


@dataclass(frozen=True)
class _Scenes:
    """Simulated pictures of one set, by their numbers, and the folder of the networks to put them before."""

    models: Path
    name: str
    numbers: range


def _judged(task: _Task) -> list[tuple[Case, ...]]:
    cv2.setNumThreads(1)
    networks = load_networks(task.models)
    if task.thresholds is not None:
        networks = replace(networks, thresholds=task.thresholds)
    return [task.how(networks, photo, read_picture(photo.path)) for photo in task.photos]


def _simulated(task: _Scenes) -> list[tuple[Case, ...]]:
    cv2.setNumThreads(1)
    networks = load_networks(task.models)
    return [whole_photo(networks, *SETS[task.name](number)) for number in task.numbers]


def _answered(task: _Task) -> list[Answer]:
    return answers(load_networks(task.models), task.photos)


def _tasks(photos: Sequence[Photo], how: Measure, judge: Callable[[str], Path]) -> list[_Task]:
    """Return tasks of a few photographs of one source each; reading at given places needs places."""
    tasks = []
    for source in sorted({p.source for p in photos if p.dice or how is not given_places}):
        mine = [p for p in photos if p.source == source]
        for start in range(0, len(mine), _PHOTOS_AT_ONCE):
            tasks.append(_Task(judge(source), tuple(mine[start : start + _PHOTOS_AT_ONCE]), how))
    return tasks


def _judge_photos(tasks: Sequence[_Task]) -> Judged:
    judged: Judged = {}
    for task, cases in zip(tasks, spread(_judged, tasks), strict=True):
        judged.setdefault(task.photos[0].source, []).extend(cases)
    return judged


def _tallies(judged: Judged) -> dict[str, Tally]:
    return {source: sum((count(cases) for cases in pictures), Tally()) for source, pictures in judged.items()}


def _flat(pictures: Sequence[tuple[Case, ...]]) -> list[Case]:
    return [case for cases in pictures for case in cases]


def _all(judged: Judged) -> list[Case]:
    return [case for pictures in judged.values() for case in _flat(pictures)]


def evaluate(models: Path, folder: Path, out: Path | None, say: Say) -> dict[str, Any]:
    """Measure the networks of a folder on the labelled photographs, say the tables and return their numbers.

    Contact sheets of the failures go to `out`. Raises ModelError or TrainingError where there are no such networks or
    photographs.
    """
    networks, photos = load_networks(models), load_photos(folder)
    figures: dict[str, Any] = {"confusion": {}}
    say(KEY)
    for name, judged in _views(models, folder, photos):
        figures[name] = _said(name, judged, say)
        figures["confusion"][name] = confusion(_all(judged))
        say(f"label against answer:\n{confusion_table(figures['confusion'][name])}\n")
        if out is not None:
            _say_sheets(say, write_failures(out, name, {s: _flat(pictures) for s, pictures in judged.items()}))
    figures["risk"] = _risk(models, photos)
    say(f"{TITLES['risk']}\n{risk_table(figures['risk'], networks.thresholds.sure)}\n")
    return figures | _recorded(models, say)


def _views(models: Path, folder: Path, photos: Sequence[Photo]) -> Iterator[tuple[str, Judged]]:
    """Judge the photographs with and without their die size, and the clips, each as it is asked for."""
    for name, how in (("sized", whole_photo), ("unsized", whole_photo_unsized)):
        yield name, _judge_photos(_tasks(photos, how, lambda source: models))
    if (folder / "video_events.csv").exists():
        yield "clips", judge_clips(load_networks(models), folder)


def _said(name: str, judged: Judged, say: Say) -> dict[str, dict[str, int]]:
    """Say what became of the dice by source, and return it."""
    tallies = _tallies(judged)
    stars = LEARNT if name in ("sized", "unsized") else ()
    say(f"{TITLES[name]}\n{tally_table(tallies, list(stars))}\n")
    return counted(tallies)


def _say_sheets(say: Say, written: Sequence[Path]) -> None:
    if written:
        say(f"every failure is shown in {written[0].parent}: {', '.join(path.name for path in written)}\n")


def _risk(models: Path, photos: Sequence[Photo]) -> list[dict[str, float]]:
    """Return risk against coverage on whole photographs from above, under the most lenient bar and all higher ones."""
    above = [p for p in photos if p.source not in ASLANT]
    tasks = [replace(task, thresholds=BASE) for task in _tasks(above, whole_photo, lambda source: models)]
    cases = [case for case in _all(_judge_photos(tasks)) if case.labelled is not None]
    said = [(c.score or 0.0, c.outcome == "right") for c in cases if c.outcome in ("right", "wrong")]
    return risk(said, len(cases), load_networks(models).thresholds.sure)


def _recorded(models: Path, say: Say) -> dict[str, Any]:
    """Say and return what the card has of networks that never saw the sources, which cannot be measured here."""
    recorded = json.loads((models / CARD).read_text(encoding="utf-8")).get("figures", {})
    figures = {}
    for name in ("left_out", "left_out_given"):
        if name in recorded:
            tallies = {source: Tally(**counts) for source, counts in recorded[name].items()}
            say(f"{TITLES[name]} (as the card has it)\n{tally_table(tallies)}\n")
            figures[name] = recorded[name]
    return figures


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
    tallies = _tallies(judged)
    figures: dict[str, Any] = {"tallies": counted(tallies), "confusion": {}, "unreadable": {}}
    say(f"\n{KEY}\n{TITLES['simulated']}\n{tally_table(tallies)}\n")
    for name, lots in judged.items():
        figures["confusion"][name] = confusion(_flat(lots))
        figures["unreadable"][name] = _by_kind(_flat(lots))
        say(f"{name}, label against answer:\n{confusion_table(figures['confusion'][name])}\n")
        for kind, row in figures["unreadable"][name].items():
            say(f"{name}, {kind}: {row['guessed']} of {row['dice']} read though sure")
    if out is not None:
        _say_sheets(say, write_failures(out, "simulated", {name: _flat(lots) for name, lots in judged.items()}))
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


def perturbed(models: Path, folds: Path, folder: Path, looks: int, out: Path, say: Say) -> dict[str, Any]:
    """Sweep perturbed dice over the photographs, each source judged by the fold that never saw it if there is one.

    Raises ModelError or TrainingError where networks or photographs are missing.
    """
    load_networks(models)
    folded = _folded(models, folds)
    judges = f"the folds in {folds} judge {', '.join(folded)}" if folded else f"no folds of these networks in {folds}"
    say(f"{judges}; the networks that ship judge the other sources")
    photos = [p for p in load_photos(folder) if p.dice]
    total = sweeping.sweep(photos, lambda s: folds / s if s in folded else models, looks, out, say)
    figures = sweeping.figures(total, [source for source in LEARNT if source not in folded])
    say(f"\n{TITLES['perturbed']}\n{sweeping.words(figures)}\n")
    if total.mistakes:
        say(f"sure mistakes, shown in {out / 'wrong.png'}:\n{sweeping.listed(total.mistakes)}")
    return figures


def _folded(models: Path, folds: Path) -> list[str]:
    """Return the sources with a fold that never saw them, if the card of these networks was made with these folds."""
    if not all((folds / _SHIPPED / name).exists() for name in (CARD, LOCATOR, READER)):
        return []
    same = all(sha256(folds / _SHIPPED / name) == sha256(models / name) for name in (LOCATOR, READER))
    return [source for source in LEARNT if same and (folds / source / CARD).exists()]


def describe(models: Path, folds: Path, folder: Path, say: Say) -> None:
    """Choose the bar on sources left out, measure everything and write both cards of the networks in `models`.

    A source is judged by the fold that never saw it, or by the networks that ship where they did not see it either.
    The cards are written last: broken off, this leaves those of `models` as they were. Raises TrainingError where
    networks or photographs are missing.
    """
    shipped = folds / _SHIPPED

    def judge(source: str) -> Path:
        return folds / source if source in LEARNT else shipped

    photos, picture = load_photos(folder), canvas()
    _copy(models, shipped)
    thresholds, calibration, proven = _bar([p for p in photos if p.source not in ASLANT], folds, judge, say)
    views = dict(_views(shipped, folder, photos))
    learnt = [p for p in photos if p.source in LEARNT]
    strangers = {source: judged for source, judged in views["sized"].items() if source not in LEARNT}
    views["left_out"] = strangers | _judge_photos(_tasks(learnt, whole_photo, judge))
    views["left_out_given"] = _judge_photos(_tasks(photos, given_places, judge))
    figures: dict[str, Any] = {name: _said(name, judged, say) for name, judged in views.items()}
    figures["confusion"] = {
        name: confusion(_all({source: judged for source, judged in views[name].items() if source not in ASLANT}))
        for name in ("left_out", "left_out_given")
    }
    figures["left_out_forced"] = counted(
        {source: forced(_flat(judged)) for source, judged in views["left_out_given"].items()}
    )
    figures |= proven
    plot(picture, figures, thresholds.sure, models / PLOT)
    write_card(models, thresholds, calibration, figures)
    write_words(models)


def _bar(
    photos: Sequence[Photo], folds: Path, judge: Callable[[str], Path], say: Say
) -> tuple[Thresholds, list[list[float]], dict[str, Any]]:
    """Choose the bar on photographs and give it to all folds; also what scores prove under it, and the figures."""
    _set_bar(folds, BASE)
    lenient = _answers(photos, judge)
    thresholds = choose(lenient)
    say(f"on sources left out:\n{tried(lenient)}\nsurest mistakes:\n{surest_mistakes(lenient)}\n")
    # What the reader doubts it puts just below the bar, so what scores mean there depends on the bar.
    _set_bar(folds, thresholds)
    given = _answers(photos, judge)
    calibration = chances(given, thresholds.sure)
    _set_bar(folds, thresholds, calibration)
    figures = {
        "risk": risk([(a.score, a.right) for a in lenient if a.sure], len(lenient), thresholds.sure),
        "reliability": reliability(given, calibration),
        "reliability_left_out": _without_each(given, thresholds.sure),
    }
    for name in ("reliability", "reliability_left_out"):
        say(f"{TITLES[name]}\n{reliability_table(figures[name])}\n")
    return thresholds, calibration, figures


def _answers(photos: Sequence[Photo], judge: Callable[[str], Path]) -> list[Answer]:
    tasks = _tasks(photos, given_places, judge)
    return [answer for part in spread(_answered, tasks) for answer in part]


def _without_each(given: Sequence[Answer], sure: float) -> list[dict[str, float]]:
    """Return the reliability where p, too, was learnt from other sources than those it is told of."""
    sources = sorted({_source(a) for a in given})
    parts = []
    for source in sources:
        others = [a for a in given if _source(a) != source]
        mine = [a for a in given if _source(a) == source]
        if others:
            parts.append(reliability(mine, chances(others, sure)))
    return [_sum_rows(rows) for rows in zip(*parts, strict=True)]


def _source(answer: Answer) -> str:
    return answer.die.split("_")[0]


def _sum_rows(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    counts = {key: sum(row[key] for row in rows) for key in ("looks", "looks_wrong", "dice", "dice_wrong")}
    mean = sum(row["p"] * row["looks"] for row in rows) / max(1, counts["looks"])
    return {"from": rows[0]["from"], "to": rows[0]["to"], **counts, "p": round(mean, 5)}


def _copy(models: Path, to: Path) -> None:
    to.mkdir(parents=True, exist_ok=True)
    for name in (LOCATOR, READER):
        if not (models / name).exists():
            raise TrainingError(f"{models / name}: no such network; run `python -m models.training export` first")
        shutil.copyfile(models / name, to / name)


def _set_bar(folds: Path, thresholds: Thresholds, calibration: Sequence[Sequence[float]] = ()) -> None:
    for source in (*LEARNT, _SHIPPED):
        if not all((folds / source / name).exists() for name in (LOCATOR, READER)):
            raise TrainingError(
                f"{folds / source}: no networks that never saw {source}; run `python -m models.training folds` first"
            )
        write_card(folds / source, thresholds, calibration)


def add(models: Path, name: str, figures: Mapping[str, Any]) -> None:
    """Put figures measured after the card was written into both cards of the networks that they were measured of."""
    record(models, name, figures)
    write_words(models)

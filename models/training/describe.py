"""Chooses the bar on sources left out, measures everything and writes both cards of the networks that ship."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from models.training.card import counted, sha256, write_card
from models.training.errors import TrainingError
from models.training.evaluate import given_places, whole_photo
from models.training.figures import Answer, confusion, forced, reliability, reliability_table, risk
from models.training.judging import (
    Judged,
    Say,
    Task,
    all_cases,
    facts_of,
    flat,
    judge_photos,
    say_tallies,
    tasks_of,
    views_of,
)
from models.training.kept import spread_kept
from models.training.plot import canvas, plot
from models.training.real import ASLANT, LEARNT, Photo, load_photos
from models.training.thresholds import BASE, PERTURBED, answers, chances, choose, surest_mistakes, tried
from models.training.words import TITLES, write_words
from vision.network import CARD, LOCATOR, READER, Thresholds, load_networks

LEFT_OUT = "left_out"
"""Folder beside the networks that ship: for each source they learnt from, by its name, those that never saw it."""
BESIDE = "beside"
"""In the card of the latter: the hash of the reader that they chose the bar for."""
PLOT = "reliability.png"


def _answered(task: Task, perturbed: int) -> list[Answer]:
    return answers(load_networks(task.models), task.photos, perturbed)


def describe(models: Path, folder: Path, work: Path, say: Say, perturbed: int = PERTURBED) -> None:
    """Choose the bar on sources left out, measure everything and write both cards of the networks in `models`.

    A source is judged by the networks that never saw it, or by those that ship where they did not see it either. All of
    it is done on copies, and the cards are written last: broken off before, this leaves them as they were, and goes on
    from what `work` keeps. Each die chooses the bar by so many `perturbed` looks, too. Raises TrainingError where
    networks or photographs are missing.
    """
    photos, picture = load_photos(folder), canvas()
    with TemporaryDirectory(prefix="fairtray-") as copied:
        copies = Path(copied)

        def judge(source: str) -> Path:
            return copies / LEFT_OUT / source if source in LEARNT else copies

        _copy(models, copies)
        above = [p for p in photos if p.source not in ASLANT]
        thresholds, calibration, figures = _bar(above, copies, judge, work, say, perturbed)
        views = dict(views_of(copies, folder, photos, work))
        views |= left_out(photos, judge, views["sized"], work)
        figures |= {name: say_tallies(name, judged, say) for name, judged in views.items()} | of_left_out(views)
        plot(picture, figures, thresholds.sure, models / PLOT)
        for source in LEARNT:
            shutil.copyfile(judge(source) / CARD, models / LEFT_OUT / source / CARD)
    write_card(models, thresholds, calibration, figures)
    write_words(models)


def left_out(photos: Sequence[Photo], judge: Callable[[str], Path], sized: Judged, work: Path) -> dict[str, Judged]:
    """Return what becomes of all photographs by networks that never saw their source, where `sized` is what those that
    ship make of whole ones.
    """
    learnt = [p for p in photos if p.source in LEARNT]
    strangers = {source: judged for source, judged in sized.items() if source not in LEARNT}
    return {
        "left_out": strangers | judge_photos(tasks_of(learnt, whole_photo, judge), work),
        "left_out_given": judge_photos(tasks_of(photos, given_places, judge), work),
    }


def of_left_out(views: Mapping[str, Judged]) -> dict[str, Any]:
    """Return which value was read as which there, and what would be right if every die had to be answered."""
    above = {
        name: {source: judged for source, judged in views[name].items() if source not in ASLANT}
        for name in ("left_out", "left_out_given")
    }
    return {
        "confusion": {name: confusion(all_cases(judged)) for name, judged in above.items()},
        "left_out_forced": counted(
            {source: forced(flat(judged)) for source, judged in views["left_out_given"].items()}
        ),
    }


def judges(models: Path) -> dict[str, Path]:
    """Return the folders of networks that never saw a source, by its name, which chose the bar of `models`."""
    ours = json.loads((models / CARD).read_text(encoding="utf-8"))
    reader, kept = sha256(models / READER), {}
    for source in LEARNT:
        card = models / LEFT_OUT / source / CARD
        theirs = json.loads(card.read_text(encoding="utf-8")) if card.exists() else {}
        # Under another bar they would show something else than what ships.
        if theirs.get(BESIDE) == reader and theirs["thresholds"] == ours["thresholds"]:
            kept[source] = card.parent
    return kept


def _bar(
    photos: Sequence[Photo], models: Path, judge: Callable[[str], Path], work: Path, say: Say, perturbed: int
) -> tuple[Thresholds, list[list[float]], dict[str, Any]]:
    """Choose the bar on photographs and give it to all that judge, the networks of `models` and those left out; also
    what scores prove under it, and the figures."""
    _set_bar(models, BASE)
    lenient = _answers(photos, judge, work, perturbed)
    thresholds = choose(lenient)
    say(f"on sources left out:\n{tried(lenient)}\nsurest mistakes:\n{surest_mistakes(lenient)}\n")
    # What the reader doubts it puts just below the bar, so what scores mean there depends on the bar.
    _set_bar(models, thresholds)
    given = _answers(photos, judge, work, perturbed)
    calibration = chances(given, thresholds.sure)
    _set_bar(models, thresholds, calibration)
    figures = {
        "risk": risk([(a.score, a.right) for a in lenient if a.sure], len(lenient), thresholds.sure),
        "reliability": reliability(given, calibration),
        "reliability_left_out": _without_each(given, thresholds.sure),
    }
    for name in ("reliability", "reliability_left_out"):
        say(f"{TITLES[name]}\n{reliability_table(figures[name])}\n")
    return thresholds, calibration, figures


def _answers(photos: Sequence[Photo], judge: Callable[[str], Path], work: Path, perturbed: int) -> list[Answer]:
    tasks = tasks_of(photos, given_places, judge)
    parts = spread_kept(
        partial(_answered, perturbed=perturbed), tasks, work, lambda task: f"{facts_of(task)} {perturbed} perturbed"
    )
    return [answer for part in parts for answer in part]


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
    """Copy the networks that ship and those that never saw a source; raises TrainingError where one is missing."""
    steps = {Path(): "export"} | {Path(LEFT_OUT, source): "folds" for source in LEARNT}
    for folder, step in steps.items():
        (to / folder).mkdir(parents=True, exist_ok=True)
        for name in (LOCATOR, READER):
            if not (models / folder / name).exists():
                missing = models / folder / name
                raise TrainingError(f"{missing}: no such network; run `python -m models.training {step}` first")
            shutil.copyfile(models / folder / name, to / folder / name)


def _set_bar(models: Path, thresholds: Thresholds, calibration: Sequence[Sequence[float]] = ()) -> None:
    write_card(models, thresholds, calibration)
    for source in LEARNT:
        folder = models / LEFT_OUT / source
        card = write_card(folder, thresholds, calibration, without=source) | {BESIDE: sha256(models / READER)}
        (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")

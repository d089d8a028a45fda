"""Chooses the bar on sources left out, measures everything and writes both cards of the networks that ship."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from models.training.card import counted, write_card
from models.training.errors import TrainingError
from models.training.evaluate import given_places, whole_photo
from models.training.figures import Answer, confusion, forced, reliability, reliability_table, risk
from models.training.judging import Say, Task, all_cases, flat, judge_photos, say_tallies, tasks_of, views_of
from models.training.parallel import spread
from models.training.plot import canvas, plot
from models.training.real import ASLANT, LEARNT, Photo, load_photos
from models.training.thresholds import BASE, answers, chances, choose, surest_mistakes, tried
from models.training.words import TITLES, write_words
from vision.network import LOCATOR, READER, Thresholds, load_networks

SHIPPED = "shipped"
"""Beside the folds: a copy of what ships, under the bar of the moment."""
PLOT = "reliability.png"


def _answered(task: Task) -> list[Answer]:
    return answers(load_networks(task.models), task.photos)


def describe(models: Path, folds: Path, folder: Path, say: Say) -> None:
    """Choose the bar on sources left out, measure everything and write both cards of the networks in `models`.

    A source is judged by the fold that never saw it, or by the networks that ship where they did not see it either.
    The cards are written last: broken off, this leaves those of `models` as they were. Raises TrainingError where
    networks or photographs are missing.
    """
    shipped = folds / SHIPPED

    def judge(source: str) -> Path:
        return folds / source if source in LEARNT else shipped

    photos, picture = load_photos(folder), canvas()
    _copy(models, shipped)
    thresholds, calibration, proven = _bar([p for p in photos if p.source not in ASLANT], folds, judge, say)
    views = dict(views_of(shipped, folder, photos))
    learnt = [p for p in photos if p.source in LEARNT]
    strangers = {source: judged for source, judged in views["sized"].items() if source not in LEARNT}
    views["left_out"] = strangers | judge_photos(tasks_of(learnt, whole_photo, judge))
    views["left_out_given"] = judge_photos(tasks_of(photos, given_places, judge))
    figures: dict[str, Any] = {name: say_tallies(name, judged, say) for name, judged in views.items()}
    figures["confusion"] = {
        name: confusion(all_cases({source: judged for source, judged in views[name].items() if source not in ASLANT}))
        for name in ("left_out", "left_out_given")
    }
    figures["left_out_forced"] = counted(
        {source: forced(flat(judged)) for source, judged in views["left_out_given"].items()}
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
    tasks = tasks_of(photos, given_places, judge)
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
    for source in (*LEARNT, SHIPPED):
        if not all((folds / source / name).exists() for name in (LOCATOR, READER)):
            raise TrainingError(
                f"{folds / source}: no networks that never saw {source}; run `python -m models.training folds` first"
            )
        write_card(folds / source, thresholds, calibration)

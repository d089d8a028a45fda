"""Sweeps over the labelled photographs: a hundred thousand perturbed dice, counted by source and by perturbation.

Broken off, a sweep goes on where it stopped. What each look shows follows from its source, die and number alone.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.drawn import cut
from models.training.evaluate import sides_of
from models.training.figures import P_EDGES, at_least, at_most, in_columns, p_bin, percent
from models.training.kept import of_networks, spread_kept
from models.training.perturb import KINDS, Perturbed, perturb
from models.training.real import ASLANT, Photo, read_picture
from models.training.sheets import Tile, write_sheet
from models.training.thresholds import is_whole
from models.training.view import Picture
from models.tray.versions import code_behind, digest
from vision.network import Networks, load_networks
from vision.read import read_die

LOOKS = 100_000
TOGETHER = "together"
PLAIN = "as it is"
SCHEDULE = tuple(name for kind in KINDS for name in (TOGETHER, kind))
"""What the looks at a die show, in turn; before them each die is looked at once as it is."""

_SEED = 2026
_CHUNK = 1000  # looks
_MOST_LISTED = 50
_MOST_SHOWN = 360


@dataclass(frozen=True)
class Die:
    """A labelled die, whole in its photograph: the photograph, its number there and how often it is looked at.

    `first` is the number of its first look among all; what a look shows follows from its own number.
    """

    photo: Photo
    number: int
    first: int
    looks: int


@dataclass(frozen=True)
class Chunk:
    """Dice of one source, and the folder of the networks that judge them."""

    source: str
    dice: tuple[Die, ...]
    models: Path


@dataclass(frozen=True)
class Sweep:
    """The added results: dice, looks and outcomes by (source, kind), looks by (source, row of p), and the mistakes."""

    counts: Mapping[tuple[str, str], Counter[str]]
    told: Counter[tuple[str, int]]
    told_wrong: Counter[tuple[str, int]]
    mistakes: Sequence[Mapping[str, Any]]


def sweep(photos: Sequence[Photo], judge: Callable[[str], Path], looks: int, out: Path) -> Sweep:
    """Look `looks` times at the dice of the photographs, on all cores; what `out` keeps is not done again."""
    dice = plan(photos, looks)
    chunks = _chunks(dice, judge)
    total = _added(zip((c.source for c in chunks), spread_kept(_judged, chunks, out / "chunks", _facts), strict=True))
    write_sheet(out / "wrong.png", [_tile(photos, mistake) for mistake in total.mistakes[:_MOST_SHOWN]])
    return total


def plan(photos: Sequence[Photo], looks: int) -> list[Die]:
    """Return how often each die is looked at: equally often, or evenly chosen dice once where looks are few.

    Dice that the border cuts off have no part in it: turned and moved, they would not be seen as cut off.
    """
    whole = [
        (photo, number)
        for photo in photos
        if photo.dice
        for shape in [read_picture(photo.path).shape]
        for number, die in enumerate(photo.dice)
        if not die.doubtful and is_whole(photo, number, shape)
    ]
    count = len(whole)
    starts = [i * looks // count for i in range(count + 1)]
    spans = zip(whole, itertools.pairwise(starts), strict=True)
    return [Die(photo, number, start, end - start) for (photo, number), (start, end) in spans if end > start]


def _chunks(dice: Sequence[Die], judge: Callable[[str], Path]) -> list[Chunk]:
    """Return the work in pieces."""
    chunks = []
    for source in sorted({die.photo.source for die in dice}):
        mine = [die for die in dice if die.photo.source == source]
        per_chunk = max(1, _CHUNK // max(1, mine[0].looks))
        for start in range(0, len(mine), per_chunk):
            chunks.append(Chunk(source, tuple(mine[start : start + per_chunk]), judge(source)))
    return chunks


def _facts(chunk: Chunk) -> str:
    """All that decides what becomes of a chunk's dice."""
    pictures = digest({die.photo.path for die in chunk.dice})
    return f"{_code()} {of_networks(chunk.models)} {chunk.dice} {pictures}"


@cache
def _code() -> str:
    return digest({*code_behind("models.training.evaluate", "models.training.perturb"), Path(__file__)})


def _judged(chunk: Chunk) -> dict[str, Any]:
    """Return the dice, looks and outcomes of a chunk by kind, looks by row of p, and the mistakes."""
    cv2.setNumThreads(1)
    networks = load_networks(chunk.models)
    counts: dict[str, Counter[str]] = {}
    told: Counter[int] = Counter()
    told_wrong: Counter[int] = Counter()
    mistakes = []
    for die in chunk.dice:
        picture = read_picture(die.photo.path)
        labelled = die.photo.dice[die.number].value
        kinds = set()
        for look in (None, *range(die.first, die.first + die.looks)):
            kind, value, likely, p, score = _read(networks, picture, die, look)
            outcome = "unsure" if value is None else "right" if value == labelled else "wrong"
            counts.setdefault(kind, Counter()).update(("looks", outcome))
            kinds.add(kind)
            told[p_bin(p)] += 1
            told_wrong[p_bin(p)] += likely != labelled
            if outcome == "wrong":
                mistakes.append(
                    {
                        "photo": die.photo.path.name,
                        "die": die.number,
                        "look": look,
                        "kind": kind,
                        "labelled": labelled,
                        "read": value,
                        "score": round(score, 3),
                    }
                )
        for kind in kinds:
            counts[kind]["dice"] += 1
    return {"counts": counts, "told": told, "told_wrong": told_wrong, "mistakes": mistakes}


def _read(
    networks: Networks, picture: Picture, die: Die, look: int | None
) -> tuple[str, int | None, int, float, float]:
    """Return what a look shows, the value read if sure, the likely one, its p and its score."""
    kind, seen = shown(picture, die.photo, die.number, look)
    said = read_die(networks, [seen.picture], seen.x, seen.y, seen.face_px, sides_of(die.photo, seen.turn))
    return kind, said.value, said.likely, said.p, said.score


def shown(picture: Picture, photo: Photo, number: int, look: int | None) -> tuple[str, Perturbed]:
    """Return what kind of look one is, by its number, and what it shows; None shows the die as it is."""
    die = photo.dice[number]
    if look is None:
        return PLAIN, Perturbed(picture, die.x, die.y, die.face_px)
    name = SCHEDULE[look % len(SCHEDULE)]
    alone = next((kind for kind in KINDS if kind == name), None)
    return name, perturb(np.random.default_rng([_SEED, look]), picture, die, alone)


def _added(results: Iterable[tuple[str, Mapping[str, Any]]]) -> Sweep:
    counts: dict[tuple[str, str], Counter[str]] = {}
    told: Counter[tuple[str, int]] = Counter()
    told_wrong: Counter[tuple[str, int]] = Counter()
    mistakes: list[Mapping[str, Any]] = []
    for source, result in results:
        for kind, counted in result["counts"].items():
            counts.setdefault((source, kind), Counter()).update(counted)
        told.update({(source, row): n for row, n in result["told"].items()})
        told_wrong.update({(source, row): n for row, n in result["told_wrong"].items()})
        mistakes += [{"source": source, **mistake} for mistake in result["mistakes"]]
    mistakes.sort(key=lambda m: -m["score"])
    return Sweep(counts, told, told_wrong, mistakes)


def _tile(photos: Sequence[Photo], mistake: Mapping[str, Any]) -> Tile:
    photo = next(p for p in photos if p.path.name == mistake["photo"])
    _, seen = shown(read_picture(photo.path), photo, mistake["die"], mistake["look"])
    picture = cut(seen.picture, np.array([seen.x, seen.y]), seen.face_px)[0]
    name = f"{Path(mistake['photo']).stem} {mistake['die']}"
    return picture, (name, mistake["kind"], f"{mistake['labelled']} -> {mistake['read']} at {mistake['score']:.2f}")


def figures(total: Sweep, learnt: Sequence[str]) -> dict[str, Any]:
    """Return a sweep's counts as plain numbers by source, and by kind of perturbation and by p; and the mistakes.

    The sources taken aslant are counted by themselves alone.
    """
    sources = sorted({source for source, _ in total.counts})
    above = [s for s in sources if s not in ASLANT]
    kinds = [k for k in (PLAIN, TOGETHER, *KINDS) if any((s, k) in total.counts for s in sources)]
    return {
        "learnt": [s for s in sources if s in learnt],
        "sources": {s: _row(total, [s], [k for k in kinds if k != PLAIN]) for s in sources},
        "kinds": {k: _row(total, above, [k]) for k in kinds},
        "by_source_and_kind": {s: {k: _row(total, [s], [k]) for k in kinds} for s in sources},
        "p": [
            {
                "from": low,
                "looks": sum(total.told[s, row] for s in above),
                "looks_wrong": sum(total.told_wrong[s, row] for s in above),
            }
            for row, low in enumerate(P_EDGES)
        ],
        "mistakes": list(total.mistakes),
    }


def _row(total: Sweep, sources: Sequence[str], kinds: Sequence[str]) -> dict[str, int]:
    """Return the counts of some sources under some kinds; every die was looked at as it is."""
    parts = [total.counts.get((s, k), Counter()) for s in sources for k in kinds]
    dice = sum(total.counts[s, PLAIN]["dice"] for s in sources) if len(kinds) > 1 else sum(p["dice"] for p in parts)
    wrong = {(m["photo"], m["die"]) for m in total.mistakes if m["source"] in sources and m["kind"] in kinds}
    return {
        "dice": dice,
        "looks": sum(p["looks"] for p in parts),
        "right": sum(p["right"] for p in parts),
        "wrong": sum(p["wrong"] for p in parts),
        "dice_wrong": len(wrong),
    }


def words(figured: Mapping[str, Any]) -> str:
    """Return a sweep's figures as tables: by source, by kind, and how honest p was."""
    stars = {s: f"{s}*" for s in figured["learnt"]}
    sources = {stars.get(s, s): row for s, row in figured["sources"].items()}
    p_rows = [["p from", "looks", "wrong", "right"]]
    for row in figured["p"]:
        if row["looks"]:
            right = 1 - row["looks_wrong"] / row["looks"]
            p_rows.append([f"{row['from']:g}", str(row["looks"]), str(row["looks_wrong"]), f"{right:.4f}"])
    return "\n\n".join((_table("source", sources), _table("perturbation", figured["kinds"]), in_columns(p_rows)))


def _table(title: str, rows: Mapping[str, Mapping[str, int]]) -> str:
    """Return counts with 95 % bounds; that by looks holds for looks at these dice, that by dice for other dice."""
    table: list[list[object]] = [
        [title, "dice", "looks", "sure", "at least", "wrong", "at most", "dice wrong", "at most"]
    ]
    for name, row in rows.items():
        sure = row["right"] + row["wrong"]
        table.append(
            [
                name,
                row["dice"],
                row["looks"],
                percent(sure / max(1, row["looks"])),
                percent(at_least(sure, row["looks"])),
                row["wrong"],
                percent(at_most(row["wrong"], sure)),
                row["dice_wrong"],
                percent(at_most(row["dice_wrong"], row["dice"])),
            ]
        )
    return in_columns(table)


def listed(mistakes: Sequence[Mapping[str, Any]]) -> str:
    """Return the surest of the sure mistakes in words."""
    lines = [
        f"  {m['photo']} die {m['die']}, {m['kind']}: {m['labelled']} read as {m['read']}, score {m['score']:.2f}"
        for m in mistakes[:_MOST_LISTED]
    ]
    more = len(mistakes) - len(lines)
    return "\n".join([*lines, *([f"  and {more} more"] if more else [])])

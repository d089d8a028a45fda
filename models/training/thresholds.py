"""Chooses how sure is sure, on photographs that the networks answering had never seen."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.training.evaluate import match
from models.training.perturb import perturb
from models.training.real import Photo, read_picture
from vision.network import Networks, Thresholds
from vision.read import INSIDE, read_die
from vision.stills import read_photo

BASE = Thresholds(heat=0.25, solid=0.6, sure=0.25, clear=0.7, dissent=0.3, blank=0.5)
"""As lenient as thinkable: under these the sources left out are judged once."""
_PERTURBED = 2
_SEED = 7
_SURE = (0.25, 0.3, 0.33, 0.36, 0.39, 0.42, 0.45, 0.5, 0.55, 0.6)
_SCORE_EDGES = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)


@dataclass(frozen=True)
class Answer:
    """What a reader said of one die whose value is known: the photograph, the score, whether right and whether sure."""

    photo: str
    labelled: int
    likely: int
    score: float
    sure: bool

    @property
    def right(self) -> bool:
        """Whether the likeliest value is the labelled one."""
        return self.likely == self.labelled


def with_thresholds(networks: Networks, thresholds: Thresholds) -> Networks:
    """Return the same networks with other thresholds."""
    return replace(networks, thresholds=thresholds)


def answers(networks: Networks, photos: Iterable[Photo]) -> list[Answer]:
    """Return the answers for every die: at its label, where it was found in the photograph, and twice perturbed.

    A die that the photograph's border cuts off is not perturbed: it would not be seen there as cut off.
    """
    cv2.setNumThreads(1)
    rng = np.random.default_rng(_SEED)
    lenient, given = with_thresholds(networks, BASE), []
    for photo in photos:
        picture = read_picture(photo.path)
        height, width = picture.shape[:2]
        pairs, _ = match(photo, read_photo(lenient, picture, photo.face_px).dice)
        for die, here in pairs:
            if die.doubtful:
                continue
            x, y = min(max(die.x, 0.0), width - 1.0), min(max(die.y, 0.0), height - 1.0)
            readings = [read_die(lenient, [picture], x, y, die.face_px)]
            readings += [here.reading] if here is not None else []
            if min(x, y, width - 1 - x, height - 1 - y) >= INSIDE * die.face_px:
                others = [perturb(rng, picture, die) for _ in range(_PERTURBED)]
                readings += [read_die(lenient, [o.picture], o.x, o.y, o.face_px) for o in others]
            given += [Answer(photo.path.name, die.value, r.likely, r.score, r.value is not None) for r in readings]
    return given


def choose(given: Sequence[Answer]) -> Thresholds:
    """Return the thresholds with the fewest sure mistakes, and among them those with the most sure answers."""
    ranked = []
    for sure in _SURE:
        said = [a for a in given if a.sure and a.score >= sure]
        ranked.append(((sum(not a.right for a in said), -len(said)), sure))
    _, sure = min(ranked)
    return replace(BASE, sure=sure)


def chances(given: Sequence[Answer]) -> list[list[float]]:
    """Return a rising table of [score, chance that the likeliest value is right].

    Shares of right answers between neighbouring scores, with one right and one wrong answer added to each for
    modesty, made to rise by pooling (isotonic regression).
    """
    pools: list[list[float]] = []  # right, all, score in the middle
    for low, high in itertools.pairwise(_SCORE_EDGES):
        inside = [a for a in given if low <= a.score < high]
        pools.append([1 + sum(a.right for a in inside), 2 + len(inside), (low + high) / 2])
    rising: list[tuple[float, float, list[float]]] = []
    for right, count, middle in pools:
        rising.append((right, count, [middle]))
        while len(rising) > 1 and rising[-2][0] / rising[-2][1] >= rising[-1][0] / rising[-1][1]:
            last, before = rising.pop(), rising.pop()
            rising.append((last[0] + before[0], last[1] + before[1], before[2] + last[2]))
    return [[round(m, 3), round(right / count, 4)] for right, count, middles in rising for m in middles]


def tried(given: Sequence[Answer]) -> str:
    """Return what every bar would have meant, a line each."""
    lines = []
    for sure in _SURE:
        said = [a for a in given if a.sure and a.score >= sure]
        wrong = sum(not a.right for a in said)
        lines.append(f"  sure from {sure:.2f}: {len(said)} of {len(given)} looks sure, {wrong} of them wrong")
    return "\n".join(lines)


def surest_mistakes(given: Sequence[Answer]) -> str:
    """Return the wrong answers in words, the surest first, for somebody to look at before believing them."""
    wrong = sorted((a for a in given if not a.right), key=lambda a: -a.score)[:10]
    return "\n".join(f"  {a.photo}: labelled {a.labelled}, read {a.likely}, score {a.score:.2f}" for a in wrong)

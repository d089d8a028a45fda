"""Chooses how sure is sure, on photographs that the networks answering had never seen."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2

from models.training.real import Photo, read_picture
from vision.network import Networks, Thresholds
from vision.read import read_die

BASE = Thresholds(heat=0.25, solid=0.6, sure=0.3, sure_any=0.5, dissent=0.3, blank=0.5)
CANDIDATES = tuple(
    replace(BASE, sure=sure, sure_any=sure_any, dissent=dissent)
    for sure, sure_any in ((0.25, 0.4), (0.3, 0.5), (0.35, 0.5), (0.4, 0.55), (0.45, 0.6), (0.5, 0.65))
    for dissent in (0.3, 0.2)
)
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
    """Return the answers at every labelled place whose label can be believed."""
    cv2.setNumThreads(1)
    given = []
    for photo in photos:
        picture = read_picture(photo.path)
        height, width = picture.shape[:2]
        for die in photo.dice:
            if die.doubtful:
                continue
            x, y = min(max(die.x, 0.0), width - 1.0), min(max(die.y, 0.0), height - 1.0)
            reading = read_die(networks, [picture], x, y, die.face_px)
            given.append(Answer(photo.path.name, die.value, reading.likely, reading.score, reading.value is not None))
    return given


def left_out_answers(
    folds: Mapping[str, Networks], photos: Sequence[Photo], thresholds: Thresholds
) -> dict[str, list[Answer]]:
    """Return the answers by source, each given by networks that never saw that source."""
    return {
        source: answers(with_thresholds(networks, thresholds), [p for p in photos if p.source == source])
        for source, networks in folds.items()
    }


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


def summary(given: Mapping[str, Sequence[Answer]]) -> tuple[int, int, int]:
    """Return how many dice were asked for, how many were sure and how many of those were wrong."""
    everything = [a for of_source in given.values() for a in of_source]
    return (
        len(everything),
        sum(a.sure for a in everything),
        sum(a.sure and not a.right for a in everything),
    )


def surest_mistakes(given: Sequence[Answer]) -> str:
    """Return the wrong answers in words, the surest first, for somebody to look at before believing them."""
    wrong = sorted((a for a in given if not a.right), key=lambda a: -a.score)[:10]
    return "\n".join(f"  {a.photo}: labelled {a.labelled}, read {a.likely}, score {a.score:.2f}" for a in wrong)

"""Chooses how sure is sure, and what chance a score stands for, on dice that the networks answering had never seen."""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from models.training.evaluate import match, place_within
from models.training.figures import Answer, at_most
from models.training.perturb import perturb
from models.training.real import Photo, read_picture
from vision.network import Networks, Thresholds
from vision.read import INSIDE, read_die
from vision.stills import read_photo

BASE = Thresholds(heat=0.25, solid=0.6, sure=0.2, clear=0.7, dissent=0.3, blank=0.5)
"""As lenient as thinkable: under these the sources left out are judged first."""
PERTURBED = 6
"""Perturbed looks at each die, of those that choose the bar."""
_SEED = 7
_SURE = tuple(bar / 100 for bar in range(20, 62, 2))
_MARGIN = 1.6  # more looks find surer mistakes: of 29 at each die the surest scores .38, and of these eight .26
_SCORE_EDGES = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)


def answers(networks: Networks, photos: Iterable[Photo], perturbed: int = PERTURBED) -> list[Answer]:
    """Return the answers for every die: at its label, where it was found in the photograph, and so often perturbed.

    A die that the photograph's border cuts off is not perturbed: it would not be seen there as cut off.
    """
    cv2.setNumThreads(1)
    given = []
    for photo in photos:
        rng = np.random.default_rng([_SEED, *photo.path.name.encode()])
        picture = read_picture(photo.path)
        pairs, _ = match(photo, read_photo(networks, picture, photo.face_px).dice)
        for number, (die, here) in enumerate(pairs):
            if die.doubtful:
                continue
            readings = [read_die(networks, [picture], *place_within(picture, die), die.face_px)]
            readings += [here.reading] if here is not None else []
            if is_whole(photo, number, picture.shape):
                others = [perturb(rng, picture, die) for _ in range(perturbed)]
                readings += [read_die(networks, [o.picture], o.x, o.y, o.face_px) for o in others]
            name = f"{photo.path.name} {number}"
            given += [Answer(name, die.value, r.likely, r.score, r.value is not None) for r in readings]
    return given


def is_whole(photo: Photo, number: int, shape: tuple[int, ...]) -> bool:
    """Whether a die's whole face lies in the photograph, as far as `vision.read` asks for it."""
    die = photo.dice[number]
    return bool(min(die.x, die.y, shape[1] - 1 - die.x, shape[0] - 1 - die.y) >= INSIDE * die.face_px)


def choose(given: Sequence[Answer]) -> Thresholds:
    """Return the thresholds whose bar is the lowest that lies well above every sure mistake, or else the highest."""
    worst = max((a.score for a in given if a.sure and not a.right), default=0.0)
    sure = next((bar for bar in _SURE if bar >= _MARGIN * worst), _SURE[-1])
    return replace(BASE, sure=sure)


def chances(given: Sequence[Answer], sure: float) -> list[list[float]]:
    """Return a rising table of [score, p]: a right value is at least as likely as p, with 95 % confidence.

    Supposing only that a higher score is no worse, a range of scores bounds the chance of every score above it. p is
    the best such bound among all ranges that end with or below the score's own. It counts dice, not looks (those at
    one die are no independent trials), and a die as wrong where one of its looks is. p steps at the bar: what the
    reader doubts is put just below it.
    """
    edges = sorted({*_SCORE_EDGES, sure})
    table: list[list[float]] = []
    p = 0.0
    for index, (low, high) in enumerate(itertools.pairwise(edges)):
        p = max([p, *(_proven(given, start, high) for start in edges[: index + 1])])
        told = math.floor(1e4 * p) / 1e4
        table += [[sure, told]] if low == sure else []
        table += [[round((low + high) / 2, 4), told]]
        table += [[round(0.995 * sure, 5), told]] if high == sure else []
    return table


def _proven(given: Sequence[Answer], low: float, high: float) -> float:
    """Return the share of dice right in every look, of those with scores in a range, that is certain to 95 %."""
    inside = [a for a in given if low <= a.score < high or a.score == high == _SCORE_EDGES[-1]]
    wrong = len({a.die for a in inside if not a.right})
    return 1 - at_most(wrong, len({a.die for a in inside}))


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
    return "\n".join(f"  {a.die}: labelled {a.labelled}, read {a.likely}, score {a.score:.2f}" for a in wrong)

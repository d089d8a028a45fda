"""Judges what the networks say of labelled pictures, through the very code that ships, die by die."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Literal

import cv2
import numpy as np

from models.training.drawn import CROP_PX, cut
from models.training.real import ASLANT, LabelledDie, Photo
from models.training.scene import UNREADABLE
from models.training.view import Picture
from vision.network import Networks
from vision.read import DOWN, Reading, read_die
from vision.stills import PhotoDie, read_photo

Outcome = Literal["right", "wrong", "unsure", "missed", "extra", "guessed", "refused"]
"""What became of a die. `wrong` is wrong though sure, `extra` a sure value where no die is, `guessed` a sure value of
a die that nobody can read, `refused` such a die left unread."""

FAILURES: tuple[Outcome, ...] = ("wrong", "extra", "guessed", "missed", "unsure")
"""What is to be looked at, the worst first."""

_SAME_DIE = 0.6  # of the labelled box's longer side: within this, what was found is that die


@dataclass(frozen=True, eq=False)
class Case:
    """One die of a picture, or one thing that was read as a die.

    labelled: its value, 0 where nobody can read it (`kind` says why), None where there is no die. likely and score:
    what was read, None where nothing was found. tile: its surroundings (72, 72, 3), kept of failures alone.
    """

    picture: str
    labelled: int | None
    kind: str
    outcome: Outcome
    likely: int | None
    score: float | None
    tile: Picture | None


@dataclass(frozen=True)
class Tally:
    """What became of the dice of some photographs. `wrong` are wrong though sure: the figure that must be nought.

    `extra` are sure values where no die is, `guessed` those of the `unreadable` dice, which are no part of `dice`;
    `all_right` are the photographs with every die right and nothing else said.
    """

    dice: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    missed: int = 0
    extra: int = 0
    photos: int = 0
    all_right: int = 0
    unreadable: int = 0
    guessed: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(Tally)})

    @property
    def sure(self) -> int:
        """Readable dice that got a sure value."""
        return self.right + self.wrong

    def as_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return asdict(self)


Measure = Callable[[Networks, Photo, Picture], tuple[Case, ...]]


def whole_photo(networks: Networks, photo: Photo, picture: Picture) -> tuple[Case, ...]:
    """Find and read the dice of a photograph at the die size that a calibration would have measured."""
    return judge(photo, picture, read_photo(networks, picture, photo.face_px).dice)


def whole_photo_unsized(networks: Networks, photo: Photo, picture: Picture) -> tuple[Case, ...]:
    """Find and read the dice of a photograph about which nothing is known."""
    return judge(photo, picture, read_photo(networks, picture, None).dice)


def given_places(networks: Networks, photo: Photo, picture: Picture) -> tuple[Case, ...]:
    """Read each die where its label says it lies: measures the reader alone, told only which pictures are aslant."""
    sides = sides_of(photo)
    readings = [
        (die, read_die(networks, [picture], *place_within(picture, die), die.face_px, sides))
        for die in photo.dice
        if not die.doubtful
    ]
    return tuple(_die_case(photo, picture, die, reading) for die, reading in readings)


def sides_of(photo: Photo, turn: float = 0.0) -> tuple[float, float] | None:
    """Return where side faces are seen, as a calibration would tell, in a photograph turned by so many radians."""
    across, down = DOWN
    cos, sin = math.cos(turn), math.sin(turn)
    return (across * cos - down * sin, across * sin + down * cos) if photo.source in ASLANT else None


def place_within(picture: Picture, die: LabelledDie) -> tuple[float, float]:
    """Return a die's centre (px), moved into the picture where a loose box lies half outside."""
    height, width = picture.shape[:2]
    return min(max(die.x, 0.0), width - 1.0), min(max(die.y, 0.0), height - 1.0)


def match(photo: Photo, found: Sequence[PhotoDie]) -> tuple[list[tuple[LabelledDie, PhotoDie | None]], list[PhotoDie]]:
    """Pair labelled dice with what was found on them, the closest first; also return what no label claims."""
    gaps = sorted(
        (float(np.hypot(f.reading.centre[0] - d.x, f.reading.centre[1] - d.y)), i, j)
        for i, d in enumerate(photo.dice)
        for j, f in enumerate(found)
    )
    partner: dict[int, int] = {}
    for gap, i, j in gaps:
        if gap < _SAME_DIE * photo.dice[i].box_px and i not in partner and j not in partner.values():
            partner[i] = j
    pairs = [(die, found[partner[i]] if i in partner else None) for i, die in enumerate(photo.dice)]
    return pairs, [f for j, f in enumerate(found) if j not in partner.values()]


def judge(photo: Photo, picture: Picture, found: Sequence[PhotoDie]) -> tuple[Case, ...]:
    """Return a case for every labelled die and for every sure value where none is; a doubtful die is passed over."""
    if not photo.dice:
        return _judge_values(photo, picture, found)
    pairs, left = match(photo, found)
    cases = [
        _die_case(photo, picture, die, None if here is None else here.reading)
        for die, here in pairs
        if not die.doubtful
    ]
    if photo.complete:
        cases += [_case(photo, picture, None, "extra", f.reading) for f in left if f.reading.value is not None]
    return tuple(cases)


def _die_case(photo: Photo, picture: Picture, die: LabelledDie, reading: Reading | None) -> Case:
    value = None if reading is None else reading.value
    outcome: Outcome
    if die.value == UNREADABLE:
        outcome = "refused" if value is None else "guessed"
    elif reading is None:
        outcome = "missed"
    else:
        outcome = "unsure" if value is None else "right" if value == die.value else "wrong"
    return _case(photo, picture, die.value, outcome, reading, die)


def _judge_values(photo: Photo, picture: Picture, found: Sequence[PhotoDie]) -> tuple[Case, ...]:
    """Judge where only the values are known: a sure value that no label is left for is wrong, or extra."""
    labels = list(photo.values)
    cases, astray, unsure = [], [], []
    for reading in (f.reading for f in found):
        if reading.value is None:
            unsure.append(reading)
        elif reading.value in labels:
            labels.remove(reading.value)
            cases.append(_case(photo, picture, reading.value, "right", reading))
        else:
            astray.append(reading)
    for reading in astray:
        label = labels.pop(0) if labels else None
        cases.append(_case(photo, picture, label, "extra" if label is None else "wrong", reading))
    likely_first = sorted(unsure, key=lambda r: r.likely not in labels)
    for reading in likely_first[: len(labels)]:
        label = reading.likely if reading.likely in labels else labels[0]
        labels.remove(label)
        cases.append(_case(photo, picture, label, "unsure", reading))
    return (*cases, *(_case(photo, picture, label, "missed", None) for label in labels))


def _case(
    photo: Photo,
    picture: Picture,
    labelled: int | None,
    outcome: Outcome,
    reading: Reading | None,
    die: LabelledDie | None = None,
) -> Case:
    return Case(
        picture=photo.path.name,
        labelled=labelled,
        kind="" if die is None else die.kind,
        outcome=outcome,
        likely=None if reading is None else reading.likely,
        score=None if reading is None else reading.score,
        tile=_tile(picture, reading, die) if outcome in FAILURES else None,
    )


def _tile(picture: Picture, reading: Reading | None, die: LabelledDie | None) -> Picture:
    """Return the surroundings of a die, or the whole picture where nobody knows its place."""
    if reading is None and die is None:
        return np.asarray(cv2.resize(picture, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA), np.uint8)
    if reading is not None:
        return cut(picture, np.array(reading.centre), reading.face_px)[0]
    assert die is not None
    return cut(picture, np.array(place_within(picture, die)), die.face_px)[0]


def count(cases: Sequence[Case]) -> Tally:
    """Return the tally of one picture from its cases."""
    outcomes = [case.outcome for case in cases]
    unreadable = sum(case.labelled == UNREADABLE for case in cases)
    dice = sum(case.labelled is not None for case in cases) - unreadable
    right, extra, guessed = (outcomes.count(o) for o in ("right", "extra", "guessed"))
    return Tally(
        dice=dice,
        right=right,
        wrong=outcomes.count("wrong"),
        unsure=outcomes.count("unsure"),
        missed=outcomes.count("missed"),
        extra=extra,
        photos=1,
        all_right=int(right == dice and not extra and not guessed),
        unreadable=unreadable,
        guessed=guessed,
    )

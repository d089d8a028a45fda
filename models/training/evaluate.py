"""Measures the networks on the labelled photographs, through the very code that ships, and counts by source."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields

import cv2
import numpy as np

from models.training.die import Picture
from models.training.real import LabelledDie, Photo, read_picture
from vision.network import Networks
from vision.read import read_die
from vision.stills import PhotoDie, read_photo

_SAME_DIE = 0.6  # of the labelled box's longer side: within this, what was found is that die


@dataclass(frozen=True)
class Tally:
    """What became of the dice of some photographs. `wrong` are wrong though sure: the figure that must be nought.

    `extra` are sure values where no die is; `all_right` the photographs with every die right and nothing else.
    """

    dice: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    missed: int = 0
    extra: int = 0
    photos: int = 0
    all_right: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(Tally)})

    def as_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return asdict(self)


Measure = Callable[[Networks, Photo, Picture], Tally]


def whole_photo(networks: Networks, photo: Photo, picture: Picture) -> Tally:
    """Find and read the dice of a photograph at the die size that a calibration would have measured."""
    return _tally(photo, read_photo(networks, picture, photo.face_px).dice)


def whole_photo_unsized(networks: Networks, photo: Photo, picture: Picture) -> Tally:
    """Find and read the dice of a photograph about which nothing is known."""
    return _tally(photo, read_photo(networks, picture, None).dice)


def given_places(networks: Networks, photo: Photo, picture: Picture) -> Tally:
    """Read each die where its label says it lies: measures the reader alone."""
    total = Tally(photos=1)
    for die in photo.dice:
        if die.doubtful:
            continue
        height, width = picture.shape[:2]
        x, y = min(max(die.x, 0.0), width - 1.0), min(max(die.y, 0.0), height - 1.0)
        value = read_die(networks, [picture], x, y, die.face_px).value
        total += _one(value, die.value)
    return total + Tally(all_right=int(total.right == total.dice))


def _one(read: int | None, labelled: int) -> Tally:
    return Tally(
        dice=1,
        right=int(read == labelled),
        wrong=int(read is not None and read != labelled),
        unsure=int(read is None),
    )


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


def _tally(photo: Photo, found: Sequence[PhotoDie]) -> Tally:
    """Match what was found with the labels and count; a doubtful die is passed over."""
    if not photo.dice:
        return tally_values(photo.values, found)
    pairs, left = match(photo, found)
    total = Tally(photos=1)
    for die, here in pairs:
        if not die.doubtful:
            total += Tally(dice=1, missed=1) if here is None else _one(here.reading.value, die.value)
    extra = sum(f.reading.value is not None for f in left) if photo.complete else 0
    return total + Tally(extra=extra, all_right=int(total.right == total.dice and not extra))


def tally_values(values: Sequence[int], found: Sequence[PhotoDie]) -> Tally:
    """Count where only the values are known: a sure value that no label is left for is wrong, or extra."""
    labels = list(values)
    right = 0
    for value in (f.reading.value for f in found if f.reading.value is not None):
        if value in labels:
            labels.remove(value)
            right += 1
    sure = sum(f.reading.value is not None for f in found)
    wrong = min(sure - right, len(labels))
    extra = sure - right - wrong
    unsure = min(len(found) - sure, len(labels) - wrong)
    return Tally(
        dice=len(values),
        right=right,
        wrong=wrong,
        unsure=unsure,
        missed=len(labels) - wrong - unsure,
        extra=extra,
        photos=1,
        all_right=int(right == len(values) and not extra),
    )


def measure(networks: Networks, photos: Sequence[Photo], how: Measure) -> dict[str, Tally]:
    """Return the tallies of some photographs by source."""
    cv2.setNumThreads(1)
    tallies: dict[str, Tally] = {}
    for photo in photos:
        tally = how(networks, photo, read_picture(photo.path))
        tallies[photo.source] = tallies.get(photo.source, Tally()) + tally
    return tallies


def table(title: str, tallies: dict[str, Tally], learnt: Sequence[str]) -> str:
    """Return tallies as a table; sources the networks learnt from are marked with a star."""
    names = [f.name for f in fields(Tally)]
    rows = [["source", *(n.replace("_", " ") for n in names), "sure"]]
    for source, tally in sorted(tallies.items()):
        sure = (tally.right + tally.wrong) / max(1, tally.dice)
        mark = "*" if source in learnt else ""
        rows.append([source + mark, *(str(getattr(tally, n)) for n in names), f"{100 * sure:.1f} %"])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join([title, *lines])

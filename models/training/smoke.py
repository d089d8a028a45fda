"""What the training in miniature gets in place of photographs, and whether it learnt anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from models.training.augment import augment
from models.training.bounds import bounds
from models.training.drawn import Crops, crops_of, join
from models.training.evaluate import match
from models.training.networks import Reader
from models.training.optimise import load_weights
from models.training.reader import reader_loss
from models.training.real import LEARNT, Photo, read_picture
from models.training.scene import draw_scene
from vision.network import Networks
from vision.read import read_die
from vision.stills import read_photo

STRANGER = "fudw"
"""A source that may not be learnt from: what stands for it here is what the networks are judged by."""

PHOTOS = {**dict.fromkeys(LEARNT, 1), STRANGER: 6}
"""How many scenes are drawn for each source."""

_SEED = 100
_CHANCE = 1 / 6


@dataclass(frozen=True)
class Learnt:
    """What the networks make of drawn dice they never saw: the reader's loss before and after, and counts of dice."""

    loss_before: float
    loss_after: float
    dice: int
    right: int
    found: int

    def in_words(self) -> str:
        """Say it in one line."""
        return (
            f"on drawn dice never seen: loss {self.loss_before:.2f} before and {self.loss_after:.2f} after, "
            f"{self.right} of {self.dice} values right, {self.found} of {self.dice} dice found"
        )

    def failures(self) -> list[str]:
        """Return what should have been learnt and was not, a line each."""
        wanted = {
            "the reader's loss did not fall": self.loss_after < 0.9 * self.loss_before,
            "the reader is not far better than chance": bounds(self.right, self.dice)[0] > _CHANCE,
            "the locator misses more dice than it finds": 2 * self.found > self.dice,
        }
        return [failure for failure, learnt in wanted.items() if not learnt]


def judge(networks: Networks, weights: Path, photos: Sequence[Photo]) -> Learnt:
    """Judge exported networks, and the weights of the reader among them, by the photographs of the stranger."""
    before, after = Reader().eval(), Reader()
    load_weights(after, weights)
    rng = np.random.default_rng(_SEED)
    unseen = join([crops_of(rng, draw_scene(rng)) for _ in range(20)])
    dice = right = found = 0
    for photo in photos:
        if photo.source != STRANGER:
            continue
        picture = read_picture(photo.path)
        pairs, _ = match(photo, read_photo(networks, picture, photo.face_px).dice)
        dice += len(pairs)
        found += sum(here is not None for _, here in pairs)
        readings = [(read_die(networks, [picture], die.x, die.y, die.face_px), die.value) for die in photo.dice]
        right += sum(reading.likely == value for reading, value in readings)
    return Learnt(_loss(before, unseen), _loss(after, unseen), dice, right, found)


@torch.no_grad()  # type: ignore[untyped-decorator]
def _loss(network: Reader, crops: Crops) -> float:
    """Return the reader's loss on crops augmented as in training, always in the same way."""
    torch.manual_seed(_SEED)
    rng = np.random.default_rng(_SEED)
    seen, wanted, maps = augment(rng, torch.from_numpy(crops.pictures), crops.values, crops.pips)
    return float(reader_loss(network(seen), wanted, maps, torch.from_numpy(crops.known_pips)))

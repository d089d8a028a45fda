"""Drawn films as they are seen, frame after frame, for tests."""

from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from tests.vision.drawn_tray import GEOMETRY, DiePath, HandPath, film
from vision.network import load_networks
from vision.perceive import Perception, Scene


def perceived(
    dice: list[DiePath], hands: Iterable[HandPath] = (), seconds: float = 1.0
) -> Iterator[tuple[Perception, Scene]]:
    """What is seen of dice and hands in a tray that was known empty, and by what."""
    empty = cv2.cvtColor(next(film([])).image, cv2.COLOR_BGR2GRAY)
    perception = Perception(load_networks(), GEOMETRY, np.asarray(empty, np.uint8))
    for frame in film(dice, list(hands), seconds):
        assert not perception.check(frame)
        yield perception, perception.step(frame)

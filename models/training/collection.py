"""Draws scenes as a collection of labelled photographs, to train and to measure where there are no photographs."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from models.training.real import SOURCES
from models.training.scene import UNREADABLE, Scene, draw_scene


def draw_photos(folder: Path, wanted: Mapping[str, int], seed: int = 99) -> None:
    """Write a collection, as `models.training.real` reads it, of as many drawn scenes as wanted of each source.

    All dice of a scene can be read and are labelled. A collection that is there already is kept.
    """
    if (folder / "annotations.csv").exists():
        return
    (folder / "images").mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    images: list[list[str]] = []
    labels: list[list[str]] = []
    for source, count in wanted.items():
        for number in range(count):
            name = f"{source}_{number}.png"
            scene = _readable_scene(rng)
            cv2.imwrite(str(folder / "images" / name), scene.picture)
            images.append([name, "1"])
            labels += _labels(name, source, scene)
    _write(folder / "images.csv", ["file", "all_dice_labelled"], images)
    _write(folder / "annotations.csv", ["file", "source", "value", "x", "y", "w", "h", "note"], labels)


def _readable_scene(rng: np.random.Generator) -> Scene:
    """Draw until a scene has dice and all that it shows can be read."""
    while True:
        scene = draw_scene(rng)
        if scene.dice and scene.complete and all(die.value != UNREADABLE for die in scene.dice):
            return scene


def _labels(name: str, source: str, scene: Scene) -> list[list[str]]:
    rows = []
    for die in scene.dice:
        box = die.face_px / SOURCES[source].face_per_box
        x, y = die.centre + 0.5 - box / 2
        rows.append([name, source, str(die.value), *(f"{v:.2f}" for v in (x, y, box, box)), ""])
    return rows


def _write(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])

"""Judges the networks on frames of the labelled clips in which all dice lie at rest."""

import csv
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from models.training.errors import TrainingError
from models.training.evaluate import Case, judge
from models.training.real import Photo
from models.training.view import Picture
from vision.network import Networks
from vision.stills import read_photo

_FRAMES = 4  # of each rest, evenly spaced: neighbouring frames hardly differ
_FACE_PX = {"tuia_tirada_1.mp4": 63.0, "stock_green_singles.mp4": 131.0}  # measured once, as a calibration would


def _rests(folder: Path) -> dict[str, list[tuple[int, int, tuple[int, ...]]]]:
    """Return, by clip, the first and last frame of every labelled rest and the values that lie there."""
    rests: dict[str, list[tuple[int, int, tuple[int, ...]]]] = defaultdict(list)
    with (folder / "video_events.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if row["event"] == "rest":
                values = tuple(int(v) for v in row["values"].split())
                rests[row["file"]].append((int(row["start_frame"]), int(row["end_frame"]), values))
    return rests


def _frames(path: Path, wanted: set[int]) -> dict[int, Picture]:
    """Return the wanted frames of a clip by number; raises TrainingError if it cannot be read as far as that."""
    clip = cv2.VideoCapture(str(path))
    frames = {}
    try:
        for index in range(max(wanted) + 1):
            there, frame = clip.read()
            if not there:
                raise TrainingError(f"{path}: ends at frame {index}, before the last labelled rest")
            if index in wanted:
                frames[index] = np.asarray(frame, np.uint8)
    finally:
        clip.release()
    return frames


def judge_clips(networks: Networks, folder: Path) -> dict[str, list[tuple[Case, ...]]]:
    """Return by clip the cases of single frames of its rests, with no memory from one frame to the next.

    The die size is given where it was measured and searched for in the others.
    """
    judged = {}
    for name, rests in sorted(_rests(folder).items()):
        chosen = {
            int(index): values for first, last, values in rests for index in np.linspace(first, last, _FRAMES).round()
        }
        frames = _frames(folder / "videos" / name, set(chosen))
        judged[name] = [
            judge(
                Photo(Path(f"{Path(name).stem}_{index}"), name, (), chosen[index], True, None),
                frame,
                read_photo(networks, frame, _FACE_PX.get(name)).dice,
            )
            for index, frame in frames.items()
        ]
    return judged

"""Views of drawn dice that lie flat or lean, as the leaner takes them, and which of them lean: kept seed by seed."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from firmware.commands.simulate import calibrated
from models.lean.measure import AT_DIE, judged
from models.lean.scenes import PAIR, Laid, Still, draw, lay
from models.sim.die import FACE_NORMALS, upmost_face
from models.sim.view import project
from models.training.parallel import spread
from vision.evidence import upright
from vision.geometry import TrayGeometry
from vision.leaner import SHOWN, Upon, View, views
from vision.network import VIEW_MAPS, VIEW_PX, Networks, load_networks
from vision.pairs import side_by_side
from vision.read import Reading, as_likely

Views = npt.NDArray[np.uint8]

PICTURES = (
    ("on_wall", 0),
    ("on_wall", 1),
    ("flat", 0),
    ("on_die", 0),
    ("on_die", 1),
    (PAIR, 0),
    (PAIR, 1),
    ("stacked", 0),
    ("stacked", 1),
)
"""What is drawn of each seed: the kind of its dice, and which one of those."""
MOSTLY_AT_WALL = (0.05, 0.8, 0.15)
"""Where its other dice lie: at the wall is where it is hard to tell."""
OFF = (0.02, 0.015, 0.015)
"""Spreads by which a calibration is wrong: the camera's height and how far aside it is, both as shares of its height,
and the size of the dice: chosen."""
ON: Mapping[Upon, int] = {"wall": 0, "below": 2}
BESIDE = 1
TOWARDS = 0.8
"""Cosine of the angle between the way a die leans and that to what it may lean on, from which on it leans on that."""
HEAP = 10
"""Seeds drawn at once."""
STREAM = 7
"""Tells what a calibration is off by from where dice lie."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Views (n, 7, 48, 48) as bytes, and of each what its die may be `on` (0 a wall, 1 a die beside it, 2 one below),
    and `tilts` and `stacked` as in `Example`."""

    views: Views
    on: npt.NDArray[np.uint8]
    tilts: npt.NDArray[np.float32]
    stacked: npt.NDArray[np.bool_]


def draw_examples(seeds: Sequence[int], out: Path) -> Examples:
    """Draw what is not in a folder yet, on all cores, and give all."""
    out.mkdir(parents=True, exist_ok=True)
    missing = [seed for seed in seeds if not _file(out, seed).exists()]
    heaps = [missing[start : start + HEAP] for start in range(0, len(missing), HEAP)]
    for _ in spread(partial(_draw_heap, out), heaps) if heaps else ():
        pass
    kept = [np.load(_file(out, seed)) for seed in seeds]
    return Examples(*(np.concatenate([one[field.name] for one in kept]) for field in fields(Examples)))


def _file(out: Path, seed: int) -> Path:
    return out / f"{seed}.npz"


def _draw_heap(out: Path, seeds: Sequence[int]) -> None:
    networks = load_networks()
    for seed in seeds:
        told = [one for kind, number in PICTURES for one in examples_of(networks, kind, seed, number)]
        views = np.array([one.view.maps for one in told]).reshape(-1, VIEW_MAPS, VIEW_PX, VIEW_PX)
        unfinished = out / f"{seed}.unfinished.npz"
        np.savez_compressed(
            unfinished,
            views=as_bytes(views),
            on=np.array([ON.get(one.view.on, BESIDE) for one in told], np.uint8),
            tilts=np.array([one.tilt for one in told], np.float32),
            stacked=np.array([one.stacked for one in told], np.bool_),
        )
        unfinished.replace(_file(out, seed))


@dataclass(frozen=True, slots=True)
class Example:
    """A view, the degrees by which its die leans on what is up in it, 0 where it lies flat and NaN where it lies on
    another, and whether it does that (`stacked`)."""

    view: View
    tilt: float
    stacked: bool


def examples_of(networks: Networks, kind: str, seed: int, number: int) -> list[Example]:
    """The views of one picture's dice: where some are stacked of what may be below, else of what is beside them."""
    still = lay(kind, seed, number, MOSTLY_AT_WALL)
    geometry = mismeasured(calibrated(still.setting).geometry, np.random.default_rng([*still.seed, STREAM]))
    picture = draw(still)
    readings = as_likely([die.reading for die, _ in judged(networks, geometry, picture)])
    laid = [_nearest(still, geometry, reading) for reading in readings]
    seen = views(picture, geometry, upright(picture, geometry, readings), side_by_side(geometry, readings))
    asked = [view for view in seen if (view.on == "below") == (kind == "stacked")]
    told = (_example(still, laid[view.index], view) for view in asked)
    return [example for example in told if example is not None]


def mismeasured(geometry: TrayGeometry, rng: np.random.Generator) -> TrayGeometry:
    """The tray as it may have been measured: the camera a little higher or aside, the dice a little larger."""
    assert geometry.lens is not None
    higher, aside, larger = OFF
    height = geometry.lens.place[2]
    x, y, z = geometry.lens.translation
    dx, dy = (rng.normal(size=2) * aside * height).tolist()
    moved = x + dx, y + dy, z + float(rng.normal()) * higher * height
    size = math.exp(float(rng.normal()) * larger)
    lens = replace(geometry.lens, translation=moved)
    return replace(geometry, lens=lens, die_px=geometry.die_px * size, die_mm=geometry.die_mm * size)


def _nearest(still: Still, geometry: TrayGeometry, reading: Reading) -> Laid | None:
    """Which of the dice was read there."""
    far = [(math.dist(still.top_px(die), reading.centre), number) for number, die in enumerate(still.dice)]
    apart, number = min(far)
    return still.dice[number] if apart < AT_DIE * geometry.face_px(*reading.centre) else None


def _example(still: Still, die: Laid | None, view: View) -> Example | None:
    """How the die of a view lies; None where that is not asked of it."""
    if die is None or die.kind == "under":
        return None
    if die.kind in ("flat", "support"):
        return Example(view, 0.0, stacked=False)
    if die.kind == "stacked":
        return Example(view, math.nan, stacked=True)
    up = die.pose.matrix @ FACE_NORMALS[upmost_face(die.pose)[0]]
    x, y, z = die.pose.position
    here, there = project(still.setting.lens, np.array([(x, y, z), (x - up[0], y - up[1], z)]))
    way = (there - here) / np.linalg.norm(there - here)
    towards = float(way @ view.way) / math.hypot(*view.way)
    leans = towards >= TOWARDS and (view.on == "wall") == (die.kind == "on_wall")
    return Example(view, die.tilt, stacked=False) if leans else None


def as_bytes(maps: npt.NDArray[np.float32]) -> Views:
    """Maps in a quarter of the memory."""
    least, most = SHOWN
    return np.asarray(np.round((maps - least) / (most - least) * 255), np.uint8)

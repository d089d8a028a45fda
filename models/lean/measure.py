"""What is said of the dice of drawn pictures, seed by seed, kept as it is done."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np

from firmware.commands.simulate import calibrated
from models.lean.scenes import KINDS, Laid, Still, draw, lay
from models.sim.camera import Picture
from models.sim.die import top_face
from models.training.progress import Progress
from models.tray.results import keep, kept
from models.tray.versions import ROOT, digest
from vision.geometry import TrayGeometry
from vision.judge import Judge, Thing
from vision.locate import locate
from vision.network import Networks
from vision.pairs import BESIDE
from vision.perceive import SIZES
from vision.rest import past
from vision.resting import Resting
from vision.track import Sighting, Track
from vision.wall import AT_WALL

Say = Callable[[str], None]

AT_DIE = 0.5
"""Faces from a die's top within which what is found is that die."""
_CODE = (
    "models/lean/*.py", "models/sim/*.py", "models/sim/*.cpp", "vision/*.py", "models/*.onnx", "models/card.json",
    "models/leaner.json",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """One die: its kind (see `scenes.Laid`), tilt in degrees, whether it has another `beside` it or a wall (`at_wall`),
    and what was said.

    outcome: `asked` where no value was sure, `told` where it was said to be cocked or stacked, `unseen` where it was
    not found; a sure value is `right` or `wrong` of a flat die, `silent` of another. read: whether its face was read.
    """

    kind: str
    tilt: float
    at_wall: bool
    beside: bool
    outcome: str
    read: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """All dice of a seed's `pictures` of each kind, the code that they come from, and the CPU seconds for drawing and
    judging them."""

    seed: int
    pictures: int
    code: str
    draw_s: float
    judge_s: float
    dice: tuple[Said, ...]


def measure(networks: Networks, seeds: Sequence[int], pictures: int, out: Path, say: Say) -> None:
    """Draw and judge the seeds that are not done yet with this code; say how far it is."""
    known = {piece.seed for piece in pieces(seeds, pictures, out)}
    progress, done = Progress("seeds", len(seeds), len(known), say), len(known)
    for seed in (seed for seed in seeds if seed not in known):
        keep(out / "results", f"lean-{seed}", asdict(_measured(networks, seed, pictures)))
        done += 1
        progress.at(done)


def pieces(seeds: Sequence[int], pictures: int, out: Path) -> Iterator[Piece]:
    """What there is of these seeds from the code as it is now."""
    code = _code()
    for seed in seeds:
        try:
            fields = kept(out / "results", f"lean-{seed}")
            piece = Piece(**{**fields, "dice": tuple(Said(**die) for die in fields["dice"])})
        except (OSError, ValueError, TypeError, KeyError):
            continue
        if (piece.code, piece.pictures) == (code, pictures):
            yield piece


def said_of(networks: Networks, still: Still, picture: Picture) -> list[Said]:
    """What is said of every die of a picture (h, w, 3) but those that lie below others."""
    geometry = calibrated(still.setting).geometry
    found = judged(networks, geometry, picture)
    shown = [die for die in still.dice if die.kind != "under"]
    said = []
    for die in shown:
        place = still.top_px(die)
        face = geometry.face_px(*place)
        near = [(seen, read) for seen, read in found if math.dist((seen.x, seen.y), place) < AT_DIE * face]
        seen, read = min(near, key=lambda pair: math.dist((pair[0].x, pair[0].y), place), default=(None, False))
        beside = any(math.dist(still.top_px(other), place) < BESIDE * face for other in shown if other is not die)
        outcome = _outcome(die, top_face(still.setting.dice[0], die.pose)[0], seen)
        said.append(Said(die.kind, die.tilt, geometry.inside(*place) < AT_WALL, beside, outcome, read))
    return said


def judged(networks: Networks, geometry: TrayGeometry, picture: Picture) -> list[tuple[Resting, bool]]:
    """The dice at rest, as in a film in which nothing moves, and whether their faces alone were read surely."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    things = []
    for number, thing in enumerate(locate(networks, grey, geometry.die_px)):
        usual = geometry.face_px(thing.x, thing.y)
        if SIZES[0] < thing.size / usual < SIZES[1] and geometry.inside(thing.x, thing.y) >= 0:
            sighting = Sighting(thing.x, thing.y, thing.size, thing.heat, still=True, near_body=False)
            things.append(Thing(sighting, Track(number, sighting, 0.0, 0.0, sighting), new=True, old=None))
    judge = Judge(networks, geometry)
    dice, tracks = judge.judge(things, past(0.0, grey, geometry.die_px), [picture, picture])
    return [(die, judge.answers[track.number].value is not None) for die, track in zip(dice, tracks, strict=True)]


def _outcome(die: Laid, value: int, seen: Resting | None) -> str:
    if die.kind in ("flat", "support"):
        if seen is not None and seen.value is not None:
            return "right" if seen.value == value else "wrong"
        return "unseen" if seen is None else "told" if seen.state in ("cocked", "stacked") else "asked"
    if seen is None:
        return "unseen"
    if seen.state in ("cocked", "stacked"):
        return "told"
    return "asked" if seen.value is None else "silent"


def _measured(networks: Networks, seed: int, pictures: int) -> Piece:
    draw_s = judge_s = 0.0
    said: list[Said] = []
    for kind in KINDS:
        for number in range(pictures):
            began = time.process_time()
            still = lay(kind, seed, number)
            picture = draw(still)
            drawn = time.process_time()
            said += said_of(networks, still, picture)
            draw_s += drawn - began
            judge_s += time.process_time() - drawn
    return Piece(seed, pictures, _code(), draw_s, judge_s, tuple(said))


def _code() -> str:
    return digest(path for pattern in _CODE for path in ROOT.glob(pattern))

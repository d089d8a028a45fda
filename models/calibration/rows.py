"""Rows of dice judged on pictures that are drawn alone, without filming: pushed together, and carelessly.

Set-ups, cameras and the codec are those of the simulated recordings; the lens is taken as known.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.beside import close_together
from calibration.recording import Recording, dice_at_rest
from calibration.register import lots_of
from calibration.row import agreed, edge_by_row
from models.calibration.examples import filmed
from models.calibration.judge import SCALE
from models.sim.calibration.acts import DUST_MM, places_in_row
from models.sim.calibration.families import DIMMEST
from models.sim.calibration.good import GOOD
from models.sim.calibration.setup import draw_setup
from models.sim.camera import Picture, meter, without_grain
from models.sim.die import PlacedDie, face_up, lowest_point
from models.sim.errors import SimulatorError
from models.sim.film import REST_GRAIN, REST_SAMPLES
from models.sim.pose import Pose
from models.sim.rig import Rig
from models.sim.scene import Scene
from models.sim.tracer import render
from models.sim.view import as_opencv, floor_px_per_mm
from models.training.figures import in_columns
from models.training.parallel import spread
from vision.network import load_networks

STREAM = 616161
"""Tells these set-ups from those of recordings with the same seed."""
DICE = 5
APART_MM = (DUST_MM, 0.9)
"""Between two dice of a row at most: pushed together, and carelessly."""
LOOKS, LOOKS_DOUBT = 0.007, 0.014
"""Spread of what dice's looks tell of their edge, and how far it is off at most in 19 of 20 sets, as the gauge's card
has it."""
READ_SIZE = 0.015
"""Spread of the size at which dice are read."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a row told. off: share by which the edge is larger than it is, None where the row is not believed; doubt:
    share by which it may be off; together: off with what the looks tell, None where they contradict the row."""

    number: int
    family: str
    apart_mm: float
    off: float | None
    doubt: float
    together: float | None


def run(numbers: Sequence[int]) -> list[Judged]:
    """Judge two rows of each number, on all cores; those that find no room are left out."""
    return [judged for both in spread(_both, numbers) for judged in both]


def _both(number: int) -> list[Judged]:
    cv2.setNumThreads(1)
    return [judged for apart_mm in APART_MM if (judged := judge(number, apart_mm)) is not None]


def judge(number: int, apart_mm: float) -> Judged | None:
    """Draw the row of a number, always the same, and see what it tells; None where no set-up or row fits."""
    rng = np.random.default_rng([number, STREAM])
    family = GOOD[int(rng.integers(len(GOOD)))]
    try:
        setting, _ = draw_setup(rng, family.wish)
        look = setting.dice[0]
        places = places_in_row(rng, setting.tray, look.side_mm, DICE, apart_mm)
    except SimulatorError:
        return None
    dice = []
    for (x, y, turn), value in zip(places, rng.permutation(6)[:DICE].tolist(), strict=True):
        rotation = face_up(look, value + 1, turn)
        dice.append(PlacedDie.still(look, Pose((x, y, lowest_point(look, rotation)), rotation)))
    scene = Scene(setting.tray, setting.table, setting.lamps, setting.sky, setting.lens, tuple(dice), (), number)
    face_px = look.side_mm * floor_px_per_mm(setting.lens) * math.exp(rng.normal(0, READ_SIZE))
    networks, seen = load_networks(), _filmed(scene, rng)
    lots = [
        close_together(networks, seen.pictures[-1][1], [(die.lying.x, die.lying.y) for die in lot], face_px)
        for lot in lots_of([die for die in dice_at_rest(seen, networks, face_px) if die.plain])
    ]
    looks = look.side_mm * math.exp(rng.normal(0, LOOKS))
    row = edge_by_row(lots, as_opencv(setting.lens), looks)
    if row is None:
        return Judged(number, family.name, apart_mm, None, 0.0, None)
    both = agreed(row, looks, LOOKS_DOUBT)
    together = None if both is None else both.edge / look.side_mm - 1
    return Judged(number, family.name, apart_mm, row.edge / look.side_mm - 1, row.doubt, together)


def in_words(judged: Sequence[Judged]) -> str:
    """How many rows were told and how far they were off; then every one that is off by more than a scale may be."""
    of_rows = ("rows", "told", "mean", "worst", "within doubt")
    lines: list[list[object]] = [["dice apart", *of_rows, "with looks", "worst", f"> {SCALE:.0%}"]]
    for apart_mm in APART_MM:
        mine = [each for each in judged if each.apart_mm == apart_mm]
        lines.append([f"up to {apart_mm:g} mm", len(mine), *_cells(mine)])
    bad = [each for each in judged if each.together is not None and abs(each.together) > SCALE]
    named = (f"  off: {b.number}, {b.family}, {b.apart_mm:g} mm: {b.together:+.2%} with looks" for b in bad)
    return "\n".join([in_columns(lines), *named])


def _cells(judged: Sequence[Judged]) -> Iterator[object]:
    """told: rows that were believed; within doubt: of these, those within theirs; with looks: not contradicted."""
    off = np.array([each.off for each in judged if each.off is not None])
    doubt = np.array([each.doubt for each in judged if each.off is not None])
    together = np.array([each.together for each in judged if each.together is not None])
    yield len(off)
    yield from (f"{off.mean():+.2%}", f"{np.abs(off).max():.2%}") if len(off) else ("-", "-")
    yield int((np.abs(off) <= doubt).sum())
    yield len(together)
    yield f"{np.abs(together).max():.2%}" if len(together) else "-"
    yield int((np.abs(together) > SCALE).sum())


def _filmed(scene: Scene, rng: np.random.Generator) -> Recording:
    """The row as a video shows it whose exposure is settled."""
    rig = Rig()
    rig.adapt_to(float(rng.uniform(0, DIMMEST)))
    bare = render(replace(scene, dice=()), samples=(4, 4))
    drawn = without_grain(render(scene, samples=REST_SAMPLES), *REST_GRAIN)
    pictures: Sequence[Picture] = filmed([drawn], rig.camera, rig.camera.exposure / meter(bare.rgb), rng)[-2:]
    times = tuple(0.2 * k for k in range(len(pictures)))
    small = np.array([cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in pictures])
    return Recording(times, small, tuple(zip(times, pictures, strict=True)), False)

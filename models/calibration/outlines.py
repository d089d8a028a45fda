"""The floor's outline judged on empty trays that are drawn alone, without filming: more of them in the same time.

Set-ups, cameras and the codec are those of the simulated recordings; where dice came to rest is taken as known.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np

from calibration.outline import find_outline
from calibration.run import POINTS
from calibration.shape import border
from calibration.trace import Outline
from models.calibration.examples import filmed, still
from models.calibration.judge import OUTLINE_MM, outline_error
from models.calibration.sheet import Image, write_tile
from models.sim.calibration.families import DIMMEST
from models.sim.calibration.good import GOOD
from models.sim.calibration.setup import Rng, draw_setup
from models.sim.calibration.truth import camera
from models.sim.camera import meter, without_grain
from models.sim.errors import SimulatorError
from models.sim.film import REST_GRAIN, REST_SAMPLES
from models.sim.rig import Rig
from models.sim.scatter import lay_flat
from models.sim.scene import Scene
from models.sim.script import Setting
from models.sim.tracer import render
from models.sim.view import floor_outline, floor_px_per_mm, project
from models.training.bounds import bounds
from models.training.figures import in_columns, percent
from models.training.parallel import spread
from models.tray.results import keep, kept
from models.tray.versions import calibrating_code, digest, recording_code

Outcome = Literal["right", "off", "asked", "not drawn"]

STREAM = 515151
"""Tells these set-ups from those of recordings with the same seed."""
LAID, DICE = 3, 5
"""So many times so many dice are laid: where they lay is known."""
TRUE_POINTS = 64
_OWN = [Path(__file__).parent / f"{name}.py" for name in ("examples", "judge", "outlines")]


@dataclass(frozen=True, slots=True)
class Empty:
    """A picture of an empty tray, where dice lay on it and how wide their faces were, px, and what is true of it."""

    picture: Image
    places: list[tuple[float, float]]
    die_px: float
    true: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """What was made of the tray of a number. asked: the outline is not sure, or there is none. `off_mm`: None then.

    `by` are hashes of the code that drew, looked and judged.
    """

    number: int
    family: str
    outcome: Outcome
    shape: str
    off_mm: float | None
    cpu_draw_s: float
    cpu_look_s: float
    by: str


def run(numbers: Sequence[int], out: Path) -> list[Judged]:
    """Judge the trays of these numbers, on all cores; what was judged before by this code is not judged again."""
    by = f"{recording_code()} {calibrating_code()} {digest(_OWN)}"
    found = {number: _kept(number, out, by) for number in numbers}
    missing = [number for number, judged in found.items() if judged is None]
    found |= {judged.number: judged for judged in spread(partial(_judged, out=out, by=by), missing)}
    return [judged for judged in found.values() if judged is not None]


def draw_empty(number: int) -> tuple[str, Empty | None]:
    """The family of a number's set-up and its empty tray, always the same; None where no set-up fits together."""
    rng = np.random.default_rng([number, STREAM])
    family = GOOD[int(rng.integers(len(GOOD)))]
    try:
        setting, shape = draw_setup(rng, family.wish)
    except SimulatorError:
        return family.name, None
    dice = [die for _ in range(LAID) for die in lay_flat(rng, setting.tray, [setting.dice[0]] * DICE)]
    places = project(setting.lens, [die.start.position for die in dice])
    die_px = setting.dice[0].side_mm * floor_px_per_mm(setting.lens)
    true = {
        "shape": shape,
        "width": setting.lens.size[0],
        "height": setting.lens.size[1],
        "camera": camera(setting.lens),
        "floor": floor_outline(setting.tray, setting.lens, TRUE_POINTS).tolist(),
    }
    return family.name, Empty(_photographed(setting, rng, number), [(x, y) for x, y in places.tolist()], die_px, true)


def in_words(judged: Sequence[Judged]) -> str:
    """How many outlines were sure and right, by family; then every tray whose outline was not."""
    rows: list[list[object]] = [["family", "trays", "right", "off!", "asked", "right, 95 %", "median, mm", "worst"]]
    for name in [*sorted({each.family for each in judged}), "all"]:
        mine = [each for each in judged if name in (each.family, "all") and each.outcome != "not drawn"]
        if mine:
            rows.append([name, *_cells(mine)])
    draw, look = (sum(getattr(each, name) for each in judged) / 3600 for name in ("cpu_draw_s", "cpu_look_s"))
    lines = [in_columns(rows), "", f"{draw:.2f} CPU h drawing, {look:.2f} CPU h looking for outlines"]
    for each in judged:
        if each.outcome in ("off", "asked"):
            off = "" if each.off_mm is None else f", {each.off_mm:.2f} mm off"
            lines.append(f"  {each.outcome}: {each.number}, {each.family}, {each.shape}{off}")
    return "\n".join(lines)


def _cells(judged: Sequence[Judged]) -> Iterator[object]:
    outcomes = [each.outcome for each in judged]
    right = outcomes.count("right")
    yield from (len(judged), right, outcomes.count("off"), outcomes.count("asked"))
    yield " to ".join(percent(share) for share in bounds(right, len(judged)))
    off = [each.off_mm for each in judged if each.off_mm is not None]
    yield from (f"{float(np.median(off)):.2f}", f"{max(off):.2f}") if off else ("-", "-")


def _judged(number: int, out: Path, by: str) -> Judged:
    """Draw and judge the tray of a number and keep the result; a picture of it where its outline is not right."""
    cv2.setNumThreads(1)
    began = time.process_time()
    family, empty = draw_empty(number)
    drawn = time.process_time()
    if empty is None:
        judged = Judged(number, family, "not drawn", "", None, drawn - began, 0.0, by)
    else:
        outline = find_outline(empty.picture, empty.places, empty.die_px)
        took, told = time.process_time() - drawn, {} if outline is None else {"floor": _floor(outline, empty.picture)}
        off = outline_error(empty.true, told) if outline is not None and outline.sure else None
        outcome: Outcome = "asked" if off is None else "right" if off <= OUTLINE_MM else "off"
        judged = Judged(number, family, outcome, empty.true["shape"], off, drawn - began, took, by)
        path = out / "sheets" / f"{_name(number)}.jpg"
        path.unlink(missing_ok=True)
        if outcome != "right":
            write_tile(path, empty.picture, empty.true, told)
    keep(out / "results", _name(number), asdict(judged))
    return judged


def _floor(outline: Outline, picture: Image) -> list[list[float]]:
    seen = outline.view.lens((picture.shape[1], picture.shape[0])).project(
        border(outline.kind, outline.view.ratio, POINTS)
    )
    points: list[list[float]] = seen.tolist()
    return points


def _photographed(setting: Setting, rng: Rng, number: int) -> Image:
    """The empty tray as a video shows it whose exposure is settled."""
    bare = Scene(setting.tray, setting.table, setting.lamps, setting.sky, setting.lens, (), (), number)
    rig = Rig()
    rig.adapt_to(float(rng.uniform(0, DIMMEST)))
    drawn = render(bare, samples=REST_SAMPLES)
    exposure = rig.camera.exposure / meter(drawn.rgb)
    return still(filmed([without_grain(drawn, *REST_GRAIN)], rig.camera, exposure, rng))


def _kept(number: int, out: Path, by: str) -> Judged | None:
    """The result kept of this number, if this code made it."""
    try:
        judged = Judged(**kept(out / "results", _name(number)))
    except (OSError, ValueError, TypeError):
        return None
    return judged if judged.by == by else None


def _name(number: int) -> str:
    return f"{number:06}"

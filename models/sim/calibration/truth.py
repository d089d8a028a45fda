"""The truth about a calibration recording, as a JSON object: what calibration must find, and what is shown when."""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.sim.calibration.families import Recording
from models.sim.calibration.family import tray_mm
from models.sim.die import PlacedDie, top_face
from models.sim.pose import Pose
from models.sim.scene import Lens, Tray, die_state, floor_edge
from models.sim.script import Lies, Setting, Timeline
from models.sim.view import face_px, floor_outline, floor_px_per_mm, project

OUTLINE_POINTS = 64
REST_S = 0.3
"""Dice shown for less are not told."""


def tell(recording: Recording, seed: int) -> dict[str, Any]:
    """All that is true of it; lengths in mm or px as the names say, places in px of the picture."""
    family, timeline = recording.family, recording.timeline
    setting, clock = timeline.setting, timeline.clock
    lens, tray, look = setting.lens, setting.tray, setting.dice[0]
    shown = list(_shown(timeline))
    return {
        "kind": "calibration",
        "family": family.name,
        "seed": seed,
        "width": lens.size[0],
        "height": lens.size[1],
        "seconds": round(clock.times[-1], 3),
        "fps": clock.fps,
        "given": list(recording.given),
        "reason": family.reason,
        "mm_per_px": round(1 / floor_px_per_mm(lens), 5),
        "die_mm": look.side_mm,
        "die_px": round(die_px(setting), 2),
        **(_outlines(recording) if tray.wall_height_mm > 0 else {"floor": []}),
        "camera": camera(lens),
        "expect": shown[0]["values"] if shown else [],
        "shown": shown,
    }


def _outlines(recording: Recording) -> dict[str, Any]:
    """The tray: its floor's edge, and the inner and outer edge of its rim, clockwise."""
    setting = recording.timeline.setting
    tray, lens = setting.tray, setting.lens
    facts = {"shape": recording.shape, "mm": tray_mm(setting), "wall_height_mm": round(tray.wall_height_mm, 1)}
    return {
        "floor": _px(floor_outline(tray, lens, OUTLINE_POINTS)),
        "rim_inner": _px(rim(tray, lens, tray.wall_slope * tray.wall_height_mm)),
        "rim_outer": _px(rim(tray, lens, tray.wall_width_mm)),
        "tray": facts,
    }


def die_px(setting: Setting) -> float:
    """Mean length in px of the four edges, before rounding, of the upper face of a die flat on the floor's middle."""
    look = setting.dice[0]
    return face_px(setting.lens, PlacedDie.still(look, Pose((0.0, 0.0, look.side_mm / 2))))


def rim(tray: Tray, lens: Lens, out_mm: float) -> NDArray[np.float64]:
    """(n, 2) px: the line on the wall's top that lies `out_mm` outside the floor's edge, all round."""
    wider = Tray(
        tuple((nx, ny, d + out_mm) for nx, ny, d in tray.sides),
        tray.floor,
        tray.wall,
        tray.rim,
        tray.circle_mm and tray.circle_mm + out_mm,
    )
    edge = floor_edge(wider, OUTLINE_POINTS)
    return project(lens, np.column_stack([edge, np.full(len(edge), tray.wall_height_mm)]))


def camera(lens: Lens) -> dict[str, Any]:
    """The lens in OpenCV's terms (fx = fy) and where it is: mm from the floor's middle, x right, y down, z up."""
    return {
        "height_mm": round(lens.position[2], 1),
        "tilt_deg": round(math.degrees(math.acos(min(1.0, lens.pose.matrix[2, 2]))), 2),
        "focal_px": round(lens.focal_px, 2),
        "centre_px": list(lens.centre_px),
        "k1": round(lens.k1, 5),
        "k2": round(lens.k2, 5),
        "position_mm": list(lens.position),
        "rotation": list(lens.rotation),
    }


def _shown(timeline: Timeline) -> Iterator[dict[str, Any]]:
    """Every spell in which all dice in the tray lie still and no hand is there: their values, left to right."""
    setting = timeline.setting
    changes = {chapter.since for story in timeline.stories for chapter in story}
    changes |= {moment for visit in timeline.visits for moment in (visit.start, visit.end)}
    last = timeline.clock.taken[-1]
    moments = [*sorted(t for t in changes if t < last), last]
    for start, end in pairwise(moments):
        if end - start < REST_S or timeline.visits_at(start):
            continue
        chapters = [timeline.chapter(die, start) for die in range(len(setting.dice))]
        dice = [
            (float(project(setting.lens, chapter.pose.position)[0, 0]), look, chapter.pose)
            for look, chapter in zip(setting.dice, chapters, strict=True)
            if isinstance(chapter, Lies) and die_state(setting.tray, look, chapter.pose) == "flat"
        ]
        if not dice or any(not isinstance(chapter, Lies) for chapter in chapters):
            continue
        dice.sort(key=lambda die: die[0])
        yield {
            "from": round(start, 3),
            "until": round(end, 3),
            "values": [top_face(look, pose)[0] for _, look, pose in dice],
            "px": _px(np.concatenate([project(setting.lens, pose.position) for _, _, pose in dice])),
        }


def _px(points: NDArray[np.float64]) -> list[list[float]]:
    rounded: list[list[float]] = points.round(2).tolist()
    return rounded

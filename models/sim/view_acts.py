"""Scenarios in which something befalls the view: the light, the lens, the camera's stand, the tray, the frames."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from models.sim.conditions import COVER_S, Cover, Defocus, Drift, Glare, Push, Relight, Spoiled
from models.sim.scenario import Scenario
from models.sim.scene import Lamp, Sky
from models.sim.script import Setting
from models.sim.stage import Stage
from models.sim.time_acts import throw_of_any_roll, unseen
from models.sim.turns import ALL, choose_best, counted, first_roll, next_roll, to_reroll

Befall = Callable[[Stage, float, float], None]
"""Something befalls the view between two moments."""

MEASURED_S = 0.4
"""Where the tray lies in the picture is certain so long after a push."""
SETTLED_S = 1.0
"""Light that stays for so long is the light from now on."""
DARK_S = (1.0, 2.2)
"""So long a lamp is out: the exposure follows, and has settled a little later; it is another light from then on."""


def _covered(stage: Stage, start: float, end: float) -> None:
    stage.rig.meets(covers=Cover(start, end, float(stage.rng.uniform(0, 2 * math.pi))))
    stage.rig.lose("blocked", start + COVER_S / 3, end - COVER_S / 3)


def _out_of_focus(stage: Stage, start: float, end: float) -> None:
    face = stage.setting.dice[0].side_mm * stage.setting.lens.focal_px / stage.setting.lens.position[2]
    stage.rig.meets(defocus=Defocus(start, end, face * float(stage.rng.uniform(0.14, 0.25))))
    stage.rig.lose("out_of_focus", start, end)


def _glare(stage: Stage, start: float, end: float) -> None:
    """A patch of light as large as two to four dice, over a die if one lies there."""
    lens, rng = stage.setting.lens, stage.rng
    per_mm = lens.focal_px / lens.position[2]
    spots = [pose.position for pose in stage.lying().values()] or [(0.0, 0.0, 0.0)]
    spot = spots[int(rng.integers(len(spots)))]
    x, y = (float(v) for v in np.asarray(lens.centre_px) + (np.asarray(spot[:2]) - lens.position[:2]) * per_mm)
    reach = (float(rng.uniform(30, 55)) * per_mm, float(rng.uniform(30, 55)) * per_mm)
    stage.rig.meets(glares=Glare(start, end, (x, y), reach, float(rng.uniform(1.5, 3.0))))
    stage.rig.lose("glare", start + 0.08, end - 0.08)


def _spoiled(stage: Stage, start: float, end: float) -> None:
    stage.rig.meets(spoiled=Spoiled(start, end, "torn" if stage.rng.random() < 0.5 else "grey"))
    stage.rig.lose("frames_bad", start, end)


def _dark(stage: Stage, start: float, end: float) -> None:
    """The lamp goes out and on again."""
    usual = stage.setting
    dim = Sky(_dimmed(usual.sky.zenith), _dimmed(usual.sky.horizon))
    stage.rig.meets(relights=Relight(start, (), dim), adapts=True)
    stage.rig.meets(relights=Relight(end, usual.lamps, usual.sky))
    stage.rig.lose("light_changed", start, end + SETTLED_S)


def _lamp_comes(stage: Stage, start: float, end: float) -> None:
    """A strong lamp is switched on beside the tray, and stays."""
    rng, usual = stage.rng, stage.setting
    around, height, power = rng.uniform(0, 2 * math.pi), rng.uniform(450, 700), rng.uniform(3.5, 5.0)
    place = (float(320 * math.cos(around)), float(320 * math.sin(around)), float(height))
    light = float(power * (math.hypot(320, height) / 1000) ** 2)
    lamp = Lamp(place, float(rng.uniform(40, 90)), (light, light * 0.95, light * 0.85))
    stage.rig.meets(relights=Relight(start, (*usual.lamps, lamp), usual.sky), adapts=True)
    stage.rig.lose("light_changed", start, end)


def _dimmed(colour: tuple[float, float, float]) -> tuple[float, float, float]:
    r, g, b = (0.22 * v for v in colour)
    return (r, g, b)


def _knocked(stage: Stage, start: float, end: float) -> None:
    """The camera swings away and back."""
    push = _push(stage, start, (start + end) / 2, "camera", (10.0, 28.0))
    back = replace(push, start=push.end, end=end, x=-push.x, y=-push.y, turn=-push.turn)
    stage.rig.meets(pushes=push)
    stage.rig.meets(pushes=back)
    stage.rig.lose("camera_moved", start, end)


def _pushed_and_put_back(stage: Stage, start: float, end: float) -> None:
    """The camera is pushed, stays so, and is put back: each time it is seen anew where the tray lies now."""
    push = _push(stage, start, start + 0.25, "camera", (10.0, 25.0))
    stage.rig.meets(pushes=push)
    stage.rig.meets(pushes=replace(push, start=end - 0.5, end=end, x=-push.x, y=-push.y, turn=-push.turn, swings=0.0))
    stage.rig.lose("camera_moved", start, push.end + MEASURED_S)
    stage.rig.lose("camera_moved", end - 0.5, end + MEASURED_S)


def _tray_pushed(stage: Stage, start: float, end: float) -> None:
    """The tray is pushed over the table with the dice in it, and stays where it is."""
    stage.rig.meets(pushes=_push(stage, start, end, "tray", (8.0, 30.0)))
    stage.rig.lose("tray_moved", start, end)


def _push(stage: Stage, start: float, end: float, what: str, far: tuple[float, float]) -> Push:
    rng = stage.rng
    way, along, turn = rng.uniform(*far), rng.uniform(0, 2 * math.pi), rng.normal(0, math.radians(2))
    x, y = float(way * math.cos(along)), float(way * math.sin(along))
    swings = float(rng.integers(0, 3)) if what == "camera" else 0.0
    return Push(start, end, "camera" if what == "camera" else "tray", x, y, float(turn), swings)


def _at_rest(befall: Befall, lasts: tuple[float, float]) -> Callable[[Stage], None]:
    """It happens while the dice lie there, and play goes on."""

    def act(stage: Stage) -> None:
        ann = stage.setting.players[0]
        first_roll(stage, ann)
        end = stage.clock + float(stage.rng.uniform(*lasts))
        befall(stage, stage.clock, end)
        stage.clock = max([end, *(lost.end for lost in stage.rig.conditions.lost)]) + float(stage.rng.uniform(0.8, 1.2))
        next_roll(stage, ann, 2, to_reroll(stage, 3))
        choose_best(stage, ann, ann)

    return act


def _in_throw(befall: Befall, longer: tuple[float, float]) -> Callable[[Stage], None]:
    """It happens while the dice roll, and is over when they have come to rest: they are thrown again."""

    def act(stage: Stage) -> None:
        roll, again = throw_of_any_roll(stage)
        release, rest = stage.last_fall()
        start = release + float(stage.rng.uniform(0.1, 0.3))
        befall(stage, start, max(rest, start + 0.3) + float(stage.rng.uniform(*longer)))
        unseen(stage, start, roll, again)

    return act


def _exposure_drifts(stage: Stage) -> None:
    """Automatic exposure and white balance wander all the time, and nothing is lost."""
    ann = stage.setting.players[0]
    stage.rig.meets(drift=Drift(0.18, float(stage.rng.uniform(0.005, 0.015)), float(stage.rng.uniform(0, 6.28))))
    first_roll(stage, ann)
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    next_roll(stage, ann, 3, to_reroll(stage, 2))
    choose_best(stage, ann, ann)


def _frames_spoiled(stage: Stage) -> None:
    """Now and then one frame is grey or torn, also in the throw: too short to lose the view. Later many are."""
    ann, rng = stage.setting.players[0], stage.rng
    stage.throw(ann, ALL)
    counted(stage, ann, 1)
    one = 0.7 / stage.rig.fps
    for moment in np.sort(rng.uniform(0.3, stage.clock - 0.2, 5)):
        stage.rig.meets(spoiled=Spoiled(float(moment), float(moment) + one, "torn" if rng.random() < 0.6 else "grey"))
    end = stage.clock + float(rng.uniform(0.4, 1.2))
    _spoiled(stage, stage.clock, end)
    stage.clock = end + float(rng.uniform(0.8, 1.2))
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    choose_best(stage, ann, ann)


def _bare_table(setting: Setting) -> Setting:
    """Nothing beside the tray that would have to move with the table."""
    return replace(setting, clutter=(), idle_dice=())


def _both(name: str, about: str, befall: Befall, lasts: tuple[float, float]) -> Sequence[Scenario]:
    """It happens at rest, and in another scenario while dice roll."""
    return (
        Scenario(name, f"{about} while dice lie", _at_rest(befall, lasts), dress=_bare_table),
        Scenario(f"{name}_in_throw", f"{about} while dice roll: they are thrown again", _in_throw(befall, (0.2, 0.6)),
                 dress=_bare_table),
    )  # fmt: skip


VIEW_ACTS = (
    *_both("lens_covered", "something is held before the lens", _covered, (0.7, 2.0)),
    *_both("focus_hunts", "the focus goes and comes back", _out_of_focus, (0.35, 1.0)),
    *_both("glare_comes", "a lamp is mirrored on floor and dice", _glare, (0.8, 2.5)),
    *_both("lamp_off", "the lamp goes out and on again", _dark, DARK_S),
    *_both("camera_knocked", "the camera is knocked and swings back", _knocked, (0.5, 1.0)),
    Scenario(
        "lamp_on", "another lamp is switched on while dice lie", _at_rest(_lamp_comes, (1.5, 1.6)), dress=_bare_table
    ),
    Scenario("camera_bumped", "the camera is pushed and later put back", _at_rest(_pushed_and_put_back, (3.0, 5.0))),
    Scenario("tray_moved", "the tray is pushed with its dice", _at_rest(_tray_pushed, (0.4, 0.9)), dress=_bare_table),
    Scenario("exposure_drifts", "automatic exposure and white balance wander", _exposure_drifts),
    Scenario("frames_spoiled", "single frames are grey or torn, then many", _frames_spoiled),
    Scenario("frames_spoiled_in_throw", "grey or torn frames while dice roll", _in_throw(_spoiled, (0.2, 0.6))),
)

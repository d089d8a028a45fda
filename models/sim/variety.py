"""What else differs from table to table: dice as they are sold, hard floors, a stand that sways, a camera that adapts.

Dice still stand out from the floor and pips from their dice, as on those that a club would lay out for a match.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from models.sim.clutter import papers
from models.sim.conditions import Drift, Sway
from models.sim.die import Colour, DieLook
from models.sim.errors import SimulatorError
from models.sim.looks import random_look
from models.sim.physics import Surface
from models.sim.rooms import random_material
from models.sim.scene import Material
from models.sim.script import Setting

Rng = np.random.Generator

OTHER_DICE, MIXED, OTHER_FLOOR, PAPERS, SWAYS, ADAPTS = 0.4, 0.35, 0.35, 0.25, 0.25, 0.35
"""How often each of these is met, other dice on every other floor, too; MIXED: of these, five that all differ."""
BODY_APART, PIPS_APART = 0.3, 0.45
"""How far each colour of bodies differs from each of the floor, and of pips from each of bodies, as a picture shows
them."""
DICE_MM = (14.0, 18.0)
TRIES = 400


def other_looks(setting: Setting, rng: Rng) -> Setting:
    """The setting with other dice, another floor or paper beside the tray, or as it is.

    Raises:
        SimulatorError: no die stands out from the floor.
    """
    chances = rng.random(3)
    if chances[0] < OTHER_FLOOR:
        setting = _on_another_floor(setting, rng)
    if chances[1] < OTHER_DICE or chances[0] < OTHER_FLOOR:
        setting = replace(setting, dice=_other_dice(setting, rng))
    return papers(setting, rng) if chances[2] < PAPERS else setting


def other_views(rng: Rng) -> dict[str, Any]:
    """What a recording meets all the time: conditions by their names in `Conditions`, none or several."""
    found: dict[str, Any] = {}
    sways, adapts = rng.random(2)
    if sways < SWAYS:
        most = float(rng.uniform(0.05, 0.2))
        found["sway"] = Sway(most, float(rng.uniform(0.4, 2.5)), float(rng.uniform(0, 2 * math.pi)))
    if adapts < ADAPTS:
        found["sees_hands"] = float(rng.uniform(0.05, 0.25))
        found["drift"] = Drift(float(rng.uniform(0.01, 0.03)), float(rng.uniform(0.0, 0.01)), float(rng.uniform(0, 6)))
    return found


def _on_another_floor(setting: Setting, rng: Rng) -> Setting:
    """A floor of any make; dice roll farther on a hard one, and rock longer."""
    floor = random_material(rng, "floor")
    soft = floor.texture in ("felt", "cloth")
    friction, deadness = float(rng.uniform(0.3, 0.45)), float(rng.uniform(0.6, 0.7))
    surface = setting.surface if soft else Surface(friction, deadness, 0.00015)
    return replace(setting, tray=replace(setting.tray, floor=floor), surface=surface)


def _other_dice(setting: Setting, rng: Rng) -> tuple[DieLook, ...]:
    """Dice of one size that stand out from the floor: alike, or each of another make."""
    side, count = float(np.clip(rng.normal(16, 1), *DICE_MM)), len(setting.dice)
    if rng.random() < MIXED:
        return tuple(_plain_die(setting.tray.floor, side, rng) for _ in range(count))
    return (_plain_die(setting.tray.floor, side, rng),) * count


def _plain_die(floor: Material, side_mm: float, rng: Rng) -> DieLook:
    """A die of any make that stands out from a floor, with pips that stand out from it.

    Raises:
        SimulatorError: there is none.
    """
    grounds = floor_as_pictured(floor)
    for _ in range(TRIES):
        look = random_look(rng, side_mm)
        body, pips = body_as_pictured(look), [as_pictured(face.colour) for face in look.faces]
        if apart(body, grounds) >= BODY_APART and apart(body, pips) >= PIPS_APART:
            return look
    raise SimulatorError("no die of those sold stands out from this floor: choose another --seed")


def apart(colours: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> float:
    """How far the nearest of some colours is from the nearest of others, each (3,) as a picture shows it."""
    return min(math.dist(colour, other) for colour in colours for other in others)


def body_as_pictured(look: DieLook) -> list[np.ndarray]:
    """The colours of a die's body, both and their mean where it is marbled, each (3,) as a picture shows it, 0..1."""
    return _ends_and_mean(look.colour, look.second_colour) if look.marbling else [as_pictured(look.colour)]


def floor_as_pictured(floor: Material) -> list[np.ndarray]:
    """Both colours of a floor's texture and their mean, each (3,) as a picture shows it, 0..1."""
    return _ends_and_mean(floor.colour, floor.second_colour)


def _ends_and_mean(colour: Colour, second: Colour) -> list[np.ndarray]:
    return [as_pictured(colour), as_pictured(second), as_pictured(colour, second)]


def as_pictured(*colours: Colour) -> np.ndarray:
    """(3,) the mean of linear colours, as a picture shows it, 0..1."""
    return np.asarray(np.mean(colours, axis=0) ** (1 / 2.2))

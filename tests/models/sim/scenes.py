"""Scenes for the tests of the simulated tray."""

from models.sim.die import PlacedDie, face_up
from models.sim.looks import NAMED_DICE
from models.sim.pose import Pose
from models.sim.rooms import NAMED_LIGHTS, NAMED_TABLES, NAMED_TRAYS, lens_over
from models.sim.scene import Scene


def scene_of(tray_name: str, light_name: str, dice: tuple[str, ...], size: tuple[int, int] = (320, 240)) -> Scene:
    """Dice number k, showing k + 1, at fixed places in a named tray."""
    tray, light = NAMED_TRAYS[tray_name], NAMED_LIGHTS[light_name]
    places = ((-55.0, -20.0), (-10.0, 45.0), (30.0, -45.0), (60.0, 25.0), (5.0, 0.0))
    placed = []
    for k, (name, (x, y)) in enumerate(zip(dice, places, strict=False)):
        look = NAMED_DICE[name]
        placed.append(PlacedDie.still(look, Pose((x, y, look.side_mm / 2), face_up(look, k + 1, 0.5 + 1.3 * k))))
    return Scene(tray, NAMED_TABLES["desk"], light.lamps, light.sky, lens_over(tray, size), tuple(placed), seed=3)

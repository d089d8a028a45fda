"""Lays dice in a tray without physics: flat, side by side, leaning or in the air; and holds a hand over them."""

import math
from dataclasses import replace

import numpy as np

from models.sim.die import Colour, DieLook, PlacedDie, face_up, lowest_point
from models.sim.hand import CLOSING_STEPS, HandMake, bodies, hand_shape
from models.sim.looks import any_colour, hsv, random_look
from models.sim.pose import Pose, about, multiply, random_rotation, rotation_matrix
from models.sim.scene import Body, Tray, floor_edge, room_inside

Rng = np.random.Generator

TOUCHING = 0.18
"""Share of dice laid against another one."""

_HANDS = tuple(HandMake((0.5, 0.3, 0.2), (0.3, 0.3, 0.3), left=left) for left in (False, True))
"""Baked once; each drawn hand gets colours of its own."""

_FINGERS_MM = 95.0
"""From the wrist to about the middle of the fingers."""

_GAP_MM = 0.15
_TRIES = 60


def random_dice(
    rng: Rng, tray: Tray, leaning: float = 0.06, flying: float = 0.06, one_size: bool = False
) -> tuple[PlacedDie, ...]:
    """2 to 6 dice, alike in half of the cases, a share of them leaning on an edge or in the air.

    With `one_size` they are as equally large as the dice of one player are.
    """
    count = int(rng.choice([5, 5, 5, 4, 3, 2, 6]))
    first = random_look(rng)
    alike = rng.random() < 0.55
    looks = [first if alike else _another(rng, first, one_size) for _ in range(count)]
    if alike and rng.random() < 0.15:
        looks[0] = _another(rng, first, one_size)
    dice = lay_flat(rng, tray, looks)
    return tuple(_disturbed(rng, die, leaning, flying) for die in dice)


def _another(rng: Rng, first: DieLook, one_size: bool) -> DieLook:
    """Another make; with `one_size` one whose sides differ by 3 % at most, the first again where none turns up."""
    if not one_size:
        return random_look(rng)
    looks = (random_look(rng) for _ in range(_TRIES))
    return next((look for look in looks if abs(look.side_mm / first.side_mm - 1) < 0.03), first)


def lay_flat(rng: Rng, tray: Tray, looks: list[DieLook]) -> list[PlacedDie]:
    """Dice flat on the floor, any value up, none overlapping; some against another; as many as find a place."""
    half_width, half_height = np.abs(floor_edge(tray, 64)).max(axis=0)
    laid: list[tuple[PlacedDie, float]] = []
    for look in looks:
        for _ in range(_TRIES):
            if laid and rng.random() < TOUCHING:
                beside, yaw = laid[int(rng.integers(len(laid)))]
                x, y, yaw = _against(rng, beside, yaw, look)
            else:
                x, y = rng.uniform(-half_width, half_width), rng.uniform(-half_height, half_height)
                yaw = rng.uniform(0, 2 * math.pi)
            if room_inside(tray, x, y) < 0.72 * look.side_mm or not _free(laid, look, x, y, yaw):
                continue
            turn = face_up(look, int(rng.integers(1, 7)), yaw)
            laid.append((PlacedDie.still(look, Pose((x, y, look.side_mm / 2), turn)), yaw))
            break
    return [die for die, _ in laid]


def _against(rng: Rng, beside: PlacedDie, yaw: float, look: DieLook) -> tuple[float, float, float]:
    """Place and yaw of a die that lies against a side of another one, shifted along it."""
    side = yaw + int(rng.integers(4)) * math.pi / 2
    away = (look.side_mm + beside.look.side_mm) / 2 + _GAP_MM
    along = rng.normal() * 0.3 * look.side_mm
    x, y, _ = beside.start.position
    return (
        x + away * math.cos(side) - along * math.sin(side),
        y + away * math.sin(side) + along * math.cos(side),
        yaw,
    )


def _free(laid: list[tuple[PlacedDie, float]], look: DieLook, x: float, y: float, yaw: float) -> bool:
    """Whether no other die is in the way; dice turned alike may lie closer than any others."""
    for other, other_yaw in laid:
        reach = (look.side_mm + other.look.side_mm) / 2
        dx, dy = x - other.start.position[0], y - other.start.position[1]
        turned = (yaw - other_yaw + math.pi / 4) % (math.pi / 2) - math.pi / 4
        if abs(turned) < 1e-6:
            cos, sin = math.cos(yaw), math.sin(yaw)
            if max(abs(dx * cos + dy * sin), abs(dy * cos - dx * sin)) < reach:
                return False
        elif math.hypot(dx, dy) < reach * math.sqrt(2):
            return False
    return True


def _disturbed(rng: Rng, die: PlacedDie, leaning: float, flying: float) -> PlacedDie:
    kind = rng.random()
    x, y, _ = die.start.position
    if kind < leaning:
        tilt = math.radians(rng.uniform(15, 45))
        turn = multiply(about((*rng.normal(size=2), 0.0), tilt), die.start.rotation)
        pose = Pose((x, y, lowest_point(die.look, turn) + 0.05), turn)
        return PlacedDie.still(die.look, pose)
    if kind < leaning + flying:
        turn = random_rotation(rng)
        height = lowest_point(die.look, turn) + abs(rng.normal()) * 25
        speed = float(rng.choice([0, 3, 10, 25]))
        end_x, end_y, end_z = (x, y, height) + rng.normal(size=3) * speed * (1, 1, 0.4)
        spin = multiply(about(rng.normal(size=3), float(rng.choice([0, 0.2, 0.7]))), turn)
        end = Pose((float(end_x), float(end_y), max(float(end_z), 0.55 * die.look.side_mm)), spin)
        return replace(die, start=Pose((x, y, height), turn), end=end)
    return die


def random_hand(rng: Rng, tray: Tray) -> tuple[Body, ...]:
    """A hand with its sleeve over the tray, fingers above a place on the floor, arm from anywhere, sometimes moving."""
    make, closing = _HANDS[int(rng.integers(len(_HANDS)))], int(rng.integers(CLOSING_STEPS))
    turn = multiply(about((0, 0, 1), rng.uniform(0, 2 * math.pi)), about((0, 1, 0), rng.uniform(-0.1, 0.35)))
    turn = multiply(turn, about((1, 0, 0), rng.normal() * 0.25))
    matrix = rotation_matrix(turn)
    lowest = float((hand_shape(make, closing).points @ matrix[2]).min())
    target = rng.uniform(-0.8, 0.8, 2) * np.abs(floor_edge(tray, 32)).max(axis=0)
    x, y = target - matrix[:2, 0] * _FINGERS_MM
    place = np.array([x, y, rng.uniform(18, 80) - lowest])
    moved = place + rng.normal(size=3) * float(rng.choice([0, 4, 12]))
    start, end = (Pose((float(p[0]), float(p[1]), float(p[2])), turn) for p in (place, moved))
    hand, sleeve = bodies(make, closing, start, end)
    skin = hsv(rng.uniform(0.045, 0.065), rng.uniform(0.38, 0.6), rng.uniform(0.35, 0.92))
    cloth = any_colour(rng)
    return (
        replace(hand, colour=skin, second_colour=_lighter(skin, 1.35)),
        replace(sleeve, colour=cloth, second_colour=_lighter(cloth, 1.3)),
    )


def _lighter(colour: Colour, factor: float) -> Colour:
    red, green, blue = (min(c * factor, 0.95) for c in colour)
    return (red, green, blue)

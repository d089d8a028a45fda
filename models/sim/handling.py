"""What hands do to dice that lie there: push them along the floor, carry them elsewhere, set them down."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.sim.die import DieLook, face_up, lowest_point, upmost_face
from models.sim.errors import SimulatorError
from models.sim.gesture import Key, Player, Visit, body_points, hand_turn, own_turn
from models.sim.hand import carried
from models.sim.moves import reach_down, reaching_order
from models.sim.physics import RATE_HZ, Fall
from models.sim.pose import Pose, Vec3, about, multiply, rotation_matrix
from models.sim.scene import room_inside
from models.sim.script import GRASP_S, Carried, Lies, Moved
from models.sim.stage import Stage

PITCH, CLOSED = 0.42, 1 / 3
"""How the hand is held whose fingertips push a die."""
TIP_MM = 5.0
"""From the middle of a fingertip to the die that it pushes."""
NEAR_SIDES = 1.3
"""A die that is pushed comes no nearer to another one."""
TRIES = 400

Places = Mapping[int, tuple[float, float]]
"""By die the place on the floor that it is brought to, mm."""
Whereto = Callable[[Stage, Player, Sequence[int]], Places]
"""Finds places for the dice that a player moves."""


class _InTheWay(Exception):
    """A die would be pushed into another one or into the wall."""


@dataclass(frozen=True, slots=True)
class _Push:
    """One die pushed within a visit: from contact at `start` until `end`, from behind or by fingertips upon it."""

    die: int
    start: float
    end: float
    behind: bool
    twist: float


def push(stage: Stage, player: Player, dice: Sequence[int], whereto: Whereto, holding: Sequence[int] = ()) -> None:
    """The player's fingers push these dice along the floor, one after the other, and leave.

    A die that goes away from the player is pushed from behind, others are dragged with a fingertip. Before that the
    hand takes up the dice that it is `holding` meanwhile, and carries away.

    Raises:
        SimulatorError: wherever they go, a die would be pushed into another or into the wall.
    """
    for _ in range(TRIES):
        try:
            return _push(stage, player, whereto(stage, player, dice), holding)
        except _InTheWay:
            continue
    raise SimulatorError("the dice cannot be pushed anywhere: choose another --seed")


def _push(stage: Stage, player: Player, places: Places, holding: Sequence[int]) -> None:
    pushes: list[_Push] = []
    keys = [Key(stage.clock, outside := stage.out_of_sight(player), closed=CLOSED)]
    lying = stage.lying()
    held = reaching_order(player, {die: lying[die] for die in holding})
    if held:
        keys = list(stage.taking(player, held).keys[:-1])
    for die, place in places.items():
        begin, end = np.asarray(lying[die].position[:2]), np.asarray(place)
        along = (end - begin) / max(float(np.linalg.norm(end - begin)), 1e-6)
        behind = float(along @ player.outward) < -0.6
        touch = _contact(stage, player, die, along if behind else None)
        there = (touch[0] + float(end[0] - begin[0]), touch[1] + float(end[1] - begin[1]), touch[2])
        ahead = float(np.linalg.norm(np.asarray(touch) - keys[-1].place))
        t = keys[-1].t + (float(stage.rng.uniform(0.38, 0.5)) if not pushes else 0.12 + ahead / 800)
        start = t + 0.14
        stop = start + 0.12 + float(np.linalg.norm(end - begin)) / float(stage.rng.uniform(160, 420))
        keys += [
            _key(player, t, _raised(touch, 30.0)),
            _key(player, start, touch),
            _key(player, stop, there),
            _key(player, stop + 0.13, _raised(there, 34.0)),
        ]
        pushes.append(_Push(die, start, stop, behind, 0.0 if behind else float(stage.rng.uniform(-0.35, 0.35))))
    keys.append(Key(keys[-1].t + float(stage.rng.uniform(0.38, 0.55)), outside, closed=CLOSED))
    visit = Visit(player, tuple(keys))
    ways = _ways(stage, visit, pushes)
    index = stage.enter(visit)
    if held:
        stage.taken(visit, index, held)
    for pushed, way in zip(pushes, ways, strict=True):
        stage.tell(pushed.die, Moved(pushed.start, way, index, pushed.behind))
        stage.tell(pushed.die, Lies(pushed.start + way.seconds, way.last))
    stage.clock = visit.end + float(stage.rng.uniform(0.45, 1.0))


def put_down(stage: Stage, player: Player, poses: Mapping[int, Pose]) -> None:
    """The player's hand comes with these dice, sets them down one after the other, and leaves."""
    order = reaching_order(player, poses)
    keys = [Key(stage.clock, outside := stage.out_of_sight(player), closed=1.0)]
    moments = {}
    for n, die in enumerate(order):
        ahead = float(np.linalg.norm(np.asarray(poses[die].position) - keys[-1].place))
        t = keys[-1].t + (0.42 if n == 0 else 0.1 + ahead / 900)
        keys += reach_down(poses[die].position, t, 0.8 - 0.4 * (n + 1) / len(order))
        moments[die] = keys[-2].t
    keys.append(Key(keys[-1].t + 0.5, outside, closed=0.33))
    visit = Visit(player, tuple(keys))
    index = stage.enter(visit)
    places = carried(player.make, len(order), stage.setting.dice[order[0]].side_mm)
    for die, place in zip(order, places, strict=True):
        turn = own_turn(visit.at(moments[die], stage.setting.tray, []).wrist, poses[die])
        stage.tell(die, Carried(visit.start, index, place, turn))
        stage.tell(die, Carried(moments[die], index, place, turn, laid_at=poses[die]))
        stage.tell(die, Lies(moments[die] + GRASP_S, poses[die]))
    stage.clock = visit.end + float(stage.rng.uniform(0.45, 1.0))


def carry(stage: Stage, player: Player, poses: Mapping[int, Pose]) -> None:
    """The player's hand picks up one die after the other, sets each down at its new place, and leaves."""
    lying = stage.lying()
    moves = {die: (lying[die], pose) for die, pose in poses.items()}
    visit = carrying(stage, player, list(moves.values()))
    set_elsewhere(stage, visit, stage.enter(visit), moves)
    stage.clock = visit.end + float(stage.rng.uniform(0.45, 1.0))


def carrying(stage: Stage, player: Player, moves: Sequence[tuple[Pose, Pose]]) -> Visit:
    """The visit of a hand that carries a die from a pose to another, and so on: three keys for each of them."""
    keys = [Key(stage.clock, outside := stage.out_of_sight(player), closed=0.35)]
    for pose in (pose for move in moves for pose in move):
        ahead = float(np.linalg.norm(np.asarray(pose.position) - keys[-1].place))
        t = keys[-1].t + (0.42 if len(keys) == 1 else 0.12 + ahead / 800)
        keys += reach_down(pose.position, t, 0.55)
    return Visit(player, (*keys, Key(keys[-1].t + 0.5, outside, closed=0.35)))


def set_elsewhere(stage: Stage, visit: Visit, index: int, moves: Mapping[int, tuple[Pose, Pose]]) -> None:
    """The dice that a hand takes up and sets down in a visit with the keys of `carrying`, from where to where."""
    (place,) = carried(visit.player.make, 1, max(stage.setting.dice[die].side_mm for die in moves))
    for n, (die, (lay, lies)) in enumerate(moves.items()):
        grab, moment = visit.keys[2 + 6 * n].t, visit.keys[5 + 6 * n].t
        taken = own_turn(visit.at(grab, stage.setting.tray, []).wrist, lay)
        stage.tell(die, Carried(grab, index, place, taken, taken_from=lay))
        stage.tell(die, Carried(moment, index, place, taken, laid_at=lies))
        stage.tell(die, Lies(moment + GRASP_S, lies))


# --- where to ---


def wall_places(stage: Stage, player: Player, dice: Sequence[int]) -> Places:
    """Places by a wall that is not the player's own, side by side, clear of all dice that stay.

    Raises:
        SimulatorError: there is no room.
    """
    tray, side = stage.setting.tray, _side(stage, dice)
    for _ in range(TRIES):
        middle, spread = float(stage.rng.uniform(0, 2 * np.pi)), 0.28 + 0.12 * len(dice)
        if float(np.cos(middle - player.seat)) > 0.2:
            continue
        found = []
        for _ in dice:
            angle, gap = middle + float(stage.rng.uniform(-spread, spread)), float(stage.rng.uniform(0.72, 1.2)) * side
            reach = _reach(stage, angle, gap)
            found.append((reach * float(np.cos(angle)), reach * float(np.sin(angle))))
        places = _nearest_first(stage, dice, found)
        if all(room_inside(tray, *place) > 0.7 * side for place in found) and _clear(stage, places):
            return places
    raise SimulatorError("there is no room by the wall for the kept dice: choose another --seed")


def free_places(stage: Stage, player: Player, dice: Sequence[int]) -> Places:
    """Places anywhere on the floor, at least two sides from where the dice lie, clear of all dice that stay.

    Raises:
        SimulatorError: there is no room.
    """
    tray, side, lying = stage.setting.tray, _side(stage, dice), stage.lying()
    reach = max(d for _, _, d in tray.sides)
    for _ in range(TRIES):
        drawn = stage.rng.uniform(-reach, reach, (len(dice), 2)).tolist()
        places = {die: (x, y) for die, (x, y) in zip(dice, drawn, strict=True)}
        roomy = all(room_inside(tray, *place) > 1.3 * side for place in places.values())
        far = all(_apart(places[die], lying[die].position) > 2 * side for die in dice if die in lying)
        if roomy and far and _clear(stage, places):
            return places
    raise SimulatorError("there is no room on the floor for the dice: choose another --seed")


def lying_flat(stage: Stage, die: int, place: tuple[float, float], value: int | None = None) -> Pose:
    """The die flat at a place with this value on top, else with the one that it shows, turned anyhow."""
    turn = float(stage.rng.uniform(-np.pi, np.pi))
    return flat_turned(stage, die, (*place, turn), value or stage.value(die))


def flat_turned(stage: Stage, die: int, at: tuple[float, float, float], value: int) -> Pose:
    """The die flat at a place, turned so, radians, with this value on top."""
    look, (x, y, turn) = stage.setting.dice[die], at
    rotation = face_up(look, value, turn)
    return Pose((x, y, lowest_point(look, rotation)), rotation)


# --- how it is done ---


def _ways(stage: Stage, visit: Visit, pushes: Iterable[_Push]) -> list[Fall]:
    """How each die goes with the fingertips. Raises `_InTheWay` where it would run into something."""
    tray, lying = stage.setting.tray, stage.lying()
    ways = []
    for pushed in pushes:
        count = round((pushed.end - pushed.start) * RATE_HZ)
        moments = pushed.start + np.arange(count + 1) / RATE_HZ
        wrists = [visit.at(float(t), tray, []).wrist for t in moments]
        tip = _tip(visit.player)
        tips = np.array([wrist.to_world([tip])[0] for wrist in wrists])
        headings = np.unwrap([np.arctan2(wrist.matrix[1, 0], wrist.matrix[0, 0]) for wrist in wrists])
        pose = lying[pushed.die]
        positions = np.asarray(pose.position) + (tips - tips[0]) * (1, 1, 0)
        yaws = headings - headings[0] + pushed.twist * np.linspace(0, 1, count + 1)
        way = Fall(positions, np.array([multiply(about((0, 0, 1), float(yaw)), pose.rotation) for yaw in yaws]))
        others = [(other, p) for other, p in lying.items() if other != pushed.die]
        side = stage.setting.dice[pushed.die].side_mm
        for x, y, _ in positions[::8].tolist():
            crowded = any(_apart((x, y), p.position) < NEAR_SIDES * side for _, p in others)
            if crowded or room_inside(tray, x, y) < 0.68 * side:
                raise _InTheWay
        lying[pushed.die] = way.last
        ways.append(way)
    return ways


def _contact(stage: Stage, player: Player, die: int, along: NDArray[np.float64] | None) -> Vec3:
    """Where the fingertip touches a die: behind it, seen the way it goes, or else on its top."""
    pose, look = stage.lying()[die], stage.setting.dice[die]
    x, y, z = pose.position
    if along is None:
        inward = -player.outward * 1.5
        return (x + float(inward[0]), y + float(inward[1]), z + look.side_mm / 2 + 1.0)
    back = (_half_width(look, pose, along) + TIP_MM) * along
    return (x - float(back[0]), y - float(back[1]), 0.45 * look.side_mm)


def _half_width(look: DieLook, pose: Pose, along: NDArray[np.float64]) -> float:
    """From the middle of a lying die to its outline that way."""
    up = upmost_face(pose)[0] // 2
    axes = [pose.matrix[:2, k] for k in range(3) if k != up]
    return look.side_mm / 2 * float(sum(abs(axis @ along) for axis in axes))


def _tip(player: Player) -> NDArray[np.float64]:
    """The foremost point of the pushing fingers, in the hand's own mm."""
    points = body_points(player.make, 1)
    turned = Pose((0, 0, 0), about((0, 1, 0), PITCH)).to_world(points)
    tip: NDArray[np.float64] = points[np.argmax(turned[:, 0] - 1.2 * turned[:, 2])]
    return tip


def _key(player: Player, t: float, tip_at: Vec3) -> Key:
    """The key that brings the fingertip there."""
    reach = _tip(player) - np.asarray(player.make.hollow)
    place = np.asarray(tip_at)
    for _ in range(4):
        place = np.asarray(tip_at) - rotation_matrix(hand_turn(player, place, PITCH, 0.0)) @ reach
    x, y, z = (float(v) for v in place)
    return Key(t, (x, y, z), PITCH, 0.0, CLOSED)


def _nearest_first(stage: Stage, dice: Sequence[int], places: Sequence[tuple[float, float]]) -> Places:
    """The dice in the order in which they are moved, each with the nearest place that is left."""
    lying, left, chosen = stage.lying(), list(places), {}
    for die in dice:
        chosen[die] = min(left, key=lambda place: _apart(place, lying[die].position))
        left.remove(chosen[die])
    return chosen


def _clear(stage: Stage, places: Places) -> bool:
    """Whether dice there would lie apart from each other and from all that lies there now."""
    side = _side(stage, list(places))
    taken = [pose.position for die, pose in stage.lying().items() if die not in places]
    wanted = list(places.values())
    near = [_apart(a, b) for n, a in enumerate(wanted) for b in (*wanted[:n], *taken)]
    return all(gap > 1.5 * side for gap in near)


def _reach(stage: Stage, angle: float, gap: float) -> float:
    """How far from the middle the floor reaches that way, less a gap to the wall."""
    x, y = float(np.cos(angle)), float(np.sin(angle))
    low, high = 0.0, 400.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if room_inside(stage.setting.tray, x * middle, y * middle) > gap else (low, middle)
    return low


def _side(stage: Stage, dice: Iterable[int]) -> float:
    return max(stage.setting.dice[die].side_mm for die in dice)


def _raised(place: Vec3, by: float) -> Vec3:
    x, y, z = place
    return (x, y, z + by)


def _apart(a: Sequence[float], b: Sequence[float]) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))

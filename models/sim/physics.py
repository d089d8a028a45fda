"""How dice fall: a throw into a tray worked out by MuJoCo, as poses over time.

MuJoCo computes in metres; everything that enters or leaves this module is in mm and seconds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.sim.die import FACE_NORMALS, DieLook, lowest_point
from models.sim.errors import SimulatorError
from models.sim.pose import Pose, Vec3, between
from models.sim.scene import Tray, floor_edge

RATE_HZ = 240.0
"""Poses kept per second of a fall: several per video frame, so that motion blur has a path to follow."""
STEP_S = 0.002
STILL_SPEED = 0.03
"""m/s and rad/s below which a die counts as stopped..."""
STILL_S = 0.15
"""...when all dice stay below it for so long."""
TOUCHED_MM = 0.5
"""A lying die that has moved farther than this was knocked."""
LIMIT_S = 2.6
"""A throw whose dice move for longer is none."""
STIRRED_MM = 0.25
"""Lying dice settle by less when the computing begins."""
TABLE_FRICTION = 0.9
"""A die that has left the tray does not go far: it bounces little on the table and slides less."""
NO_SLIP = 3
"""Times that MuJoCo's soft friction is made hard in a step: without, dice at rest crept on for up to .7 s, a little
slower than what may count as rest, in a trial that no command repeats."""
TORSION = 0.00002
"""m: a die that stands on a corner or on the dome of a face finds little that stops its spin."""
DOME_MM, DOME_SIDES = 0.18, 0.012
"""Faces are a little higher in the middle, so that a die goes on spinning on one before it lies still; less on small
dice, by this share of their sides, which would lie askew."""
FLAT_POINTS = 16
ROUNDING_STEPS = 3
"""Points per axis on each rounded corner of a die's hull."""


@dataclass(frozen=True, slots=True)
class Released:
    """A die as it leaves the hand: velocity in mm/s, spin in rad/s about the world's axes, so long after the first.

    One that `sticks` loses its speed so long after it was let go: it lands where an impact leaves it none.
    """

    look: DieLook
    pose: Pose
    velocity: Vec3
    spin: Vec3
    after: float = 0.0
    sticks: float | None = None


@dataclass(frozen=True, slots=True)
class Lying:
    """A die that lies in the tray while others are thrown."""

    look: DieLook
    pose: Pose


@dataclass(frozen=True, slots=True)
class Surface:
    """What floor, walls and dice feel like: sliding friction, how dead the bounce is (0.6 lively, 1 none), and how far
    from under a die's middle cloth holds it up, m: what makes an end of its rocking."""

    friction: float = 0.5
    deadness: float = 0.68
    rolling: float = 0.0003


@dataclass(frozen=True)
class Fall:
    """One die's way from the hand to rest: positions (n, 3) mm and rotations (n, 4), RATE_HZ a second."""

    positions: NDArray[np.float64]
    rotations: NDArray[np.float64]

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return (len(self.positions) - 1) / RATE_HZ

    @cached_property
    def last(self) -> Pose:
        """Where and how the die comes to rest."""
        return self._stored(len(self.positions) - 1)

    def at(self, seconds: float) -> Pose:
        """The pose so long after the release; before and after the fall the first and the last."""
        place = min(max(seconds * RATE_HZ, 0.0), len(self.positions) - 1.0)
        k = min(int(place), len(self.positions) - 2)
        return between(self._stored(k), self._stored(k + 1), place - k)

    def after(self, seconds: float) -> "Fall":
        """The way without its beginning."""
        first = min(round(seconds * RATE_HZ), len(self.positions) - 2)
        return Fall(self.positions[first:], self.rotations[first:])

    @property
    def begins(self) -> float:
        """Seconds until it moves at all."""
        away = np.linalg.norm(self.positions - self.positions[0], axis=1) > STIRRED_MM
        return max(int(away.argmax()) - 1, 0) / RATE_HZ

    @property
    def moved_mm(self) -> float:
        """The farthest that it leads away from where it began."""
        return float(np.linalg.norm(self.positions - self.positions[0], axis=1).max())

    def _stored(self, k: int) -> Pose:
        x, y, z = self.positions[k].tolist()
        w, a, b, c = self.rotations[k].tolist()
        return Pose((x, y, z), (w, a, b, c))


@dataclass(frozen=True)
class Ways:
    """What came of a throw: the ways of the dice thrown, and of the lying ones that were knocked, by their number."""

    thrown: tuple[Fall, ...]
    hit: Mapping[int, Fall]


def fall(
    tray: Tray,
    released: Sequence[Released],
    lying: Sequence[Lying],
    surface: Surface,
    limit_s: float = LIMIT_S,
    hits: bool = False,
) -> Ways | None:
    """The ways of the released dice until all rest.

    None if they do not within `limit_s` after the last was released, or if they knock a lying die.

    With `hits` lying dice may be knocked, and have ways too.

    Raises:
        SimulatorError: MuJoCo is not installed.
    """
    mujoco = _mujoco()
    dice: list[Released | Lying] = [*released, *lying]
    model = _compiled(tray, tuple(die.look for die in dice), surface)
    state = mujoco.MjData(model)
    poses, speeds = state.qpos.reshape(-1, 7), state.qvel.reshape(-1, 6)
    count = len(released)
    for k, die in enumerate(dice):
        poses[k] = *(np.asarray(die.pose.position) / 1000), *die.pose.rotation
    for k, thrown in enumerate(released):
        speeds[k] = _released_speed(thrown)
    lain, late = poses[count:, :3].copy(), [k for k, thrown in enumerate(released) if thrown.after > 0]
    sticking = [k for k, thrown in enumerate(released) if thrown.sticks is not None]
    limit_s += max(die.after for die in released)
    kept = [poses.copy()]
    still = 0.0
    while still < STILL_S:
        if state.time > limit_s:
            return None
        for k in [k for k in late if released[k].after > state.time]:
            poses[k] = *(np.asarray(released[k].pose.position) / 1000), *released[k].pose.rotation
            speeds[k] = _released_speed(released[k])
        for k in [k for k in sticking if _lands(released[k], float(state.time))]:
            speeds[k] = 0
        mujoco.mj_step(model, state)
        if lying and not hits and np.abs(poses[count:, :3] - lain).max() * 1000 > TOUCHED_MM:
            return None
        moving = np.abs(speeds).max() >= STILL_SPEED or any(released[k].after > state.time for k in late)
        still = 0.0 if moving else still + STEP_S
        if state.time * RATE_HZ >= len(kept):
            kept.append(poses.copy())
    ways = [_way(np.array(kept)[:, k]) for k in range(len(dice))]
    thrown_ways = tuple(way.after(die.after) for way, die in zip(ways, released, strict=False))
    return Ways(thrown_ways, {k: way for k, way in enumerate(ways[count:]) if way.moved_mm > TOUCHED_MM})


def _lands(die: Released, t: float) -> bool:
    """Whether this is the step in which it loses its speed."""
    return die.sticks is not None and 0 <= t - die.after - die.sticks < STEP_S


def _released_speed(die: Released) -> NDArray[np.float64]:
    """(6,) m/s and rad/s: MuJoCo turns free bodies about their own axes."""
    speed: NDArray[np.float64] = np.concatenate(
        [np.asarray(die.velocity) / 1000, die.pose.matrix.T @ np.asarray(die.spin)]
    )
    return speed


def _way(poses: NDArray[np.float64]) -> Fall:
    return Fall(poses[:, :3] * 1000, poses[:, 3:])


def rolled(look: DieLook, start: Pose, end: Pose, seconds: float) -> Fall:
    """The way of a die that is turned over on the floor from one pose to another, by fingers and in so long."""
    count = max(round(seconds * RATE_HZ), 1)
    poses = [between(start, end, k / count) for k in range(count + 1)]
    heights = [lowest_point(look, pose.rotation) for pose in poses[1:-1]]
    places = np.array([pose.position for pose in poses])
    places[1:-1, 2] = heights
    return Fall(places, np.array([pose.rotation for pose in poses]))


def wall_polygon(tray: Tray) -> NDArray[np.float64]:
    """(n, 2) mm: corners of the floor, in order of angle; a round edge becomes 32 straight pieces."""
    edge = floor_edge(tray, 32)
    before, after = np.roll(edge, 1, axis=0) - edge, np.roll(edge, -1, axis=0) - edge
    bend = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    corners: NDArray[np.float64] = edge[np.abs(bend) > 1e-3 * np.linalg.norm(before, axis=1)]
    return corners


def _mujoco() -> Any:
    try:
        import mujoco
    except ImportError as error:
        raise SimulatorError("the simulated tray needs MuJoCo: run `make install-dev`") from error
    return mujoco


@lru_cache(maxsize=8)
def _compiled(tray: Tray, looks: tuple[DieLook, ...], surface: Surface) -> Any:
    """MuJoCo's model, kept because a throw is tried many times before it falls as wanted."""
    return _mujoco().MjModel.from_xml_string(_model(tray, looks, surface))


def _model(tray: Tray, dice: Sequence[DieLook], surface: Surface) -> str:
    """The tray and its dice as MuJoCo's XML."""
    meshes = [_mesh(f"die{k}", _die_hull(look)) for k, look in enumerate(dice)]
    bodies = [
        f'<body name="die{k}"><freejoint/><geom type="mesh" mesh="die{k}" density="1200"/></body>'
        for k in range(len(dice))
    ]
    walls = _wall_hulls(tray) if tray.wall_height_mm > 0 else []
    meshes += [_mesh(f"wall{k}", hull) for k, hull in enumerate(walls)]
    # meshes are moved to their centre of mass: put each wall back where its corners were
    bodies += [f'<geom type="mesh" mesh="wall{k}"/>' for k in range(len(walls))]
    reach = float(np.abs(wall_polygon(tray)).max()) / 1000
    base = tray.base_mm / 1000
    ground = (
        f'<geom type="box" size="{reach:.5f} {reach:.5f} {base / 2:.5f}" pos="0 0 {-base / 2:.5f}"/>'
        f'<geom type="plane" size="3 3 .1" pos="0 0 {-base:.5f}" priority="1" '
        f'friction="{TABLE_FRICTION} {TORSION} .0002" solref=".01 1"/>'
    )
    return (
        f'<mujoco><option timestep="{STEP_S}" integrator="implicitfast" cone="elliptic" impratio="5" '
        f'noslip_iterations="{NO_SLIP}"/>'
        f'<default><geom condim="6" friction="{surface.friction:.4f} {TORSION} {surface.rolling}" '
        f'solref=".004 {surface.deadness:.4f}" solimp=".95 .99 .0005"/></default>'
        f"<asset>{''.join(meshes)}</asset><worldbody>{ground}{''.join(bodies)}</worldbody></mujoco>"
    )


def _mesh(name: str, corners_mm: NDArray[np.float64]) -> str:
    numbers = " ".join(f"{value:.6f}" for value in (corners_mm / 1000).ravel())
    return f'<mesh name="{name}" vertex="{numbers}"/>'


def _die_hull(look: DieLook) -> NDArray[np.float64]:
    """(n, 3) mm: corners of a rounded cube, pulled in to its clipping sphere where it has one."""
    core = look.side_mm / 2 - look.edge_radius_mm
    steps = np.linspace(0, np.pi / 2, ROUNDING_STEPS)
    round_corner = np.array(
        [(np.cos(t) * np.cos(p), np.cos(t) * np.sin(p), np.sin(t)) for t, p in product(steps, steps)]
    )
    octant = core + max(look.edge_radius_mm, 0.3) * round_corner
    corners = np.concatenate([octant * signs for signs in product((-1, 1), repeat=3)])
    dome = min(DOME_MM, DOME_SIDES * look.side_mm)
    corners = np.concatenate([corners, (look.side_mm / 2 + dome) * FACE_NORMALS])
    if look.clip_radius_mm > 0:
        far = np.linalg.norm(corners, axis=1, keepdims=True)
        corners = np.concatenate([corners * np.minimum(1, look.clip_radius_mm / far), _flats(look)])
    hull: NDArray[np.float64] = np.unique(corners.round(5), axis=0)
    return hull


def _flats(look: DieLook) -> NDArray[np.float64]:
    """(n, 3) mm: the edges of the round flats that the clipping sphere leaves of the faces, where it reaches them all.

    Without them a die would lie on the cut corners.
    """
    half, core = look.side_mm / 2, look.side_mm / 2 - look.edge_radius_mm
    radius = np.sqrt(max(look.clip_radius_mm**2 - half**2, 0.0))
    turns = np.linspace(0, 2 * np.pi, FLAT_POINTS, endpoint=False)
    ring = np.clip(radius * np.column_stack([np.cos(turns), np.sin(turns)]), -core, core)
    flats = []
    for axis, sign in product(range(3), (-1, 1)):
        flats.append(np.insert(ring, axis, sign * half, axis=1))
    return np.concatenate(flats)


def _wall_hulls(tray: Tray) -> list[NDArray[np.float64]]:
    """The wall's straight pieces, each as the (8, 3) mm corners of a leaning block that stands on the table."""
    floor = wall_polygon(tray)
    lean = tray.wall_slope * tray.wall_height_mm
    rim, outside = _moved_out(floor, lean), _moved_out(floor, max(tray.wall_width_mm, lean + 0.5))
    top, bottom = tray.wall_height_mm, -tray.base_mm
    hulls = []
    for k in range(len(floor)):
        pair = [k, (k + 1) % len(floor)]
        rings = [(floor[pair], bottom), (rim[pair], top), (outside[pair], bottom), (outside[pair], top)]
        hulls.append(np.concatenate([np.column_stack([ring, np.full(2, z)]) for ring, z in rings]))
    return hulls


def _moved_out(polygon: NDArray[np.float64], distance: float) -> NDArray[np.float64]:
    """The convex polygon with every side moved outward: corners stay in order."""
    along = np.roll(polygon, -1, axis=0) - polygon
    normals = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    reach = (normals * polygon).sum(axis=1) + distance
    moved = [np.linalg.solve(normals[[k - 1, k]], reach[[k - 1, k]]) for k in range(len(polygon))]
    return np.array(moved)

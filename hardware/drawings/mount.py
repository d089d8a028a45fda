"""The printed parts that hold camera and light over the tray, as solids: foot, elbow, camera plate, lamp ring.

Two tubes of 16 mm (electrical conduit) join them: a post beside the tray, and a boom over it.
Units are mm, z is up, the origin lies on the table below the camera.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, radians, sin, tan

from manifold3d import CrossSection, Manifold, OpType

SEGMENTS = 64
BED = 200.0
"""The smallest printer that the parts must fit."""


@dataclass(frozen=True, slots=True)
class Mount:
    """What may be changed: the tube, how high the camera hangs, how far from the post, and what the foot clamps."""

    tube: float = 16.0
    height: float = 450.0
    reach: float = 220.0
    clamp: float = 25.0
    play: float = 0.3
    wall: float = 4.0


USUAL = Mount()
HOLES = (21.0, 12.5)
"""Between the holes of the Camera Module 3, and of versions 1 and 2."""
LENS = 10.0
"""So far below the plate the lens hangs."""
RING = (55.0, 75.0, 14.0)
"""Inner and outer radius and height of the lamp ring; its channel takes a LED strip of 10 mm."""
VIEW = (41.0, 66.0)
"""The Camera Module 3's angles of view along the boom (the picture's short side) and across it, degrees."""


def parts(mount: Mount = USUAL) -> Mapping[str, Manifold]:
    """Each part as it is printed, by its name."""
    return {
        "foot": foot(mount),
        "elbow": elbow(mount),
        "camera_plate": camera_plate(mount),
        "lamp_ring": lamp_ring(),
    }


def foot(mount: Mount) -> Manifold:
    """A clamp for the edge of the table or of the tray, with a socket for the post."""
    depth, jaw, width = 60.0, 12.0, 34.0
    gap = mount.clamp
    block = _box(depth, width, gap + 2 * jaw).translate((0, 0, -gap / 2))
    throat = _box(depth, width + 2, gap).translate((jaw, 0, -gap / 2))
    screw = _rod(3.3, jaw + 2).translate((depth / 4, 0, -gap - jaw / 2))
    nut = Manifold.cylinder(5.4, 5.8, 5.8, 6, True).translate((depth / 4, 0, -gap - 2.5))
    return (block - throat - screw - nut) + _socket(mount, 40.0).translate((0, 0, jaw / 2 + 19.0))


def elbow(mount: Mount) -> Manifold:
    """Joins the boom to the post."""
    post = _socket(mount, 36.0)
    boom = _socket(mount, 36.0, below=True).rotate((0, 90, 0)).translate((26.0, 0, 0))
    bridge = _box(14.0, 2 * _outer(mount), 36.0).translate((_outer(mount) / 2 + 2, 0, 0))
    bore = _rod(mount.tube / 2 + mount.play, 40.0)
    return (post + boom + bridge) - bore - bore.rotate((0, 90, 0)).translate((33.0, 0, 0))


def camera_plate(mount: Mount) -> Manifold:
    """Holds the camera below it, on spacers of 5 mm, and the ring around the camera by three screws."""
    plate = Manifold.cylinder(mount.wall, 34.0, 34.0, SEGMENTS, True)
    holes = [_rod(1.1, 20.0).translate((x * HOLES[0] / 2, y * HOLES[1] / 2, 0)) for x in (-1, 1) for y in (-1, 1)]
    ring = [_rod(1.7, 20.0).translate(_around(28.0, turn)) for turn in (60, 180, 300)]
    socket = _socket(mount, 30.0).rotate((0, 90, 0)).translate((0, 0, _outer(mount) + mount.wall / 2 - 1.0))
    cable = _box(20.0, 3.0, 20.0).translate((0, -16.0, 0))
    return Manifold.batch_boolean([plate + socket, cable, *holes, *ring], OpType.Subtract)


def lamp_ring() -> Manifold:
    """A channel for a LED strip that faces down, behind paper or frosted foil, on three arms."""
    inner, outer, height = RING
    body = _tube(inner, outer, height)
    channel = _tube(inner + 4.0, outer - 4.0, height - 3.0).translate((0, 0, -1.5))
    arms = [
        _box(inner - 20.0, 10.0, 4.0).translate((inner / 2 + 12.0, 0, height / 2 - 2.0)).rotate((0, 0, turn))
        for turn in (60, 180, 300)
    ]
    holes = [_rod(1.7, 40.0).translate(_around(28.0, turn)) for turn in (60, 180, 300)]
    wires = _box(30.0, 5.0, 6.0).translate((-outer, 0, 0)).rotate((0, 0, 60))
    ring = body - channel
    for arm in arms:
        ring += arm
    return Manifold.batch_boolean([ring, wires, *holes], OpType.Subtract)


def assembly(mount: Mount = USUAL) -> Mapping[str, Manifold]:
    """The parts and the tubes where they belong: the camera looks down from `height` over the origin."""
    made, top = parts(mount), mount.height
    boom_z = top + _outer(mount) + mount.wall / 2 - 1.0
    tube = mount.tube / 2
    return {
        "foot": made["foot"].translate((-mount.reach, 0, -6.0)),
        "post": _rod(tube, boom_z - 10.0).translate((-mount.reach, 0, (boom_z - 10.0) / 2 + 10.0)),
        "elbow": made["elbow"].translate((-mount.reach, 0, boom_z)),
        "boom": _rod(tube, mount.reach - 10.0).rotate((0, 90, 0)).translate((-mount.reach / 2 + 10.0, 0, boom_z)),
        "camera_plate": made["camera_plate"].translate((0, 0, top)),
        "lamp_ring": made["lamp_ring"].translate((0, 0, top - mount.wall / 2 - RING[2] / 2)),
    }


def view(mount: Mount = USUAL) -> Manifold:
    """What the camera sees, from its lens to the table."""
    lens = mount.height - mount.wall / 2 - LENS
    x, y = (lens * tan(radians(angle / 2)) for angle in VIEW)
    return Manifold.hull_points([(0.0, 0.0, lens), (-x, -y, 0.0), (-x, y, 0.0), (x, -y, 0.0), (x, y, 0.0)])


# --- shapes ----------------------------------------------------------------------------------------------------


def _outer(mount: Mount) -> float:
    return mount.tube / 2 + mount.play + mount.wall


def _socket(mount: Mount, length: float, below: bool = False) -> Manifold:
    """An upright sleeve for the tube, slit on one side, with lugs that an M4 screw pulls together."""
    bore, outer = mount.tube / 2 + mount.play, _outer(mount)
    side = -1 if below else 1
    lugs = _box(12.0, 10.0, 14.0).translate((0, side * (outer + 2.0), 0))
    slit = _box(2.5, outer + 12.0, length + 2).translate((0, side * (outer + 12.0) / 2, 0))
    screw = _rod(2.2, 40.0).rotate((0, 90, 0)).translate((0, side * (outer + 3.0), 0))
    sleeve = _rod(outer, length) + lugs
    return sleeve - _rod(bore, length + 2) - slit - screw


def _around(radius: float, turn: float) -> tuple[float, float, float]:
    return radius * cos(radians(turn)), radius * sin(radians(turn)), 0.0


def _box(x: float, y: float, z: float) -> Manifold:
    return Manifold.cube((x, y, z), True)


def _rod(radius: float, length: float) -> Manifold:
    return Manifold.cylinder(length, radius, radius, SEGMENTS, True)


def _tube(inner: float, outer: float, height: float) -> Manifold:
    section = CrossSection.circle(outer, SEGMENTS) - CrossSection.circle(inner, SEGMENTS)
    return section.extrude(height).translate((0, 0, -height / 2))

"""Which value is on top, where the pips are, and which dice cannot be."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.sim.die import (
    ASIAN,
    FACE_NORMALS,
    WESTERN,
    DieLook,
    face_corners,
    face_up,
    lowest_point,
    pip_centres,
    top_face,
    upmost_face,
)
from models.sim.errors import SimulatorError
from models.sim.looks import NAMED_DICE
from models.sim.pose import Pose, random_rotation

IVORY = NAMED_DICE["ivory"]


@given(st.integers(0, 10_000))
def test_top_face_is_the_one_whose_corners_lie_highest(seed: int) -> None:
    pose = Pose((3, 4, 5), random_rotation(np.random.default_rng(seed)))
    corners = [pose.to_world(face_corners(IVORY, face)) for face in range(6)]
    highest = max(range(6), key=lambda face: corners[face][:, 2].mean())
    across = corners[highest][2] - corners[highest][0], corners[highest][3] - corners[highest][1]
    normal = np.cross(*across)
    tilt = math.degrees(math.acos(min(1, abs(normal[2]) / np.linalg.norm(normal))))
    value, measured = top_face(IVORY, pose)
    assert value == IVORY.faces[highest].value
    assert measured == pytest.approx(tilt, abs=1e-3)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("name", ["ivory", "asian"])
def test_face_up_lays_the_value_on_top(name: str, value: int) -> None:
    look = NAMED_DICE[name]
    shown, tilt = top_face(look, Pose((0, 0, 8), face_up(look, value, 1.1)))
    assert shown == value
    assert tilt == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("face", range(6))
def test_each_face_has_as_many_pips_as_its_value(face: int) -> None:
    centres = pip_centres(IVORY, face)
    assert len(centres) == IVORY.faces[face].value
    np.testing.assert_allclose(centres @ FACE_NORMALS[face], IVORY.side_mm / 2)


@pytest.mark.parametrize(("values", "clockwise"), [(WESTERN, False), (ASIAN, True)])
def test_values_run_round_their_corner_as_seen_in_the_picture(values: tuple[int, ...], clockwise: bool) -> None:
    """Look from above, picture axes x right and y down, at the corner where 1, 2 and 3 meet."""
    normals = [FACE_NORMALS[values.index(value)] for value in (1, 2, 3)]
    corner = sum(normals) / math.sqrt(3)
    right = normals[0] - corner * (normals[0] @ corner)
    down = np.cross(corner, right)  # the picture's axes follow the world's: z up, and y = z x x
    angles = [math.atan2(normal @ down, normal @ right) % (2 * math.pi) for normal in normals]
    # With y pointing down the picture, growing angles run clockwise.
    assert (angles[0] < angles[1] < angles[2]) is clockwise


def test_opposite_faces_must_add_to_seven() -> None:
    faces = IVORY.faces
    with pytest.raises(SimulatorError, match="opposite ones adding to 7"):
        replace(IVORY, faces=(faces[0], faces[2], faces[1], *faces[3:]))


@given(st.integers(0, 10_000), st.sampled_from(["white", "ivory"]))
def test_lowest_point_of_a_rounded_cube(seed: int, name: str) -> None:
    look: DieLook = NAMED_DICE[name]
    turn = random_rotation(np.random.default_rng(seed))
    core = look.side_mm / 2 - look.edge_radius_mm
    corners = core * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    lowest = (Pose((0, 0, 0), turn).to_world(corners)[:, 2]).min() - look.edge_radius_mm
    assert lowest_point(look, turn) == pytest.approx(-lowest)


def test_upmost_face_of_an_unturned_die_is_plus_z() -> None:
    assert upmost_face(Pose((0, 0, 8))) == (4, 0.0)

"""Random dice, rooms and layouts are possible ones, and the same seed gives the same."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from models.sim.die import top_face
from models.sim.looks import luminance, random_look
from models.sim.rooms import random_lens, random_light, random_table, random_tray
from models.sim.scatter import lay_flat, random_dice
from models.sim.scene import floor_edge, room_inside
from models.sim.view import project

seeds = st.integers(0, 100_000)


@settings(max_examples=30)
@given(seeds)
def test_look_is_one_that_can_be_made(seed: int) -> None:
    look = random_look(np.random.default_rng(seed))
    assert 12 <= look.side_mm <= 19
    assert 0 < look.edge_radius_mm < look.side_mm / 2
    assert all(0 <= channel <= 1 for channel in look.colour)
    for face in look.faces:
        cell = face.pitch_mm if face.value > 1 else look.side_mm / 2
        assert face.radius_mm < cell / 2 + 1e-9
        reach = face.radius_mm + (face.pitch_mm if face.value > 1 else 0)
        assert reach < look.side_mm / 2


@settings(max_examples=30)
@given(seeds)
def test_pips_differ_from_a_plain_body(seed: int) -> None:
    look = random_look(np.random.default_rng(seed))
    if look.marbling == 0:
        body = luminance(look.colour)
        assert all(abs(luminance(face.colour) - body) > 0.02 for face in look.faces if face.value not in (1, 4))


@settings(max_examples=30)
@given(seeds)
def test_same_seed_gives_the_same_world(seed: int) -> None:
    def world() -> tuple[object, ...]:
        rng = np.random.default_rng(seed)
        tray = random_tray(rng)
        return tray, random_table(rng), random_light(rng), random_lens(rng, tray, (320, 240)), random_dice(rng, tray)

    assert world() == world()


@settings(max_examples=30)
@given(seeds)
def test_lens_sees_most_of_the_floor(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tray = random_tray(rng)
    lens = random_lens(rng, tray, (640, 480))
    edge = floor_edge(tray, 24) * 0.5
    seen = project(lens, np.column_stack([edge, np.zeros(len(edge))]))
    assert ((seen > -20) & (seen < (660, 500))).all(axis=1).mean() > 0.7


@settings(max_examples=30)
@given(seeds)
def test_flat_dice_lie_inside_and_apart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tray = random_tray(rng)
    dice = lay_flat(rng, tray, [random_look(rng) for _ in range(6)])
    assert len(dice) >= 5
    for k, die in enumerate(dice):
        x, y, _ = die.start.position
        assert room_inside(tray, x, y) > die.look.side_mm / 2
        assert top_face(die.look, die.start)[1] < 1e-3
        for other in dice[:k]:
            away = np.hypot(x - other.start.position[0], y - other.start.position[1])
            assert away > (die.look.side_mm + other.look.side_mm) / 2

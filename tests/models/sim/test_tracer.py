"""Drawing: the same bytes every time, things where the projection says, and clear errors without a compiler."""

import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.sim import tracer
from models.sim.camera import without_grain
from models.sim.die import PlacedDie, pip_centres, upmost_face
from models.sim.errors import SimulatorError
from models.sim.packing import BODY, DIE, FLOOR, RIM, TABLE
from models.sim.pose import Pose
from models.sim.scene import Body, Scene
from models.sim.tracer import render
from models.sim.view import overhead, project

needs_compiler = pytest.mark.usefixtures("compiler")


@needs_compiler
def test_same_scene_gives_the_same_bytes(five_dice: Scene) -> None:
    first, second = (render(five_dice, (100, 60, 80, 60)) for _ in range(2))
    assert first.rgb.tobytes() == second.rgb.tobytes()
    assert first.ids.tobytes() == second.ids.tobytes()
    other = render(replace(five_dice, seed=4), (100, 60, 80, 60))
    assert first.rgb.tobytes() != other.rgb.tobytes()
    assert first.ids.tobytes() == other.ids.tobytes()


@needs_compiler
def test_a_part_equals_the_same_part_of_the_whole(five_dice: Scene) -> None:
    whole = render(five_dice, samples=(2, 3))
    part = render(five_dice, (101, 53, 90, 71), samples=(2, 3))
    np.testing.assert_array_equal(part.rgb, whole.rgb[53:124, 101:191])
    np.testing.assert_array_equal(part.ids, whole.ids[53:124, 101:191])


@needs_compiler
def test_bright_lamps_that_take_turns_light_few_rays_as_much_as_many(five_dice: Scene) -> None:
    weak, bright = (replace(five_dice.lamps[0], colour=(level,) * 3) for level in (0.5, 250.0))
    scene, floor = replace(five_dice, lamps=(weak, weak, bright)), (140, 200, 40, 30)
    few, many = (float(render(scene, floor, samples).rgb.mean()) for samples in ((5, 10), (60, 60)))
    assert 3 < many < 10
    assert few == pytest.approx(many, rel=0.03)


@needs_compiler
def test_ids_name_what_is_seen(five_dice: Scene) -> None:
    ids = render(five_dice, samples=(0, 0)).ids
    spots = [[*die.start.position] for die in five_dice.dice]
    for k, (x, y) in enumerate(np.rint(project(five_dice.lens, spots)).astype(int)):
        assert ids[y, x] == DIE + k
    tray = five_dice.tray
    rim = tray.sides[0][2] + tray.wall_width_mm / 2
    others: list[list[float]] = [[-20, -80, 0], [rim, 10, tray.wall_height_mm], [150, 30, -tray.base_mm]]
    for (x, y), expected in zip(project(five_dice.lens, others), (FLOOR, RIM, TABLE), strict=True):
        assert ids[round(y), round(x)] == expected


@needs_compiler
@pytest.mark.parametrize("index", range(5))
def test_pips_are_drawn_where_they_are_projected(five_dice: Scene, index: int) -> None:
    """Seen large, each projected pip centre is the middle of its painted spot; depth shifts it by a little."""
    die = five_dice.dice[index]
    lens = replace(five_dice.lens, focal_px=5 * five_dice.lens.focal_px, k1=0.0)
    scene = replace(five_dice, lens=lens)
    face, _ = upmost_face(die.start)
    reach = round(1.4 * die.look.faces[face].radius_mm * lens.focal_px / 690)
    body, pip = (np.mean(colour) for colour in (die.look.colour, die.look.faces[face].colour))
    for x, y in project(lens, die.start.to_world(pip_centres(die.look, face))):
        left, top = round(x) - reach, round(y) - reach
        drawn = render(scene, (left, top, 2 * reach + 1, 2 * reach + 1), samples=(4, 8)).albedo.mean(axis=2)
        paint = np.clip((drawn - body) / (pip - body), 0, 1) > 0.5
        rows, columns = np.nonzero(paint)
        assert (columns.mean() + left, rows.mean() + top) == pytest.approx((x, y), abs=0.6)


@needs_compiler
def test_a_moving_die_is_smeared_along_its_way(five_dice: Scene) -> None:
    die = replace(five_dice.dice[1], end=Pose((30, 45, 8), five_dice.dice[1].start.rotation))
    still = replace(five_dice, dice=(five_dice.dice[1],), lamps=())
    moving = replace(still, dice=(die,))
    changed = np.abs(render(moving).rgb - render(still).rgb).sum(axis=2) > 0.05
    _, columns = np.nonzero(changed)
    assert np.ptp(columns) > 1.5 * np.ptp(np.nonzero(render(still).ids == DIE)[1])


@needs_compiler
def test_a_body_is_drawn_and_throws_a_shadow(five_dice: Scene) -> None:
    radius, voxel, count = 20.0, 4.0, 16
    axis = (np.arange(count) - (count - 1) / 2) * voxel
    z, y, x = np.meshgrid(axis, axis, axis, indexing="ij")
    ball = (np.sqrt(x * x + y * y + z * z) - radius).astype(np.float32)
    place = Pose((-20, 0, 60))
    origin = (float(axis[0]),) * 3
    body = Body(ball, voxel, origin, place, place, (0.5, 0.3, 0.2), (0.6, 0.4, 0.3))
    empty = replace(five_dice, dice=())
    bare, covered = render(empty), render(replace(empty, bodies=(body,)))
    x_px, y_px = project(five_dice.lens, [place.position])[0]
    rows, columns = np.nonzero(covered.ids == BODY)
    assert (columns.mean(), rows.mean()) == pytest.approx((x_px, y_px), abs=1.0)
    size_px = radius * five_dice.lens.focal_px / (five_dice.lens.position[2] - 60)
    assert len(rows) == pytest.approx(np.pi * size_px**2, rel=0.1)
    floor = (covered.ids == FLOOR) & (bare.ids == FLOOR)
    assert (bare.rgb.sum(axis=2) - covered.rgb.sum(axis=2))[floor].max() > 0.1


@needs_compiler
def test_smoothing_the_grain_comes_nearer_to_the_truth(five_dice: Scene) -> None:
    region = (60, 60, 120, 100)
    truth = render(five_dice, region, samples=(128, 128)).rgb
    drawn = render(five_dice, region)
    error = np.square(drawn.rgb - truth).mean()
    assert np.square(without_grain(drawn) - truth).mean() < 0.8 * error


@needs_compiler
def test_light_lands_where_the_lamp_shines(five_dice: Scene) -> None:
    """Away from walls, a floor of known colour shows lamp * cosine * distance law * colour."""
    lamp = replace(five_dice.lamps[0], position=(0.0, 0.0, 2000.0), radius_mm=1.0, colour=(2.0, 2.0, 2.0))
    sky = replace(five_dice.sky, zenith=(0.0, 0.0, 0.0), horizon=(0.0, 0.0, 0.0))
    scene = replace(five_dice, lamps=(lamp,), sky=sky, dice=())
    x, y = (round(v) for v in project(scene.lens, [[0, 0, 0]])[0])
    drawn = render(scene, (x - 15, y - 15, 30, 30), samples=(16, 16))
    np.testing.assert_allclose(drawn.rgb.mean(axis=(0, 1)), drawn.albedo.mean(axis=(0, 1)) * 2 / 4, rtol=0.05)


def test_too_many_dice_are_refused(five_dice: Scene) -> None:
    crowd = replace(five_dice, dice=tuple(PlacedDie.still(five_dice.dice[0].look, Pose((0, 0, 8))) for _ in range(49)))
    with pytest.raises(SimulatorError, match="at most"):
        render(crowd)


def test_missing_compiler_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SimulatorError, match=r"install g\+\+"):
        tracer.compiled(tmp_path)


@needs_compiler
def test_failed_compilation_says_why_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.cpp"
    broken.write_text("int render( {")
    monkeypatch.setattr(tracer, "SOURCE", broken)
    with pytest.raises(SimulatorError, match=r"cannot compile broken\.cpp") as caught:
        tracer.compiled(tmp_path)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == [broken]


@needs_compiler
def test_parts_may_lie_outside_the_picture(five_dice: Scene) -> None:
    drawn = render(five_dice, (-21, -13, 40, 30), samples=(1, 1))
    assert drawn.rgb.shape == (30, 40, 3)
    assert cv2.countNonZero(drawn.ids) == 30 * 40


@needs_compiler
def test_floor_under_a_rounded_corner_is_in_shadow(five_dice: Scene) -> None:
    """The spot lies inside the sharp cube, outside the rounded die, on the side away from the lamp."""
    look = replace(five_dice.dice[0].look, edge_radius_mm=4.0)
    lens = overhead(700, 3000, (320, 240), tilt=0.5, tilt_towards=math.pi / 4)
    lamp = replace(five_dice.lamps[0], position=(-800.0, -800.0, 1000.0), radius_mm=10.0)
    dark = replace(five_dice, lens=lens, lamps=(lamp,), dice=(PlacedDie.still(look, Pose((0, 0, 8))),))
    x, y = (round(v) for v in project(lens, [[7.8, 7.8, 0]])[0])
    spot = (x - 1, y - 1, 3, 3)
    assert (render(dark, spot).ids == FLOOR).all()
    assert render(dark, spot).rgb.mean() < 0.5 * render(replace(dark, dice=()), spot).rgb.mean()

"""Drawn scenes: the same seed draws the same, and what is labelled is what is in the picture."""

from pathlib import Path

import numpy as np
import pytest

from models.training.die import Pose, draw_die
from models.training.drawn import CROP_PX, crops_of, cut, draw, draw_specks, load_crops, load_scenes
from models.training.errors import TrainingError
from models.training.look import die_look, light
from models.training.scene import HEIGHT, WIDTH, draw_scene
from models.training.view import look_down, turn


def test_the_same_seed_draws_the_same_scene() -> None:
    first, second = (draw_scene(np.random.default_rng(4)) for _ in range(2))
    assert np.array_equal(first.picture, second.picture)
    assert [d.value for d in first.dice] == [d.value for d in second.dice]


@pytest.mark.parametrize("seed", range(6))
def test_a_readable_die_has_as_many_pips_as_its_value_and_all_inside(seed: int) -> None:
    scene = draw_scene(np.random.default_rng(seed))
    assert scene.picture.shape == (HEIGHT, WIDTH, 3)
    assert scene.picture.dtype == np.uint8
    for die in scene.dice:
        assert len(die.pips) == die.value
        assert ((die.pips > 0) & (die.pips < (WIDTH, HEIGHT))).all()
        if die.value:
            assert np.abs(die.pips - die.centre).max() < 0.6 * die.face_px


def test_pips_are_drawn_where_the_label_says() -> None:
    rng = np.random.default_rng(0)
    view = look_down(WIDTH, HEIGHT, face_px=60, distance=40, tilt=0.0, azimuth=0.0)
    picture = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    look = next(x for x in (die_look(rng) for _ in range(200)) if x.clearness == 0 and abs(x.body - x.pip).min() > 120)
    pose = Pose(np.array([0, 0, 0.5]), turn(np.array([0, 0, 1.0]), 0.4), 5)
    die = draw_die(rng, picture, view, pose, look, light(rng))
    assert die is not None
    assert np.allclose(die.centre, (WIDTH / 2, HEIGHT / 2), atol=1)
    between = (die.pips[0] + die.pips[2]) / 2  # two pips at the ends of one edge
    at_pip, beside = (picture[int(y), int(x)].astype(float).mean() for x, y in (die.pips[0], between))
    assert abs(at_pip - beside) > 30


def test_a_die_outside_the_picture_is_not_drawn() -> None:
    rng = np.random.default_rng(1)
    view = look_down(WIDTH, HEIGHT, face_px=40, distance=40, tilt=0.0, azimuth=0.0)
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    pose = Pose(np.array([500.0, 0, 0.5]), np.eye(3), 3)
    assert draw_die(rng, picture, view, pose, die_look(rng), light(rng)) is None
    assert not picture.any()


def test_the_camera_sees_the_floor_where_it_says() -> None:
    view = look_down(WIDTH, HEIGHT, face_px=30, distance=25, tilt=0.3, azimuth=1.0)
    assert np.allclose(view.project(view.on_floor(100, 200)[None]), [[100, 200]])
    assert view.scale(np.zeros(3)) == pytest.approx(30)


def test_a_crop_spans_two_faces_about_its_centre() -> None:
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[80:120, 60:100] = 255  # a face of 40 px about (79.5, 99.5)
    crop, scale = cut(picture, np.array([79.5, 99.5]), 40)
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    assert scale == pytest.approx(CROP_PX / 80)
    assert (crop[:, :, 0] > 127).mean() == pytest.approx(0.25, abs=0.02)


def test_crops_carry_their_pips_and_specks_are_unreadable() -> None:
    rng = np.random.default_rng(8)
    crops = crops_of(rng, draw_scene(rng))
    assert ((crops.pips[..., 0] >= 0).sum(1) == crops.values).all()
    specks = draw_specks(rng, 5)
    assert len(specks.pictures) == 5
    assert not specks.values.any()


def test_drawing_goes_on_where_it_was_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.training.drawn._SCENES_PER_FILE", 3)
    draw(tmp_path, 6, seed=2)
    paths = sorted(tmp_path.iterdir())
    assert len(paths) == 3
    kept = paths[1].read_bytes()
    paths[0].unlink()
    draw(tmp_path, 6, seed=2)
    assert paths[1].read_bytes() == kept
    assert len(load_crops(tmp_path).values) > 0
    assert load_scenes(tmp_path).pictures.shape == (3, HEIGHT // 2, WIDTH // 2, 3)


def test_a_folder_without_drawn_dice_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"models\.training draw"):
        load_crops(tmp_path)

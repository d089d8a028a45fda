"""One frame seen: what is bare, and what only looks so."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.drawn_tray import DIE_PX, GEOMETRY, Image, film, lying, thrown
from vision.locate import locate
from vision.network import load_networks
from vision.perceive import Perception
from vision.track import Sighting

DIE = (250.0, 240.0)
CAME_S = 1.0


def _shaded(t: float, image: Image) -> Image:
    """The picture in grey with a deep soft shadow about the die, in which it is as bright as the floor was."""
    shade: npt.NDArray[np.float32] = np.zeros(image.shape[:2], np.float32)
    if t >= CAME_S:
        cv2.circle(shade, (round(DIE[0]), round(DIE[1])), 60, 0.55, -1)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) * (1 - cv2.GaussianBlur(shade, (0, 0), 8.0))
    return np.asarray(cv2.merge([grey] * 3), np.uint8)


def _swaying(t: float, image: Image) -> Image:
    """The picture of a camera that is knocked aside for a moment."""
    aside = np.array([[1.0, 0.0, 14.0], [0.0, 1.0, 3.0]])
    swung = cv2.warpAffine(image, aside, GEOMETRY.size, borderMode=cv2.BORDER_REPLICATE) if 1.0 <= t < 1.3 else image
    return np.asarray(swung, np.uint8)


@pytest.mark.parametrize(("bad", "since"), [((), 1.3), (range(42, 46), 46 / 30)], ids=["steady", "pictures fail"])
def test_a_camera_that_swung_back_tells_since_when_dice_lie_but_not_from_before_pictures_failed(
    bad: Sequence[int], since: float
) -> None:
    perception = Perception(load_networks(), GEOMETRY)
    for frame in film([lying(*DIE, 4)], seconds=2.1, change=_swaying):
        perception.check(replace(frame, sound=frame.index not in bad))
        if perception.trusted:
            perception.step(frame)
    assert perception.trusted
    assert perception.lately()[0].t == pytest.approx(since, abs=0.07)


def test_a_die_as_bright_as_the_floor_leaves_no_bare_place() -> None:
    empty = cv2.cvtColor(next(film([])).image, cv2.COLOR_BGR2GRAY)
    perception = Perception(load_networks(), GEOMETRY, np.asarray(empty, np.uint8))
    for frame in film([lying(*DIE, 2, since=CAME_S)], seconds=1.5, change=_shaded):
        perception.check(frame)
        if perception.trusted:
            perception.step(frame)
    assert perception.last_bare(*DIE) < CAME_S < perception.last_bare(400.0, 100.0)


def test_the_light_about_a_die_is_told_whatever_lies_beside_it() -> None:
    """A shadow takes half of it, in a picture whose middle is as bright as before."""
    empty = cv2.cvtColor(next(film([])).image, cv2.COLOR_BGR2GRAY)
    perception = Perception(load_networks(), GEOMETRY, np.asarray(empty, np.uint8))
    dice = [lying(*DIE, 2, since=CAME_S), lying(420.0, 300.0, 4, since=CAME_S), lying(452.0, 300.0, 1, since=CAME_S)]
    for frame in film(dice, seconds=1.5, change=_shaded):
        perception.check(frame)
        if perception.trusted:
            perception.step(frame)
    assert perception.light(*DIE) == pytest.approx(0.5, abs=0.08)
    assert [perception.light(x, 300.0) for x in (420.0, 452.0)] == [pytest.approx(1.0, abs=0.05)] * 2


def _on_marks(t: float, image: Image) -> Image:
    """The picture on a floor with dark marks, half of which is in a hard shadow once the dice have come."""
    marks = np.random.default_rng(5).random((48, 64)) < 0.2
    marked = cv2.resize(
        np.where(marks, np.float32(0.5), np.float32(1.0)), GEOMETRY.size, interpolation=cv2.INTER_NEAREST
    )
    image = np.where((image.max(axis=2) < 110)[..., None], image * marked[..., None], image).astype(np.uint8)
    if t >= CAME_S:
        image[240:] = image[240:] // 2
    return image


def test_marks_of_the_floor_in_a_shadow_are_nothing_new_that_lies_there() -> None:
    empty = cv2.cvtColor(_on_marks(0.0, next(film([])).image), cv2.COLOR_BGR2GRAY)
    perception = Perception(load_networks(), GEOMETRY, np.asarray(empty, np.uint8))
    dice = [lying(250.0, 150.0, 4, since=CAME_S), lying(250.0, 330.0, 3, since=CAME_S)]
    for frame in film(dice, seconds=1.5, change=_on_marks):
        perception.check(frame)
        if perception.trusted:
            perception.step(frame)
    places = {"die": (250.0, 150.0), "in the shadow": (250.0, 330.0), "marks": (400.0, 330.0)}
    still = {name: Sighting(*place, DIE_PX, 0.5, still=True, near_body=False) for name, place in places.items()}
    assert {name: perception.is_new(thing) for name, thing in still.items()} == {
        "die": True,
        "in the shadow": True,
        "marks": False,
    }
    assert perception.is_new(
        replace(still["marks"], still=False)
    )  # it may be one that flies, through whose streak they show


def test_a_die_lies_still_in_a_picture_that_sways() -> None:
    def sway(t: float, image: Image) -> Image:
        aside = np.array([[1.0, 0.0, 0.35 * np.sin(13 * t)], [0.0, 1.0, 0.25 * np.sin(9 * t)]])
        return np.asarray(cv2.warpAffine(image, aside, GEOMETRY.size, borderMode=cv2.BORDER_REPLICATE), np.uint8)

    perception, still = Perception(load_networks(), GEOMETRY), []
    for frame in film([lying(*DIE, 5)], seconds=4.0, change=sway):
        assert not perception.check(frame)
        seen = perception.step(frame).sightings
        if frame.t > 1.5:  # from then on the tray is known
            still += [thing.still for thing in seen if abs(thing.x - DIE[0]) < 5]
    assert len(still) > 70
    assert np.mean(still) > 0.97


def test_a_still_tray_is_looked_at_anew_now_and_then_though_no_two_frames_have_the_same_noise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    located: list[float] = []

    def noisy(t: float, image: Image) -> Image:
        grain = np.random.default_rng(round(1000 * t)).normal(0, 1.2, image.shape)
        return np.clip(image + grain, 0, 255).astype(np.uint8)

    def counted(*given: Any) -> Any:
        located.append(frame.t)
        return locate(*given)

    monkeypatch.setattr("vision.perceive.locate", counted)
    perception = Perception(load_networks(), GEOMETRY)
    dice = [lying(*DIE, 5), thrown((60.0, 240.0), (430.0, 300.0), 2, at=2.5)]
    for frame in film(dice, seconds=2.8, change=noisy):
        assert not perception.check(frame)
        things = perception.step(frame).sightings
    still = [t for t in located if 1.0 <= t < 2.5]
    assert 5 <= len(still) <= 9
    assert len([t for t in located if t > 2.55]) >= 7
    assert any(thing.x > 150 and abs(thing.x - DIE[0]) > 20 for thing in things)


def test_the_noise_of_a_picture_is_known_and_no_arms_that_move_add_to_it() -> None:
    def noisy(t: float, image: Image) -> Image:
        grain = np.random.default_rng(round(1000 * t)).normal(0, 4.0, image.shape[:2])
        seen = image.copy()
        if t >= 1.5:
            edge = round(100 + 400 * abs(np.sin(7 * t)))
            seen[:, :edge] = (70, 110, 190)
            seen[:, (edge % 60) : edge : 60] = (30, 60, 120)
        return np.clip(seen + grain[..., None], 0, 255).astype(np.uint8)

    perception, noise = Perception(load_networks(), GEOMETRY), []
    for frame in film([lying(*DIE, 5)], seconds=2.5, change=noisy):
        perception.check(frame)
        if perception.trusted:
            noise.append(perception.step(frame).picture.noise)
    known = noise[30]
    assert 0.5 < known < 3.0
    assert max(noise) < 1.5 * known

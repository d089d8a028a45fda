"""Rest: slow rolls and slow turns are seen, noise and light are not."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.rest import (
    Image,
    Past,
    cut,
    floor_places,
    is_still,
    lay_so,
    likeness,
    likeness_there,
    noise_of,
    past,
    patch,
)

FACE = 40.0
CORNERS = [(x, y) for x in (12.0, 108.0) for y in (12.0, 108.0)]


def die(dx: float = 0.0, turn: float = 0.0, gain: float = 1.0, noise: float = 0.0, seed: int = 0) -> Image:
    """A die with four pips near the middle of 120x120 px, shifted and turned."""
    image = np.full((120, 120), 90, np.uint8)
    cv2.rectangle(image, (40, 40), (80, 80), 220, -1)
    for x, y in ((50, 50), (70, 50), (50, 70), (70, 70)):
        cv2.circle(image, (x, y), 4, 30, -1, cv2.LINE_AA)
    warp = cv2.getRotationMatrix2D((60, 60), turn, 1.0)
    warp[0, 2] += dx
    moved = cv2.warpAffine(cv2.GaussianBlur(image, (5, 5), 1.0), warp, (120, 120), borderMode=cv2.BORDER_REPLICATE)
    rough = np.random.default_rng(seed).normal(0, noise, moved.shape) if noise else 0.0
    return np.asarray(np.clip(moved * gain + rough, 0, 255), np.uint8)


def still(pictures: list[Image], fps: float = 30.0) -> bool:
    seen = [Past(n / fps, p) for n, p in enumerate(pictures)]
    return is_still([replace(look, noise=noise_of(seen, CORNERS, FACE)) for look in seen], 60, 60, FACE)


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0, 90.0])
def test_resting_die_is_still_once_150_ms_are_known(fps: float) -> None:
    frames = [die() for _ in range(20)]
    enough = round(0.135 * fps) + 1
    assert not still(frames[: enough - 1], fps)
    assert still(frames[: enough + 1], fps)


def test_slow_roll_and_slow_turn_are_no_rest() -> None:
    assert not still([die(dx=0.25 * n) for n in range(8)])  # 0.03 die in 150 ms
    assert not still([die(turn=1.0 * n) for n in range(8)])
    assert not still([die(turn=0.45 * n) for n in range(8)])  # 2 degrees in 150 ms


def test_die_that_rocked_and_came_back_is_no_rest() -> None:
    assert not still([die(), die(), die(), die(turn=5), die(turn=5), die()])


def test_die_that_rocks_in_time_with_what_it_is_compared_with_is_no_rest() -> None:
    assert not still([die(), die(turn=5), die(turn=3), die(), die()])
    assert not still([die(), die(), die(turn=3), die(), die()])


def test_a_stand_that_sways_does_not_disturb_but_does_not_hide_motion() -> None:
    sways = [0.55 * float(np.sin(0.6 * n)) for n in range(8)]
    known = [Past(n / 30, die(dx=dx), aside=(dx, 0.0)) for n, dx in enumerate(sways)]
    assert is_still(known, 60, 60, FACE)
    assert lay_so(known[7], known[3], 60, 60, FACE)
    assert not lay_so(Past(0.2, die(dx=sways[7])), Past(0.1, die(dx=sways[3])), 60, 60, FACE)
    assert not still([die(dx=dx) for dx in sways])
    rolls = [Past(n / 30, die(dx=-dx), aside=(dx, 0.0)) for n, dx in enumerate(sways)]
    assert not is_still(rolls, 60, 60, FACE)
    turns = [Past(n / 30, die(dx=dx, turn=1.0 * n), aside=(dx, 0.0)) for n, dx in enumerate(sways)]
    assert not is_still(turns, 60, 60, FACE)


def test_what_moves_farther_than_a_stand_sways_is_no_rest() -> None:
    swings = [Past(n / 30, die(dx=dx), aside=(dx, 0.0)) for n, dx in enumerate(np.linspace(0, 3, 8))]
    assert not is_still(swings, 60, 60, FACE)


def test_die_that_rocks_on_is_not_taken_for_a_noisy_picture() -> None:
    assert not still([die(turn=3.0 * (n % 3)) for n in range(8)])


def test_exposure_drift_does_not_disturb() -> None:
    assert still([die(gain=1 - 0.01 * n) for n in range(8)])


def test_sensor_noise_does_not_disturb_but_does_not_hide_motion() -> None:
    assert still([die(noise=14, seed=n) for n in range(8)])
    assert not still([die(dx=0.8 * n, noise=14, seed=n) for n in range(8)])


def dull(seed: int, turn: float = 0.0, noise: float = 4.0) -> Past:
    """A die that hardly stands out from the floor, in a picture with noise."""
    levels = 60 + (die(turn=turn).astype(np.float32) - 90) / 12
    rough = np.random.default_rng(seed).normal(0, noise, levels.shape)
    return Past(0.0, np.asarray(np.clip(levels + rough, 0, 255).round(), np.uint8))


def told(pictures: list[Past]) -> list[Past]:
    return [replace(look, noise=noise_of(pictures, CORNERS, FACE)) for look in pictures]


def test_noise_is_taken_out_of_how_alike_two_pictures_are_but_hides_no_turn() -> None:
    def alike(now: Past, then: Past) -> float:
        return likeness_there(now, then, 60, 60, FACE)

    seen = told([dull(seed) for seed in range(4)])
    assert alike(replace(seen[0], noise=0.0), replace(seen[1], noise=0.0)) < 0.985
    assert all(alike(seen[0], look) > 0.99 for look in seen[1:])
    assert alike(seen[0], replace(dull(1, turn=9.0), noise=seen[0].noise)) < 0.97
    assert alike(seen[0], replace(dull(1, turn=45.0), noise=seen[0].noise)) < 0.9


def test_noise_is_that_of_the_calmest_moment() -> None:
    still = [dull(seed) for seed in range(3)]
    waved = Past(0.0, np.asarray(np.full((120, 120), 60) + 40 * (np.indices((120, 120)).sum(0) // 9 % 2), np.uint8))
    assert noise_of([*still, waved, waved], CORNERS, FACE) < 0.1
    assert noise_of([still[0], waved, *still[1:], waved], CORNERS, FACE) == pytest.approx(
        noise_of(still, CORNERS, FACE), rel=0.3
    )
    assert noise_of(still[:1], CORNERS, FACE) == 0.0


def test_a_shadow_that_passed_does_not_tell_whether_a_die_lay_so_but_what_moved_did_not() -> None:
    now, shines = die(), die(turn=4)
    shaded = (now * np.linspace(0.4, 0.8, 120, dtype=np.float32)).astype(np.uint8)
    shines[40:80, 40:80] = np.clip(1.15 * shines[40:80, 40:80].astype(float), 0, 255)
    thens = (die(dx=0.5), shaded, die(turn=4), shines, die(dx=5))
    told = [lay_so(Past(0.1, now), Past(0.0, then), 60, 60, FACE) for then in thens]
    assert told == [True, None, False, False, False]


def test_bare_places_are_looked_for_all_over_the_floor() -> None:
    outline = np.array([(10, 20), (110, 20), (110, 100), (10, 100)], np.float32)
    places = np.array(floor_places(outline))
    assert len(np.unique(places, axis=0)) == 9
    assert (places.min(0) > (25, 30)).all()
    assert (places.max(0) < (95, 90)).all()
    assert places.mean(0) == pytest.approx(outline.mean(0))


def test_large_pictures_are_halved_and_places_stay() -> None:
    large = cv2.resize(die(), (480, 480), interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    shrunk = past(0.0, large, 4 * FACE)
    assert shrunk.scale == 0.25
    assert likeness(patch(shrunk, 240, 240, 4 * FACE), patch(Past(0.0, die()), 60, 60, FACE)) > 0.99


def test_cut_at_the_border_keeps_its_size() -> None:
    assert cut(Past(0.0, die()), 2, 118, 30, 24).shape == (24, 24)
    assert cut(Past(0.0, die()), -50, 300, 30, 24).shape == (24, 24)

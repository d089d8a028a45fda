"""Faults of the view: each is named with its cause once it lasts, and ends; what plays on a sound tray is none."""

import math
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from scorer.events import ViewFault
from tests.vision.drawn_tray import DIE_PX, GEOMETRY, Hand, HandPath, Image, film, lying, reaching, thrown
from vision.health import Verdict, ViewHealth
from vision.reference import Surroundings
from vision.rest import past
from vision.window import Window

Change = Callable[[float, Image], Image]

FPS = 20.0

BEGAN, OVER = 1.4, 2.2


def judged(
    change: Change = lambda _t, image: image,
    hands: tuple[HandPath, ...] = (),
    body: Callable[[float], bool] = lambda _t: False,
    seconds: float = 3.2,
) -> list[Verdict]:
    """What is said of a drawn throw in a tray that is changed from frame to frame, up to a shift that was measured."""
    window = Window(GEOMETRY)
    health, verdicts = ViewHealth(window.floor), []
    dice = [thrown((60, 240), (250, 200), 4, 0.7), lying(400, 260, 6)]
    for frame in film(dice, hands, seconds, FPS, change):
        grey = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
        small = window.shrink(past(frame.t, grey, DIE_PX))
        around = Surroundings(np.zeros_like(small), body(frame.t), arm=body(frame.t))
        found = health.step(frame.t, frame.index, window.blocks(grey), small, around)
        verdicts += found
        if any(verdict.shift is not None for verdict in found):
            break  # whoever watches looks elsewhere from here on
    return verdicts


def during(change: Callable[[Image], Image]) -> Change:
    return lambda t, image: change(image) if BEGAN <= t < OVER else image


def pushed(x: float, y: float, turn: float = 0.0) -> Callable[[Image], Image]:
    def push(image: Image) -> Image:
        height, width = image.shape[:2]
        warp = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
        warp[:, 2] += np.array((x, y))
        return np.asarray(cv2.warpAffine(image, warp, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)

    return push


def sway(t: float) -> tuple[float, float]:
    """Px, right and down."""
    return 0.4 * math.sin(9 * t), 0.3 * math.sin(12 * t)


def blurred(faces: float) -> Callable[[Image], Image]:
    noise = np.random.default_rng(3).integers(-2, 3, (480, 640, 1))
    return lambda image: np.clip(cv2.GaussianBlur(image, (0, 0), faces * DIE_PX) + noise, 0, 255).astype(np.uint8)


def scaled(factor: float) -> Callable[[Image], Image]:
    return lambda image: np.clip(image * factor, 0, 255).astype(np.uint8)


def covered(image: Image) -> Image:
    noise = np.random.default_rng(5).normal(70, 60, image.shape)
    return np.clip(cv2.GaussianBlur(noise, (0, 0), 9) + noise / 20, 0, 255).astype(np.uint8)


def spotlit(image: Image, faces: float = 1.5) -> Image:
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    spot = 400 * np.exp(-((columns - 300) ** 2 + (rows - 150) ** 2) / (faces * DIE_PX) ** 2)
    return np.asarray(np.clip(image + spot[..., None], 0, 255), np.uint8)


def half_grey(image: Image) -> Image:
    return np.concatenate([image[:240], np.full_like(image[240:], 128)])


def shuffled_blocks(image: Image) -> Image:
    rng, broken = np.random.default_rng(2), image.copy()
    for _ in range(60):
        (y, x), (v, u) = 16 * rng.integers(0, (30, 40)), 16 * rng.integers(0, (30, 40))
        broken[y : y + 16, x : x + 16] = image[v : v + 16, u : u + 16]
    return broken


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (covered, "blocked"),
        (lambda image: np.zeros_like(image), "blocked"),
        (scaled(0.5), "light_changed"),
        (scaled(1 / 12), "light_changed"),
        (blurred(0.1), "out_of_focus"),
        (blurred(0.5), "out_of_focus"),
        (spotlit, "glare"),
        (half_grey, "frames_bad"),
        (shuffled_blocks, "frames_bad"),
        (lambda image: np.full_like(image, 128), "frames_bad"),
        (pushed(6, -4), "camera_moved"),
        (pushed(-18, 12, 2.0), "camera_moved"),
        (pushed(50, 25), "camera_moved"),
    ],
)
def test_fault_is_named_and_ends(change: Callable[[Image], Image], cause: ViewFault) -> None:
    """What covers the lens is over the tray too."""
    began, *_, ended = judged(during(change), body=lambda t: cause == "blocked" and BEGAN <= t < OVER)
    assert (began.cause, began.lost, ended.lost) == (cause, True, False)
    assert BEGAN <= began.t <= BEGAN + 0.1 + 1e-6
    assert ended.t <= OVER + 1.3


def sleeved(image: Image) -> Image:
    now = image.copy()
    now[:, 240:360] = 255
    return now


@pytest.mark.parametrize("known", [True, False], ids=["an arm is known of", "none is"])
@pytest.mark.parametrize(("change", "causes"), [(lambda image: spotlit(image, 3.0), {"glare"}), (sleeved, set())])
def test_a_lamp_mirrored_fades_and_a_white_cup_or_sleeve_that_is_above_the_wall_too_does_not(
    change: Callable[[Image], Image], causes: set[ViewFault], known: bool
) -> None:
    verdicts = judged(during(change), body=lambda t: known and BEGAN <= t < OVER)
    assert {verdict.cause for verdict in verdicts} == causes


def test_a_pale_hand_smeared_over_a_bright_floor_is_no_mirrored_lamp() -> None:
    def smeared(t: float, image: Image) -> Image:
        bright = np.clip(image * 0.6 + 90.0, 0, 180).astype(np.uint8)
        if BEGAN <= t < OVER:
            bright[200:, 240:400] = 255
        return np.asarray(cv2.blur(bright, (13, 13)), np.uint8)

    assert judged(smeared, body=lambda t: BEGAN <= t < OVER) == []


def test_a_bright_panel_mirrored_on_a_floor_as_smooth_as_a_mirror_is_glare() -> None:
    def panel(image: Image) -> Image:
        now = image.copy()
        now[200:300, 220:340] = 255
        return now

    assert {verdict.cause for verdict in judged(during(panel))} == {"glare"}


@pytest.mark.parametrize(("level", "causes"), [(165.0, {"glare"}), (190.0, set())], ids=["light", "nearly burnt out"])
def test_a_lamp_mirrored_on_a_light_floor_is_glare_while_it_is_told_from_the_floor(
    level: float, causes: set[ViewFault]
) -> None:
    def light(t: float, image: Image) -> Image:
        pale = np.clip(image * 0.6 + level, 0, 255).astype(np.uint8)
        return spotlit(pale, 3.0) if BEGAN <= t < OVER else pale

    assert {verdict.cause for verdict in judged(light)} == causes


@pytest.mark.parametrize(("x", "y", "turn"), [(5, 3, 0.0), (-14, 9, 0.0), (8, -20, 2.5), (40, 30, -3.0)])
def test_push_is_measured_where_the_tray_lies_still_again(x: float, y: float, turn: float) -> None:
    push = pushed(x, y, turn)
    lost, restored = judged(lambda t, image: push(image) if t >= BEGAN else image)
    assert (lost.lost, restored.lost, restored.shift is not None) == (True, False, True)
    assert restored.shift is not None
    window = Window(GEOMETRY)
    corners = GEOMETRY.outline.astype(np.float64)
    warp = cv2.getRotationMatrix2D((320, 240), turn, 1.0)
    right = corners @ warp[:, :2].T + warp[:, 2] + (x, y)
    found = (corners * window.scale) @ restored.shift[:, :2].T + restored.shift[:, 2]
    assert np.abs(found / window.scale - right).max() < 0.05 * DIE_PX


def test_tray_whose_edge_comes_to_lie_along_the_rows_is_no_torn_picture() -> None:
    def straightened(t: float, image: Image) -> Image:
        stark = np.clip(4.0 * image.astype(np.float32) - 270, 0, 255).astype(np.uint8)
        return pushed(4, 6)(stark) if t >= BEGAN else pushed(0, 0, 3.0)(stark)

    lost, restored = judged(straightened)
    assert (lost.cause, restored.cause, restored.shift is not None) == ("camera_moved", "camera_moved", True)


def test_how_far_a_stand_sways_is_measured_once_the_tray_is_known_beside_a_hand_too() -> None:
    window = Window(GEOMETRY)
    health, off = ViewHealth(window.floor), []
    for frame in film(
        [lying(400, 260, 6)], [reaching((320, 240), 2.0, 3.0)], 3.2, FPS, lambda t, p: pushed(*sway(t))(p)
    ):
        grey = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
        small = window.shrink(past(frame.t, grey, DIE_PX))
        health.step(frame.t, frame.index, window.blocks(grey), small, None)
        aside = health.aside(small)
        if aside is not None:
            off.append(np.asarray(aside) / window.scale - sway(frame.t))
    assert len(off) >= 1.8 * FPS
    assert np.abs(np.asarray(off) - np.median(off, axis=0)).max() < 0.1


def test_camera_that_sways_back_is_where_it_was() -> None:
    lost, restored = judged(lambda t, image: pushed(10, 0)(image) if BEGAN <= t < BEGAN + 0.3 else image)
    assert (lost.cause, restored.shift) == ("camera_moved", None)


def test_tray_pushed_on_a_table_that_stays() -> None:
    grain = np.random.default_rng(8).normal(0, 60, (480, 640))
    table = cv2.GaussianBlur(grain, (0, 0), 2.0)

    def push(t: float, image: Image) -> Image:
        image = pushed(12, 7)(image) if t >= BEGAN else image
        outside = np.ones((480, 640), bool)
        outside[15:470, 35:610] = False
        return np.where(outside[..., None], np.clip(90 + 4 * table, 0, 255)[..., None], image).astype(np.uint8)

    lost, restored = judged(push)
    assert (lost.cause, restored.cause) == ("tray_moved", "tray_moved")
    assert restored.shift is not None


def trembling(t: float) -> Hand | None:
    return Hand((320, 500), (320 + 3 * np.sin(40 * t), 200)) if 1.3 < t < 2.6 else None


@pytest.mark.parametrize(
    "change",
    [
        lambda _t, image: image,
        lambda t, image: scaled(1 - 0.05 * t)(image),
        lambda t, image: scaled(1 + 0.01 * np.sin(8 * t))(image),
        lambda t, image: image // 12 if BEGAN <= t < BEGAN + 0.05 else image,
        lambda t, image: half_grey(image) if BEGAN <= t < BEGAN + 0.05 else image,
        lambda _t, image: pushed(0.6, -0.4)(image),
        lambda t, image: scaled(0.8 + 0.2 * abs(math.cos(2 * max(t - BEGAN, 0.0))))(image),
        lambda t, image: scaled(1 - 0.35 * math.sin(math.pi * min(max(t - BEGAN, 0.0), 1.2) / 1.2))(image),
    ],
    ids=["still", "exposure", "flicker", "dark frame", "bad frame", "tiny", "drift", "shadow"],
)
@pytest.mark.parametrize("hands", [(), (trembling,)], ids=["alone", "hand"])
def test_nothing_is_said_of_a_sound_view_nor_of_a_single_bad_frame(change: Change, hands: tuple[HandPath, ...]) -> None:
    assert judged(change, hands, body=lambda t: bool(hands) and 1.3 < t < 2.6) == []


def test_light_that_stays_is_the_light_from_then_on() -> None:
    lost, restored = judged(lambda t, image: scaled(0.6)(image) if t >= BEGAN else image)
    assert (lost.cause, restored.cause) == ("light_changed", "light_changed")
    assert restored.t <= BEGAN + 1.4


def test_light_is_not_back_because_exposure_has_followed_it() -> None:
    again, follows_s = BEGAN + 1.4, 0.45

    def lit(t: float, image: Image) -> Image:
        since, departure = (t - BEGAN, -1.0) if t < again else (t - again, 0.95)
        log = departure * math.exp(-since / follows_s) if t >= BEGAN else 0.0
        return scaled(0.6 * math.exp(log))(image)

    lost, restored = judged(lit, seconds=4.6)
    assert (lost.cause, restored.cause) == ("light_changed", "light_changed")
    assert BEGAN <= lost.t < BEGAN + 0.1
    assert again + 0.8 <= restored.t <= again + 1.2


def test_bad_frame_is_not_trusted_at_once() -> None:
    window = Window(GEOMETRY)
    health = ViewHealth(window.floor)
    for frame in film([lying(400, 260, 6)], seconds=2.0):
        grey = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
        health.step(frame.t, frame.index, window.blocks(grey), window.shrink(past(frame.t, grey, DIE_PX)), None)
        assert health.trusted
    bad = np.full_like(grey, 128)
    assert health.step(2.0, 60, window.blocks(bad), window.shrink(past(2.0, bad, DIE_PX)), None) == []
    assert not health.trusted
    assert health.passes_over
    assert health.step(2.03, 61, window.blocks(grey), window.shrink(past(2.03, grey, DIE_PX)), None) == []
    assert health.trusted
    assert not health.passes_over
    health.broken(2.06, 62)
    assert not health.passes_over  # it was not the only one


def test_frames_that_do_not_come() -> None:
    window = Window(GEOMETRY)
    health, said = ViewHealth(window.floor), []
    for frame in film([lying(400, 260, 6)], seconds=0.2):
        t = frame.t if frame.index < 2 else frame.t + 1.5
        grey = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
        said += health.step(t, frame.index, window.blocks(grey), window.shrink(past(t, grey, DIE_PX)), None)
    assert [(v.cause, v.lost, v.frame) for v in said] == [("frames_stopped", True, 1), ("frames_stopped", False, 2)]


def test_plain_cloth_without_a_rim_tells_no_push() -> None:
    window = Window(GEOMETRY)
    health, noise = ViewHealth(window.floor), np.random.default_rng(1)
    for index in range(60):
        plain = np.clip(noise.normal(90, 3, (480, 640)), 0, 255).astype(np.uint8)
        small = window.shrink(past(index / 30, plain, DIE_PX))
        assert health.step(index / 30, index, window.blocks(plain), small, None) == []

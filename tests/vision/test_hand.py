"""Hands: bodies that reach in; and what is none."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.empty import CALM_FRAMES, EmptyTray, Image
from vision.hand import Body, BodyFinder, Disc, HandSwitch
from vision.hue import hues

DIE = 18.0


def floor_mask() -> Image:
    mask = np.zeros((160, 240), np.uint8)
    mask[20:140, 20:220] = 1
    return mask


def picture() -> Image:
    return np.full((160, 240), 100, np.uint8)


def moved(now: Image, before: Image) -> Image:
    """The levels by which something that moves has changed what it covers, and nothing else."""
    return np.asarray(np.where(now != before, 20, 0), np.uint8)


def found(now: Image, dice: list[Disc] | None = None, earlier: Image | None = None) -> Body:
    tray = EmptyTray(picture())
    change = np.abs(now.astype(int) - (picture() if earlier is None else earlier).astype(int)).astype(np.uint8)
    return BodyFinder(floor_mask(), DIE).find(0.0, tray.compare(now), tray, dice or [], change, learn=True)


def test_arm_from_the_border_is_a_body() -> None:
    now = picture()
    now[60:100, 0:120] = 180
    body = found(now)
    assert body.area == pytest.approx(40 * 120 / DIE**2, rel=0.1)
    assert body.mask[80, 60]


@pytest.mark.parametrize(("stirs", "over"), [(0.0, False), (4.0, True)], ids=["left there", "trembles"])
def test_what_is_left_at_the_rim_is_no_hand_though_the_camera_has_noise(stirs: float, over: bool) -> None:
    rng, tray, now = np.random.default_rng(5), EmptyTray(picture()), picture()
    now[60:92, 0:28] = 180
    before = now.astype(np.float32)
    before[60:92, 0:28] += stirs
    noisy = [np.clip(one + rng.normal(0, 3, one.shape), 0, 255).astype(np.uint8) for one in (now, before)]
    change = np.asarray(cv2.absdiff(*noisy), np.uint8)
    body = BodyFinder(floor_mask(), DIE).find(0.0, tray.compare(noisy[0]), tray, [], change, learn=False)
    assert body.mask[75, 10]
    assert (body.area > 0) == over


def test_arm_beside_the_tray_is_not_over_it_but_known() -> None:
    now = picture()
    now[60:100, 0:18] = 180
    body = found(now)
    assert body.area == 0
    assert body.mask[80, 10]


@pytest.mark.parametrize(
    ("arm", "hand", "over"),
    [(12, 20, True), (12, 32, False), (0, 20, False)],
    ids=["joined", "apart", "no arm"],
)
def test_hand_goes_on_with_its_arm_across_a_wall_that_it_looks_like(arm: int, hand: int, over: bool) -> None:
    now = picture()
    now[60:100, :arm] = now[60:100, hand:120] = 180
    body = found(now)
    assert (body.area > 0, bool(body.mask[80, 80])) == (over, over)


@pytest.mark.parametrize(("hue", "over"), [(14.0, True), (7.0, False)], ids=["a glove", "a shadow"])
def test_glove_that_hardly_differs_from_the_floor_is_seen_by_the_arm_that_does(hue: float, over: bool) -> None:
    plain = np.full((160, 240, 2), 60, np.float32)
    tinted = plain.copy()
    tinted[60:100, 18:120] += hue
    now = picture()
    now[60:100, 0:18] = 180
    tray = EmptyTray(picture(), plain)
    change = moved(now, picture())
    body = BodyFinder(floor_mask(), DIE).find(0.0, tray.compare(now, tinted), tray, [], change, learn=True)
    assert (body.area > 0) == over
    assert body.mask[80, 60] == over


@pytest.mark.parametrize(
    ("blur", "dice", "over"),
    [(9.0, [], False), (9.0, [Disc(60.0, 80.0, DIE)], False), (0.0, [], True)],
    ids=["its shadow", "its shadow at a die", "a glove as dark"],
)
def test_a_sleeve_beside_the_floor_is_not_over_it_by_its_soft_shadow(blur: float, dice: list[Disc], over: bool) -> None:
    green = np.full((160, 240, 3), (40, 120, 20), np.float32)
    darker = np.ones((160, 240), np.float32)
    darker[40:120, :50] = 0.55
    seen = green * (cv2.GaussianBlur(darker, (0, 0), blur) if blur else darker)[..., None]
    seen[30:130, :18] = (60, 180, 190)
    for die in dice:
        cv2.rectangle(seen, (round(die.x) - 9, round(die.y) - 9), (round(die.x) + 9, round(die.y) + 9), (230,) * 3, -1)
    bare, now = green.astype(np.uint8), seen.astype(np.uint8)
    grey, tray = (np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8) for image in (now, bare))
    empty, still = EmptyTray(tray, hues(bare)), np.zeros(grey.shape, np.uint8)
    body = BodyFinder(floor_mask(), DIE).find(0.0, empty.compare(grey, hues(now)), empty, dice, still, learn=False)
    assert body.mask[80, 10]
    assert (body.area > 0, bool(body.mask[80, 35])) == (over, over)


def test_a_sleeves_shadow_is_none_of_a_hand_that_its_arm_meets_and_stays_none_once_that_has_left() -> None:
    green = np.full((160, 240, 3), (40, 120, 20), np.float32)
    darker = np.ones((160, 240), np.float32)
    darker[20:140, :62] = 0.45
    shade = green * cv2.GaussianBlur(darker, (0, 0), 9.0)[..., None]
    shade[:, :18] = shade[:12] = (60, 180, 190)  # the sleeve, and an arm that meets it
    die = Disc(46.0, 60.0, DIE, plain=False)
    cv2.rectangle(shade, (37, 51), (55, 69), (200,) * 3, -1)
    hand = shade.copy()
    hand[:90, 160:200] = (60, 180, 190)
    bare = green.astype(np.uint8)
    tray = EmptyTray(np.asarray(cv2.cvtColor(bare, cv2.COLOR_BGR2GRAY), np.uint8), hues(bare))
    finder, still = BodyFinder(floor_mask(), DIE), np.zeros((160, 240), np.uint8)
    for n, (seen, over) in enumerate([(hand, True), (shade, False), (shade, False)]):
        image = seen.astype(np.uint8)
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        body = finder.find(0.1 * n, tray.compare(grey, hues(image)), tray, [die], still, learn=False)
        assert body.mask[80, 10] and not body.mask[110, 30:45].any()
        assert (body.area > 0, bool(body.mask[60, 180])) == (over, over)


@pytest.mark.parametrize("hand", [False, True])
def test_the_shadow_of_one_who_walks_past_is_not_over_the_floor_but_a_hand_in_it_is(hand: bool) -> None:
    bare = np.full((160, 240, 3), (70, 80, 90), np.float32)
    darker = np.ones((160, 240), np.float32)
    darker[:, :90] = 0.5
    seen = bare * cv2.GaussianBlur(darker, (0, 0), 12)[..., None]
    if hand:
        seen[60:90, :60] = (50, 60, 150)
    then, now = bare.astype(np.uint8), seen.astype(np.uint8)
    grey, tray = (np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8) for image in (now, then))
    empty, moves = EmptyTray(tray, hues(then)), moved(grey, tray)
    body = BodyFinder(floor_mask(), DIE).find(0.0, empty.compare(grey, hues(now)), empty, [], moves, learn=False)
    assert (body.area > 0, bool(body.mask[75, 50])) == (hand, hand)


def test_die_in_the_middle_is_no_body_whether_located_or_not() -> None:
    now = picture()
    now[70:88, 100:118] = 220
    assert not found(now).mask.any()
    assert not found(now, [Disc(109, 79, DIE)]).mask.any()


def test_located_die_at_the_border_is_no_body() -> None:
    now = picture()
    now[70:88, 2:22] = 220
    assert found(now, [Disc(12, 79, 20)]).area == 0


def test_small_thing_left_at_the_border_is_no_hand() -> None:
    now = picture()
    now[60:80, 0:40] = 180
    assert found(now, earlier=now).area == 0
    assert found(now).area > 0


def with_arm(length: int = 120) -> Image:
    now = picture()
    now[60:100, 0:length] = 180
    return now


def body_after(seconds: int, tray: EmptyTray, pictures: Callable[[int], Image]) -> tuple[float, float]:
    """The area of the body at first, and at the end, where a picture is seen every second."""
    finder, still, areas = BodyFinder(floor_mask(), DIE), np.zeros((160, 240), np.uint8), [0.0]
    for second in range(seconds):
        difference = tray.compare(pictures(second))
        areas.append(finder.find(float(second), difference, tray, [], still, learn=areas[-1] == 0).area)
    return areas[1], areas[-1]


def test_an_arm_that_was_taken_for_the_tray_is_no_hand_once_it_goes() -> None:
    tray = EmptyTray(with_arm())
    for _ in range(CALM_FRAMES):
        tray.follow(tray.compare(with_arm()))
    assert body_after(2, tray, lambda second: picture()) == (0.0, 0.0)
    assert not tray.compare(picture()).mask.any()


def test_a_shadow_that_was_taken_for_the_tray_and_goes_is_no_hand_though_the_rim_below_it_shows_again() -> None:
    rim = picture()
    rim[60:120:6, 0:30] = 160
    dark = np.asarray(rim * np.where(np.arange(240) < 60, 0.3, 1.0), np.uint8)
    tray = EmptyTray(rim)
    tray.follow(tray.compare(rim), 4 * CALM_FRAMES)
    tray.learn(tray.compare(dark).mask > 0, tray.compare(dark))
    tray.follow(tray.compare(dark), CALM_FRAMES)
    now = tray.compare(rim)
    assert tray.is_real(now.mask > 0, now, reaches_in=True)
    finder, still = BodyFinder(floor_mask(), DIE), np.zeros(rim.shape, np.uint8)
    assert finder.find(0.0, now, tray, [], still, learn=False).area == 0
    assert not tray.compare(rim).mask.any()


def test_what_does_not_move_at_all_for_long_is_no_body() -> None:
    first, last = body_after(40, EmptyTray(picture()), lambda second: with_arm())
    assert first > 0
    assert last == 0


def test_an_arm_at_rest_that_creeps_stays_a_hand() -> None:
    first, last = body_after(100, EmptyTray(picture()), lambda second: with_arm(120 + second // 20))
    assert first > 0
    assert last > 0


def test_hand_is_in_after_two_frames_and_out_after_two() -> None:
    switch = HandSwitch()
    large, none = Body(floor_mask() > 0, 20.0), Body(floor_mask() > 1, 0.0)
    changes = [switch.step(n / 30, n, body) for n, body in enumerate([none, large, large, none, large, none, none])]
    assert [c and c[1] for c in changes] == [None, None, 1, None, None, None, 5]


def test_small_body_must_stay_before_it_is_a_hand() -> None:
    switch = HandSwitch()
    small = Body(floor_mask() > 0, 1.5)
    changes = [switch.step(n / 30, n, small) for n in range(6)]
    assert [c and c[1] for c in changes] == [None, None, None, None, 0, None]


def with_fingers() -> Image:
    """A hand whose fingers reach over the floor's edge, from an arm beyond the wall that looks like it."""
    now = picture()
    now[50:114, :12] = now[50:114, 20:62] = 180
    return now


def test_fingers_that_look_like_dice_in_a_row_are_a_hand_still() -> None:
    tray, change = EmptyTray(picture()), moved(with_fingers(), picture())
    finder, difference = BodyFinder(floor_mask(), DIE), tray.compare(with_fingers())
    row = [Disc(42.0, 52.0 + 16 * n, 28.0, plain=False) for n in range(5)]
    assert finder.find(0.0, difference, tray, row, change, learn=False).area == 0
    assert finder.find(0.1, difference, tray, [], change, learn=False).area > 0
    assert finder.find(0.2, difference, tray, row, change, learn=False).area > 0
    plain = [Disc(disc.x, disc.y, disc.size) for disc in row]
    assert finder.find(0.3, difference, tray, plain, change, learn=False).area == 0


@pytest.mark.parametrize(("hue", "long", "over"), [(5.0, 120, True), (1.0, 120, False), (5.0, 40, False)])
def test_glove_of_nearly_the_floors_colour_is_followed_from_the_arm_that_reaches_its_edge(
    hue: float, long: int, over: bool
) -> None:
    rng = np.random.default_rng(3)
    plain = rng.normal(60, 2, (160, 240, 2)).astype(np.float32)
    tinted = rng.normal(60, 2, (160, 240, 2)).astype(np.float32)
    tinted[60:100, 22:long, 0] += hue
    now = picture()
    now[60:100, 0:22] = 180
    tray, change = EmptyTray(picture(), plain), moved(now, picture())
    body = BodyFinder(floor_mask(), DIE).find(0.0, tray.compare(now, tinted), tray, [], change, learn=True)
    assert (body.area > 0, bool(body.mask[80, 80])) == (over, over)


@pytest.mark.parametrize("size", [(160, 240), (329, 439)])
def test_the_floors_noise_is_none_of_an_arms_own_motion_wherever_it_sweeps(size: tuple[int, int]) -> None:
    height, width = size
    floor = np.zeros(size, np.uint8)
    floor[height // 8 : -height // 8, width // 8 : -width // 8] = 1
    for left in range(0, width * 5 // 6, width // 12):
        tray, now = EmptyTray(np.full(size, 100, np.uint8)), np.full(size, 100, np.uint8)
        now[: height * 5 // 6, left : left + width // 6] = 180
        blurred = np.asarray(cv2.GaussianBlur(now, (0, 0), 12), np.uint8)
        change = np.asarray(np.where(blurred > 105, 30, 0), np.uint8)
        body = BodyFinder(floor, DIE).find(0.0, tray.compare(blurred), tray, [], change, learn=False)
        assert body.area > 0


@pytest.mark.parametrize("fps", [15, 30])
def test_dice_that_roll_through_a_ghost_do_not_make_it_stir(fps: int) -> None:
    """A hand lay there as watching began, and was taken for the tray."""
    before, now = picture(), picture()
    before[40:110, :120] = 150
    tray, finder = EmptyTray(before), BodyFinder(floor_mask(), DIE)
    for frame in range(fps // 5):
        then, shown = (Disc(25.0 + 480 / fps * (frame + lag), 75.0, DIE) for lag in (0, fps // 10 + 1))
        change = np.asarray(np.where(before != now, 30 if frame == 0 else 0, 0), np.uint8)  # it has just left
        for die in (then, shown):
            cv2.circle(change, (round(die.x), round(die.y)), 12, 120, -1)
        body = finder.find(frame / fps, tray.compare(now), tray, [shown], change, learn=False)
    assert body.area == 0


def test_a_finger_that_pushes_a_die_is_a_hand_still() -> None:
    """Where it stirs is where the die was a moment ago."""
    tray, finder, seen = EmptyTray(picture()), BodyFinder(floor_mask(), DIE), list[Image]()
    for frame in range(25):
        tip, now = 60 + 5 * frame, picture()
        now[74:86, :tip] = 190
        die = Disc(tip + 10.0, 80.0, DIE)
        cv2.rectangle(now, (tip, 71), (tip + 18, 89), 230, -1)
        seen.append(now)
        change = np.asarray(cv2.absdiff(now, seen[max(0, frame - 3)]), np.uint8)
        body = finder.find(frame / 30, tray.compare(now), tray, [die], change, learn=False)
        assert frame < 3 or body.area > 0

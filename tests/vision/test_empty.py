"""The picture of the empty tray: things, ghosts, shadows and the light."""

import cv2
import numpy as np
import pytest

from vision.empty import CALM_FRAMES, DIFFERENT, SMOOTH_FRAMES, EmptyTray, Image, Mask
from vision.hue import hues
from vision.pieces import pieces


def floor() -> Image:
    return np.full((120, 160), 100, np.uint8)


def with_block(level: int, blur: float = 0.0) -> Image:
    picture = floor()
    picture[40:80, 50:90] = level
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8) if blur else picture


def region_of(tray: EmptyTray, picture: Image) -> Mask:
    return tray.compare(picture).mask > 0


def test_thing_that_came_is_real() -> None:
    tray = EmptyTray(floor())
    picture = with_block(200)
    assert region_of(tray, picture).sum() == 40 * 40
    assert tray.is_real(region_of(tray, picture), tray.compare(picture))


def test_thing_that_went_leaves_a_ghost_that_is_learned() -> None:
    tray = EmptyTray(with_block(200))
    difference = tray.compare(floor())
    region = difference.mask > 0
    assert not tray.is_real(region, difference)
    tray.learn(region, difference)
    assert not tray.compare(floor()).mask.any()


def with_rim(hand: bool) -> Image:
    """A floor that ends at a rim as bright as the arm that reaches over it."""
    picture = floor()
    picture[90:] = 200
    if hand:
        picture[72:, 20:120] = 200
    return picture


@pytest.mark.parametrize("there", [True, False])
def test_a_hand_whose_arm_looks_like_the_rim_is_told_from_its_ghost_by_the_floor(there: bool) -> None:
    tray, plain = EmptyTray(with_rim(hand=not there)), np.zeros((120, 160), bool)
    plain[:80] = True
    difference = tray.compare(with_rim(hand=there))
    assert tray.is_real(difference.mask > 0, difference, plain=plain) is there
    assert not tray.is_real(difference.mask > 0, difference)


def with_rims(arm: bool) -> Image:
    """A floor between carved rims on a table as bright as the arm that lies across all of it."""
    picture = np.full((240, 320), 200, np.uint8)
    picture[:, 100:220] = 100
    for column in (*range(20, 96, 15), *range(226, 302, 15)):
        picture[:, column : column + 7] = 10
    if arm:
        picture[90:150] = 200
    return picture


@pytest.mark.parametrize("there", [True, False])
def test_an_arm_across_the_whole_tray_is_told_from_its_ghost_by_its_long_edges_on_the_floor(there: bool) -> None:
    tray, plain = EmptyTray(with_rims(arm=not there)), np.zeros((240, 320), bool)
    plain[:, 114:206] = True
    difference = tray.compare(with_rims(arm=there))
    assert tray.is_real(difference.mask > 0, difference, plain=plain) is there


@pytest.mark.parametrize("hand", [True, False])
def test_a_shadow_over_the_rim_is_told_from_what_hides_it_though_it_brings_no_edge(hand: bool) -> None:
    empty = np.where(np.arange(160) % 20 < 10, 20, 220) * np.ones((120, 1))
    region = np.zeros((120, 160), bool)
    region[30:90, :120] = True
    shade = 1 - 0.4 * cv2.GaussianBlur(region.astype(np.float32), (0, 0), 12)
    now = np.where(region, 120, empty) if hand else empty * shade
    tray = EmptyTray(empty.astype(np.uint8))
    for _ in range(20):
        tray.follow(tray.compare(empty.astype(np.uint8)))
    assert tray.is_real(region, tray.compare(now.astype(np.uint8)), reaches_in=True) is hand


def with_sleeve(there: bool) -> Image:
    """A red floor, over which a purple sleeve may lie, in a soft shadow of its own."""
    picture, shade = np.full((240, 320, 3), (40, 30, 150), np.float32), np.ones((240, 320), np.float32)
    if there:
        shade[:130] = 0.45
        picture *= cv2.GaussianBlur(shade, (0, 0), 14)[..., None]
        picture[:70] = (130, 70, 90)
    return picture.astype(np.uint8)


@pytest.mark.parametrize("there", [True, False])
def test_a_sleeve_is_told_from_its_ghost_by_its_own_outline_where_its_soft_shadow_lies_about_it(there: bool) -> None:
    then, now = with_sleeve(not there), with_sleeve(there)
    greys = [np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8) for picture in (then, now)]
    tray = EmptyTray(greys[0], hues(then))
    for _ in range(CALM_FRAMES):
        tray.follow(tray.compare(greys[0], hues(then)))
    difference = tray.compare(greys[1], hues(now))
    assert tray.is_real(difference.mask > 0, difference, reaches_in=True) is there


@pytest.mark.parametrize("was", [True, False])
def test_what_was_real_a_moment_ago_is_so_while_it_does_not_hide_more_edges_than_it_brings(was: bool) -> None:
    empty, now = floor(), floor()
    empty[40:80, 50:60] = 200  # a bright strip of the tray, which a hand as bright as the floor beside it hides
    now[40:80, 60:75] = 150
    tray, region = EmptyTray(empty), np.zeros((120, 160), bool)
    region[40:80, 50:75] = True
    assert tray.is_real(region, tray.compare(now), was=was) is was


def test_a_hand_in_view_when_the_light_changes_was_not_always_there() -> None:
    tray, hand = EmptyTray(floor()), (with_block(200) * 0.7).astype(np.uint8)
    for _ in range(20):
        tray.follow(tray.compare(floor()))
    tray.relight(hand, None, np.zeros(hand.shape, bool))
    difference = tray.compare(hand)
    assert tray.is_real(difference.mask > 0, difference, reaches_in=True)
    assert not tray.compare((floor() * 0.7).astype(np.uint8)).mask.any()


def test_a_light_that_falls_in_from_one_side_is_followed() -> None:
    tray, slope = EmptyTray(floor()), np.linspace(0.5, 1.5, 160)
    tray.relight((floor() * slope).astype(np.uint8), None, np.zeros((120, 160), bool))
    assert np.abs(tray.picture - 100 * slope).max() < 8


def test_the_light_below_a_body_is_that_about_it_and_the_tray_there_stays_known() -> None:
    tray = EmptyTray(floor())
    for _ in range(20):
        tray.follow(tray.compare(floor()))
    body = np.zeros((120, 160), bool)
    body[40:80, 50:90] = True
    tray.relight((with_block(20) * 0.7).astype(np.uint8), None, body)
    assert np.abs(tray.picture - 70).max() < 3
    difference = tray.compare((with_block(20) * 0.7).astype(np.uint8))
    assert tray.is_real(difference.mask > 0, difference, reaches_in=True)


def test_the_hue_below_a_body_is_that_of_the_tray_in_the_new_light() -> None:
    hue, body = np.full((120, 160, 2), 50, np.float32), np.zeros((120, 160), bool)
    body[40:80, 50:90] = True
    tray = EmptyTray(floor(), hue)
    now = hue + 8
    now[body] = 150
    tray.relight(floor(), now, body)
    assert not tray.compare(floor(), hue + 8).mask.any()


def test_soft_shadow_is_not_real() -> None:
    tray = EmptyTray(floor())
    shadow = with_block(50, blur=14.0)
    region = region_of(tray, shadow)
    assert region.any()
    assert not tray.is_real(region, tray.compare(shadow))


@pytest.mark.parametrize(("longer", "back"), [("tray", True), ("shadow", False)])
def test_the_tray_is_back_where_it_looks_as_before_a_shadow_was_learned_that_was_seen_less_long(
    longer: str, back: bool
) -> None:
    frames = {"tray": CALM_FRAMES, "shadow": CALM_FRAMES, longer: 2 * CALM_FRAMES}
    tray, shadow = EmptyTray(floor()), with_block(60)
    tray.follow(tray.compare(floor()), frames["tray"])
    region = region_of(tray, shadow)
    assert not tray.is_back(region, tray.compare(shadow))
    tray.learn(region, tray.compare(shadow))
    tray.follow(tray.compare(shadow), frames["shadow"])
    assert tray.is_back(region_of(tray, floor()), tray.compare(floor())) is back
    assert not tray.is_back(region_of(tray, with_block(200)), tray.compare(with_block(200)))


@pytest.mark.parametrize(("level", "there"), [(36, True), (100, False)])
def test_a_blurred_edge_is_a_shadow_on_a_bright_floor_and_a_dark_glove_on_a_dark_one(level: int, there: bool) -> None:
    picture = np.full((120, 160), level, np.uint8)
    tray, plain = EmptyTray(picture), np.ones(picture.shape, bool)
    picture[30:90, 40:110] = level - 30
    now = np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.6), np.uint8)
    assert tray.is_real(region_of(tray, now), tray.compare(now), plain=plain) is there


@pytest.mark.parametrize("gain", [0.7, 1.3])
def test_change_of_exposure_is_no_difference(gain: float) -> None:
    tray = EmptyTray(with_block(140))
    difference = tray.compare((with_block(140) * gain).astype(np.uint8))
    assert difference.gain == pytest.approx(gain, abs=0.03)
    assert not difference.mask.any()


def test_slow_light_is_followed_and_things_are_not() -> None:
    tray = EmptyTray(floor())
    brighter = with_block(200)
    brighter[brighter == 100] = 104
    brighter[::4, ::4] = 100  # the exposure itself has not changed
    before = tray.picture[60, 70]
    for _ in range(20):
        tray.follow(tray.compare(brighter))
    assert tray.picture[10, 11] == pytest.approx(102, abs=0.1)
    assert tray.picture[60, 70] == before


def test_a_glove_as_bright_as_the_floor_differs_in_hue_and_a_shadow_does_not() -> None:
    purple = np.full((120, 160, 3), (100, 50, 75), np.uint8)
    gloved = purple.copy()
    gloved[40:80, 50:110] = (60, 40, 110)
    shaded = (purple * 0.7).astype(np.uint8)
    before, now = (np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8) for image in (purple, gloved))
    tray = EmptyTray(before, hues(purple))
    assert not tray.compare(now).mask.any()
    difference = tray.compare(now, hues(gloved))
    assert difference.mask[45:75, 55:105].all()
    assert not difference.mask[:30].any()
    assert tray.is_real(difference.mask > 0, difference)
    assert not (np.abs(hues(shaded) - hues(purple)) > DIFFERENT).any()


@pytest.mark.parametrize(
    ("colour", "there"), [((13, 15, 12), True), ((38, 21, 11), False)], ids=["black glove", "shadow"]
)
def test_a_black_glove_on_a_dark_floor_hides_its_colour_and_a_shadow_leaves_some(
    colour: tuple[int, int, int], there: bool
) -> None:
    navy = np.full((120, 160, 3), (60, 33, 18), np.uint8)
    seen = navy.copy()
    seen[40:80, 50:110] = colour
    grey, bare = (np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8) for image in (seen, navy))
    tray = EmptyTray(bare, hues(navy))
    assert not tray.compare(grey).mask.any()
    difference = tray.compare(grey, hues(seen))
    assert difference.mask[45:75, 55:105].all() == there
    assert difference.mask.any() == there


@pytest.mark.parametrize("glove", [False, True])
def test_a_shadow_in_one_so_large_that_it_passes_for_exposure_is_told_by_the_light_that_is_left(glove: bool) -> None:
    bare = np.full((160, 240, 3), (32, 62, 14), np.float32)
    light = np.full((160, 240), 0.62, np.float32)
    light[:, 160:] = 0.4
    seen = bare * cv2.GaussianBlur(light, (0, 0), 12)[..., None]
    if glove:
        seen[40:120, 180:220] = (14, 18, 16)
    then, now = bare.astype(np.uint8), seen.astype(np.uint8)
    grey, tray = (np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8) for image in (now, then))
    empty, floor = EmptyTray(tray, hues(then)), np.ones(grey.shape, bool)
    difference = empty.compare(grey, hues(now))
    assert difference.gain < 0.7
    assert empty.is_shaded(np.arange(240)[None] + np.zeros((160, 1)) >= 170, difference, floor, 160.0) != glove


def with_arm(colour: tuple[int, int, int] | None) -> Image:
    """A dark floor before a rim, and a blurred arm of that colour over both, whose edge is sharp for a little way."""
    picture = np.full((240, 320, 3), 36, np.uint8)
    picture[180:] = (70, 110, 150)
    if colour is not None:
        picture[60:, 120:190] = colour
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 5.0), np.uint8)
        picture[150:158, 120:190] = colour
    return picture


BROWN, SHADE = (30, 48, 75), (12, 12, 12)


@pytest.mark.parametrize(
    ("before", "now", "was", "there"),
    [(None, BROWN, True, True), (None, BROWN, False, False), (BROWN, None, True, False), (None, SHADE, True, False)],
    ids=["an arm", "nobody a moment ago", "its ghost", "its shadow"],
)
def test_a_dark_arm_at_rest_stays_one_though_it_hardly_brings_an_edge(
    before: tuple[int, int, int] | None, now: tuple[int, int, int] | None, was: bool, there: bool
) -> None:
    (grey, hue), (grey_now, hue_now) = (
        (np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8), hues(picture))
        for picture in map(with_arm, (before, now))
    )
    tray, plain = EmptyTray(grey, hue), np.zeros(grey.shape, bool)
    plain[:170] = True
    difference = tray.compare(grey_now, hue_now)
    assert tray.is_real(difference.mask > 0, difference, reaches_in=True, plain=plain, was=was) is there


def on_stripes(colour: tuple[int, int, int] | None, left: float = 1.0) -> Image:
    """A floor of yellow and grey stripes, and over it an arm of a `colour`, or a shadow that leaves a share."""
    yellow, grey = (60, 150, 160), (95, 105, 110)
    stripes = ((np.add.outer(np.arange(240), np.arange(320)) % 32) < 18)[..., None]
    picture = np.where(stripes, np.array(yellow, np.uint8), np.array(grey, np.uint8))
    if colour is not None:
        picture[60:, 120:200] = colour
    light = np.ones((240, 320), np.float32)
    light[60:, 120:200] = left
    return np.asarray(
        cv2.GaussianBlur(picture, (0, 0), 0.8) * cv2.GaussianBlur(light, (0, 0), 6.0)[..., None], np.uint8
    )


SKIN = (95, 115, 150)
"""Nearly as bright as the grey stripes, and of no other hue."""


@pytest.mark.parametrize(
    ("before", "now", "was", "there"),
    [
        (on_stripes(None), on_stripes(SKIN), True, True),
        (on_stripes(None), on_stripes(SKIN), False, False),
        (on_stripes(SKIN), on_stripes(None), True, False),
        (on_stripes(None), on_stripes(None, 0.6), True, False),
    ],
    ids=["an arm", "nobody a moment ago", "its ghost", "a shadow"],
)
def test_an_arm_at_rest_on_a_pattern_hides_more_edges_than_it_brings_and_is_no_ghost(
    before: Image, now: Image, was: bool, there: bool
) -> None:
    grey, grey_now = (np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8) for picture in (before, now))
    tray, plain = EmptyTray(grey, hues(before)), np.ones(grey.shape, bool)
    difference = tray.compare(grey_now, hues(now))
    assert tray.is_real(difference.mask > 0, difference, reaches_in=True, plain=plain, was=was) is there


@pytest.mark.parametrize("sigma", [0.0, 3.0])
@pytest.mark.parametrize("there", [False, True], ids=["a soft shadow", "an arm"])
def test_what_a_cameras_noise_adds_to_edges_is_none_of_them(sigma: float, there: bool) -> None:
    """The empty tray's picture has followed many frames, and has none of it."""
    rng, bare = np.random.default_rng(2), np.full((240, 320, 3), (70, 75, 66), np.float32)
    light = np.ones((240, 320), np.float32)
    light[60:, 120:200] = 0.45
    seen = bare * cv2.GaussianBlur(light, (0, 0), 1.0 if there else 12.0)[..., None]
    noisy = np.clip(seen + rng.normal(0, sigma, (240, 320, 1)), 0, 255).astype(np.uint8)
    then = bare.astype(np.uint8)
    grey, tray = (np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8) for image in (noisy, then))
    empty = EmptyTray(tray, hues(then))
    empty.follow(empty.compare(tray, hues(then)), frames=SMOOTH_FRAMES)
    difference = empty.compare(grey, hues(noisy))
    region = difference.mask > 0
    assert region.any()
    assert empty.is_real(region, difference, reaches_in=True) is there
    assert empty.is_shaded(region, difference, np.ones(region.shape, bool), 160.0) is not there


@pytest.mark.parametrize(
    ("hides", "was", "stirs", "there"),
    [(True, True, True, True), (True, True, False, False), (True, False, True, False), (False, True, True, False)],
    ids=["it moves on", "it rests", "nobody a moment ago", "a shadow"],
)
def test_a_hand_of_the_floors_colour_that_moves_on_and_hides_its_grain_is_no_ghost(
    hides: bool, was: bool, stirs: bool, there: bool
) -> None:
    grain = floor() + (np.arange(160) % 8 < 2).astype(np.uint8) * np.uint8(30)
    light = np.ones(grain.shape, np.float32)
    light[:, 20:100] = 0.7
    shaded = grain * cv2.GaussianBlur(light, (0, 0), 6.0)
    seen = np.where(light < 1, cv2.GaussianBlur(shaded, (0, 0), 6.0), shaded) if hides else shaded
    tray, plain = EmptyTray(grain), np.ones(grain.shape, bool)
    difference, region = tray.compare(seen.astype(np.uint8)), light < 0.85
    assert tray.is_real(region, difference, reaches_in=True, plain=plain, was=was, stirs=stirs) is there


def test_an_edge_is_not_hidden_by_noise_that_was_learned_with_the_tray() -> None:
    """A place just learned from one frame shows that frame's noise, however smooth the rest has become."""
    rng, bare = np.random.default_rng(0), np.full((240, 320, 3), 60, np.float32)

    def taken(scene: np.ndarray, sigma: float) -> tuple[Image, np.ndarray]:
        image = np.clip(scene + rng.normal(0, sigma, (240, 320, 1)), 0, 255).astype(np.uint8)
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), hues(image)

    tray, place, hand = EmptyTray(*taken(bare, 0.0)), np.zeros((240, 320), bool), bare.copy()
    tray.follow(tray.compare(*taken(bare, 0.0)), frames=SMOOTH_FRAMES)
    place[40:, 80:240] = True
    tray.learn(place, tray.compare(*taken(bare, 4.0)))
    hand[80:, 120:200] -= 35
    difference = tray.compare(*taken(cv2.GaussianBlur(hand, (0, 0), 1.0), 4.0))
    region = max(pieces(difference.mask, 1), key=np.count_nonzero)
    assert region[120:200, 130:190].mean() > 0.8
    assert tray.is_real(region, difference, reaches_in=True, plain=np.ones(place.shape, bool))


@pytest.mark.parametrize("there", [False, True], ids=["a soft shadow", "a glove"])
def test_a_cameras_noise_has_any_hue_on_a_dark_floor_and_is_no_glove(there: bool) -> None:
    rng, bare = np.random.default_rng(5), np.full((240, 320, 3), (12, 10, 74), np.float32)
    light = np.ones((240, 320), np.float32)
    light[60:, 120:200] = 0.45
    seen = bare * cv2.GaussianBlur(light, (0, 0), 12.0)[..., None]
    if there:
        seen[105:135, 150:170] = (22, 20, 18)
    noise = rng.normal(0, 3, (240, 320, 3))
    noisy, then = np.clip(seen + noise, 0, 255).astype(np.uint8), bare.astype(np.uint8)
    grey, tray = (np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8) for image in (noisy, then))
    empty = EmptyTray(tray, hues(then))
    difference = empty.compare(grey, hues(noisy))
    region = np.zeros(grey.shape, bool)
    region[100:140, 147:173] = True
    unlike = empty._unlike_shadow(region, difference).sum()
    assert there or unlike > 0.1 * region.sum()
    assert empty.is_shaded(region, difference, np.ones(region.shape, bool), 160.0) is not there


@pytest.mark.parametrize("floor_colour", [(165, 160, 240), (222, 226, 228)], ids=["pink", "white"])
@pytest.mark.parametrize(
    ("blur", "thing", "shaded"),
    [(5.0, None, True), (1.0, None, False), (5.0, (150, 90, 70), False)],
    ids=["a soft shadow", "as dark, but with an edge", "as soft, but of another colour"],
)
def test_the_end_of_a_shadow_is_steeper_on_a_bright_floor_where_it_is_deeper(
    floor_colour: tuple[int, int, int], blur: float, thing: tuple[int, int, int] | None, shaded: bool
) -> None:
    bare = np.full((160, 240, 3), floor_colour, np.float32)
    there = np.zeros((160, 240), np.float32)
    there[:, 150:] = 1.0
    there = np.asarray(cv2.GaussianBlur(there, (0, 0), blur), np.float32)
    dark = 0.65 * bare if thing is None else np.full_like(bare, thing)
    now, then = (bare + (dark - bare) * there[..., None]).astype(np.uint8), bare.astype(np.uint8)
    grey, tray = (np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8) for image in (now, then))
    empty, floor = EmptyTray(tray, hues(then)), np.ones(grey.shape, bool)
    difference = empty.compare(grey, hues(now))
    assert difference.mask[80, 160:].all()
    assert empty.is_shaded(difference.mask > 0, difference, floor, 160.0) is shaded

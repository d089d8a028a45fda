"""Calibrating from a recording: what is measured, and why a recording is refused."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

import calibration.outline
import calibration.run
import calibration.sizes
from calibration.check import check, tells_moves
from calibration.facts import Calibration, Wish
from calibration.file import dump, parse
from calibration.quality import blur, glare_spots, measure
from calibration.recording import Recording, record
from calibration.register import unexpected, unread
from calibration.row import Row
from calibration.run import Result, calibrate, doubts, floor_mm
from calibration.shape import KINDS, border, corners
from calibration.words import sentences, unsure_words
from tests.calibration.drawn import SHOWN, SIZE, THROWN, VIEW, empty, outline, recording
from tests.calibration.once import once
from tests.calibration.test_check import FAINT_WALL, shadowed
from tests.calibration.test_rim import DARK, IN_THE_DARK, contour, plain_table, softly_shaded
from vision.network import Networks
from vision.source import Frame

MADE = datetime(2026, 1, 31, 20, 0, tzinfo=UTC)
TRAY = Wish(tray_mm=240.0)


@pytest.fixture(scope="module", autouse=True)
def asked_once() -> Iterator[None]:
    """What does not hang on what people wish is found once in a recording that many calibrate from."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("face_size", "empty_tray", "measure", "dice_at_rest"):
            patch.setattr(f"calibration.run.{name}", once(getattr(calibration.run, name)))
        for name in ("measure_dice", "gauged"):
            patch.setattr(f"calibration.sizes.{name}", once(getattr(calibration.sizes, name)))
        outlined = once(calibration.outline.find_outline)
        patch.setattr("calibration.run.find_outline", outlined)
        patch.setattr("calibration.pointed.find_outline", outlined)  # beside corners that people point at
        yield


@pytest.fixture(scope="module")
def bare() -> np.ndarray:
    return empty()


@pytest.fixture(scope="module")
def good(networks: Networks, bare: np.ndarray) -> Result:
    return run(networks, recorded(recording(bare)))


@pytest.fixture(scope="module")
def by_dice(networks: Networks, good: Result) -> Result:
    """The same by the dice's size alone."""
    return run(networks, good.recording, Wish(die_mm=16.0))


def recorded(frames: Iterable[Frame]) -> Recording:
    found = record(frames)
    assert found is not None
    return found


def run(networks: Networks, seen: Recording, wish: Wish = TRAY) -> Result:
    return calibrate(seen, networks, wish, "a camera", MADE)


def test_a_good_recording_passes_and_measures_the_tray(good: Result) -> None:
    assert good.reasons == ()
    found = good.calibration
    assert found is not None and found.lens is not None
    assert (found.scale, found.shape, found.camera, found.made) == ("tray", "square", "a camera", MADE)
    true = VIEW.lens(SIZE, 120.0)
    here, there = (float(lens.px_per_mm(lens.project([(0.0, 0.0)]))[0]) for lens in (found.lens, true))
    assert here == pytest.approx(there, rel=0.01)
    assert len(found.floor) >= 32
    assert (1, 2, 4, 5, 6) in good.found
    assert parse(dump(found)) == replace(found, note="")


def test_what_dice_tell_of_the_camera_moves_no_edge_of_the_floor(networks: Networks) -> None:
    mat = np.full((*SIZE[::-1], 3), (70, 96, 130), np.uint8)
    cv2.fillPoly(mat, [np.round(outline("octagon") * 16).astype(np.int32)], (60, 120, 50), cv2.LINE_AA, 4)
    found = run(networks, recorded(recording(mat)), Wish(die_mm=16.0)).calibration
    assert found is not None and found.shape == "octagon"
    traced = np.array(found.floor, np.float32).reshape(-1, 1, 2)
    true = VIEW.lens(SIZE).project(border("octagon", 1.0, 360))
    assert max(abs(cv2.pointPolygonTest(traced, (float(x), float(y)), True)) for x, y in true) < 1.2


def test_without_a_length_none_is_claimed_and_values_expected_are_looked_for(networks: Networks, good: Result) -> None:
    nothing = run(networks, good.recording, Wish(expect=(6, 6, 6, 6, 6)))
    assert nothing.ok
    assert {"scale_unknown", "expected_contradicted"} <= set(nothing.advice)
    assert any("surely show 1 2 4 5 6, not --expect: correct it" in sentence for sentence in sentences(nothing))
    assert nothing.calibration is not None and nothing.calibration.scale == "assumed"
    assert any("--die-mm" in sentence for sentence in sentences(nothing))


def test_a_recording_that_goes_on_unseen_is_told(
    networks: Networks, bare: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not recorded(recording(bare, shown=())).cut
    begun = record(recording(bare), 1.0)
    assert begun is not None and begun.cut and begun.seconds == 1.0
    found = run(networks, begun)
    assert (found.reasons, found.advice) == (("too_short",), ("cut_short",))
    assert sentences(found)[1].startswith("only the first 1 s of the recording were looked at: ")
    monkeypatch.setattr("calibration.recording.MOST_FRAMES", 20)
    assert (recorded(recording(bare)).cut, len(recorded(recording(bare)).times)) == (True, 20)


def test_values_expected_are_beside_those_of_the_first_rest_and_of_the_fullest() -> None:
    lots = ((1, 2, 4), (1, 2, 4, 6), (3, 3))
    assert unread(lots, (6, 6, 1, 2)) == (6,)
    assert unread(lots, (1, 2, 4)) == unread(lots, ()) == ()
    assert unread((), (5, 1)) == (1, 5)
    assert unexpected(lots, (1, 4, 6)) == (2,)
    assert unexpected(lots, (1, 2, 3, 4)) == unexpected(lots, ()) == unexpected((), (1,)) == ()


def test_the_width_of_a_floor_is_between_two_opposite_sides() -> None:
    for kind in KINDS:
        ratio = 1.5 if kind == "rectangle" else 1.0
        lens = replace(VIEW, ratio=ratio).lens(SIZE, 120.0)
        floor = tuple((float(x), float(y)) for x, y in lens.project(border(kind, ratio, 64) * 120.0))
        assert floor_mm(Calibration(*SIZE, floor, 30.0, lens=lens, shape=kind)) == pytest.approx(
            240.0 * ratio, rel=1e-4
        )


def test_what_holds_and_what_does_not(good: Result, bare: np.ndarray) -> None:
    assert good.calibration is not None
    assert check(good.calibration, [bare] * 3).ok
    pushed = cv2.warpAffine(bare, np.array([[1.0, 0, 14], [0, 1, 8]]), SIZE, borderMode=cv2.BORDER_REPLICATE)
    assert check(good.calibration, [np.asarray(pushed, np.uint8)]).reasons == ("camera_moved",)
    dim = (bare * 0.35).astype(np.uint8)
    assert "light_changed" in check(good.calibration, [dim]).reasons


def test_a_lens_that_lost_its_focus_and_a_lamp_of_another_colour_are_seen(good: Result, bare: np.ndarray) -> None:
    assert good.calibration is not None
    soft = np.asarray(cv2.GaussianBlur(bare, (0, 0), 4.0), np.uint8)
    assert check(good.calibration, [soft] * 3).reasons == ("out_of_focus",)
    warm = np.clip(bare * np.array([0.6, 1.0, 1.6]), 0, 255).astype(np.uint8)
    assert check(good.calibration, [warm] * 3).reasons == ("light_changed",)


@pytest.mark.parametrize("level", [2, 253])
def test_a_picture_that_shows_no_edge_in_another_light_tells_of_no_move(
    level: int, good: Result, bare: np.ndarray
) -> None:
    assert good.calibration is not None
    assert check(good.calibration, [np.full_like(bare, level)] * 3).reasons == ("light_changed",)


def test_light_on_the_floor_is_measured_and_said_where_it_is_bad(networks: Networks, bare: np.ndarray) -> None:
    falls = np.linspace(0.1, 1.0, SIZE[0])[None, :, None]
    fading = (
        replace(f, image=np.asarray(f.image * falls * (1 - 0.08 * f.t) * np.array([1 - 0.04 * f.t, 1, 1]), np.uint8))
        for f in recording(bare)
    )
    found = run(networks, recorded(fading))
    assert found.light is not None and found.light.even == pytest.approx(0.45, abs=0.1)
    x, _ = found.light.darkest
    assert x < 250
    assert {"uneven_light", "light_drifts", "colours_drift"} <= set(found.advice)
    assert any("the brightness changed by" in sentence for sentence in sentences(found))


def test_dice_that_cannot_be_read_are_counted_as_unsure(networks: Networks, bare: np.ndarray) -> None:
    def smeared(picture: np.ndarray) -> np.ndarray:
        out = picture.copy()
        for x, y, _ in SHOWN:
            around = (slice(round(y) - 26, round(y) + 26), slice(round(x) - 26, round(x) + 26))
            out[around] = cv2.GaussianBlur(picture, (0, 0), 6.0)[around]
        return out

    frames = (replace(f, image=smeared(f.image) if 1.5 <= f.t < 3.0 else f.image) for f in recording(bare))
    found = run(networks, recorded(frames))
    assert found.calibration is not None and found.calibration.dice is not None
    assert found.calibration.dice.readings == 10
    assert 0.3 <= found.calibration.dice.unsure <= 0.5
    assert "readings_unsure" in found.advice
    assert "10 dice read at rest, " in unsure_words(found)


def test_dice_that_are_full_white_are_said_to_look_larger(networks: Networks, bare: np.ndarray) -> None:
    def glaring(picture: np.ndarray) -> np.ndarray:
        out = picture.copy()
        for x, y, _ in SHOWN:
            around = out[round(y) - 26 : round(y) + 26, round(x) - 26 : round(x) + 26]
            around[around.min(axis=2) > 150] = 255
        return out

    frames = (replace(f, image=glaring(f.image) if f.t >= 1.5 else f.image) for f in recording(bare))
    found = run(networks, recorded(frames), Wish(die_mm=16.0))
    assert found.ok and "dice_overexposed" in found.advice
    assert any("the dice are full white" in sentence for sentence in sentences(found))


def test_corners_beside_a_plain_outline_are_taken_and_said_with_what_they_leave_open(
    networks: Networks, good: Result
) -> None:
    given = VIEW.lens(SIZE).project(corners("square") * 0.85)
    wish = replace(TRAY, corners=tuple((float(x), float(y)) for x, y in given))
    found = run(networks, good.recording, wish)
    assert found.ok
    assert {"corners_taken", "corners_odd", "moves_untold"} <= set(found.advice)
    assert found.calibration is not None and check(found.calibration, [good.empty]).ok
    assert "lens_unknown" not in found.advice
    mm_doubt, die_doubt = doubts(found, 1.0)
    assert mm_doubt == pytest.approx(0.16, abs=0.02)  # as the floor is 1 / 0.85 times as wide
    assert die_doubt is not None and die_doubt > 1.0
    told = "\n".join(sentences(found))
    assert "lengths are good to 16" in told
    assert "px from the corners given: if it is the floor's, omit --corners" in told


def test_a_length_that_is_a_slip_is_said(networks: Networks, good: Result, by_dice: Result) -> None:
    wrong = run(networks, good.recording, Wish(tray_mm=2000.0))
    assert wrong.reasons == ("no_dice",)
    assert "by the length given the dice are 18" in sentences(wrong)[0]
    large = run(networks, good.recording, Wish(die_mm=60.0))
    assert large.ok and "length_odd" in large.advice
    assert by_dice.ok and "length_odd" not in by_dice.advice
    high = run(networks, good.recording, Wish(die_mm=16.0, height_mm=4500.0))
    assert high.ok and "height_odd" in high.advice
    assert any("the height given was left out" in sentence for sentence in sentences(high))


def test_dice_shown_in_a_row_are_found_and_said_to_be_missing_or_apart(
    networks: Networks, good: Result, bare: np.ndarray
) -> None:
    wish = Wish(die_mm=16.0, height_mm=VIEW.lens(SIZE, 120.0).place[2], row=True)
    missing = run(networks, good.recording, replace(wish, height_mm=None))
    assert missing.row is None and "row_not_seen" in missing.advice
    assert any("no row of dice that touch was seen: push four or more" in sentence for sentence in sentences(missing))
    apart, row = (
        [(330.0 + way * k, 240.0, value) for k, value in zip(range(-2, 3), (2, 4, 6, 3, 5), strict=True)]
        for way in (31.0, 30.0)
    )
    shown = recorded(recording(bare, (apart, row, THROWN), turned=(0.0, 0.0)))  # first laid down, then pushed together
    found = run(networks, shown, wish)
    assert found.ok and found.row is not None and found.measured is not None and not found.row_odd
    assert found.row.count == 5 and found.row.edge == pytest.approx(0.1766, rel=0.01)  # 30 px where they lie
    assert "row_not_seen" not in found.advice
    odd = replace(found, advice=("row_odd",), row=Row(1.05 * found.measured.edge, 0.01, 5))
    assert sentences(odd)[0].startswith("the row was left out, as it makes its dice 5.0 % larger than they look: ")


def test_a_rough_scale_is_not_told_to_need_what_was_given(networks: Networks, by_dice: Result) -> None:
    height = VIEW.lens(SIZE, 120.0).place[2]
    by_height = run(networks, by_dice.recording, Wish(die_mm=16.0, height_mm=height))
    for found, helps in ((by_dice, True), (by_height, False)):
        rough = replace(found, scale_doubt=0.02, advice=("scale_rough",))
        (told,) = sentences(rough)
        assert told.startswith("the scale by the dice is good to 2.0 %: ")
        assert ("--height-mm" in told) == helps and "a --row of dice" in told
        (told,) = sentences(replace(rough, row=Row(0.2, 0.01, 5)))
        assert "--row" not in told


@pytest.mark.parametrize(
    ("reason", "spoil"),
    [
        ("too_dark", lambda p, t: (p * 0.1).astype(np.uint8)),
        ("out_of_focus", lambda p, t: cv2.GaussianBlur(p, (0, 0), 5.0)),
        (
            "flicker",
            lambda p, t: (p * (0.75 + 0.2 * np.sin(np.arange(480) / 30 + 9.3 * t))[:, None, None]).astype("u1"),
        ),
        ("camera_moving", lambda p, t: np.roll(p, (round(9 * np.sin(5 * t)), round(9 * np.cos(4 * t))), (0, 1))),
    ],
)
def test_bad_pictures_are_refused_for_their_reason(
    reason: str, spoil: Callable[[np.ndarray, float], np.ndarray], networks: Networks, bare: np.ndarray
) -> None:
    frames = (replace(f, image=np.asarray(spoil(f.image, f.t), np.uint8)) for f in recording(bare))
    assert reason in run(networks, recorded(frames)).reasons


def test_a_tray_that_is_pushed_on_a_table_with_a_pattern_is_refused(networks: Networks, bare: np.ndarray) -> None:
    rng = np.random.default_rng(3)
    spots = cv2.GaussianBlur(rng.normal(0, 1, SIZE[::-1]), (0, 0), 9.0)  # finer ones may be pips
    table = np.clip((70, 96, 130) + 22 * (spots / spots.std())[..., None], 0, 255).astype(np.uint8)
    tray = np.zeros(SIZE[::-1], np.uint8)
    cv2.fillPoly(tray, [np.round(outline(out=0.17, height=0.2)).astype(np.int32)], 1)

    def laid(picture: np.ndarray, px: int) -> np.ndarray:
        shown = np.roll(tray, px, axis=1)[..., None] > 0
        return np.asarray(np.where(shown, np.roll(picture, px, axis=1), table), np.uint8)

    def filmed(px: int) -> Result:
        frames = (replace(f, image=laid(f.image, px if f.t >= 2.2 else 0)) for f in recording(bare))
        return run(networks, recorded(frames))

    assert filmed(0).ok
    pushed = filmed(10)
    assert pushed.quality.shift_px < 0.5
    assert pushed.reasons == ("camera_moving",)
    assert any("the camera or the tray moves" in sentence for sentence in sentences(pushed))


def test_a_shadow_that_comes_along_a_faint_edge_is_no_push_but_leaves_moves_untold(networks: Networks) -> None:
    table, floor = plain_table((70, 115, 180)), contour(IN_THE_DARK, 0.0, 0.0)
    dark = softly_shaded(IN_THE_DARK, DARK, (66, 31, 46), (140, 190, 160), (-0.06, -0.05), 2.0, 1.0, table)

    def later(picture: np.ndarray) -> np.ndarray:
        return shadowed(picture, floor, 4.0, 0.3)

    found = run(
        networks, recorded(replace(f, image=later(f.image) if f.t >= 3.2 else f.image) for f in recording(dark))
    )
    assert found.ok and "moves_untold" in found.advice
    assert found.calibration is not None and not tells_moves(found.calibration)
    assert "camera_moved" not in check(found.calibration, [later(dark)]).reasons


def test_a_wall_a_few_levels_from_its_floor_is_asked_about_though_a_shadow_comes(networks: Networks) -> None:
    faint = empty(wall=FAINT_WALL)
    frames = (replace(f, image=shadowed(f.image, outline()) if f.t >= 2.2 else f.image) for f in recording(faint))
    found = run(networks, recorded(frames))
    assert found.reasons == ("no_tray",)
    assert found.outline is not None and found.outline.likely


def test_what_is_shown_must_be_a_whole_tray_with_dice(networks: Networks, bare: np.ndarray) -> None:
    assert run(networks, recorded(recording(bare, shown=((), ())))).reasons == ("no_dice",)
    assert run(networks, recorded(recording(bare, shown=()))).reasons == ("too_short",)
    assert run(networks, recorded(recording(bare, fps=4.0))).reasons == ("low_frame_rate",)
    table = np.full_like(bare, (80, 110, 140))
    assert run(networks, recorded(recording(table))).reasons == ("no_tray",)
    shifted = np.asarray(cv2.warpAffine(bare, np.array([[1.0, 0, -170], [0, 1, 0]]), SIZE, borderMode=1), np.uint8)
    dice = tuple((x - 140, y, value) for x, y, value in SHOWN)
    assert "tray_cut_off" in run(networks, recorded(recording(shifted, shown=(dice, dice[::-1])))).reasons


def test_a_mirrored_lamp_and_a_second_tray_are_pointed_at(networks: Networks, bare: np.ndarray) -> None:
    lamp = bare.copy()
    cv2.ellipse(lamp, (300, 240), (30, 24), 0, 0, 360, (255, 255, 255), -1, cv2.LINE_AA)
    glaring = run(networks, recorded(recording(lamp)))
    assert "glare" in glaring.reasons
    assert any("mirrored in the middle" in sentence for sentence in sentences(glaring))
    half = cv2.resize(bare, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)[:, 100:400]
    two = np.asarray(cv2.copyMakeBorder(bare, 0, 0, 0, 330, cv2.BORDER_REPLICATE), np.uint8)
    two[60 : 60 + half.shape[0], 650 : 650 + half.shape[1]] = half
    assert "two_trays" in run(networks, recorded(recording(two))).reasons


def test_blur_is_measured_in_px(bare: np.ndarray) -> None:
    grey = np.asarray(cv2.cvtColor(bare, cv2.COLOR_BGR2GRAY), np.uint8)
    assert blur(grey) < 1.5
    assert blur(np.asarray(cv2.GaussianBlur(grey, (0, 0), 4.0), np.uint8)) == pytest.approx(4.0, rel=0.35)
    assert measure(recorded(recording(bare)), bare).shift_px < 0.5


def test_a_lamp_is_told_from_the_white_floor_that_mirrors_it() -> None:
    white = np.full((200, 300, 3), 220, np.uint8)
    floor = np.ones((200, 300), np.bool_)
    assert glare_spots(white, floor, 100.0) == []
    lamp = white.copy()
    cv2.circle(lamp, (210, 80), 25, (249, 252, 250), -1)
    ((x, y, area),) = glare_spots(lamp, floor, 100.0)
    assert (x, y) == pytest.approx((210, 80), abs=1)
    assert area > 1500


def test_a_camera_that_was_pushed_is_told_from_patches_of_compression_that_change() -> None:
    rng = np.random.default_rng(4)

    def patches() -> np.ndarray:
        coarse = rng.normal(0, 2.0, (SIZE[1] // 10, SIZE[0] // 10)).astype(np.float32)
        return np.round(cv2.resize(coarse, SIZE, interpolation=cv2.INTER_NEAREST))[..., None]

    ring = np.full((SIZE[1], SIZE[0], 3), 60, np.uint8)
    cv2.circle(ring, (SIZE[0] // 2, SIZE[1] // 2), 200, (220, 220, 220), 10, cv2.LINE_AA)
    kept = [np.asarray(ring + patches(), np.uint8) for _ in range(2)]
    stays = recorded(replace(f, image=kept[f.t >= 2.0]) for f in recording(ring))
    assert measure(stays, ring).shift_px < 0.5
    pushed = [kept[0], np.roll(kept[0], 4, axis=1)]
    assert measure(recorded(replace(f, image=pushed[f.t >= 2.0]) for f in recording(ring)), ring).shift_px > 3

"""Every screen as a picture: the same dots as the reference, and room for whatever a match can bring.

The references in tests/data/display were looked at, enlarged, before they were taken. To take them anew:
`python tests/hardware/test_drawing.py`.
"""

import math
from itertools import combinations
from pathlib import Path
from typing import get_args
from unittest.mock import patch

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from hardware.colour import TONES
from hardware.dot_boxes import GRID_TOP
from hardware.drawing import draw
from hardware.errors import DisplayError
from hardware.lettering import Ink, Typeface, enlarged
from hardware.placing import placed
from hardware.screens import (
    Address,
    Card,
    Choosing,
    Counted,
    Lying,
    Notice,
    Screen,
    Sheet,
    Sign,
    Throwing,
    Tone,
    Tray,
    Waiting,
)

REFERENCES = Path(__file__).parent.parent / "data" / "display"
NAMES = ("1s", "2s", "3s", "4s", "5s", "6s", "3K", "4K", "FH", "SS", "LS", "Y", "C")
TWELVE = ("Ann", "Ben", "Zoë", "Dora", "Emil", "Finn", "Gus", "Ida", "Jo", "Kim", "Leopold", "Mo")
LONG = "Maximilian-Alexander"


def boxes(text: str) -> tuple[tuple[str, int, int], ...]:
    """Boxes written as `4s=12+35 FH=25`."""
    pairs = (word.split("=") for word in text.split())
    return tuple((name, int(worth.partition("+")[0]), int(worth.partition("+")[2] or 0)) for name, worth in pairs)


OCTAGON = ((-60, -140), (60, -140), (140, -60), (140, 60), (60, 140), (-60, 140), (-140, 60), (-140, -60))
TRAY = Tray(
    tuple((float(x), float(y)) for x, y in OCTAGON),
    (
        Lying((-40.0, -20.0), 4),
        Lying((-22.0, -18.0), 4),
        Lying((30.0, 60.0), 5),
        Lying((70.0, -70.0), None, meant=True),
        Lying((170.0, 20.0), 2, meant=True),
    ),
)
BOXES = boxes("FH=25 4s=12+35 3K=22 C=22 1s=0 Y=0")
FULL = dict(zip(NAMES, (3, 6, None, 12, 15, None, 22, None, 25, 30, None, 50, None), strict=True))

SCREENS: dict[str, Screen] = {
    "waiting": Waiting("Ann", 1, 3, "throw all five dice"),
    "waiting_accents": Waiting("Zoë", 2, 3),
    "waiting_long": Waiting(LONG, 3, 3, "keep any dice, throw the rest"),
    "counted_open_card": Counted(
        "Ann", 1, 3, (2, 3, 4, 5, 6), boxes("1s=0 2s=2 3s=3 4s=4 5s=5 6s=6 3K=0 4K=0 FH=0 SS=30 LS=40 Y=0 C=20")
    ),
    "counted_upper_bonus": Counted("Ben", 2, 3, (4, 4, 4, 5, 5), boxes("1s=0 4s=12+35 3K=22 FH=25 Y=0 C=22")),
    "counted_joker": Counted(
        LONG, 3, 3, (6, 6, 6, 6, 6), boxes("3K=30+100 4K=30+100 FH=25+100 SS=30+100 LS=40+100 C=30+100")
    ),
    "counted_forced": Counted("Ann", 3, 3, (6, 6, 6, 6, 6), boxes("6s=30+135")),
    "counted_scratch": Counted("Ann", 3, 3, (1, 2, 2, 4, 6), boxes("3K=0 4K=0 FH=0 SS=0 LS=0 Y=0")),
    "counted_late": Counted("Ann", 3, 3, (1, 2, 2, 4, 6), boxes("6s=6 Y=0 C=15")),
    "counted_middle": Counted("Ben", 2, 3, (1, 2, 3, 4, 4), boxes("2s=2 4s=8 4K=0 FH=0 SS=30 LS=0 Y=0 C=14")),
    "counted_worst": Counted(
        LONG, 1, 3, (1, None, 3, None, 5), tuple((name, 40 + place, 100) for place, name in enumerate(NAMES))
    ),
    "counted_six_dice": Counted(
        "Ann", 1, 3, (1, 2, 3, 4, 5, 6), boxes("1s=1 2s=2 3s=3 4s=4 5s=5 6s=6 3P=0 2T=0 FH=0 ST=50 Y=0 SS=21 SY=0 C=21")
    ),
    "counted_columns": Counted(
        "Ben",
        2,
        3,
        (1, 2, 3, 4, 4),
        tuple(
            (f"{column}:{name}", points, 0)
            for name, points in (("SS", 30), ("C", 14), ("4s", 8), ("3s", 3), ("FH", 0))
            for column in (3, 2, 1)
        ),
    ),
    "counted_columns_joker": Counted(
        LONG,
        3,
        3,
        (4,) * 5,
        tuple(
            (f"{column}:{name}", points, 100)
            for name, points in (("LS", 40), ("SS", 30), ("FH", 25), ("4K", 20), ("3K", 20))
            for column in (3, 2, 1)
        ),
    ),
    "notice_reroll": Notice("Ben", 2, 3, "THROW AGAIN", "Roll 1 again: off tray", (4, 4, 4, 5)),
    "notice_unsure": Notice("Ann", 1, 3, "WHICH VALUE?", "Is it a 4?", (None,) * 5),
    "notice_refused": Notice("Ann", 1, 3, "REFUSED", "No roll: all dice together", (1, 2, 3)),
    "notice_fourth": Notice(LONG, 3, 3, "REFUSED", "No roll: three rolls", (1, 2, 3, 4, 5)),
    "notice_held": Notice("Ann", 2, 3, "DOES IT COUNT?", "Does roll 2 count? staggered", (1, 2, 3, 4, 5)),
    "notice_restore": Notice("Ann", 2, 3, "TURN BACK", "Set die back to 6: turned by hand", (6, 6, 2, 1, 1)),
    "notice_where": Notice("Ann", 2, 3, "WHERE IS IT?", "Where are 2 dice?", (6, 6, 6)),
    "notice_unseen": Notice("Ann", 2, 3, "NOT SEEN", "Roll 2 was not seen"),
    "notice_long": Notice("Ann", 1, 3, "REFUSED", "All five dice are rolled at the same time: throw them all again"),
    "notice_too_many": Notice("Ann", 1, 3, "REFUSED", "No roll: foreign die", (1, 2, 3, 4, 5, 6, None, 1, 2, 3)),
    "notice_tray": Notice("Ben", 2, 3, "THROW AGAIN", "Roll 2 again: off tray", tone="order", tray=TRAY),
    "notice_wait": Notice("Ben", 2, 3, "WAIT", "the camera sends no pictures any more: check its cable", tone="wrong"),
    "notice_marker": Notice("Ann", 2, 3, "AGREED?", "FH 25: Ben?", (4, 4, 4, 5, 5), "asked"),
    "notice_dispute": Notice("Ann", 2, 3, "REFEREE", "Play waits for the referee", (4, 4, 4, 5, 5), "asked"),
    "throwing": Throwing("Ann", 2, 3, 3),
    "choosing": Choosing("Ann", 2, 3, BOXES, 0, "Full House"),
    "choosing_bonus": Choosing("Zoë", 3, 3, BOXES, 1, "Fours"),
    "choosing_only": Choosing("Ann", 3, 3, boxes("6s=30+135"), 0, "Sixes"),
    "choosing_points": Choosing("Ann", 3, 3, BOXES, 0, "Full House", announced=24),
    "sheet": Sheet("Ann", 163, (*FULL.items(), ("up", 36), ("bon", 100))),
    "sheet_page": Sheet(LONG, 1163, tuple((f"{1 + n // 6}:{n % 6 + 1}s", 30) for n in range(18)), 2, 3),
    "sheet_most": Sheet("Ann", 1500, (*((name, 50) for name in NAMES), ("up", 105), ("bon", 1300))),
    "sign_setup": Sign("SET UP", "Empty the tray and keep hands out"),
    "sign_error": Sign("ERROR", "no camera found: check its cable, or run rpicam-hello --list-cameras", "wrong"),
    "address": Address("Phones here", "http://192.168.178.21:8080", "482 915"),
    "address_long": Address("Phones here", "https://fairtray.local:8443/join/7Kq2vXw9"),
    "card_code": Card((("Ann", 245), ("Ben", 312)), "7XKQ-M2D9-ZB4T-0WNE"),
    "card_six_code": Card(tuple((name, 200 + place) for place, name in enumerate(TWELVE[:6])), "7XKQ-M2D9-ZB4T-0WNE"),
    "card_two": Card((("Ann", 245), ("Ben", 312))),
    "card_six": Card(((LONG, 1245), ("Ben", 312), ("Zoë", 312), ("Dora", 99), ("Emil", 100), ("Finn", 7))),
    "card_twelve": Card(tuple((name, 200 + place) for place, name in enumerate(TWELVE))),
    "card_forty_code": Card(tuple((f"P{place}", 200 + place) for place in range(40)), "7XKQ-M2D9-ZB4T-0WNE"),
    "card_scripts": Card((("Иван", 245), ("Игорь", 312), ("王芳", 99), ("李伟", 101))),
}


SIZES = {"": ((128, 64), "1"), "320": ((320, 240), "RGB"), "240": ((240, 240), "RGB")}
"""Folders of the references, and what is drawn for them."""


def reference(folder: str, name: str) -> Path:
    return REFERENCES / folder / f"{name}.png"


@pytest.mark.parametrize("name", SCREENS)
@pytest.mark.parametrize("folder", SIZES)
def test_screen_is_drawn_like_its_reference(folder: str, name: str) -> None:
    size, mode = SIZES[folder]
    with Image.open(reference(folder, name)) as expected:
        assert draw(SCREENS[name], size, mode).tobytes() == expected.convert(mode).tobytes()


@pytest.mark.parametrize("folder", SIZES)
def test_every_reference_belongs_to_a_screen(folder: str) -> None:
    assert {path.stem for path in (REFERENCES / folder).glob("*.png")} == set(SCREENS)


@pytest.mark.parametrize("folder", SIZES)
@pytest.mark.parametrize("screen", [screen for screen in SCREENS.values() if isinstance(screen, Address)])
def test_phones_read_the_address(screen: Address, folder: str) -> None:
    size, mode = SIZES[folder]
    picture = enlarged(draw(screen, size, mode).convert("L"), 4)
    text, *_ = cv2.QRCodeDetector().detectAndDecode(np.asarray(picture))
    assert text == screen.url


@pytest.mark.parametrize("folder", SIZES)
def test_what_is_said_is_legible_from_60_cm(folder: str) -> None:
    """What must be read in play is set in letters of 12 minutes of arc or more on the displays of the parts list."""
    size, mode = SIZES[folder]
    heights: list[int] = []

    def note(face: Typeface, _canvas: Image.Image, _place: tuple[int, int], text: str, ink: Ink = 1) -> None:
        heights.append(face.height)

    with patch.object(Typeface, "draw", new=note):
        for name in (
            "waiting",
            "notice_reroll",
            "notice_refused",
            "notice_unsure",
            "choosing",
            "notice_marker",
            "sign_error",
        ):
            draw(SCREENS[name], size, mode)
    dot_mm = {"": 55.0 / 128, "320": 57.6 / 320, "240": 27.7 / 240}[folder]
    assert 60 * math.degrees(min(heights) * dot_mm / 600) >= (12 if folder != "240" else 9)


@pytest.mark.parametrize("tone", get_args(Tone))
def test_colour_is_never_the_only_sign(tone: Tone) -> None:
    """In shades of grey notices of another meaning still differ: by their mark."""
    pictures = {
        draw(Notice("Ann", 1, 3, "T", tone=other), (320, 240), "RGB")
        .convert("L")
        .point(lambda v: 255 * (v > 128))
        .tobytes()
        for other in get_args(Tone)
    }
    assert len(pictures) == len(get_args(Tone))
    mark, ink = TONES[tone]
    assert all(mark != other for name, (other, _) in TONES.items() if name != tone)
    assert contrast(ink) >= 4.5


def contrast(ink: tuple[int, int, int]) -> float:
    """Of white letters on it, by the Web Content Accessibility Guidelines 2.1 (relative luminance)."""
    parts = [v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in ink]
    return 1.05 / (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(-200, 200), st.floats(-200, 200)), max_size=6))
def test_dice_on_the_tray_never_cover_each_other(places: list[tuple[float, float]]) -> None:
    tray = Tray(TRAY.outline, tuple(Lying(place, 1) for place in places))
    dice = placed(tray, 0, 0, 66, 54, 10).dice
    assert all(5 <= x <= 61 and 5 <= y <= 49 for x, y in dice)
    assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) >= 10 for a, b in combinations(dice, 2))


worths = st.tuples(st.integers(0, 50), st.sampled_from((0, 0, 35, 100, 135))).map(lambda w: w if w[0] else (0, 0))


def with_a_worth(name: str) -> st.SearchStrategy[tuple[str, int, int]]:
    return worths.map(lambda worth: (name, *worth))


legal = st.lists(st.sampled_from(NAMES), min_size=1, max_size=13, unique=True).flatmap(
    lambda names: st.tuples(*map(with_a_worth, names))
)


@settings(max_examples=40, deadline=None)
@given(legal)
def test_any_legal_boxes_have_room_apart_from_each_other(given_boxes: tuple[tuple[str, int, int], ...]) -> None:
    texts: list[tuple[int, int, int, int]] = []

    def note(face: Typeface, _canvas: Image.Image, place: tuple[int, int], text: str, ink: Ink = 1) -> None:
        texts.append((*place, place[0] + face.width(text), place[1] + face.height))

    with patch.object(Typeface, "draw", new=note):
        draw(Counted(LONG, 1, 3, (1, 2, 3, 4, 5), given_boxes))
    assert all(min(left, top) >= 0 and right <= 128 and bottom <= 64 for left, top, right, bottom in texts)
    assert not any(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for a, b in combinations(texts, 2))


def test_boxes_are_shown_best_first_in_whatever_order_they_come() -> None:
    given_boxes = boxes("1s=0 4s=12+35 3K=22 FH=25 Y=0 C=22")
    best_first = boxes("4s=12+35 FH=25 3K=22 C=22 1s=0 Y=0")
    pictures = {draw(Counted("Ann", 1, 3, (4, 4, 4, 5, 5), some)).tobytes() for some in (given_boxes, best_first)}
    assert len(pictures) == 1


@settings(max_examples=40, deadline=None)
@given(legal, st.data())
def test_every_box_and_every_worth_shows(given_boxes: tuple[tuple[str, int, int], ...], data: st.DataObject) -> None:
    """Another worth, or one box less, gives another picture: nothing is left out or cut away."""
    place = data.draw(st.integers(0, len(given_boxes) - 1))
    name, points, bonus = given_boxes[place]
    changed = (*given_boxes[:place], (name, points + 1 if points else 7, bonus), *given_boxes[place + 1 :])
    left_out = given_boxes[:place] + given_boxes[place + 1 :]
    picture = draw(Counted("Ann", 1, 3, (1, 2, 3, 4, 5), given_boxes)).tobytes()
    assert draw(Counted("Ann", 1, 3, (1, 2, 3, 4, 5), changed)).tobytes() != picture
    assert draw(Counted("Ann", 1, 3, (1, 2, 3, 4, 5), left_out)).tobytes() != picture


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60), st.text(max_size=200), st.integers(1, 3), st.integers(0, 5))
def test_any_text_can_be_drawn(player: str, text: str, roll: int, dice: int) -> None:
    for screen in (
        Sign(text[:30], text, "wrong"),
        Sheet(player, 5, ((text[:8], 3),)),
        Choosing(player, roll, 3, (("FH", 25, 0),), 0, text[:30]),
        Waiting(player, roll, 3, text),
        Notice(player, roll, 3, text[:40], text, (None,) * dice),
        Card(((player, 300), (text, 0))),
    ):
        for size, mode in SIZES.values():
            assert draw(screen, size, mode).size == size


def test_long_name_leaves_the_roll_squares_alone() -> None:
    squares = (100, 0, 128, 8)
    short, long = (draw(Counted(name, 2, 3, (1,) * 5, boxes("1s=5"))).crop(squares) for name in ("A", "W" * 40))
    assert short.tobytes() == long.tobytes()


def test_unsure_die_looks_like_no_value() -> None:
    pictures = {draw(Notice("Ann", 1, 3, "T", dice=(value,))).tobytes() for value in (None, 1, 2, 3, 4, 5, 6)}
    assert len(pictures) == 7


def test_larger_display_shows_whole_dots_in_the_middle() -> None:
    screen = SCREENS["waiting"]
    large = draw(screen, (320, 240))
    inner = large.crop((32, 56, 32 + 256, 56 + 128))
    assert inner.tobytes() == draw(screen).resize((256, 128), Image.Resampling.NEAREST).tobytes()
    outside = ImageChops.logical_xor(large, Image.new("1", large.size))
    outside.paste(0, (32, 56, 288, 184))
    assert outside.getbbox() is None


def test_display_that_is_too_small_is_refused() -> None:
    with pytest.raises(DisplayError, match="128 x 64 dots or more, not 128 x 32"):
        draw(SCREENS["waiting"], (128, 32))


@pytest.mark.parametrize("folder", SIZES)
@pytest.mark.parametrize("code", ["", "7XKQ-M2D9-ZB4T-0WNE"])
@pytest.mark.parametrize("players", [2, 7, 12, 13, 40])
def test_a_final_card_has_the_first_places_whole_and_says_how_many_more_there_are(
    folder: str, code: str, players: int
) -> None:
    size, mode = SIZES[folder]
    texts: list[str] = []
    cut: list[str] = []

    def note(face: Typeface, canvas: Image.Image, place: tuple[int, int], text: str, ink: Ink = 1) -> None:
        texts.append(text)
        if place[1] < 0 or place[1] + face.height > canvas.height:
            cut.append(text)

    with patch.object(Typeface, "draw", new=note):
        draw(Card(tuple((f"P{place}", 100 + place) for place in range(players)), code), size, mode)
    named = [text for text in texts if text.startswith("P")]
    assert named == [f"P{players - 1 - place}" for place in range(len(named))] and not cut
    more = players - len(named)
    assert any(text.endswith(f"{more} more") for text in texts) is bool(more)
    assert len(named) >= min(players, 9)


def test_scratches_never_touch_the_dice() -> None:
    picture = draw(SCREENS["counted_scratch"])
    assert picture.crop((0, GRID_TOP - 1, 128, GRID_TOP + 1)).getbbox() is None


if __name__ == "__main__":
    for place, (dots, how) in SIZES.items():
        (REFERENCES / place).mkdir(exist_ok=True)
        for title, screen in SCREENS.items():
            draw(screen, dots, how).save(reference(place, title), optimize=True)

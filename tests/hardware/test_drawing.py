"""Every screen as a picture: the same dots as the reference, and room for whatever a match can bring.

The references in tests/data/display were looked at, enlarged, before they were taken. To take them anew:
`python tests/hardware/test_drawing.py`.
"""

from itertools import combinations
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from hardware.drawing import GRID_TOP, draw
from hardware.errors import DisplayError
from hardware.lettering import Typeface
from hardware.screens import Card, Counted, Notice, Screen, Waiting

REFERENCES = Path(__file__).parent.parent / "data" / "display"
NAMES = ("1s", "2s", "3s", "4s", "5s", "6s", "3K", "4K", "FH", "SS", "LS", "Y", "C")
TWELVE = ("Ann", "Ben", "Zoë", "Dora", "Emil", "Finn", "Gus", "Ida", "Jo", "Kim", "Leopold", "Mo")
LONG = "Maximilian-Alexander"


def boxes(text: str) -> tuple[tuple[str, int, int], ...]:
    """Boxes written as `4s=12+35 FH=25`."""
    pairs = (word.split("=") for word in text.split())
    return tuple((name, int(worth.partition("+")[0]), int(worth.partition("+")[2] or 0)) for name, worth in pairs)


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
    "card_two": Card((("Ann", 245), ("Ben", 312))),
    "card_six": Card(((LONG, 1245), ("Ben", 312), ("Zoë", 312), ("Dora", 99), ("Emil", 100), ("Finn", 7))),
    "card_twelve": Card(tuple((name, 200 + place) for place, name in enumerate(TWELVE))),
}


def reference(name: str) -> Path:
    return REFERENCES / f"{name}.png"


@pytest.mark.parametrize("name", SCREENS)
def test_screen_is_drawn_like_its_reference(name: str) -> None:
    with Image.open(reference(name)) as expected:
        assert draw(SCREENS[name]).tobytes() == expected.convert("1").tobytes()


def test_every_reference_belongs_to_a_screen() -> None:
    assert {path.stem for path in REFERENCES.glob("*.png")} == set(SCREENS)


worths = st.tuples(st.integers(0, 50), st.sampled_from((0, 0, 35, 100, 135))).map(lambda w: w if w[0] else (0, 0))
legal = st.lists(st.sampled_from(NAMES), min_size=1, max_size=13, unique=True).flatmap(
    lambda names: st.tuples(*(worths.map(lambda worth, name=name: (name, *worth)) for name in names))
)


@settings(max_examples=40, deadline=None)
@given(legal)
def test_any_legal_boxes_have_room_apart_from_each_other(given_boxes: tuple[tuple[str, int, int], ...]) -> None:
    texts: list[tuple[int, int, int, int]] = []

    def note(face: Typeface, _canvas: Image.Image, place: tuple[int, int], text: str, ink: int = 1) -> None:
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
        Waiting(player, roll, 3, text),
        Notice(player, roll, 3, text[:40], text, (None,) * dice),
        Card(((player, 300), (text, 0))),
    ):
        assert draw(screen).size == (128, 64)


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


def test_more_than_there_is_room_for_is_refused() -> None:
    with pytest.raises(DisplayError, match="no room for 13 players"):
        draw(Card(tuple((f"P{place}", place) for place in range(13))))


def test_scratches_never_touch_the_dice() -> None:
    picture = draw(SCREENS["counted_scratch"])
    assert picture.crop((0, GRID_TOP - 1, 128, GRID_TOP + 1)).getbbox() is None


if __name__ == "__main__":
    for title, screen in SCREENS.items():
        draw(screen).save(reference(title), optimize=True)

"""A match on the terminal: the picture of the display as text, rulings beside it, the score card."""

import io
from typing import Any

from PIL import Image
from rich.console import Console

from firmware.drawn.terminal import braille, score_card, show
from scorer.card import Card, totals
from scorer.events import Fact, HandEntered, LegalBox, RollCounted, Ruling, TurnEnded
from scorer.presets import BHO

HEAD: dict[str, Any] = {"frame": 9, "t_said": 65.5, "player": "Ann", "rule": "a rule"}


def printed(width: int, *facts: Fact | Ruling, picture: Image.Image | None = None) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    show(console, facts, picture)
    return console.export_text()


def test_every_pixel_becomes_its_dot() -> None:
    picture = Image.new("1", (4, 8))
    assert braille(picture) == "⠀⠀\n⠀⠀"
    for place in ((0, 0), (1, 3), (2, 4), (3, 7)):
        picture.putpixel(place, 1)
    assert braille(picture) == "⢁⠀\n⠀⢁"


def test_a_counted_roll_shows_its_dice_and_its_boxes_best_first() -> None:
    legal = (LegalBox("1s", 2, 0, 0), LegalBox("FH", 25, 0, 0), LegalBox("LS", 0, 0, 0))
    text = printed(100, RollCounted(t=65.25, roll=2, values=(1, 1, 3, 3, 3), legal=legal, reason=None, **HEAD))
    assert "1:05.2 Ann: Roll 2 counts" in text
    assert "⚀ 1  ⚀ 1  ⚂ 3  ⚂ 3  ⚂ 3" in text
    assert "FH 25   1s 2   0: LS" in text


def test_the_picture_stands_beside_where_it_fits_and_below_where_not() -> None:
    roll = RollCounted(t=1.0, roll=1, values=(6,), legal=(), reason=None, **HEAD)
    wide, narrow = (printed(width, roll, picture=Image.new("1", (128, 64), 1)) for width in (120, 80))
    assert "⣿" in next(line for line in wide.splitlines() if "⚅ 6" in line)
    assert "⣿" not in next(line for line in narrow.splitlines() if "⚅ 6" in line)
    assert "⣿" * 64 in narrow


def test_nothing_is_printed_for_events_and_silent_rulings() -> None:
    silent = TurnEnded(t=1.0, reason=None, **HEAD)
    assert printed(80, HandEntered(t=1.0, frame=3, t_said=1.0), silent, picture=Image.new("1", (128, 64))) == ""


def test_the_score_card_has_every_box_and_total() -> None:
    console = Console(width=60, record=True)
    cards = {"Ann": Card({"4s": 12, "Y": 50}, 0), "Ben": Card()}
    console.print(score_card(BHO, cards, {name: totals(BHO, card) for name, card in cards.items()}))
    text = console.export_text()
    assert all(box in text for box in ("1s", "3K", "FH", "LS", "Yahtzee bonus"))
    assert next(line for line in text.splitlines() if "total" in line).split()[1:] == [
        "total",
        "│",
        "62",
        "│",
        "0",
        "│",
    ]

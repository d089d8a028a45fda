"""Lettering: widths are the dots drawn, shortening and wrapping keep to their room, accents and odd letters."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from hardware.lettering import BIG, BOLD, HUGE, LIGHT, TINY, Typeface

FACES = {"tiny": TINY, "light": LIGHT, "bold": BOLD, "big": BIG, "huge": HUGE}


def dots(face: Typeface, text: str) -> Image.Image:
    canvas = Image.new("1", (face.width(text) + 20, 40))
    face.draw(canvas, (10, 10), text)
    return canvas


@pytest.mark.parametrize("face", FACES.values(), ids=FACES)
@pytest.mark.parametrize("text", ["Ann", "4K 22", "0"])
def test_text_fills_its_width_and_height(face: Typeface, text: str) -> None:
    assert dots(face, text).getbbox() == (10, 10, 10 + face.width(text), 10 + face.height)


@pytest.mark.parametrize("face", FACES.values(), ids=FACES)
def test_digits_differ(face: Typeface) -> None:
    assert len({dots(face, digit).crop((10, 10, 24, 24)).tobytes() for digit in "0123456789"}) == 10


@pytest.mark.parametrize("face", [LIGHT, BOLD], ids=["light", "bold"])
def test_zero_has_no_slash(face: Typeface) -> None:
    """An eight has dots on its middle row; a zero has none there between its sides."""
    assert dots(face, "8").crop((12, 13, 8 + face.width("8"), 14)).getbbox() is not None
    assert dots(face, "0").crop((12, 13, 8 + face.width("0"), 14)).getbbox() is None


def test_letters_that_are_missing_lose_their_accent_or_are_written_as_they_sound() -> None:
    assert dots(BOLD, "ë").tobytes() != dots(BOLD, "e").tobytes()
    for accented, plain in (
        ("ë", "e"),
        ("e\u0308", "e"),
        ("ø", "o"),
        ("Ł", "L"),
        ("王", "Wang"),
        ("И", "I"),
        ("\ue000", "?"),
    ):
        assert dots(LIGHT, accented).tobytes() == dots(LIGHT, plain).tobytes()


@settings(max_examples=50, deadline=None)
@given(st.text(min_size=1, max_size=40), st.sampled_from(list(FACES.values())), st.integers(20, 128))
def test_shortened_text_fits_and_says_that_it_is_shortened(text: str, face: Typeface, width: int) -> None:
    short = face.shorten(text, width)
    assert face.width(short) <= width
    assert short == text or short.endswith("…")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text("abcMW", min_size=1, max_size=4), max_size=12), st.integers(60, 128))
def test_wrapped_text_keeps_every_word_in_order(words: list[str], width: int) -> None:
    lines = BOLD.wrap(" ".join(words), width)
    assert " ".join(lines).split() == words
    assert all(BOLD.width(line) <= width for line in lines)


def test_ink_of_zero_writes_black_on_white() -> None:
    canvas = Image.new("1", (20, 10), 1)
    LIGHT.draw(canvas, (1, 1), "8", ink=0)
    assert canvas.getpixel((0, 0))
    assert not canvas.getpixel((2, 1))

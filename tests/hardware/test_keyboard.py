"""The keys on a terminal of the operating system's: what each means, in pieces too, and the terminal left as it was."""

import os
import pty
import termios
from collections.abc import Iterator

import pytest

from hardware.errors import PanelError
from hardware.keyboard import Keyboard


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """The side that types and the side that is read."""
    typist, reader = pty.openpty()
    yield typist, reader
    os.close(typist)
    os.close(reader)


def kinds(keyboard: Keyboard, count: int) -> list[str]:
    """The next so many presses."""
    pressed: list[str] = []
    while len(pressed) < count:
        pressed += [press.kind for press in keyboard.presses()]
    return pressed


def test_each_key_has_its_meaning_and_others_have_none(terminal: tuple[int, int]) -> None:
    typist, reader = terminal
    with Keyboard(reader, lambda: 7.5) as keyboard:
        assert keyboard.presses() == ()
        os.write(typist, b"\x1b[D\x1b[C\rxc\x1b[A1\x00\xffr")
        assert kinds(keyboard, 5) == ["previous", "next", "choose", "confirm", "referee"]
        os.write(typist, b"\x1b")
        assert keyboard.presses() == ()
        os.write(typist, b"[C")
        assert kinds(keyboard, 1) == ["next"]


def test_the_terminal_is_left_as_it_was(terminal: tuple[int, int]) -> None:
    _, reader = terminal
    before = termios.tcgetattr(reader)
    keyboard = Keyboard(reader, lambda: 0.0)
    assert not termios.tcgetattr(reader)[3] & (termios.ECHO | termios.ICANON)
    assert termios.tcgetattr(reader)[3] & termios.ISIG
    keyboard.close()
    keyboard.close()
    assert termios.tcgetattr(reader) == before
    assert keyboard.presses() == ()


def test_what_is_no_terminal_is_refused() -> None:
    reader, writer = os.pipe()
    with pytest.raises(PanelError, match="start fairtray in a terminal"):
        Keyboard(reader, lambda: 0.0)
    os.close(reader)
    os.close(writer)

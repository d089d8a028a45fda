"""The keys of a terminal in place of buttons: arrows turn, Enter takes, `c` confirms, `r` calls the referee,
`s` shows the score cards, `a` the address for phones, `p` stops the play for a while."""

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Mapping
from contextlib import suppress

from hardware.closing import Closing
from hardware.errors import PanelError
from hardware.panel import PanelPress, PressKind

KEYS: Mapping[bytes, PressKind] = {
    b"\x1b[D": "previous",
    b"\x1b[C": "next",
    b"\n": "choose",
    b"\r": "choose",
    b"c": "confirm",
    b"r": "referee",
    b"s": "cards",
    b"a": "address",
    b"p": "pause",
}
"""What a terminal sends for each key. Those that mean nothing are passed over."""


class Keyboard(Closing):
    """The open keyboard: each key is read at once and not echoed, until it is closed; Ctrl-C goes on to stop."""

    def __init__(self, terminal: int, clock: Callable[[], float]) -> None:
        """`terminal` is a file descriptor. Raises `PanelError` where it is no terminal."""
        try:
            self._before = termios.tcgetattr(terminal)
            tty.setcbreak(terminal)
        except termios.error as error:
            raise PanelError("no keyboard: start fairtray in a terminal, or set [panel] kind") from error
        self._terminal, self._clock = terminal, clock
        self._open, self._rest = True, b""

    def presses(self) -> tuple[PanelPress, ...]:
        """What was pressed since the last call, in order; it never waits."""
        while self._open and select.select([self._terminal], [], [], 0)[0]:
            more = os.read(self._terminal, 1024)
            if not more:
                break
            self._rest += more
        pressed = []
        while self._rest:
            key = next((key for key in KEYS if self._rest.startswith(key)), None)
            if key is None and any(known.startswith(self._rest) for known in KEYS):
                break  # the beginning of a key whose rest is still to come
            if key is not None:
                pressed.append(PanelPress(KEYS[key], self._clock()))
            self._rest = self._rest[len(key) if key else 1 :]
        return tuple(pressed)

    def close(self) -> None:
        """Leave the terminal as it was, unless it was closed itself; once closed, nothing."""
        if self._open:
            self._open = False
            with suppress(termios.error):
                termios.tcsetattr(self._terminal, termios.TCSANOW, self._before)


def open_keyboard(clock: Callable[[], float]) -> Keyboard:
    """The keys of the terminal that the process was started in; raises `PanelError` where there is none."""
    try:
        return Keyboard(sys.stdin.fileno(), clock)
    except (OSError, ValueError) as error:
        if isinstance(error, PanelError):
            raise
        raise PanelError("no keyboard: the standard input is closed") from error

"""Says how far a long piece of work is, and how long the rest of it will take at the pace so far."""

import time
from collections.abc import Callable


class Progress:
    """One piece of work of `of` parts, of which `done` were done before it was taken up again.

    It is silent for `pause` seconds after it has said something.
    """

    def __init__(
        self,
        what: str,
        of: int,
        done: int = 0,
        say: Callable[[str], None] = print,
        clock: Callable[[], float] = time.monotonic,
        pause: float = 0.0,
    ):
        self._what, self._of, self._first = what, of, done
        self._say, self._clock, self._pause = say, clock, pause
        self._began = self._said = clock()

    def at(self, done: int, more: str = "") -> None:
        """Say that `done` parts are done now, and what else there is to say of it."""
        now = self._clock()
        if now - self._said < self._pause:
            return
        self._said = now
        pace = (now - self._began) / max(1, done - self._first)
        left = f", {in_words(pace * (self._of - done))} left" if done < self._of else ""
        self._say(f"{self._what}: {done} of {self._of}{more}{left}")


def in_words(seconds: float) -> str:
    """Return about how long that is: to 10 s below two minutes, to a minute below two hours, else to half an hour."""
    if seconds < 115:
        return f"about {max(10, 10 * round(seconds / 10))} s"
    if seconds < 115 * 60:
        return f"about {round(seconds / 60)} min"
    return f"about {round(seconds / 1800) / 2:g} h"

"""What people say elsewhere than at the panel, as on the console's pages: it comes before the umpire in its turn."""

from collections.abc import Iterator
from concurrent.futures import Future
from queue import Empty, SimpleQueue

from firmware.match import Facts
from scorer.events import PlayerInput

Answer = Future[Facts]
"""What was said, with its time, and what was ruled on it; or why it could not be written down."""


class Inbox:
    """Takes what is said on any thread, for the part that rules."""

    def __init__(self) -> None:
        self._said: SimpleQueue[tuple[PlayerInput, Answer]] = SimpleQueue()

    def say(self, told: PlayerInput) -> Answer:
        """Put it to the umpire; its time becomes the match's when it is heard. The answer comes within a tenth of a
        second while a match is played, and never where none is."""
        answer: Answer = Future()
        self._said.put((told, answer))
        return answer

    def take(self) -> Iterator[tuple[PlayerInput, Answer]]:
        """What was said since it was last asked."""
        while True:
            try:
                yield self._said.get_nowait()
            except Empty:
                return

"""What people say elsewhere than at the panel, as on the console's pages: it comes before the umpire in its turn."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from queue import SimpleQueue

from firmware.errors import MovedOnError
from firmware.match import Facts
from scorer.events import PlayerInput

Answer = Future[Facts]
"""What was said, with its time, and what was ruled on it; or why it could not be written down."""


class Inbox:
    """Takes what is said on any thread, for the part that rules."""

    def __init__(self) -> None:
        self._said: SimpleQueue[tuple[PlayerInput, int | None, Answer]] = SimpleQueue()

    def say(self, told: PlayerInput, entry: int | None = None) -> Answer:
        """Put it to the umpire; its time becomes the match's when it is heard. The answer comes within a tenth of a
        second while a match is played, and never where none is.

        `entry`: the last ruling that whoever says it has seen. Where another one was made since, it is not put to the
        umpire, and the answer is a `MovedOnError`: nobody agrees to another box than the one they looked at.
        """
        answer: Answer = Future()
        self._said.put((told, entry, answer))
        return answer

    def take(self, entries: Callable[[], int]) -> Iterator[tuple[PlayerInput, Answer]]:
        """What was said since it was last asked; `entries` tells how many rulings there are by now."""
        for _ in range(self._said.qsize()):  # what is said meanwhile waits: whoever talks on holds up no frame
            told, entry, answer = self._said.get_nowait()
            if entry is not None and entry != entries():
                answer.set_exception(MovedOnError("the match has moved on meanwhile: look again"))
            else:
                yield told, answer

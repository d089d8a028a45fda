"""Being told to stop by SIGTERM, Ctrl-C or a terminal that is closed: what is open is closed, which is no error."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import NoReturn, Self

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Stopping:
    """Whether the process was told to stop.

    Being told ends the work in hand at once by `SystemExit`, which closes what is open; while it is `patient` whoever
    works looks at `told`. A command that was ended at once ends with exit status 0.
    """

    def __init__(self) -> None:
        self.told = self.patient = self._ended = False

    def __enter__(self) -> Self:
        ignored = [number for number in SIGNALS if signal.getsignal(number) is signal.SIG_IGN]
        self._before = {
            number: signal.signal(number, self._tell)
            for number in SIGNALS
            if number != signal.SIGHUP or number not in ignored  # `nohup` means that it goes on
        }
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._ended:
            end(0)
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def held(self) -> Iterator[None]:
        """What is opened in here is in the hands of whoever closes it before the work is ended."""
        before, self.patient = self.patient, True
        try:
            yield
        finally:
            self.patient = before
        if self.told:
            self._end()

    def _tell(self, _signal: int, _frame: FrameType | None) -> None:
        first, self.told = not self.told, True
        if first:
            self._end()

    def _end(self) -> None:
        if not self.patient:
            self._ended = self.patient = True  # nothing breaks off the closing
            raise SystemExit(0)


def close_when_ended() -> None:
    """From now on SIGTERM and a terminal that is closed end the process by `SystemExit`, which closes what is open and
    takes away what is half-written; being told once more ends it at once."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _leave)


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_DFL)
    raise SystemExit(128 + number)


def end(status: int) -> NoReturn:
    """End the process, all being closed: to take itself apart Python needs longer than a service has to stop."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)

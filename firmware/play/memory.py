"""Memory that is given back: what lies free between things in use, and what the libraries needed to start only.

The C library and the kernel are asked through ctypes; where they are others (musl, macOS) nothing is done.
"""

import ctypes
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

SMAPS = Path("/proc/self/smaps")
CODE_S = (0.0, 1.0, 6.0)
"""Code is given back so long after play has begun: what only the start needed does not come back."""
_MADV_DONTNEED = 4
_M_ARENA_MAX = -8
_MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ (\d+)")


class Tidying:
    """Gives memory back while a match is played."""

    def __init__(self, now: float) -> None:
        """Play begins at second `now` (monotonic)."""
        share_one_heap()
        self._code_at = [now + later for later in CODE_S]

    def step(self, now: float) -> None:
        """Give back what it is time for at second `now`; some ten times a second, so that what one look at a frame took
        is not held beside what the next few take."""
        if self._code_at and now >= self._code_at[0]:
            del self._code_at[0]
            give_back_code()
        give_back_free()


def share_one_heap() -> None:
    """Have all threads begun from now on share one heap: each its own would keep what it once needed for itself."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def give_back_free() -> None:
    """Give free memory back to the system."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def give_back_code() -> None:
    """Unmap the pages of programs and libraries, most of which were needed only to start.

    They are read-only pages of files: whichever is needed again comes from the system's cache of files at once.
    """
    with suppress(AttributeError, OSError):
        madvise = ctypes.CDLL(None).madvise
        with SMAPS.open(encoding="ascii") as smaps:
            clean = list(clean_mappings(smaps))
        for start, length in clean:
            madvise(ctypes.c_void_p(start), ctypes.c_size_t(length), _MADV_DONTNEED)


def clean_mappings(smaps: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Start and length of the mappings, as /proc/PID/smaps lists them, that can be read from their files again.

    They cannot be written, and have no page of their own: neither data nor what the linker filled in at the start.
    """
    start = end = 0
    of_file = False
    for line in smaps:
        if found := _MAPPING.match(line):
            start, end, of_file = int(found[1], 16), int(found[2], 16), found[4] != "0" and found[3][1] == "-"
        elif of_file and line.split() == ["Anonymous:", "0", "kB"]:
            yield start, end - start

"""Giving memory back: only what can be read from its file again is unmapped, and all goes on working."""

import sys
from pathlib import Path

import numpy as np
import pytest

from firmware.play.memory import CODE_S, Tidying, clean_mappings

SMAPS = """\
7f0000000000-7f0000004000 r-xp 00001000 08:01 42 /usr/lib/libcode.so
Rss:                  16 kB
Anonymous:             0 kB
7f0000004000-7f0000006000 r--p 00005000 08:01 42 /usr/lib/libcode.so
Rss:                   8 kB
Anonymous:             4 kB
7f0000006000-7f0000008000 rw-p 00007000 08:01 42 /usr/lib/libcode.so
Anonymous:             0 kB
7f0000010000-7f0000020000 r--p 00000000 00:00 0
Anonymous:             0 kB
7f0000020000-7f0000021000 r--s 00000000 08:01 43 /usr/share/locale.archive
Anonymous:             0 kB
"""


def test_only_pages_that_are_as_in_their_files() -> None:
    assert list(clean_mappings(SMAPS.splitlines())) == [(0x7F0000000000, 0x4000), (0x7F0000020000, 0x1000)]


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_all_goes_on_with_less_memory() -> None:
    def resident(what: str) -> int:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(what))

    a = np.arange(90_000.0).reshape(300, 300)
    before, product = resident("RssFile"), a @ a
    tidying = Tidying(0.0)
    for due in CODE_S:
        tidying.step(due)
    assert resident("RssFile") < before
    assert np.array_equal(a @ a, product)

"""Rows of dice judged on drawn pictures."""

import shutil
from dataclasses import replace

import pytest

from models.calibration.rows import APART_MM, Judged, in_words, judge
from tests.models.calibration.test_sweep import measure


@pytest.mark.skipif(shutil.which("g++") is None, reason="drawing needs g++")
def test_a_row_pushed_together_tells_the_edge_and_one_apart_does_not() -> None:
    together, apart = (judge(2, apart_mm) for apart_mm in APART_MM)
    assert together is not None and together.off is not None and abs(together.off) < 0.005 < together.doubt + 0.001
    assert together.together is not None and abs(together.together) < 0.005
    assert apart is not None and (apart.off, apart.together) == (None, None)


def test_rows_are_counted_and_those_off_are_named() -> None:
    right = Judged(1, "board", APART_MM[0], 0.002, 0.006, 0.001)
    untold = replace(right, number=2, off=None, together=None)
    odd, off = replace(right, number=3, off=0.03, together=None), replace(right, number=4, off=0.02, together=0.015)
    words = in_words([right, untold, odd, off, replace(untold, apart_mm=APART_MM[1])])
    pushed, apart = words.splitlines()[-3:-1]
    assert pushed.split()[4:] == ["4", "3", "+1.73%", "3.00%", "1", "2", "1.50%", "1"]
    assert apart.split()[4:] == ["1", "0", "-", "-", "0", "0", "-", "0"]
    assert words.splitlines()[-1].strip() == "off: 4, board, 0.1 mm: +1.50% with looks"


def test_bad_numbers_get_one_line() -> None:
    ran = measure("rows", "--numbers", "x")
    assert (ran.returncode, len(ran.stderr.splitlines())) == (2, 1)

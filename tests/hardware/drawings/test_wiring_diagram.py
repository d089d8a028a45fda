"""The diagram of the wiring is that of the pin table, which another test holds against the default configuration."""

import re

import pytest

pytest.importorskip("schemdraw", reason="the wiring diagram needs the extra `drawings`")

from hardware.drawings.wiring import PICTURE, diagram, table


def words(picture: bytes) -> list[str]:
    return sorted(re.findall(r">([^<>]+)</t", picture.decode()))


def test_diagram_is_that_of_the_table() -> None:
    drawn = words(diagram())
    for what, number in table().values():
        assert what.replace("`", "") in drawn
        assert f"GPIO{number}" in drawn
    assert words(PICTURE.read_bytes()) == drawn  # else `make drawings`

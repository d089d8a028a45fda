"""The printed parts are solids that a printer can make, fit each other, and keep out of the camera's sight."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

pytest.importorskip("manifold3d", reason="the mount's parts need the extra `drawings`")
pytest.importorskip("trimesh", reason="the mount's parts need the extra `drawings`")

from hardware.drawings.mount import BED, USUAL, Mount, assembly, parts, view
from hardware.drawings.pictures import mesh, write_parts


@pytest.mark.parametrize("name", ["foot", "elbow", "camera_plate", "lamp_ring"])
def test_part_is_one_closed_solid_that_fits_the_printer(name: str) -> None:
    solid = parts()[name]
    assert len(solid.decompose()) == 1
    assert mesh(solid).is_watertight
    x0, y0, z0, x1, y1, z1 = solid.bounding_box()
    assert max(x1 - x0, y1 - y0, z1 - z0) <= BED


@pytest.mark.parametrize("mount", [USUAL, replace(USUAL, tube=20.0, height=600.0, reach=300.0, clamp=40.0)])
def test_parts_meet_but_do_not_cut_into_each_other(mount: Mount) -> None:
    placed = assembly(mount)
    for (one, a), (other, b) in combinations(placed.items(), 2):
        assert (a ^ b).volume() < 1.0, (one, other)


def test_nothing_hangs_in_the_cameras_sight() -> None:
    for name, solid in assembly().items():
        seen = (solid ^ view()).volume()
        assert seen < 1.0, name


def test_parts_are_written_for_the_printer(tmp_path: Path) -> None:
    paths = write_parts(tmp_path)
    assert [path.name for path in paths] == ["foot.stl", "elbow.stl", "camera_plate.stl", "lamp_ring.stl"]
    assert all(path.stat().st_size > 10_000 for path in paths)

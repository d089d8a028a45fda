"""The mount's parts as files for the printer, and its assembly step by step as a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import trimesh
from manifold3d import Manifold

from hardware.drawings.mount import assembly, parts

PICTURE = Path(__file__).parent.parent / "assembly.png"
STEPS: Sequence[tuple[str, Sequence[str]]] = (
    ("1  foot on the edge, post in it", ("foot", "post")),
    ("2  elbow on the post, boom in it", ("foot", "post", "elbow", "boom")),
    ("3  plate on the boom, camera under it", ("foot", "post", "elbow", "boom", "camera_plate")),
    ("4  lamp ring around the camera", ("foot", "post", "elbow", "boom", "camera_plate", "lamp_ring")),
)
_INKS = {
    "foot": "#3b7dbf", "elbow": "#3b7dbf", "camera_plate": "#d9822b", "lamp_ring": "#e8c33a",
    "post": "#b8bcc2", "boom": "#b8bcc2",
}  # fmt: skip
_SUN = np.array([0.35, -0.75, 0.56])


def mesh(solid: Manifold) -> trimesh.Trimesh:
    """The solid's surface."""
    found = solid.to_mesh()
    return trimesh.Trimesh(found.vert_properties[:, :3], found.tri_verts)


def write_parts(folder: Path) -> list[Path]:
    """Each part as a STL file."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, solid in parts().items():
        mesh(solid).export(folder / f"{name}.stl")
        paths.append(folder / f"{name}.stl")
    return paths


def draw_assembly(path: Path = PICTURE) -> None:
    """The steps beside each other, and the printed parts below."""
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(13, 8.5), dpi=70)
    whole = assembly()
    for number, (title, names) in enumerate(STEPS):
        axes = figure.add_subplot(2, 4, number + 1, projection="3d")
        _draw(axes, {name: whole[name] for name in names}, title)
    for number, (name, solid) in enumerate(parts().items()):
        axes = figure.add_subplot(2, 4, number + 5, projection="3d")
        _draw(axes, {name: solid}, name.replace("_", " "))
    figure.subplots_adjust(0, 0, 1, 0.95, 0, 0.1)
    figure.savefig(path)
    pyplot.close(figure)


def _draw(axes: Any, solids: dict[str, Manifold], title: str) -> None:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    every = []
    for name, solid in solids.items():
        surface = mesh(solid)
        light = 0.45 + 0.55 * np.clip(surface.face_normals @ _SUN, 0, 1)
        ink = np.array(matplotlib.colors.to_rgb(_INKS[name]))
        axes.add_collection3d(Poly3DCollection(surface.triangles, facecolors=light[:, None] * ink, edgecolors="none"))
        every.append(surface.vertices)
    low, high = np.vstack(every).min(0), np.vstack(every).max(0)
    for set_limits, start, end in zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), low, high, strict=True):
        set_limits(start, end)
    axes.set_box_aspect(high - low)
    axes.view_init(24, -58)
    axes.set_axis_off()
    axes.set_title(title, fontsize=11)


if __name__ == "__main__":
    for made in write_parts(Path("out/mount")):
        print(made)
    draw_assembly()
    print(PICTURE)

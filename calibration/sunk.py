"""A floor that lies below an outline: a wall of the floor's colour hides where it ends, and is outlined with it."""

import numpy as np

from calibration.rim import floors_below
from calibration.shape import Kind, View
from calibration.solid import ON_PX, SAMPLES, Edges, Solid, outside

MOST = 6
"""Floors that are looked at; they differ in depth and in how far inside the outline they lie."""
QUARTERS, SEEN = 4, 0.35
"""Share of every quarter of a floor's border on which edges lie, weak ones too: .57 in a recording of a white box whose
floor people see faintly, .03 at most in 22 simulated trays that are outlined by their floor, with shadows on it."""
WIDTH = 0.1
"""Half widths of the rim, which does not matter here."""


def sunk_floor(kind: Kind, view: View, edges: Edges, size: tuple[int, int]) -> View | None:
    """The view of a floor whose edge runs all round below an outline's, as a tray's does below its rim's inner edge;
    None where there is none.

    Shadows leave an edge on some sides, seams on two. `edges` are those around the outline, `size` the picture's.
    """
    told = [(_least(solid, edges, size), solid.view) for _, solid in floors_below(kind, view, WIDTH, edges, size, MOST)]
    best = max(told, key=lambda each: each[0], default=(0.0, view))
    return best[1] if best[0] >= SEEN else None


def _least(solid: Solid, edges: Edges, size: tuple[int, int]) -> float:
    """The share of the floor's border on which edges lie, of the quarter that has least of them."""
    off = outside(solid, solid.view.lens(size), edges.places)[0]
    seen = np.zeros(SAMPLES, bool)
    seen[edges.samples[np.abs(off) < ON_PX]] = True
    return float(seen.reshape(QUARTERS, -1).mean(1).min())

"""Circles near a rough round outline along which edges of the picture lie: floor, shadows on it, and edges of the rim.

Seen from aslant, the circles of a round tray lie aside of each other: as a share of the turn round the outline, an
edge's way outside it rises and falls once.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.fit import fit
from calibration.rim import FROM, shares_at
from calibration.shape import Points, View, along, distance, outward
from calibration.solid import SAMPLES, Edges

ASIDE = np.linspace(-0.12, 0.12, 13)
"""Half widths by which a circle's middle lies aside of the outline's."""
RINGS, LEAST = 8, 0.3
"""Circles that are kept, and the share of the weakest on which edges lie."""
APART = 0.025
"""Half widths by which two circles differ at least, outward or aside."""
NEAR_PX = 4.0
"""Edges so near a circle are taken for its own."""
FLOOR, RIM = (-0.25, 0.15), (-0.05, 0.35)
"""Half widths outside the rough outline at which the floor's own and the rim's inner edge may lie, from and to."""


Told = Sequence[tuple[float, float, Points]]
"""How far aside circles lie, x and y, and for each way outward (n,) the share of them on which edges lie."""


def rings(view: View, edges: Edges, size: tuple[int, int]) -> tuple[list[View], list[View]]:
    """Views of what may be the floor's circle, and of what may be the rim's inner edge; those first on which most edges
    lie.

    Each is there twice: tilted one way and the other, a circle is seen alike.
    """
    border, px = along("round", 1.0, SAMPLES), 1 / view.scale
    told = [
        (float(x), float(y), shares_at(edges.out - aside, edges.samples, edges.strengths, SAMPLES, px))
        for x in ASIDE
        for y in ASIDE
        for aside in [border[edges.samples] @ np.array([x, y])]
    ]
    floors, rims = (
        [ring for circle in _circles(told, px, within) for ring in _fitted(circle, view, edges, size)]
        for within in (FLOOR, RIM)
    )
    return floors, rims


def _fitted(circle: tuple[float, float, float], view: View, edges: Edges, size: tuple[int, int]) -> tuple[View, View]:
    """The circle moved onto the edges near it, tilted one way and the other."""
    away, x, y = circle
    border = along("round", 1.0, SAMPLES)
    beyond = away + border @ np.array([x, y])
    start = replace(view, scale=view.scale * (1 + away), height=view.height / (1 + away))
    seen = view.lens(size).project(border + outward("round", 1.0, border) * beyond[:, None])
    one, _ = fit("round", seen, size, start, free_lens=False)
    seen = edges.places[np.abs(_outside(one, edges, size)) < NEAR_PX]
    one, _ = fit("round", seen, size, one, free_lens=False)
    over = replace(one, tilt=(-one.tilt[0], -one.tilt[1]))
    return one, fit("round", one.lens(size).project(border), size, over, free_lens=False)[0]


def _outside(circle: View, edges: Edges, size: tuple[int, int]) -> Points:
    """(n,) px by which edges lie outside a circle."""
    return circle.scale * distance("round", 1.0, circle.lens(size).to_floor(edges.places))


def _circles(told: Told, px: float, within: tuple[float, float]) -> Sequence[tuple[float, float, float]]:
    """How far outside the outline circles lie, `within` these bounds and px apart, and how far aside, x and y, in half
    widths."""
    ranked: list[tuple[float, tuple[float, float, float]]] = []
    for x, y, shares in told:
        outs = FROM + np.arange(len(shares)) * px
        there = np.where((outs < within[0]) | (outs > within[1]), 0.0, shares)
        ranked += [(float(there[k]), (float(outs[k]), x, y)) for k in np.argsort(-there)[:RINGS]]
    kept: list[tuple[float, float, float]] = []
    for share, circle in sorted(ranked, reverse=True):
        if share < LEAST or len(kept) >= RINGS:
            break
        if all(max(abs(a - b) for a, b in zip(circle, other, strict=True)) > APART for other in kept):
            kept.append(circle)
    return kept

"""A floor one side of which lies in its wall's shadow: it seems to end there earlier, but the rim above it does not."""

import numpy as np

from calibration.rim import SHADOW
from calibration.shape import Kind, Points
from calibration.solid import ON_PX, SAMPLES, Edges, Solid, outside

FOUR_SIDED: tuple[Kind, ...] = ("square", "rectangle")
ON = 0.012
"""Half widths of the floor within which a place lies on its border."""
SIDES = 0.68
"""Share of an outline that lies on the floor where all of it does but a side: three quarters of a square, and 17 of 25
of a rectangle whose longer sides are half as long again."""
RIM = 0.5
"""Share of every quarter of an edge of the rim that is seen, weak edges less; round a smaller floor it is not so. The
table or the wall may look like the rim, so one of its edges is enough."""
QUARTERS = 4


def hides_a_side(solid: Solid, outline: Points, edges: Edges, size: tuple[int, int]) -> bool:
    """Whether an outline (n, 2), px, that edges tell all along is this tray's floor but for one side, before which a
    shadow ends, as an edge of the rim is seen all round. `edges` are those around the tray, `size` the picture's."""
    if solid.kind not in FOUR_SIDED:
        return False
    lens = solid.view.lens(size)
    off = outside(solid, lens, outline)[0] / solid.view.scale
    on = np.abs(off) < ON
    before = (off < ON) & (off > -SHADOW)
    if not (SIDES <= on.mean() < 1 and before.all()):
        return False
    return any(_is_all_round(away, edges) for away in outside(solid, lens, edges.places)[1:])


def _is_all_round(away: Points, edges: Edges) -> bool:
    """Whether edges that lie so far away (n,), px, from an edge of the tray are seen in every quarter of it."""
    seen = np.zeros(SAMPLES)
    np.maximum.at(seen, edges.samples, edges.strengths * (np.abs(away) < ON_PX))
    return bool((seen.reshape(QUARTERS, -1).mean(1) >= RIM).all())

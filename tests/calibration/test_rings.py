"""Circles near a rough outline: those of a round tray, each tilted both ways."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.floor import colours_of
from calibration.rings import rings
from calibration.shape import border
from calibration.solid import edges_around
from tests.calibration.drawn import SIZE, farthest
from tests.calibration.test_rim import TRAYS, WALL, contour, drawn

TRAY = TRAYS[2]


@pytest.mark.parametrize("aside", [(0.0, 0.0), (6.0, -4.0)])
def test_the_floors_circle_is_among_those_near_a_rough_outline(aside: tuple[float, float]) -> None:
    x, y = TRAY.view.centre
    rough = replace(TRAY.view, scale=0.97 * TRAY.view.scale, centre=(x + aside[0], y + aside[1]))
    edges = edges_around("round", rough, colours_of(drawn(TRAY, WALL, False), 0.7, False), SIZE)
    assert edges is not None
    found, _ = rings(rough, edges, SIZE)
    seen = [view.lens(SIZE).project(border("round", 1.0, 64)) for view in found]
    assert min(farthest(points, contour(TRAY, 0.0, 0.0)) for points in seen) < 3.0
    one, other = (np.array(view.tilt) for view in found[:2])
    assert float(one @ other) < 0

"""How much a die turns over on its way: what tells a throw from dice that were slid or set down."""

import math
from itertools import pairwise

import numpy as np

from models.sim.physics import Fall

STEP_S = 1 / 30
MOVED_MM = 0.6
"""Shorter steps are no steps."""
TURNED_DEG = 14.0
"""A step in which another side of the die comes up by this much is one that tumbled."""


def tumble(way: Fall) -> float:
    """Share of the die's steps in which it turned over, and did not only slide or spin: 0 (slid) to 1."""
    poses = [way.at(t) for t in np.arange(0.0, way.seconds + STEP_S, STEP_S)]
    steps = tumbles = 0
    for (a, a_up), (b, b_up) in pairwise((pose.position, pose.matrix[2]) for pose in poses):
        rises = math.degrees(math.acos(min(1.0, float(a_up @ b_up))))
        if math.dist(a, b) > MOVED_MM or rises > TURNED_DEG:
            steps += 1
            tumbles += rises > TURNED_DEG
    return tumbles / steps if steps else 0.0

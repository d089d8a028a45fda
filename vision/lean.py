"""Telling a leaning die from a flat one by where its side faces show.

Under a camera above the tray a flat die shows its sides towards the picture's centre, for there the camera looks down.
A die that leans on the wall shows them elsewhere, mostly outwards: the centre of its silhouette is
shifted from that of its top face. The silhouette is found by colour, so nothing is said of dice whose colour is near
the floor's. The bounds lie between flat and leaning dice of simulated films and leave flat dice of real clips alone.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.read import Reading

Image = npt.NDArray[np.uint8]
Shift = tuple[float, float]
Place = tuple[float, float]

REACH = 1.2
"""Half edge, in faces, of the patch looked at: a whole die with its sides, and floor around it."""
TOP = 0.4
"""Half edge of the part of the top face whose colour is the die's."""
FLOOR_FROM = 1.0
APART = 18.0
"""Distance in Lab's a and b from which die and floor can be told apart by colour."""
LIGHTNESS = np.array([0.3, 1.0, 1.0], np.float32)
"""Weights of L (0 to 255), a and b: sides in the shade are the die's still, and a wall too dark for a colour is not."""
SILHOUETTE = (0.7, 1.75)
"""Areas, in faces squared, of one whole die with its sides; others are torn or joined with something."""
OUTWARD = 0.06
"""Faces by which a silhouette may lie farther out than its top face."""
UNLIKE = 0.12
"""Faces by which a shift must differ from those of the other dice: a camera that looks in aslant shifts all alike."""
EDGE_PX = 48


def side_shift(image: Image, reading: Reading) -> Shift | None:
    """Where the silhouette's centre lies from the top face's, in faces (x right, y down), or None where colour does not
    tell. `image` is BGR (h, w, 3), and the reading one of a die in it."""
    x, y = reading.centre
    face = reading.face_px
    scale = EDGE_PX / (2 * REACH * face)
    matrix = np.array([[scale, 0, EDGE_PX / 2 - scale * x], [0, scale, EDGE_PX / 2 - scale * y]])
    patch = cv2.warpAffine(image, matrix, (EDGE_PX, EDGE_PX), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    colours = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB).astype(np.float32) * LIGHTNESS
    rows, columns = (np.mgrid[:EDGE_PX, :EDGE_PX] - EDGE_PX / 2 + 0.5) / (scale * face)
    radius = np.hypot(rows, columns)
    body, floor = (np.median(colours[where], axis=0) for where in (radius < TOP, radius > FLOOR_FROM))
    axis = body - floor
    if float(np.hypot(*axis[1:])) < APART:
        return None
    nearer = ((colours - floor) @ axis / float(axis @ axis) > 0.5).astype(np.uint8)
    return _shift_of(nearer, scale * face)


def _shift_of(nearer: npt.NDArray[np.uint8], face: float) -> Shift | None:
    """Shift of the outlined region around the middle of a mask; `face` in its pixels."""
    contours, _ = cv2.findContours(nearer, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    middle = (EDGE_PX / 2 - 0.5,) * 2
    around = next((c for c in contours if cv2.pointPolygonTest(c, middle, False) >= 0), None)
    if around is None:
        return None
    moments = cv2.moments(around)
    if not SILHOUETTE[0] < moments["m00"] / face**2 < SILHOUETTE[1]:
        return None
    centre = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
    return (centre[0] - middle[0]) / face, (centre[1] - middle[1]) / face


def leans(index: int, places: Sequence[Place], shifts: Sequence[Shift | None], foot: Place) -> bool:
    """Whether die `index` shows its sides on the wrong side. `foot`: the px straight below the camera."""
    shift = shifts[index]
    if shift is None:
        return False
    away = places[index][0] - foot[0], places[index][1] - foot[1]
    outward = (shift[0] * away[0] + shift[1] * away[1]) / max(math.hypot(*away), 1.0)
    others = [s for i, s in enumerate(shifts) if i != index and s is not None]
    if not others:
        return outward > UNLIKE
    usual = np.median(np.array(others), axis=0)
    return outward > OUTWARD and math.hypot(shift[0] - usual[0], shift[1] - usual[1]) > UNLIKE

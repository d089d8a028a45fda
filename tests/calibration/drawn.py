"""A drawn recording of somebody setting up a tray under a leaning camera: dice shown and thrown, by jump cuts."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.shape import Kind, View, border
from calibration.solid import wider
from tests.vision.drawn_tray import Pose, draw_die
from vision.source import Frame

Image = npt.NDArray[np.uint8]

SIZE = (640, 480)
VIEW = View(165.0, 5.5, -0.05, 0.011, (0.12, -0.08), 0.1, (325.0, 236.0))
SHOWN = ((250.0, 200.0, 4), (330.0, 150.0, 2), (400.0, 260.0, 6), (300.0, 330.0, 1), (430.0, 180.0, 5))
THROWN = ((280.0, 160.0, 3), (380.0, 220.0, 5), (260.0, 300.0, 6), (350.0, 320.0, 2), (420.0, 310.0, 3))
PLACES = [(x, y) for x, y, _ in (*SHOWN, *THROWN)]
VIEWS: dict[Kind, View] = {
    "square": VIEW,
    "rectangle": View(190.0, 4.5, -0.03, 0.0, (0.1, 0.15), -0.12, (322.0, 240.0), 0.78),
    "octagon": View(170.0, 6.0, -0.05, 0.01, (-0.15, 0.05), 0.2, (318.0, 244.0)),
    "round": View(175.0, 5.0, -0.02, 0.0, (0.12, 0.1), 0.0, (320.0, 238.0)),
}


def outline(kind: Kind = "square", view: View = VIEW, out: float = 0.0, height: float = 0.0) -> npt.NDArray[np.float64]:
    """The floor's outline in the picture, px, or one so far outside and above it on all sides, for the rim."""
    half, ratio = wider(kind, view.ratio, out)
    return view.lens(SIZE).project(border(kind, ratio, 64) * half, height)


def empty(kind: Kind = "square", view: View = VIEW, wall: tuple[int, int, int] = (30, 50, 40)) -> Image:
    """The tray with nothing in it, BGR, its wall of a colour, with soft noise of its own."""
    large = np.full((2 * SIZE[1], 2 * SIZE[0], 3), (70, 96, 130), np.uint8)
    for (out, height), colour in (
        ((0.17, 0.2), (60, 140, 170)),
        ((0.09, 0.2), wall),
        ((0.0, 0.0), (60, 120, 50)),
    ):
        points = np.round((outline(kind, view, out, height) * 2 + 0.5) * 16).astype(np.int32)
        cv2.fillPoly(large, [points], colour, cv2.LINE_AA, 4)
    picture = cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA)
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 6, (*SIZE[::-1], 1)), (0, 0), 1.5).reshape(*SIZE[::-1])
    return np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7) + grain[..., None], 0, 255), np.uint8)


def farthest(found: npt.NDArray[np.float64], true: npt.NDArray[np.float64]) -> float:
    """Largest distance between two outlines, px."""
    pairs = ((found, true), (true, found))
    return max(
        abs(cv2.pointPolygonTest(a.astype(np.float32), (float(x), float(y)), True)) for a, b in pairs for x, y in b
    )


def recording(
    bare: Image,
    shown: Sequence[Sequence[tuple[float, float, int]]] = (SHOWN, THROWN),
    fps: float = 15.0,
    turned: tuple[float, float] = (20.0, 35.0),
) -> Iterator[Frame]:
    """The bare tray for 1.5 s, then each lot of dice for as long; by so many degrees is each die `turned` more than the
    one before, and each lot."""
    frames = round(1.5 * fps)
    for spell, dice in enumerate(((), *shown)):
        picture = bare.copy()
        for k, (x, y, value) in enumerate(dice):
            draw_die(picture, Pose(x, y, turned[0] * k + turned[1] * spell, value))
        for k in range(frames):
            index = spell * frames + k
            yield Frame(index, index / fps, picture)

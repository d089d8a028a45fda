"""What has drifted since the calibration is shown once while play goes on."""

from threading import Event

import cv2
import numpy as np

from calibration.drift import EVERY_S, Drift
from calibration.facts import Calibration, Picture
from firmware.play.drifting import SHOWN_S, Drifting
from firmware.play.parts import Mailbox, Part
from firmware.play.seeing import Looked
from hardware.screens import Screen, Sign
from tests.calibration.drawn import SIZE, empty, outline
from vision.source import Frame
from vision.view import TrayView


def test_a_stand_that_sank_is_shown_once() -> None:
    floor = tuple((float(x), float(y)) for x, y in outline())
    known = Calibration(*SIZE, floor, 30.0, picture=Picture(30.0, 0.3, 90.0, (60.0, 120.0, 50.0), 1.5, 0.8))
    moved = cv2.warpAffine(empty(), np.array([[1.0, 0, 8], [0, 1, 5]]), SIZE, borderMode=cv2.BORDER_REPLICATE)
    stop = Event()
    shown: list[tuple[Screen, float]] = []
    times = iter(np.arange(0, 4 * EVERY_S, 2.0).tolist())

    class Passing(Mailbox[Looked]):
        """Every look finds a frame two seconds later, until there is none."""

        def take(self, patience_s: float) -> Looked | None:
            t = next(times, None)
            if t is None:
                stop.set()
                return None
            view = TrayView(t, 0, (), hand=False, still=True, settled=True)
            return Looked(Frame(0, t, np.asarray(moved, np.uint8)), view, known.geometry)

    part = Part("calibration", lambda _: None, stop)
    Drifting(Drift(known), Passing(1), lambda screen, for_s: shown.append((screen, for_s)), stop, every_s=0.0)(part)
    ((sign, for_s),) = shown
    assert isinstance(sign, Sign) and "camera or the tray was moved" in sign.text and for_s == SHOWN_S

"""The part that holds the calibration against the picture now and then, while nothing moves, and says if it is off."""

import logging
from collections.abc import Callable
from threading import Event

from calibration.drift import Drift
from calibration.words import CHECKED
from firmware.play.parts import Mailbox, Part
from firmware.play.seeing import Looked
from hardware.screens import Screen, Sign
from vision.view import CALM

LOOK_S = 1.0
SHOWN_S = 10.0

log = logging.getLogger("fairtray")


class Drifting:
    """Takes a frame now and then, no more. What it finds is shown for a while and logged: play goes on."""

    def __init__(
        self, drift: Drift, looked: Mailbox[Looked], show: Callable[[Screen, float], None], stop: Event,
        every_s: float = LOOK_S,
    ) -> None:  # fmt: skip
        self._drift, self._looked, self._show, self._stop = drift, looked, show, stop
        self._every_s = every_s

    def __call__(self, part: Part) -> None:
        """Look until all is stopped."""
        while not self._stop.wait(self._every_s):
            looked = self._looked.take(0)
            if looked is not None and looked.view.phase in CALM:
                for reason in self._drift.step(looked.frame.t, looked.frame.image, looked.geometry.floor):
                    log.warning("calibration is off", extra={"told": {"reason": reason}})
                    self._show(Sign("CALIBRATE", CHECKED[reason]), SHOWN_S)
            part.beat()

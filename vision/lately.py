"""The last pictures, which later ones are compared with: what lies there lay so then, and what moves did not."""

import math
from collections import deque
from collections.abc import Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from vision.rest import SLACK_S, Past, Place, noise_of

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

KEEP_S = 0.8
"""How long pictures are kept: until it is sure that nothing moves, and what was before that, or before a shadow that
passed meanwhile."""
JUST_S = 0.19
"""A hand was there just now if it was so long ago."""
MOVING_LAG_S = 0.1
NOISE_OF, NOISE_S = 6, 0.25
"""Pictures in a row that tell their noise, by the two that differ least, as dice fly past and lamps flicker; how often
that is done. Both chosen."""


class Lately:
    """The pictures of the last 800 ms, `recent`, oldest first; of those just now also the working pictures and the
    `bodies` (h, w) that were seen in them. `noise`: variance of the noise in a patch of the next picture, which hardly
    changes: that of when no body was in view; 0 until it was told."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self.recent: deque[Past] = deque()
        self.bodies: deque[Mask] = deque()
        self._smalls: deque[tuple[float, Image]] = deque()
        self._steadying: list[Past] = []
        self._told = -math.inf
        self.noise = 0.0

    def tell_noise(self, t: float, floor: Sequence[Place], face_px: float) -> None:
        """Tell the noise by places of the floor, px, anew at `t`, s, if that is due."""
        due = len(self.recent) >= NOISE_OF and not 0 <= t - self._told < NOISE_S
        if due and self.bodies and not any(body.any() for body in self.bodies):
            last = list(islice(reversed(self.recent), NOISE_OF))
            self._told, self.noise = t, noise_of(last, floor, face_px)

    def keep(self, picture: Past, small: Image | None) -> None:
        """Keep the next picture; its working picture too where something is to be read from it."""
        self._drop_steadying(picture.t)
        self.recent.append(picture)
        while len(self.recent) > 3 and picture.t - self.recent[1].t > KEEP_S:
            self.recent.popleft()
        if small is None:
            return
        self._smalls.append((picture.t, small))
        while len(self._smalls) > 3 and picture.t - self._smalls[1][0] > JUST_S:
            self._smalls.popleft()
            self.bodies.popleft()

    def keep_body(self, body: Mask) -> None:
        """The body (h, w) in the last picture, once for each whose working picture is kept."""
        self.bodies.append(body)

    def keep_steadying(self, picture: Past) -> None:
        """The next picture is of a camera that has just swung back: not yet to be trusted, but it tells since when
        things lie."""
        self._drop_steadying(picture.t)
        self._steadying.append(picture)

    def forget(self) -> None:
        """Nothing that was seen before says anything of what moves now, but of a camera that has just swung back."""
        self.recent.clear()
        self.bodies.clear()
        self._smalls.clear()
        self._told, self.noise = -math.inf, 0.0

    def lose_sight(self) -> None:
        """Nobody knows what happened meanwhile: nothing that was seen before says since when things lie."""
        self.forget()
        self._steadying = []

    def _drop_steadying(self, t: float) -> None:
        """What the camera saw when it had swung back says nothing at `t`, s, where nothing was seen for long since."""
        if self._steadying and t - self._steadying[-1].t > KEEP_S:
            self._steadying = []

    @property
    def now(self) -> tuple[Past, Image]:
        """The last picture, and its working picture."""
        return self.recent[-1], self._smalls[-1][1]

    @property
    def earlier(self) -> Image:
        """The working picture of 100 ms ago, or the oldest there is."""
        now = self._smalls[-1][0]
        old_enough = (small for then, small in reversed(self._smalls) if now - then >= MOVING_LAG_S - SLACK_S)
        return next(old_enough, self._smalls[0][1])

    @property
    def pictures(self) -> list[Past]:
        """The last pictures, oldest first, with those of a camera that had just swung back."""
        return [*self._steadying, *self.recent]

"""Whether another light is on: what drifts is the camera's exposure, what jumps is a lamp."""

import math
from collections import deque

import numpy as np

NEAR_BLACK = 6.0
"""Grey levels added to both sides of a ratio of brightness: near black they are noise, and tell nothing."""
LIGHT_STEP, SHADED_STEP = 0.8, 0.5
"""A lamp changes the brightness by more than the first factor at once. What changes it slowly is no lamp up to the
second: the shadow of somebody who reaches in takes .7 in real clips within half a second, that of a passer as much."""
SUDDEN_S = 0.15
UNEVEN = 0.05
"""A lamp changes the light on all patches alike at any moment. Where so much of it parts the quartiles, and more than
has changed, the edge of a shadow comes over them; chosen."""
DRIFT_PER_S = 0.1
NEW_LIGHT_S = 1.0
"""Another light that stays for so long is the light from now on."""
STEADY_LIGHT = 0.03
BRIGHTER_S, STEADYING_S = 1.5, 0.4
"""A brighter one, once it changes by no more than that within the second time: exposure may take longer to settle, and
the lamp that adds to another's light is not, like one that is out, about to come back."""
RETURNED = 0.12
"""Within this of the usual brightness a lamp that was switched back is as before; the rest is exposure that settles."""
SETTLES_S, NEARLY = 1.0, 0.2
"""Or within this, so long after it was switched: exposure that has followed another light for long takes longer."""
BACK_S, BACK_HALF = 0.3, 0.5
"""A lamp that is switched back brings so much of what it took within so long; exposure that follows the other light
takes longer, and that it looks as bright as before does not make it the light it was."""
DIM = 0.35
"""Share of the brightness at the start below which a light is none to play by, however long it stays..."""
MIDDLE = 128.0
"""...or of this grey level, chosen, where the start was brighter: a camera that has just been switched on, or glare,
may burn the whole picture out."""


class Light:
    """The brightness of the tray's edge: what drifts is exposure, what jumps is a lamp."""

    def __init__(self) -> None:
        self._usual = 1.0
        self._recent: deque[tuple[float, float]] = deque()
        self._since: float | None = None
        self._darker, self._most, self._overshot = False, 0.0, False
        self._jumping, self._jump = False, math.inf
        self._hidden = self._until = self._uneven = -math.inf

    def has_changed(self, t: float, quartiles: tuple[float, float, float] | None, level: float = MIDDLE) -> bool:
        """Whether another light is on than the usual; one that stays becomes the usual.

        quartiles: of the brightness of patches, as shares of what it was at the start. level: of the picture then, grey
        levels.
        """
        if quartiles is None:
            return self._since is not None
        brightness = float(np.clip(self._usual, quartiles[0], quartiles[2]))  # a shadow is only on some patches
        if self._is_uneven(quartiles):
            self._uneven = t
        jumped = self._jumps(t, brightness)
        step = DRIFT_PER_S * (t - self._recent[-1][0]) if self._recent else 0.0
        self._recent.append((t, brightness))
        while t - self._recent[0][0] > NEW_LIGHT_S:
            self._recent.popleft()
        ratio = brightness / self._usual
        limit = LIGHT_STEP if jumped and t - self._uneven > SUDDEN_S else SHADED_STEP
        if self._since is None and limit <= ratio <= 1 / limit:
            self._usual *= float(np.clip(ratio, 1 - step, 1 + step))
            return False
        if self._since is None:
            self._since, self._darker, self._most, self._overshot = t, ratio < 1, 0.0, False
        if self._is_back(t, ratio) or self._stays(t, brightness, DIM * min(1.0, MIDDLE / level)):
            self._usual, self._since, self._jump = brightness, None, math.inf
        return self._since is not None

    def unchanged(self, t: float) -> None:
        """The picture of time `t`, s, is as bright as the last: what jumps next has jumped from there."""
        self._until = t

    def hidden(self, t: float) -> None:
        """Something is before the lens at `t`, s, which takes the light from the picture and gives it back at once."""
        self._hidden = t

    def _jumps(self, t: float, brightness: float) -> bool:
        """Whether the brightness has just changed at once; notes when it began to."""
        sudden = [level for then, level in self._recent if t - then <= SUDDEN_S][:1]
        if self._recent and t - self._until <= SUDDEN_S:
            sudden = sudden or [self._recent[-1][1]]
        jumped = bool(sudden) and not LIGHT_STEP <= brightness / sudden[0] <= 1 / LIGHT_STEP
        if jumped and not self._jumping:
            self._jump = t
        self._jumping = jumped
        return jumped

    def _is_uneven(self, quartiles: tuple[float, float, float]) -> bool:
        """Whether the light has changed on some patches, and hardly on as many others."""
        lower, middle, upper = (math.log(max(level, UNEVEN) / self._usual) for level in quartiles)
        return upper - lower > max(UNEVEN, abs(middle))

    def _is_back(self, t: float, ratio: float) -> bool:
        """Whether the usual light is on again, whose brightness is seen by this `ratio`."""
        self._most = max(self._most, abs(ratio - 1))
        overshoots = (ratio > 1) if self._darker else (ratio < 1)  # exposure had followed the other light
        self._overshot |= overshoots and abs(ratio - 1) > RETURNED
        before = max(abs(level / self._usual - 1) for then, level in self._recent if t - then <= BACK_S)
        uncovered = t - self._hidden <= BACK_S
        switched = self._overshot or uncovered or before >= BACK_HALF * self._most
        returned = NEARLY if t - self._jump > SETTLES_S - 1e-6 else RETURNED  # stamps are rounded
        return switched and abs(ratio - 1) < (returned if overshoots else STEADY_LIGHT)

    def _stays(self, t: float, brightness: float, dim: float) -> bool:
        """Whether the other light has stayed for so long that it is the light from now on; up to `dim` it is none."""
        lasted = t - (t if self._since is None else self._since)
        if not self._darker and lasted >= BRIGHTER_S and self._is_steady(t, STEADYING_S):
            return True
        return lasted >= NEW_LIGHT_S and brightness > dim and self._is_steady(t, NEW_LIGHT_S)

    def _is_steady(self, t: float, seconds: float) -> bool:
        """Whether the brightness has hardly changed for most of so long."""
        recent = [(then, level) for then, level in self._recent if t - then <= seconds]
        levels = [level for _, level in recent]
        return t - recent[0][0] > 0.8 * seconds and max(levels) < (1 + STEADY_LIGHT) * min(levels)

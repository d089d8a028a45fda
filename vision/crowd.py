"""How many dice of a throw were in view at once, and since when."""

import math


class Crowd:
    """How many dice were seen at once that did not lie there before: bounds the time when the last one entered."""

    def __init__(self) -> None:
        """Nothing has been seen yet."""
        self._counts: list[tuple[float, int]] = []

    def note(self, t: float, count: int) -> None:
        """`count` free dice were in view at `t`."""
        if count and (not self._counts or count > self._counts[-1][1]):
            self._counts.append((t, count))

    def since(self, count: int) -> float:
        """When at least `count` free dice were first seen at once; infinite if they never were."""
        return next((t for t, seen in self._counts if seen >= count), math.inf)

"""Dice that lie together in one picture: what was read and is known of them, and how their outlines look."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from vision.evidence import Evidence, all_evidence
from vision.geometry import TrayGeometry
from vision.pairs import neighbours, side_by_side
from vision.read import Reading, as_likely
from vision.wall import AT_WALL

Image = npt.NDArray[np.uint8]
Lie = Literal["flat", "cocked", "stacked", "doubtful", "untold"]
"""How a die lies: `doubtful` where it may lean, `untold` where its colour does not tell although it might lean."""


@dataclass(frozen=True)
class Together:
    """Dice read in a BGR picture (h, w, 3), surely or not; by their indices those known to lie `level`, and those known
    not to. `all_seen`: none of a game is missing."""

    image: Image
    geometry: TrayGeometry
    readings: Sequence[Reading]
    level: Collection[int] = ()
    unlevel: Collection[int] = ()
    all_seen: bool = False

    @cached_property
    def seen(self) -> list[Evidence | None]:
        """How the outline of each differs from a flat die's; None where that is not told."""
        return all_evidence(self.image, self.geometry, self.readings)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Those so near each other that one may lean on the other."""
        return side_by_side(self.geometry, self.readings)

    @property
    def unread(self) -> set[int]:
        """Those not read surely."""
        return {index for index, reading in enumerate(self.readings) if reading.value is None}

    def as_likely(self) -> "Together":
        """The same, as if they all showed what they likely do."""
        return replace(self, readings=as_likely(self.readings))

    def beside(self, index: int) -> set[int]:
        """The dice so near one that it may lean on them."""
        return neighbours(self.pairs, index)

    def between(self, one: int, other: int) -> float:
        """Area, in faces squared, of die that is seen between two dice."""
        seen = ((self.seen[one], other), (self.seen[other], one))
        return max((evidence.between.get(there, 0.0) for evidence, there in seen if evidence), default=0.0)

    def is_at_wall(self, index: int) -> bool:
        """Whether a die lies so near to the wall that it may lean on it."""
        return self.geometry.inside(*self.readings[index].centre) < AT_WALL

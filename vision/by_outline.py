"""How dice lie by bounds on how their outlines differ from flat ones', which is all that an unmeasured camera tells.

The bounds lie between flat dice and leaning and stacked ones of simulated pictures (`make eval-lean`). What is not
plain is doubtful; an outline says nothing of a die whose colour is near the floor's.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.evidence import Evidence
from vision.on_others import on_others
from vision.outline import Shift
from vision.pairs import reach_over
from vision.together import Lie, Together
from vision.wall import walls_about

AT_WALL_CUE = 0.1
"""Faces by which the outline is shifted to the wall from where the die leans on it..."""
AT_WALL_DOUBT = 0.055
"""...and from where it is doubtful..."""
TOWARDS = 0.7
"""Share of a shift that goes to a wall from which it points there, be it into a corner."""
ALONE_CUES = (0.07, 0.2)
"""...and in any direction where there is no other die; the second at a wall."""
UNSEEN = 0.03
"""Faces that the shift is off if sides are there that look like the ground, below which there is hardly any to see."""
PEEPS = (0.01, 0.05)
"""Area, in faces squared, that a flat die does not cover: doubtful from the first, but a little of one by itself among
five that were read; from the second, where it is plain, of a die below."""
STANDS = 0.2
"""The same of an unread die that plainly stands on an edge at a wall: chosen, half of what one shows at 45 degrees."""
ON_TOP = 1.1
"""Faces between the middles of two dice from which neither lies on the other: the middle of the upper one is over the
lower one's top, .71 faces from its middle at most, and is seen .38 farther out for its height by a camera that looks
at it from 21 degrees off the vertical."""


@dataclass(frozen=True, slots=True)
class ByOutline:
    """How each of some dice lies by its outline."""

    dice: Together

    def on_wall(self, index: int) -> Lie:
        """Whether a die leans on a wall."""
        seen = self.dice.seen[index]
        if seen is None:
            return "flat"
        lie = self._on_wall(index, seen, seen.shift, alone=not self.dice.beside(index))
        if seen.unseen is None or math.dist(seen.shift, seen.unseen) <= UNSEEN:
            return lie
        return self._with_sides_unseen(index, seen, seen.unseen, lie)

    def stands(self, index: int) -> bool:
        """Whether a die that lies alone plainly stands on an edge at a wall."""
        seen = self.dice.seen[index]
        if seen is None or seen.plain <= STANDS:
            return False
        return self._on_wall(index, seen, seen.shift, alone=True) == "cocked"

    def on_others(self, pairs: Sequence[tuple[int, int]], leaning: set[int]) -> Mapping[int, Lie]:
        """How the dice of these pairs lie that may lean on each other, but for those known to be `leaning`."""
        return on_others(self.dice, pairs, leaning)

    def below(self, index: int, explained: bool) -> Lie | None:
        """How a die lies that may lie on another; None where more is not seen of it than of a flat one, or others that
        lean have `explained` that."""
        seen = self.dice.seen[index]
        if seen is None:
            return self._untold(index)
        if explained:
            return None
        doubt, plain = PEEPS
        if seen.plain > plain:
            return "stacked" if self._may_lie_on_one(index, seen) else self._as_own_side(index)
        if seen.beyond <= doubt or self._is_but_light(index, seen):
            return None
        return "doubtful"

    def _on_wall(self, index: int, seen: Evidence, shift: Shift, alone: bool) -> Lie:
        """Whether a die leans on a wall whose outline is shifted so. What shifts that of one that lies `alone`, in
        whatever direction, is no other die that is seen, and none at all where all are."""
        far, dice = math.hypot(*shift), self.dice
        hidden = alone and not dice.all_seen and far > ALONE_CUES[0]
        if not dice.is_at_wall(index):
            return "doubtful" if hidden else "flat"
        walls = walls_about(dice.geometry, dice.readings[index], seen.angle, shift)
        into_corner = far > AT_WALL_CUE and any(wall.shift >= TOWARDS * far for wall in walls)
        if into_corner or any(wall.shift > AT_WALL_CUE for wall in walls) or (alone and far > ALONE_CUES[1]):
            return "cocked"
        return "doubtful" if hidden or any(wall.shift > AT_WALL_DOUBT for wall in walls) else "flat"

    def _with_sides_unseen(self, index: int, seen: Evidence, unseen: Shift, lie: Lie) -> Lie:
        """How a die lies whose sides may be where they are not seen, as they may have the ground's colour: it seems to
        lean on the wall where none show, and one that does to lie flat where those do not that it turns to it."""
        if not self.dice.is_at_wall(index):
            return lie
        if lie == "flat":
            return "untold"
        otherwise = self._on_wall(index, seen, unseen, alone=False)
        return "cocked" if lie == otherwise == "cocked" else "doubtful"

    def _untold(self, index: int) -> Lie:
        """How a die lies whose outline does not tell."""
        return "untold" if self.dice.beside(index) or self.dice.is_at_wall(index) else "flat"

    def _may_lie_on_one(self, index: int, seen: Evidence) -> bool:
        """Whether a die may lie on another: where none is missing, only on one of the others that is near enough, or
        has no floor seen between it and this."""
        dice = self.dice
        if not dice.all_seen:
            return True
        if not dice.beside(index):
            return False
        (x, y), others = dice.readings[index].centre, (*dice.readings[:index], *dice.readings[index + 1 :])
        near = ON_TOP * dice.geometry.face_px(x, y)
        return bool(reach_over(seen)) or any(math.dist((x, y), other.centre) <= near for other in others)

    def _as_own_side(self, index: int) -> Lie:
        """How a die lies of which more is seen than of a flat one, though none lies below it."""
        return "cocked" if self.dice.is_at_wall(index) else "doubtful"

    def _is_but_light(self, index: int, seen: Evidence) -> bool:
        """Whether what is seen about a die by itself, where none is missing and all are surely read, is so little and
        not plain, as the light that a clear one casts, and tells nothing; but at a wall where its outline does not tell
        either."""
        dice, (doubt, plain) = self.dice, PEEPS
        by_itself = dice.all_seen and not dice.beside(index) and not dice.unread
        told = seen.unseen is None or not dice.is_at_wall(index)
        return by_itself and told and seen.plain <= doubt and seen.beyond <= plain

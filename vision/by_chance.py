"""How dice lie by the chances that the leaner sees, and what their outlines plainly show although it sees nothing."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.by_outline import ALONE_CUES, AT_WALL_CUE, PEEPS, ByOutline
from vision.leaner import Chances, Doubt
from vision.pairs import neighbours
from vision.together import Lie, Together
from vision.wall import walls_about

LIES: Mapping[Doubt, Lie] = {"none": "flat", "some": "doubtful", "plain": "cocked"}
"""How a die lies by how doubtful it is that it does not lean."""


@dataclass(frozen=True, slots=True)
class ByChance:
    """How each of some dice lies by the chances that they lean on what is beside them."""

    dice: Together
    chances: Chances

    def on_wall(self, index: int) -> Lie:
        """Whether a die leans on a wall: one whose outline is far from a flat one's leans, as it may stand on an edge
        along the wall, or is in doubt all the same; and so is one that lies alone where a die is missing, and seems
        shifted in any direction."""
        dice, seen, lie = self.dice, self.dice.seen[index], LIES[self.chances.doubt(index, "wall")]
        if seen is None:
            return lie
        at_wall, alone, far = dice.is_at_wall(index), not dice.beside(index), math.hypot(*seen.shift)
        if at_wall and alone and far > ALONE_CUES[1]:
            return "cocked"
        walls = walls_about(dice.geometry, dice.readings[index], seen.angle, seen.shift) if at_wall else []
        shifted = any(wall.shift > AT_WALL_CUE for wall in walls)
        hidden = alone and not dice.all_seen and far > ALONE_CUES[0]
        return "doubtful" if lie == "flat" and (shifted or hidden) else lie

    def stands(self, index: int) -> bool:
        """Whether a die that lies alone plainly stands on an edge at a wall."""
        return self.chances.doubt(index, "wall") == "plain"

    def on_others(self, pairs: Sequence[tuple[int, int]], leaning: set[int]) -> Mapping[int, Lie]:
        """How the dice of these pairs lie that may lean on each other, but for those known to be `leaning`. What
        plainly leans by the outlines alone is in doubt where chances say nothing of that pair."""
        doubts = self.chances.on_others(pairs, leaning, self.dice.level)
        found = {index: LIES[doubt] for index, doubt in doubts.items()}
        for index, lie in ByOutline(self.dice).on_others(pairs, leaning).items():
            if lie == "cocked" and {index, *neighbours(pairs, index)}.isdisjoint(found):
                found[index] = "doubtful"
        return found

    def below(self, index: int, explained: bool) -> Lie | None:
        """How a die lies that may lie on one which hardly shows, where one is missing; None where it does not. One of
        which much more shows than of a flat one is in doubt, unless others that lean have `explained` that."""
        if not self.chances.know(index):
            return ByOutline(self.dice).below(index, explained)
        doubt, seen, missing = self.chances.doubt(index, "below"), self.dice.seen[index], not self.dice.all_seen
        if doubt == "plain" and missing:
            return "stacked"
        much = seen is not None and seen.plain > PEEPS[1] and not explained
        return "doubtful" if much or (doubt == "some" and missing) else None

"""Adapting the reader's limits to a set of dice that it finds hard: only ever stricter than the networks' own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.check import check
from calibration.facts import Calibration
from calibration.recording import Recording, dice_at_rest
from calibration.register import lain_together, registered, unexpected, unread
from vision.network import Networks, stricter

STEPS = (0.0, 0.06, 0.12, 0.2, 0.3)
"""Raises of the limit from which a value is sure, tried in order."""
LEAST_READINGS = 5
MOST_UNSURE = 0.5
"""Share of unsure readings from which a set is no good here."""
CHECKED_IN = 15
"""Pictures in which it is seen whether the calibration still holds; dice and hands lie elsewhere in each."""


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a set of dice: the calibration with it, None where it cannot be trusted, and why. missing: the
    values expected that were not surely read at one rest."""

    calibration: Calibration | None
    readings: int
    unsure: float
    reasons: tuple[str, ...]
    missing: tuple[int, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the set was added."""
        return self.calibration is not None


def add_dice(known: Calibration, recording: Recording, networks: Networks, expect: Sequence[int]) -> Added:
    """Read the dice of a recording under the calibration, with limits as strict as they need be to read nothing wrong.

    Where the values shown are told (`expect`), a sure value beyond them in the first lot that lies there is wrong, and
    the limits are raised until there is none. A calibration that does not hold any more is given no dice.
    """
    pictures = [picture for _, picture in recording.pictures]
    gone = check(known, pictures[:: -(-len(pictures) // CHECKED_IN)]).reasons if known.picture is not None else ()
    if gone:
        return Added(None, 0, 1.0, gone)
    for step in STEPS:
        own = known.thresholds.get("sure", networks.thresholds.sure)
        limits = dict(known.thresholds) | ({"sure": round(own + step, 4)} if step else {})
        seen = [
            die
            for die in dice_at_rest(recording, stricter(networks, limits), known.die_px)
            if die.plain or known.geometry.inside(die.lying.x, die.lying.y) > 0
        ]
        if len(seen) < LEAST_READINGS:
            return Added(None, len(seen), 1.0, ("no_dice",))
        unsure = float(np.mean([die.value is None for die in seen]))
        if unsure > MOST_UNSURE:
            return Added(None, len(seen), unsure, ("readings_unsure",))
        lots = lain_together([die for die in seen if die.plain])
        if not unexpected(lots, expect):
            dice = registered(networks, seen, known.dice.count if known.dice else len(expect))
            found = replace(known, dice=dice, thresholds=limits)
            return Added(found, len(seen), unsure, (), unread(lots, expect))
    return Added(None, len(seen), unsure, ("read_wrong",))

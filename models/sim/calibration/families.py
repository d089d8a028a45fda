"""All families of calibration recordings by name, and how one is made."""

from dataclasses import dataclass

import numpy as np

from models.sim.calibration.bad import BAD
from models.sim.calibration.family import Family
from models.sim.calibration.good import GOOD
from models.sim.calibration.setup import Shape, draw_setup
from models.sim.errors import SimulatorError
from models.sim.script import Timeline
from models.sim.stage import Stage

FAMILIES: dict[str, Family] = {family.name: family for family in (*GOOD, *BAD)}
ATTEMPTS = 6
"""With so many set-ups is it tried before a seed is refused."""
DIMMEST = 0.5
"""The worst light that a person would still set up a tray in (see `Rig.adapt_to`)."""


@dataclass(frozen=True)
class Recording:
    """A calibration recording: what is in it, the tray's shape, and the options that its user would pass."""

    family: Family
    timeline: Timeline
    shape: Shape
    given: tuple[str, ...]


def record(name: str, seed: int, size: tuple[int, int] | None = None) -> Recording:
    """The recording of this family and seed; `size` is the picture's, by default one that shows the dice well.

    Raises:
        SimulatorError: no such family, or nothing is found that fits its set-up.
    """
    family = FAMILIES.get(name)
    if family is None:
        raise SimulatorError(f"no calibration recording {name!r}: choose one of {', '.join(FAMILIES)}")
    for attempt in range(ATTEMPTS):
        try:
            return _record(family, np.random.default_rng([seed, *name.encode(), attempt]), size)
        except SimulatorError as error:
            refused = error
    raise refused


def _record(family: Family, rng: np.random.Generator, size: tuple[int, int] | None) -> Recording:
    setting, shape = draw_setup(rng, family.wish, size)
    given = tuple(family.given(rng, setting))
    setting = family.dress(rng, setting)
    stage = Stage(setting, rng)
    stage.rig.adapt_to(float(rng.uniform(0, DIMMEST)))
    stage.rig.camera = family.camera(rng, stage.rig.camera)
    family.act(stage)
    return Recording(family, stage.finish(pause=0.0), shape, given)

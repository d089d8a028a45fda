"""The gauge: a small network that sees by how much dice are larger or smaller than they were measured.

Rounded edges, cut corners, shadows and gloss make dice look larger or smaller than they are. How much cannot be told
from a profile across an edge, but it shows in the whole look of a die; the gauge has learnt it from drawn ones. All
dice of a recording are of one set, so they are judged together.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from calibration.cube import Points
from calibration.flat import LAYERS, SIDE, FloatArray, lay_flat, layers
from calibration.sides import Image, Lying
from vision.errors import ModelError
from vision.lens import Lens
from vision.network import MODELS, check_promised, open_network

NETWORK, CARD = "gauge.onnx", "gauge.json"
KNOWN = 5
"""What is known of a die: what its flat picture says, and how sure the camera's height is."""
TAKES = {"seen": [None, None, LAYERS, SIDE, SIDE], "known": [None, None, KNOWN]}
"""Shapes of what the network takes: sets, dice of each, and what is seen and known of a die."""
ROUNDS = 6
"""First roughly, then again as the dice were found to lie: what it doubts it tells too near to what it was given."""
QUARTERS = 4
"""Every die is looked at from its four sides."""
FARTHEST = 0.2
"""Share by which it may differ from what was measured; beyond, one of both is wrong. Profiles alone were off by up to
.14 on drawn set-ups, in a trial that no command repeats."""

FILMED_DOUBT = 0.01
"""Share by which dice of whole recordings are farther off than sets that were drawn alone: with it 32 of 33 recordings
were within their doubt in a trial that no command repeats."""
HEIGHT_DOUBT = 0.4
"""Share by which the camera's height may be off, as the tray tells it, in 19 of 20 set-ups of a trial that no command
repeats: the tops of dice, nearer to the camera than the floor, look larger or smaller by as much of what they are
nearer."""
TAPED = 0.05
"""The same where people measured it."""


@dataclass(frozen=True, slots=True)
class Gauged:
    """edge: of the dice, in the lens' unit. doubt: share by which it is off at most in 19 of 20 set-ups."""

    edge: float
    doubt: float


@dataclass(frozen=True, slots=True)
class Gauge:
    """The network, and `doubted`: what its own spread is multiplied by to cover 19 of 20 sets of dice."""

    session: Any = field(repr=False)
    doubted: float

    def measure(
        self,
        dice: Sequence[Lying],
        empty: Image,
        lens: Lens,
        poses: Points,
        edge: float,
        height_doubt: float = HEIGHT_DOUBT,
    ) -> Gauged | None:
        """The edge of dice that were measured as `edge` at `poses` (n, 3); None where it finds quite another.

        height_doubt: share by which the camera's height may be off, HEIGHT_DOUBT or TAPED.
        """
        now, at = edge, poses.copy()
        spread = 0.0
        for _ in range(ROUNDS):
            seen, known = self._seen(dice, empty, lens, at, now, height_doubt)
            grown, spreads, moved = self.session.run(None, {"seen": seen, "known": known})
            cos, sin = np.cos(at[:, 2]), np.sin(at[:, 2])
            along, across, turned = moved[0].T
            at = at + np.column_stack([now * (cos * along - sin * across), now * (sin * along + cos * across), turned])
            now *= math.exp(float(np.mean(grown)))
            spread = math.exp(float(np.mean(spreads)))
        if abs(math.log(now / edge)) > FARTHEST:
            return None
        return Gauged(now, math.hypot(self.doubted * spread, FILMED_DOUBT, height_doubt * now / lens.place[2]))

    def _seen(
        self, dice: Sequence[Lying], empty: Image, lens: Lens, poses: Points, edge: float, height_doubt: float
    ) -> tuple[FloatArray, FloatArray]:
        """What the network takes: all dice, looked at from each of their sides."""
        views = [
            [
                lay_flat(die.picture, empty, lens, pose + np.array([0, 0, quarter * math.pi / 2]), edge)
                for die, pose in zip(dice, poses, strict=True)
            ]
            for quarter in range(QUARTERS)
        ]
        seen = np.array([[layers(flat) for flat in row] for row in views], np.float32)
        known = [[[*flat.known, height_doubt] for flat in row] for row in views]
        return seen, np.array(known, np.float32)


def load_gauge(folder: Path = MODELS) -> Gauge:
    """The gauge shipped with Fairtray; raises ModelError where it is missing, damaged, or not what its card says."""
    path = folder / CARD
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        said = card["files"][NETWORK]
        check_promised(said, {"inputs": TAKES}, NETWORK, path)
        return Gauge(open_network(folder / NETWORK, said), float(card["doubted"]))
    except OSError as error:
        raise ModelError(f"{path}: cannot read the gauge's card ({error.strerror})") from error
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{path}: the gauge's card is damaged; restore it") from error

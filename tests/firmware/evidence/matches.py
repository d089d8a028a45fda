"""Matches that are kept with evidence, made of events alone: their pictures show nothing."""

from pathlib import Path
from random import Random

from firmware.evidence.budget import Budget
from firmware.evidence.choosing import OF_A_ROLL, PROVED, Due
from firmware.evidence.key import DeviceKey
from firmware.evidence.pieces import Frames, Picture, What
from firmware.evidence.store import Store
from firmware.ledger import Ledger
from firmware.record import gone_on
from scorer.events import RecordingEnded, Ruling
from scorer.presets import BHO
from scorer.umpire import Umpire
from tests.scorer.play import some_facts

BUDGET_MB = 1.0
FLOOR = ((0.0, 0.0), (300.0, 0.0), (300.0, 200.0))


def due(ruling: Ruling, size: int = 40) -> Due:
    """The evidence for a ruling: two pictures of that many bytes."""
    pictures = tuple(
        Picture(ruling.frame + n, round(ruling.t + n / 30, 3), (b"%d:%d " % (ruling.entry, n)).ljust(size, b"."))
        for n in (0, 1)
    )
    what: What = "frames" if isinstance(ruling, OF_A_ROLL) else "clip"
    return Due((ruling.entry,), what, Frames(pictures, (10, 20, 300, 200), (640, 480), FLOOR, 30.0))


class Kept:
    """Ann and Ben play, from events alone; each ruling is kept with its evidence. A match goes on where it ended."""

    def __init__(self, folder: Path, key: DeviceKey | None, budget_mb: float = BUDGET_MB, size: int = 40) -> None:
        self.ledger = Ledger(folder, key)
        self.umpire = gone_on(Umpire(BHO, ("Ann", "Ben")), self.ledger, "events")
        self.store = Store(self.ledger, Budget(self.ledger, budget_mb, key))
        self._size = size
        self._prove(self.umpire.start())

    def play(self, random: Random, steps: int) -> None:
        """So much happens, unless the match is over before."""
        for _ in range(steps):
            for fact in some_facts(random, self.umpire.state, 4.0 * self.ledger.count):
                self._prove(self.umpire.on(fact))

    def end(self) -> None:
        """End the match, and close it."""
        self._prove(self.umpire.on(RecordingEnded(t=4.0 * self.ledger.count)))
        self.store.close()
        self.ledger.close()

    def _prove(self, rulings: tuple[Ruling, ...]) -> None:
        for ruling in rulings:
            if isinstance(ruling, PROVED):
                self.store.store(due(ruling, self._size))


def played(folder: Path, key: DeviceKey | None, steps: int = 30, seed: int = 1) -> Path:
    """The folder of a closed match."""
    kept = Kept(folder, key)
    kept.play(Random(seed), steps)
    kept.end()
    return folder

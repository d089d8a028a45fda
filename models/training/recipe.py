"""The recipe of the networks that ship: what each training step reads, how long it runs and what it leaves behind.

Everything lies in one work folder and every step goes on where it was broken off; nothing here is committed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from models.sim.crops import write_crops
from models.training.drawn import draw, load_crops, load_file, load_scenes
from models.training.export import export
from models.training.locator import locator_plan, photo_examples, scene_examples, train_locator
from models.training.marking import mark_pips
from models.training.networks import Reader
from models.training.optimise import load_weights
from models.training.reader import Share, drawn_plan, mixed_plan, train_reader
from models.training.real import LEARNT, Photo, crops_of

SCENES = 7750
READER_DRAWN_STEPS = 4000
READER_MIXED_STEPS = 1000  # with or without a source: a bar chosen on the networks left out must suit what ships
LOCATOR_STEPS = 2000
TRACED_CROPS = 3000
_TRACED_SEED = 22
_DRAWN_WEIGHT = 0.55
_TRACED_WEIGHT = 0.1


@dataclass(frozen=True)
class Work:
    """Where the steps of a training leave their results."""

    folder: Path

    @property
    def drawn(self) -> Path:
        """Folder of drawn crops and scenes."""
        return self.folder / "drawn"

    @property
    def traced(self) -> Path:
        """Crops of the simulated trays that `fairtray simulate` films."""
        return self.folder / "traced.npz"

    @property
    def reader_drawn(self) -> Path:
        """Weights of the reader that has seen drawn dice only."""
        return self.folder / "reader_drawn.pt"

    @property
    def reader(self) -> Path:
        """Weights of the reader that ships."""
        return self.folder / "reader.pt"

    @property
    def locator_drawn(self) -> Path:
        """Weights of the locator that has seen drawn dice only."""
        return self.folder / "locator_drawn.pt"

    @property
    def locator(self) -> Path:
        """Weights of the locator that ships."""
        return self.folder / "locator.pt"

    def fold(self, source: str) -> Path:
        """Folder of the networks that never saw one source."""
        return self.folder / "folds" / source


def draw_dice(work: Work) -> None:
    """Draw the scenes that everything is trained on, and trace some on simulated trays."""
    draw(work.drawn, SCENES)
    if not work.traced.exists():
        write_crops(TRACED_CROPS, _TRACED_SEED, work.traced)


def _shares(work: Work, photos: Sequence[Photo], sources: Sequence[str]) -> list[Share]:
    """Return the crops of the mixed stage: drawn dice and photographs, their pips marked by the drawn-only reader."""
    network = Reader()
    load_weights(network, work.reader_drawn)
    shares = [Share(load_crops(work.drawn), _DRAWN_WEIGHT), Share(load_file(work.traced), _TRACED_WEIGHT)]
    for source in sources:
        shares.append(Share(mark_pips(network, crops_of(photos, source)), LEARNT[source]))
    return shares


def train_readers(work: Work, photos: Sequence[Photo]) -> None:
    """Train the drawn-only reader, and from it the one that ships."""
    if not work.reader_drawn.exists():
        train_reader([Share(load_crops(work.drawn), 1.0)], drawn_plan(READER_DRAWN_STEPS), work.reader_drawn)
    if not work.reader.exists():
        shares = _shares(work, photos, list(LEARNT))
        train_reader(shares, mixed_plan(READER_MIXED_STEPS), work.reader, start=work.reader_drawn)


def train_locators(work: Work, photos: Sequence[Photo]) -> None:
    """Train the locator that ships, and one on drawn scenes only for the measurements on sources left out."""
    scenes = scene_examples(load_scenes(work.drawn))
    if not work.locator_drawn.exists():
        train_locator(scenes, [], locator_plan(LOCATOR_STEPS), work.locator_drawn)
    if not work.locator.exists():
        train_locator(scenes, photo_examples(photos), locator_plan(LOCATOR_STEPS), work.locator)


def train_folds(work: Work, photos: Sequence[Photo]) -> None:
    """For every source, train and export networks that never saw it: what they do there is what strangers may expect.

    Only the mixed stage is repeated; the drawn-only stage before it has seen no source at all.
    """
    for source in LEARNT:
        weights = work.fold(source) / "reader.pt"
        if weights.exists():
            continue
        weights.parent.mkdir(parents=True, exist_ok=True)
        shares = _shares(work, photos, [s for s in LEARNT if s != source])
        train_reader(shares, mixed_plan(READER_MIXED_STEPS), weights, start=work.reader_drawn)
        export(work.locator_drawn, weights, weights.parent)


def export_shipped(work: Work, folder: Path) -> None:
    """Write the networks that ship into a folder; their card must be written again afterwards."""
    export(work.locator, work.reader, folder)

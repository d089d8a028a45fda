"""The recipe of the networks that ship: what each training step reads, how long it runs and what it leaves behind.

Everything lies in one work folder and every step goes on where it was broken off; nothing here is committed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from models.sim.crops import write_crops
from models.training.drawn import draw, load_crops, load_file, load_scenes
from models.training.export import export
from models.training.locator import BATCH as LOCATOR_BATCH
from models.training.locator import locator_plan, photo_examples, scene_examples, train_locator
from models.training.marking import mark_pips
from models.training.networks import Reader
from models.training.optimise import load_weights
from models.training.reader import BATCH as READER_BATCH
from models.training.reader import Share, drawn_plan, mixed_plan, train_reader
from models.training.real import LEARNT, Photo, crops_of

_TRACED_SEED = 22
_DRAWN_WEIGHT = 0.55
_TRACED_WEIGHT = 0.1


@dataclass(frozen=True)
class Recipe:
    """How many scenes are drawn and crops traced, how many steps each network is trained, and on how much in a step.

    `mixed_steps` are the same with and without a source: a bar chosen on the networks left out must suit what ships.
    """

    scenes: int
    traced: int
    drawn_steps: int
    mixed_steps: int
    locator_drawn_steps: int
    locator_steps: int
    reader_batch: int = READER_BATCH
    locator_batch: int = LOCATOR_BATCH


SHIPPED = Recipe(
    scenes=40000,
    traced=3000,
    drawn_steps=20000,
    mixed_steps=7000,
    locator_drawn_steps=12000,
    locator_steps=12000,
    reader_batch=1024,
)
"""What the networks that ship are made by."""

MINIATURE = Recipe(
    scenes=125,
    traced=16,
    drawn_steps=150,
    mixed_steps=10,
    locator_drawn_steps=30,
    locator_steps=160,
    reader_batch=32,
    locator_batch=8,
)
"""As little as shows that everything works and learns: for tests, not for dice."""


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
        """Folder of the weights of networks that never saw one source."""
        return self.folder / "folds" / source


def draw_dice(work: Work, recipe: Recipe) -> None:
    """Draw the scenes that everything is trained on, and trace some on simulated trays."""
    draw(work.drawn, recipe.scenes)
    if not work.traced.exists():
        print(f"{recipe.traced} crops of simulated trays")
        write_crops(recipe.traced, _TRACED_SEED, work.traced)


def _shares(work: Work, photos: Sequence[Photo], sources: Sequence[str]) -> list[Share]:
    """Return the crops of the mixed stage: drawn dice and photographs, their pips marked by the drawn-only reader."""
    network = Reader()
    load_weights(network, work.reader_drawn)
    shares = [Share(load_crops(work.drawn), _DRAWN_WEIGHT), Share(load_file(work.traced), _TRACED_WEIGHT)]
    for source in sources:
        shares.append(Share(mark_pips(network, crops_of(photos, source)), LEARNT[source]))
    return shares


def train_readers(work: Work, photos: Sequence[Photo], recipe: Recipe) -> None:
    """Train the drawn-only reader, and from it the one that ships."""
    if not work.reader_drawn.exists():
        print("the reader, on drawn dice")
        drawn, plan = Share(load_crops(work.drawn), 1.0), drawn_plan(recipe.drawn_steps)
        train_reader([drawn], plan, work.reader_drawn, batch=recipe.reader_batch)
    if not work.reader.exists():
        print("the reader, on photographs too")
        shares = _shares(work, photos, list(LEARNT))
        _train_mixed(work, shares, recipe, work.reader)


def _train_mixed(work: Work, shares: Sequence[Share], recipe: Recipe, weights: Path) -> None:
    train_reader(shares, mixed_plan(recipe.mixed_steps), weights, start=work.reader_drawn, batch=recipe.reader_batch)


def train_locators(work: Work, photos: Sequence[Photo], recipe: Recipe) -> None:
    """Train the locator that ships, and one on drawn scenes only for the measurements on sources left out."""
    scenes = scene_examples(load_scenes(work.drawn))
    if not work.locator_drawn.exists():
        print("the locator, on drawn scenes")
        plan = locator_plan(recipe.locator_drawn_steps)
        train_locator(scenes, [], plan, work.locator_drawn, batch=recipe.locator_batch)
    if not work.locator.exists():
        print("the locator, on photographs too")
        plan = locator_plan(recipe.locator_steps)
        train_locator(scenes, photo_examples(photos), plan, work.locator, batch=recipe.locator_batch)


def train_folds(work: Work, photos: Sequence[Photo], recipe: Recipe, folder: Path) -> None:
    """For every source, train networks that never saw it and export them to a folder of its name under `folder`: what
    they do there is what strangers may expect.

    Only the mixed stage is repeated; the drawn-only stage before it has seen no source at all.
    """
    for source in LEARNT:
        weights = work.fold(source) / "reader.pt"
        if not weights.exists():
            print(f"the reader, without {source}")
            weights.parent.mkdir(parents=True, exist_ok=True)
            shares = _shares(work, photos, [s for s in LEARNT if s != source])
            _train_mixed(work, shares, recipe, weights)
        export(work.locator_drawn, weights, folder / source)


def export_shipped(work: Work, folder: Path) -> None:
    """Write the networks that ship into a folder; their card must be written again afterwards."""
    export(work.locator, work.reader, folder)

"""Turns drawn scenes into what the networks learn from, and keeps it in files of a few hundred scenes each."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.errors import TrainingError
from models.training.look import body_colour
from models.training.noise import grain
from models.training.progress import Progress
from models.training.scene import HEIGHT, UNREADABLE, WIDTH, Scene, draw_scene
from models.training.table import cloth, draw_stitches
from models.training.view import Picture

CROP_PX = 72  # stored crops are larger than what the reader sees, so that they can be turned and shifted
CROP_FACES = 2.0
MOST_PIPS = 6
SCENE_DICE = 12
NO_PIP = -1.0
_SCENES_PER_FILE = 250
_LOCATED = 56  # files, of which every third keeps its scenes for the locator
_SPECKS_PER_SCENE = 60  # in hundredths


@dataclass(frozen=True)
class Crops:
    """Crops about dice: pictures uint8 (n, 72, 72, 3) BGR spanning two faces, values (n,), pips (n, 6, 2) in crop px.

    Places that hold no pip are -1. `known_pips` (n,) is 1 for crops whose pips are known, 0 where they are unmarked.
    """

    pictures: NDArray[np.uint8]
    values: NDArray[np.int64]
    pips: NDArray[np.float32]
    known_pips: NDArray[np.float32]


@dataclass(frozen=True)
class Scenes:
    """Whole scenes for the locator: uint8 (n, 180, 320, 3) BGR, dice (n, 12, 3) as x, y, face in px; face 0 = none."""

    pictures: NDArray[np.uint8]
    dice: NDArray[np.float32]


def cut(picture: Picture, centre: NDArray[np.float64], face_px: float) -> tuple[Picture, float]:
    """Return the crop (72, 72, 3) that spans two faces about a place, and its scale in crop px per picture px."""
    scale = CROP_PX / (CROP_FACES * face_px)
    reach = int(CROP_FACES * face_px) + 2
    left, top = np.maximum(np.asarray(centre).astype(int) - reach, 0).tolist()
    window = picture[top : top + 2 * reach, left : left + 2 * reach]
    if scale < 0.9:
        window = np.asarray(cv2.GaussianBlur(window, (0, 0), 0.42 / scale), np.uint8)
    x, y = centre[0] - left, centre[1] - top
    middle = (CROP_PX - 1) / 2
    warp = np.array([[scale, 0, middle - scale * x], [0, scale, middle - scale * y]])
    crop = cv2.warpAffine(window, warp, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(crop, np.uint8), scale


def _pips_in_crop(pips: NDArray[np.float64], centre: NDArray[np.float64], scale: float) -> NDArray[np.float32]:
    """Return pip places (6, 2) in crop px, -1 where there is none."""
    places = np.full((MOST_PIPS, 2), NO_PIP, np.float32)
    places[: len(pips)] = (pips - centre) * scale + (CROP_PX - 1) / 2
    return places


def _empty_place(rng: np.random.Generator, scene: Scene) -> NDArray[np.float64] | None:
    """Return a place without a die: between two, beside one, on a decoy or anywhere; None if it hit a die."""
    kind = rng.random()
    dice = scene.dice
    if scene.decoys and kind < 0.5:
        place = np.array(scene.decoys[rng.integers(len(scene.decoys))]) + rng.normal(0, 0.1, 2) * scene.face_px
    elif len(dice) >= 2 and kind < 0.6:
        first, second = rng.permutation(len(dice))[:2]
        place = (dice[first].centre + dice[second].centre) / 2
    elif dice and kind < 0.85:
        die, angle = dice[rng.integers(len(dice))], rng.uniform(0, 2 * np.pi)
        place = die.centre + die.face_px * rng.uniform(0.55, 1.0) * np.array([np.cos(angle), np.sin(angle)])
    else:
        place = rng.uniform(0, 1, 2) * (WIDTH, HEIGHT)
    if any(np.linalg.norm(d.centre - place) < 0.5 * d.face_px for d in dice):
        return None
    return place if _within(place) else None


def _misleading_places(rng: np.random.Generator, scene: Scene) -> list[NDArray[np.float64]]:
    """Return places (2,) to look at in vain: one or two that are empty, and one side face of every fourth die."""
    tries = 2 if scene.decoys else 1
    places = [p for p in (_empty_place(rng, scene) for _ in range(tries)) if p is not None]
    for die in scene.dice:
        if len(die.sides) and rng.random() < 0.25:
            side = die.sides[rng.integers(len(die.sides))]
            if all(np.linalg.norm(d.centre - side) > 0.45 * d.face_px for d in scene.dice) and _within(side):
                places.append(side)
    return places


def _within(place: NDArray[np.float64]) -> bool:
    return bool((place > 0).all() and (place < (WIDTH, HEIGHT)).all())


def crops_of(rng: np.random.Generator, scene: Scene) -> Crops:
    """Cut every die out of a scene, and places where no top face is: one without a die, and some side faces."""
    pictures, values, pips = [], [], []
    for die in scene.dice:
        picture, scale = cut(scene.picture, die.centre, die.face_px)
        pictures.append(picture)
        values.append(die.value)
        pips.append(_pips_in_crop(die.pips, die.centre, scale))
    for place in _misleading_places(rng, scene):
        pictures.append(cut(scene.picture, place, scene.face_px)[0])
        values.append(UNREADABLE)
        pips.append(np.full((MOST_PIPS, 2), NO_PIP, np.float32))
    return Crops(
        np.array(pictures, np.uint8).reshape(-1, CROP_PX, CROP_PX, 3),
        np.array(values, np.int64),
        np.array(pips, np.float32).reshape(-1, MOST_PIPS, 2),
        np.ones(len(values), np.float32),
    )


def draw_specks(rng: np.random.Generator, count: int) -> Crops:
    """Draw dots and seams on plain cloth, which a reader else calls a sure 1 or 3: all of them are unreadable."""
    pictures: list[Picture] = []
    while len(pictures) < count:
        ground = cloth(rng, HEIGHT, WIDTH) * np.float32(rng.uniform(0.4, 1.2))
        ground = np.clip(ground, 0, 255).astype(np.uint8)
        for _ in range(30):
            left, top = int(rng.integers(WIDTH - CROP_PX)), int(rng.integers(HEIGHT - CROP_PX))
            crop = ground[top : top + CROP_PX, left : left + CROP_PX].copy()
            if rng.random() < 0.6:
                _add_dots(rng, crop)
            else:
                draw_stitches(rng, crop, gap=rng.uniform(5, 16))
            noisy = crop + grain(rng, CROP_PX, CROP_PX, 1) * np.float32(rng.uniform(0, 5))
            pictures.append(np.clip(noisy, 0, 255).astype(np.uint8))
    values = np.full(count, UNREADABLE, np.int64)
    pips = np.full((count, MOST_PIPS, 2), NO_PIP, np.float32)
    return Crops(np.array(pictures[:count]), values, pips, np.ones(count, np.float32))


def _add_dots(rng: np.random.Generator, crop: Picture) -> None:
    """Draw one to six specks into a crop, in place, the first near its middle."""
    shade = crop.mean((0, 1))
    colour = body_colour(rng) if rng.random() < 0.5 else shade + rng.choice([-1, 1]) * rng.uniform(12, 150)
    for k in range(int(rng.choice([1, 2, 3, 4, 6], p=[0.5, 0.2, 0.12, 0.1, 0.08]))):
        place = CROP_PX / 2 + rng.normal(0, 3 if k == 0 else 12, 2)
        width = rng.uniform(0.6, 5.5 if rng.random() < 0.7 else 10)
        axes = (int(width * 16), int(width * rng.uniform(0.5, 1.3) * 16))
        at = (place * 16).astype(int).tolist()
        cv2.ellipse(crop, at, axes, rng.uniform(0, 180), 0, 360, np.clip(colour, 0, 255).tolist(), -1, cv2.LINE_AA, 4)
    if rng.random() < 0.5:
        crop[:] = cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.4, 1.5))


def _dice_row(scene: Scene) -> NDArray[np.float32]:
    """Return a scene's dice (12, 3) as the locator's picture of half the size has them."""
    row = np.zeros((SCENE_DICE, 3), np.float32)
    for i, die in enumerate(scene.dice[:SCENE_DICE]):
        row[i] = (*(die.centre / 2 - 0.25), die.face_px / 2)
    return row


def draw_file(path: Path, seed: int, scenes: int, keep_scenes: bool) -> None:
    """Draw scenes and write their crops, and if wanted the scenes at half size, to an .npz file."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    crops: list[Crops] = []
    pictures, dice = [], []
    for _ in range(scenes):
        scene = draw_scene(rng)
        crops.append(crops_of(rng, scene))
        if keep_scenes:
            pictures.append(cv2.resize(scene.picture, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA))
            dice.append(_dice_row(scene))
    fields = _fields(join(crops))
    if keep_scenes:
        fields |= {"scenes": np.array(pictures), "dice": np.array(dice)}
    _write(path, fields)


def _fields(crops: Crops) -> dict[str, NDArray[np.generic]]:
    return {"pictures": crops.pictures, "values": crops.values, "pips": crops.pips}


def _write(path: Path, fields: dict[str, NDArray[np.generic]]) -> None:
    """Write arrays to an .npz file that is there whole or not at all."""
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, **fields)  # type: ignore[arg-type]
    partial.rename(path)


def join(parts: list[Crops]) -> Crops:
    """Return several sets of drawn crops as one."""
    return Crops(
        np.concatenate([p.pictures for p in parts]),
        np.concatenate([p.values for p in parts]),
        np.concatenate([p.pips for p in parts]),
        np.concatenate([p.known_pips for p in parts]),
    )


def draw(folder: Path, scenes: int, seed: int = 0) -> None:
    """Draw at least `scenes` scenes, and specks, into files under `folder`; files that are already there are kept.

    Each holds 250 scenes, or all where they are fewer. Every third of the first 56 keeps its scenes as well: the
    locator needs fewer pictures than the reader needs crops.
    """
    folder.mkdir(parents=True, exist_ok=True)
    per_file = min(scenes, _SCENES_PER_FILE)
    paths = [folder / f"drawn_{seed:02d}_{index:03d}.npz" for index in range(-(-scenes // per_file))]
    missing = [(index, path) for index, path in enumerate(paths) if not path.exists()]
    progress = Progress(f"files of {per_file} scenes", len(paths), len(paths) - len(missing))
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        tasks = [
            pool.submit(draw_file, path, seed * 100_000 + index, per_file, _is_located(index))
            for index, path in missing
        ]
        for done, task in enumerate(as_completed(tasks), len(paths) - len(missing) + 1):
            task.result()
            progress.at(done)
    specks = folder / f"drawn_{seed:02d}_specks.npz"
    if not specks.exists():
        _write(specks, _fields(draw_specks(np.random.default_rng(seed), scenes * _SPECKS_PER_SCENE // 100)))


def _is_located(index: int) -> bool:
    return index < _LOCATED and index % 3 == 0


def _files(folder: Path) -> list[Path]:
    paths = sorted(p for p in folder.glob("drawn_*.npz") if not p.stem.endswith(".partial"))
    if not paths:
        raise TrainingError(f"no drawn dice in {folder}: run `python -m models.training draw` first")
    return paths


def load_crops(folder: Path) -> Crops:
    """Return all drawn crops under a folder; raises TrainingError if there are none."""
    return join([load_file(path) for path in _files(folder)])


def load_file(path: Path) -> Crops:
    """Return the crops of one file."""
    with np.load(path) as data:
        return Crops(data["pictures"], data["values"], data["pips"], np.ones(len(data["values"]), np.float32))


def load_scenes(folder: Path) -> Scenes:
    """Return all drawn scenes under a folder; raises TrainingError if there are none."""
    pictures, dice = [], []
    for path in _files(folder):
        with np.load(path) as data:
            if "scenes" in data:
                pictures.append(data["scenes"])
                dice.append(data["dice"])
    return Scenes(np.concatenate(pictures), np.concatenate(dice))

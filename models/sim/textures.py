"""Grey patterns of table tops and tray floors, and their coloured texels for the tracer.

Every pattern is a (512, 512) float32 array in 0..1 that repeats without a seam. Only numpy draws them, so that they
are the same everywhere.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models.sim.die import Colour
from models.sim.scene import Material, TextureName

SIZE = 512
Pattern = NDArray[np.float32]


@lru_cache(maxsize=128)
def pattern(texture: TextureName, variant: int = 0) -> Pattern:
    """One drawing of a texture, (512, 512) float32 in 0..1; the same for the same variant."""
    rng = np.random.default_rng([sum(texture.encode()), variant])
    drawn = np.clip(_PAINTERS[texture](rng), 0, 1).astype(np.float32)
    drawn.setflags(write=False)
    return drawn


@lru_cache(maxsize=64)
def texels(
    texture: TextureName, variant: int, colour: Colour, second_colour: Colour
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """A coloured texture: (512, 512) int32 with the root of the linear colour in 3 x 8 bits, and its mean RGB (3,)."""
    shares = np.linspace(0, 1, 256)[:, None]
    blend = np.clip(np.asarray(colour) * (1 - shares) + np.asarray(second_colour) * shares, 0, 1)
    code = np.round(np.sqrt(blend) * 255).astype(np.int32)
    table = code[:, 0] | (code[:, 1] << 8) | (code[:, 2] << 16)
    index = (pattern(texture, variant) * 255).astype(np.uint8)
    weights = np.bincount(index.ravel(), minlength=256) / index.size
    mean = (((code / 255.0) ** 2) * weights[:, None]).sum(axis=0).astype(np.float32)
    return np.ascontiguousarray(table[index]), mean


def material_texels(material: Material) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The texels and the mean colour of a material."""
    return texels(material.texture, material.variant, material.colour, material.second_colour)


def _noise(rng: np.random.Generator, across: int, down: int, octaves: int = 4) -> Pattern:
    """Smooth noise stretched to 0..1, with `across` x `down` knots in the first octave, twice as many in each next."""
    total = np.zeros((SIZE, SIZE))
    for octave in range(octaves):
        columns, rows = min(across << octave, SIZE), min(down << octave, SIZE)
        knots = rng.random((rows, columns))
        total += _stretched(_stretched(knots, 0), 1) * 0.55**octave
    low, high = total.min(), total.max()
    return np.asarray((total - low) / (high - low), np.float32)


def _stretched(knots: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Knots spread over SIZE places along an axis, with smooth values between them."""
    count = knots.shape[axis]
    place = np.arange(SIZE) * count / SIZE
    first = place.astype(int)
    share = place - first
    share = share * share * (3 - 2 * share)
    shape = (-1, 1) if axis == 0 else (1, -1)
    share = share.reshape(shape)
    spread: NDArray[np.float64] = (
        np.take(knots, first, axis) * (1 - share) + np.take(knots, (first + 1) % count, axis) * share
    )
    return spread


def _grain(rng: np.random.Generator, width: int = 2) -> NDArray[np.float64]:
    """Independent grains blurred over `width` texels: mean 0, standard deviation 1."""
    grains = rng.normal(size=(SIZE, SIZE))
    for axis in (0, 1):
        grains = np.asarray(sum(np.roll(grains, step, axis) for step in range(width)))
    grains -= grains.mean()
    scaled: NDArray[np.float64] = grains / grains.std()
    return scaled


def _grid() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Row and column of every texel as shares of the size, (512, 1) and (1, 512)."""
    places = np.arange(SIZE) / SIZE
    return places[:, None], places[None, :]


def _plain(rng: np.random.Generator) -> Pattern:
    return np.asarray(0.35 + 0.3 * _noise(rng, 3, 3, 2), np.float32)


def _felt(rng: np.random.Generator) -> Pattern:
    fibres = 0.09 * _grain(rng, 2) + 0.05 * _grain(rng, 5)
    return np.asarray(0.38 + fibres + 0.25 * _noise(rng, 3, 3, 3), np.float32)


def _cloth(rng: np.random.Generator) -> Pattern:
    rows, columns = _grid()
    threads = int(rng.choice([32, 64, 128]))
    weave = np.sin(2 * np.pi * threads * columns) * np.cos(2 * np.pi * threads * rows)
    return np.asarray(0.35 + 0.25 * weave + 0.3 * _noise(rng, 64, 64, 3), np.float32)


def _leather(rng: np.random.Generator) -> Pattern:
    """Pebbles with dark creases: how much nearer the nearest of jittered points is than the second."""
    cells = int(rng.integers(24, 48))
    points = rng.random((cells, cells, 2))
    rows, columns = (np.arange(SIZE) * cells / SIZE)[:, None], (np.arange(SIZE) * cells / SIZE)[None, :]
    first = np.full((SIZE, SIZE), np.inf)
    second = first.copy()
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            row, column = rows.astype(int) + dy, columns.astype(int) + dx
            offset = points[row % cells, column % cells]
            distance = np.hypot(row + offset[..., 0] - rows, column + offset[..., 1] - columns)
            second = np.minimum(second, np.maximum(first, distance))
            first = np.minimum(first, distance)
    crease = np.clip((second - first) / 0.35, 0, 1)
    return np.asarray(0.15 + 0.5 * np.sqrt(crease) + 0.3 * _noise(rng, 4, 4), np.float32)


def _wood(rng: np.random.Generator) -> Pattern:
    """Year rings cut lengthwise, the grain along the columns, with fine pores."""
    rows, _ = _grid()
    rings = int(rng.integers(5, 12))
    bend = _noise(rng, 2, 4, 3) * rng.uniform(1.0, 3.0)
    phase = (rows * rings + bend) % 1.0
    ring = phase**2 * np.clip((1 - phase) * 8, 0, 1)
    pores = _noise(rng, 8, 256, 2)
    return np.asarray(0.75 - 0.45 * ring - 0.3 * pores + 0.25 * _noise(rng, 1, 3, 2), np.float32)


def _planks(rng: np.random.Generator) -> Pattern:
    """Boards of wood side by side, each with its own tone."""
    rows, _ = _grid()
    boards = int(rng.integers(2, 6))
    board = np.minimum((rows * boards).astype(int), boards - 1)
    shift = rng.integers(0, SIZE, boards)
    tone = rng.uniform(-0.15, 0.15, boards)
    wood = _wood(rng)
    moved = np.concatenate([np.roll(wood[board[:, 0] == k], shift[k], axis=1) for k in range(boards)])
    gap = (rows * boards) % 1.0 < 0.012
    return np.asarray(moved + tone[board] - 0.5 * gap, np.float32)


def _print(rng: np.random.Generator) -> Pattern:
    """A printed cloth: checks, stripes, dots or blots."""
    rows, columns = _grid()
    count = int(rng.choice([4, 8, 16, 32]))
    kind = rng.choice(["checks", "stripes", "dots", "blots"])
    if kind == "checks":
        shape = ((rows * count).astype(int) + (columns * count).astype(int)) % 2 == 0
    elif kind == "stripes":
        shape = ((rows + columns) * count) % 1.0 < rng.uniform(0.2, 0.6)
    elif kind == "dots":
        shape = np.hypot((rows * count) % 1.0 - 0.5, (columns * count) % 1.0 - 0.5) < rng.uniform(0.15, 0.4)
    else:
        shape = _noise(rng, 6, 6) > 0.5
    return np.asarray(0.05 + 0.85 * shape + 0.05 * _grain(rng), np.float32)


def _speckle(rng: np.random.Generator) -> Pattern:
    return np.asarray((_noise(rng, 180, 180, 2) - 0.6) * 8, np.float32)


_PAINTERS: dict[TextureName, Callable[[np.random.Generator], Pattern]] = {
    "plain": _plain,
    "felt": _felt,
    "cloth": _cloth,
    "leather": _leather,
    "wood": _wood,
    "planks": _planks,
    "print": _print,
    "speckle": _speckle,
}

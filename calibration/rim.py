"""Where a tray's rim and the floor below it may be: guesses by the lines along a rough outline, and the best of them.

A rim is as wide on every side: pairs of lines equally far apart tell it, and a floor below it lies as deep everywhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import numpy.typing as npt

from calibration.fit import fit
from calibration.shape import Kind, Points, View, along, corners, distance, outward
from calibration.solid import (
    LEAST_WIDTH,
    NARROW,
    SAMPLES,
    Edges,
    Solid,
    as_square,
    as_upright,
    edges_around,
    floor_below,
    floor_support,
    refined,
    rim_of,
    support,
    wider,
)
from calibration.solid import WIDTHS as WIDE

FloatArray = npt.NDArray[np.float32]

SLOPES = np.linspace(-0.06, 0.06, 7)
"""Turns of a line beside the side of the rough outline."""
FROM, TO = -0.3, 0.6
BLUR_PX = 2.0
AROUND = np.arange(-4, 5)
"""Px around an edge on which it lies, too, the less the farther."""
APART_PX = 4
LINES, LEAST_LINE = 8, 0.15
"""Lines kept of a side, and the share of it on which the weakest lies."""
SHADOW, BEHIND = 0.1, 0.4
"""Half widths that a wall's shadow hides of a floor at most, and the share of a side on which edges lie behind it:
chosen."""
WIDTHS = (0.025, 0.3)
"""A rim's width, half widths."""
WIDTH_PX = 3.5
OFF_COST, TURN_COST = 0.03, 3.0
"""Cost of a pair of lines per px that it is wider than the rim, and per unit of slope that they differ by."""
RIMS, CHOICES, FLOORS, MORE_FLOORS = 4, 2, 3, 10
"""Widths, pairs of a side, and floors below a rim that are tried."""
TRIED, AGAIN = 24, 3
"""Guesses that are tried, and how often floors are looked for anew below the best one's rim."""
HEIGHTS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.36, 0.42)
DEEPEST = -0.25
NEARLY_SQUARE, SIMPLER = 0.93, 1.03
"""A rectangle of at least this ratio may be a square, which is preferred by this factor."""
ALIKE_PX = 4.0


@dataclass(frozen=True, slots=True)
class Line:
    """A line along a side: how far outside it at its middle, how much turned, and the share of the side it lies on."""

    out: float
    slope: float
    share: float


@dataclass(frozen=True, slots=True)
class Side:
    """The samples of a side, where along it they are, and the lines along it."""

    samples: npt.NDArray[np.intp]
    along: Points
    lines: tuple[Line, ...]


Pair = tuple[float, Line, Line]
Choice = Sequence[Pair | None]
Guess = tuple[float, Solid, Edges, Sequence[float]]
"""How much tells it, the tray, the picture's edges about it, and the widths with which it is fitted to them."""
Found = tuple[float, Solid, Points]
"""How well it is told, the tray and its support."""


def find_solid(
    rough: Sequence[tuple[Kind, View]],
    floors: Sequence[tuple[Kind, View]],
    likely: Sequence[tuple[Kind, View]],
    colours: FloatArray,
    agreed: bool = False,
) -> tuple[Solid, Points] | None:
    """The tray that the picture's edges tell best near one of the rough outlines, with its support; None without any.

    `rough` are polygons, or circles that may be the rim's inner edge, `floors` ones that may be the floor, `likely`
    those that were found to be: rims above these are all tried, and preferred a little where light and hue `agreed` on
    the floor. `colours` (h, w, 3) are distances of colour as the floor's outline is looked for in.
    """
    size = (colours.shape[1], colours.shape[0])
    behind = [each for floor in likely for each in behind_shadows(*floor, colours, size)]
    first, guesses = _rims_above([*likely, *behind], colours, size), _rims_above(floors, colours, size)
    for kind, view in rough:
        edges = edges_around(kind, view, colours, size)
        if edges is None:
            continue
        rims = _round_rims(view, edges) if kind == "round" else _rims(kind, view, _sides(kind, view, edges), size)
        for told, rim, width in rims:
            guesses += [
                (told + more, solid, edges, WIDE) for more, solid in floors_below(kind, rim, width, edges, size)
            ]
    best = _best(guesses, size, first, int(agreed))
    for _ in range(AGAIN):
        again = None if best is None else _best(_below(best[1], colours, size), size)
        if best is None or again is None or again[0] <= best[0]:
            break
        best = again
    return None if best is None else best[1:]


def _best(
    guesses: Sequence[Guess], size: tuple[int, int], first: Sequence[Guess] = (), preferred: int = 0
) -> Found | None:
    """The first and the most likely guesses moved onto the picture's edges, and the best of them; the first may be
    `preferred`, as trays are that are simple in so many ways."""
    best: Found | None = None
    tried = [(preferred, guess) for guess in first]
    tried += [(0, guess) for guess in _unlike(sorted(guesses, key=lambda guess: -guess[0])[:TRIED])]
    for more, (_, solid, edges, widths) in tried:
        for simple, each in _refined(solid, edges, size, widths):
            shares = support(each, edges, size)
            total = float(shares.sum()) * SIMPLER ** (simple + more)
            if best is None or total > best[0]:
                best = total, each, shares
    return best


def _rims_above(floors: Sequence[tuple[Kind, View]], colours: FloatArray, size: tuple[int, int]) -> list[Guess]:
    """Trays with these floors."""
    around = [(kind, view, edges_around(kind, view, colours, size)) for kind, view in floors]
    return [
        (told, solid, edges, NARROW)
        for kind, view, edges in around
        if edges is not None
        for told, solid in _above(kind, view, edges, size)
    ]


def _refined(solid: Solid, edges: Edges, size: tuple[int, int], widths: Sequence[float]) -> Iterator[tuple[int, Solid]]:
    """The tray moved onto the edges, and in how many ways it is simple: as it is, its wall upright, its sides alike."""
    found = refined(solid, edges, size, widths)
    if found is None:
        return
    yield int(found.kind == "square"), found
    upright = refined(as_upright(found), edges, size, NARROW)
    if upright is not None:
        yield 1 + int(found.kind == "square"), upright
    if found.kind == "rectangle" and found.view.ratio > NEARLY_SQUARE:
        for simple, each in ((1, as_square(found)), (2, as_upright(as_square(found)))):
            square = refined(each, edges, size, widths)
            if square is not None:
                yield simple, square


def _unlike(guesses: Sequence[Guess]) -> list[Guess]:
    """The guesses without those that are nearly alike."""
    kept: list[tuple[Kind, Points]] = []
    out = []
    for guess in guesses:
        solid, scale = guess[1], guess[1].view.scale
        lip = (solid.inner * scale, solid.outer * scale, solid.height * scale / 8)
        tilt = np.multiply(solid.view.tilt, scale if solid.kind == "round" else 0.0)  # a circle's can be either way
        told = np.array([*solid.view.centre, scale, *lip, *tilt])
        if not any(kind == solid.kind and np.abs(told - other).max() < ALIKE_PX for kind, other in kept):
            kept.append((solid.kind, told))
            out.append(guess)
    return out


def _sides(kind: Kind, view: View, edges: Edges) -> list[Side]:
    """The lines along each side of the rough outline."""
    border = along(kind, view.ratio, SAMPLES)
    ends = corners(kind, view.ratio)
    ahead = np.roll(ends, -1, axis=0) - ends
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    normals = np.column_stack([ahead[:, 1], -ahead[:, 0]])
    side = (border @ normals.T - (ends * normals).sum(1)).argmax(1)
    found = []
    for k, direction in enumerate(ahead):
        samples = np.nonzero(side == k)[0]
        place = (border[samples] - border[samples].mean(0)) @ direction
        found.append(Side(samples, place, _lines(samples, place, edges, 1 / view.scale)))
    return found


def _lines(samples: npt.NDArray[np.intp], place: Points, edges: Edges, px: float) -> tuple[Line, ...]:
    """The lines along a side on which most edges lie, from the innermost outward."""
    on = np.isin(edges.samples, samples)
    row = np.searchsorted(samples, edges.samples[on])
    shares = np.array(
        [shares_at(edges.out[on] - slope * place[row], row, edges.strengths[on], len(samples), px) for slope in SLOPES]
    )
    found: list[Line] = []
    for which in np.argsort(-shares.ravel()):
        turn, column = divmod(int(which), shares.shape[1])
        line = Line(FROM + column * px, float(SLOPES[turn]), float(shares[turn, column]))
        if line.share < LEAST_LINE or len(found) >= LINES:
            break
        if all(abs(line.out - other.out) > APART_PX * px for other in found):
            found.append(line)
    return tuple(sorted(found, key=lambda line: line.out))


def shares_at(out: Points, row: npt.NDArray[np.intp], strengths: Points, rows: int, px: float) -> Points:
    """For every place from FROM to TO, px apart: the share of rows that have an edge there."""
    columns = round((TO - FROM) / px)
    there = np.round((out - FROM) / px).astype(int) + AROUND[:, None]
    near = strengths * np.exp(-0.5 * ((FROM + there * px - out) / (BLUR_PX * px)) ** 2)
    within = (there >= 0) & (there < columns)
    told = np.zeros(rows * columns)
    np.maximum.at(told, (row * columns + there)[within], near[within])
    return np.asarray(told.reshape(rows, columns).mean(0), np.float64)


def _rims(kind: Kind, view: View, sides: Sequence[Side], size: tuple[int, int]) -> list[tuple[float, View, float]]:
    """Views of what may be the rim's inner edge, each with the share of lines on it and the rim's width, by its own."""
    px = 1 / view.scale
    lens = view.lens(size)
    border = along(kind, view.ratio, SAMPLES)
    normals = outward(kind, view.ratio, border)
    rims = []
    for width, pairs in _widths(sides, px):
        choices = product(*pairs) if len(sides) <= 4 else [tuple(each[0] for each in pairs)]
        ranked = sorted(((_told(choice, sides), choice) for choice in choices), key=lambda each: -each[0])
        for told, choice in ranked[:RIMS]:
            out = np.full(SAMPLES, np.nan)
            for side, pair in zip(sides, choice, strict=True):
                if pair is not None:
                    out[side.samples] = pair[1].out + pair[1].slope * side.along
            out[np.isnan(out)] = np.nanmean(out)
            grown = 1 + float(out.mean())
            start = replace(view, scale=view.scale * grown, height=view.height / grown)
            rim, _ = fit(kind, lens.project(border + normals * out[:, None]), size, start, free_lens=False)
            rims.append((told, rim, width * view.scale / rim.scale))
    return rims


def behind_shadows(kind: Kind, view: View, colours: FloatArray, size: tuple[int, int]) -> list[tuple[Kind, View]]:
    """Four-sided floors like this one, but for one side or two that meet, which lie farther out: a wall's shadow ends
    at an edge before them."""
    edges = edges_around(kind, view, colours, size) if kind in ("square", "rectangle") else None
    if edges is None:
        return []
    sides, lens = _sides(kind, view, edges), view.lens(size)
    border = along(kind, view.ratio, SAMPLES)
    normals = outward(kind, view.ratio, border)
    least = APART_PX / view.scale
    behind: dict[int, Line] = {}
    for k, side in enumerate(sides):
        farther = [line for line in side.lines if least < line.out < SHADOW and line.share >= BEHIND]
        if farther:
            behind[k] = farther[0]
    found: list[tuple[Kind, View]] = []
    for moved in ({0}, {1}, {2}, {3}, {0, 1}, {1, 2}, {2, 3}, {3, 0}):
        if moved <= behind.keys():
            out = np.zeros(SAMPLES)
            for k in moved:
                out[sides[k].samples] = behind[k].out + behind[k].slope * sides[k].along
            seen = lens.project(border + normals * out[:, None])
            found.append(("rectangle", fit("rectangle", seen, size, view, free_lens=False)[0]))
    return found


def _round_rims(view: View, edges: Edges) -> list[tuple[float, View, float]]:
    """A circle as a rim's inner edge, with the share of edges on it and on its outer one, and its likely widths."""
    px = 1 / view.scale
    shares = shares_at(edges.out, edges.samples, edges.strengths, SAMPLES, px)
    inner = float(shares[round(-FROM / px)])
    outs = FROM + np.arange(len(shares)) * px
    shares[(outs < WIDTHS[0]) | (outs > WIDTHS[1])] = 0.0
    return [(inner + float(shares[k]), view, float(outs[k])) for k in np.argsort(-shares)[:CHOICES]]


def _told(choice: Choice, sides: Sequence[Side]) -> float:
    return sum(pair[0] * len(side.samples) for pair, side in zip(choice, sides, strict=True) if pair) / SAMPLES


def _widths(sides: Sequence[Side], px: float) -> list[tuple[float, list[Choice]]]:
    """The widths of a rim that the lines of all sides tell best, with the best pairs of each side."""
    found = []
    for width in np.arange(*WIDTHS, px):
        pairs: list[Choice] = [_pairs(side.lines, float(width), px) or [None] for side in sides]
        if sum(each[0] is None for each in pairs) <= len(sides) // 4 - (len(sides) == 4):
            found.append((_told([each[0] for each in pairs], sides), float(width), pairs))
    found.sort(key=lambda each: -each[0])
    kept: list[tuple[float, list[Choice]]] = []
    for _, width, pairs in found:
        if len(kept) < RIMS and all(abs(width - other) > 3 * px for other, _ in kept):
            kept.append((width, pairs))
    return kept


def _pairs(lines: Sequence[Line], width: float, px: float) -> list[Pair]:
    """Pairs of lines about so far apart, the best first."""
    pairs = []
    for inner, outer in product(lines, lines):
        off = abs(outer.out - inner.out - width) / px
        if off < WIDTH_PX:
            cost = OFF_COST * off + TURN_COST * abs(inner.slope - outer.slope)
            pairs.append((inner.share + outer.share - cost, inner, outer))
    return sorted(pairs, key=lambda pair: -pair[0])[:CHOICES]


def floors_below(
    kind: Kind, rim: View, width: float, edges: Edges, size: tuple[int, int], most: int = FLOORS
) -> list[tuple[float, Solid]]:
    """Trays with this rim: floors below it, at the heights and offsets at which most edges lie.

    An edge by `out` outside the rim's inner one and deeper by z is seen out (1 + b) + b d outside it, with 1 + b =
    H / (H + z) for a camera at the height H, and d the way along the normal from below the camera to the rim.
    """
    lens = rim.lens(size)
    flat = lens.to_floor(edges.places)
    out = distance(kind, rim.ratio, flat)
    normals = outward(kind, rim.ratio, flat)
    away = (normals * (flat - normals * out[:, None] - np.array(lens.place[:2]))).sum(1)
    px = 1 / rim.scale
    ranked: list[tuple[float, float, float]] = []
    for height in HEIGHTS:
        shrunk = rim.height / (rim.height + height)
        shares = shares_at(out - (shrunk - 1) * away, edges.samples, edges.strengths, SAMPLES, px)
        deep = np.arange(len(shares)) * px + FROM
        below = deep + (shrunk - 1) * float(edges.away.mean())
        shares = np.where((deep > DEEPEST) & (deep < 2 * px) & (below < -APART_PX * px), shares, 0.0)
        ranked += [(float(shares[k]), float(deep[k]), shrunk) for k in np.argsort(-shares)[:8]]
    kept: list[tuple[float, float, float]] = []
    for each in sorted(ranked, reverse=True):
        if len(kept) < most and all(abs(each[1] - o[1]) > 0.012 or abs(each[2] - o[2]) > 0.012 for o in kept):
            kept.append(each)
    return [(share, _tray(kind, rim, width, deep, shrunk, size)) for share, deep, shrunk in kept]


def _below(solid: Solid, colours: FloatArray, size: tuple[int, int]) -> list[Guess]:
    """Trays with this one's rim and other floors below it; a round rim may be tilted the other way."""
    rim, half = rim_of(solid, size)
    rims = [rim]
    if solid.kind == "round":
        seen = rim.lens(size).project(along("round", 1.0, SAMPLES))
        over = replace(rim, tilt=(-rim.tilt[0], -rim.tilt[1]))
        rims.append(fit("round", seen, size, over, free_lens=False)[0])
    around = [(each, edges_around(solid.kind, each, colours, size)) for each in rims]
    width = (solid.outer - solid.inner) / half
    return [
        (told, tray, edges, NARROW)
        for each, edges in around
        if edges is not None
        for told, tray in floors_below(solid.kind, each, width, edges, size, MORE_FLOORS)
    ]


def _above(kind: Kind, floor: View, edges: Edges, size: tuple[int, int]) -> list[tuple[float, Solid]]:
    """Trays with this floor: rims above it, at the heights and offsets at which most edges lie."""
    px = 1 / floor.scale
    on_floor = floor_support(kind, floor, edges, size)
    found = []
    for height in HEIGHTS:
        grown = floor.height / (floor.height - height)
        shares = shares_at(
            edges.out - (grown - 1) * edges.away[edges.samples], edges.samples, edges.strengths, SAMPLES, px
        )
        out = np.arange(len(shares)) * px + FROM
        shares = np.where(out + (grown - 1) * float(edges.away.mean()) > APART_PX * px, shares, 0.0)
        first = int(shares.argmax())
        strongest = float(shares[first])
        shares[np.abs(out - out[first]) < WIDTHS[0]] = 0.0
        inner, outer = sorted((float(out[first]) / grown, float(out[int(shares.argmax())]) / grown))
        told = on_floor + strongest + float(shares.max())
        found.append((told, Solid(kind, floor, max(0.0, inner), max(outer, inner + LEAST_WIDTH), height)))
    return sorted(found, key=lambda each: -each[0])[:FLOORS]


def _tray(kind: Kind, rim: View, width: float, deep: float, shrunk: float, size: tuple[int, int]) -> Solid:
    """The tray whose rim this is, its floor seen so far outside it and shrunk so much."""
    out = deep / shrunk
    height = rim.height * (1 / shrunk - 1)
    half, _ = wider(kind, rim.ratio, out)
    view = floor_below(kind, rim, -out, height, size)
    return Solid(kind, view, max(0.0, -out / half), (width - out) / half, height / half)

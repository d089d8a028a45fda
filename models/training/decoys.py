"""Draws what lies on tables and looks like a die but is none: coins, screws, dominoes, keys, prints, dice of twenty."""

import cv2
import numpy as np

from models.training.die import PIPS
from models.training.look import plain_colour
from models.training.view import Picture, Points

Place = tuple[float, float]
_LETTERS = "ABCDEFGHKRSTW0123456789"


def _contrast(rng: np.random.Generator, colour: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return a colour that stands out from another, darker or lighter."""
    blue, green, red = np.clip(np.array(colour) + rng.choice([-1, 1]) * rng.uniform(40, 170), 0, 255).tolist()
    return blue, green, red


def _spin(angle: float) -> Points:
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def _fill(picture: Picture, outline: Points, colour: tuple[float, float, float]) -> None:
    cv2.fillPoly(picture, [np.round(outline * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def _dot(picture: Picture, x: float, y: float, radius: float, colour: tuple[float, float, float]) -> None:
    cv2.circle(picture, (int(x * 16), int(y * 16)), max(8, int(radius * 16)), colour, -1, cv2.LINE_AA, 4)


def _button(rng: np.random.Generator, picture: Picture, x: float, y: float, size: float) -> list[Place]:
    """Draw a coin, a screw or a sewing button: round things whose marks look like pips."""
    colour, radius = plain_colour(rng), size * rng.uniform(0.12, 0.65)
    mark, at = _contrast(rng, colour), (int(x), int(y))
    cv2.circle(picture, at, max(2, int(radius)), colour, -1, cv2.LINE_AA)
    kind = rng.random()
    if kind < 0.3:
        cv2.circle(picture, at, max(1, int(radius * 0.75)), mark, 1, cv2.LINE_AA)
    elif kind < 0.6:
        angle = rng.uniform(0, np.pi)
        for turned in (angle, angle + np.pi / 2)[: int(rng.integers(1, 3))]:
            dx, dy = np.array([np.cos(turned), np.sin(turned)]) * radius * 0.7
            ends = ((int(x - dx), int(y - dy)), (int(x + dx), int(y + dy)))
            cv2.line(picture, *ends, mark, max(1, int(radius * 0.2)), cv2.LINE_AA)
    else:
        holes, start = int(rng.choice([2, 4])), rng.uniform(0, np.pi)
        for angle in start + 2 * np.pi * np.arange(holes) / holes:
            _dot(picture, x + radius * 0.35 * np.cos(angle), y + radius * 0.35 * np.sin(angle), radius * 0.13, mark)
    return [(x, y)]


def _card(rng: np.random.Generator, picture: Picture, x: float, y: float, size: float) -> list[Place]:
    """Draw a plain rectangle."""
    sides = tuple((size * rng.uniform(0.3, 2.2, 2)).tolist())
    _fill(picture, np.asarray(cv2.boxPoints(((x, y), sides, rng.uniform(0, 90))), float), plain_colour(rng))
    return [(x, y)]


def _letter(rng: np.random.Generator, picture: Picture, x: float, y: float, size: float) -> list[Place]:
    """Draw a letter on the table."""
    letter, scale = str(rng.choice(list(_LETTERS))), rng.uniform(0.5, 2)
    cv2.putText(picture, letter, (int(x), int(y)), 0, scale, plain_colour(rng), int(rng.integers(1, 4)), cv2.LINE_AA)
    return []


def _key(rng: np.random.Generator, picture: Picture, x: float, y: float, size: float) -> list[Place]:
    """Draw a row of keys: squares of the size of a die with a letter on each."""
    colour, edge, angle = plain_colour(rng), size * rng.uniform(0.6, 1.3), rng.normal(0, 0.3)
    mark, along = _contrast(rng, colour), np.array([np.cos(angle), np.sin(angle)])
    places = []
    for k in range(int(rng.integers(1, 5))):
        middle = np.array([x, y]) + along * k * edge * 1.15
        _fill(picture, cv2.boxPoints((middle.tolist(), (edge, edge), np.degrees(angle))).astype(float), colour)
        foot = (middle + (-0.25, 0.25) * np.array([edge])).astype(int).tolist()
        letter = str(rng.choice([*_LETTERS, ".", ":", "-", "o"]))
        cv2.putText(picture, letter, foot, 0, edge / 40, mark, max(1, int(edge / 16)), cv2.LINE_AA)
        places.append((float(middle[0]), float(middle[1])))
    return places


def _domino(rng: np.random.Generator, picture: Picture, x: float, y: float, size: float) -> list[Place]:
    """Draw a domino: two fields of pips with a groove between them, that are no dice."""
    colour, edge, spin = plain_colour(rng), size * rng.uniform(0.7, 1.5), _spin(rng.uniform(0, 2 * np.pi))
    mark, gap = _contrast(rng, colour), edge * rng.uniform(0.22, 0.29)
    middle = np.array([x, y])
    corners = np.array([[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]]) * edge
    _fill(picture, middle + edge * 0.05 + corners @ spin, (20, 20, 20))
    _fill(picture, middle + corners @ spin, colour)
    groove = np.array([[-0.025, -0.4], [0.025, -0.4], [0.025, 0.4], [-0.025, 0.4]]) * edge
    _fill(picture, middle + groove @ spin, mark)
    places = [(x, y)]
    for half in (-0.5, 0.5):
        centre = middle + np.array([half * edge, 0]) @ spin
        for pip in PIPS[int(rng.integers(0, 7))]:
            px, py = centre + np.array(pip) * gap @ spin
            _dot(picture, px, py, edge * 0.085, mark)
        places.append((float(centre[0]), float(centre[1])))
    return places


def _print(rng: np.random.Generator, picture: Picture, x: float, y: float, size: float) -> list[Place]:
    """Draw the outline of a die's face with pips in it, flat on the table, as boxes and mats have it."""
    at = picture[min(max(int(y), 0), picture.shape[0] - 1), min(max(int(x), 0), picture.shape[1] - 1)]
    mark = _contrast(rng, tuple(at.tolist()))
    edge, angle = size * rng.uniform(0.6, 1.5), rng.uniform(0, 2 * np.pi)
    outline = cv2.boxPoints(((x, y), (edge, edge), np.degrees(angle)))
    cv2.polylines(
        picture, [np.round(outline * 16).astype(np.int32)], True, mark, max(1, int(edge / 14)), cv2.LINE_AA, 4
    )
    for pip in PIPS[int(rng.integers(1, 7))]:
        px, py = np.array([x, y]) + np.array(pip) * edge * 0.26 @ _spin(angle)
        _dot(picture, px, py, edge * 0.08, mark)
    return [(x, y)]


def _dots(rng: np.random.Generator, picture: Picture, x: float, y: float, size: float) -> list[Place]:
    """Draw a patch of evenly spaced dots: a cloth's pattern, any five of which look like a five."""
    at = picture[min(max(int(y), 0), picture.shape[0] - 1), min(max(int(x), 0), picture.shape[1] - 1)]
    mark, gap, spin = _contrast(rng, tuple(at.tolist())), size * rng.uniform(0.2, 0.7), _spin(rng.uniform(0, np.pi))
    radius, slant = gap * rng.uniform(0.1, 0.35), float(rng.choice([0.0, 0.5]))
    reach = int(rng.integers(2, 8))
    places = []
    for i in range(-reach, reach + 1):
        for j in range(-reach, reach + 1):
            px, py = np.array([x, y]) + np.array([i + slant * (j % 2), j]) * gap @ spin
            _dot(picture, px, py, radius, mark)
            places.append((float(px), float(py)))
    chosen = rng.permutation(len(places))[:4]
    return [places[k] for k in chosen]


def _many_sided(rng: np.random.Generator, picture: Picture, x: float, y: float, size: float) -> list[Place]:
    """Draw a die of twenty faces from above: a hexagon of triangles with numbers on them."""
    colour, reach, turned = np.array(plain_colour(rng)), size * rng.uniform(0.45, 0.9), rng.uniform(0, 2 * np.pi)
    mark = _contrast(rng, tuple(colour.tolist()))
    rim = np.array([[np.cos(a), np.sin(a)] for a in turned + np.arange(6) * np.pi / 3]) * reach
    top = rim[::2] * -0.62
    middle = np.array([x, y])
    for k in range(6):
        shade = colour * rng.uniform(0.6, 1.1)
        _fill(picture, middle + np.array([rim[k], rim[(k + 1) % 6], (0, 0)]), tuple(np.clip(shade, 0, 255).tolist()))
    _fill(picture, middle + top, tuple(np.clip(colour * 1.1, 0, 255).tolist()))
    foot = (middle + np.array([-0.3, 0.2]) * reach).astype(int).tolist()
    number = str(rng.integers(1, 21))
    cv2.putText(picture, number, foot, 0, reach / 45, mark, max(1, int(reach / 18)), cv2.LINE_AA)
    return [(x, y)]


_KINDS = {
    _button: 0.3,
    _card: 0.15,
    _letter: 0.13,
    _key: 0.09,
    _domino: 0.12,
    _print: 0.05,
    _dots: 0.06,
    _many_sided: 0.1,
}


def draw_decoys(rng: np.random.Generator, picture: Picture, size: float) -> list[Place]:
    """Draw one to five things about as large as a die of `size` px, in place; return where they look like one (px)."""
    height, width = picture.shape[:2]
    places: list[Place] = []
    for _ in range(int(rng.integers(1, 6))):
        draw = list(_KINDS)[int(rng.choice(len(_KINDS), p=list(_KINDS.values())))]
        places += draw(rng, picture, rng.uniform(0, width), rng.uniform(0, height), size)
    return [(px, py) for px, py in places if 0 < px < width and 0 < py < height]

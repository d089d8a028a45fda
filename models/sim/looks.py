"""Dice to draw: a few named looks, and looks drawn at random from what is sold."""

import colorsys
from dataclasses import dataclass, replace

import numpy as np

from models.sim.die import ASIAN, WESTERN, Colour, DieLook, Face, pip_cells

WHITE: Colour = (0.8, 0.8, 0.78)
IVORY: Colour = (0.74, 0.68, 0.54)
BLACK: Colour = (0.015, 0.015, 0.015)
RED: Colour = (0.55, 0.03, 0.03)
BLUE: Colour = (0.03, 0.07, 0.32)

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Pips:
    """How a die's pips are made, as shares of its side; depth as a share of the radius."""

    colour: Colour
    radius: float = 0.085
    pitch: float = 0.25
    depth: float = 0.45


def make_die(
    body: DieLook, pips: Pips, values: tuple[int, ...] = WESTERN, turned: tuple[bool, ...] = (False,) * 7
) -> DieLook:
    """A body with its faces; `turned[value]` turns the pips of 2, 3 and 6."""
    faces = tuple(_face(value, body.side_mm, pips, turned[value]) for value in values)
    return replace(body, faces=faces)


def asian(look: DieLook, pips: Pips, values: tuple[int, ...] = ASIAN, red: Colour = RED, big: float = 1.8) -> DieLook:
    """The look with a big red one, a red four and the pips closer together, as dice are made in Asia."""
    pitch = pips.pitch * 0.88
    close = replace(pips, pitch=pitch, radius=min(pips.radius, 0.47 * pitch))
    faces = []
    for value in values:
        face = _face(value, look.side_mm, close, False)
        if value == 1:
            face = replace(face, colour=red, radius_mm=face.radius_mm * big, depth_mm=face.radius_mm * big * 0.5)
        faces.append(replace(face, colour=red) if value == 4 else face)
    return replace(look, faces=tuple(faces))


def _face(value: int, side_mm: float, pips: Pips, turned: bool) -> Face:
    radius = pips.radius * side_mm
    return Face(value, pip_cells(value, turned), pips.colour, radius, pips.pitch * side_mm, radius * pips.depth)


def _body(colour: Colour, side_mm: float = 16.0, edge: float = 0.2) -> DieLook:
    """A plain body; `edge` is the rounding as a share of half the side. Its faces are made by make_die."""
    blank = tuple(_face(value, side_mm, Pips(BLACK), False) for value in WESTERN)
    return DieLook(side_mm, edge * side_mm / 2, blank, colour)


NAMED_DICE: dict[str, DieLook] = {
    "ivory": make_die(_body(IVORY), Pips(BLACK)),
    "white": make_die(_body(WHITE, edge=0.05), Pips(BLACK)),
    "red": make_die(
        replace(_body((0.7, 0.04, 0.04), edge=0.05), translucency=0.8, roughness=0.08), Pips(WHITE, depth=0.2)
    ),
    "black": make_die(_body((0.02, 0.02, 0.02)), Pips(WHITE)),
    "blue": make_die(_body(BLUE, side_mm=18.0, edge=0.25), Pips(WHITE)),
    "asian": asian(replace(_body(WHITE, side_mm=14.0, edge=0.15), clip_radius_mm=9.6), Pips(BLACK)),
}


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """Linear RGB of a hue (any number, 1 = once round), saturation and value as they look on a screen."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, saturation, value)
    return (red**2.2, green**2.2, blue**2.2)


def luminance(colour: Colour) -> float:
    """How bright a linear colour is, 0..1."""
    red, green, blue = colour
    return 0.21 * red + 0.72 * green + 0.07 * blue


def any_colour(rng: Rng, darkest: float = 0.1, brightest: float = 0.95) -> Colour:
    """A grey (3 in 10) or a colour, mostly dull."""
    if rng.random() < 0.3:
        grey = float(rng.uniform(0.02, 0.8))
        return (grey, grey, grey)
    return hsv(float(rng.random()), float(rng.random()) ** 1.5, float(rng.uniform(darkest, brightest)))


def random_look(rng: Rng, side_mm: float | None = None) -> DieLook:
    """A die like those sold, or one as large as that: half of them 16 mm, a third white, some clear, marbled, worn or
    of the Asian make."""
    body, pip_colour = _random_body(rng, side_mm)
    pips = _random_pips(rng, pip_colour)
    values = WESTERN if rng.random() < 0.5 else ASIAN
    if rng.random() < 0.16:
        return asian(body, pips, values, hsv(rng.normal() * 0.01, rng.uniform(0.85, 1), rng.uniform(0.5, 0.85)))
    turned = tuple(bool(t) for t in rng.integers(0, 2, 7))
    return make_die(body, pips, values, turned)


def _random_body(rng: Rng, side_mm: float | None) -> tuple[DieLook, Colour]:
    """A body without pips yet, and the colour of its pips."""
    side = float(rng.choice([16, 16, 16, 12, 14, 15, 18, 19, rng.uniform(12, 19)]))
    body = _random_shape(rng, _body(WHITE, side_mm or side))
    body = replace(body, roughness=_one_of(rng, 0.06, 0.12, 0.2, 0.28, 0.6), gloss=rng.uniform(0.6, 1.3))
    body = replace(body, pip_wear=_sometimes(rng, 0.2, 0.8), edge_wear=_sometimes(rng, 0.2, 1.0))
    kind = rng.choice(["white", "black", "strong", "clear", "marbled", "any"], p=[0.26, 0.1, 0.28, 0.14, 0.14, 0.08])
    if kind == "white":
        yellowing = np.array([1, rng.uniform(0.93, 1), rng.uniform(0.72, 1)])
        return replace(body, colour=_colour(np.asarray(WHITE) * rng.uniform(0.75, 1) * yellowing)), (
            BLACK if rng.random() < 0.8 else hsv(rng.random(), 0.9, rng.uniform(0.2, 0.7))
        )
    if kind == "black":
        return replace(body, colour=_colour(np.asarray(BLACK) + rng.uniform(0, 0.03))), (
            WHITE if rng.random() < 0.75 else hsv(rng.random(), rng.uniform(0.3, 0.9), rng.uniform(0.75, 1))
        )
    if kind == "strong":
        hue = _one_of(rng, 0, 0, 0, 0.08, 0.14, 0.33, 0.4, 0.6, 0.65, 0.78, 0.92) + rng.normal() * 0.015
        colour = hsv(hue, rng.uniform(0.6, 1), rng.uniform(0.25, 0.95))
        return replace(body, colour=colour), _contrasting(colour)
    if kind == "clear":
        hue = _one_of(rng, 0, 0, 0, 0.1, 0.33, 0.5, 0.58, 0.65, 0.8) + rng.normal() * 0.02
        colour = hsv(hue, rng.uniform(0.7, 1), rng.uniform(0.5, 0.95))
        clear = replace(body, colour=colour, translucency=rng.uniform(0.5, 1), roughness=_one_of(rng, 0.05, 0.1))
        return clear, WHITE if rng.random() < 0.9 else BLACK
    if kind == "marbled":
        return _marbled(rng, body)
    colour = any_colour(rng)
    pips = any_colour(rng)
    return replace(body, colour=colour), pips if _differ(colour, pips) else _contrasting(colour)


def _marbled(rng: Rng, body: DieLook) -> tuple[DieLook, Colour]:
    colour = hsv(rng.random(), rng.uniform(0.2, 1), rng.uniform(0.15, 0.9))
    second = _colour(np.asarray(colour) * rng.uniform(0.2, 2.2)) if rng.random() < 0.7 else any_colour(rng)
    marbled = replace(
        body,
        colour=colour,
        second_colour=second,
        marbling=rng.uniform(0.4, 1),
        marbling_mm=_one_of(rng, 1.0, 2.0, 4.0, 8.0),
        marbling_blur=rng.uniform(0.03, 0.3),
    )
    return marbled, _contrasting(_colour((np.asarray(colour) + np.asarray(second)) / 2))


def _random_shape(rng: Rng, body: DieLook) -> DieLook:
    """Sharp, rounded, or cut by a ball."""
    half = body.side_mm / 2
    kind = rng.choice(["sharp", "rounded", "ball"], p=[0.35, 0.4, 0.25])
    if kind == "sharp":
        return replace(body, edge_radius_mm=half * rng.uniform(0.02, 0.1))
    if kind == "rounded":
        return replace(body, edge_radius_mm=half * rng.uniform(0.12, 0.35))
    return replace(body, edge_radius_mm=half * rng.uniform(0.03, 0.2), clip_radius_mm=half * rng.uniform(1.27, 1.5))


def _random_pips(rng: Rng, colour: Colour) -> Pips:
    pitch = rng.uniform(0.22, 0.275)
    radius = min(rng.uniform(0.065, 0.108), 0.47 * pitch)
    painted_flat = rng.random() < 0.15
    return Pips(colour, radius, pitch, 0.06 if painted_flat else rng.uniform(0.25, 0.8))


def _contrasting(colour: Colour) -> Colour:
    return WHITE if luminance(colour) < 0.3 else BLACK


def _differ(a: Colour, b: Colour) -> bool:
    """Whether two colours differ enough in brightness, as seen, to read pips."""
    return bool(abs(luminance(a) ** 0.45 - luminance(b) ** 0.45) > 0.25)


def _colour(values: np.ndarray) -> Colour:
    red, green, blue = (float(v) for v in np.clip(values, 0.005, 0.92))
    return (red, green, blue)


def _one_of(rng: Rng, *values: float) -> float:
    return float(rng.choice(values))


def _sometimes(rng: Rng, low: float, high: float) -> float:
    """0 in two of three cases."""
    return float(rng.uniform(low, high)) if rng.random() < 1 / 3 else 0.0

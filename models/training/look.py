"""How dice, light and people's hands look: random draws of everything that has no place of its own."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Colour = NDArray[np.float64]

_BODIES: dict[str, tuple[float, tuple[int, int, int] | None]] = {
    # name: (share, BGR)
    "white": (0.32, (215, 228, 235)),
    "black": (0.12, (30, 28, 28)),
    "red": (0.13, (40, 35, 180)),
    "blue": (0.10, (170, 80, 40)),
    "green": (0.07, (60, 130, 40)),
    "yellow": (0.07, (50, 190, 220)),
    "dark": (0.08, None),
    "any": (0.11, None),
}


def luma(colour: Colour) -> float:
    """Return the brightness of a BGR colour on the scale of its channels."""
    return float(colour @ (0.114, 0.587, 0.299))


def body_colour(rng: np.random.Generator) -> Colour:
    """Return a BGR colour (3,) as dice, trays and cloths have it: mostly white, black or a plain hue."""
    names = list(_BODIES)
    name = str(rng.choice(names, p=[_BODIES[n][0] for n in names]))
    named = _BODIES[name][1]
    if named is None:
        return rng.uniform(10, 110, 3) if name == "dark" else rng.uniform(0, 255, 3)
    return np.clip(np.array(named) + rng.normal(0, 18, 3) + rng.normal(0, 12), 0, 255)


def plain_colour(rng: np.random.Generator) -> tuple[float, float, float]:
    """Return a body's colour in the form that OpenCV draws with."""
    blue, green, red = body_colour(rng).tolist()
    return blue, green, red


def skin_colour(rng: np.random.Generator) -> Colour:
    """Return a BGR skin colour (3,), from dark to pale."""
    return np.asarray(np.array([115, 148, 205]) * rng.uniform(0.28, 1.2) + rng.normal(0, 8, 3))


@dataclass(frozen=True)
class DieLook:
    """One set of dice. Lengths are in die edges, colours BGR 0..255, the rest are factors and shares 0..1.

    `second`: the other colour of a body of two colours that run into one another. `engraved`: how strongly the marks
    that casinos put between the pips stand out, 0 for none. `disc`: colour of a round field that the pips lie in.
    `straight`: the two's pips lie side by side, as on some dice of the East. `worn`: share of the pips that have lost
    much of their paint.
    """

    body: Colour
    second: Colour | None
    pip: Colour
    one: Colour
    four: Colour
    pip_radius: float
    one_radius: float
    spacing: float
    six_stretch: float
    corner: float
    flatness: float
    clearness: float
    marble: float
    dished: bool
    glint: bool
    ringed: bool
    disc: Colour | None
    straight: bool
    engraved: float
    worn: float


def _pip_colour(rng: np.random.Generator, body: Colour) -> Colour:
    """Return a pip colour that stands out from the body: mostly in brightness, at times in hue alone, as red on black.

    Pips that differ in hue alone vanish in grey; the reader has to find them in another mix of the channels.
    """
    brightness = luma(body)
    least = 45 if rng.random() < 0.9 else 25
    hue_alone = rng.random() < 0.18
    for _ in range(20):
        if hue_alone:
            pip = _painted(rng)
            if np.ptp(pip - body) > 90 and np.abs(pip - body).max() > 60:
                return pip
        elif brightness < 130 and rng.random() < 0.75:
            pip = np.clip(np.array([225, 232, 238]) + rng.normal(0, 16, 3), 0, 255)
        elif brightness > 100 and rng.random() < 0.75:
            pip = rng.uniform(0, 60, 3)
        else:
            pip = rng.uniform(0, 255, 3)
        if not hue_alone and abs(luma(pip) - brightness) > least:
            return pip
    return np.full(3, 20.0 if brightness > 110 else 235.0)


def _painted(rng: np.random.Generator) -> Colour:
    """Return a strong colour of paint: mostly red, now and then gold, green or blue."""
    paints = np.array([[40, 30, 165], [40, 30, 165], [40, 30, 165], [60, 165, 200], [50, 140, 50], [180, 90, 40]])
    paint: Colour = paints[rng.integers(len(paints))] * rng.uniform(0.7, 1.2) + rng.normal(0, 14, 3)
    return np.clip(paint, 0, 255)


def _second_colour(rng: np.random.Generator, pip: Colour) -> Colour | None:
    """Return another colour for a body, or None if the pips would be lost on it."""
    second = body_colour(rng)
    return second if abs(luma(second) - luma(pip)) > 45 else None


def die_look(rng: np.random.Generator) -> DieLook:
    """Draw the look of one set of dice."""
    body = body_colour(rng)
    pip = _pip_colour(rng, body)
    spacing = rng.uniform(0.19, 0.3)
    radius = min(rng.uniform(0.05, 0.13), 0.46 * spacing)
    corner = rng.uniform(0.02, 0.22) if rng.random() < 0.85 else rng.uniform(0.2, 0.3)
    clearness = rng.uniform(0.35, 0.95) if rng.random() < 0.18 else 0.0
    if clearness and rng.random() < 0.6:  # the common clear dice: saturated body, white pips
        body = np.clip(
            np.array([[40, 30, 190], [170, 70, 30], [60, 140, 40], [200, 205, 210]])[rng.integers(4)], 0, 255
        )
        body = np.clip(body + rng.normal(0, 16, 3), 5, 250)
        pip = np.full(3, 238.0) if luma(body) < 170 else np.full(3, 25.0)
        if rng.random() < 0.5:  # casino dice: sharp edges, large pips near them
            spacing, radius, corner = rng.uniform(0.25, 0.31), rng.uniform(0.09, 0.13), rng.uniform(0.004, 0.04)
    disc = None
    if not clearness and rng.random() < 0.05:  # pips in a printed wheel: the body's colour shows through it
        disc, pip = pip, body
        spacing, radius = rng.uniform(0.17, 0.22), rng.uniform(0.05, 0.085)
    large_one = rng.random() < 0.25
    reddish = np.array([30.0, 30.0, 190.0])
    eastern = rng.random() < 0.14 and luma(body) > 90 and disc is None
    return DieLook(
        body=body,
        second=_second_colour(rng, pip) if not clearness and rng.random() < 0.12 else None,
        pip=pip,
        one=reddish if eastern else pip,
        four=reddish if eastern and rng.random() < 0.4 else pip,
        pip_radius=radius,
        one_radius=radius * (rng.uniform(1.15, 2.0) if large_one else 1.0),
        spacing=spacing,
        six_stretch=rng.uniform(0.8, 1.25),
        corner=corner,
        flatness=rng.uniform(0.7, 1.0),
        clearness=clearness,
        marble=rng.uniform(0.1, 0.35) if rng.random() < 0.2 else 0.0,
        dished=rng.random() < 0.5,
        glint=rng.random() < 0.4,
        ringed=rng.random() < (0.5 if disc is not None else 0.08),
        disc=disc,
        straight=rng.random() < 0.03,
        engraved=rng.uniform(0.15, 0.95) if rng.random() < (0.55 if clearness else 0.04) else 0.0,
        worn=rng.uniform(0.1, 0.5) if rng.random() < 0.07 else 0.0,
    )


@dataclass(frozen=True)
class Light:
    """The lamp of a scene: unit direction (3,) towards it, and how it shades, throws shadows, glares and veils."""

    direction: NDArray[np.float64]
    ambient: float
    strength: float
    shadow: float
    shadow_blur: float
    edge: float
    glint: float
    softness: float
    glare: float
    streaks: float
    veil: float


def light(rng: np.random.Generator) -> Light:
    """Draw a lamp, from soft daylight to one hard bulb."""
    around = rng.uniform(0, 2 * np.pi)
    height = rng.uniform(0.4, 1.0)
    flat = np.sqrt(1 - height * height)
    return Light(
        direction=np.array([flat * np.cos(around), flat * np.sin(around), height]),
        ambient=rng.uniform(0.35, 0.8),
        strength=rng.uniform(0.2, 0.6),
        shadow=rng.uniform(0.1, 0.75) if rng.random() < 0.85 else 0.0,
        shadow_blur=rng.uniform(0.02, 0.15),
        edge=rng.uniform(0.55, 1.08),
        glint=rng.uniform(150, 255),
        softness=rng.uniform(0, 0.025),
        glare=float(rng.choice([0, 0.1, 0.6], p=[0.6, 0.25, 0.15])),
        streaks=float(rng.choice([0, 0.1, 0.6], p=[0.65, 0.22, 0.13])),
        veil=float(rng.choice([0, 0.3], p=[0.85, 0.15])),
    )

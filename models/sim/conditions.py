"""What befalls the view while a recording is taken: its light, its lens, its stand, and the frames themselves."""

import math
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sim.camera import Light, Picture
from models.sim.pose import Vec3, about, multiply
from models.sim.scene import Lamp, Lens, Sky, Table
from scorer.events import ViewFault

COVER_S = 0.15
"""Something before the lens comes and goes in so long."""
COVER_LIGHT = 0.003


class _Spell(Protocol):
    @property
    def start(self) -> float: ...

    @property
    def end(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Surroundings:
    """All that is not the tray nor on it: what moves when the tray is pushed."""

    lens: Lens
    table: Table
    lamps: tuple[Lamp, ...]
    sky: Sky


@dataclass(frozen=True, slots=True)
class Lost:
    """The view is lost from `start` to `end`."""

    cause: ViewFault
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Push:
    """The camera's stand or the tray is pushed by (x, y) mm and turned by `turn` radians between two moments.

    It swings `swings` times on its way. A push back is another one with all signs changed.
    """

    start: float
    end: float
    what: Literal["camera", "tray"]
    x: float
    y: float
    turn: float
    swings: float = 0.0

    def share(self, t: float) -> float:
        """How much of the push has happened at `t`; beyond 1 in a swing."""
        s = min(max((t - self.start) / (self.end - self.start), 0.0), 1.0)
        return s * s * (3 - 2 * s) + 0.8 * (1 - s) * math.sin(2 * math.pi * self.swings * s)


@dataclass(frozen=True, slots=True)
class Relight:
    """From `start` on these lamps and this sky light the tray."""

    start: float
    lamps: tuple[Lamp, ...]
    sky: Sky


@dataclass(frozen=True, slots=True)
class Defocus:
    """The focus goes away and comes back, blurring by up to `most_px` (sigma); in between it hunts."""

    start: float
    end: float
    most_px: float


@dataclass(frozen=True, slots=True)
class Glare:
    """A lamp is mirrored: a patch of light around `place`, `reach` px wide, of `strength` times white."""

    start: float
    end: float
    place: tuple[float, float]
    reach: tuple[float, float]
    strength: float


@dataclass(frozen=True, slots=True)
class Flicker:
    """A lamp's light swings by `depth` (0..1) `hz` times a second under a short exposure.

    The sensor reads its rows one after the other within `readout_s`, so that bands run over the picture.
    """

    hz: float
    depth: float
    readout_s: float


@dataclass(frozen=True, slots=True)
class Cover:
    """Something dark is pushed before the lens, coming from direction `side` in radians, and taken away again."""

    start: float
    end: float
    side: float


@dataclass(frozen=True, slots=True)
class Spoiled:
    """Frames come grey or torn."""

    start: float
    end: float
    how: Literal["grey", "torn"]


@dataclass(frozen=True, slots=True)
class Drift:
    """Automatic exposure and white balance wander by up to `most` in `slow_s` s, and by `quick` within a second."""

    most: float
    quick: float
    phase: float
    slow_s: float = 17.0


@dataclass(frozen=True, slots=True)
class Sway:
    """The camera's stand sways a little all the time: what is seen moves by up to `most_px`, `hz` times a second.

    One that holds a camera still does so by a fraction of a pixel; what sways farther was put up badly.
    """

    most_px: float
    hz: float
    phase: float

    def shift(self, t: float) -> tuple[float, float]:
        """How far the picture has moved at `t`, px right and down."""
        turn = 2 * math.pi * self.hz * t + self.phase
        return self.most_px * math.sin(turn), 0.7 * self.most_px * math.sin(1.31 * turn + 2 * self.phase)


@dataclass(frozen=True, slots=True)
class Conditions:
    """All of it; `lost` says when that makes the view untrustworthy.

    `adapts`: the exposure follows the light. `sees_hands`: by how much of what hands change in the light it follows
    them, too, 0 to 1.
    """

    pushes: tuple[Push, ...] = ()
    relights: tuple[Relight, ...] = ()
    defocus: tuple[Defocus, ...] = ()
    glares: tuple[Glare, ...] = ()
    covers: tuple[Cover, ...] = ()
    spoiled: tuple[Spoiled, ...] = ()
    drift: Drift | None = None
    lost: tuple[Lost, ...] = ()
    adapts: bool = False
    sees_hands: float = 0.0
    sway: Sway | None = None
    flicker: Flicker | None = None

    def key(self, t: float) -> tuple[object, ...]:
        """What the setting depends on at `t`: equal at two moments if the setting is."""
        light = max((n for n, relight in enumerate(self.relights, 1) if relight.start <= t), default=0)
        return light, *(round(push.share(t), 4) for push in self.pushes)

    def moves(self, t: float) -> bool:
        """Whether camera or tray move at `t`."""
        return _under_way(self.pushes, t) is not None

    def around(self, usual: Surroundings, t: float) -> Surroundings:
        """The surroundings as they are at `t`, seen from the tray."""
        for relight in self.relights:
            if relight.start <= t:
                usual = replace(usual, lamps=relight.lamps, sky=relight.sky)
        for push in self.pushes:
            share = push.share(t)
            if share:
                usual = _pushed(usual, push, share)
        return usual

    def exposure(self, t: float) -> NDArray[np.float32]:
        """(3,) what the camera multiplies R, G and B by at `t`."""
        if self.drift is None:
            return np.ones(3, np.float32)
        d, p = self.drift, self.drift.phase
        slow = d.most * math.sin(2 * math.pi * t / d.slow_s + p)
        quick = d.quick * math.sin(2 * math.pi * t / 1.3 + 2 * p)
        warm = 0.25 * d.most * math.sin(2 * math.pi * t / (1.35 * d.slow_s) + 3 * p)
        steps = [round(v / 0.002) * 0.002 for v in (slow + quick + warm, slow + quick, slow + quick - warm)]
        return np.exp(np.asarray(steps, np.float32))

    def blur_px(self, t: float) -> float:
        """Sigma of the blur beyond the lens' own."""
        spell = _under_way(self.defocus, t)
        if spell is None:
            return 0.0
        s = (t - spell.start) / (spell.end - spell.start)
        hunt = 0.75 + 0.25 * math.cos(6 * math.pi * s)
        return round(spell.most_px * math.sqrt(math.sin(math.pi * s)) * hunt, 2)

    def changes_light(self, t: float) -> bool:
        """Whether `on_light` does anything at `t`."""
        spells = (_under_way(self.glares, t), _under_way(self.covers, t), self.flicker, self.sway)
        return any(spell is not None for spell in spells)

    def on_light(self, light: Light, t: float, white: float) -> Light:
        """The light (h, w, 3) with what is mirrored in it or stands before the lens; `white` is full exposure."""
        glare, cover = _under_way(self.glares, t), _under_way(self.covers, t)
        if glare is not None:
            light = _mirrored(light, glare, t, white)
        if cover is not None:
            light = _covered(light, cover, t, white)
        if self.flicker is not None:
            light = _flickering(light, self.flicker, t)
        return light if self.sway is None else _shifted(light, *self.sway.shift(t))

    def spoil(self, picture: Picture, before: Picture | None, t: float, rng: np.random.Generator) -> Picture:
        """The frame as it comes from the camera, which may be grey or torn; `before` is an earlier one."""
        spell = _under_way(self.spoiled, t)
        if spell is None:
            return picture
        height, width = picture.shape[:2]
        if spell.how == "grey" or before is None:
            return np.full_like(picture, 128)
        torn, row = picture.copy(), int(rng.integers(height // 8, height // 2)) & ~15
        slipped = np.roll(before, int(rng.integers(width // 6, width // 2)), axis=1)
        torn[row:] = slipped[row:]
        low = min(height, row + 16 * int(rng.integers(4, 10)))
        torn[row:low] = slipped[row : row + 1]
        return torn


_Some = TypeVar("_Some", bound=_Spell)


def _under_way(spells: tuple[_Some, ...], t: float) -> _Some | None:
    return next((spell for spell in spells if spell.start <= t < spell.end), None)


def _pushed(around: Surroundings, push: Push, share: float) -> Surroundings:
    """The camera, or all of it, moved and turned about the tray's middle."""
    x, y, turn = push.x * share, push.y * share, push.turn * share
    c, s = math.cos(turn), math.sin(turn)

    def moved(place: Vec3) -> Vec3:
        return (c * place[0] - s * place[1] + x, s * place[0] + c * place[1] + y, place[2])

    rotation = multiply(about((0, 0, 1), turn), around.lens.rotation)
    lens = replace(around.lens, position=moved(around.lens.position), rotation=rotation)
    if push.what == "camera":
        return replace(around, lens=lens)
    table = around.table
    material = replace(table.material, turn=table.material.turn - turn)
    shifted = (table.offset_mm[0] - x, table.offset_mm[1] - y)
    lamps = tuple(replace(lamp, position=moved(lamp.position)) for lamp in around.lamps)
    return replace(around, lens=lens, table=Table(material, shifted), lamps=lamps)


def _ease(t: float, start: float, end: float, edge: float) -> float:
    """0 outside of a spell, 1 inside, in between over `edge` s at both ends."""
    return float(np.clip(min(t - start, end - t) / edge, 0, 1))


def _mirrored(light: Light, glare: Glare, t: float, white: float) -> Light:
    height, width = light.shape[:2]
    rows = (np.arange(height, dtype=np.float32)[:, None] - glare.place[1]) / glare.reach[1]
    columns = (np.arange(width, dtype=np.float32)[None, :] - glare.place[0]) / glare.reach[0]
    far = rows**2 + columns**2
    patch = np.exp(-(far**2)) + 0.06 * np.exp(-far / 6)
    share = _ease(t, glare.start, glare.end, 0.25) * glare.strength * white
    return np.asarray(light + np.float32(share) * patch[..., None], np.float32)


def _flickering(light: Light, flicker: Flicker, t: float) -> Light:
    moments = t + np.linspace(0, flicker.readout_s, light.shape[0])[:, None, None]
    return np.asarray(light * (1 + flicker.depth * np.cos(2 * np.pi * flicker.hz * moments)), np.float32)


def _shifted(light: Light, right: float, down: float) -> Light:
    shift = np.array([[1, 0, right], [0, 1, down]], np.float32)
    size = light.shape[1], light.shape[0]
    moved = cv2.warpAffine(light, shift, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.maximum(moved, 0), np.float32)


def _covered(light: Light, cover: Cover, t: float, white: float) -> Light:
    height, width = light.shape[:2]
    rows = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    columns = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    along = rows * np.float32(math.sin(cover.side)) + columns * np.float32(math.cos(cover.side))
    front = 2.0 - 4.0 * _ease(t, cover.start, cover.end, COVER_S)
    share = np.clip((along - front) / 0.5, 0, 1)[..., None]
    dark = np.asarray([1.6, 0.8, 0.6], np.float32) * np.float32(COVER_LIGHT * white)
    return np.asarray(light * (1 - share) + dark * share, np.float32)

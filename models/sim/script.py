"""What happens over the tray: every die's story and every visit of a hand, to be asked for any moment.

A story is a list of chapters; each says what one die does from a moment on, until the next begins.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from models.sim.camera import VIDEO, Camera
from models.sim.clock import Clock
from models.sim.conditions import Conditions, Surroundings
from models.sim.die import DieLook, PlacedDie
from models.sim.gesture import HandPose, Player, Visit, held
from models.sim.hand import bodies
from models.sim.physics import Fall, Surface
from models.sim.pose import Pose, Quaternion, Vec3, between
from models.sim.scene import Body, Lamp, Lens, Scene, Sky, Table, Tray
from models.sim.sheet import Laid, Place
from models.sim.view import project
from scorer.events import PlayerInput

GRASP_S = 0.18
"""A die that is picked up slips into the hollow of the hand in so long."""


@dataclass(frozen=True, slots=True)
class Setting:
    """All that stays the same during a recording: also `clutter` beside the tray, and dice there that nobody plays."""

    tray: Tray
    table: Table
    lamps: tuple[Lamp, ...]
    sky: Sky
    lens: Lens
    dice: tuple[DieLook, ...]
    players: tuple[Player, ...]
    surface: Surface
    clutter: tuple[Body, ...] = ()
    idle_dice: tuple[PlacedDie, ...] = ()

    def shows(self, pose: Pose, margin_mm: float) -> bool:
        """Whether a thing there is in the picture, widened by so many mm of floor on every side."""
        width, height = self.lens.size
        margin = margin_mm * self.lens.focal_px / self.lens.position[2]
        x, y = project(self.lens, pose.position)[0]
        return bool(-margin < x < width + margin and -margin < y < height + margin)


@dataclass(frozen=True, slots=True)
class Away:
    """The die is out of the picture."""

    since: float


@dataclass(frozen=True, slots=True)
class Lies:
    """The die lies still."""

    since: float
    pose: Pose


@dataclass(frozen=True, slots=True)
class Falls:
    """The die was let go at `since`."""

    since: float
    fall: Fall


@dataclass(frozen=True, slots=True)
class Carried:
    """A hand has the die at `place` in its own mm.

    `taken_from` is where it lay, if it was picked up; `laid_at` where it will lie, if the hand now sets it down.
    """

    since: float
    visit: int
    place: Vec3
    rotation: Quaternion
    taken_from: Pose | None = None
    laid_at: Pose | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """A lying die is moved: by the hand of a visit, or (None) by dice thrown at it.

    `pushed`: fingers push it from behind, so that they need not keep above it.
    """

    since: float
    way: Fall
    visit: int | None = None
    pushed: bool = False


Chapter = Away | Lies | Falls | Carried | Moved


@dataclass(frozen=True, slots=True)
class Choice:
    """A box chosen at `t`; None = the box that earns most."""

    t: float
    player: str
    box: str | None = None


@dataclass(frozen=True, slots=True)
class Flash:
    """A lamp that is lit for a moment."""

    start: float
    end: float
    lamp: Lamp


@dataclass(frozen=True)
class Timeline:
    """A recording's whole truth, before anything is drawn.

    `choices` are boxes and whatever else players say. `expected` are the rulings that the scenario says must follow,
    in order: name and the fields that matter. `sheets` says where a printed sheet lies, from when on.
    """

    setting: Setting
    clock: Clock
    stories: tuple[tuple[Chapter, ...], ...]
    visits: tuple[Visit, ...]
    choices: tuple[Choice | PlayerInput, ...]
    expected: tuple[tuple[str, Mapping[str, object]], ...]
    flashes: tuple[Flash, ...] = ()
    conditions: Conditions = field(default_factory=Conditions)
    camera: Camera = VIDEO
    sheets: tuple[Laid, ...] = ()

    @cached_property
    def _starts(self) -> list[list[float]]:
        return [[chapter.since for chapter in story] for story in self.stories]

    @cached_property
    def _pushed(self) -> dict[float, set[int]]:
        """By the start of a visit the dice that its fingers push."""
        pushed: dict[float, set[int]] = {}
        for die, story in enumerate(self.stories):
            for chapter in story:
                if isinstance(chapter, Moved) and chapter.visit is not None and chapter.pushed:
                    pushed.setdefault(self.visits[chapter.visit].start, set()).add(die)
        return pushed

    @cached_property
    def _settings(self) -> dict[tuple[object, ...], Setting]:
        return {}

    def setting_at(self, t: float) -> Setting:
        """The setting as it is at `t`: the same object as long as nothing in it changes."""
        key = self.conditions.key(t)
        if key not in self._settings:
            usual = Surroundings(self.setting.lens, self.setting.table, self.setting.lamps, self.setting.sky)
            now = self.conditions.around(usual, t)
            self._settings[key] = replace(self.setting, lens=now.lens, table=now.table, lamps=now.lamps, sky=now.sky)
        return self._settings[key]

    def sheet_at(self, t: float) -> Place | None:
        """Where the printed sheet lies at `t`, None where there is none."""
        laid = bisect_right([sheet.since for sheet in self.sheets], t)
        return self.sheets[laid - 1].place if laid else None

    def chapter(self, die: int, t: float) -> Chapter:
        """What a die is doing at `t`."""
        return self.stories[die][max(bisect_right(self._starts[die], t) - 1, 0)]

    def visits_at(self, t: float) -> tuple[Visit, ...]:
        """The visits under way at `t`."""
        return tuple(visit for visit in self.visits if visit.start <= t < visit.end)

    def hand_at(self, t: float, visit: Visit) -> HandPose:
        """The hand of a visit at `t`, kept clear of tray and lying dice."""
        lying = []
        pushed = self._pushed.get(visit.start, ())
        for die, look in enumerate(self.setting.dice):
            chapter = self.chapter(die, t)
            if isinstance(chapter, Lies) and die not in pushed:
                lying.append((chapter.pose.position, look.side_mm))
            elif isinstance(chapter, Moved) and chapter.visit is not None and not chapter.pushed:
                lying.append((chapter.way.at(t - chapter.since).position, look.side_mm))
        return visit.at(t, self.setting.tray, lying)

    def die_at(self, die: int, t: float) -> Pose | None:
        """A die's pose at `t`, None while it is away."""
        chapter = self.chapter(die, t)
        if isinstance(chapter, Lies):
            return chapter.pose
        if isinstance(chapter, Falls):
            return chapter.fall.at(t - chapter.since)
        if isinstance(chapter, Moved):
            return chapter.way.at(t - chapter.since)
        if isinstance(chapter, Carried):
            visit = self.visits[chapter.visit]
            pose = held(self.hand_at(min(max(t, visit.start), visit.end), visit), chapter.place, chapter.rotation)
            share = min((t - chapter.since) / GRASP_S, 1.0)
            if chapter.laid_at is not None:
                return between(pose, chapter.laid_at, share)
            return pose if chapter.taken_from is None else between(chapter.taken_from, pose, share)
        return None

    def scene(self, t: float, seed: int = 0) -> Scene:
        """The world while the shutter is open from `t` on."""
        s, until = self.setting_at(t), t + self.clock.shutter_s
        placed = list(s.idle_dice)
        for die, look in enumerate(s.dice):
            start, end = self.die_at(die, t), self.die_at(die, until)
            if start is None or end is None:
                continue
            placed.append(PlacedDie(look, start, end))
        shown = list(s.clutter)
        for visit in self.visits_at(t):
            hand, then = self.hand_at(t, visit), self.hand_at(until, visit)
            shown += bodies(visit.make, hand.closing, hand.wrist, then.wrist)
        lamps = s.lamps + tuple(flash.lamp for flash in self.flashes if flash.start < until and t < flash.end)
        return Scene(s.tray, s.table, lamps, s.sky, s.lens, tuple(placed), tuple(shown), seed)


def turned_between(a: Pose, b: Pose) -> float:
    """Angle in degrees between two poses' turns."""
    dot = abs(float(np.dot(a.rotation, b.rotation)))
    return float(np.degrees(2 * np.arccos(min(1.0, dot))))

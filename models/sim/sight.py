"""What a camera can see of a recording, measured in the pictures' own frames and in projection only.

A hand is over the tray when any of it is seen inside the floor's outline, a die is seen when no hand covers it, dice
are at rest when none moves for 150 ms.
"""

import math
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sim.conditions import Lost
from models.sim.die import DieLook, top_face
from models.sim.gesture import Visit, points_of
from models.sim.pose import Pose
from models.sim.scene import Lens, room_inside
from models.sim.script import Carried, Chapter, Falls, Moved, Timeline, turned_between
from models.sim.tumble import tumble
from models.sim.view import floor_outline, project

LENS_GAP_MM = 60.0
"""What is nearer to the lens than this, or above it, is not in the picture."""
MIDDLE_SIDES = 0.4
"""Half edge, in its sides, of the middle of a die, which a body beside it does not hide."""
STILL_S = 0.15
STILL_MM, STILL_DEG = 0.5, 2.0
"""A die at rest moves and turns less than this in STILL_S (tray protocol)."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A lying die was moved, by so many sides of its own, and what it showed before and after."""

    die: int
    sides: float
    before: int
    after: int


class Sight:
    """Looks at a timeline frame by frame."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.clock = timeline.clock
        self.lens = timeline.setting.lens
        self._floors: dict[Lens, NDArray[np.uint8]] = {}

    def lens_at(self, t: float) -> Lens:
        """The lens, where it is at `t`."""
        return self.timeline.setting_at(t).lens

    def floor_at(self, t: float) -> NDArray[np.uint8]:
        """The tray's floor in the picture of `t`, 1 in an array as large as the picture."""
        lens = self.lens_at(t)
        if lens not in self._floors:
            width, height = lens.size
            outline = np.round(floor_outline(self.timeline.setting.tray, lens)).astype(np.int32)
            self._floors[lens] = np.asarray(cv2.fillPoly(np.zeros((height, width), np.uint8), [outline], 1), np.uint8)
        return self._floors[lens]

    @cached_property
    def blind(self) -> frozenset[int]:
        """The frames in which the view cannot be trusted."""
        spells = ((self.clock.frame_from(lost.start), self.clock.frame_from(lost.end)) for lost in self.lost)
        return frozenset(frame for start, end in spells for frame in range(start, end))

    @property
    def lost(self) -> tuple[Lost, ...]:
        """When the view is lost, and why."""
        return self.timeline.conditions.lost

    def dice(self) -> range:
        """Numbers of all dice."""
        return range(len(self.timeline.setting.dice))

    def look(self, die: int) -> DieLook:
        """The die's make."""
        return self.timeline.setting.dice[die]

    def pose(self, die: int, frame: int) -> Pose | None:
        """The die's pose in a frame, None while it is away."""
        return self.timeline.die_at(die, self.clock.middle(frame))

    def value(self, die: int, t: float) -> int:
        """The value on top of a die at `t`."""
        pose = self.timeline.die_at(die, t)
        assert pose is not None
        return top_face(self.look(die), pose)[0]

    def frames(self, start: float, end: float) -> range:
        """The frames that show any moment between two."""
        return range(max(0, self.clock.frame_from(start) - 1), min(self.clock.frame_from(end) + 1, self.clock.frames))

    def body_px(self, visit: Visit, t: float) -> NDArray[np.int32]:
        """(n, 2) whole px inside the picture that show the hand or its arm, or the other body, of a visit."""
        if not visit.start <= t < visit.end:
            return np.zeros((0, 2), np.int32)
        points = points_of(visit, self.timeline.hand_at(t, visit))
        lens = self.lens_at(t)
        px = np.round(project(lens, points[points[:, 2] < lens.position[2] - LENS_GAP_MM]))
        x, y = px.T
        width, height = lens.size
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        return np.asarray(px[inside], np.int32)

    @cached_property
    def over(self) -> tuple[tuple[int, ...], ...]:
        """For each visit the frames in which any of its body is seen inside the floor's outline."""
        return tuple(
            tuple(f for f in self.frames(visit.start, visit.end) if self.over_floor(visit, self.clock.middle(f)))
            for visit in self.timeline.visits
        )

    @cached_property
    def busy(self) -> tuple[range, ...]:
        """The stretches of frames in which any body is over the floor, in order.

        What comes or goes while the view is lost is noticed when it is there again.
        """
        busy = {frame for frames in self.over for frame in frames}
        for frame in sorted(self.blind):
            (busy.add if frame - 1 in busy else busy.discard)(frame)
        return _stretches(busy)

    def entries(self, visit: int) -> list[int]:
        """The frames in which the body of this visit comes over the floor."""
        return [stretch.start for stretch in _stretches(set(self.over[visit]))]

    def over_floor(self, visit: Visit, t: float) -> bool:
        """Whether any of the visit's body is seen inside the floor's outline."""
        px = self.body_px(visit, t)
        return bool(self.floor_at(t)[px[:, 1], px[:, 0]].any())

    def covered(self, frame: int, by: Sequence[Visit] | None = None) -> NDArray[np.uint8]:
        """What hands and other bodies cover, or those of some visits, 1 in an array as large as the picture."""
        t = self.clock.middle(frame)
        covered = np.zeros_like(self.floor_at(t))
        for visit in self.timeline.visits_at(t) if by is None else by:
            px = self.body_px(visit, t)
            covered[px[:, 1], px[:, 0]] = 1
        # the body's points are twice its voxels apart
        reach = max(3, round(9.6 * self.lens.focal_px / self.lens.position[2]) | 1)
        return np.asarray(cv2.dilate(covered, np.ones((reach, reach), np.uint8)), np.uint8)

    def hides(self, visit: int, die: int, frame: int) -> bool:
        """Whether the body of this visit covers anything of the middle of the die."""
        pose = self.pose(die, frame)
        if pose is None:
            return False
        x, y = project(self.lens_at(self.clock.middle(frame)), pose.position)[0].tolist()
        reach = MIDDLE_SIDES * self.look(die).side_mm * self.lens.focal_px / self.lens.position[2]
        rows, columns = (slice(max(0, round(v - reach)), max(0, round(v + reach)) + 1) for v in (y, x))
        return bool(self.covered(frame, [self.timeline.visits[visit]])[rows, columns].any())

    def taken(self, die: int, visit: int) -> bool:
        """Whether the hand of this visit picks the die up."""
        return any(isinstance(c, Carried) and c.visit == visit and c.taken_from for c in self.timeline.stories[die])

    def laid(self, visit: int) -> list[int]:
        """The dice that the hand of this visit sets down."""
        return [die for die in self.dice() if any(_lays(chapter, visit) for chapter in self.timeline.stories[die])]

    def shifts(self, die: int, visit: int | None, start: float = 0.0, end: float = math.inf) -> Iterator[Shift]:
        """How a lying die was moved by the hand of a visit, or (None) by dice thrown in that time."""
        look = self.look(die)
        for chapter in self.timeline.stories[die]:
            if isinstance(chapter, Moved) and chapter.visit == visit and start <= chapter.since < end:
                first, last = chapter.way.at(0.0), chapter.way.last
                sides = math.dist(first.position, last.position) / look.side_mm
                yield Shift(die, sides, top_face(look, first)[0], top_face(look, last)[0])

    def tumble(self, die: int, visit: int) -> float:
        """Share of its steps in which a die thrown in this visit turned over."""
        return round(tumble(next(self._falls(die, visit)).fall), 3)

    def shown(self, die: int, frame: int) -> bool:
        """Whether the middle of the die is in the picture."""
        pose = self.pose(die, frame)
        return pose is not None and self.timeline.setting.shows(pose, 0.0)

    def was_inside(self, die: int, t: float) -> bool:
        """Whether the die was on or over the floor."""
        pose = self.timeline.die_at(die, t)
        return pose is not None and room_inside(self.timeline.setting.tray, *pose.position) > 0

    def released(self, die: int, visit: int) -> float | None:
        """When the hand of this visit lets the die fall."""
        return next((fall.since for fall in self._falls(die, visit)), None)

    def _falls(self, die: int, visit: int) -> Iterator[Falls]:
        for before, chapter in pairwise(self.timeline.stories[die]):
            if isinstance(chapter, Falls) and isinstance(before, Carried) and before.visit == visit:
                yield chapter

    def first_still(self, frame: int) -> int:
        """The first frame, from this one on, in which all dice are at rest."""
        while not all(self.is_still(die, frame) for die in self.dice()):
            frame += 1
        return frame

    def is_still(self, die: int, frame: int) -> bool:
        """Whether the die is at rest in this frame, or not to be seen."""
        poses = [self.timeline.die_at(die, moment) for moment in still_times(self.clock.middle(frame))]
        first = poses[0]
        if first is None or not self.timeline.setting.shows(first, self.look(die).side_mm):
            return True
        return is_still(poses)

    def first_seen(self, die: int, release: float, last: int) -> int:
        """The first frame in which the released die is seen inside the floor's outline, clear of the hand."""
        for frame in range(self.clock.frame_from(release), last):
            pose = self.pose(die, frame)
            assert pose is not None
            if frame in self.blind:
                continue
            t = self.clock.middle(frame)
            x, y = np.round(project(self.lens_at(t), pose.position)[0]).astype(int)
            width, height = self.lens.size
            if 0 <= x < width and 0 <= y < height and self.floor_at(t)[y, x] and not self.covered(frame)[y, x]:
                return frame
        return last

    def over_rim(self, die: int, release: float, still: int) -> int | None:
        """The frame in which a die that ends off the tray leaves the floor."""
        tray = self.timeline.setting.tray
        for frame in range(still, self.clock.frame_from(release) - 1, -1):
            pose = self.pose(die, frame)
            if pose is not None and room_inside(tray, *pose.position) > 0:
                return None if frame == still else frame + 1
        return None


def still_times(t: float) -> list[float]:
    """The moments at which a die must be where it is at `t`, to be at rest then."""
    return [float(moment) for moment in np.linspace(t, t + STILL_S, 6)]


def is_still(poses: Sequence[Pose | None]) -> bool:
    """Whether a die with these poses at `still_times` is at rest."""
    first = poses[0]
    return first is not None and all(
        pose is not None
        and math.dist(pose.position, first.position) < STILL_MM
        and turned_between(pose, first) < STILL_DEG
        for pose in poses
    )


def _lays(chapter: Chapter, visit: int) -> bool:
    return isinstance(chapter, Carried) and chapter.visit == visit and chapter.laid_at is not None


def _stretches(frames: Set[int]) -> tuple[range, ...]:
    """Frames as ranges without gaps."""
    starts = sorted(frame for frame in frames if frame - 1 not in frames)
    ends = sorted(frame + 1 for frame in frames if frame + 1 not in frames)
    return tuple(range(start, end) for start, end in zip(starts, ends, strict=True))

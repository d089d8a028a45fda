"""What a perfect watcher would report of a recording, and what the umpire rules on it.

Everything is measured in the pictures' own frames: a hand is over the tray when any of it is seen inside the floor's
outline, a die is seen when no hand covers it, dice are at rest when none moves for 150 ms.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.sim.die import PlacedDie, top_face
from models.sim.errors import SimulatorError
from models.sim.gesture import Visit, body_points
from models.sim.pose import Pose
from models.sim.scene import die_state, room_inside
from models.sim.script import FPS, Carried, Falls, Lies, Timeline, shutter_middle, turned_between
from models.sim.view import face_px, floor_outline, project
from scorer.events import (
    BoxChosen,
    DiceAtRest,
    DiceLifted,
    DiceThrown,
    DieFact,
    DieUnseen,
    HandEntered,
    HandLeft,
    KeptDieChanged,
    RecordingEnded,
    Ruling,
    TrayEvent,
    to_json,
)
from scorer.presets import ruleset
from scorer.umpire import Umpire

STILL_S = 0.15
STILL_MM, STILL_DEG = 0.5, 2.0
"""A die at rest moves and turns less than this in STILL_S (tray protocol)."""
SAID_AFTER = 6
"""Frames after which a rest is said: 150 ms of stillness and a reading."""
SEEN_AFTER = 1
"""Frames after which a hand's coming and going is said."""
RULES = "bho"


@dataclass(frozen=True)
class Truth:
    """Events and rulings in the order in which they are said, the boxes chosen, and every die's changes of state."""

    facts: tuple[TrayEvent | Ruling, ...]
    choices: tuple[BoxChosen, ...]
    dice: tuple[dict[str, Any], ...]

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings alone."""
        return tuple(fact for fact in self.facts if isinstance(fact, Ruling))

    def lines(self) -> list[dict[str, Any]]:
        """JSON objects of everything: as `watch` says them, and lines of kind "die", by the time they are said."""
        return sorted([to_json(fact) for fact in self.facts] + list(self.dice), key=lambda line: line["t_said"])


def tell(timeline: Timeline) -> Truth:
    """The whole truth about a recording."""
    events = _Witness(timeline).events()
    facts, choices = _ruled(timeline, events)
    return Truth(tuple(facts), tuple(choices), tuple(_die_lines(timeline)))


class _Witness:
    """Looks at a timeline frame by frame, in projection only."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.lens = timeline.setting.lens
        width, height = self.lens.size
        outline = np.round(floor_outline(timeline.setting.tray, self.lens)).astype(np.int32)
        self.floor = np.asarray(cv2.fillPoly(np.zeros((height, width), np.uint8), [outline], 1), np.uint8)

    def events(self) -> list[TrayEvent]:
        """All events, in the order in which they are said."""
        said: list[TrayEvent] = []
        for index, visit in enumerate(self.timeline.visits):
            said += self._visit(index, visit)
        return sorted(said, key=lambda event: event.t_said)

    def _visit(self, index: int, visit: Visit) -> Iterator[TrayEvent]:
        """What one visit of a hand brings: it enters, throws or takes or turns dice, and leaves."""
        over = [frame for frame in self._frames(visit.start, visit.end) if self._over_floor(visit, frame)]
        if over:
            yield HandEntered(**_when(over[0], SEEN_AFTER))
            yield HandLeft(**_when(over[-1] + 1, SEEN_AFTER))
        left = over[-1] + 1 if over else math.ceil(visit.start * FPS)
        taken = [die for die in self._dice() if self._taken(die, index) and self._was_inside(die, visit.start)]
        if taken:
            yield DiceLifted(**_when(left, SEEN_AFTER), ids=_ids(taken))
        thrown = [die for die in self._dice() if self._released(die, visit) is not None]
        if thrown:
            yield from self._throw(visit, thrown, left)
        for moment, die in self.timeline.turned:
            if visit.start < moment < visit.end:
                yield from self._turned(die, moment, left)

    def _throw(self, visit: Visit, thrown: Sequence[int], left: int) -> Iterator[TrayEvent]:
        release = min(t for die in thrown if (t := self._released(die, visit)) is not None)
        still = self._first_still(math.ceil(release * FPS))
        seen = [self._first_seen(visit, die, release, still) for die in thrown]
        rest = max(still, left)
        first, last = min(seen), max(seen)
        said = (rest + SAID_AFTER) / FPS
        entered, complete = first / FPS, last / FPS
        yield DiceThrown(t=entered, frame=first, t_said=said, count=len(thrown), t_first=entered, t_last=complete)
        crossed = [frame for die in thrown if (frame := self._over_rim(die, release, still)) is not None]
        if crossed:
            yield DieUnseen(
                t=min(crossed) / FPS,
                frame=min(crossed),
                t_said=said,
                count=len(crossed),
                last_seen="over_rim",
            )
        yield self._at_rest(rest, thrown)

    def _turned(self, die: int, moment: float, left: int) -> Iterator[TrayEvent]:
        before, after = self._value(die, moment - 0.01), self._value(die, moment + 0.01)
        when = _when(left, SAID_AFTER)
        yield KeptDieChanged(**when, id=die + 1, before=before, after=after, cause="hand")
        yield self._at_rest(left, [])

    def _at_rest(self, frame: int, thrown: Sequence[int]) -> DiceAtRest:
        """Every die on the floor, and those seen beside it."""
        facts, missing = [], 0
        for die in self._dice():
            pose = self._pose(die, frame)
            if pose is None:
                continue
            state = die_state(self.timeline.setting.tray, self._look(die), pose)
            if state == "off_tray" and not self.timeline.setting.shows(pose, 0.0):
                missing += 1
                continue
            value, place = top_face(self._look(die), pose)[0], (pose.position[0], pose.position[1])
            facts.append(DieFact(die + 1, value, 1.0, state, place, die in thrown))
        here = {fact.id for fact in facts}
        return DiceAtRest(
            **_when(frame, SAID_AFTER),
            dice=tuple(facts),
            thrown=tuple(i for i in _ids(thrown) if i in here),
            kept=tuple(fact.id for fact in facts if not fact.thrown and fact.state != "off_tray"),
            missing=missing,
        )

    # --- measures ---

    def _dice(self) -> range:
        return range(len(self.timeline.setting.dice))

    def _look(self, die: int) -> Any:
        return self.timeline.setting.dice[die]

    def _pose(self, die: int, frame: int) -> Pose | None:
        return self.timeline.die_at(die, shutter_middle(frame))

    def _value(self, die: int, t: float) -> int:
        pose = self.timeline.die_at(die, t)
        assert pose is not None
        return top_face(self._look(die), pose)[0]

    def _frames(self, start: float, end: float) -> range:
        return range(max(0, math.floor(start * FPS)), min(math.ceil(end * FPS) + 1, self.timeline.frames))

    def _body_px(self, visit: Visit, frame: int) -> NDArray[np.int32]:
        """(n, 2) whole px inside the picture that show the hand or its arm."""
        t = shutter_middle(frame)
        if not visit.start <= t < visit.end:
            return np.zeros((0, 2), np.int32)
        hand = self.timeline.hand_at(t, visit)
        px = np.round(project(self.lens, hand.wrist.to_world(body_points(visit.player.make, hand.closing))))
        inside = ((px >= 0) & (px < self.lens.size)).all(axis=1)
        return px[inside].astype(np.int32)

    def _over_floor(self, visit: Visit, frame: int) -> bool:
        px = self._body_px(visit, frame)
        return bool(self.floor[px[:, 1], px[:, 0]].any())

    def _covered(self, visit: Visit, frame: int) -> NDArray[np.uint8]:
        """What the hand covers, 1 in an array as large as the picture."""
        covered = np.zeros_like(self.floor)
        px = self._body_px(visit, frame)
        covered[px[:, 1], px[:, 0]] = 1
        # the body's points are twice its voxels apart
        reach = max(3, round(9.6 * self.lens.focal_px / self.lens.position[2]) | 1)
        return np.asarray(cv2.dilate(covered, np.ones((reach, reach), np.uint8)), np.uint8)

    def _taken(self, die: int, visit: int) -> bool:
        return any(isinstance(c, Carried) and c.visit == visit and c.taken_from for c in self.timeline.stories[die])

    def _was_inside(self, die: int, t: float) -> bool:
        pose = self.timeline.die_at(die, t)
        return pose is not None and room_inside(self.timeline.setting.tray, *pose.position) > 0

    def _released(self, die: int, visit: Visit) -> float | None:
        moments = [c.since for c in self.timeline.stories[die] if isinstance(c, Falls)]
        return next((t for t in moments if visit.start < t < visit.end), None)

    def _first_still(self, frame: int) -> int:
        while not all(self._is_still(die, frame) for die in self._dice()):
            frame += 1
        return frame

    def _is_still(self, die: int, frame: int) -> bool:
        t = shutter_middle(frame)
        poses = [self.timeline.die_at(die, moment) for moment in np.linspace(t, t + STILL_S, 6)]
        first = poses[0]
        if first is None or not self.timeline.setting.shows(first, self._look(die).side_mm):
            return True
        return all(
            pose is not None
            and math.dist(pose.position, first.position) < STILL_MM
            and turned_between(pose, first) < STILL_DEG
            for pose in poses
        )

    def _first_seen(self, visit: Visit, die: int, release: float, last: int) -> int:
        """The first frame in which the released die is seen inside the floor's outline, clear of the hand."""
        for frame in range(math.ceil(release * FPS), last):
            pose = self._pose(die, frame)
            assert pose is not None
            x, y = np.round(project(self.lens, pose.position)[0]).astype(int)
            width, height = self.lens.size
            if 0 <= x < width and 0 <= y < height and self.floor[y, x] and not self._covered(visit, frame)[y, x]:
                return frame
        return last

    def _over_rim(self, die: int, release: float, still: int) -> int | None:
        """The frame in which a die that ends off the tray leaves the floor."""
        tray = self.timeline.setting.tray
        for frame in range(still, math.ceil(release * FPS) - 1, -1):
            pose = self._pose(die, frame)
            if pose is not None and room_inside(tray, *pose.position) > 0:
                return None if frame == still else frame + 1
        return None


def _ruled(timeline: Timeline, events: Sequence[TrayEvent]) -> tuple[list[TrayEvent | Ruling], list[BoxChosen]]:
    """Events with the rulings on them, and the choices made on the way, as `watch` would put them to the umpire."""
    players = tuple(player.name for player in timeline.setting.players)
    umpire = Umpire(ruleset(RULES), players)
    facts: list[TrayEvent | Ruling] = list(umpire.start())
    waiting, choices = list(timeline.choices), []

    def choose_until(t: float) -> None:
        while waiting and waiting[0].t < t:
            wish = waiting.pop(0)
            legal = umpire.state.legal
            if wish.box is None and not legal:
                raise SimulatorError(f"nothing may be chosen at {wish.t:.2f} s: the scenario and the umpire disagree")
            choices.append(BoxChosen(t=round(wish.t, 3), player=wish.player, box=wish.box or legal[0].box))
            facts.extend(umpire.on(choices[-1]))

    for event in events:
        choose_until(event.t_said)
        facts.append(event)
        facts.extend(umpire.on(event))
    choose_until(math.inf)
    last = timeline.frames - 1
    facts.extend(umpire.on(RecordingEnded(t=max([last / FPS, *(c.t for c in choices)]), frame=last)))
    return facts, choices


def _die_lines(timeline: Timeline) -> Iterator[dict[str, Any]]:
    """One line whenever a die begins to lie, to fall, or to be hidden in a hand or away."""
    setting = timeline.setting
    for die, story in enumerate(timeline.stories):
        for chapter in story:
            frame = math.ceil(chapter.since * FPS)
            line: dict[str, Any] = {"t": round(frame / FPS, 3), "frame": frame, "t_said": round(frame / FPS, 3)}
            line |= {"kind": "die", "id": die + 1}
            if isinstance(chapter, Lies):
                pose, look = chapter.pose, setting.dice[die]
                (x, y), value = project(setting.lens, pose.position)[0], top_face(look, pose)
                line |= {"state": die_state(setting.tray, look, pose), "value": value[0], "tilt": round(value[1], 1)}
                line |= {"place": [round(v, 1) for v in pose.position], "px": [round(float(x), 1), round(float(y), 1)]}
                line |= {"face_px": round(face_px(setting.lens, PlacedDie.still(look, pose)), 1)}
            else:
                line["state"] = {"Falls": "falling", "Carried": "in_hand", "Away": "away"}[type(chapter).__name__]
            yield line


def _when(frame: int, said_after: int) -> dict[str, Any]:
    return {"t": frame / FPS, "frame": frame, "t_said": (frame + said_after) / FPS}


def _ids(dice: Sequence[int]) -> tuple[int, ...]:
    return tuple(die + 1 for die in dice)

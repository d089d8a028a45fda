"""What a perfect watcher would report of a recording: the events of its hands, throws and rests."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from models.sim.die import top_face
from models.sim.gesture import Visit
from models.sim.scene import die_state
from models.sim.script import FPS, Timeline
from models.sim.sight import Sight
from scorer.events import (
    DiceAtRest,
    DiceLifted,
    DiceThrown,
    DieFact,
    DieUnseen,
    HandEntered,
    HandLeft,
    KeptDieChanged,
    TrayEvent,
)

SAID_AFTER = 6
"""Frames after which a rest is said: 150 ms of stillness and a reading."""
SEEN_AFTER = 1
"""Frames after which a hand's coming and going is said."""


class Witness:
    """Looks at a timeline frame by frame, in projection only."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.sight = Sight(timeline)

    def events(self) -> list[TrayEvent]:
        """All events, in the order in which they are said."""
        said: list[TrayEvent] = []
        for index, visit in enumerate(self.timeline.visits):
            said += self._visit(index, visit)
        return sorted(said, key=lambda event: event.t_said)

    def _visit(self, index: int, visit: Visit) -> Iterator[TrayEvent]:
        """What one visit of a hand brings: it enters, throws or takes or turns dice, and leaves."""
        over = [frame for frame in self.sight.frames(visit.start, visit.end) if self.sight.over_floor(visit, frame)]
        if over:
            yield HandEntered(**_when(over[0], SEEN_AFTER))
            yield HandLeft(**_when(over[-1] + 1, SEEN_AFTER))
        left = over[-1] + 1 if over else math.ceil(visit.start * FPS)
        sight = self.sight
        taken = [die for die in sight.dice() if sight.taken(die, index) and sight.was_inside(die, visit.start)]
        if taken:
            yield DiceLifted(**_when(left, SEEN_AFTER), ids=_ids(taken))
        thrown = [die for die in self.sight.dice() if self.sight.released(die, visit) is not None]
        if thrown:
            yield from self._throw(visit, thrown, left)
        for moment, die in self.timeline.turned:
            if visit.start < moment < visit.end:
                yield from self._turned(die, moment, left)

    def _throw(self, visit: Visit, thrown: Sequence[int], left: int) -> Iterator[TrayEvent]:
        release = min(t for die in thrown if (t := self.sight.released(die, visit)) is not None)
        still = self.sight.first_still(math.ceil(release * FPS))
        seen = [self.sight.first_seen(visit, die, release, still) for die in thrown]
        rest = max(still, left)
        first, last = min(seen), max(seen)
        said = (rest + SAID_AFTER) / FPS
        entered, complete = first / FPS, last / FPS
        yield DiceThrown(t=entered, frame=first, t_said=said, count=len(thrown), t_first=entered, t_last=complete)
        crossed = [frame for die in thrown if (frame := self.sight.over_rim(die, release, still)) is not None]
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
        before, after = self.sight.value(die, moment - 0.01), self.sight.value(die, moment + 0.01)
        when = _when(left, SAID_AFTER)
        yield KeptDieChanged(**when, id=die + 1, before=before, after=after, cause="hand")
        yield self._at_rest(left, [])

    def _at_rest(self, frame: int, thrown: Sequence[int]) -> DiceAtRest:
        """Every die on the floor, and those seen beside it."""
        facts, missing = [], 0
        for die in self.sight.dice():
            pose = self.sight.pose(die, frame)
            if pose is None:
                continue
            state = die_state(self.timeline.setting.tray, self.sight.look(die), pose)
            if state == "off_tray" and not self.timeline.setting.shows(pose, 0.0):
                missing += 1
                continue
            value, place = top_face(self.sight.look(die), pose)[0], (pose.position[0], pose.position[1])
            facts.append(DieFact(die + 1, value, 1.0, state, place, die in thrown))
        here = {fact.id for fact in facts}
        return DiceAtRest(
            **_when(frame, SAID_AFTER),
            dice=tuple(facts),
            thrown=tuple(i for i in _ids(thrown) if i in here),
            kept=tuple(fact.id for fact in facts if not fact.thrown and fact.state != "off_tray"),
            missing=missing,
        )


def _when(frame: int, said_after: int) -> dict[str, Any]:
    return {"t": frame / FPS, "frame": frame, "t_said": (frame + said_after) / FPS}


def _ids(dice: Sequence[int]) -> tuple[int, ...]:
    return tuple(die + 1 for die in dice)

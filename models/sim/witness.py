"""What a perfect watcher would report of a recording: the events of its hands, throws and rests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from models.sim.conditions import Lost
from models.sim.die import top_face
from models.sim.gesture import Visit
from models.sim.scene import die_state
from models.sim.script import Timeline
from models.sim.setting import DICE
from models.sim.sight import Shift, Sight
from scorer.events import (
    BodyInterfered,
    DiceAtRest,
    DiceLifted,
    DiceThrown,
    DieFact,
    DieUnseen,
    HandEntered,
    HandLeft,
    KeptDieChanged,
    KeptDieMoved,
    TrayEvent,
    ViewLost,
    ViewRestored,
)

SAID_AFTER_S = 0.2
"""A rest is said so long after it began: 150 ms of stillness and a reading."""
LOST_AFTER_S = 0.1
"""A fault of the view must last so long to be one."""
PLACE_SIDES = 0.25
"""A die that lies farther than this from where it lay has been moved."""


@dataclass(frozen=True, slots=True)
class _Throw:
    """When each die was let go, s, and the frames in which it is first seen, all are at rest, and the tray is free.

    `meddling`: by the visit of another's hand the frame in which that first comes over the floor while dice roll, or
    the first of the throw where it is there before and one of the dice comes to rest below it, hidden.
    """

    releases: Mapping[int, float]
    seen: Mapping[int, int]
    still: int
    rest: int
    meddling: Mapping[int, int]


class Witness:
    """Looks at a timeline frame by frame, in projection only."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.clock = timeline.clock
        self.sight = Sight(timeline)

    def events(self) -> list[TrayEvent]:
        """All events, in the order in which they are said."""
        said: list[TrayEvent] = []
        for stretch in self.sight.busy:
            said += [HandEntered(**self._when(stretch.start)), HandLeft(**self._when(stretch.stop))]
        for lost in self.sight.lost:
            said += self._lost(lost)
        for index, visit in enumerate(self.timeline.visits):
            said += self._visit(index, visit)
        return sorted(said, key=lambda event: event.t_said)

    def _visit(self, index: int, visit: Visit) -> Iterator[TrayEvent]:
        """What one visit of a hand brings: it throws or takes or turns dice. What one that meddles with a throw does to
        its dice is told by that throw."""
        if index not in self._throws and any(index in throw.meddling for throw in self._throws.values()):
            return
        left, sight = self._left(index), self.sight
        taken = [die for die in sight.dice() if sight.taken(die, index) and sight.was_inside(die, visit.start)]
        if taken:
            yield DiceLifted(**self._when(left), ids=_ids(taken))
        if index in self._throws:
            yield from self._throw(index, self._throws[index])
        else:
            yield from self._handled(index, left)

    def _handled(self, index: int, left: int) -> Iterator[TrayEvent]:
        """What the hand of a visit did to dice that stay: pushed or turned them, or set others down beside them."""
        shifts = [shift for die in self.sight.dice() for shift in self.sight.shifts(die, index)]
        yield from self._told(shifts, left, "hand")
        if any(shift.before != shift.after for shift in shifts) or self.sight.laid(index):
            yield self._at_rest(left, [])

    @cached_property
    def _throws(self) -> dict[int, _Throw]:
        """What is thrown, by the visit whose hand throws it."""
        falls = {n: self._releases(n) for n in range(len(self.timeline.visits))}
        return {n: self._thrown(n, releases) for n, releases in falls.items() if releases}

    def _releases(self, index: int) -> dict[int, float]:
        return {die: t for die in self.sight.dice() if (t := self.sight.released(die, index)) is not None}

    def _thrown(self, index: int, releases: Mapping[int, float]) -> _Throw:
        still = self.sight.first_still(self.clock.frame_from(max(releases.values())))
        rest = self._free(max(still, self._left(index)))
        seen = {die: self.sight.first_seen(die, t, rest) for die, t in releases.items()}
        first, meddling = min(seen.values()), dict[int, int]()
        for other in range(len(self.timeline.visits)):
            entries = [frame for frame in self.sight.entries(other) if first < frame < still]
            if other != index and entries:
                meddling[other] = entries[0]
            elif self._is_anothers(other, index) and any(self.sight.hides(other, die, still) for die in releases):
                meddling[other] = first
        return _Throw(releases, seen, still, rest, meddling)

    def _is_anothers(self, visit: int, throwing: int) -> bool:
        """Whether a visit is not of the player who throws in another."""
        visits = self.timeline.visits
        return visits[visit].player.name != visits[throwing].player.name

    def _left(self, index: int) -> int:
        """The first frame in which the tray is free after a visit."""
        over = self.sight.over[index]
        return self._free(over[-1] if over else self.clock.frame_from(self.timeline.visits[index].start))

    def _throw(self, index: int, throw: _Throw) -> Iterator[TrayEvent]:
        thrown, rest, first = list(throw.releases), throw.rest, min(throw.seen.values())
        released = min(throw.releases.values())
        rolling = (frame for die, frame in throw.seen.items() if not self.sight.is_still(die, frame))
        last = max(rolling, default=first)  # a die that a hand uncovers at rest does not say when it entered
        meddling = list(throw.meddling.values())
        said = self.clock.time_of(self._said(min(meddling)) if meddling else self._said(rest, SAID_AFTER_S))
        entered, complete = self.clock.time_of(first), self.clock.time_of(last)
        yield DiceThrown(
            t=entered,
            frame=first,
            t_said=said,
            count=len(thrown),
            t_first=entered,
            t_last=complete,
            tumble=tuple(self.sight.tumble(die, index) for die in thrown),
        )
        yield from (BodyInterfered(**self._when(frame)) for frame in meddling)
        hit = [
            shift
            for die in self.sight.dice()
            for shift in self.sight.shifts(die, None, released, self.clock.middle(rest))
        ]
        yield from self._told([shift for shift in hit if self._stays(shift.die, rest)], rest, "hit")
        yield from self._unseen([*thrown, *(shift.die for shift in hit)], rest, released)
        yield self._at_rest(rest, thrown)

    def _lost(self, lost: Lost) -> list[TrayEvent]:
        """The view is lost and there again; frames that do not come are missed when the next one does."""
        first, back = self.clock.frame_from(lost.start), self.clock.frame_from(lost.end)
        if lost.cause == "frames_stopped":
            missed = {"t_said": self.clock.time_of(back)}
            gone, there = self._when(first - 1) | missed, self._when(back) | missed
        else:
            gone, there = self._when(first, LOST_AFTER_S), self._when(back, LOST_AFTER_S)
        events: list[TrayEvent] = [ViewLost(**gone, cause=lost.cause)]
        return [*events, ViewRestored(**there, cause=lost.cause)] if back < self.clock.frames else events

    def _free(self, frame: int) -> int:
        """The first frame from this one on in which the view is there and no body is over the floor."""
        busy, blind = self.sight.busy, self.sight.blind
        while frame in blind or any(frame in stretch for stretch in busy):
            frame += 1
        return frame

    def _stays(self, die: int, frame: int) -> bool:
        return self.sight.was_inside(die, self.clock.middle(frame))

    def _unseen(self, dice: Sequence[int], rest: int, release: float) -> Iterator[TrayEvent]:
        """Dice that went over the wall and do not lie in the picture."""
        crossed = {die: frame for die in dice if (frame := self.sight.over_rim(die, release, rest)) is not None}
        gone = {die: frame for die, frame in crossed.items() if not self.sight.shown(die, rest)}
        if gone:
            when = self._when(min(gone.values())) | {"t_said": self._when(rest, SAID_AFTER_S)["t_said"]}
            yield DieUnseen(**when, count=len(gone), last_seen="over_rim", ids=_ids(sorted(gone)))

    def _at_rest(self, frame: int, thrown: Sequence[int]) -> DiceAtRest:
        """Every die on the floor, and those seen beside it."""
        facts, missing = [], 0
        for die in self.sight.dice():
            pose = self.sight.pose(die, frame)
            if pose is None:
                continue
            state = die_state(self.timeline.setting.tray, self.sight.look(die), pose)
            if state == "off_tray" and not self.sight.shown(die, frame):
                missing += 1
                continue
            value, place = top_face(self.sight.look(die), pose)[0], (pose.position[0], pose.position[1])
            foreign = self.sight.look(die) not in self.sight.timeline.setting.dice[:DICE]
            facts.append(DieFact(die + 1, value, 1.0, state, place, die in thrown, foreign=foreign))
        here = {fact.id for fact in facts}
        return DiceAtRest(
            **self._when(frame, SAID_AFTER_S),
            dice=tuple(facts),
            thrown=tuple(i for i in _ids(thrown) if i in here),
            kept=tuple(fact.id for fact in facts if not fact.thrown and fact.state != "off_tray"),
            missing=missing,
        )

    def _told(self, shifts: Sequence[Shift], frame: int, cause: Literal["hand", "hit"]) -> Iterator[TrayEvent]:
        """Kept dice that lie elsewhere or show another face."""
        for shift in shifts:
            if shift.sides > PLACE_SIDES:
                yield KeptDieMoved(**self._when(frame, SAID_AFTER_S), id=shift.die + 1, identity="sure")
            if shift.before != shift.after:
                yield KeptDieChanged(
                    **self._when(frame, SAID_AFTER_S),
                    id=shift.die + 1,
                    before=shift.before,
                    after=shift.after,
                    cause=cause,
                )

    def _when(self, frame: int, said_after_s: float = 0.0) -> dict[str, Any]:
        """The fields of something that begins with this frame and is said so much later, at least a frame."""
        said = self._said(frame, said_after_s)
        return {"t": self.clock.time_of(frame), "frame": frame, "t_said": self.clock.time_of(said)}

    def _said(self, frame: int, after_s: float = 0.0) -> int:
        """The frame at which something is said that began with `frame`: `after_s` later, at least a frame."""
        frame = min(frame, self.clock.frames - 1)
        return max(frame + 1, self.clock.frame_from(self.clock.taken[frame] + after_s))


def _ids(dice: Sequence[int]) -> tuple[int, ...]:
    return tuple(die + 1 for die in dice)

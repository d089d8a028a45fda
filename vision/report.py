"""What is said of dice that have come to rest: the events that a settlement means, each fact once."""

from collections.abc import Collection, Sequence
from typing import TypedDict

from scorer.events import (
    DiceAtRest,
    DiceLifted,
    DieFact,
    DieUnseen,
    KeptDieChanged,
    KeptDieMoved,
    TrayEvent,
)
from vision.entry import ROLLS_HEAT
from vision.geometry import TrayGeometry
from vision.resting import SET, Resting, Settlement
from vision.track import Moment, Track

CARRIED_FACES = 2.0
"""Dice in a leaving hand flash up at the rim; one that goes over it by itself is followed for longer, and looks like
one: the hand's fingers do not."""


class When(TypedDict):
    """When something happened and when it was said: the fields that all events share."""

    t: float
    frame: int
    t_said: float


class RestReport:
    """Says what lies in the tray when that has changed, and how it came there."""

    def __init__(self, geometry: TrayGeometry) -> None:
        """Nothing has been said yet."""
        self._geometry = geometry
        self._told: frozenset[tuple[object, ...]] = frozenset()
        self._count = 0

    def moved(self, geometry: TrayGeometry) -> None:
        """The tray lies elsewhere in the picture from now on."""
        self._geometry = geometry

    def say(
        self,
        settled: Settlement,
        throw: Sequence[TrayEvent],
        over: Sequence[Track],
        strayed: Moment | None,
        foreign: Collection[int | None],
        when: When,
    ) -> list[TrayEvent]:
        """The events of a rest. `throw`: those of the throw that came to rest; `over`: tracks that went over
        the rim since the last rest; `strayed`: when something flew over it that was not followed; `foreign`: ids of
        dice that do not belong here."""
        events: list[TrayEvent] = []
        lifted = sorted({*(die.id for die in settled.lifted if die.id is not None), *settled.handled})
        if lifted:
            events.append(DiceLifted(ids=tuple(lifted), **when))
        events += throw
        events += [KeptDieMoved(id=i, identity="sure" if sure else "lost", **when) for i, sure in settled.moved]
        events += [
            KeptDieChanged(id=c.id, before=c.before, after=c.after, cause=c.cause, **when) for c in settled.changed
        ]
        events += self._unseen(settled, over, strayed, when)
        return events + self._at_rest(settled, foreign, bool(throw), when)

    def _at_rest(
        self, settled: Settlement, foreign: Collection[int | None], threw: bool, when: When
    ) -> list[TrayEvent]:
        facts = tuple(self._fact(die, settled, die.id in foreign) for die in (*settled.dice, *settled.covered))
        told = frozenset((fact.id, fact.value, fact.state) for fact in facts)
        before, self._told = self._told, told
        if not (settled.thrown or told - before or threw):
            return []
        missing = max(0, self._count - len(facts)) if settled.thrown else 0
        self._count = len(facts)
        return [DiceAtRest(dice=facts, thrown=settled.thrown, kept=settled.kept, missing=missing, **when)]

    def _fact(self, die: Resting, settled: Settlement, foreign: bool) -> DieFact:
        assert die.id is not None
        x, y = self._geometry.to_mm([(die.x, die.y)], self._geometry.die_mm)[0].tolist()
        likely = die.reading.likely if die.value is None and not die.covered else None
        return DieFact(die.id, die.value, die.reading.p, die.state, (x, y), die.id in settled.thrown, likely, foreign)

    def _unseen(
        self, settled: Settlement, over: Sequence[Track], strayed: Moment | None, when: When
    ) -> list[TrayEvent]:
        """Dice that went over the rim and do not lie in view; and resting dice that vanished with no hand near."""
        events: list[TrayEvent] = []
        lifted = {die.id for die in settled.lifted}
        over = [track for track in over if track.die not in lifted]
        if not settled.thrown:
            dice = [track for track in over if track.die is not None or track.heat >= ROLLS_HEAT]
            over = [track for track in dice if track.travel > CARRIED_FACES]
        outside = sum(die.state == "off_tray" and die.id in settled.thrown for die in settled.dice)
        count = min(len(over) - outside, SET - len(settled.dice))
        here = {die.id for die in settled.dice}
        ids = tuple(sorted(t.die for t in over if t.die is not None and t.die not in here))[: max(count, 0)]
        if count > 0:
            last = max(over, key=lambda track: track.t)
            t, frame = last.left or (last.t, last.frame)
            left: When = {"t": t, "frame": frame, "t_said": when["t_said"]}
            events.append(DieUnseen(count=count, last_seen="over_rim", ids=ids, **left))
        elif strayed is not None and settled.thrown and not over and len(settled.dice) + len(settled.covered) < SET:
            gone: When = {"t": strayed[0], "frame": strayed[1], "t_said": when["t_said"]}
            events.append(DieUnseen(count=1, last_seen="over_rim", **gone))
        stayed = (d for d in settled.gone if d.state != "off_tray" and d.id not in lifted)
        vanished = tuple(sorted(d.id for d in stayed if d.id is not None and d.id not in ids))
        if vanished and settled.thrown:
            events += [KeptDieMoved(id=die, identity="lost", **when) for die in vanished]
        elif vanished:
            events.append(DieUnseen(count=len(vanished), last_seen="unknown", ids=vanished, **when))
        return events

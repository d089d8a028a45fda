"""From frames to events: what happens in the tray, said as soon as it is certain.

The dice are at rest when nothing has moved for 150 ms and no hand is over the tray. They are read then, over several
frames; where a reading is not sure it is tried again for a third of a second, and then the die is reported without a
value. What lay there before is recognised, what is new was thrown.
"""

import math
from collections import deque
from dataclasses import replace
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from scorer.events import (
    BodyInterfered,
    DiceAtRest,
    DiceLifted,
    DiceThrown,
    DieFact,
    DieState,
    DieUnseen,
    HandEntered,
    HandLeft,
    KeptDieChanged,
    KeptDieMoved,
    TrayEvent,
    ViewLost,
    ViewRestored,
)
from vision.geometry import Points, TrayGeometry
from vision.hand import HandSwitch
from vision.health import Verdict
from vision.kind import KnownKinds, kind_of
from vision.lean import leans, side_shift
from vision.network import Networks
from vision.perceive import KEEP_S, MOVING, Perception, Scene
from vision.read import Reading, as_unsure, read_die
from vision.rest import LAGS_S, SLACK_S, likeness, patch
from vision.settle import SAME_PLACE, UNCHANGED_LOOK, Resting, Settlement, settle
from vision.source import Frame
from vision.throw import Crowd, entry, went_over_rim
from vision.track import DIE_HEAT, FLYING_HEAT, Sighting, Track, Tracker
from vision.view import SeenDie, TrayView

Image = npt.NDArray[np.uint8]

UNMOVED = 0.985
"""Likeness of a die's place from which it has turned by less than 2 degrees and moved by less than 0.5 mm: since when
it lay. That nothing moves any more is told by a stricter one."""
PATIENCE_S = 0.35
"""A die that cannot be read surely is looked at for so long before people are asked."""
SIZE_SPREAD = 1.03
"""A die's face may be larger or smaller than the calibrated one by this factor; the locator's sizes are noisy."""
AWAY_S = 0.2
"""A hand that was away for less is the throwing hand still."""
CARRIED_FACES = 2.0
STIRRED = 0.97
"""Likeness below which a die has moved while a hand came in; a hand's shadow changes it less."""


AT_WALL = 1.5
"""Faces from the floor's edge within which a die may lean on the wall."""
FREE = 1.6
"""Faces between the centres of dice whose outlines are apart."""


class When(TypedDict):
    """When something happened and when it was said: the fields that all events share."""

    t: float
    frame: int
    t_said: float


class Watcher:
    """Watches one tray. Feed it every frame in order; the same frames give the same events."""

    def __init__(self, networks: Networks, geometry: TrayGeometry, fps: float, empty: Image | None = None) -> None:
        """`fps`: the source's frame rate; `empty`: grey picture of the empty tray, else it is learned on the way."""
        self._networks = networks
        self._geometry = geometry
        self._perception = Perception(networks, geometry, empty)
        self._tracker = Tracker(geometry.die_px)
        self._hand = HandSwitch()
        self._frames: deque[Frame] = deque(maxlen=max(3, math.ceil(fps * KEEP_S) + 1))
        self._lying: list[Resting] = []
        self._taken: tuple[Resting, ...] = ()
        self._kinds = KnownKinds()
        self._told: frozenset[tuple[object, ...]] = frozenset()
        self._told_count = 0
        self._next_id = 1
        self._settled = False
        self._calm_since: float | None = None
        self._rest: Frame | None = None
        self._free: Frame | None = None
        self._answers: dict[int, Reading] = {}
        self._crowd = Crowd()
        self._throw_said = False
        self._left: tuple[float, int] | None = None
        self.view = TrayView(0.0, 0, (), hand=False, still=False)

    def step(self, frame: Frame) -> list[TrayEvent]:
        """What could be said when this frame had been seen."""
        scene = self._perception.step(frame)
        self._frames.append(frame)
        events = [_verdict(verdict, frame.t) for verdict in scene.verdicts]
        if any(verdict.cause == "light_changed" for verdict in scene.verdicts):
            self._kinds = KnownKinds()  # in another light the same dice have other colours
        if not self._perception.trusted:
            self._disturb()
            self._frames.clear()
            fault = self._perception.fault
            self.view = TrayView(frame.t, frame.index, (), self._hand.present, still=False, trusted=False, fault=fault)
            return events
        tracks = self._tracker.step(frame.t, scene.picture, scene.sightings)
        self._note_free(frame, tracks)
        events += self._watch_hand(scene, tracks)
        self._watch_lying(scene)
        calm = self._is_calm(scene)
        if not calm:
            self._disturb()
        elif self._calm_since is None:
            self._calm_since, self._rest = frame.t, self._first_still(scene)
        if calm and not self._settled:
            events += self._try_to_settle(scene, tracks)
        self.view = self._view(scene, tracks, calm)
        return events

    @property
    def geometry(self) -> TrayGeometry:
        """The tray that is watched."""
        return self._geometry

    def body_outlines(self) -> list[Points]:
        """Outlines (n, 2), px, of what is a hand or another body in the last frame."""
        return self._perception.body_outlines()

    def finish(self) -> list[TrayEvent]:
        """There are no more frames: nothing is said that was not certain before."""
        return []

    def _disturb(self) -> None:
        """Something moves: what was seen of the dice so far says nothing about their rest."""
        self._settled, self._calm_since, self._answers = False, None, {}

    # --- hands ------------------------------------------------------------------------------------------------

    def _watch_hand(self, scene: Scene, tracks: list[Track]) -> list[TrayEvent]:
        frame = scene.frame
        if scene.body.area > 0:
            self._free = None
        elif self._free is None:
            self._free = frame
        changed = self._hand.step(frame.t, frame.index, scene.body)
        if changed is None:
            return []
        when: When = {"t": changed[0], "frame": changed[1], "t_said": frame.t}
        if not self._hand.present:
            self._left = changed
            return [HandLeft(**when)]
        return [HandEntered(**when), *self._interference(scene, tracks, when)]

    def _interference(self, scene: Scene, tracks: list[Track], when: When) -> list[TrayEvent]:
        """A hand came in while thrown dice still moved, after the hand that threw them had left."""
        if self._left is None or when["t"] - self._left[0] < AWAY_S:
            return []
        moving = [track for track in tracks if self._moved_since(when["t"], scene, track)]
        if not moving:
            return []
        touched = tuple(sorted(t.die for t in moving if t.die is not None and t.sighting.near_body))
        thrown = [track for track in tracks if self._is_thrown(track)]
        return [*self._say_throw(thrown, scene.frame), BodyInterfered(ids=touched, **when)]

    def _moved_since(self, t: float, scene: Scene, track: Track) -> bool:
        """Whether a thrown die, away from the hand that came in at `t`, has moved since then."""
        thing = track.sighting
        then = next((look for look in self._perception.recent if look.t >= t), None)
        if then is None or thing.near_body or not self._is_thrown(track):
            return False
        place = thing.x, thing.y, self._geometry.face_px(thing.x, thing.y)
        return likeness(patch(scene.picture, *place), patch(then, *place)) < STIRRED

    def _is_thrown(self, track: Track) -> bool:
        """Whether this is a die over the floor that did not lie there before."""
        thing = track.sighting
        new = track.die is None and track.free is not None and self._lying_at(thing.x, thing.y) is None
        return new and thing.heat >= DIE_HEAT

    # --- what lay there before --------------------------------------------------------------------------------

    def _watch_lying(self, scene: Scene) -> None:
        """Note which resting dice a hand is over."""
        if scene.body.area > 0:
            self._lying = [
                die if die.touched else replace(die, touched=self._perception.touched(die.x, die.y))
                for die in self._lying
            ]

    def _lying_at(self, x: float, y: float) -> Resting | None:
        """The die that lay within a quarter face of a place at the last rest."""
        reach = SAME_PLACE * self._geometry.die_px
        return next((d for d in self._lying if math.hypot(d.x - x, d.y - y) <= reach), None)

    # --- rest -------------------------------------------------------------------------------------------------

    def _is_calm(self, scene: Scene) -> bool:
        quiet = not self._hand.present and scene.body.area == 0 and scene.moving < MOVING
        return quiet and all(s.still or not self._matters(s) for s in scene.sightings)

    def _matters(self, thing: Sighting) -> bool:
        """Whether a thing must be still before one can speak of rest: not so fingers beside the tray, nor its print."""
        beside = thing.near_body and self._geometry.inside(thing.x, thing.y) < 0
        return self._perception.is_new(thing) and not beside

    def _first_still(self, scene: Scene) -> Frame:
        """The frame since which nothing has moved more than a die at rest may, and no hand has been there."""
        places = [
            (thing.x, thing.y, self._geometry.face_px(thing.x, thing.y))
            for thing in scene.sightings
            if self._matters(thing)
        ]
        looks = {look.t: look for look in self._perception.recent}
        now, first = scene.picture, self._frames[-1]
        for frame in reversed(self._frames):
            look = looks.get(frame.t)
            if look is None or any(likeness(patch(now, *place), patch(look, *place)) < UNMOVED for place in places):
                break
            first = frame
        return max(first, self._free or first, key=lambda f: f.t)

    def _try_to_settle(self, scene: Scene, tracks: list[Track]) -> list[TrayEvent]:
        """Read the dice; say what they show once all are sure, or once patience has run out."""
        assert self._calm_since is not None
        dice, found = [], []
        for sighting, track in zip(scene.sightings, tracks, strict=True):
            die = self._judge(scene, sighting, track)
            if die is not None:
                dice.append(die)
                found.append(track)
        dice = self._doubt_leaning(scene.frame.image, dice)
        sure = all(die.value is not None for die in dice if die.state != "off_tray")
        if not sure and scene.frame.t - self._calm_since < PATIENCE_S:
            return []
        self._settled = True
        return self._say_rest(scene, settle(self._lying, self._taken, dice, found, self._next_id), found)

    def _judge(self, scene: Scene, sighting: Sighting, track: Track) -> Resting | None:
        """The thing as a die at rest, or None where it is no die."""
        look = patch(scene.picture, sighting.x, sighting.y, self._geometry.face_px(sighting.x, sighting.y))
        old = self._lying_at(sighting.x, sighting.y)
        unchanged = old is not None and likeness(look, old.look) > UNCHANGED_LOOK
        if old is not None and unchanged and not old.touched and old.value is not None:
            reading = old.reading
        else:
            reading = self._read(sighting, track)
            if reading.value is None and old is not None and unchanged:
                reading = old.reading
        inside = self._geometry.inside(sighting.x, sighting.y) >= 0
        limits = self._networks.thresholds
        new = self._perception.is_new(sighting)
        read = reading.value is not None and (inside or new)
        seen = new and (sighting.heat >= limits.solid or reading.blank < limits.blank)
        if sighting.near_body and not inside:
            return None
        if not (read or seen or old is not None):
            return None
        state: DieState = (
            "flat" if reading.value is not None else "cocked" if reading.blank >= limits.blank else "unknown"
        )
        return Resting(sighting.x, sighting.y, self._geometry.die_px, state if inside else "off_tray", reading, look)

    def _doubt_leaning(self, image: Image, dice: list[Resting]) -> list[Resting]:
        """The dice, those cocked that lie at the wall and show their sides where no flat die does.

        Where a neighbour or its colour hides how a die lies there, its value must be clear to be sure.
        """
        height, width = image.shape[:2]
        places = [die.reading.centre for die in dice]
        shifts = [side_shift(image, die.reading) if self._stands_free(die, dice) else None for die in dice]
        foot = (width / 2, height / 2)
        doubted = []
        for index, die in enumerate(dice):
            if self._geometry.inside(die.x, die.y) >= AT_WALL or die.value is None:
                doubted.append(die)
            elif leans(index, places, shifts, foot):
                doubted.append(replace(die, state="cocked", reading=as_unsure(self._networks, die.reading)))
            elif shifts[index] is None and die.reading.score < self._networks.thresholds.clear:
                doubted.append(replace(die, state="unknown", reading=as_unsure(self._networks, die.reading)))
            else:
                doubted.append(die)
        return doubted

    def _stands_free(self, die: Resting, dice: list[Resting]) -> bool:
        """Whether it was read, and no other die is so near that their outlines run together."""
        others = (math.hypot(d.x - die.x, d.y - die.y) for d in dice if d is not die)
        return die.state == "flat" and all(apart >= FREE * self._geometry.die_px for apart in others)

    def _read(self, sighting: Sighting, track: Track) -> Reading:
        """The die's reading over this frame and one a little earlier; a sure one is kept while nothing moves."""
        known = self._answers.get(track.number)
        if known is not None and known.value is not None:
            return known
        face = self._geometry.face_px(sighting.x, sighting.y)
        size = min(max(sighting.size, face / SIZE_SPREAD), face * SIZE_SPREAD)
        now = self._frames[-1]
        earlier = next((f for f in reversed(self._frames) if now.t - f.t >= LAGS_S[1] - SLACK_S), now)
        reading = read_die(self._networks, [earlier.image, now.image], sighting.x, sighting.y, size)
        self._answers[track.number] = reading
        return reading

    # --- saying it --------------------------------------------------------------------------------------------

    def _say_rest(self, scene: Scene, settled: Settlement, tracks: list[Track]) -> list[TrayEvent]:
        rest = self._rest or scene.frame
        when: When = {"t": rest.t, "frame": rest.index, "t_said": scene.frame.t}
        events: list[TrayEvent] = []
        lifted = self._lifted(settled)
        if lifted:
            events.append(DiceLifted(ids=tuple(die.id for die in lifted if die.id is not None), **when))
        if settled.thrown:
            thrown = [t for t, die in zip(tracks, settled.dice, strict=True) if die.id in settled.thrown]
            events += self._say_throw(thrown, scene.frame)
        events += [KeptDieMoved(id=i, identity="sure" if sure else "lost", **when) for i, sure in settled.moved]
        events += [
            KeptDieChanged(id=c.id, before=c.before, after=c.after, cause=c.cause, **when) for c in settled.changed
        ]
        events += self._unseen(settled, lifted, when)
        foreign = self._foreign(scene.frame.image, settled)
        facts = tuple(self._fact(die, settled, die.id in foreign) for die in settled.dice)
        told = frozenset((fact.id, fact.value, fact.state) for fact in facts)
        if settled.thrown or told - self._told:
            missing = max(0, self._told_count - len(facts)) if settled.thrown else 0
            events.append(DiceAtRest(dice=facts, thrown=settled.thrown, kept=settled.kept, missing=missing, **when))
            self._told_count = len(facts)
        self._told = told
        self._taken = () if settled.thrown else self._taken + lifted
        self._remember(settled, tracks)
        return events

    def _remember(self, settled: Settlement, tracks: list[Track]) -> None:
        """What lies there now is what the next rest is compared with."""
        self._lying = list(settled.dice)
        self._crowd = Crowd()
        self._throw_said, self._left = False, None
        self._next_id = max([self._next_id, *(d.id + 1 for d in settled.dice if d.id is not None)])
        for die, track in zip(settled.dice, tracks, strict=True):
            assert die.id is not None
            track.rest(die.id)
        self._tracker.forget_lost()

    def _foreign(self, image: Image, settled: Settlement) -> set[int | None]:
        """Ids of the dice that lie flat in the tray and are of a kind never seen before."""
        flat = [die for die in settled.dice if die.state == "flat"]
        strange = self._kinds.foreign([kind_of(image, die.reading, self._perception.gain) for die in flat])
        return {die.id for die, new in zip(flat, strange, strict=True) if new}

    def _fact(self, die: Resting, settled: Settlement, foreign: bool) -> DieFact:
        assert die.id is not None
        x, y = self._geometry.to_mm([(die.x, die.y)])[0].tolist()
        likely = die.reading.likely if die.value is None else None
        return DieFact(die.id, die.value, die.reading.p, die.state, (x, y), die.id in settled.thrown, likely, foreign)

    def _lifted(self, settled: Settlement) -> tuple[Resting, ...]:
        """The dice that a hand took, of those gone that it was over: none where it threw more dice than it had taken,
        for then those were knocked and are among what seems thrown."""
        excess = len(settled.thrown) - len(self._taken)
        return () if self._taken and excess == len(settled.lifted) else settled.lifted

    def _unseen(self, settled: Settlement, taken: tuple[Resting, ...], when: When) -> list[TrayEvent]:
        """Dice that went over the rim and do not lie in view; and resting dice that vanished with no hand near."""
        events: list[TrayEvent] = []
        lifted = {die.id for die in taken}
        over = [t for t in went_over_rim(self._tracker.lost, self._geometry) if t.die not in lifted]
        if not settled.thrown:  # dice in a leaving hand flash up at the rim; a thrown one is followed for longer
            over = [track for track in over if track.travel > CARRIED_FACES]
        outside = sum(die.state == "off_tray" and die.id in settled.thrown for die in settled.dice)
        count = len(over) - outside
        if count > 0:
            here = {die.id for die in settled.dice}
            ids = tuple(sorted(t.die for t in over if t.die is not None and t.die not in here))
            events.append(DieUnseen(count=count, last_seen="over_rim", ids=ids, **when))
        known = {track.die for track in over}
        stayed = (d for d in settled.gone if d.state != "off_tray" and d.id not in lifted)
        vanished = tuple(sorted(d.id for d in stayed if d.id is not None and d.id not in known))
        if vanished and settled.thrown:
            events += [KeptDieMoved(id=die, identity="lost", **when) for die in vanished]
        elif vanished:
            events.append(DieUnseen(count=len(vanished), last_seen="unknown", ids=vanished, **when))
        return events

    # --- throws -----------------------------------------------------------------------------------------------

    def _note_free(self, frame: Frame, tracks: list[Track]) -> None:
        """Note which dice are over the floor and away from any hand, and how many that did not lie there before."""
        free = 0
        for track in tracks:
            thing = track.sighting
            if self._lying_at(thing.x, thing.y) is not None:
                track.free, track.lay = None, False
                continue
            if thing.held or self._geometry.inside(thing.x, thing.y) < 0:
                track.free = None if thing.held and not track.lay else track.free
                continue
            track.lay = track.lay or thing.still
            if thing.heat >= FLYING_HEAT:
                track.free = track.free or (frame.t, frame.index)
            free += not thing.near_body
        self._crowd.note(frame.t, free)

    def _say_throw(self, tracks: list[Track], now: Frame) -> list[TrayEvent]:
        """The throw, once."""
        if self._throw_said:
            return []
        self._throw_said = True
        began = entry(tracks, self._crowd, (now.t, now.index))
        return [
            DiceThrown(
                t=began.t_first,
                frame=began.frame,
                t_said=now.t,
                count=len(tracks),
                t_first=began.t_first,
                t_last=began.t_last,
                tumble=began.tumble,
            )
        ]

    def _view(self, scene: Scene, tracks: list[Track], calm: bool) -> TrayView:
        dice = []
        for sighting, track in zip(scene.sightings, tracks, strict=True):
            die = next((d for d in self._lying if d.id == track.die), None) if track.die is not None else None
            reading, state = (die.reading, die.state) if die is not None and sighting.still else (None, None)
            angle, place = reading.angle if reading else 0.0, (sighting.x, sighting.y)
            seen = SeenDie(*place, sighting.size, angle, track.number, track.die, reading, state, sighting.still)
            dice.append(seen)
        return TrayView(scene.frame.t, scene.frame.index, tuple(dice), self._hand.present, calm, self._settled)


def _verdict(verdict: Verdict, now: float) -> TrayEvent:
    said = ViewLost if verdict.lost else ViewRestored
    return said(cause=verdict.cause, t=verdict.t, frame=verdict.frame, t_said=now)

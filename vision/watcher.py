"""From frames to events: what happens in the tray, said as soon as it is certain.

The dice are at rest when nothing has moved for 150 ms and no hand is over the tray, or one is only just first seen and
away from all of them. They are read then, over several frames; where a reading is not sure it is tried again for a
third of a second, and then the die is reported without a value. What lay there before is recognised, what is new was
thrown.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from scorer.events import (
    BodyInterfered,
    DieUnseen,
    HandEntered,
    HandLeft,
    TrayEvent,
    ViewLost,
    ViewRestored,
)
from vision.calm import first_still, is_calm, is_clear, still_since
from vision.entry import FREE_ROLL
from vision.flush import ROOM, middle_of, places_beside
from vision.geometry import Points, TrayGeometry
from vision.hand import HandSwitch
from vision.interference import Interference
from vision.judge import Judge, Thing
from vision.kind import KnownKinds, kind_of
from vision.matching import LEAP
from vision.network import Networks
from vision.over_rim import went_over_rim
from vision.perceive import Perception, Scene
from vision.report import RestReport, When
from vision.rest import LAGS_S, SLACK_S, UNMOVED, likeness, patch
from vision.resting import SAME_PLACE, Resting, Settlement
from vision.settle import SET, UNCHANGED_LOOK, settle
from vision.source import Frame
from vision.throw import Throw
from vision.track import DIE_HEAT, FLYING_HEAT, Moment, Sighting, Track
from vision.tracker import Tracker
from vision.view import SeenDie, TrayView

Image = npt.NDArray[np.uint8]

PATIENCE_S = 0.35
"""A die that cannot be read surely is looked at for so long before people are asked."""
AWAY_S = 0.2
"""A hand that was away for less is the throwing hand still..."""
ASIDE = 5.0
"""...unless it comes in so many faces aside: that one is another's."""
LET_GO_S = 0.035
"""A die left the hand that threw it so long before it is seen clear of it: of some 160 throws of simulated films the
median at 30, 60 and 90 fps alike, in a trial that no command repeats."""
CLEAR_S = 0.1
"""A die that was clear of any hand for so long had been let go, and is not taken back by one that touches it then."""
BEFORE_LENS = 0.8
"""Share of the floor from which what hides it at once is before the lens, and no hand in the tray."""


class Watcher:
    """Watches one tray. Feed it every frame in order; the same frames give the same events."""

    def __init__(self, networks: Networks, geometry: TrayGeometry, empty: Image | None = None, first: int = 1) -> None:
        """`empty`: grey picture of the empty tray, else it is learned on the way. `first`: the first die's number."""
        self._geometry = geometry
        self._perception = Perception(networks, geometry, empty)
        self._tracker = Tracker(geometry.die_px)
        self._hand = HandSwitch()
        self._judge = Judge(networks, geometry)
        self._report = RestReport(geometry)
        self._frames: deque[Frame] = deque()
        self._lying: list[Resting] = []
        self._taken: tuple[Resting, ...] = ()
        self._away: tuple[int, ...] = ()
        self._kinds = KnownKinds()
        self._first = self._next_id = first
        self._settled = False
        self._calm_since: float | None = None
        self._rest: Moment | None = None
        self._free: Moment | None = None
        self._pending: tuple[Scene, list[Resting], list[Track]] | None = None
        self._throw = Throw()
        self._interference = Interference()
        self._left: Moment | None = None
        self._arm: tuple[float, float] | None = None
        self._left_at: tuple[float, float] | None = None
        self._back: Moment | None = None
        self._blind: tuple[Moment, Moment | None] | None = None
        self._scene: Scene | None = None
        self.view = TrayView(0.0, 0, (), hand=False, still=False)

    def step(self, frame: Frame) -> list[TrayEvent]:
        """What could be said when this frame had been seen."""
        events = self._check(frame)
        if not self._perception.trusted:
            fault = self._perception.fault
            self.view = TrayView(frame.t, frame.index, (), self._hand.present, still=False, trusted=False, fault=fault)
            return events
        scene = self._perception.step(frame)
        self._keep(frame)
        tracks = self._tracker.step(frame.t, scene.picture, scene.sightings)
        self._note_free(frame, tracks)
        events += self._watch_hand(scene, tracks)
        if scene.stray:
            moving = [track for track in tracks if self._is_new(track, FLYING_HEAT) and not track.sighting.still]
            if moving:
                self._throw.stray((frame.t, frame.index), thrown=any(track.free is not None for track in moving))
        self._watch_lying(scene, tracks)
        self._find_uncovered(scene, tracks)
        calm = not self._hand.present and is_calm(scene, self._scene, self._tracker.tracks, self._perception)
        self._scene = scene
        if not calm:
            events += self._break_off(scene)
            self._disturb()
        elif self._calm_since is None:
            self._calm_since, self._rest = frame.t, first_still(scene, self._perception, self._free)
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
        self._settled, self._calm_since = False, None
        self._judge.forget()

    def _keep(self, frame: Frame) -> None:
        """Keep this frame and the youngest that is one short lag older, to read the dice in both."""
        self._frames.append(frame)
        while len(self._frames) > 1 and frame.t - self._frames[1].t >= LAGS_S[1] - SLACK_S:
            self._frames.popleft()

    # --- the view ---------------------------------------------------------------------------------------------

    def _check(self, frame: Frame) -> list[TrayEvent]:
        """What is to be said of the view; nothing that was seen before a fault is compared with what comes after it."""
        verdicts = self._perception.check(frame)
        if not (self._perception.trusted or self._perception.passes_over):
            self._disturb()
            self._frames.clear()
        if not verdicts:
            return []
        events: list[TrayEvent] = []
        for verdict in verdicts:
            said = ViewLost if verdict.lost else ViewRestored
            events.append(said(cause=verdict.cause, t=verdict.t, frame=verdict.frame, t_said=frame.t))
            if verdict.cause == "light_changed":
                self._kinds = KnownKinds()  # in another light the same dice have other colours
            if verdict.shift is not None:
                self._geometry = self._perception.geometry
                self._judge.moved(self._geometry)
                self._report.moved(self._geometry)
                self._lying = [die.moved(verdict.shift) for die in self._lying]
            moment = verdict.t, verdict.frame
            self._back = None if verdict.lost or verdict.shift is not None else moment
            if verdict.lost and (self._blind is None or self._blind[1] is not None):
                self._blind = moment, None
            elif self._blind is not None:
                self._blind = self._blind[0], None if verdict.lost else moment
        self._lose_sight()
        return events

    def _lose_sight(self) -> None:
        """Nobody knows what happened meanwhile: only what lies where it lay and looks the same is still known."""
        self._pending = None
        self._disturb()
        self._frames.clear()
        self._throw.cut_short([track for track in self._tracker.tracks if self._is_thrown(track)])
        self._tracker.forget()
        self._interference, self._free = Interference(), None
        self._lying = [replace(die, touched=True) for die in self._lying]

    # --- hands ------------------------------------------------------------------------------------------------

    def _watch_hand(self, scene: Scene, tracks: list[Track]) -> list[TrayEvent]:
        frame = scene.frame
        now, self._back = self._back or (frame.t, frame.index), None
        if scene.body.area > 0:
            self._free = None
        elif self._free is None:
            self._free = now
        thrown = [track for track in tracks if self._is_thrown(track)]
        self._interference.step(frame.t, thrown)
        changed = self._hand.step(*now, scene.body)
        if scene.body.area > 0:
            self._arm = self._perception.arm or self._arm
        late = self._interfered_late(thrown, frame)
        if changed is None:
            return late
        when: When = {"t": changed[0], "frame": changed[1], "t_said": frame.t}
        if not self._hand.present:
            self._left, self._left_at = changed, self._arm
            if self._blind is not None and changed == self._blind[1]:
                self._throw.unseen(self._blind[0])
            return [*late, HandLeft(**when)]
        return [*late, HandEntered(**when), *self._interfered(scene, thrown, when)]

    def _interfered(self, scene: Scene, thrown: list[Track], when: When) -> list[TrayEvent]:
        """A hand came in while thrown dice still moved, after the hand that threw them had left."""
        if self._left is None or (when["t"] - self._left[0] < AWAY_S and not self._is_another()):
            return []
        if self._perception.hidden > BEFORE_LENS:
            return []
        if not self._interference.moving(self._left[0], when["t"], self._perception.recent, self._geometry):
            self._interference.watch((when["t"], when["frame"]))
            return []
        return [*self._say_throw(thrown, scene.frame), BodyInterfered(**when)]

    def _interfered_late(self, thrown: list[Track], now: Frame) -> list[TrayEvent]:
        """The hand that came in a moment ago did so while a thrown die moved that had almost come to rest."""
        came = self._interference.moved_on(now.t, self._perception.recent, self._geometry)
        if came is None:
            return []
        return [*self._say_throw(thrown, now), BodyInterfered(t=came[0], frame=came[1], t_said=now.t)]

    def _is_another(self) -> bool:
        """Whether the hand that is in now reaches in from elsewhere than the one that left."""
        if self._arm is None or self._left_at is None:
            return False
        return math.dist(self._arm, self._left_at) > ASIDE * self._geometry.die_px

    def _is_thrown(self, track: Track, heat: float = DIE_HEAT) -> bool:
        """Whether this is a die over the floor, seen as plainly as that, that did not lie there before."""
        return track.free is not None and self._is_new(track, heat)

    def _is_new(self, track: Track, heat: float) -> bool:
        """Whether this looks as much like a die, and is none of those that lay there before."""
        thing = track.sighting
        return track.die is None and thing.heat >= heat and self._lying_at(thing.x, thing.y) is None

    # --- what lay there before --------------------------------------------------------------------------------

    def _watch_lying(self, scene: Scene, tracks: list[Track]) -> None:
        """Note which resting dice a hand is over; once a throw has knocked one away, that is over its place alone."""
        if scene.body.area == 0:
            return
        loose = {t.die: t.sighting for t in tracks if not t.sighting.near_body and t.sighting.heat >= FLYING_HEAT}
        self._lying = [die if die.touched else self._watched(die, loose.get(die.id)) for die in self._lying]

    def _watched(self, die: Resting, loose: Sighting | None) -> Resting:
        """A die that no hand has been over, as it is now; `loose`: where it is followed with no hand at it."""
        knocked = die.knocked or (bool(self._taken) and loose is not None and self._apart(loose, die) >= LEAP)
        return replace(die, knocked=knocked, touched=not knocked and self._perception.touched(die.x, die.y))

    def _apart(self, thing: Sighting, die: Resting) -> float:
        """Faces from a thing to where a die lay."""
        return math.hypot(thing.x - die.x, thing.y - die.y) / self._geometry.die_px

    def _find_uncovered(self, scene: Scene, tracks: list[Track]) -> None:
        """Follow on the dice that a hand covered until their tracks were lost, or went on with its fingers, once they
        are seen as they lay: it need not leave the tray before it moves them, and may do so before they are still."""
        for track in tracks:
            thing = track.sighting
            die = self._lying_at(thing.x, thing.y) if track.die is None else None
            if die is None or die.id is None:
                continue
            look = patch(scene.picture, die.x, die.y, self._geometry.face_px(die.x, die.y))
            if likeness(look, die.look) > (UNCHANGED_LOOK if thing.still else UNMOVED):
                self._tracker.recognise(track, die.id)

    def _lying_at(self, x: float, y: float) -> Resting | None:
        """The die that lay within a quarter face of a place at the last rest."""
        reach = SAME_PLACE * self._geometry.die_px
        return next((d for d in self._lying if math.hypot(d.x - x, d.y - y) <= reach), None)

    # --- rest -------------------------------------------------------------------------------------------------

    def _try_to_settle(self, scene: Scene, tracks: list[Track]) -> list[TrayEvent]:
        """Read the dice; say what they show once all are sure, or once patience has run out."""
        assert self._calm_since is not None
        assert self._rest is not None
        seen = [(track.sighting, track) for track in tracks if is_clear(track.sighting, scene)]
        if (judged := self._judge_things(scene, seen)) is None:
            self._disturb()
            return []
        dice, found = judged
        unlocated = [(die.x, die.y) for die, track in zip(dice, found, strict=True) if track not in tracks]
        if unlocated and self._calm_since == scene.frame.t:
            self._rest = max(self._rest, still_since(scene.picture, unlocated, self._perception))
        sure = all(die.value is not None for die in dice if die.state != "off_tray")
        self._pending = scene, dice, found
        if not sure and scene.frame.t - self._calm_since < PATIENCE_S:
            return []
        return self._say_pending(scene.frame)

    def _judge_things(
        self, scene: Scene, seen: list[tuple[Sighting, Track]]
    ) -> tuple[list[Resting], list[Track]] | None:
        """The dice at rest among the things `seen`, and their tracks; where some are missing, with those that were
        located as one with others. None where one of these moves yet."""
        images = [self._earlier().image, scene.frame.image]
        dice, found = self._judge.judge(self._things(seen), scene.picture, images)
        for _ in range(SET - len(dice)):
            flush = self._find_flush(dice, images)
            if flush is None:
                break
            index, (x, y), missed = flush
            if not missed.still:
                return None
            one = found[index]
            seen = [(replace(thing, x=x, y=y) if track is one else thing, track) for thing, track in seen]
            seen.append((missed, self._tracker.recover(scene.frame.t, missed, one)))
            dice, found = self._judge.judge(self._things(seen), scene.picture, images)
        return dice, found

    def _things(self, seen: Sequence[tuple[Sighting, Track]]) -> list[Thing]:
        """Things seen, and what lay where they lie."""
        return [
            Thing(thing, track, self._perception.is_new(thing), self._lying_at(thing.x, thing.y))
            for thing, track in seen
        ]

    def _find_flush(
        self, dice: Sequence[Resting], images: Sequence[Image]
    ) -> tuple[int, tuple[float, float], Sighting] | None:
        """A die that lies flush with one of these and was located as one with it: which of them that is, where it would
        be located alone, px, and the other. One that moves is taken for a die unread."""
        for index, die in enumerate(dice):
            if die.state != "flat" or die.value is None:
                continue
            for place in places_beside(die, dice, self._geometry):
                missed = self._perception.look_at(*place)
                if missed is None or not self._perception.is_covered(missed):
                    continue
                if not missed.still or self._judge.is_flush(die, missed, images):
                    return index, middle_of(die, self._geometry), missed
        return None

    def _break_off(self, scene: Scene) -> list[TrayEvent]:
        """What can be said of dice that were being read when a hand comes back, if most were; nothing of what stirs."""
        if scene.body.area > 0 and self._pending is not None:
            values = [die.value for die in self._pending[1]]
            if 2 * values.count(None) < len(values):
                return self._say_pending(scene.frame)
            self._pending = None
        if self._pending is not None and not all(track.sighting.still for track in self._pending[2]):
            self._pending = None
        return []

    def _say_pending(self, now: Frame) -> list[TrayEvent]:
        """What the dice at rest show, sure or not."""
        if self._pending is None:
            return []
        (scene, dice, tracks), self._pending = self._pending, None
        self._settled = True
        lost = self._tracker.lost
        over = went_over_rim(lost, self._geometry)
        if len(dice) < SET and any(track.die is None and track.flew for track in tracks):
            all_but_one = not (self._lying or over) and len(dice) == SET - 1
            dice = self._judge.lying_on_missing(scene.frame.image, dice, all_but_one)
        settled = settle(self._lying, self._taken, dice, tracks, self._next_id, self._away, self._first, over, lost)
        return self._say_rest(scene, settled, tracks, over, now)

    def _earlier(self) -> Frame:
        """The frame of one short lag ago, or the last where there is none."""
        now = self._frames[-1]
        return self._frames[0] if now.t - self._frames[0].t >= LAGS_S[1] - SLACK_S else now

    def _say_rest(
        self, scene: Scene, settled: Settlement, tracks: list[Track], over: list[Track], now: Frame
    ) -> list[TrayEvent]:
        assert self._rest is not None
        when: When = {"t": self._rest[0], "frame": self._rest[1], "t_said": now.t}
        thrown = [pair for pair in zip(tracks, settled.dice, strict=True) if pair[1].id in settled.thrown]
        throw = self._say_throw([track for track, _ in thrown], now, [die for _, die in thrown]) if thrown else []
        foreign = self._foreign(scene.frame.image, settled)
        events = self._report.say(settled, throw, over, self._throw.strayed, foreign, when)
        self._remember(settled, tracks, [event for event in events if isinstance(event, DieUnseen)])
        return events

    def _remember(self, settled: Settlement, tracks: list[Track], unseen: list[DieUnseen]) -> None:
        """What lies there now is what the next rest is compared with. `unseen`: the dice that left the tray."""
        self._lying = [*settled.dice, *settled.covered]
        self._taken = () if settled.thrown else self._taken + settled.lifted
        self._throw, self._interference, self._left = Throw(), Interference(), None
        self._next_id = max([self._next_id, *(d.id + 1 for d in self._lying if d.id is not None)])
        known = [number for event in unseen for number in event.ids]
        strange = sum(event.count for event in unseen) - len(known)
        self._away = settled.away(self._away, [*known, *range(self._next_id, self._next_id + strange)])
        self._next_id += strange
        for die, track in zip(settled.dice, tracks, strict=True):
            assert die.id is not None
            track.rest(die.id)
        self._tracker.forget_lost()

    def _foreign(self, image: Image, settled: Settlement) -> set[int | None]:
        """Ids of the dice that lie flat in the tray and are of a kind never seen before."""
        flat = [die for die in settled.dice if die.state == "flat"]
        strange = self._kinds.foreign([kind_of(image, die.reading, self._perception.gain) for die in flat])
        return {die.id for die, new in zip(flat, strange, strict=True) if new}

    # --- throws -----------------------------------------------------------------------------------------------

    def _note_free(self, frame: Frame, tracks: list[Track]) -> None:
        """Note which dice are over the floor and away from any hand, and how many that did not lie there before."""
        free, let_go = 0, self._let_go(frame)
        for track in tracks:
            thing = track.sighting
            alone = thing.heat >= DIE_HEAT and not thing.near_body
            if thing.still and alone:
                track.lain = frame.t, thing.x, thing.y
            if self._lying_at(thing.x, thing.y) is not None and track.travel < FREE_ROLL:
                track.free, track.lay = None, False
                continue
            if thing.held and thing.heat >= DIE_HEAT:
                face = self._geometry.face_px(thing.x, thing.y)
                look = patch(self._perception.recent[-1], thing.x, thing.y, face)
                self._throw.beside.note((frame.t, frame.index), thing, look, face)
            if thing.held or self._geometry.inside(thing.x, thing.y) < 0:
                track.free = None if thing.held and not track.lay else track.free
                continue
            track.lay = track.lay or thing.still or (alone and _is_let_go(track, frame.t))
            if thing.heat >= FLYING_HEAT and track.free is None:
                track.free, track.freed = let_go, (thing.x, thing.y)
                track.vacant = self._vacant(track)
            free += alone
        self._throw.crowd.note(let_go[0], free)

    def _let_go(self, now: Frame) -> Moment:
        """When the dice left the hand that are seen clear of it for the first time now."""
        first = next((look for look in self._perception.recent if now.t - look.t <= LET_GO_S), None)
        return (now.t, now.index) if first is None else (first.t, first.frame)

    def _say_throw(self, tracks: list[Track], now: Frame, lying: Sequence[Resting] = ()) -> list[TrayEvent]:
        """The throw, once; of dice that are `lying` still, if they are."""
        bare = {t.number: t.vacant for t in tracks if self._lies_where_freed(t)}
        return [*self._throw.say(tracks, self._tracker.lost, (now.t, now.index), bare, lying)]

    def _lies_where_freed(self, track: Track) -> bool:
        """Whether it is where it was when it was first seen away from any hand."""
        return math.dist(track.freed, (track.sighting.x, track.sighting.y)) <= SAME_PLACE * self._geometry.die_px

    def _vacant(self, track: Track) -> float:
        """When the place where a die is seen free was last seen without it: bare, or with another die beside it, s.

        What lay just there, until a hand came over it, is likely the same.
        """
        x, y = track.freed
        face = self._geometry.face_px(x, y)
        lain = [other.lain for other in (*self._tracker.tracks, *self._tracker.lost) if other is not track]
        beside = [there[0] for there in lain if there and SAME_PLACE < math.dist(there[1:], (x, y)) / face < ROOM]
        return max(self._perception.last_bare(x, y), *beside, -math.inf)

    def _view(self, scene: Scene, tracks: list[Track], calm: bool) -> TrayView:
        dice = []
        for track in tracks:
            sighting = track.sighting
            die = next((d for d in self._lying if d.id == track.die), None) if track.die is not None else None
            reading, state = (die.reading, die.state) if die is not None and sighting.still else (None, None)
            angle, place = reading.angle if reading else 0.0, (sighting.x, sighting.y)
            seen = SeenDie(*place, sighting.size, angle, track.number, track.die, reading, state, sighting.still)
            dice.append(seen)
        located = {track.die for track in tracks}
        for die in self._lying if self._settled else ():
            if die.id not in located and not die.covered and die.state != "off_tray":
                lying = die.x, die.y, die.size, die.reading.angle, -(die.id or 0), die.id, die.reading, die.state
                dice.append(SeenDie(*lying, still=True))
        return TrayView(scene.frame.t, scene.frame.index, tuple(dice), self._hand.present, calm, self._settled)


def _is_let_go(track: Track, t: float) -> bool:
    """Whether this has been clear of hands for so long that none holds it."""
    return track.free is not None and t - track.free[0] >= CLEAR_S + LET_GO_S

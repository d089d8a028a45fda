"""From frames to events: what happens in the tray, said as soon as it is certain.

The dice are at rest when nothing has moved for 150 ms and no hand is over the tray, or one is only just first seen and
away from all of them. They are read then, over several frames; where a reading is not sure it is tried again, three
times at most while it looks the same, and after a third of a second the die is reported without a value. What lay there
before is recognised, what is new was thrown.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scorer.events import BodyInterfered, DieUnseen, TrayEvent, ViewLost, ViewRestored
from vision.blind import Blind
from vision.calm import Calm
from vision.entry import hidden_dice
from vision.freed import bare_since
from vision.gather import Gathered, Gathering
from vision.geometry import Points, TrayGeometry
from vision.kind import KnownKinds, kind_of, rim_of
from vision.lying import Lying
from vision.network import Networks
from vision.over_rim import went_over_rim
from vision.perceive import Perception, Scene
from vision.report import RestReport, When
from vision.resting import Resting, Settlement
from vision.source import Frame
from vision.throw import Throw
from vision.track import DIE_HEAT, Moment, Track
from vision.tracker import Tracker
from vision.view import TrayView, seen_dice
from vision.visits import Visits

Image = npt.NDArray[np.uint8]

PATIENCE_S = 0.35
"""A die that cannot be read surely is looked at for so long before people are asked."""
LOOK_S = 0.025
"""A frame that comes sooner after the last one that was looked at is passed over while no die flies: of 60 a second
every other one. Which of two dice that hit each other is which, more frames tell; all else is told at 30 a second."""
UNWATCHED_S = 0.15
"""In so long a hand that is in may turn a die that lies there, and be clear of it again: chosen, what a rest takes."""


class Watcher:
    """Watches one tray. Feed it every frame in order; the same frames give the same events."""

    def __init__(self, networks: Networks, geometry: TrayGeometry, empty: Image | None = None, first: int = 1) -> None:
        """`empty`: grey picture of the empty tray, else it is learned on the way. `first`: the first die's number."""
        self._perception = Perception(networks, geometry, empty)
        self._tracker = Tracker(geometry.die_px)
        self._visits = Visits()
        self._throw = Throw()
        self._calm = Calm()
        self._gathering = Gathering(networks, self._perception, self._tracker)
        self._lying = Lying(geometry, first)
        self._kinds = KnownKinds()
        self._report = RestReport(geometry)
        self._pending: Gathered | None = None
        self._settled = False
        self._blind = Blind()
        self._back: Moment | None = None
        self._looked, self._flies = -math.inf, False
        self._seen: Moment | None = None
        self.view = TrayView(0.0, 0, (), hand=False, still=False)

    def step(self, frame: Frame) -> list[TrayEvent]:
        """What could be said when this frame had been seen."""
        if self._passes_over(frame.t):
            return []
        self._looked, self._flies = frame.t, False
        events = self._check(frame)
        if not self._perception.trusted:
            fault = self._perception.fault
            self.view = TrayView(
                frame.t, frame.index, (), self._visits.present, still=False, trusted=False, fault=fault
            )
            return events
        scene = self._perception.step(frame)
        self._note_gap((frame.t, frame.index))
        self._gathering.keep(frame)
        seen = self._tracker.step(frame.t, scene.picture, scene.sightings)
        tracks = [track for track in seen if not self._is_pattern(track)]
        self._flies = any(track.sighting.plain and not track.sighting.still for track in tracks)
        others = [track for track in (*self._tracker.tracks, *self._tracker.lost) if not self._is_pattern(track)]
        self._throw.step(scene, tracks, others, self._lying, self._perception)
        now, self._back = self._back or (frame.t, frame.index), None
        events += self._watch_hands(now, scene, tracks)
        self._lying.step(scene, tracks, self._perception)
        self._find_uncovered(scene, tracks)
        calm = self._calm.step(now, scene, self._visits.present, self._tracker.tracks, self._perception)
        if not calm:
            events += self._break_off(scene)
            self._disturb()
        elif not self._settled:
            events += self._try_to_settle(scene, seen)
        dice = seen_dice(tracks, self._lying.dice, self._settled)
        self.view = TrayView(frame.t, frame.index, dice, self._visits.present, calm, self._settled)
        return events

    def _is_pattern(self, track: Track) -> bool:
        """Whether a thing is but the floor's pattern; where a die lay it is not, however that looks under a shadow."""
        return track.pattern and self._lying.at(track.sighting.x, track.sighting.y) is None

    @property
    def geometry(self) -> TrayGeometry:
        """The tray that is watched."""
        return self._perception.geometry

    def body_outlines(self) -> list[Points]:
        """Outlines (n, 2), px, of what is a hand or another body in the last frame."""
        return self._perception.body_outlines()

    def _passes_over(self, t: float) -> bool:
        """Whether what is seen at `t`, s, tells nothing that the last frame looked at did not."""
        return not self._flies and 0 <= t - self._looked < LOOK_S

    def _disturb(self) -> None:
        """Something moves: what was seen of the dice so far says nothing about their rest."""
        self._settled = False
        self._calm.disturb()
        self._gathering.disturb()

    # --- the view ---------------------------------------------------------------------------------------------

    def _check(self, frame: Frame) -> list[TrayEvent]:
        """What is to be said of the view; nothing that was seen before a fault is compared with what comes after it."""
        verdicts = self._perception.check(frame)
        if not (self._perception.trusted or self._perception.passes_over):
            self._disturb()
            self._gathering.lose_sight()
        events: list[TrayEvent] = []
        for verdict in verdicts:
            said = ViewLost if verdict.lost else ViewRestored
            events.append(said(cause=verdict.cause, t=verdict.t, frame=verdict.frame, t_said=frame.t))
            if verdict.cause == "light_changed":
                self._kinds = KnownKinds()  # in another light the same dice have other colours
            if verdict.shift is not None:
                self._gathering.moved(self.geometry)
                self._report.moved(self.geometry)
                self._lying.moved(verdict.shift, self.geometry)
            moment = verdict.t, verdict.frame
            self._back = None if verdict.lost or verdict.shift is not None else moment
            if verdict.lost:
                self._blind.lose(moment, hand=self._visits.present or bool(self._thrown(self._tracker.tracks)))
            else:
                self._blind.restore(moment)
        if verdicts:
            self._lose_sight()
        return events

    def _lose_sight(self) -> None:
        """Nobody knows what happened meanwhile."""
        self._throw.cut_short(self._thrown(self._tracker.tracks))
        self._pending, self._settled = None, False
        self._tracker.forget()
        self._visits.lose_sight()
        self._calm.lose_sight()
        self._gathering.lose_sight()
        self._lying.lose_sight()

    def _note_gap(self, now: Moment) -> None:
        """A few frames that did not come, or showed nothing, are no lost view; but what lay still may have been turned
        meanwhile. Of what lay there before that is not said while dice are thrown, which may have hit it."""
        since, self._seen = self._seen or now, now
        if now[0] - since[0] >= UNWATCHED_S:
            self._throw.unwatched(since)
            if not self._thrown(self._tracker.tracks):
                self._lying.lose_sight()

    # --- hands ------------------------------------------------------------------------------------------------

    def _watch_hands(self, now: Moment, scene: Scene, tracks: Sequence[Track]) -> list[TrayEvent]:
        """What is said of hands; of dice that one interferes with, that they were thrown is said before."""
        events, thrown = list[TrayEvent](), self._thrown(tracks)
        for event in self._visits.step(now, scene, thrown, self._known(thrown), self._perception):
            if isinstance(event, BodyInterfered):
                events += self._say_throw(thrown, scene.frame)
                self._throw.interfered = True
            events.append(event)
        self._blind.step(events, tracks, scene.frame.t, self._lying.some_out, self._perception.last_bare)
        self._throw.unseen(self._blind.threw(events))
        return events

    def _known(self, thrown: Sequence[Track]) -> int:
        """How many dice lay there, or were let go since, be they `thrown` ones in view now or not seen any more."""
        let_go = (t for t in (*self._tracker.tracks, *self._tracker.lost) if t.die is None and t.free is not None)
        numbers = {track.number for track in thrown} | {track.number for track in let_go if track.travel > 0}
        return len(numbers) + len(self._lying.dice)

    def _find_uncovered(self, scene: Scene, tracks: Sequence[Track]) -> None:
        """Follow on the dice that a hand covered, or moved its fingers over, or that others flew over, once they are
        seen as they lay."""
        for track in tracks:
            unknown = track.die is None or track.doubtful
            die = self._lying.uncovered(track.sighting, scene.picture) if unknown else None
            if die is not None:
                self._tracker.recognise(track, die)

    # --- throws -----------------------------------------------------------------------------------------------

    def _thrown(self, tracks: Sequence[Track]) -> list[Track]:
        """Those of these that are dice over the floor, seen as plainly as that, that did not lie there before."""
        return [track for track in tracks if track.free is not None and self._lying.is_new(track, DIE_HEAT)]

    def _say_throw(self, tracks: Sequence[Track], now: Frame, lying: Sequence[Resting] = ()) -> list[TrayEvent]:
        """The throw, once; of dice that are `lying` still, if they are."""
        bare = bare_since(tracks, self.geometry.die_px)
        return [*self._throw.say(tracks, self._tracker.lost, (now.t, now.index), bare, lying)]

    def _said_at_rest(
        self, thrown: Sequence[tuple[Track, Resting]], over: Sequence[Track], now: Frame
    ) -> list[TrayEvent]:
        """The throw of dice that have come to rest, and that a hand had one of them before that could be said: so it
        had where none flew of those that lie there, but one that did was hidden; these went `over` the rim."""
        tracks, dice = [track for track, _ in thrown], [die for _, die in thrown]
        self._throw.unseen(self._blind.came(tracks))
        events = self._say_throw(tracks, now, dice)
        if self._throw.interfered:
            return events
        had = self._throw.tampered(tracks, dice, self._gathering.value, self._perception)
        if had is not None:
            return [*events, BodyInterfered(t=had[0], frame=had[1], t_said=now.t)]
        gone = [] if any(track.flew for track in tracks) else hidden_dice(self._tracker.lost, over)
        return [*events, _took(gone, now)] if gone else events

    def _said_taken(self, over: Sequence[Track], now: Frame) -> list[TrayEvent]:
        """The throw of dice that rolled, and that a hand took before they came to rest; these went `over` the rim."""
        gone = hidden_dice(self._ended(now), over)
        taken = [track for track in gone if track.sighting.near_body or self._throw.caught is not None]
        said = self._say_throw(taken, now) if taken else []
        return [*said, _took(taken, now)] if said else []

    def _ended(self, now: Frame) -> list[Track]:
        """The tracks of what is not seen any more, be it only just."""
        missed = (track for track in self._tracker.tracks if track.t < now.t and not track.pattern)
        return [*self._tracker.lost, *missed]

    def _cut(self, now: Frame) -> Moment | None:
        """When a throw began of which nobody saw what became, as the view was lost, and of which no die is there any
        more."""
        let_go = (track for track in self._ended(now) if track.die is None and track.let_go)
        return self._throw.cut or self._blind.came([track for track in let_go if track.sighting.heat >= DIE_HEAT])

    # --- rest -------------------------------------------------------------------------------------------------

    def _try_to_settle(self, scene: Scene, tracks: Sequence[Track]) -> list[TrayEvent]:
        """Read the dice; say what they show once all are sure, or once patience has run out."""
        found = self._gathering.gather(scene, tracks, self._lying)
        if found is None:
            self._pending = None
            self._disturb()
            return []
        unlocated = [(die.x, die.y) for die, track in zip(found.dice, found.tracks, strict=True) if track not in tracks]
        self._calm.found(scene, unlocated, self._perception)
        if found.sure or scene.frame.t - self._calm.since >= PATIENCE_S:
            return self._say_rest(found, scene.frame)
        self._pending = found
        return []

    def _break_off(self, scene: Scene) -> list[TrayEvent]:
        """What can be said of dice that were being read when a hand comes back, if most were; nothing of what stirs."""
        if self._pending is None:
            return []
        if scene.body.area > 0 and self._pending.mostly_read:
            return self._say_rest(self._pending, scene.frame)
        if scene.body.area > 0 or not all(track.sighting.still for track in self._pending.tracks):
            self._pending = None
        return []

    def _say_rest(self, found: Gathered, now: Frame) -> list[TrayEvent]:
        """What the dice at rest show, sure or not, and how they came there."""
        self._pending, self._settled = None, True
        lost = self._tracker.lost
        over = went_over_rim(lost, self.geometry)
        found = self._gathering.stacked(found, alone=not (self._lying.dice or over))
        settled = self._lying.settle(found.dice, found.tracks, over, lost)
        pairs = list(zip(found.tracks, settled.dice, strict=True))
        thrown = [(track, die) for track, die in pairs if die.id in settled.thrown]
        throw = self._said_at_rest(thrown, over, now) if thrown else self._said_taken(over, now)
        when: When = {"t": self._calm.rest[0], "frame": self._calm.rest[1], "t_said": now.t}
        foreign = self._foreign(found.scene.frame.image, settled)
        events = self._report.say(settled, throw, over, self._throw.strayed, foreign, when)
        self._lying.remember(settled, [event for event in events if isinstance(event, DieUnseen)])
        self._throw = Throw(None if thrown else self._cut(now))
        self._visits.rest()
        self._blind.rest()
        for track, die in pairs:
            assert die.id is not None
            track.rest(die.id)
        self._tracker.forget_lost()
        return events

    def _foreign(self, image: Image, settled: Settlement) -> set[int | None]:
        """Ids of the dice that lie flat in the tray and are of a kind never seen before."""
        flat, gain = [die for die in settled.dice if die.state == "flat"], self._perception.gain
        kinds = [kind_of(image, die.reading, gain) for die in flat]
        lit = [kind_of(image, die.reading, gain * self._perception.light(die.x, die.y)) for die in flat]
        rims = [rim_of(image, die.reading, gain) for die in flat]
        strange = self._kinds.foreign(kinds, lit, rims)
        return {die.id for die, new in zip(flat, strange, strict=True) if new}


def _took(gone: Sequence[Track], now: Frame) -> BodyInterfered:
    """That a hand had dice which rolled until it hid them."""
    last = max(gone, key=lambda track: track.t)
    return BodyInterfered(t=last.t, frame=last.frame, t_said=now.t)

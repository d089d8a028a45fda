"""A throw from its first die to its last rest: who came in is gathered, and said once."""

import math
from collections.abc import Mapping, Sequence

from scorer.events import DiceThrown
from vision.beside import Beside
from vision.caught import Caught
from vision.crowd import Crowd
from vision.entry import FREE_ROLL, entry, rolled
from vision.freed import is_let_go, last_vacant, let_go_at
from vision.lying import Lying
from vision.others import Others
from vision.perceive import Perception, Scene
from vision.rest import patch
from vision.resting import Resting
from vision.tampering import Read, Tampering
from vision.track import DIE_HEAT, FLYING_HEAT, MOVED, Moment, Track

PASSES_S = 0.2
"""A die that flies past the rim is beyond it for no longer (chosen, .1 s where that was met); another light on the
table stays."""
AHEAD_S = 0.4
"""So long before any other is seen free of the hand that threw them, the first die of a throw may fly past the rim:
chosen, .27 s where it was met."""
PLACED_S = 0.2
"""A die that stayed beside the hand lay there so long before any other flew: it was set down, and not thrown with them.
Chosen; of some 200 dice of fair throws that were never seen to fly two lay there before the others flew, by .04 s and
by .17 s, as the hand hid the others for so long, in a trial that no command repeats."""
THERE_S, THERE = 0.3, 1.0
"""Or it was seen so long before, partly hidden, within so many faces of where it lies: chosen, of those dice the two
seen for longer came from 8 faces away, and dice that were set down under a palm lay within .85."""
REACTS_S = 0.25
"""A die seen so soon after the first flew, and not hidden since, was turned by none who waited for it: chosen, about as
long as people take to react to what they see, who have yet to take hold of it and to turn it."""
TOGETHER_S = 1.0
"""Dice that came in over a longer time were thrown one after another: their times say so, and no hand is blamed."""


class Throw:
    """The dice that have come in since the last rest, of which is said once that they were thrown."""

    def __init__(self, cut: Moment | None = None) -> None:
        """None has come in. `cut`: when a throw began that nobody saw the end of. `interfered` says whether it is said
        that a hand interfered."""
        self._crowd, self._beside, self._tampering, self._others = Crowd(), Beside(), Tampering(), Others()
        self._caught = Caught()
        self._strays: list[Moment] = []
        self._ahead: list[Moment] = []
        self._said, self.interfered = False, False
        self._together = True
        self._began = self._cut = cut
        self._first: Moment = (math.inf, 0)
        self._flew = -math.inf
        self._sighted: dict[int, float] = {}

    def step(
        self, scene: Scene, tracks: Sequence[Track], others: Sequence[Track], lying: Lying, perception: Perception
    ) -> None:
        """Note which dice are over the floor and away from any hand, how many that did not lie there before, and what
        flies past. `others`: all tracks, those not seen now too."""
        now, geometry = (scene.frame.t, scene.frame.index), perception.geometry
        free, left = 0, let_go_at(perception.recent)
        for track in tracks:
            thing = track.sighting
            alone = thing.heat >= DIE_HEAT and not thing.near_body
            if thing.still and alone:
                track.last_still = now[0], thing.x, thing.y
            lay = lying.at(thing.x, thing.y) is not None and track.travel < FREE_ROLL
            if lay or track.bare_since < math.inf:
                track.free, track.let_go = None, False
                continue
            if thing.held and thing.heat >= DIE_HEAT:
                face = geometry.face_px(thing.x, thing.y)
                self._beside.note(now, thing, patch(scene.picture, thing.x, thing.y, face), face)
            if thing.held or geometry.inside(thing.x, thing.y) < 0:
                track.free = None if thing.held and not track.let_go else track.free
                continue
            track.let_go = track.let_go or thing.still or (alone and is_let_go(track, now[0]))
            if thing.heat >= FLYING_HEAT and track.free is None:
                track.free, track.freed = left, (thing.x, thing.y)
                track.vacant = last_vacant(track, others, perception)
            free += alone and track.die is None
            if self._flew == -math.inf and alone and track.die is None and track.free and track.travel > 2 * MOVED:
                self._flew = track.free[0]
                self._sighted = {n: t for n, t in self._sighted.items() if t <= self._flew + REACTS_S}
        self._note_sighted(now[0], tracks)
        self._crowd.note(left[0], free)
        self._tampering.step(scene, tracks, lying, perception)
        self._others.step(now, scene.body, tracks, perception)
        self._caught.step(now, others, perception)
        if scene.stray:
            moving = [track for track in tracks if lying.is_new(track, FLYING_HEAT) and not track.sighting.still]
            if moving:
                self.stray(now, thrown=any(track.free is not None for track in moving))

    def _note_sighted(self, t: float, tracks: Sequence[Track]) -> None:
        """Note when dice were seen last, by `t`, s, and no later than anybody reacts to the first that flew."""
        if self._flew == -math.inf:
            self._sighted = {n: seen for n, seen in self._sighted.items() if t - seen <= REACTS_S}
        if self._flew == -math.inf or t <= self._flew + REACTS_S:
            self._sighted |= {track.number: t for track in tracks if track.sighting.clear}

    def cut_short(self, thrown: Sequence[Track]) -> None:
        """The view is lost while these are in the air: nothing but when they came in is known of them any more."""
        seen = [t.free for t in thrown if t.free is not None and t.flew and t.t > t.first_t]
        if seen and not self._said:
            self._began = min(seen)
            self._cut = self._began if rolled(thrown) else self._cut
        self._crowd, self._beside, self._tampering, self._others = Crowd(), Beside(), Tampering(), Others()
        self._caught = Caught()
        self._said = False
        self._strays, self._ahead, self._first, self._flew = [], [], (math.inf, 0), -math.inf
        self._sighted = {}

    @property
    def caught(self) -> Moment | None:
        """Since when a hand has had a die in flight (see `Caught`); None where it had none."""
        return self._caught.since

    @property
    def cut(self) -> Moment | None:
        """When a throw began that nobody saw the end of; None where there was none."""
        return self._cut

    def unseen(self, lost: Moment | None) -> None:
        """What lies there was thrown about when the view was lost, if it was."""
        if lost is not None and not self._said and self._began is None:
            self._began = lost

    def unwatched(self, since: Moment) -> None:
        """Nobody saw since then what became of dice that lay still."""
        self._tampering.unwatched(since)

    def stray(self, now: Moment, thrown: bool) -> None:
        """Something is beyond the floor now that cannot be followed; whether dice that were `thrown` are seen."""
        (self._strays if thrown else self._ahead).append(now)

    @property
    def strayed(self) -> Moment | None:
        """When something flew past beyond the floor, be it ahead of the dice seen; None where nothing did, or where it
        stayed or came again."""
        strays = self._strays or [now for now in self._ahead if 0 <= self._first[0] - now[0] <= AHEAD_S]
        passed = strays and strays[-1][0] - strays[0][0] <= PASSES_S
        return strays[0] if passed else None

    def say(
        self,
        tracks: Sequence[Track],
        lost: Sequence[Track],
        now: Moment,
        bare: Mapping[int, float],
        lying: Sequence[Resting] = (),
    ) -> list[DiceThrown]:
        """That the dice of these tracks were thrown, if it was not said; see `entry`.

        lying: the same dice at rest.
        """
        if self._said:
            return []
        self._said = True
        lay = [moment for die in lying if (moment := self._beside.first(die.x, die.y, die.look, die.size)) is not None]
        crowd = Crowd() if self._is_again(tracks, lying) else self._crowd
        found = entry(tracks, lost, crowd, now, bare, lay)
        t, frame = min((found.t_first, found.frame), self._began or (found.t_first, found.frame))
        self._first, self._together = (t, frame), found.t_last - t <= TOGETHER_S
        return [
            DiceThrown(
                count=len(tracks), t_first=t, t_last=found.t_last, tumble=found.tumble, t=t, frame=frame, t_said=now[0]
            )
        ]

    def tampered(
        self, tracks: Sequence[Track], lying: Sequence[Resting], read: Read, perception: Perception
    ) -> Moment | None:
        """Since when a hand has had one of the dice that had come to rest, and turned or took it (see `Tampering`), or
        had one in flight (see `Caught`), or had set it down before the others flew, or another's was over one as it
        came to rest (see `Others`)."""
        had = self._tampering.tampered([track.number for track in tracks], lying, read, self._flew)
        others = [self._others_had(*of, read, perception) for of in zip(tracks, lying, strict=True)]
        first = (had, self._caught.since, self._placed(tracks, lying), *others)
        return min((t for t in first if t is not None), default=None)

    def _others_had(self, track: Track, die: Resting, read: Read, perception: Perception) -> Moment | None:
        """Since when another's hand was in, over a die as it lies there, if that did not lie so before; no earlier
        than the throw."""
        bare = perception.last_bare(die.x, die.y)
        had = self._others.since(die, self._flew, bare, perception.window, self._sighted.get(track.number, bare))
        if had is None or self._tampering.lay_so(had.over, track.number, die, read):
            return None
        return max(had.since, self._first)

    def _placed(self, tracks: Sequence[Track], lying: Sequence[Resting]) -> Moment | None:
        """When the first of them that lie there now was set down beside the hand that threw the others later; or when
        those flew, where it was only seen to have been there before."""
        flew = min((track.free for track in tracks if track.flew and track.free is not None), default=None)
        if flew is None or not self._together:
            return None
        stayed = [(track, die) for track, die in zip(tracks, lying, strict=True) if not track.flew]
        lay = [self._beside.first(die.x, die.y, die.look, die.size) for _, die in stayed]
        since = [moment for moment in (*lay, *(track.free for track, _ in stayed)) if moment is not None]
        before = [moment for moment in since if moment[0] < flew[0] - PLACED_S]
        there = any(t.first_t < flew[0] - THERE_S and _came_at(t, die) <= THERE for t, die in stayed)
        return min(before, default=flew if there else None)

    def _is_again(self, tracks: Sequence[Track], lying: Sequence[Resting]) -> bool:
        """Whether a hand may have taken dice up and thrown again before a rest was said: then those of the first throw
        tell of none of the second."""
        return bool(lying) and self._tampering.is_away([track.number for track in tracks], lying)


def _came_at(track: Track, die: Resting) -> float:
    """How many faces from where a die lies it was first seen."""
    return math.hypot(track.first.x - die.x, track.first.y - die.y) / die.size

"""Following dice from frame to frame: which sighting is which die, and where that cannot be sure."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from vision.astray import find_astray, find_crossed, stayed_themselves
from vision.hit import hardly_moved, hit_away, told_apart
from vision.matching import Matcher, missed, nearest_first
from vision.parts import TWICE, is_seen_twice, is_side
from vision.rest import NOISY, Past, likeness_there
from vision.steps import Steps
from vision.track import DIE_HEAT, FLYING_HEAT, GATE, LOST_S, MOVED, WIDEST_GATE, Sighting, Track
from vision.tumbling import watch_tumbling

STEP = 0.04
"""Faces: shorter steps are the locator's noise."""
PATTERN_S = 0.5
"""What lies still for so long where the floor looked so when it was empty, and is not read, is the floor's pattern:
chosen, longer than a rest takes to be said."""
IN_PLACE, MOST_HIDDEN = 0.25, 64
"""Faces from its place within which it is seen again, as shadows pass; of so many at most it is remembered where they
are that a hand or a die hides: chosen."""
MIDDLE = 0.5
"""Share of a die's place that one which came beside it leaves in sight: chosen, .7 of its face."""
ENDED_S = 0.5
"""A die's track that ended longer ago has ended as a hand took it: chosen."""
ON_WAY = 0.25
"""Faces from where a die is expected within which one that its flight blurred for a moment went on as itself: chosen,
.2 where it was met."""


@dataclass(frozen=True, slots=True)
class _Doubts:
    """Which tracks may not be what they were, as a step is taken: pairs that may have `crossed`, numbers of those gone
    `astray` or hit `away`, numbers that are surely others than a die of this number (`told`), and those that `hardly`
    moved."""

    crossed: Sequence[tuple[Track, Track]]
    astray: Collection[int]
    away: set[int]
    told: Mapping[int, frozenset[int]]
    hardly: Sequence[Track]

    @classmethod
    def of(cls, steps: Steps) -> "_Doubts":
        """The doubts about steps that the tracks have not taken yet."""
        return cls(find_crossed(steps), find_astray(steps), hit_away(steps), told_apart(steps), hardly_moved(steps))


class Tracker:
    """Tracks of all dice in view; those that lie still are kept for as long as nothing says that they left, and so is
    what the floor's pattern shows that looks like dice: no die is followed as that."""

    def __init__(self, die_px: float) -> None:
        """`die_px`: a die's face in px of the pictures given."""
        self._die_px = die_px
        self._count = 0
        self.tracks: list[Track] = []
        self.lost: list[Track] = []
        self._began = False
        self._t = -math.inf
        self._like_dice: frozenset[int] = frozenset()
        self._blurred: dict[int, tuple[float, float, float, float, float]] = {}
        self._picture: Past | None = None

    def step(self, t: float, picture: Past, sightings: Sequence[Sighting]) -> list[Track]:
        """Continue the tracks with the sightings in `picture`; the tracks of the things seen, each once."""
        for track in self.tracks:
            track.alike = None
        patterns = self._see_patterns(t, sightings)
        sightings = [sighting for index, sighting in enumerate(sightings) if index not in patterns]
        tracks = [track for track in self.tracks if not track.pattern]
        sightings = self._with_lying(t, picture, sightings)
        sightings, chosen = Matcher(tracks, self._t, t, self._die_px).match(sightings)
        steps = Steps(tracks, sightings, chosen, t, self._die_px)
        if steps.see_all():
            for track in steps.missed:
                track.side = True
        doubts = _Doubts.of(steps)
        result = [
            self._continued(chosen.get(index) or self._pattern_at(sighting, t), sighting, t)
            for index, sighting in enumerate(sightings)
        ]
        elder = [track.sighting for track in result if track.sighting is not track.first]
        for track in result:
            track.frame = picture.frame
            track.left = (track.left or (t, picture.frame)) if track.sighting.outside else None
            again = track.sighting is track.first and is_seen_twice(track.sighting, sightings, elder, self._die_px)
            track.side = again or is_side(track.sighting, sightings, self._die_px)
            if not track.pattern:
                watch_tumbling(track, t, picture, self._die_px)
        self._note_taken_over(sightings, result)
        self._began, self._t = True, t
        self._doubt(t, doubts)
        gone = [track for track in self.tracks if t - track.t > LOST_S]
        self.lost += [track for track in gone if not track.pattern]
        hidden = sorted((track for track in self.tracks if track.pattern and track.t < t), key=lambda track: -track.t)
        dropped = {track.number for track in (*(one for one in gone if not one.pattern), *hidden[MOST_HIDDEN:])}
        self.tracks = [track for track in self.tracks if track.number not in dropped]
        return [*result, *patterns.values()]

    def _with_lying(self, t: float, picture: Past, sightings: Sequence[Sighting]) -> list[Sighting]:
        """The sightings, and which of them are dice that lay there a moment ago, as their places look as they did."""
        before, self._picture = self._picture, picture
        if before is None or before.t != self._t:
            return list(sightings)
        lay = [track.sighting for track in self.tracks if track.die is not None and track.t == self._t]
        lay = [die for die in lay if die.still and die.plain]
        same = (not s.still and any(self._is_same(s, die, before, picture) for die in lay) for s in sightings)
        return [replace(s, lies=True) if lies else s for s, lies in zip(sightings, same, strict=True)]

    def _is_same(self, thing: Sighting, lay: Sighting, before: Past, picture: Past) -> bool:
        """Whether a thing is where a die lay in the picture before, and looks like it there."""
        here = thing.plain and thing.apart(lay) <= IN_PLACE * self._die_px
        return here and likeness_there(picture, before, lay.x, lay.y, MIDDLE * self._die_px) >= NOISY

    def _see_patterns(self, t: float, sightings: Sequence[Sighting]) -> dict[int, Track]:
        """The tracks of the floor's pattern that are seen in their places as bare as they were, by the sightings'
        indices."""
        pairs = [
            (track.sighting.apart(sighting), track.number, index, track)
            for track in self.tracks
            for index, sighting in enumerate(sightings)
            if track.pattern and sighting.bare and self._is_in_place(track, sighting)
        ]
        chosen = nearest_first(pairs)
        for index, track in chosen.items():
            self._advance(track, sightings[index], t)
        return chosen

    def _pattern_at(self, sighting: Sighting, t: float) -> Track | None:
        """The track of the floor's pattern, seen a moment ago, where something is that no track leads to, as in a
        shadow; None while a die that was let go is missed, which may be that."""
        missing = (track for track in (*self.tracks, *self.lost) if track.t < t and track.die is None)
        if any(track.free is not None for track in missing):
            return None
        here = [track for track in self.tracks if track.pattern and track.t == self._t]
        near = [track for track in here if self._is_in_place(track, sighting)]
        return min(near, key=lambda track: track.sighting.apart(sighting), default=None)

    def _is_in_place(self, track: Track, sighting: Sighting) -> bool:
        """Whether something is seen where that of a track lay still."""
        return track.lain is not None and track.lain[1].apart(sighting) <= IN_PLACE * self._die_px

    def _note_taken_over(self, sightings: Sequence[Sighting], seen: Sequence[Track]) -> None:
        """A track that is missed where another's die is seen now was that die, which its flight had smeared in two."""
        dice = [sighting for sighting in sightings if sighting.heat >= DIE_HEAT]
        for track in missed(self.tracks, dict(enumerate(seen))):
            if track.t == self._t and not track.pattern:
                track.side |= any(track.sighting.apart(die) < TWICE * self._die_px for die in dice)

    def _continued(self, track: Track | None, sighting: Sighting, t: float) -> Track:
        """The track with its next sighting, or a new one."""
        if track is not None:
            self._advance(track, sighting, t)
            return track
        self._count += 1
        self.tracks.append(Track(self._count, sighting, t, t, sighting, arrived=self._began))
        return self.tracks[-1]

    def recover(self, t: float, lying: Sighting, beside: Track) -> Track:
        """The track of a die that was located as one with another, that of `beside`: of those that ended near there
        the nearest, else of those that flew as they ended, or a new one, of which nobody knows how it came there. Which
        of both went on is not sure."""
        gone = [track for track in (*self.tracks, *self.lost) if track.t < t and not (track.side or track.pattern)]
        ended = [track for track in gone if track.sighting.apart(lying) <= WIDEST_GATE * self._die_px]
        ended = ended or [track for track in gone if track.die is None and self._flew_to(track, lying, t)]
        if not ended:
            return self._appeared(t, lying)
        track = min(ended, key=lambda track: track.sighting.apart(lying))
        if track.die is not None or beside.die is not None:
            for each in (track, beside):
                each.doubtful, each.crossed = True, t
        return self._resumed(track, t, lying)

    def appear(self, t: float, lying: Sighting) -> Track:
        """The track of a die that nothing located: a new one, of which nobody knows how it came there, or that which it
        was given so a moment ago."""
        same = (track for track in (*self.tracks, *self.lost) if track.unseen and track.die is None and track.t < t)
        near = (track for track in same if track.sighting.apart(lying) <= GATE * self._die_px)
        track = next(near, None)
        return self._appeared(t, lying) if track is None else self._resumed(track, t, lying)

    def _appeared(self, t: float, lying: Sighting) -> Track:
        self._count += 1
        self.tracks.append(Track(self._count, lying, t, t, lying, arrived=False, unseen=True))
        return self.tracks[-1]

    def _resumed(self, track: Track, t: float, lying: Sighting) -> Track:
        if track in self.lost:
            self.lost.remove(track)
            self.tracks.append(track)
        track.sighting, track.t, track.speed = lying, t, (0.0, 0.0)
        return track

    def _flew_to(self, track: Track, lying: Sighting, t: float) -> bool:
        """Whether a die that ended in flight, free of any hand, may be what lies there."""
        return track.free is not None and not track.sighting.outside and track.reaches(lying, t, self._die_px)

    def recognise(self, track: Track, die: int) -> None:
        """This track is die number `die`, which lies still: what was followed as that one is something else, maybe a
        die that was followed until it ended there, as a hand pushed it beside this one."""
        as_it = [other for other in (*self.tracks, *self.lost) if other.die == die and other is not track]
        for other in as_it:
            other.die = None
        for other in as_it:
            self._take_over(other)
        track.rest(die)

    def _take_over(self, track: Track) -> None:
        """If what lost its number is a die that a hand moved, and not one that flew, it is that whose own track ended
        where it is just now, and which is seen nowhere."""
        thing = track.sighting
        if not (track.by_hand and thing.surely_die and track.travel <= 2 * MOVED):
            return
        gone = [ended for ended in (*self.tracks, *self.lost) if ended.die is not None and self._ended(ended, track)]
        near = [ended for ended in gone if ended.sighting.apart(thing) <= GATE * self._die_px]
        if not near:
            return
        ended = min(near, key=lambda ended: ended.sighting.apart(thing))
        track.die, track.doubtful, track.crossed = ended.die, True, track.t
        self.tracks = [other for other in self.tracks if other is not ended]
        self.lost = [other for other in self.lost if other is not ended]

    def _ended(self, track: Track, other: Track) -> bool:
        """Whether a track ended shortly before another was seen last, and its die is followed as nothing else."""
        elsewhere = any(one.die == track.die and one is not track for one in self.tracks)
        return 0 < other.t - track.t <= ENDED_S and not elsewhere

    def forget_lost(self) -> None:
        """Start a new throw: what came to no rest before it, and is not seen now, no longer matters."""
        self.lost = []
        self.tracks = [track for track in self.tracks if track.die is not None or track.pattern or track.t == self._t]

    def forget(self) -> None:
        """Nothing can be followed any more: what is seen from now on has come from anywhere."""
        self.tracks, self.lost, self._like_dice, self._blurred = [], [], frozenset(), {}

    def _doubt(self, t: float, doubts: _Doubts) -> None:
        """Note which tracks may have become others, and which were plainly other dice then, and followed from a moment
        before: had they changed places, they would have crossed. Two that look as a moment ago, and unlike each other,
        have not, nor has one that looks so and hardly moved."""
        stayed = {track.number for track in doubts.hardly if track.alike}
        away = doubts.away - stayed
        crossed = (pair for pair in doubts.crossed if stayed.isdisjoint(track.number for track in pair))
        exchanged = {track.number for pair in crossed if not stayed_themselves(*pair) for track in pair}
        now = [track for track in self.tracks if track.t == t and not track.pattern]
        plain = frozenset(track.number for track in now if track.sighting.surely_die)
        known = plain & (self._like_dice | self._on_their_way(t, now))
        for track in self.tracks:
            if track.number in exchanged:
                track.doubtful, track.crossed = True, t
            strays = track.number in away or (track.number in doubts.astray and not track.alike)
            track.doubtful |= strays
            if strays or track.t < t:
                seen = known - {track.number}
                track.witnesses = seen if track.witnesses is None else track.witnesses & seen
                track.strayed = min(track.strayed, t)
            if track.witnesses is not None and (others := doubts.told.get(track.number)):
                track.witnesses |= others
                track.told |= dict.fromkeys(others, t)
        before = self._like_dice
        self._like_dice = frozenset(track.number for track in now if track.sighting.heat >= FLYING_HEAT)
        free = (track for track in now if track.number in before - self._like_dice and not track.sighting.near_body)
        self._blurred = {track.number: (t, track.sighting.x, track.sighting.y, *track.speed) for track in free}

    def _on_their_way(self, t: float, now: Sequence[Track]) -> frozenset[int]:
        """Numbers of the tracks that looked little like dice for a moment, but did before, and went straight on."""
        on_way = set()
        for track in now:
            then, x, y, dx, dy = self._blurred.get(track.number, (t, math.inf, math.inf, 0.0, 0.0))
            expected = x + dx * (t - then), y + dy * (t - then)
            if math.dist(expected, (track.sighting.x, track.sighting.y)) <= ON_WAY * self._die_px:
                on_way.add(track.number)
        return frozenset(on_way)

    def _advance(self, track: Track, sighting: Sighting, t: float) -> None:
        if track.pattern:
            track.sighting, track.t = sighting, t
            return
        dx, dy, dt = sighting.x - track.sighting.x, sighting.y - track.sighting.y, max(t - track.t, 1e-3)
        step = math.hypot(dx, dy) / self._die_px
        # A fingertip beside which a die comes to light, that seems to have moved and goes nowhere:
        fingertip = sighting.uncovered and track.sighting.heat < FLYING_HEAT <= sighting.heat
        if step > STEP and not sighting.still:  # what lies still is located a little aside now and then, for its noise
            held = sighting.held or track.sighting.held
            track.by_hand |= held
            bare = all(thing.bare and thing.outside for thing in (track.sighting, sighting))  # the grain of the table
            if not (held or bare or fingertip) and track.sighting.clear and sighting.clear:
                track.travel += step
                track.farthest = max(track.farthest, step)
                track.heat = max(track.heat, sighting.heat)
        stays = sighting.still or step <= STEP or fingertip
        track.speed = (0.0, 0.0) if stays else (dx / dt, dy / dt)
        track.lain = (t, sighting) if sighting.still else track.lain
        lies = sighting.bare and sighting.still and track.die is None and track.travel <= 2 * MOVED
        track.bare_since = min(track.bare_since, t) if lies else math.inf
        track.pattern = t - track.bare_since >= PATTERN_S
        track.outward = (sighting.beyond - track.sighting.beyond) / dt
        track.sighting, track.t = sighting, t

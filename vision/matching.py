"""Which track goes on in which sighting: nearest first, within what a die can do, and never through another die."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from vision.parts import as_one, is_end, may_be_parts
from vision.track import DIE_HEAT, FLYING_HEAT, WIDEST_GATE, Sighting, Track
from vision.way import goes_through, may_hit

LEAP = 0.5
"""Faces that a die goes at once and still is itself where another is missed: what is farther off may be that one."""
ALONE = 1.3
"""Faces from the nearest thing from which on one is neither a side of that nor its shadow: chosen."""
THROUGH = 1.0
"""Faces by which the ways of two dice are longer at least if one went through the other, which lay still and came
towards it, than if it was hit: chosen, 1.8 where it was met."""

Chosen = dict[int, Track]
"""Tracks by the indices of the sightings in which they go on."""


@dataclass(frozen=True, slots=True)
class Matcher:
    """Matches `tracks` with what is seen at `t`, s; what was seen a moment ago was seen at `before`. A face has
    `die_px`."""

    tracks: Sequence[Track]
    before: float
    t: float
    die_px: float

    def match(self, sightings: Sequence[Sighting]) -> tuple[list[Sighting], Chosen]:
        """The sightings, those that are parts of one die made one, and which tracks go on in them. A track that leaps
        farther than gates reach is doubtful from now on."""
        sightings, chosen = self._whole(sightings, self._match_near(sightings))
        chosen = self._not_through(sightings, chosen | self._match_flying(sightings, chosen))
        return self._whole(sightings, chosen, alone=True)

    def _match_near(self, sightings: Sequence[Sighting]) -> Chosen:
        """Nearest pairs first, each within its gate; of a die and what may be its side, the die.

        First comes what was seen a moment ago, where it is expected, or where it was if it turned back at a wall or at
        another die, or looked little like one; then what was missed since; last what was beside a hand then, though it
        may have been thrown there.
        """
        lately = [track for track in self.tracks if track.t == self.before or not track.sighting.near_body]
        now = [track for track in lately if track.t == self.before]
        plain = [track for track in now if track.sighting.plain]
        faint = [track for track in now if not track.sighting.near_body]
        far, parts, chosen = WIDEST_GATE, may_be_parts(sightings, self.die_px), Chosen()
        seen_now = (now, self._off, far), (plain, self._moved, far), (faint, self._moved, LEAP)
        for tracks, off, most in (*seen_now, (lately, self._off, far), (self.tracks, self._off, far)):
            left = unmatched(tracks, chosen)
            free = [(index, sighting) for index, sighting in enumerate(sightings) if index not in chosen]
            pairs = [(off(track, sighting), track.number, index, track) for track in left for index, sighting in free]
            near = [pair for pair in pairs if pair[0] <= min(pair[3].gate(self.t, self.die_px), most * self.die_px)]
            chosen |= nearest_first(near, parts)
        return self._not_to_end(sightings, chosen)

    def _off(self, track: Track, sighting: Sighting) -> float:
        """How far, px, a sighting is from where a track is expected."""
        return track.off(sighting, self.t)

    def _moved(self, track: Track, sighting: Sighting) -> float:
        """How far, px, a sighting is from where a track was seen last."""
        return track.sighting.apart(sighting)

    def _reaches(self, track: Track, sighting: Sighting) -> bool:
        """Whether a die could have flown there since it was last seen."""
        return track.reaches(sighting, self.t, self.die_px)

    def _not_to_end(self, sightings: Sequence[Sighting], chosen: Chosen) -> Chosen:
        """The same, but for what was thrown and seems to go where likely but an end of another die is seen, while what
        is seen where it may have turned back would have come from nowhere: it is the latter."""
        new = [i for i in _new(sightings, chosen) if not self._is_known(sightings[i], sightings, chosen)]
        if len(new) != 1:
            return chosen
        back = [
            (index, track)
            for index, track in chosen.items()
            if track.t == self.before
            and track.flew_lately
            and self._moved(track, sightings[new[0]]) <= track.gate(self.t, self.die_px)
            and self._is_end_of_another(index, sightings, chosen)
        ]
        if len(back) != 1:
            return chosen
        ((end, track),) = back
        return {**{index: other for index, other in chosen.items() if index != end}, new[0]: track}

    def _is_known(self, thing: Sighting, sightings: Sequence[Sighting], chosen: Chosen) -> bool:
        """Whether a thing to which no track leads may be an end of a die, or one that was missed, or that lay there."""
        unseen = (track for track in unmatched(self.tracks, chosen) if not track.sighting.finger)
        ends = any(is_end(thing, sightings[index], self.die_px) for index in chosen)
        return ends or any(self._reaches(track, thing) for track in unseen)

    def _is_end_of_another(self, index: int, sightings: Sequence[Sighting], chosen: Chosen) -> bool:
        """Whether this sighting is likely but an end of a die to which another track leads, and which looks more like
        one."""
        thing = sightings[index]
        others = (sightings[other] for other in chosen if other != index)
        return any(is_end(thing, die, self.die_px) and die.heat > max(thing.heat, FLYING_HEAT) for die in others)

    def _not_through(self, sightings: Sequence[Sighting], chosen: Chosen) -> Chosen:
        """The same, but for a die that seems to go on through one that lay still until now, which comes towards it: it
        stays behind, and the one that it hit goes on."""
        here = [index for index, track in chosen.items() if track.t == self.before and track.sighting.plain]
        for hit, by in permutations(here, 2):
            one, other = chosen[hit].sighting, chosen[by].sighting
            if other.still or chosen[by].die is not None:
                continue
            straight = one.apart(sightings[hit]) + other.apart(sightings[by])
            turned = one.apart(sightings[by]) + other.apart(sightings[hit])
            longer = one.still and straight - turned > THROUGH * self.die_px
            hits = may_hit(chosen[by], chosen[hit], self.before, self.t)
            if longer or (hits and goes_through(other, one, sightings[by], sightings[hit], self.die_px)):
                chosen |= {hit: chosen[by], by: chosen[hit]}
        return chosen

    def _whole(
        self, sightings: Sequence[Sighting], chosen: Chosen, alone: bool = False
    ) -> tuple[list[Sighting], Chosen]:
        """The sightings, of which those that no track leads to are one with a die that one leads to, or with one
        `alone`, where they are likely another end of it, smeared by its flight; and which tracks lead to them.

        What moves away from hands came from somewhere: it was followed, or was one with what is seen beside it.
        """
        parts = {index: [sightings[index]] for index in chosen}
        whole = list(chosen)
        for index in sorted(set(range(len(sightings))) - set(chosen), key=lambda index: -sightings[index].heat):
            thing = sightings[index]
            near = [i for i in whole if is_end(thing, sightings[i], self.die_px)]
            if near:
                parts[min(near, key=lambda i: sightings[i].apart(thing))].append(thing)
                continue
            parts[index] = [thing]
            whole += [index] if alone else []
        order = sorted(parts)
        return [as_one(parts[i]) for i in order], {n: chosen[i] for n, i in enumerate(order) if i in chosen}

    def _match_flying(self, sightings: Sequence[Sighting], chosen: Chosen) -> Chosen:
        """Dice too fast for the gates: what came into view far from every track, and what is missed elsewhere."""
        pairs = []
        for track in missed(self.tracks, chosen):
            for index, sighting in enumerate(sightings):
                flies = track.sighting.may_fly and (sighting.may_fly or self._is_smeared(sighting, sightings))
                flies |= track.free is not None and not track.by_hand and sighting.leaves
                flies &= sighting.outside or not track.has_left(self.t)
                if index not in chosen and self._reaches(track, sighting) and flies:
                    pairs.append((self._moved(track, sighting), track.number, index, track))
        found = nearest_first(pairs)
        hit = self._match_hit(sightings, chosen | found, {index for _, _, index, _ in pairs})
        for index, track in found.items():
            track.doubtful = True  # where no other may be meant, it changes places with none that is seen
            contested = sum(index == seen or track is other for _, _, seen, other in pairs) > 1
            if contested or track.sighting.heat < DIE_HEAT:
                track.crossed = self.t
        return found | hit

    def _is_smeared(self, thing: Sighting, sightings: Sequence[Sighting]) -> bool:
        """Whether this is a die that its flight smears so that it hardly looks like one: nothing else moves there, away
        from hands and from what looks like a die."""
        moves = not (thing.still or thing.near_body or thing.uncovered or thing.bare)
        return moves and all(other.apart(thing) > ALONE * self.die_px for other in sightings if other is not thing)

    def _match_hit(self, sightings: Sequence[Sighting], chosen: Chosen, others: Collection[int]) -> Chosen:
        """The one die that lay here, was seen clear of hands a moment ago and is gone all at once, with the one thing
        that flies now and was nowhere before: nothing moves a die so fast but another that hits it, or a wall.

        `others`: indices of the sightings that any that flew before may be as well.
        """
        lay = [track for track in unmatched(self.tracks, chosen) if track.die is not None]
        gone = [track for track in lay if track.t == self.before and track.sighting.plain]
        new = [i for i, s in enumerate(sightings) if i not in chosen and (s.plain or s.leaves)]
        if len(gone) != 1 or len(new) != 1 or new[0] in others:
            return {}
        sighting = sightings[new[0]]
        hit = self._reaches(gone[0], sighting) and not (sighting.still or sighting.uncovered)
        return {new[0]: gone[0]} if hit else {}


def unmatched(tracks: Sequence[Track], chosen: Mapping[int, Track]) -> list[Track]:
    """Those of the tracks that have no sighting yet."""
    known = {track.number for track in chosen.values()}
    return [track for track in tracks if track.number not in known]


def missed(tracks: Sequence[Track], chosen: Mapping[int, Track]) -> list[Track]:
    """Tracks of things that have not come to rest as dice and are not seen now."""
    return [track for track in unmatched(tracks, chosen) if track.die is None]


def _new(sightings: Sequence[Sighting], chosen: Mapping[int, Track]) -> list[int]:
    """Indices of the sightings to which no track leads and which may be dice that fly, away from any hand."""
    new = [index for index in range(len(sightings)) if index not in chosen]
    return [index for index in new if sightings[index].may_fly and not sightings[index].near_body]


def nearest_first(pairs: Sequence[tuple[float, int, int, Track]], parts: Collection[int] = ()) -> Chosen:
    """Of pairs of distance, track number, sighting's index and track: each track and each sighting once, last
    those that may be no dice: `parts` are indices of such sightings."""
    chosen: Chosen = {}
    taken: set[int] = set()
    for _, number, index, track in sorted(pairs, key=lambda pair: (pair[3].side, pair[2] in parts, *pair[:3])):
        if index not in chosen and number not in taken:
            chosen[index] = track
            taken.add(number)
    return chosen

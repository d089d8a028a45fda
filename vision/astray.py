"""Where it cannot be sure which die a track follows: two may have changed places, or one gone on as another."""

import math
from itertools import combinations

from vision.hit import STRUCK, may_have_hit_away
from vision.matching import LEAP, unmatched
from vision.steps import CROSSING, Steps
from vision.track import FLYING_HEAT, MOVED, Sighting, Track
from vision.tumbling import look_alike
from vision.way import aside, goes_through, lay_there, may_hit, onwards

TOUCHES = 1.2
"""Faces between the middles of two dice of which one passes the other and may touch it: chosen, between 1 (side to
side) and 1.4 (edge to edge)."""


def find_crossed(steps: Steps) -> list[tuple[Track, Track]]:
    """Pairs of tracks that may have gone on in each other's place, as no die passes through another."""
    ways = [(track, to, track.sighting.apart(to)) for track, to in steps.ways]
    found = []
    for (a, to_a, moved_a), (b, to_b, moved_b) in combinations(ways, 2):
        if max(moved_a, moved_b) <= MOVED * steps.die_px:
            continue
        exchanged = a.sighting.apart(to_b) + b.sighting.apart(to_a)
        shorter = exchanged - moved_a - moved_b < CROSSING * steps.die_px
        may_have = shorter or may_have_hit_away(steps, a, to_a, b, to_b) or may_have_hit_away(steps, b, to_b, a, to_a)
        if may_have and not (_would_go_through(steps, a, to_a, b, to_b) or _would_go_through(steps, b, to_b, a, to_a)):
            found.append((a, b))
    return [*found, *_gone_through(steps)]


def find_astray(steps: Steps) -> set[int]:
    """Numbers of the tracks that may have gone where a new thing is seen, or where one that is missed now may have
    come, unless they roll on as they did."""
    new = steps.new
    gone = [track for track in steps.missed if not (track.side or track.sighting.finger)]
    found: set[int] = set()
    for track, to in steps.ways:
        moved = track.sighting.apart(to)
        goes = moved > MOVED * steps.die_px or bool(track.sighting.parts)
        other = goes and any(_comes_from(steps, track, thing) for thing in new)
        leaps = moved > LEAP * steps.die_px and not steps.rolls_on(track, to)
        came = leaps and any(missed.reaches(to, steps.t, steps.die_px) for missed in gone)
        if other or came or (steps.leaps(track, to) and not _is_struck(steps, track)):
            found.add(track.number)
    return found


def stayed_themselves(a: Track, b: Track) -> bool:
    """Whether two dice that may have changed places have not, by their looks."""
    return bool(a.alike and b.alike) and not look_alike(a, b)


def _gone_through(steps: Steps) -> list[tuple[Track, Track]]:
    """Pairs of one that seems to have gone on through where a die lay, and that die, which is not seen: it may have
    been hit away, and be what is seen beyond."""
    before = steps.before
    unseen = (track for track in unmatched(steps.tracks, steps.chosen) if track.die is not None and track.t == before)
    lay = [track for track in unseen if track.sighting.plain and lay_there(track, steps.die_px)]
    ways = [(track, to) for track, to in steps.ways if track.die is None]
    return [(by, die) for die in lay for by, to in ways if to.plain and _touches(steps, by, die.sighting, to)]


def _would_go_through(steps: Steps, by: Track, by_to: Sighting, die: Track, to: Sighting) -> bool:
    """Whether a die that lay there and one that came for it would have gone through each other, had they changed
    places."""
    return may_hit(by, die, steps.before, steps.t) and goes_through(by.sighting, die.sighting, to, by_to, steps.die_px)


def _touches(steps: Steps, by: Track, lay: Sighting, to: Sighting) -> bool:
    """Whether the way to where one is seen now leads past where a die lay, and touches it."""
    came = by.sighting
    farther = onwards(came, lay, to) > 0 and came.apart(lay) < came.apart(to)
    return farther and aside(came, to, lay) < TOUCHES * steps.die_px


def _comes_from(steps: Steps, track: Track, new: Sighting) -> bool:
    """Whether this may be what was followed, or an end of it, which was another die then."""
    seen = ((track.sighting.x, track.sighting.y), *track.sighting.parts)
    return any(math.dist(place, (new.x, new.y)) <= track.gate(steps.t, steps.die_px) for place in seen)


def _is_struck(steps: Steps, die: Track) -> bool:
    """Whether a die that lay here is gone so far because of another, which is seen beside where it was."""
    if die.die is None:
        return False
    others = (to for track, to in steps.ways if track.die is None)
    reach = STRUCK * steps.die_px
    return any(thing.heat >= FLYING_HEAT and thing.apart(die.sighting) < reach for thing in others)

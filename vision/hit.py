"""Dice that others may have hit where they lay: hit away, while what hit them is seen in their place, or told apart."""

import math

from vision.steps import CROSSING, Steps
from vision.track import FLIGHT_PER_S, MOVED, Sighting, Track
from vision.way import AT_ONCE_S, BACK, aside, lay_there, onwards

STRUCK = 2.0
"""Faces from where a die lay within which the one that hit it is seen a moment later: chosen, 1.5 where it was met."""
HARDLY = 0.5
"""Faces that a die moves at most at once which no other has come in the place of and looks like: chosen, it would have
to come from a face away, as the other lay there, at 20 faces a second."""
RETURNS = 0.5
"""Share of its speed that a die has at most when it comes back from a wall or another die: chosen. One that lay gets no
more than the half of that and one from the one that hits it."""


def hit_away(steps: Steps) -> set[int]:
    """Numbers of the tracks of dice that lay there, which may have been hit away, to where something new is seen or
    out of sight for a moment, while what hit them is seen in their place, however alike."""
    hit = [(die, to) for die, to in steps.ways if _stirs(steps, die, to)]
    return {die.number for die, to in hit if _came_as_near(steps, die, to) or _may_be_new(steps, die, to)}


def hardly_moved(steps: Steps) -> list[Track]:
    """Tracks of dice that lie there or did and have hardly moved since a moment ago. Where one looks as it did then it
    is the same, as what comes in the place of another so fast is smeared by its flight; but one that a hit has slowed
    is not, and shows that face by chance: then another seems to have gone past where there was no room for both."""
    lately = [(die, to) for die, to in steps.ways if die.die is not None and steps.t - die.t <= AT_ONCE_S]
    hardly = [(die, to) for die, to in lately if die.sighting.apart(to) <= HARDLY * steps.die_px]
    return [die for die, to in hardly if not _is_in_the_way(steps, die, to)]


def told_apart(steps: Steps) -> dict[int, frozenset[int]]:
    """For each die that was hit where it lay, the numbers of the tracks that are surely not that die now, though nobody
    saw them at the hit: what is hit goes on, and what comes back hit it."""
    hit = [(track, to) for track, to in steps.ways if track.die is not None and track.lain]
    return {die.number: frozenset(_come_back(steps, die, to)) for die, to in hit if not to.still}


def may_have_hit_away(steps: Steps, by: Track, by_to: Sighting, die: Track, to: Sighting) -> bool:
    """Whether `by`, which seems to leap, may have come to where the die seems to be, and hit it away to where `by`
    seems to be."""
    leaps = by_to.may_fly and by_to.plain and steps.leaps(by, by_to)
    hits = leaps and _stirs(steps, die, to) and by.reaches(to, steps.t, steps.die_px)
    return hits and _hits_onwards(steps, by, die, by_to)


def _stirs(steps: Steps, die: Track, to: Sighting) -> bool:
    """Whether what is seen as a die that lay there moves, and does not merely roll on; one that has hardly left its
    place as it is hit does not roll yet, and what takes that place goes the same way."""
    rolls_on = steps.rolls_on(die, to) and not lay_there(die, steps.die_px)
    return die.die is not None and not (to.still or rolls_on)


def _is_in_the_way(steps: Steps, die: Track, to: Sighting) -> bool:
    """Whether a die that was moved has not given way to another that seems to have gone past it: there is no room for
    two nearer to each other than a face between their middles."""
    lay, moved = die.sighting, die.sighting.apart(to)
    if moved <= MOVED * steps.die_px:
        return False
    others = ((other.sighting, by_to) for other, by_to in steps.ways if other is not die)
    past = ((came, by_to) for came, by_to in others if onwards(came, lay, by_to) > 0)
    return any(aside(came, by_to, lay) + moved < steps.die_px for came, by_to in past)


def _came_as_near(steps: Steps, die: Track, to: Sighting) -> bool:
    """Whether one that flew a moment ago, and is missed now, was as near to where a die seems to have come."""
    near = die.sighting.apart(to) + CROSSING * steps.die_px
    return any(gone.flew_lately and gone.sighting.apart(to) < near for gone in steps.missed)


def _may_be_new(steps: Steps, die: Track, to: Sighting) -> bool:
    """Whether a die that seems to be where it came `to` may be something new instead: hit by one that may be anywhere
    now, or, where none of those can be there, by one that nobody saw come."""
    new = [thing for thing in steps.new if thing.may_fly and thing.plain]
    by = [track for track in _unsure(steps) if track is not die and track.reaches(to, steps.t, steps.die_px)]
    if not by:
        return any(die.reaches(thing, steps.t, steps.die_px) for thing in new)
    return any(_hits_onwards(steps, track, die, thing) for track in by for thing in new)


def _unsure(steps: Steps) -> list[Track]:
    """Tracks of what did not lie there, and may be anywhere now: missed, seen far off, or beside a hand before."""
    leaping = [track for track, to in steps.ways if steps.leaps(track, to)]
    unseen = steps.missed
    tracks = (track for track in steps.tracks if track.die is None)
    return [track for track in tracks if track in leaping or track in unseen or track.sighting.near_body]


def _hits_onwards(steps: Steps, by: Track, die: Track, thing: Sighting) -> bool:
    """Whether what was followed as `by` can have hit a die where it was, and that one be this thing now: it goes on the
    way that it is hit, and both take no longer than flights do."""
    came, was = by.sighting, die.sighting
    ways = max(0.0, came.apart(was) - steps.die_px) + was.apart(thing)
    return onwards(came, was, thing) > 0 and ways <= FLIGHT_PER_S * (steps.t - by.t) * steps.die_px


def _come_back(steps: Steps, die: Track, to: Sighting) -> list[int]:
    """Numbers of the tracks that are back now the way from which a die was hit that lay there a moment ago, and seems
    to go on `to` somewhere."""
    assert die.lain is not None
    (t, lay), by = die.lain, _may_have_hit(steps, die)
    thrown = [(track, thing) for track, thing in steps.ways if track.die is None]
    beside = any(track.t > t and track.sighting.apart(lay) < STRUCK * steps.die_px for track, _ in thrown)
    if beside or not by or min(onwards(track.sighting, lay, to) for track in by) <= 0:
        return []
    way = (1 + RETURNS) / 2 * max(_speed(steps, track, t, lay) for track in by) * (steps.t - t)
    back = [(track, thing) for track, thing in thrown if thing.plain and _rebound(steps, die, lay, thing) > way]
    return [
        track.number
        for track, thing in back
        if all(onwards(x.sighting, lay, thing) <= -BACK * steps.die_px for x in by)
    ]


def _may_have_hit(steps: Steps, die: Track) -> list[Track]:
    """Tracks of what may have hit a die that lay there a moment ago, and was not seen since: no fingers."""
    assert die.lain is not None
    t, lay = die.lain
    gone = (track for track in steps.tracks if track.die is None and track.t <= t)
    thrown = (track for track in gone if not (track.side or track.sighting.finger))
    return [track for track in thrown if track.reaches(lay, min(steps.t, die.strayed), steps.die_px)]


def _speed(steps: Steps, by: Track, t: float, lay: Sighting) -> float:
    """Faces per second at which one comes at most that at `t`, s, had not yet hit a die which lay there."""
    if by.t < t:
        return min(FLIGHT_PER_S, max(0.0, by.sighting.apart(lay) / steps.die_px - 1) / (t - by.t))
    return FLIGHT_PER_S if by.speed == (0.0, 0.0) else math.hypot(*by.speed) / steps.die_px


def _rebound(steps: Steps, die: Track, lay: Sighting, thing: Sighting) -> float:
    """Faces that a die which lay there would have gone, had it come to where a thing is from the wall, or from another
    that lies, and not been slower on the way back."""
    others = [other.sighting for other in steps.tracks if other.die not in (None, die.die)]
    ways = [(place.apart(lay) / steps.die_px - 1, place.apart(thing) / steps.die_px - 1) for place in others]
    ways.append((-lay.beyond - 0.5, -thing.beyond - 0.5))
    return min(max(0.0, to) + max(0.0, back) / RETURNS for to, back in ways)

"""Where things lie along the way that one came for another that lay there."""

from vision.track import MOVED, Sighting, Track

AT_ONCE_S = 0.05
"""A step that takes no longer leaves no time to go around another: chosen, one of 20 frames a second."""
BACK = 0.5
"""Faces by which one is back the way from which a die was hit that is not the one that was: chosen."""


def onwards(came: Sighting, lay: Sighting, thing: Sighting) -> float:
    """By how many px a thing is farther on than where one lay, the way that another came for it."""
    way = max(came.apart(lay), 1e-6)
    return ((thing.x - lay.x) * (lay.x - came.x) + (thing.y - lay.y) * (lay.y - came.y)) / way


def aside(came: Sighting, lay: Sighting, thing: Sighting) -> float:
    """How many px a thing is aside of that way."""
    way = max(came.apart(lay), 1e-6)
    return abs((thing.x - lay.x) * (lay.y - came.y) - (thing.y - lay.y) * (lay.x - came.x)) / way


def lay_there(die: Track, die_px: float) -> bool:
    """Whether a die of `die_px` has not moved from where it lay still."""
    return die.lain is not None and die.lain[1].apart(die.sighting) <= MOVED * die_px


def may_hit(by: Track, die: Track, before: float, t: float) -> bool:
    """Whether one that was seen `before`, s, may at once have hit a die by `t`, s, which lay there then."""
    now = by.t == die.t == before and t - before <= AT_ONCE_S
    lay = lay_there(die, die.sighting.size)
    return now and lay and die.die is not None and by.die is None and by.sighting.plain and not by.sighting.still


def goes_through(came: Sighting, lay: Sighting, by_to: Sighting, to: Sighting, die_px: float) -> bool:
    """Whether one that came for a die of `die_px` and that die, seen where they went `to`, went through each other: the
    one is past where the other lay, and that is back the way the one came."""
    past = onwards(came, lay, by_to) > 0 and aside(came, lay, by_to) < die_px
    return past and onwards(came, lay, to) <= -BACK * die_px

"""Which things are but parts of a die that is seen too: an end of one that its flight smears, or one of its sides."""

from collections.abc import Sequence
from dataclasses import replace

from vision.track import DIE_HEAT, FLYING_HEAT, Sighting

SIDE = 0.8
"""Faces from a die within which what looks little like one is a side of it, that shows as it rolls."""
TWICE = 0.6
"""Faces from a die within which what is seen all at once is mostly that die again, seldom one over it."""
SMEARED = 0.9
"""Faces from a die within which one that its flight smears may be seen twice."""


def is_end(thing: Sighting, die: Sighting, die_px: float) -> bool:
    """Whether both move, away from hands, and so near each other that they are likely ends of one die."""
    free = not any(part.still or part.lies or part.near_body for part in (thing, die))
    return free and thing.apart(die) < SMEARED * die_px


def is_side(thing: Sighting, sightings: Sequence[Sighting], die_px: float) -> bool:
    """Whether a thing may be but a side of a die that is seen too."""
    return thing.heat < FLYING_HEAT and _has_die(SIDE * die_px, thing, sightings)


def is_seen_twice(new: Sighting, sightings: Sequence[Sighting], elder: Sequence[Sighting], die_px: float) -> bool:
    """Whether what was not there a moment ago may be a die again that is seen too, though an `elder` one, which was
    there, may look less like it: such a thing is matched last, but may be a die over another."""
    near = TWICE * die_px
    again = _has_die(near, new, sightings) or any(new.apart(die) < near for die in elder if die.heat >= FLYING_HEAT)
    return again and not new.still


def may_be_parts(sightings: Sequence[Sighting], die_px: float) -> set[int]:
    """Indices of sightings that may be but one end of a smeared die, or a side of it, seen beside it as a thing of its
    own."""
    faint = [i for i, thing in enumerate(sightings) if thing.heat < FLYING_HEAT and not thing.near_body]
    dice = [thing for thing in sightings if thing.heat >= FLYING_HEAT]
    smeared = {i for i in faint if any(sightings[i].apart(die) < SMEARED * die_px for die in dice)}
    return smeared | {i for i, thing in enumerate(sightings) if is_side(thing, sightings, die_px)}


def as_one(parts: Sequence[Sighting]) -> Sighting:
    """A die seen in parts: about their middle, and for the rest the plainest of them."""
    if len(parts) == 1:
        return parts[0]
    heat = sum(part.heat for part in parts)
    x, y, beyond = (sum(getattr(p, name) * p.heat for p in parts) / heat for name in ("x", "y", "beyond"))
    places = tuple((part.x, part.y) for part in parts)
    return replace(max(parts, key=lambda part: part.heat), x=x, y=y, beyond=beyond, parts=places)


def _has_die(px: float, thing: Sighting, sightings: Sequence[Sighting]) -> bool:
    """Whether a die that looks no less like one is so near to a thing."""
    dice = (other for other in sightings if other.heat >= max(DIE_HEAT, thing.heat))
    return any(0 < thing.apart(die) < px for die in dice)

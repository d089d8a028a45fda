"""Dice that lie flush with others and were located as one thing with them: they are looked for one face aside."""

import math
from collections.abc import Sequence

from vision.geometry import TrayGeometry
from vision.read import Reading
from vision.resting import Resting

Place = tuple[float, float]
"""x and y, px of the picture, where a die is located."""

ROOM = 0.8
"""Faces between the middles of two places on the floor below which dice cannot lie at both."""
OFF = 0.2
"""Faces that a die's top may be off the place one face aside."""
TURNED_DEG = 8.0
"""A die that lies flush is turned as the other is: their pips tell about how."""


def middle_of(die: Resting, geometry: TrayGeometry) -> Place:
    """Where a die would be located alone that was read surely: two located as one are so between them."""
    return located_at(die.reading.centre, (die.x, die.y), geometry)


def places_beside(die: Resting, dice: Sequence[Resting], geometry: TrayGeometry) -> list[Place]:
    """Where dice flush with one that was read surely would be located: on the floor, and none of these dice there."""
    middle = middle_of(die, geometry)
    face = geometry.face_px(*middle)
    turns = [math.radians(die.reading.angle + 90 * turn) for turn in range(4)]
    places = [(middle[0] + face * math.cos(turn), middle[1] + face * math.sin(turn)) for turn in turns]
    there = [(other.x, other.y) for other in dice if other is not die]
    free = [place for place in places if all(math.dist(place, other) >= ROOM * face for other in there)]
    return [place for place in free if geometry.inside(*place) > 0]


def is_flush(die: Resting, reading: Reading, place: Place, geometry: TrayGeometry, blank: float) -> bool:
    """Whether what was read at such a place is a die of its own, side to side with that one, or likely one that is not
    read surely: less `blank` than this."""
    off = math.dist(located_at(reading.centre, place, geometry), place)
    alone = 1 in (reading.likely, die.value)  # a single pip does not tell how it is turned
    straight = alone or reading.turned_from(die.reading) <= TURNED_DEG
    return (reading.value is not None or reading.blank < blank) and straight and off <= OFF * reading.face_px


def located_at(top: Place, near: Place, geometry: TrayGeometry) -> Place:
    """Where a die would be located whose top's middle is seen at a place, px, near another where one is located."""
    x, y = geometry.top_of(*near)
    return top[0] - x + near[0], top[1] - y + near[1]

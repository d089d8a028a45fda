"""Which dice went over the rim, from their tracks."""

from collections.abc import Sequence

from vision.geometry import TrayGeometry
from vision.track import FLYING_HEAT, Track

RIM_FACES = 1.0
RIM_S = 0.12
"""A die last seen this near the edge went over it if it would have crossed it within this time."""
FLIGHT_TRAVEL = 2.0
"""Faces that a die must have flown outside where it was never seen free over the floor: it came from under the hand."""
UPRIGHT_STEPS = 4
"""And what goes so many steps there without tumbling did not fly: it is a finger's end."""
RIM_TRAVEL = 0.5
"""Faces that a die must have been followed for; less may be a shadow."""


def went_over_rim(tracks: Sequence[Track], geometry: TrayGeometry) -> list[Track]:
    """The tracks, of those lost, whose dice moved freely over the floor and were last seen on their way out of it."""
    return [track for track in tracks if _goes_out(track, geometry)]


def _goes_out(track: Track, geometry: TrayGeometry) -> bool:
    sighting = track.sighting
    if sighting.near_body or sighting.still or track.side:
        return False  # what was last seen beside a die that stays may be a side of it, or that die smeared
    x, y = sighting.x, sighting.y
    here = geometry.inside(x, y)
    if track.free is None:
        flew = track.tumbles > 0 or track.steps < UPRIGHT_STEPS
        return flew and here < 0 and track.travel > FLIGHT_TRAVEL and track.heat >= FLYING_HEAT
    if track.by_hand and track.heat < FLYING_HEAT:
        return False  # a finger, seen apart from its hand as that draws back
    ahead = geometry.inside(x + track.speed[0] * RIM_S, y + track.speed[1] * RIM_S)
    return track.travel >= RIM_TRAVEL and (here < 0 or (here < RIM_FACES and ahead < 0))

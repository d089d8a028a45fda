"""What flies past beyond the floor, too blurred to be located: a die that leaves the tray at once shows for a frame.

It is told by its hue, since shadows of dice fall there too, and by less of that where it looks a little like a die, or
reaches out from what does; one of the rim's own hue is not seen.
"""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.empty import Difference, EmptyTray
from vision.hand import Disc, punch
from vision.pieces import largest
from vision.track import FLYING_HEAT, Sighting

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

BEYOND = (0.5, 4.0)
"""Faces from the floor's edge where it is looked for: nearer, dice that lie by the wall tint it."""
LEAST = 0.3
"""Die areas of it beyond the floor. Of a smeared yellow die over a light brown table the hue of a third shows."""
ABOUT = 1.0
"""Faces about what looks like a die in flight in which a little of another hue tells it."""
SMEAR = 2.0
"""Faces about what looks like a die in flight over the floor in which its smear shows."""
CROSSES = 0.5
"""Die areas of such a smear beyond the floor from which it crosses the rim: of some 160 throws, in a trial that no
command repeats, dice that came back from the wall showed .29 at most, and those that left .8 at least."""
CLEAR = 3.0
"""Faces from any body of this moment or those before: fingers leave the rim as fast."""
STAYS = 2
"""Pictures in which a place must have been body, for a hand to be there."""


class Beyond:
    """Looks for strays in working pictures."""

    def __init__(self, floor: Image, die_px: float) -> None:
        """`floor`: 1 on the floor, 0 elsewhere (h, w); `die_px`: a face in that picture."""
        away = cv2.distanceTransform(1 - floor, cv2.DIST_L2, 3) / die_px
        self._band = ((away > BEYOND[0]) & (away < BEYOND[1])).astype(np.uint8)
        self._die_px = die_px
        self._clear = 2 * round(CLEAR * die_px) + 1

    def flies_past(
        self,
        difference: Difference,
        empty: EmptyTray,
        seen: Sequence[tuple[Sighting, Disc]],
        bodies: Sequence[Mask],
    ) -> bool:
        """Whether something flies past, as far as one picture tells, in which these things are seen.

        difference: what differs from the `empty` tray. bodies: as for `has_stray`.
        """
        moving = [(thing, disc) for thing, disc in seen if not thing.still]
        if difference.tint is None or not moving:
            return False
        still = [disc for thing, disc in seen if thing.still]
        inside = [disc for thing, disc in moving if thing.heat >= FLYING_HEAT and not thing.outside]
        leaving = [disc for thing, disc in moving if thing.outside and not thing.near_body]
        crossing = [disc for thing, disc in moving if _may_cross(thing)]
        faint = empty.faint(difference) if leaving or crossing else None
        if self.has_stray(difference.tint, [*still, *inside], bodies, faint, leaving):
            return True
        return faint is not None and self.is_crossed(difference.tint, faint, still, bodies, crossing)

    def has_stray(
        self,
        tint: Image,
        things: Sequence[Disc],
        bodies: Sequence[Mask],
        faint: Image | None = None,
        flying: Sequence[Disc] = (),
    ) -> bool:
        """Whether something of another hue is there that is neither a thing known for what it is nor near a body.

        tint: 1 where the hue differs from the empty tray's (h, w); faint: where it differs ever so little, which counts
        about what may be `flying` dice. bodies: what was body (h, w) in the last pictures and in this; what was so in a
        single one is no hand, but smeared dice just let go.
        """
        strange = tint
        if faint is not None and flying:
            strange = tint | (faint & self._about(flying, ABOUT))
        return self._shows(strange, things, bodies, LEAST)

    def is_crossed(
        self, tint: Image, faint: Image, still: Sequence[Disc], bodies: Sequence[Mask], flying: Sequence[Disc]
    ) -> bool:
        """Whether one of the dice `flying` over the floor is smeared across the rim; the rest as for `has_stray`."""
        return self._shows((tint | faint) & self._about(flying, SMEAR), still, bodies, CROSSES)

    def _shows(self, strange: Image, things: Sequence[Disc], bodies: Sequence[Mask], least: float) -> bool:
        """Whether so many die areas of it lie together beyond the floor, clear of these things and of bodies."""
        beyond = np.asarray(strange & self._band, np.uint8)
        punch(beyond, things)
        pixels = least * self._die_px**2
        if cv2.countNonZero(beyond) >= pixels and bodies:
            beyond &= self._clear_of(bodies)
        return cv2.countNonZero(beyond) >= pixels and largest(beyond) >= pixels

    def _clear_of(self, bodies: Sequence[Mask]) -> Mask:
        """What (h, w) is far from where bodies were in more than one of these pictures."""
        seen = np.zeros(self._band.shape, np.uint8)
        for body in bodies:
            seen += body
        stays = (seen >= min(len(bodies), STAYS)).astype(np.uint8)
        near = cv2.boxFilter(
            stays, cv2.CV_32S, (self._clear, self._clear), normalize=False, borderType=cv2.BORDER_CONSTANT
        )
        return np.asarray(near == 0, np.bool_)

    def _about(self, flying: Sequence[Disc], faces: float) -> Image:
        near = np.zeros(self._band.shape, np.uint8)
        for die in flying:
            cv2.circle(near, (round(die.x), round(die.y)), round(faces * die.size), 1, -1)
        return near


def _may_cross(thing: Sighting) -> bool:
    """Whether this may be a die that flies over the floor, so near its edge that its smear may reach beyond."""
    flies = thing.heat >= FLYING_HEAT and not (thing.still or thing.outside or thing.near_body)
    return flies and thing.beyond > -SMEAR

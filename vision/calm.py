"""When the dice are at rest: nothing moves and no hand is at them; and since when that is so."""

import math
from collections.abc import Sequence

from vision.perceive import Perception, Scene
from vision.rest import LAG_S, Past, lagged, lay_so
from vision.track import MOVED, Moment, Sighting, Track

MOVING = 0.3
"""Die areas of unexplained motion on the floor that forbid to speak of rest."""
STAYED_S = 0.2
"""What lay so for longer before something passed over it was at rest then: chosen, what rocks stays nowhere so long."""


class Calm:
    """Whether nothing moves and no hand is there, frame after frame, and since when.

    since: when that was first seen, s; infinite while it is not so. rest: since when it was so then, or the last time.
    """

    def __init__(self) -> None:
        """Nothing has been seen yet."""
        self.since = math.inf
        self.rest: Moment = (0.0, 0)
        self._before: Scene | None = None
        self._free: Moment | None = None

    def step(self, now: Moment, scene: Scene, hand: bool, tracks: Sequence[Track], perception: Perception) -> bool:
        """Whether nothing moves in the next scene; `now`: since when it is known to have been so. `hand`: whether one
        is in the tray. `tracks` are of all things that are followed."""
        before, self._before = self._before, scene
        free = self._free or now
        twice = before is not None and min(before.body.area, scene.body.area) > 0  # once, a shadow may seem to be one
        self._free = None if twice else free
        calm = not hand and _is_calm(scene, before, tracks, perception)
        if not calm:
            self.disturb()
        elif self.since == math.inf:
            self.since, self.rest = scene.frame.t, _first_still(scene, tracks, perception, free)
        return calm

    def found(self, scene: Scene, middles: Sequence[tuple[float, float]], perception: Perception) -> None:
        """At these places, px, lie dice that were not located: the rest just seen began no earlier than they lay."""
        if middles and self.since == scene.frame.t:
            self.rest = max(self.rest, _still_since(scene.picture, middles, perception))

    def disturb(self) -> None:
        """Something moves after all."""
        self.since = math.inf

    def lose_sight(self) -> None:
        """Whether a hand is there is no longer known."""
        self.disturb()
        self._free = None


def _is_calm(scene: Scene, before: Scene | None, tracks: Sequence[Track], perception: Perception) -> bool:
    """Whether nothing moves in a scene, and no hand is there or one is only just first seen, after the scene `before`.

    No single picture tells: the last 150 ms must have been seen. `tracks` are of all things that are followed.
    """
    seen = lagged(perception.recent, LAG_S) is not None
    quiet = scene.moving < MOVING if scene.body.area == 0 else _comes_in(scene, before, tracks)
    return seen and quiet and all(thing.still for thing in _that_matter(scene, tracks, perception))


def is_clear(thing: Sighting, scene: Scene) -> bool:
    """Whether a thing is no finger of a hand that comes in, as far as one does."""
    return scene.body.area == 0 or not thing.near_body


def _first_still(scene: Scene, tracks: Sequence[Track], perception: Perception, free: Moment) -> Moment:
    """Since when nothing has moved more than a die at rest may, and no hand has been there; the last was gone from
    `free` on, be it that the next is just first seen."""
    things = _that_matter(scene, tracks, perception)
    return max(_still_since(scene.picture, [(thing.x, thing.y) for thing in things], perception), free)


def _still_since(now: Past, middles: Sequence[tuple[float, float]], perception: Perception) -> Moment:
    """Since when dice have lain at these places, px, as they do now."""
    earlier = perception.lately()
    places = [(x, y, perception.geometry.face_px(x, y)) for x, y in middles]
    first = earlier[0] if earlier else now
    return max((_lain_since(now, place, earlier) for place in places), default=(first.t, first.frame))


def _comes_in(scene: Scene, before: Scene | None, tracks: Sequence[Track]) -> bool:
    """Whether a hand is seen for the first time, away from all dice, and nothing else moved just before: it has not
    touched any yet."""
    if before is None or before.body.area > 0 or before.moving >= MOVING:
        return False
    dice = [track for track in tracks if track.die is not None or track.free is not None or track.let_go]
    seen = [track for track in dice if track.t >= before.frame.t]
    return all(track.t == scene.frame.t and not track.sighting.near_body for track in seen)


def _that_matter(scene: Scene, tracks: Sequence[Track], perception: Perception) -> list[Sighting]:
    """The things that must be still before one can speak of rest: no fingers, be it of a hand beside the tray, nor what
    is printed there.

    A die that spins where its colour is nearly the floor's differs from the empty tray by little, but it came there.
    """
    seen = [track for track in tracks if track.t == scene.frame.t]
    came = [track.sighting for track in seen if track.travel > MOVED and (track.sighting.plain or track.came_flying)]
    things = [thing for thing in scene.sightings if is_clear(thing, scene)]
    new = (thing for thing in things if not thing.bare or thing in came)
    return [thing for thing in new if not (thing.near_body and perception.geometry.inside(thing.x, thing.y) < 0)]


def _lain_since(now: Past, place: tuple[float, float, float], earlier: Sequence[Past]) -> Moment:
    """Since when what lies at a place, px with the face's, has lain so, but for when a shadow passed over it: it may
    have come over one die before the last lay still, and what lay so for long before it lies so since then."""
    first, last = now, now  # since when it has lain so; and until when it lay so before something changed it
    for then in reversed(earlier):
        lay = lay_so(now, then, *place)
        changed = last.t < first.t
        if lay is False or (changed and lay is None):
            last = then
        elif lay and (not changed or last.t - then.t > STAYED_S):
            first = last = then
    return first.t, first.frame

"""What is known of a throw from the tracks of its dice: when they entered, how they tumbled, which left the tray."""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorer.events import DiceThrown
from vision.geometry import TrayGeometry
from vision.rest import FloatArray, likeness
from vision.resting import SAME_LOOK, SAME_PLACE, Resting
from vision.track import DIE_HEAT, FLYING_HEAT, Sighting, Track

RIM_FACES = 1.0
RIM_S = 0.12
"""A die last seen this near the edge went over it if it would have crossed it within this time."""
FLIGHT_TRAVEL = 2.0
"""Faces that a die must have flown outside where it was never seen free over the floor: it came from under the hand."""
FREE_ROLL = 1.5
"""Faces that a thrown die rolls away from any hand; one that is set down, or let go as it slides, goes on less far."""
PLAIN_STEPS = 8
PLAIN_SHARE = 0.5
"""Or one tumbled plainly beside a hand: this share of so many steps."""
MANY_STEPS = 20
ROLLED_SHARE = 0.2
"""Or together they rolled on as far as two such dice, and of so many steps this share tumbled: of a slide's, few do."""
RIM_TRAVEL = 0.5
"""Faces that a die must have been followed for; less may be a shadow."""
PASSES_S = 0.1
"""A die that flies past the rim is beyond it for so long; another light on the table stays."""
MOST_BESIDE = 500
"""Places beside a hand that are remembered: one that plays with dice over the tray makes new ones in every frame."""


Moment = tuple[float, int]
"""A time in s and the number of its frame."""


@dataclass(frozen=True, slots=True)
class Entry:
    """When the first and the last die of a throw entered, s; the frame of the first; each die's share of tumbling
    steps, or none if not all could be followed."""

    t_first: float
    t_last: float
    frame: int
    tumble: tuple[float, ...]


class Crowd:
    """How many dice were seen at once that did not lie there before: bounds the time when the last one entered."""

    def __init__(self) -> None:
        """Nothing has been seen yet."""
        self._counts: list[tuple[float, int]] = []

    def note(self, t: float, count: int) -> None:
        """`count` free dice were in view at `t`."""
        if count and (not self._counts or count > self._counts[-1][1]):
            self._counts.append((t, count))

    def since(self, count: int) -> float:
        """When at least `count` free dice were first seen at once; infinite if they never were."""
        return next((t for t, seen in self._counts if seen >= count), math.inf)


class Beside:
    """Where dice were seen beside the hand that threw them and may have held them yet: the last of these places."""

    def __init__(self) -> None:
        """None was seen yet."""
        self._seen: deque[tuple[Moment, float, float, FloatArray]] = deque(maxlen=MOST_BESIDE)

    def note(self, now: Moment, die: Sighting, look: FloatArray, face_px: float) -> None:
        """A die is there, px, whose face is `face_px` wide, with such a look (see `rest.patch`)."""
        if self.first(die.x, die.y, look, face_px) is None:
            self._seen.append((now, die.x, die.y, look))

    def first(self, x: float, y: float, look: FloatArray, face_px: float) -> Moment | None:
        """When the die that lies there now, px, was first seen there."""
        reach = SAME_PLACE * face_px
        return next(
            (
                moment
                for moment, then_x, then_y, then in self._seen
                if math.dist((x, y), (then_x, then_y)) <= reach and likeness(look, then) > SAME_LOOK
            ),
            None,
        )


class Throw:
    """The dice that have come in since the last rest, of which is said once that they were thrown."""

    def __init__(self) -> None:
        """None has come in."""
        self.crowd, self.beside = Crowd(), Beside()
        self._strays: list[Moment] = []
        self._said = False
        self._began: Moment | None = None

    def cut_short(self, thrown: Sequence[Track]) -> None:
        """The view is lost while these are in the air: nothing but when they came in is known of them any more."""
        seen = [t.free for t in thrown if t.free is not None and t.flew and t.t > t.first_t]
        if seen and not self._said:
            self._began = min(seen)
        self.crowd, self.beside, self._strays, self._said = Crowd(), Beside(), [], False

    def stray(self, now: Moment) -> None:
        """Something is beyond the floor now that cannot be followed."""
        self._strays.append(now)

    @property
    def strayed(self) -> Moment | None:
        """When something flew past beyond the floor; None where nothing did, or where it stayed or came again."""
        passed = self._strays and self._strays[-1][0] - self._strays[0][0] <= PASSES_S
        return self._strays[-1] if passed else None

    def say(
        self,
        tracks: Sequence[Track],
        lost: Sequence[Track],
        now: Moment,
        bare: Mapping[int, float],
        lying: Sequence[Resting] = (),
    ) -> list[DiceThrown]:
        """That the dice of these tracks were thrown, if it was not said; see `entry`.

        lying: the same dice at rest.
        """
        if self._said:
            return []
        self._said = True
        lay = [moment for die in lying if (moment := self.beside.first(die.x, die.y, die.look, die.size)) is not None]
        found = entry(tracks, lost, self.crowd, now, bare, lay)
        t, frame = min((found.t_first, found.frame), self._began or (found.t_first, found.frame))
        return [
            DiceThrown(
                count=len(tracks), t_first=t, t_last=found.t_last, tumble=found.tumble, t=t, frame=frame, t_said=now[0]
            )
        ]


def entry(
    tracks: Sequence[Track],
    lost: Sequence[Track],
    crowd: Crowd,
    now: Moment,
    bare: Mapping[int, float],
    lay: Sequence[Moment],
) -> Entry:
    """When the dice of these tracks entered: were first seen away from the hand. `now`: time and frame, if none was.

    `lost`: tracks that ended meanwhile, maybe of the same dice. `bare`: when the places of those that have not moved
    since were last seen bare, by the tracks' numbers. `lay`: when dice that lie there now were first seen so, beside
    the hand.

    A track that began late may belong to a die that was lost from sight on its way, so the moment at which so many dice
    were in view at once counts if it was earlier; so does a die that lay there until a hand covered it. Dice that a
    hand uncovered at rest do not say when they entered, and one whose place was hidden since it was bare may have come
    ever since. The shares of tumbling are given only where every die could be followed: what a hand hid is no proof of
    a weak throw. But where none of the dice rolled by itself, all shares are 0: they lay there when the hand let them
    be seen.
    """
    covered = [t.free for t in lost if t.free is not None and t.lay and t.die is None and t.sighting.heat >= DIE_HEAT]
    freely = [(t.free, bare.get(t.number, math.inf)) for t in tracks if t.free is not None and _came_freely(t)]
    seen = sorted([*covered, *lay, *(free for free, _ in freely)]) or [now]
    came = [*(t for t, _ in covered), *(min(t, since) for (t, _), since in freely)]
    last = min(max(came or [t for t, _ in lay or [now]]), crowd.since(len(tracks)))
    shares = [round(track.tumble, 3) for track in tracks if track.tumble is not None]
    tumble = tuple(shares) if len(shares) == len(tracks) else ()
    rolled = any(_rolls_freely(track) for track in tracks) or any(_rolls_plainly(track) for track in tracks)
    rolled |= any(_rolls_freely(track) and (track.tumbles > 0 or not track.by_hand) for track in lost)
    if not (rolled or _roll_together(tracks)):
        tumble = (0.0,) * len(tracks)
    return Entry(seen[0][0], max(seen[0][0], last), seen[0][1], tumble)


def _came_freely(track: Track) -> bool:
    """Whether it flew, and not under a hand alone: that one was free only when the hand went away."""
    return track.flew and (track.travel > 0 or not track.by_hand)


def _rolls_freely(track: Track) -> bool:
    """Whether this is surely a die, and no part of a hand, that rolled on by itself."""
    return track.free is not None and track.travel >= FREE_ROLL and track.heat >= DIE_HEAT


def _rolls_plainly(track: Track) -> bool:
    """Whether this tumbled so much that no hand, which it stayed beside, can have made it seem to."""
    return track.steps >= PLAIN_STEPS and track.tumbles >= PLAIN_SHARE * track.steps


def _roll_together(tracks: Sequence[Track]) -> bool:
    """Whether these dice, none of which went far by itself, surely rolled on, all taken together."""
    steps, tumbles = sum(track.steps for track in tracks), sum(track.tumbles for track in tracks)
    far = sum(track.travel for track in tracks if track.free is not None and track.heat >= DIE_HEAT)
    return far >= 2 * FREE_ROLL and steps >= MANY_STEPS and tumbles >= ROLLED_SHARE * steps


def went_over_rim(tracks: Sequence[Track], geometry: TrayGeometry) -> list[Track]:
    """The tracks, of those lost, whose dice moved freely over the floor and were last seen on their way out of it."""
    return [track for track in tracks if _goes_out(track, geometry)]


def _goes_out(track: Track, geometry: TrayGeometry) -> bool:
    sighting = track.sighting
    if sighting.near_body or sighting.still:
        return False
    x, y = sighting.x, sighting.y
    here = geometry.inside(x, y)
    if track.free is None:
        return here < 0 and track.travel > FLIGHT_TRAVEL and track.heat >= FLYING_HEAT
    if track.by_hand and track.heat < FLYING_HEAT:
        return False  # a finger, seen apart from its hand as that draws back
    ahead = geometry.inside(x + track.speed[0] * RIM_S, y + track.speed[1] * RIM_S)
    return track.travel >= RIM_TRAVEL and (here < 0 or (here < RIM_FACES and ahead < 0))

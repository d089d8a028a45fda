"""Hands that come and go: when one is in the tray, and whether it came in while thrown dice still moved."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scorer.events import BodyInterfered, HandEntered, HandLeft
from vision.hand import HandSwitch
from vision.interference import Interference
from vision.perceive import Perception, Scene
from vision.report import When
from vision.resting import SET
from vision.track import Moment, Track

AWAY_S = 0.2
"""A hand that was away for less is the throwing hand still..."""
ASIDE = 5.0
"""...unless it comes in so many faces aside: that one is another's. It is told over the floor where nobody sees where
one of them reaches in, as an arm may look like the table."""
FOLLOWS_S = 0.35
"""The hand of one who threw from beside the tray may follow the dice for so long: chosen..."""
FOLLOWS_FIRST_S = 1.0
"""...and for so long the first of them, while others may be in that hand yet."""
BEFORE_LENS = 0.8
"""Share of the floor from which what hides it at once is before the lens, and no hand in the tray."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a hand was when it was last seen, px: its middle over the floor, and where its arm reached in, as far as
    that was seen of it."""

    over: tuple[float, float] | None = None
    arm: tuple[float, float] | None = None

    def apart(self, other: "Reach") -> float:
        """Px to another: along the border, if both are known to reach in there, or else over the floor."""
        if self.arm is not None and other.arm is not None:
            return math.dist(self.arm, other.arm)
        return 0.0 if self.over is None or other.over is None else math.dist(self.over, other.over)


class Visits:
    """The hand that is in the tray or was there last: where it reaches in, and when it left."""

    def __init__(self) -> None:
        """None has come yet."""
        self._switch, self._interference = HandSwitch(), Interference()
        self._reach, self._left_at = Reach(), Reach()
        self._left: Moment | None = None

    @property
    def present(self) -> bool:
        """Whether a hand is in the tray."""
        return self._switch.present

    def step(
        self, now: Moment, scene: Scene, thrown: Sequence[Track], known: int, perception: Perception
    ) -> list[HandEntered | HandLeft | BodyInterfered]:
        """What is to be said of hands since `now`, while these dice are in view that were thrown, of so many that are
        known to be in no hand."""
        frame, events = scene.frame, list[HandEntered | HandLeft | BodyInterfered]()
        self._interference.step(frame.t, thrown)
        changed = self._switch.step(*now, scene.body)
        if scene.body.area > 0:
            self._reach = Reach(perception.over or self._reach.over, perception.arm or self._reach.arm)
        # one that came in a moment ago may have done so while a die moved that had almost come to rest
        came = self._interference.moved_on(frame.t, perception.recent, perception.geometry)
        if came is not None:
            events.append(BodyInterfered(t=came[0], frame=came[1], t_said=frame.t))
        if changed is None:
            return events
        when: When = {"t": changed[0], "frame": changed[1], "t_said": frame.t}
        if not self.present:
            self._left, self._left_at, self._reach = changed, self._reach, Reach()
            return [*events, HandLeft(**when)]
        events.append(HandEntered(**when))
        follows = FOLLOWS_S if known >= SET else FOLLOWS_FIRST_S
        return [*events, BodyInterfered(**when)] if self._interferes(changed, thrown, follows, perception) else events

    def rest(self) -> None:
        """The dice have come to rest: no hand has thrown any since."""
        self._interference, self._left = Interference(), None

    def lose_sight(self) -> None:
        """Where thrown dice were clear of any hand is no longer known."""
        self._interference = Interference()

    def _interferes(self, came: Moment, thrown: Sequence[Track], follows: float, perception: Perception) -> bool:
        """Whether a hand came in while thrown dice still moved, after the hand that threw them had left, or so many s
        after they left one beside the tray."""
        if self._left is None:  # nobody's hand was in: whoever threw stood beside the tray
            left = min((track.free[0] for track in thrown if track.free is not None), default=math.inf)
            throws_still = came[0] - left < follows
        else:
            left = self._left[0]
            throws_still = came[0] - left < AWAY_S and not self._is_another(perception)
        if throws_still or perception.hidden > BEFORE_LENS:
            return False
        if self._interference.moving(left, came[0], perception.recent, perception.geometry):
            return True
        self._interference.watch(came)
        return False

    def _is_another(self, perception: Perception) -> bool:
        """Whether the hand that is in now reaches in from elsewhere than the one that left."""
        return self._reach.apart(self._left_at) > ASIDE * perception.geometry.die_px

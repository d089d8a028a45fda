"""Acts a recording: each call lets a player do one thing, looks how the dice fall, and moves the clock on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from models.sim.die import face_up, lowest_point, top_face, upmost_face
from models.sim.errors import SimulatorError
from models.sim.gesture import HandPose, Key, Player, Visit, held, own_turn, points_of
from models.sim.hand import carried
from models.sim.manner import CLOSED_HAND, Manner
from models.sim.moves import Aim, reach_down, reaching_order
from models.sim.outcome import Landed, Outcome, rests_at_once, settled, tumbled
from models.sim.physics import LIMIT_S, RATE_HZ, Lying, Released, Ways, fall, rolled
from models.sim.pose import Pose, Quaternion, Vec3, multiply, random_rotation
from models.sim.rig import Rig
from models.sim.scene import FLAT_TILT_DEG, Lens, Tray, room_inside
from models.sim.script import Away, Carried, Chapter, Choice, Falls, Flash, Lies, Moved, Setting, Timeline
from models.sim.shape import Make
from models.sim.sheet import Laid
from models.sim.view import project
from scorer.events import HoldAnswered, PlayerInput

THROW_TRIES = 1500
CLEAR_TRIES = 1000
"""After so many a throw will do that knocks a die away beside the hand."""
REACH_STEP_MM = 10.0
TURN_S = 0.16
"""A hand turns a die over in so long, at most."""
KNOCKED_SIDES = 0.3
"""A lying die that a throw moves farther than this was knocked away, not just touched."""
CLEAR_SIDES, CLEAR_S = 1.5, (0.04, 0.15)
"""Sides of a die that the hand stays clear of one that is knocked away, and for how long before and after: nearer to
the fingers nobody could tell, from above, whether they or the throw moved it."""

Guide = Callable[[list[Released]], list[Released] | None]
"""Changes how dice leave the hand, but not from where; None where nothing can come of this throw."""


def turn_span(visit: Visit) -> tuple[float, float]:
    """From when on and for how long the hand of a visit with the keys of `Stage.turning` turns its die, s."""
    _, _, down, still, *_ = visit.keys
    seconds = max(round(min(still.t - down.t, TURN_S) * RATE_HZ), 1) / RATE_HZ
    return (down.t + still.t - seconds) / 2, seconds


def sides_beside(lens: Lens, body: NDArray[np.float64], die: Pose, side_mm: float) -> float:
    """Sides of a die, as they are seen, from its middle to the nearest of a body's points (n, 2), px."""
    x, y, z = die.position
    middle, aside = project(lens, [(x, y, z), (x + side_mm, y, z)])
    return float(np.linalg.norm(body - middle, axis=1).min() / np.linalg.norm(aside - middle))


def _as_drawn(thrown: list[Released]) -> list[Released] | None:
    return thrown


class Stage:
    """The tray, the players and the clock while a scenario is acted.

    All chance comes from `rng`, so that a scenario with the same generator acts the same. `clock` is the second of
    the recording at which the next thing may begin. `rig` is the camera: its frame rate, and what befalls it.
    """

    def __init__(self, setting: Setting, rng: np.random.Generator) -> None:
        self.setting = setting
        self.rng = rng
        self.rig = Rig()
        self.clock = float(rng.uniform(0.9, 1.3))
        self._stories: list[list[Chapter]] = [[Away(0.0)] for _ in setting.dice]
        self._visits: list[Visit] = []
        self._flashes: list[Flash] = []
        self._sheets: list[Laid] = []
        self._choices: list[Choice | PlayerInput] = []
        self._expected: list[tuple[str, Mapping[str, object]]] = []

    # --- what lies there ---

    def lying(self) -> dict[int, Pose]:
        """Every die that lies still now, in the tray or beside it."""
        last = {die: story[-1] for die, story in enumerate(self._stories)}
        return {die: chapter.pose for die, chapter in last.items() if isinstance(chapter, Lies)}

    def in_tray(self) -> list[int]:
        """The dice that lie on the floor, cocked or flat."""
        tray = self.setting.tray
        return [die for die, pose in self.lying().items() if room_inside(tray, *pose.position) > 0]

    def cocked(self) -> list[int]:
        """The dice that lean in the tray."""
        return [die for die in self.in_tray() if upmost_face(self.lying()[die])[1] > FLAT_TILT_DEG]

    def value(self, die: int) -> int:
        """The value on top of a lying die."""
        return top_face(self.setting.dice[die], self.lying()[die])[0]

    def values(self) -> tuple[int, ...]:
        """Sorted values of the dice in the tray."""
        return tuple(sorted(self.value(die) for die in self.in_tray()))

    def last_fall(self) -> tuple[float, float]:
        """When the dice thrown last were let go, and when the last of them lay still."""
        falls = [(a.since, b.since) for story in self._stories for a, b in pairwise(story) if isinstance(a, Falls)]
        latest = max(start for start, _ in falls)
        return latest, max(end for start, end in falls if start == latest)

    # --- what players do ---

    def throw(
        self,
        player: Player,
        dice: Sequence[int],
        wanted: Outcome = settled,
        vigour: float = 1.0,
        late: Mapping[int, float] | None = None,
        hits: bool = False,
        manner: Manner = CLOSED_HAND,
        guide: Guide = _as_drawn,
        limit_s: float = LIMIT_S,
        clear_sides: float | None = None,
    ) -> None:
        """The player's hand comes with these dice, shakes and throws them; tried until they fall as wanted.

        Dice named in `late` leave the hand so many seconds after the others; with `hits` lying dice may be knocked,
        well away from the hand where it can be, or at least so many `clear_sides` of a die. `manner` is how the hand
        holds and throws them, `guide` has a say in how they leave it, and within `limit_s` of the last they must lie
        still.

        Raises:
            SimulatorError: no throw fell as wanted; another seed will.
        """
        make, late = manner.make(player), late or {}
        places = manner.places(make, len(dice), max(self.setting.dice[die].side_mm for die in dice))
        outside = self.out_of_sight(player, make, manner.roll)
        moments = sorted({0.0, *late.values()})
        spare = None
        for tried in range(THROW_TRIES):
            if spare is not None and tried > CLEAR_TRIES:
                break
            release = self.clock + manner.waits + float(self.rng.uniform(0.95, 1.5))
            aim = manner.aim(self.rng, self.setting.tray, player, vigour)
            keys = manner.keys(player, aim, outside, self.clock, [release + moment for moment in moments])
            visit = Visit(player, keys, make)
            turns = [random_rotation(self.rng) for _ in dice]
            thrown = guide(self._released(visit, release, aim, dice, places, turns, late))
            if thrown is None:
                continue
            ways = fall(self.setting.tray, thrown, self.obstacles(), self.setting.surface, limit_s, hits)
            if (
                ways is not None
                and wanted(landed := self.landed(dice, ways))
                and tumbled(landed)
                and rests_at_once(landed)
            ):
                clear = self._knocks_in_view(visit, release, landed, clear_sides or CLEAR_SIDES)
                spare = (visit, release, thrown, landed) if clear or clear_sides is None else spare
                if clear:
                    break
        if spare is None:
            raise SimulatorError("no throw fell as the scenario wants it: choose another --seed")
        visit, release, thrown, landed = spare
        index = self.enter(visit)
        for die, place, let_go in zip(dice, places, thrown, strict=True):
            wrist = visit.at(release + let_go.after, self.setting.tray, []).wrist
            self.tell(die, Carried(visit.start, index, place, own_turn(wrist, let_go.pose)))
        self.let_fall(release, landed, late)
        self.clock = max(self.clock, visit.end) + float(self.rng.uniform(0.5, 1.5))

    def let_fall(self, release: float, landed: Landed, late: Mapping[int, float]) -> None:
        """Dice thrown go their ways, from `release` or so much later, and those that they hit; until all rest."""
        for die, way in landed.ways.items():
            since = release + late.get(die, 0.0)
            self.tell(die, Falls(since, way))
            self.tell(die, Lies(since + way.seconds, way.last))
            self.clock = max(self.clock, since + way.seconds)
        for die, way in landed.hit.items():
            self.tell(die, Moved(release + way.begins, way.after(way.begins)))
            self.tell(die, Lies(release + way.seconds, way.last))

    def landed(self, dice: Sequence[int], ways: Ways) -> Landed:
        """How a throw of these dice came to rest among those that lay there."""
        before = self.lying()
        hit = {die: ways.hit[k] for k, die in enumerate(before) if k in ways.hit}
        after = {die: hit[die].last if die in hit else pose for die, pose in before.items()}
        return Landed(self.setting, before, after, dict(zip(dice, ways.thrown, strict=True)), hit)

    def take(self, player: Player, dice: Sequence[int]) -> None:
        """The player's empty hand comes, picks these dice up one after the other, and leaves with them."""
        lying = self.lying()
        order = reaching_order(player, {die: lying[die] for die in dice})
        visit = self.taking(player, order)
        self.taken(visit, self.enter(visit), order)
        self.clock = visit.end + float(self.rng.uniform(0.3, 0.9))

    def taken(self, visit: Visit, index: int, order: Sequence[int]) -> None:
        """The dice that a hand picks up in a visit which begins with the keys of `taking`, and carries away."""
        lying = self.lying()
        places = carried(visit.player.make, len(order), self.setting.dice[order[0]].side_mm)
        for n, (die, place) in enumerate(zip(order, places, strict=True)):
            grab = visit.keys[2 + 3 * n].t
            wrist = visit.at(grab, self.setting.tray, []).wrist
            self.tell(die, Carried(grab, index, place, own_turn(wrist, lying[die]), lying[die]))
            self.tell(die, Away(visit.end))

    def taking(self, player: Player, order: Sequence[int]) -> Visit:
        """The visit of a hand that picks up dice in this order: it comes, three keys for each die, it leaves."""
        lying = self.lying()
        keys = [Key(self.clock, self.out_of_sight(player), closed=0.3)]
        for n, die in enumerate(order):
            place, ahead = lying[die].position, np.asarray(lying[die].position) - keys[-1].place
            t = keys[-1].t + (0.42 if n == 0 else 0.1 + float(np.linalg.norm(ahead)) / 900)
            keys += reach_down(place, t, 0.35 + 0.4 * (n + 1) / len(order))
        return Visit(player, (*keys, Key(keys[-1].t + 0.5, self.out_of_sight(player), closed=1.0)))

    def turn(self, player: Player, die: int, value: int, quickly: bool = False) -> None:
        """The player's hand turns a lying die to another value and leaves, `quickly` in well under a second."""
        pose = self.lying()[die]
        visit = self.turning(player, pose.position, quickly)
        self.turned(visit, self.enter(visit), die, pose, value)
        self.clock = visit.end + float(self.rng.uniform(0.5, 1.0))

    def turning(self, player: Player, place: Vec3, quickly: bool = False) -> Visit:
        """The visit of a hand that turns a die which lies there: it comes, grasps, lets go, rises and leaves."""
        quick = self.rng.uniform(0.55, 0.8) if quickly else 1.0
        start = Key(self.clock, self.out_of_sight(player), closed=0.4)
        down = reach_down(place, self.clock + 0.45 * quick, 0.7)
        held = float(self.rng.uniform(0.06, 0.12) if quickly else self.rng.uniform(0.25, 0.5))
        up = Key(down[-1].t + held, down[-1].place, down[-1].pitch, 0.0, 0.5)
        out = Key(up.t + 0.5 * quick, start.place, closed=0.4)
        still = Key(down[1].t + held, down[1].place, down[1].pitch, 0.25, 0.8)
        return Visit(player, (start, *down[:2], still, up, out))

    def turned(self, visit: Visit, index: int, die: int, pose: Pose, value: int) -> None:
        """A die with this pose is turned to a value by the hand of a visit with the keys of `turning`."""
        look, (begins, seconds) = self.setting.dice[die], turn_span(visit)
        rotation = face_up(look, value, float(self.rng.uniform(-0.3, 0.3)))
        x, y = (float(v) + float(self.rng.uniform(-1, 1)) for v in pose.position[:2])
        turned = Pose((x, y, lowest_point(look, rotation)), rotation)
        way = rolled(look, pose, turned, seconds)
        self.tell(die, Moved(begins, way, index))
        self.tell(die, Lies(begins + way.seconds, turned))

    def fetch(self, player: Player, die: int) -> None:
        """A die that fell off the tray is brought back to the player: by a hand if it lies in the picture."""
        pose, side = self.lying()[die], self.setting.dice[die].side_mm
        if not self.setting.shows(pose, side):
            self.tell(die, Away(self.clock))
            self.clock += float(self.rng.uniform(0.6, 1.2))
            return
        from_outside = Player(player.name, player.make, float(np.arctan2(pose.position[1], pose.position[0])))
        self.take(from_outside, [die])

    def choose(self, player: Player, box: str | None = None) -> None:
        """The player names a box (the best one, if none is given)."""
        self._choices.append(Choice(self.clock, player.name, box))
        self.clock += float(self.rng.uniform(0.4, 0.8))

    def answer(self, counts: bool) -> None:
        """People let a held roll count, or refuse it."""
        self._choices.append(HoldAnswered(t=round(self.clock, 3), counts=counts))
        self.clock += float(self.rng.uniform(0.4, 0.8))

    def expect(self, name: str, **fields: object) -> None:
        """The scenario states that this ruling must come next."""
        self._expected.append((name, fields))

    def finish(self, pause: float = 0.5) -> Timeline:
        """The recording as it was acted so far, ending after a pause."""
        return Timeline(
            self.setting,
            self.rig.clock(self.clock + pause),
            tuple(tuple(story) for story in self._stories),
            tuple(self._visits),
            tuple(self._choices),
            tuple(self._expected),
            tuple(self._flashes),
            self.rig.conditions,
            self.rig.camera,
            tuple(self._sheets),
        )

    # --- how it is done ---

    def enter(self, visit: Visit) -> int:
        """A hand comes; the number of its visit."""
        self._visits.append(visit)
        return len(self._visits) - 1

    def flash(self, flash: Flash) -> None:
        """A lamp is lit for a moment."""
        self._flashes.append(flash)

    def lay(self, sheet: Laid) -> None:
        """Where the printed sheet lies from a moment on."""
        self._sheets.append(sheet)

    def hand_over(self, die: int, giving: Carried, since: float) -> None:
        """A die that a hand now carries was in another until then, and was given to it at `since`."""
        story = self._stories[die]
        k = max(k for k, chapter in enumerate(story) if isinstance(chapter, Carried))
        taking = story[k]
        assert isinstance(taking, Carried)
        hand = self.finish().hand_at(since, self._visits[giving.visit])
        given = held(hand, giving.place, giving.rotation)
        story[k : k + 1] = [giving, replace(taking, since=since, taken_from=given)]

    def last_visit(self) -> Visit:
        """The hand that came last."""
        return self._visits[-1]

    def tell(self, die: int, chapter: Chapter) -> None:
        """The next chapter of a die's story."""
        self._stories[die].append(chapter)

    def cut(self, die: int, t: float) -> None:
        """What the die would do later than `t` is not to be: another thing happens to it then."""
        self._stories[die] = [chapter for chapter in self._stories[die] if chapter.since <= t]

    def obstacles(self) -> list[Lying]:
        """The dice that lie still, as falling dice meet them."""
        return [Lying(self.setting.dice[die], pose) for die, pose in self.lying().items()]

    def _released(
        self,
        visit: Visit,
        release: float,
        aim: Aim,
        dice: Sequence[int],
        places: Sequence[Vec3],
        turns: Sequence[Quaternion],
        late: Mapping[int, float],
    ) -> list[Released]:
        """The dice as the opening hand lets them go, all a little different."""
        wrists = {t: self._hand_at(visit, release + t).wrist for t in {0.0, *late.values()}}
        thrown = []
        for k, die in enumerate(dice):
            speed = aim.speed * float(self.rng.uniform(0.8, 1.15))
            vx, vy = aim.along * speed + self.rng.normal(size=2) * 70
            spin = self.rng.normal(size=3) * 13
            wrist = wrists[after := late.get(die, 0.0)]
            x, y, z = (float(v) for v in wrist.to_world([places[k]])[0])
            thrown.append(
                Released(
                    self.setting.dice[die],
                    Pose((x, y, z), multiply(wrist.rotation, turns[k])),
                    (float(vx), float(vy), float(self.rng.uniform(-250, 50))),
                    (float(spin[0]), float(spin[1]), float(spin[2])),
                    after,
                )
            )
        return thrown

    def _hand_at(self, visit: Visit, t: float) -> HandPose:
        """The hand of a visit at `t`, kept clear of the tray and of the dice that lie there now."""
        lying = [(pose.position, self.setting.dice[die].side_mm) for die, pose in self.lying().items()]
        return visit.at(t, self.setting.tray, lying)

    def _knocks_in_view(self, visit: Visit, release: float, landed: Landed, sides: float) -> bool:
        """Whether the hand is seen well beside every lying die that the throw knocks away, when it does."""
        before, after = CLEAR_S
        for die, way in landed.hit.items():
            side, begins = landed.setting.dice[die].side_mm, way.begins
            if way.moved_mm < KNOCKED_SIDES * side:
                continue
            for t in np.arange(begins - before, begins + after, before):
                if self._hand_beside(visit, release + float(t), way.at(max(float(t), 0.0)), side) < sides:
                    return False
        return True

    def _hand_beside(self, visit: Visit, t: float, die: Pose, side_mm: float) -> float:
        """Sides of a die, as they are seen, from its middle to the nearest of the hand."""
        hand = project(self.setting.lens, points_of(visit, self._hand_at(visit, t)))
        return sides_beside(self.setting.lens, hand, die, side_mm)

    def out_of_sight(self, player: Player, body: Make | None = None, roll: float = 0.0, height: float = 95.0) -> Vec3:
        """Where the hollow of the player's hand, or the middle of another body, is when nothing of it is seen."""
        return _out_of_sight(self.setting.lens, self.setting.tray, player, body, roll, height)


@lru_cache(maxsize=64)
def _out_of_sight(lens: Lens, tray: Tray, player: Player, body: Make | None, roll: float, height: float) -> Vec3:
    """Where `Stage.out_of_sight` is: kept, because a player comes and goes many times."""
    width, height_px = lens.size
    for distance in np.arange(120.0, 900.0, REACH_STEP_MM):
        x, y = player.outward * distance
        place = (float(x), float(y), height)
        probe = Visit(player, tuple(Key(t, place, roll=roll, closed=0.0) for t in (0.0, 1.0)), body)
        px, py = project(lens, points_of(probe, probe.at(0.5, tray, []))).T
        if not ((px > -12) & (px < width + 12) & (py > -12) & (py < height_px + 12)).any():
            return place
    raise SimulatorError("the picture shows so much that no hand can leave it: move the camera nearer")

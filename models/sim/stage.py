"""Acts a recording: each call lets a player do one thing, looks how the dice fall, and moves the clock on."""

from collections.abc import Mapping, Sequence

import numpy as np

from models.sim.die import face_up, lowest_point, top_face, upmost_face
from models.sim.errors import SimulatorError
from models.sim.gesture import Key, Player, Visit, body_points, own_turn
from models.sim.hand import carried
from models.sim.moves import Aim, reach_down, reaching_order, throwing
from models.sim.outcome import Outcome, settled
from models.sim.physics import Lying, Released, fall
from models.sim.pose import Pose, Quaternion, Vec3, multiply, random_rotation
from models.sim.scene import FLAT_TILT_DEG, room_inside
from models.sim.script import Away, Carried, Chapter, Choice, Falls, Lies, Setting, Timeline
from models.sim.view import project

THROW_TRIES = 1500
REACH_STEP_MM = 10.0


class Stage:
    """The tray, the players and the clock while a scenario is acted.

    All chance comes from `rng`, so that a scenario with the same generator acts the same. `clock` is the second of
    the recording at which the next thing may begin.
    """

    def __init__(self, setting: Setting, rng: np.random.Generator) -> None:
        self.setting = setting
        self.rng = rng
        self.clock = float(rng.uniform(0.9, 1.3))
        self._stories: list[list[Chapter]] = [[Away(0.0)] for _ in setting.dice]
        self._visits: list[Visit] = []
        self._choices: list[Choice] = []
        self._turned: list[tuple[float, int]] = []
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

    # --- what players do ---

    def throw(self, player: Player, dice: Sequence[int], wanted: Outcome = settled, vigour: float = 1.0) -> None:
        """The player's hand comes with these dice, shakes and throws them; tried until they fall as wanted.

        Raises:
            SimulatorError: no throw fell as wanted; another seed will.
        """
        places = carried(player.make, len(dice), max(self.setting.dice[die].side_mm for die in dice))
        for _ in range(THROW_TRIES):
            release = self.clock + float(self.rng.uniform(0.95, 1.5))
            aim = Aim.drawn(self.rng, self.setting.tray, player, vigour)
            visit = Visit(player, throwing(aim, self.out_of_sight(player), self.clock, release))
            turns = [random_rotation(self.rng) for _ in dice]
            thrown = self._released(visit, release, aim, dice, places, turns)
            falls = fall(self.setting.tray, thrown, self.obstacles(), self.setting.surface)
            if falls is not None and wanted(
                self.setting, self.lying(), dict(zip(dice, (f.last for f in falls), strict=True))
            ):
                break
        else:
            raise SimulatorError("no throw fell as the scenario wants it: choose another --seed")
        index = self.enter(visit)
        for die, place, turn, way in zip(dice, places, turns, falls, strict=True):
            self.tell(die, Carried(visit.start, index, place, turn))
            self.tell(die, Falls(release, way))
            self.tell(die, Lies(release + way.seconds, way.last))
        rest = max(release + max(way.seconds for way in falls), visit.end)
        self.clock = rest + float(self.rng.uniform(0.5, 1.5))

    def take(self, player: Player, dice: Sequence[int]) -> None:
        """The player's empty hand comes, picks these dice up one after the other, and leaves with them."""
        lying = self.lying()
        order = reaching_order(player, {die: lying[die] for die in dice})
        keys = [Key(self.clock, self.out_of_sight(player), closed=0.3)]
        grabs = []
        for n, die in enumerate(order):
            place, ahead = lying[die].position, np.asarray(lying[die].position) - keys[-1].place
            t = keys[-1].t + (0.42 if n == 0 else 0.1 + float(np.linalg.norm(ahead)) / 900)
            keys += reach_down(place, t, 0.35 + 0.4 * (n + 1) / len(order))
            grabs.append(keys[-2].t)
        keys.append(Key(keys[-1].t + 0.5, self.out_of_sight(player), closed=1.0))
        visit = Visit(player, tuple(keys))
        index = self.enter(visit)
        places = carried(player.make, len(order), self.setting.dice[order[0]].side_mm)
        for die, place, grab in zip(order, places, grabs, strict=True):
            wrist = visit.at(grab, self.setting.tray, []).wrist
            self.tell(die, Carried(grab, index, place, own_turn(wrist, lying[die]), lying[die]))
            self.tell(die, Away(visit.end))
        self.clock = visit.end + float(self.rng.uniform(0.3, 0.9))

    def turn(self, player: Player, die: int, value: int) -> None:
        """The player's hand turns a lying die to another value and leaves."""
        pose, look = self.lying()[die], self.setting.dice[die]
        start = Key(self.clock, self.out_of_sight(player), closed=0.4)
        down = reach_down(pose.position, self.clock + 0.45, 0.7)
        held = float(self.rng.uniform(0.25, 0.5))
        up = Key(down[-1].t + held, down[-1].place, down[-1].pitch, 0.0, 0.5)
        out = Key(up.t + 0.5, start.place, closed=0.4)
        still = Key(down[1].t + held, down[1].place, down[1].pitch, 0.25, 0.8)
        visit = Visit(player, (start, *down[:2], still, up, out))
        self.enter(visit)
        moment = (down[1].t + still.t) / 2
        turned = face_up(look, value, float(self.rng.uniform(-0.3, 0.3)))
        x, y = (float(v) + float(self.rng.uniform(-1, 1)) for v in pose.position[:2])
        self.tell(die, Lies(moment, Pose((x, y, lowest_point(look, turned)), turned)))
        self._turned.append((moment, die))
        self.clock = visit.end + float(self.rng.uniform(0.5, 1.0))

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

    def expect(self, name: str, **fields: object) -> None:
        """The scenario states that this ruling must come next."""
        self._expected.append((name, fields))

    def finish(self, pause: float = 0.5) -> Timeline:
        """The recording as it was acted so far, ending after a pause."""
        return Timeline(
            self.setting,
            self.clock + pause,
            tuple(tuple(story) for story in self._stories),
            tuple(self._visits),
            tuple(self._choices),
            tuple(self._turned),
            tuple(self._expected),
        )

    # --- how it is done ---

    def enter(self, visit: Visit) -> int:
        """A hand comes; the number of its visit."""
        self._visits.append(visit)
        return len(self._visits) - 1

    def tell(self, die: int, chapter: Chapter) -> None:
        """The next chapter of a die's story."""
        self._stories[die].append(chapter)

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
    ) -> list[Released]:
        """The dice as the opening hand lets them go, all a little different."""
        lying = [(pose.position, self.setting.dice[die].side_mm) for die, pose in self.lying().items()]
        wrist = visit.at(release, self.setting.tray, lying).wrist
        at = wrist.to_world(list(places))
        thrown = []
        for k, die in enumerate(dice):
            speed = aim.speed * float(self.rng.uniform(0.8, 1.15))
            vx, vy = aim.along * speed + self.rng.normal(size=2) * 70
            spin = self.rng.normal(size=3) * 13
            x, y, z = (float(v) for v in at[k])
            pose = Pose((x, y, z), multiply(wrist.rotation, turns[k]))
            thrown.append(
                Released(
                    self.setting.dice[die],
                    pose,
                    (float(vx), float(vy), float(self.rng.uniform(-250, 50))),
                    (float(spin[0]), float(spin[1]), float(spin[2])),
                )
            )
        return thrown

    def out_of_sight(self, player: Player) -> Vec3:
        """Where the hollow of the player's hand is when nothing of it is in the picture."""
        width, height = self.setting.lens.size
        for distance in np.arange(120.0, 600.0, REACH_STEP_MM):
            x, y = player.outward * distance
            place = (float(x), float(y), 95.0)
            probe = Visit(player, (Key(0.0, place, closed=0.0), Key(1.0, place, closed=0.0)))
            wrist = probe.at(0.5, self.setting.tray, []).wrist
            px = project(self.setting.lens, wrist.to_world(body_points(player.make, 0)))
            if not ((px > -12) & (px < (width + 12, height + 12))).all(axis=1).any():
                return place
        raise SimulatorError("the picture shows so much that no hand can leave it: move the camera nearer")

"""The whole truth about a recording: what a perfect watcher reports of it, and what the umpire rules on that."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from models.sim.die import PlacedDie, top_face
from models.sim.errors import SimulatorError
from models.sim.scene import die_state
from models.sim.script import Choice, Lies, Timeline
from models.sim.view import face_px, project
from models.sim.witness import Witness
from scorer.events import BoxChosen, PlayerInput, RecordingEnded, Ruling, TrayEvent, to_json
from scorer.presets import ruleset
from scorer.umpire import Umpire

RULES = "bho"
_STATES = {"Falls": "falling", "Carried": "in_hand", "Away": "away", "Moved": "moved"}


@dataclass(frozen=True)
class Truth:
    """Events and rulings in the order in which they are said, what people said, and every die's changes of state."""

    facts: tuple[TrayEvent | Ruling, ...]
    choices: tuple[PlayerInput, ...]
    dice: tuple[dict[str, Any], ...]

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings alone."""
        return tuple(fact for fact in self.facts if isinstance(fact, Ruling))

    def lines(self) -> list[dict[str, Any]]:
        """JSON objects of everything: as `watch` says them, and lines of kind "die", by the time they are said."""
        return sorted([to_json(fact) for fact in self.facts] + list(self.dice), key=lambda line: line["t_said"])


def tell(timeline: Timeline) -> Truth:
    """The whole truth about a recording."""
    events = Witness(timeline).events()
    facts, choices = _ruled(timeline, events)
    return Truth(tuple(facts), tuple(choices), tuple(_die_lines(timeline)))


def _ruled(timeline: Timeline, events: Sequence[TrayEvent]) -> tuple[list[TrayEvent | Ruling], list[PlayerInput]]:
    """Events with the rulings on them, and the choices made on the way, as `watch` would put them to the umpire."""
    players = tuple(player.name for player in timeline.setting.players)
    umpire, clock = Umpire(ruleset(RULES), players), timeline.clock
    facts: list[TrayEvent | Ruling] = list(umpire.start())
    waiting, choices = list(timeline.choices), list[PlayerInput]()

    def say_until(t: float) -> None:
        while waiting and clock.told(waiting[0].t) < t:
            wish = waiting.pop(0)
            told = round(clock.told(wish.t), 3)
            choices.append(_chosen(wish, told, umpire) if isinstance(wish, Choice) else replace(wish, t=told))
            facts.extend(umpire.on(choices[-1]))

    for event in events:
        say_until(event.t_said)
        facts.append(event)
        facts.extend(umpire.on(event))
    say_until(math.inf)
    last = clock.frames - 1
    ended = RecordingEnded(t=max([clock.times[last], *(c.t for c in choices)]), frame=last)
    facts.extend(umpire.on(ended))
    return facts, choices


def _chosen(wish: Choice, t: float, umpire: Umpire) -> BoxChosen:
    legal = umpire.state.legal
    if wish.box is None and not legal:
        raise SimulatorError(f"nothing may be chosen at {t:.2f} s: the scenario and the umpire disagree")
    return BoxChosen(t=t, player=wish.player, box=wish.box or legal[0].box)


def _die_lines(timeline: Timeline) -> Iterator[dict[str, Any]]:
    """One line whenever a die begins to lie, to fall, or to be hidden in a hand or away."""
    setting, clock = timeline.setting, timeline.clock
    for die, story in enumerate(timeline.stories):
        for chapter in story:
            frame = min(clock.frame_from(chapter.since), clock.frames - 1)
            t = round(clock.times[frame], 3)
            line: dict[str, Any] = {"t": t, "frame": frame, "t_said": t}
            line |= {"kind": "die", "id": die + 1}
            if isinstance(chapter, Lies):
                pose, look = chapter.pose, setting.dice[die]
                (x, y), value = project(setting.lens, pose.position)[0], top_face(look, pose)
                line |= {"state": die_state(setting.tray, look, pose), "value": value[0], "tilt": round(value[1], 1)}
                line |= {"place": [round(v, 1) for v in pose.position], "px": [round(float(x), 1), round(float(y), 1)]}
                line |= {"face_px": round(face_px(setting.lens, PlacedDie.still(look, pose)), 1)}
            else:
                line["state"] = {"Falls": "falling", "Carried": "in_hand", "Away": "away", "Moved": "moved"}[
                    type(chapter).__name__
                ]
            yield line

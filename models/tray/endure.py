"""Hours of play in one run: films that begin and end with an empty tray, played over and over under fresh times.

Every match is ruled on twice, from the true events and from what the watcher reports, with the same boxes chosen. The
watcher of a tray never starts anew: what it learned, and what it failed to forget, stays with it from match to match.
"""

import json
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice, pairwise
from pathlib import Path
from typing import Any

from calibration.file import load
from firmware.match import play
from models.tray.errors import TrayError
from models.tray.films import CALIBRATION, CHOICES, TRUTH, VIDEO, Film
from models.tray.lines import Line, parse
from models.tray.rulings import Verdict, judge
from scorer.events import (
    BoxChosen,
    DiceAtRest,
    DiceLifted,
    DiceThrown,
    Fact,
    HandEntered,
    HandLeft,
    PlayerInput,
    RecordingEnded,
    Ruling,
    TrayEvent,
    from_json,
    to_json,
)
from scorer.presets import BHO
from scorer.umpire import Umpire
from vision.network import Networks
from vision.source import Frame, open_source
from vision.watcher import Watcher

PLAYERS = ("Ann", "Ben")
BOXES = 26
"""Turns of a whole match of two."""
GAP_S = 0.6
"""The tray must be empty, with no hand over it, for so long that a film may be cut there."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A film from its start to a moment with an empty tray: so many frames, lasting so many seconds.

    events: the true ones, in the order in which they are said. chosen: when a box is chosen, once a turn.
    """

    film: Film
    frames: int
    seconds: float
    events: tuple[TrayEvent, ...]
    chosen: tuple[float, ...]

    @property
    def turns(self) -> int:
        """How many turns are played in it."""
        return len(self.chosen)


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: turns, frames, s of video and of CPU, how it was ruled, and MB in use after it."""

    turns: int
    frames: int
    seconds: float
    cpu_s: float
    verdict: Verdict
    memory_mb: float


def find_loop(film: Film, turns: int | None = None) -> Loop:
    """The film up to the last moment with an empty tray, or up to that after so many turns.

    Raises:
        TrayError: there is no such moment after a turn, or players say more than their boxes.
    """
    facts = [from_json(line) for line in _read(film.folder / TRUTH) if line["kind"] == "event"]
    events = [fact for fact in facts if isinstance(fact, TrayEvent)]
    lines = [line for line in _read(film.folder / CHOICES) if "players" not in line]
    if any(line.keys() != {"t", "player", "box"} for line in lines):
        raise TrayError(f"{film.folder}: players say more in it than their boxes, so it cannot be played over and over")
    choices = [line["t"] for line in lines]
    ends = [end for end in _empty(events) if any(t < end for t in choices)]
    if turns is not None:
        ends = [end for end in ends if sum(t < end for t in choices) == turns]
    if not ends:
        wanted = "a turn" if turns is None else f"{turns} turns"
        raise TrayError(f"{film.folder}: the tray is never empty after {wanted}, so it cannot be played over and over")
    with open_source(str(film.folder / VIDEO)) as source:
        times = [frame.t for frame in source]
    count = sum(t < ends[-1] for t in times)
    seconds = times[count] if count < len(times) else times[-1] + 1 / source.fps
    said = tuple(event for event in events if event.t_said < ends[-1])
    return Loop(film, count, seconds, said, tuple(t for t in choices if t < ends[-1]))


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _empty(events: Sequence[TrayEvent]) -> Iterator[float]:
    """The middles of the times in which no die lies there and no hand is over the tray, but for the first.

    Infinite where the film ends so.
    """
    lying: set[int] = set()
    end = HandEntered(t=math.inf, frame=0, t_said=math.inf)
    for event, later in pairwise([*sorted(events, key=lambda event: event.t), end]):
        if isinstance(event, DiceAtRest):
            lying = {die.id for die in event.dice}
        elif isinstance(event, DiceLifted):
            lying -= set(event.ids)
        alone = isinstance(event, HandLeft | DiceLifted) and isinstance(later, HandEntered)
        if alone and not lying and later.t - event.t >= GAP_S:
            yield (event.t + later.t) / 2


def endure(networks: Networks, loops: Sequence[Loop], turns: int) -> Iterator[Played]:
    """Play at least so many turns, match by match, at a table for each film in turn."""
    tables = cycle([_Table(networks, loop) for loop in loops])
    while turns > 0:
        table = next(tables)
        match = table.play(times=min(BOXES // table.loop.turns, math.ceil(turns / table.loop.turns)))
        turns -= match.turns
        yield match


class _Table:
    """One tray, watched from match to match."""

    def __init__(self, networks: Networks, loop: Loop) -> None:
        self.loop = loop
        self._watcher = Watcher(networks, load(loop.film.folder / CALIBRATION).geometry)
        self._passes = 0

    def play(self, times: int) -> Played:
        """A match of so many passes of the loop, and how it was ruled."""
        begun = time.process_time()
        passes = range(self._passes, self._passes + times)
        self._passes += times
        true, choices = self._truth(passes)
        facts: list[Fact | Ruling] = []
        for moment in play(self._frames(passes), self._watcher, Umpire(BHO, PLAYERS), choices):
            facts += moment.facts
        verdict = judge(_lines(true), _lines(facts))
        spent, loop = time.process_time() - begun, self.loop
        return Played(loop.turns * times, loop.frames * times, loop.seconds * times, spent, verdict, memory_mb())

    def _frames(self, passes: Iterable[int]) -> Iterator[Frame]:
        for number in passes:
            with open_source(str(self.loop.film.folder / VIDEO)) as source:
                for frame in islice(source, self.loop.frames):
                    t = frame.t + number * self.loop.seconds
                    yield replace(frame, index=frame.index + number * self.loop.frames, t=t)

    def _truth(self, passes: Iterable[int]) -> tuple[list[Fact | Ruling], list[PlayerInput]]:
        """What truly happened with what must be ruled, and the boxes chosen: the best that is open each time."""
        umpire = Umpire(BHO, PLAYERS)
        told: list[Fact | Ruling] = list(umpire.start())
        choices: list[PlayerInput] = []
        end = 0.0
        for number in passes:
            end = (number + 1) * self.loop.seconds
            events = [_moved(event, end - self.loop.seconds, number * self.loop.frames) for event in self.loop.events]
            turns = [(t + end - self.loop.seconds, None) for t in self.loop.chosen]
            for t, event in sorted([*((event.t_said, event) for event in events), *turns], key=lambda told: told[0]):
                fact = event or BoxChosen(t=t, player=umpire.state.player, box=umpire.state.legal[0].box)
                choices += [fact] if isinstance(fact, BoxChosen) else []
                told += [fact, *umpire.on(fact)]
        told += umpire.on(RecordingEnded(t=end))
        return told, choices


def _moved(event: TrayEvent, seconds: float, frames: int) -> TrayEvent:
    """The event so much later."""
    moved = replace(event, t=event.t + seconds, t_said=event.t_said + seconds, frame=event.frame + frames)
    if isinstance(moved, DiceThrown):
        return replace(moved, t_first=moved.t_first + seconds, t_last=moved.t_last + seconds)
    return moved


def _lines(facts: Iterable[Fact | Ruling]) -> list[Line]:
    return list(parse("\n".join(json.dumps(to_json(fact)) for fact in facts)))


def memory_mb() -> float:
    """Resident memory of this process now, MB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def in_lines(number: int, match: Played) -> Iterator[str]:
    """The lines for one match."""
    verdict = match.verdict
    words = f": {verdict.difference.words}" if verdict.difference else ""
    size = f"{match.turns} turns, {match.seconds / 60:.1f} min of video, {match.memory_mb:.0f} MB"
    yield f"match {number}: {size}, {verdict.outcome}{words}"
    yield from (f"  {fault}" for fault in verdict.wrong_values + verdict.invented)


def summary(matches: Sequence[Played]) -> str:
    """One line for all matches."""
    right = sum(match.verdict.outcome == "right" for match in matches)
    frames, cpu_s = sum(match.frames for match in matches), sum(match.cpu_s for match in matches)
    first, middle, last = (matches[place].memory_mb for place in (0, len(matches) // 2, -1))
    turns, hours = sum(match.turns for match in matches), sum(match.seconds for match in matches) / 3600
    return (
        f"{turns} turns in {hours:.2f} h of video: {right} of {len(matches)} matches ruled right; memory after the "
        f"first, the middle and the last match {first:.0f}, {middle:.0f}, {last:.0f} MB; "
        f"{1000 * cpu_s / frames:.2f} ms of CPU a frame, decoding included"
    )

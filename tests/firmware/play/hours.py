"""Hours of play: `python -m tests.firmware.play.hours --hours 10 --minutes 60`, or `make test-hours`.

For all the hours the parts that rule, write and show play on events, as fast as they can, match after match. For the
minutes the whole appliance plays a turn of the sample's film over and over, as if a camera took it, with people who
choose boxes and answer what they are asked. Printed are what was ruled, whether the ledgers hold it all, and what
memory and time it took.
"""

import argparse
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, islice, pairwise
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Event, Thread
from typing import Any, ClassVar

from rich.console import Console

from firmware.config import PanelOptions
from firmware.entries import read
from firmware.evidence.verify import check
from firmware.match import Facts
from firmware.play import appliance, table
from firmware.play.inbox import Inbox
from firmware.play.logs import log_as
from firmware.play.parts import Mailbox, Part
from firmware.play.seeing import Seen
from firmware.play.table import WatchOptions
from firmware.play.umpiring import PatientLedger, Ruled, Umpiring
from firmware.play.viewers import OnDisplay, OnTerminal
from firmware.play.vitals import Vitals, resident_mb
from firmware.record import gone_on, rebuilt
from firmware.sample import SAMPLE
from firmware.show import Showing
from firmware.stopping import Stopping
from hardware.closing import Closing
from hardware.display import Wiring, open_display
from models.tray.endure import Loop, find_loop
from models.tray.films import Film
from scorer.events import DiceAtRest, PlayerInput, RollCounted, TrayEvent
from scorer.presets import BHO
from scorer.state import State
from scorer.umpire import Umpire
from tests.firmware.play.people import People
from tests.firmware.play.stand_ins import put
from tests.firmware.play.test_health import free_port
from tests.scorer.play import some_facts
from vision.source import Frame, open_source
from vision.view import Phase

STEP_S = 4.0
"""Something happens at the table so often."""
MATCH_S = 1800.0
"""A match on events is stopped after so long where people leave it open."""
PATIENCE_S = 30.0
FINAL_S = 2.0
PLAYERS = ("Ann", "Ben")


@dataclass
class Tally:
    """What was played: matches, rulings, what was lost of them, the longest wait for one (s), and memory over time.

    On frames `gap_s` is the longest time in which no roll counted (s), and `said` how often people said something.
    """

    matches: int = 0
    rulings: int = 0
    counted: int = 0
    wrong: int = 0
    gap_s: float = 0.0
    said: int = 0
    lost: list[str] = field(default_factory=list)
    longest_s: float = 0.0
    memory_mb: list[float] = field(default_factory=list)

    def add(self, match: Path, rulings: int | None = None) -> None:
        """Take in a match that is over: its ledger must be whole, and hold as many `rulings` as there were."""
        verdict, bodies = check(match).verdict, read(match)
        rebuilt(bodies)
        held = sum(body["kind"] == "ruling" for body in bodies)
        if not verdict.ok or (rulings is not None and held != rulings):
            self.lost.append(f"{match.name}: {held} rulings of {rulings}, {verdict}")
        self.matches += 1
        self.rulings += held
        self.counted += sum(body["name"] == RollCounted.__name__ for body in bodies)
        self.memory_mb.append(resident_mb())

    def __str__(self) -> str:
        places = [self.memory_mb[round(share * (len(self.memory_mb) - 1))] for share in (0, 0.25, 0.5, 0.75, 1)]
        return (
            f"{self.matches} matches, {self.rulings} rulings, {self.counted} rolls counted; "
            f"lost: {'; '.join(self.lost) or 'nothing'}; "
            f"memory after the first, each quarter and the last {', '.join(f'{mb:.0f}' for mb in places)} MB"
        )


def main() -> None:
    """Play both and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--hours", type=float, default=10.0, help="of play on events")
    asked.add_argument("--minutes", type=float, default=60.0, help="of play on frames")
    options = asked.parse_args()
    log_as("error")
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as nowhere:
        console = Console(file=nowhere)
        if options.hours:
            begun = time.monotonic()
            tally = on_events(Path(folder) / "events", options.hours * 3600, console)
            print(f"{options.hours:g} h on events in {time.monotonic() - begun:.0f} s: {tally}")
            print(f"longest wait for what was ruled on something: {1000 * tally.longest_s:.0f} ms", flush=True)
        if options.minutes:
            tally, told = on_frames(Path(folder) / "frames", options.minutes * 60, console)
            frames, dropped = (sum(vitals[key] for vitals in told) for key in ("frames", "dropped"))
            restarts = sum(part["restarts"] for vitals in told for part in vitals["parts"].values())
            print(f"{options.minutes:g} min on frames: {tally}")
            print(f"{frames} frames, {dropped} dropped; {tally.wrong} rolls counted with values that nobody threw; "
                  f"people spoke {tally.said} times; {tally.gap_s:.0f} s the longest without a roll that counted; "
                  f"{restarts} restarts of parts", flush=True)  # fmt: skip
    os._exit(0)


def on_events(folder: Path, seconds: float, console: Console) -> Tally:
    """Matches on events until so many seconds of them are over."""
    tally, random, played = Tally(), Random(1), 0.0
    for number in count(1):
        if played >= seconds:
            return tally
        played += _match_on_events(folder / str(number), random, min(MATCH_S, seconds - played), console, tally)
    raise AssertionError


def _match_on_events(folder: Path, random: Random, seconds: float, console: Console, tally: Tally) -> float:
    """One match; how long it lasted."""
    stop, vitals, inbox = Event(), Vitals(), Inbox()
    ledger = PatientLedger(folder, stop, vitals)
    ledger.patient = True
    umpire = gone_on(Umpire(BHO, PLAYERS), ledger, "events")
    seen: SimpleQueue[Seen] = SimpleQueue()
    latest, every, printed = Mailbox[Ruled](1), Mailbox[Ruled](1000), Mailbox[Ruled](1000)
    rule = Umpiring(umpire, (), seen, vitals, stop, latest, every, inbox=inbox)
    display = OnDisplay(open_display("picture"), lambda: open_display("picture"), latest, vitals, stop, Showing())
    parts = [
        Part("rule", rule, stop),
        Part("display", display, stop),
        Part("terminal", OnTerminal(console, printed, stop), stop),
    ]
    for part in parts:
        part.start()
    t, frame = 0.0, 0
    while t < seconds and not umpire.state.over:
        t, frame = t + STEP_S, frame + 1
        for fact in some_facts(random, umpire.state, t):
            begun = time.monotonic()
            if isinstance(fact, PlayerInput):
                inbox.say(fact).result(PATIENCE_S)
            elif isinstance(fact, TrayEvent):
                seen.put(Seen(t, frame, begun, (fact,), "rolling"))
                _pass_on(every, printed, fact)
            tally.longest_s = max(tally.longest_s, time.monotonic() - begun)
    stop.set()
    for part in parts:
        part.join(PATIENCE_S)
    ledger.close()
    tally.add(folder, umpire.state.entries)
    return t


def _pass_on(every: Mailbox[Ruled], printed: Mailbox[Ruled], until: TrayEvent) -> Facts:
    """Hand on what is new to the terminal until it holds this event."""
    while ruled := every.take(PATIENCE_S):
        printed.put(ruled)
        if any(fact is until for fact in ruled.facts):
            return ruled.facts
    raise AssertionError(f"{until} was not ruled on")


class Looped(Closing):
    """A turn of the sample's film, over and over at its own pace, as a camera gives it."""

    frame_count = None

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        with open_source(str(SAMPLE / "video.mp4")) as source:
            self.fps, self.size = source.fps, source.size

    def __iter__(self) -> Iterator[Frame]:
        begun = time.monotonic()
        for number in count():
            with open_source(str(SAMPLE / "video.mp4")) as source:
                for frame in islice(source, self._loop.frames):
                    t = frame.t + number * self._loop.seconds
                    time.sleep(max(0.0, begun + t - time.monotonic()))
                    yield Frame(frame.index + number * self._loop.frames, t, frame.image)

    def close(self) -> None:
        """Nothing is held."""


class Counting(Vitals):
    """Counts the frames too."""

    made: ClassVar[list["Counting"]] = []

    def __init__(self) -> None:
        super().__init__()
        self.frames = 0
        self.made.append(self)

    def seen(self, taken: float, phase: Phase) -> None:
        """As `Vitals.seen`."""
        self.frames += 1
        super().seen(taken, phase)

    def told(self) -> dict[str, Any]:
        """As `Vitals.told`."""
        return super().told() | {"frames": self.frames}


def on_frames(folder: Path, seconds: float, console: Console) -> tuple[Tally, list[dict[str, Any]]]:
    """Matches of the whole appliance, one after the other; what each told of itself at its end."""
    loop, told, tally = find_loop(Film(SAMPLE), turns=1), list[dict[str, Any]](), Tally()
    for module in (appliance, table):
        put(module, open_frames=lambda *_args, **_kept: Looped(loop))
    appliance.FINAL_S, appliance.STOP_S = FINAL_S, PATIENCE_S  # a part left behind would end all at once
    rests = [rest for rest in loop.events if isinstance(rest, DiceAtRest)]
    thrown = {tuple(sorted(die.value or 0 for die in rest.dice)) for rest in rests}
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # but while a match is played
    watched = WatchOptions("usb:0", SAMPLE / "calibration.toml", "bho", PLAYERS)
    until = time.monotonic() + seconds
    inbox = Inbox()
    put(appliance, Vitals=Counting, Inbox=lambda: inbox)
    for number in count(1):
        if (left := until - time.monotonic()) <= 1:
            return tally, told
        match = folder / str(number)
        options = appliance.Appliance(watched, match, "picture", Wiring(), PanelOptions(), free_port(), True)
        over = Event()
        Thread(target=_end, args=(left, over), daemon=True).start()
        people = People(rests, match, _state_now, inbox)
        people.sit(over)
        with Stopping() as stopping:
            stopping.patient = True
            appliance.play_at_table(options, console, stopping)
        over.set()
        told.append(Counting.made.pop().told())  # what it counted of holds a whole appliance
        tally.add(match)
        tally.said += people.said
        counted = [body for body in read(match) if body["name"] == RollCounted.__name__]
        tally.wrong += sum(tuple(body["values"]) not in thrown for body in counted)
        ends = [0.0, *(body["t"] for body in counted), told[-1]["uptime_s"]]
        tally.gap_s = max(tally.gap_s, *(later - earlier for earlier, later in pairwise(ends)))
    raise AssertionError


def _state_now() -> State | None:
    """How the match that is played stands, if one is."""
    return Counting.made[-1].state if Counting.made else None


def _end(after_s: float, over: Event) -> None:
    """Stop the appliance after so long; again and again, as it may not have begun yet."""
    over.wait(after_s)
    while not over.wait(1.0):
        os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()

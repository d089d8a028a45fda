"""The appliance: a camera that fails, a display and a disk that fail, and the whole of it killed, stopped, gone on."""

import json
import math
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import islice, pairwise
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from types import TracebackType
from typing import Self

import cv2
import pytest
from rich.console import Console

from calibration.file import load
from firmware.commands.run import RunOptions, close_before, folder_for
from firmware.commands.watch import watch_command
from firmware.config import NO_PANEL
from firmware.endcode import NOTE
from firmware.entries import read, verify
from firmware.errors import AnotherMatchError
from firmware.evidence.pieces import KEPT
from firmware.evidence.verify import check
from firmware.ledger import LEDGER
from firmware.play import capture, parts, seeing, umpiring
from firmware.play.appliance import Appliance, play_at_table
from firmware.play.capture import Camera, Frames, From, Recording, Taken
from firmware.play.health import ask
from firmware.play.parts import BEAT_S, Mailbox, Part
from firmware.play.pressing import Shown
from firmware.play.seeing import Seeing, Seen
from firmware.play.table import WatchOptions
from firmware.play.umpiring import PatientLedger, Ruled, Umpiring
from firmware.play.viewers import OnDisplay
from firmware.play.vitals import Vitals
from firmware.record import gone_on
from firmware.sample import SAMPLE
from firmware.show import Showing
from firmware.stopping import Stopping
from hardware.display import Display, Wiring, open_display
from hardware.screens import Address
from scorer.events import DiceAtRest, DieFact, RecordingEnded, ViewLost, ViewRestored
from scorer.presets import BHO
from scorer.umpire import Umpire
from tests.firmware.command import fairtray
from tests.firmware.play.test_health import free_port
from vision.errors import SourceError
from vision.network import load_networks
from vision.source import Frame, open_source
from vision.watcher import Watcher

FRAMES = 105
"""Of the sample: its first throw is counted."""


class Unplugged:
    """The sample's frames as a camera that is unplugged at frame `at`, cannot be opened twice, and then goes on."""

    fps, size = 30.0, (640, 480)
    frame_count: int | None = None

    def __init__(self, at: int) -> None:
        with open_source(str(SAMPLE / "video.mp4")) as film:
            self._frames = list(islice(film, FRAMES))
        self._at, self._refusals = at, 2

    def reopened(self) -> Self:
        if self._refusals:
            self._refusals -= 1
            raise SourceError("usb:0: no camera there gives pictures; is it plugged in?")
        return self

    def __iter__(self) -> Iterator[Frame]:
        given, self._frames = self._frames[: self._at], self._frames[self._at :]
        self._at = len(self._frames)
        for frame in given:
            time.sleep(0.02)
            yield frame

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    monkeypatch.setattr(parts, "PAUSES_S", (0.1,))
    monkeypatch.setattr(umpiring, "AGAIN_S", 0.05)
    event = Event()
    yield event
    event.set()


def test_an_unplugged_camera_is_a_lost_view_and_play_goes_on_when_it_is_back(stop: Event) -> None:
    networks, geometry = load_networks(), load(SAMPLE / "calibration.toml").geometry
    camera, vitals = Unplugged(30), Vitals()
    frames: Frames = Mailbox(FRAMES)
    seen: SimpleQueue[Seen] = SimpleQueue()
    seeing = Seeing(
        lambda first: Watcher(networks, geometry, first=first), frames, seen, vitals, stop, True, From(7.0, 200), 10
    )
    taking = Part("capture", Camera(camera, camera.reopened, frames, stop, From(7.0, 200)), stop)
    watch = Part("watch", seeing, stop)
    vitals.watch([taking, watch], lambda: frames.dropped)
    for part in (taking, watch):
        part.start()
    told: list[Seen] = []
    while sum(one.phase is not None for one in told) < FRAMES:
        told.append(seen.get(timeout=60))
    events = [event for one in told for event in one.events]
    views = [event for event in events if isinstance(event, ViewLost | ViewRestored)]
    assert [(type(view), view.cause) for view in views[:2]] == [
        (ViewLost, "not_watched"),
        (ViewRestored, "not_watched"),
    ]
    assert views[0].t == 7.0
    assert [type(view) for view in views] == [ViewLost, ViewRestored] * (len(views) // 2)
    stamps = [(one.t, one.frame) for one in told if one.phase is not None]
    assert all(after > before for before, after in pairwise(stamps))
    assert [frame for _, frame in stamps] == list(range(201, 201 + FRAMES))
    assert taking.restarts >= 3
    numbers = {die.id for event in events if isinstance(event, DiceAtRest) for die in event.dice}
    assert numbers and min(numbers) > 10


def test_a_recording_whose_frames_are_far_apart_does_not_hang(stop: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "HUNG_S", 0.02)
    source, frames, beats = Unplugged(FRAMES), Frames(4), list[float]()
    first, *_ = source._frames
    source._frames = [first, replace(first, t=first.t + 0.1)]
    part = Part("capture", Recording(source, frames, stop, fast_until=-1.0), stop)
    monkeypatch.setattr(part, "beat", lambda: beats.append(time.monotonic()))
    part.start()
    assert part.join(60) and len(beats) > 5


def test_a_full_disk_holds_the_play_up_and_loses_nothing(stop: Event, tmp_path: Path) -> None:
    vitals, latest, every = Vitals(), Mailbox[Ruled](1), Mailbox[Ruled](1000)
    seen: SimpleQueue[Seen] = SimpleQueue()
    lost = tuple(fact(cause="glare", t=t, frame=t, t_said=t) for t in range(1, 41) for fact in (ViewLost, ViewRestored))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with PatientLedger(tmp_path, stop, vitals) as ledger:
        ledger.patient = True
        rule = Part(
            "rule", Umpiring(gone_on(Umpire(BHO, ("Ann",)), ledger, ""), (), seen, vitals, stop, latest, every), stop
        )
        resource.setrlimit(resource.RLIMIT_FSIZE, (32768, before[1]))
        try:
            rule.start()
            seen.put(Seen(1.0, 1, 0.0, lost, "lost"))
            while vitals.worst is None:
                time.sleep(0.01)
            assert "is the disk full or gone" in vitals.worst
            shown = every.take(0)
            assert shown is not None and every.take(0) is None  # the match's opening, which was written
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        shown = every.take(60)
        assert shown is not None and shown.facts == lost
        assert vitals.worst is None
        stop.set()
        assert rule.join(60)
    assert sum(body["kind"] == "event" for body in read(tmp_path)) == len(lost)


def test_while_nothing_is_ruled_on_only_what_happened_waits(stop: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeing, "WAITING", 5)
    networks, geometry = load_networks(), load(SAMPLE / "calibration.toml").geometry
    frames: Frames = Mailbox(FRAMES + 1)
    with open_source(str(SAMPLE / "video.mp4")) as source:
        for frame in islice(source, FRAMES):
            frames.put(Taken(0.0, frame))
    frames.put(Taken(0.0, None))
    seen: SimpleQueue[Seen] = SimpleQueue()
    watch = Seeing(
        lambda first: Watcher(networks, geometry, first=first), frames, seen, Vitals(), stop, False, From(), 0
    )
    watch(Part("watch", watch, stop))
    told = [seen.get() for _ in range(seen.qsize())]
    assert told[-1].last and not told[-1].events
    assert sum(not one.events for one in told[:-1]) == 5 and len(told) < FRAMES


def test_a_display_that_fails_is_opened_again_and_shows_what_is_wrong(stop: Event) -> None:
    vitals, latest = Vitals(), Mailbox[Ruled](1)
    first, opened = open_display("picture"), list[Display]()

    def reopen() -> Display:
        opened.append(open_display("picture"))
        return opened[-1]

    def wire_off(_picture: object) -> None:
        raise OSError(121, "Remote I/O error")

    first._device.display = wire_off
    screen = Part("display", OnDisplay(first, reopen, latest, vitals, stop, Showing()), stop)
    umpire = Umpire(BHO, ("Ann",))
    latest.put(Ruled(0.0, umpire.state, umpire.start()))
    screen.start()
    while not opened or opened[0].picture is None:
        time.sleep(0.01)
    well = opened[0].picture
    vitals.trouble("view", "no pictures come: look to the camera")
    while opened[0].picture == well:
        time.sleep(0.01)
    assert screen.restarts == 1
    stop.set()
    assert screen.join(60)


def test_a_code_for_phones_gives_way_to_what_is_ruled(stop: Event) -> None:
    vitals, latest = Vitals(), Mailbox[Ruled](1)
    display, umpire = open_display("picture"), Umpire(BHO, ("Ann",))
    on_display = OnDisplay(display, lambda: display, latest, vitals, stop, Showing())
    screen = Part("display", on_display, stop)
    before = umpire.state
    latest.put(Ruled(0.0, before, ()))
    screen.start()
    while display.picture is None:
        time.sleep(0.01)
    well = display.picture
    on_display.tell(Address("Your seat", "http://tray:8080", "123456"), 3600.0)
    while display.picture == well:
        time.sleep(0.01)
    code = display.picture
    facts = umpire.start()
    assert umpire.state.entries > before.entries
    latest.put(Ruled(0.1, umpire.state, facts))
    while display.picture == code:
        time.sleep(0.01)
    stop.set()
    assert screen.join(60)


def test_people_have_seen_a_question_once_the_display_shows_it_and_not_what_is_wrong(stop: Event) -> None:
    vitals, latest, people = Vitals(), Mailbox[Ruled](1), Shown()
    display, umpire = open_display("picture"), Umpire(BHO, ("Ann",))
    on_display = OnDisplay(display, lambda: display, latest, vitals, stop, Showing(), seen=people)
    umpire.start()
    dice = tuple(DieFact(n, None, 0.1, "flat", (0.0, 0.0), True) for n in range(1, 6))
    umpire.on(DiceAtRest(t=1.0, frame=30, t_said=1.0, dice=dice, thrown=(1, 2, 3, 4, 5), kept=()))
    assert umpire.state.waiting_for == "reading"
    vitals.trouble("view", "no pictures come: look to the camera")
    latest.put(Ruled(1.0, umpire.state, ()))
    screen = Part("display", on_display, stop)
    screen.start()
    while display.picture is None:
        time.sleep(0.01)
    time.sleep(2 * BEAT_S)
    assert not people.was_seen(umpire.state, math.inf)
    vitals.trouble("view", None)
    while not people.was_seen(umpire.state, math.inf):
        time.sleep(0.01)
    stop.set()
    assert screen.join(60)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The beginning of the sample match as a folder of frames."""
    folder = tmp_path_factory.mktemp("film")
    with open_source(str(SAMPLE / "video.mp4")) as source:
        for frame in islice(source, FRAMES):
            cv2.imwrite(str(folder / f"{frame.index:04}.jpg"), frame.image)
    return folder


def test_killed_stopped_and_run_to_its_end_a_match_is_as_if_never_broken_off(film: Path, tmp_path: Path) -> None:
    match, port, config = tmp_path / "match", free_port(), tmp_path / "fairtray.toml"
    config.write_text(f"[camera]\nown_pace = true\n[status]\nport = {port}\n")
    given = ("--source", film, "--calibration", SAMPLE / "calibration.toml", "--players", "Ann,Ben")
    command = [sys.executable, "-m", "firmware", "run", "--config", config, *given, "--match", match]

    def started() -> subprocess.Popen[str]:
        return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    with started() as killed:
        while not ask(port)["ready"]:
            time.sleep(0.02)
        os.kill(killed.pid, signal.SIGKILL)
    assert verify(match).ok
    with started() as stopped:
        while not ask(port)["ready"]:
            time.sleep(0.02)
        status = ask(port)
        os.kill(stopped.pid, signal.SIGTERM)
        _, logged = stopped.communicate(timeout=60)
    assert stopped.returncode == 0
    assert (status["match"], status["player"]) == (str(match), "Ann")
    lines = [json.loads(line) for line in logged.splitlines()]
    assert {"playing", "stopped"} <= {line["what"] for line in lines}
    config.write_text(f"[camera]\nown_pace = false\n[status]\nport = {port}\n")
    whole = fairtray("run", "--config", config, *given, "--match", match)
    assert whole.returncode == 0, whole.stderr
    assert "Roll 1 counts" in whole.stdout and "Score card" in whole.stdout
    watched = WatchOptions(str(film), SAMPLE / "calibration.toml", players=("Ann", "Ben"), match=tmp_path / "watched")
    watch_command(watched, as_json=True)
    bodies = read(match)
    ruled, watched_alone = (
        [body for body in read(folder) if body["kind"] != NOTE] for folder in (match, tmp_path / "watched")
    )
    assert ruled == watched_alone and ruled[-1]["name"] == "MatchEnded"
    counted = next(body["entry"] for body in ruled if body["name"] == "RollCounted")
    assert [counted] in [body["entries"] for body in bodies if body["name"] == KEPT]
    verdict = check(match).verdict
    assert verdict.ok and verdict.closed and f"The match ends with {verdict.code}: note it." in whole.stdout
    again = fairtray("match", "replay", match)
    assert again.returncode == 0 and "5 dice read anew, 5 as they were read" in again.stdout
    other = Appliance(replace(watched, players=("Zoe",)), match, "picture", Wiring(), NO_PANEL, port, own_pace=False)
    with pytest.raises(AnotherMatchError, match=r"another match is in .* \(from entry 2 on\)"):
        play_at_table(other, Console(quiet=True), Stopping())
    assert read(match) == bodies


def test_a_clock_that_jumps_neither_hides_a_match_nor_takes_up_another(tmp_path: Path) -> None:
    ahead, right = datetime(2027, 1, 31, 20, 5), datetime(2026, 1, 31, 20, 7)
    for number in range(1, 12):
        folder = folder_for(tmp_path, True, ahead if number == 1 else right)
        assert folder.name == f"2027-01-31-2005{f'-{number}' if number > 1 else ''}"
        with PatientLedger(folder, Event(), Vitals()) as ledger:
            umpire = gone_on(Umpire(BHO, ("Ann",)), ledger, "camera")
            umpire.start()
            assert folder_for(tmp_path, True, right) == folder
            umpire.on(RecordingEnded(t=3.0))


def test_a_match_that_goes_on_is_taken_up_and_one_that_is_over_is_not(tmp_path: Path) -> None:
    now = datetime(2026, 1, 31, 20, 5)
    first = folder_for(tmp_path, True, now)
    assert first == tmp_path / "2026-01-31-2005"
    first.mkdir()
    (first / LEDGER).touch()  # it was broken off while the file was made
    assert folder_for(tmp_path, True, now) == first
    with PatientLedger(first, Event(), Vitals()) as ledger:
        umpire = gone_on(Umpire(BHO, ("Ann",)), ledger, "camera")
        assert folder_for(tmp_path, True, now) == first
        umpire.start()
        assert folder_for(tmp_path, True, now) == first
        assert folder_for(tmp_path, False, now) == tmp_path / "2026-01-31-2005-2"
    with PatientLedger(first, Event(), Vitals()) as ledger:
        umpire = gone_on(Umpire(BHO, ("Zoe",)), ledger, "camera")
        assert umpire.state.players == ("Ann",)
        umpire.on(RecordingEnded(t=3.0))
    assert folder_for(tmp_path, True, now) == tmp_path / "2026-01-31-2005-2"
    with PatientLedger(tmp_path / "2026-01-31-2004", Event(), Vitals()) as ledger:
        gone_on(Umpire(BHO, ("Ann",)), ledger, "camera").start()
    close_before(RunOptions(tmp_path, matches=tmp_path), tmp_path / "2026-01-31-2005-2")
    assert verify(first).closed and not verify(tmp_path / "2026-01-31-2004").closed

"""The appliance: capture, watching, ruling and showing side by side, each at its own pace, until it is told to stop."""

import logging
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Event

from rich.console import Console

from calibration.drift import Drift
from firmware.config import NO_CONSOLE, USUAL_EVIDENCE, ConsoleOptions, EvidenceOptions, PanelOptions
from firmware.console.beside import Beside, check_installed, phones_here
from firmware.entries import read
from firmware.errors import LedgerError
from firmware.evidence.budget import Budget
from firmware.evidence.key import device_key
from firmware.evidence.store import Store
from firmware.play.capture import QUEUED, Camera, Frames, From, Recording
from firmware.play.drifting import Drifting
from firmware.play.health import answering
from firmware.play.inbox import Inbox
from firmware.play.keeping import Evidence, Storing
from firmware.play.keeping import Recording as Keeping
from firmware.play.memory import Tidying
from firmware.play.notify import Notify
from firmware.play.parts import BEAT_S, Mailbox, Part
from firmware.play.pressing import Shown
from firmware.play.seeing import Looked, Seeing, Seen
from firmware.play.signalling import OnSignals
from firmware.play.sources import is_live, open_frames
from firmware.play.table import WatchOptions, people, seeing
from firmware.play.umpiring import PatientLedger, Ruled, Umpiring
from firmware.play.viewers import OnDisplay, OnTerminal
from firmware.play.vitals import Vitals
from firmware.record import gone_on, last_die, last_moment, said_before, watched_again
from firmware.show import Showing
from firmware.stopping import Stopping, end
from hardware.display import Display, Wiring, open_display
from hardware.keyboard import open_keyboard
from hardware.panel import PanelPress, open_panel
from hardware.screens import Screen, Sign
from hardware.signals import SignalPins, open_signals
from scorer.events import PlayerInput
from scorer.umpire import Umpire
from vision.source import FrameSource
from vision.watcher import Watcher

STOP_S = 0.4
"""How long the parts before the umpire may take to stop, and as long the others then."""
LOOK_S = 0.1
KEEP_S = 10.0
"""How long the evidence of a match that is over may take to be written."""
FINAL_S = 60.0
"""The final card of a camera's match is shown for so long, or until a press; then the appliance ends."""
TOLD = 1000
"""So many moments may wait to be printed."""

log = logging.getLogger("fairtray")


@dataclass(frozen=True, slots=True)
class Appliance:
    """What is played: the source, the folder of its match, display, buttons, and the port of the health endpoint.

    `own_pace`: a recording is played as it was taken, else as fast as it can be watched.
    """

    watched: WatchOptions
    match: Path
    display: str
    wiring: Wiring
    panel: PanelOptions
    port: int
    own_pace: bool
    pages: ConsoleOptions = NO_CONSOLE
    evidence: EvidenceOptions = USUAL_EVIDENCE


@dataclass(frozen=True, slots=True)
class _Match:
    """An opened match: its umpire, what is known that people will say, and where it goes on."""

    umpire: Umpire
    choices: Sequence[PlayerInput]
    after: From
    last_die: int


@dataclass(frozen=True, slots=True)
class _Parts:
    """All parts in the order of what flows through them (those before the one that rules, that one, the others)."""

    before: Sequence[Part]
    rule: Part
    after: Sequence[Part]
    ledger: PatientLedger
    evidence: Evidence
    store: Store
    terminal: OnTerminal
    hands: ExitStack

    @property
    def all(self) -> Sequence[Part]:
        return (*self.before, self.rule, *self.after)


def play_at_table(options: Appliance, console: Console, stopping: Stopping) -> int:
    """Play until the match or the recording is over, or somebody stops it; the exit status.

    A match that broke off goes on where its ledger ends. Raises one of our errors for bad input or hardware that is
    not there, before anything is played.
    """
    vitals, stop, closing = Vitals(), Event(), Event()
    with ExitStack() as stack:
        stack.enter_context(answering(options.port, vitals.told))
        parts = _assembled(options, console, vitals, stop, closing, stack, stopping)
        parts.ledger.patient = stopping.patient = True
        tidying = Tidying(time.monotonic())
        for part in parts.all:
            part.start()
        log.info("playing", extra={"told": {"match": vitals.match, "source": options.watched.source}})
        notify = Notify()
        notify.ready()
        while parts.rule.alive and not stopping.told:
            if not vitals.stuck:
                notify.alive()
            tidying.step(time.monotonic())
            time.sleep(LOOK_S)
        notify.stopping()
        _wait_for(parts, stopping, vitals)
        stop.set()
        _join(parts.before)
        closing.set()
        _join([parts.rule, *parts.after])
        log.info("stopped", extra={"told": vitals.told()})
        if any(part.alive for part in parts.all):
            parts.hands.close()
            parts.ledger.close()
            end(0)  # whoever hangs in a camera or on a bus would hold up the end of the process too
        if parts.rule.fatal:
            raise parts.rule.fatal
        _close(parts, vitals)
    return 0


def _assembled(
    options: Appliance, console: Console, vitals: Vitals, stop: Event, closing: Event, stack: ExitStack,
    stopping: Stopping,
) -> _Parts:  # fmt: skip
    """All parts, not yet at work, with the hardware opened."""
    umpire, choices = people(options.watched)
    assert umpire is not None
    if options.pages.enabled:
        check_installed()
    hands = stack.enter_context(ExitStack())
    with stopping.held():
        presses = _presses(options.panel, hands)
        signals = hands.enter_context(open_signals(options.panel.signals))
        display = stack.enter_context(open_display(options.display, options.wiring))
    stack.enter_context(_shown(display))
    display.show(Sign("STARTING", "Keep the tray as it is" if options.watched.calibration else "Leave the tray empty"))
    networks, calibration = seeing(options.watched)
    source = stack.enter_context(open_frames(options.watched.source, locked=calibration.locked))
    live = is_live(options.watched.source)
    signer = device_key(options.evidence.key)
    ledger = stack.enter_context(PatientLedger(options.match, closing, vitals, signer))
    match = _open_match(options, umpire, choices, ledger, live)
    store = Store(ledger, Budget(ledger, options.evidence.budget_mb, signer))
    if live:
        store.broken_off()
    evidence = Evidence(options.evidence.seconds, options.evidence.memory_mb)
    vitals.match, vitals.state = str(options.match), match.umpire.state

    frames: Frames = Mailbox(QUEUED)
    seen: SimpleQueue[Seen] = SimpleQueue()
    latest, every = Mailbox[Ruled](1), Mailbox[Ruled](TOLD)

    def watcher(first: int) -> Watcher:
        return Watcher(networks, calibration.geometry, first=first)

    after = match.after if live else From()
    phones = partial(phones_here, options.pages) if options.pages.enabled else None
    looked, inbox = Mailbox[Looked](1) if options.pages.enabled else None, Inbox()
    drifted = Mailbox[Looked](1) if calibration.picture is not None else None
    lookers = (evidence.looked, *(box for box in (looked, drifted) if box is not None))
    watch = Seeing(watcher, frames, seen, vitals, stop, live, after, match.last_die, lookers)
    told = (match.umpire, match.choices, seen, vitals, closing, latest, every, presses)
    final_s = FINAL_S if live else math.inf
    seen_by_people = Shown()
    rule = Umpiring(
        *told, t=after.t, final_s=final_s, inbox=inbox, evidence=evidence, address=phones, shown=seen_by_people
    )
    showing = Showing(calibration.geometry.floor_mm, buttons=options.panel.kind != "none")
    reopen = partial(open_display, options.display, options.wiring)
    screen = OnDisplay(display, reopen, latest, vitals, stop, showing, lambda: ledger.code, phones, seen_by_people)
    capture = _capture(options, source, live, frames, stop, match.after)
    terminal = OnTerminal(console, every, closing, lambda: ledger.code)
    parts = _Parts(
        [Part("capture", capture, stop), Part("watch", watch, stop)],
        Part("rule", rule, closing),
        [
            Part("display", screen, stop),
            Part("terminal", terminal, closing),
            Part("keep", Keeping(evidence, closing), closing),
            Part("store", Storing(evidence, store, closing, vitals.done), closing),
        ],
        ledger,
        evidence,
        store,
        terminal,
        hands,
    )
    if options.panel.signals != SignalPins():
        parts = replace(parts, after=(*parts.after, Part("signals", OnSignals(signals, vitals, stop), stop)))

    def shown(told: Screen, for_s: float) -> None:
        screen.tell(told, for_s)
        terminal.tell(told)

    if drifted is not None:
        drifting = Drifting(Drift(calibration), drifted, shown, stop)
        parts = replace(parts, after=(*parts.after, Part("calibration", drifting, stop)))
    if looked is not None:
        if phones is not None:
            terminal.tell(phones())
        beside = Beside(options.pages, options.match, looked, inbox, vitals, shown, stop)
        parts = replace(parts, after=(*parts.after, Part("console", beside, stop)))
    vitals.watch(parts.all, lambda: frames.dropped)
    return parts


@contextmanager
def _shown(display: Display) -> Iterator[None]:
    """An error for which nothing can be played stays to be seen on the display."""
    try:
        yield
    except (ValueError, OSError) as error:
        with suppress(ValueError):
            display.show(Sign("ERROR", str(error), "wrong"))
            display.leave()
        raise


def _presses(panel: PanelOptions, stack: ExitStack) -> Callable[[], Sequence[PanelPress]]:
    """What gives the presses since it was last asked."""
    if panel.pins:
        return stack.enter_context(open_panel(time.monotonic, panel.pins, panel.hold_s)).presses
    return stack.enter_context(open_keyboard(time.monotonic)).presses if panel.kind == "keyboard" else tuple


def _open_match(
    options: Appliance, umpire: Umpire, choices: Sequence[PlayerInput], ledger: PatientLedger, live: bool
) -> _Match:
    """A new match, or one that goes on: a camera's where its ledger ends, a recording's from the recording's start."""
    bodies = read(options.match)
    t, frame = last_moment(bodies)
    if not live:
        again = watched_again(umpire, ledger, options.watched.source)
        return _Match(again, said_before(bodies, choices), From(t, frame), 0)
    kept = gone_on(umpire, ledger, options.watched.source)
    goes_on = kept.state.entries > 0
    left = [choice for choice in choices if choice.t > t] if goes_on else choices
    return _Match(kept, left, From(t, frame) if goes_on else From(), last_die(bodies))


def _capture(
    options: Appliance, source: FrameSource, live: bool, frames: Frames, stop: Event, after: From
) -> Camera | Recording:
    if live:
        return Camera(source, lambda: open_frames(options.watched.source, source), frames, stop, after)
    return Recording(source, frames, stop, fast_until=after.t if options.own_pace else math.inf)


def _wait_for(parts: _Parts, stopping: Stopping, vitals: Vitals) -> None:
    """Where the match is over and nobody is in a hurry, wait until its evidence is on the disk, and it is closed."""
    until = time.monotonic() + KEEP_S
    while not stopping.told and time.monotonic() < until:
        if parts.evidence.idle and (parts.ledger.code or not vitals.done()):
            return
        time.sleep(BEAT_S)


def _close(parts: _Parts, vitals: Vitals) -> None:
    """Close a match that is over, unless it is; where that cannot be written the next start does it."""
    if vitals.state is not None and vitals.state.over:
        try:
            parts.store.close()
        except LedgerError as error:
            log.error("not closed", extra={"told": {"match": vitals.match, "error": str(error)}})
        parts.terminal.note()


def _join(parts: Sequence[Part]) -> None:
    """Wait for these parts, not for long: one that hangs in its camera or its bus ends with the process."""
    until = time.monotonic() + STOP_S
    for part in parts:
        if not part.join(until - time.monotonic()):
            log.warning("left behind", extra={"told": {"part": part.name}})

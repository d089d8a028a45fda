"""A match that is killed at random moments: its parts at work on events, in a process that is forked and killed.

`python -m tests.firmware.evidence.killing FOLDER COUNT SEED` prints what became of it, and stops at the first loss.
"""

import os
import select
import signal
import sys
import time
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Event

import numpy as np

from firmware.entries import read
from firmware.evidence.budget import Budget
from firmware.evidence.history import History
from firmware.evidence.key import device_key
from firmware.evidence.pieces import KEPT, LOST
from firmware.evidence.store import Store, close_left
from firmware.evidence.verify import check
from firmware.ledger import LEDGER
from firmware.play.inbox import Inbox
from firmware.play.keeping import Evidence, Recording, Storing
from firmware.play.parts import Mailbox, Part
from firmware.play.seeing import Looked, Seen
from firmware.play.umpiring import PatientLedger, Ruled, Umpiring
from firmware.play.vitals import Vitals
from firmware.record import gone_on, last_moment
from scorer.events import PlayerInput, TrayEvent
from scorer.presets import BHO
from scorer.umpire import Umpire
from tests.scorer.play import some_facts
from vision.geometry import TrayGeometry
from vision.source import Frame
from vision.view import TrayView

LONGEST_S = 0.3
"""A process plays no longer before it is killed."""
OPENING = 0.2
"""This share of them is killed at once, while the match is opened; the others once they play."""
PATIENCE_S = 60.0
GEOMETRY = TrayGeometry(((10, 10), (80, 10), (80, 60), (10, 60)), 8.0, (96, 72))


def play(match: Path, key: Path, random: Random, shown: int) -> None:
    """Play on from events for ever; each time that something was ruled its number is written to `shown`."""
    stop, vitals, inbox = Event(), Vitals(), Inbox()
    signer = device_key(str(key))
    ledger = PatientLedger(match, stop, vitals, signer)
    ledger.patient = True
    umpire = gone_on(Umpire(BHO, ("Ann", "Ben")), ledger, "events")
    store = Store(ledger, Budget(ledger, 1.0, signer))
    store.broken_off()
    evidence = Evidence(2.0, 1.0)
    seen: SimpleQueue[Seen] = SimpleQueue()
    latest, every = Mailbox[Ruled](1), Mailbox[Ruled](1000)
    t, frame = last_moment(read(match))
    rule = Umpiring(umpire, (), seen, vitals, stop, latest, every, t=t, inbox=inbox, evidence=evidence)
    write = Storing(evidence, store, stop, vitals.done)
    for name, job in (("rule", rule), ("keep", Recording(evidence, stop)), ("store", write)):
        Part(name, job, stop).start()
    while not umpire.state.over:
        ruled = every.take(0.01)
        if ruled is not None:
            os.write(shown, b"%d\n" % ruled.state.entries)
            continue
        t, frame = t + 4.0, frame + 120
        for fact in some_facts(random, umpire.state, t):
            view = TrayView(t, frame, (), hand=False, still=False)
            image = np.full((72, 96, 3), frame % 251, np.uint8)
            evidence.looked.put(Looked(Frame(frame, t, image), view, GEOMETRY))
            if isinstance(fact, PlayerInput):
                inbox.say(fact)
            events = (fact,) if isinstance(fact, TrayEvent) else ()
            seen.put(Seen(t, frame, time.monotonic(), events, "rolling"))
            frame += 1
    while True:
        time.sleep(1.0)


def killed(match: Path, key: Path, random: Random) -> int:
    """Play in a process of its own, kill it at some moment; the number of the last ruling that was shown, else 0."""
    reading, writing = os.pipe()
    seed, moment, opening = random.random(), random.uniform(0.0, LONGEST_S), random.random() < OPENING
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            play(match, key, Random(seed), writing)
        finally:
            os._exit(1)
    os.close(writing)
    if not opening:
        select.select([reading], [], [], PATIENCE_S)
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading) as told:
        shown = [int(line) for line in told.read().split("\n")[:-1]]
    if not os.WIFSIGNALED(status):
        raise SystemExit("the match failed before it was killed")
    return max(shown, default=0)


def count_rulings(match: Path, shown: int) -> History:
    """The match as it is found after a kill; stops where a ruling was lost, doubled or altered, or `verify` says so."""
    fault = check(match).verdict.fault
    history = History(match)  # which refuses a ruling that does not follow from what was seen and said
    numbers = [ruled.ruling.entry for ruled in history.rulings]
    if fault or numbers != list(range(1, len(numbers) + 1)) or len(numbers) < shown:
        raise SystemExit(f"{match}: shown {shown}, found {numbers[-3:]}, {fault}")
    return history


def main(folder: Path, count: int, seed: int) -> None:
    """Kill it so many times, and tell."""
    random, match, grown, left, begun = Random(seed), folder / "1", 0, 0, time.monotonic()
    histories: dict[Path, History] = {}
    for _ in range(count):
        shown = killed(match, folder / "device.key", random)
        if not (match / LEDGER).is_file() or not (match / LEDGER).stat().st_size:
            continue  # killed before there was a match
        before, history = histories.get(match), count_rulings(match, shown)
        grown += before is None or len(history.rulings) > len(before.rulings)
        histories[match] = history
        if history.state is not None and history.state.over:
            left += not check(match).verdict.closed
            close_left(match, device_key(str(folder / "device.key")), 1.0)
            if not (closed := check(match).verdict).ok or not closed.closed:
                raise SystemExit(f"{match}: not closed, {closed.fault}")
            match = folder / str(len(histories) + 1)
    names = [entry.body["name"] for history in histories.values() for entry in history.entries]
    rulings = sum(len(history.rulings) for history in histories.values())
    print(
        f"{count} kills in {time.monotonic() - begun:.0f} s, after {grown} of them more was ruled: {rulings} rulings "
        f"and {names.count(KEPT)} pieces of evidence in {len(histories)} matches, none lost, doubled or altered, "
        f"{left} of them killed before they were closed; "
        f"{names.count(LOST)} entries tell of evidence that a kill cost"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))

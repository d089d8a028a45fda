"""The parts that keep evidence: a disk that does not keep up costs evidence, which is told, and never a frame."""

import time
from pathlib import Path
from threading import Event

import numpy as np

from firmware.entries import read
from firmware.evidence.budget import Budget
from firmware.evidence.pieces import KEPT, LOST
from firmware.evidence.store import Store
from firmware.ledger import Ledger
from firmware.play.keeping import FRAMES, PIECES, Evidence, Recording, Storing
from firmware.play.parts import Part
from firmware.play.seeing import Looked
from firmware.record import gone_on
from scorer.events import RefereeCalled, RefereeDecided
from scorer.presets import BHO
from scorer.umpire import Umpire
from vision.geometry import TrayGeometry
from vision.source import Frame
from vision.view import TrayView

GEOMETRY = TrayGeometry(((60, 40), (140, 40), (140, 110), (60, 110)), 12.0, (200, 150))
CALLS = PIECES + 3


def looked(index: int) -> Looked:
    t = index / 30
    view = TrayView(t, index, (), hand=True, still=False)
    return Looked(Frame(index, t, np.full((150, 200, 3), index % 250, np.uint8)), view, GEOMETRY)


def test_a_disk_that_hangs_holds_nothing_up_and_what_it_cost_is_told(tmp_path: Path) -> None:
    evidence, stop = Evidence(2.0, 1.0), Event()
    with Ledger(tmp_path) as ledger:
        umpire = gone_on(Umpire(BHO, ("Ann", "Ben")), ledger, "")
        store = Store(ledger, Budget(ledger, 10.0))
        umpire.start()
        for index in range(30 + FRAMES):  # at once, before anything is compressed
            evidence.looked.put(looked(index))
        keep = Part("keep", Recording(evidence, stop), stop)
        keep.start()
        for call in range(CALLS):
            told = RefereeCalled(t=1.0 + call / 100)
            evidence.tell(told.t, (told, *umpire.on(told)))
            umpire.on(RefereeDecided(t=told.t, action="confirm", reason="all saw it"))
        write = Part("store", Storing(evidence, store, stop), stop)
        while evidence._due.qsize() < PIECES or evidence._told:
            time.sleep(0.01)
        write.start()
        while not evidence.idle:
            time.sleep(0.01)
        stop.set()
        assert keep.join(60) and write.join(60)
    bodies = read(tmp_path)
    calls = [body["entry"] for body in bodies if body["name"] == "DisputeOpened"]
    lost = [body for body in bodies if body["name"] == LOST]
    assert [body["entries"] for body in bodies if body["name"] == KEPT] == [[entry] for entry in calls[:PIECES]]
    assert [body["entries"] for body in lost if body["entries"]] == [[entry] for entry in calls[PIECES:]]
    assert {body["reason"] for body in lost} == {"too_slow"}
    assert sum(body["frames"] for body in lost if not body["entries"]) == 30


def test_what_waits_when_all_is_stopped_is_told(tmp_path: Path) -> None:
    evidence, stop = Evidence(2.0, 1.0), Event()
    with Ledger(tmp_path) as ledger:
        umpire = gone_on(Umpire(BHO, ("Ann", "Ben")), ledger, "")
        umpire.start()
        evidence.looked.put(looked(30))
        told = RefereeCalled(t=1.0)
        evidence.tell(told.t, (told, *umpire.on(told)))
        evidence.take()
        assert not evidence.idle
        stop.set()
        Storing(evidence, Store(ledger, Budget(ledger, 10.0)), stop)(Part("store", lambda part: None, stop))
    assert [(body["entries"], body["reason"]) for body in read(tmp_path) if body["name"] == LOST] == [([3], "stopped")]

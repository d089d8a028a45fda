"""Evidence on the disk: whole or not at all, within its budget, and what is not kept is told."""

import os
import resource
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware.endcode import PRUNED
from firmware.entries import read
from firmware.evidence.budget import Budget
from firmware.evidence.history import History
from firmware.evidence.key import DeviceKey, device_key
from firmware.evidence.pieces import FOLDER, KEPT, LOST
from firmware.evidence.verify import check
from firmware.ledger import Ledger
from scorer.events import DisputeOpened, RefereeCalled, RefereeDecided, RollCounted
from tests.firmware.evidence.matches import Kept, due, played
from tests.scorer.tray import dice, rest


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> DeviceKey:
    return device_key(str(tmp_path_factory.mktemp("key") / "device.key"))


def told(match: Path, name: str) -> list[dict[str, Any]]:
    return [body for body in read(match) if body["name"] == name]


def test_every_roll_and_whatever_people_argue_about_is_proved_once(tmp_path: Path, key: DeviceKey) -> None:
    match = played(tmp_path / "match", key)
    history = History(match)
    for ruled in history.rolls:
        (piece,) = ruled.evidence
        assert piece.what == "frames" or not isinstance(ruled.ruling, RollCounted)
        assert piece.read() == due(ruled.ruling).frames
    kept = Kept(match.with_name("again"), key)
    (counted,) = (r for r in kept.umpire.on(rest(1.0, dice("33355"))) if isinstance(r, RollCounted))
    kept.store.store(due(counted))
    kept.store.store(due(counted))
    assert len(told(kept.ledger.folder, KEPT)) == 1


def test_what_a_crash_left_behind_is_swept_away_and_what_it_cost_is_told(tmp_path: Path, key: DeviceKey) -> None:
    kept = Kept(tmp_path / "match", key)
    (counted,) = (r for r in kept.umpire.on(rest(1.0, dice("33355"))) if isinstance(r, RollCounted))
    kept.store.store(due(counted))
    (other,) = (r for r in kept.umpire.on(rest(9.0, dice("66655", 7))) if isinstance(r, RollCounted))
    kept.ledger.close()
    folder = tmp_path / "match" / FOLDER
    for name in ("000099-clip.zip", "000099-clip.zip.part", "people's own.txt"):
        (folder / name).write_text("left behind")
    again = Kept(tmp_path / "match", key)
    assert sorted(path.name for path in folder.iterdir()) == [f"{counted.entry:06}-frames.zip", "people's own.txt"]
    again.store.broken_off()
    assert [body["entries"] for body in told(tmp_path / "match", LOST)] == [[other.entry]]
    assert check(tmp_path / "match").verdict.ok


def test_a_full_disk_costs_a_piece_of_evidence_and_nothing_else(tmp_path: Path, key: DeviceKey) -> None:
    kept = Kept(tmp_path / "match", key)
    (counted,) = (r for r in kept.umpire.on(rest(1.0, dice("33355"))) if isinstance(r, RollCounted))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
    try:
        kept.store.store(due(counted, size=300_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert told(tmp_path / "match", LOST)[0]["entries"] == [counted.entry]
    assert not os.listdir(tmp_path / "match" / FOLDER)
    assert check(tmp_path / "match").verdict.ok


def test_the_oldest_that_nobody_disputes_goes_first_and_never_an_open_dispute(tmp_path: Path, key: DeviceKey) -> None:
    old = played(tmp_path / "1", key, steps=4)
    kept = Kept(tmp_path / "2", key, budget_mb=0.5, size=50_000)
    facts = (rest(1.0, dice("33355")), RefereeCalled(t=2.0))
    rulings = [ruling for fact in facts for ruling in kept.umpire.on(fact)]
    argued = [due(ruling, 50_000) for ruling in rulings if isinstance(ruling, RollCounted | DisputeOpened)]
    for one in argued:
        kept.store.store(one)
    open_ = {piece.file for piece in History(kept.ledger.folder).pieces}
    for entry in range(1000, 1010):
        made = due(rulings[-1], 50_000)
        kept.store.store(type(made)((entry,), "clip" if entry % 2 else "frames", made.frames))
    pieces = History(kept.ledger.folder).pieces
    assert open_ <= {piece.file for piece in pieces if not piece.pruned}
    gone = [body["file"] for body in told(kept.ledger.folder, PRUNED)]
    assert gone[:2] == [f"{FOLDER}/001001-clip.zip", f"{FOLDER}/001000-frames.zip"]
    assert History(old).pieces and all(piece.pruned for piece in History(old).pieces)
    size = sum(path.stat().st_size for match in (old, kept.ledger.folder) for path in (match / FOLDER).iterdir())
    assert size <= 0.5e6
    assert check(old).verdict.ok and check(old, code=check(old).verdict.code).verdict.ok
    kept.umpire.on(RefereeDecided(t=3.0, action="confirm", reason="all saw it"))
    kept.ledger.close()
    assert check(kept.ledger.folder).verdict.ok
    assert told(kept.ledger.folder, PRUNED) and not told(kept.ledger.folder, LOST)


def test_what_has_no_room_at_all_is_told(tmp_path: Path, key: DeviceKey) -> None:
    kept = Kept(tmp_path / "match", key, budget_mb=0.0)
    kept.play(Random(1), 5)
    assert told(tmp_path / "match", LOST) and not (tmp_path / "match" / FOLDER).exists()
    assert {body["reason"] for body in told(tmp_path / "match", LOST)} == {"budget"}


def test_nonsense_beside_a_match_does_not_keep_its_evidence_from_being_stored(tmp_path: Path, key: DeviceKey) -> None:
    with Ledger(tmp_path / "nonsense") as ledger:
        ledger.append([{"kind": "ruling", "name": "RollCounted"}])
    with Ledger(tmp_path / "match") as ledger:
        (tmp_path / "match" / FOLDER).mkdir()
        (tmp_path / "match" / FOLDER / "000001-clip.zip").write_bytes(bytes(900))
        assert not Budget(ledger, 0.001, key).make_room(200)

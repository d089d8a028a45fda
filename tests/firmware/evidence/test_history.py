"""A match as its ledger tells it: followed while it is played, with its evidence and what people disagree about."""

from pathlib import Path

import pytest

from firmware.endcode import PRUNED
from firmware.entries import read
from firmware.errors import EvidenceError, LedgerError
from firmware.evidence.history import History
from firmware.evidence.key import device_key
from firmware.evidence.pieces import FOLDER, Frames, Picture, kept, pack
from firmware.evidence.reread import reread
from firmware.ledger import Ledger
from firmware.record import note, rebuilt, told_later, watched_again
from scorer.events import IncidentRecorded, RefereeCalled, RefereeDecided, RefereeRuled, RollCounted
from scorer.presets import BHO
from scorer.umpire import Umpire
from tests.firmware.evidence.matches import played
from tests.scorer.play import play
from tests.scorer.tray import dice, rest
from vision.network import load_networks

FRAMES = Frames(
    (Picture(30, 1.0, b"first"), Picture(42, 1.4, b"second")),
    (10, 20, 300, 200),
    (640, 480),
    ((0.0, 0.0), (9.5, 0.0), (9.5, 9.0)),
    30.0,
)


def keep(ledger: Ledger, *entries: int) -> str:
    """Put a piece of evidence for these rulings into a match."""
    file = f"{FOLDER}/{entries[0]:06}-frames.zip"
    path = ledger.folder / file
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as stored:
        pack(FRAMES, stored)
    ledger.append([kept(entries, "frames", ledger.folder, file, FRAMES)])
    return file


@pytest.mark.parametrize("seed", [1, 4])
def test_a_match_is_followed_entry_by_entry(tmp_path: Path, seed: int) -> None:
    first, steps = play(seed)
    with Ledger(tmp_path) as ledger:
        umpire = watched_again(Umpire(first.rules, first.players, first.options), ledger, "")
        umpire.start()
        history = History(tmp_path)
        for step in steps:
            umpire.on(step.fact)
            history.refresh()
            assert history.state == umpire.state
        assert not history.refresh()
    assert [ruled.ruling for ruled in history.rulings] == list(rebuilt(read(tmp_path))[1])
    assert [ruled.ruling.entry for ruled in history.rulings] == list(range(1, len(history.rulings) + 1))


def test_evidence_is_found_by_the_ruling_and_read_as_it_was_kept(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        umpire = watched_again(Umpire(BHO, ("Ann", "Ben")), ledger, "")
        umpire.start()
        (counted,) = (r for r in umpire.on(rest(1.0, dice("33355"))) if isinstance(r, RollCounted))
        file = keep(ledger, counted.entry)
        history = History(tmp_path)
        (roll,) = history.rolls
        (piece,) = roll.evidence
        assert roll == history.ruled(counted.entry) and piece.read() == FRAMES
        ledger.append([note(PRUNED, file=file)])
        history.refresh()
        with pytest.raises(EvidenceError, match="deleted to make room"):
            history.pieces[0].read()
    piece.path.write_bytes(piece.path.read_bytes()[:-1] + b"x")
    with pytest.raises(EvidenceError, match="is not what was kept"):
        piece.read()
    piece.path.unlink()
    with pytest.raises(EvidenceError, match="is missing"):
        piece.read()


def test_a_dispute_is_open_until_the_referee_has_ruled(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        umpire = watched_again(Umpire(BHO, ("Ann", "Ben")), ledger, "")
        umpire.start()
        rulings = [*umpire.on(rest(1.0, dice("33355"))), *umpire.on(RefereeCalled(t=2.0, player="Ben"))]
        keep(ledger, rulings[0].entry)
        history = History(tmp_path)
        (case,) = history.disputes
        assert case.is_open and case.about == history.rolls and len(case.evidence) == 1
    told_later(tmp_path, RefereeDecided(t=0.0, action="correct_reading", reason="it was a six", before=5, after=6))
    history.refresh()
    (case,) = history.disputes
    assert case.settled is not None and isinstance(case.settled.ruling, RefereeRuled)
    assert history.state is not None and history.state.turn.values == (3, 3, 3, 5, 6)


def test_an_incident_is_open_until_the_referee_rules_on_it(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        umpire = watched_again(Umpire(BHO, ("Ann", "Ben")), ledger, "")
        umpire.start()
        umpire.on(rest(1.0, dice("333556")))
        history = History(tmp_path)
        (case,) = history.incidents
        assert case.is_open and isinstance(case.opened.ruling, IncidentRecorded)
        umpire.on(RefereeCalled(t=2.0))
        entry = case.opened.ruling.entry
        umpire.on(RefereeDecided(t=3.0, action="warn", player="Ann", reason="a sixth die", replaces=entry))
    history.refresh()
    assert not history.incidents[0].is_open


def test_a_match_that_is_ruled_otherwise_today_is_refused(tmp_path: Path) -> None:
    with Ledger(tmp_path / "one") as ledger:
        watched_again(Umpire(BHO, ("Ann",)), ledger, "").start()
    bodies = read(tmp_path / "one")
    with Ledger(tmp_path / "other") as ledger:
        ledger.append([bodies[0], bodies[1] | {"reason": "another"}])
    with pytest.raises(LedgerError, match=r"entry 2 in .* is ruled otherwise by this version"):
        History(tmp_path / "other")


def test_a_rule_is_told_in_the_words_that_the_ledger_has(tmp_path: Path) -> None:
    with Ledger(tmp_path / "one") as ledger:
        watched_again(Umpire(BHO, ("Ann",)), ledger, "").start()
    bodies = [body | {"rule": "as it was once put"} if "rule" in body else body for body in read(tmp_path / "one")]
    with Ledger(tmp_path / "other") as ledger:
        ledger.append(bodies)
    assert {ruled.ruling.rule for ruled in History(tmp_path / "other").rulings} == {"as it was once put"}


def test_frames_that_are_no_pictures_are_told_in_words(tmp_path: Path) -> None:
    match = played(tmp_path / "match", device_key(str(tmp_path / "device.key")))
    with pytest.raises(EvidenceError, match="of the evidence is no picture"):
        list(reread(History(match), load_networks(None)))

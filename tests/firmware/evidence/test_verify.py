"""`verify` names whatever was altered: an entry, a signature, a byte of evidence."""

import json
import os
import shutil
from pathlib import Path
from random import Random

import pytest

from firmware.commands.matches import close_command, verify_command
from firmware.endcode import CLOSED
from firmware.entries import entries, read
from firmware.errors import FirmwareError
from firmware.evidence.budget import Budget
from firmware.evidence.history import History
from firmware.evidence.key import DeviceKey, device_key
from firmware.evidence.pieces import FOLDER, KEPT, pieces
from firmware.evidence.standalone import signatures
from firmware.evidence.store import Store, close_left
from firmware.evidence.verify import Checked, check
from firmware.ledger import FIRST, Ledger, canonical
from firmware.record import first_difference, rebuilt, told_later
from scorer.events import RefereeCalled, RefereeDecided
from tests.firmware.command import fairtray
from tests.firmware.evidence.matches import Kept, played
from tests.firmware.evidence.tampering import TAMPERINGS, Rows, put, rows_of, sealed_anew

COUNT = int(os.environ.get("FAIRTRAY_TAMPERINGS", "33"))
"""`make test-tamper` does many more."""


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> DeviceKey:
    return device_key(str(tmp_path_factory.mktemp("key") / "device.key"))


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory, key: DeviceKey) -> Path:
    """A closed match with evidence."""
    return played(tmp_path_factory.mktemp("matches") / "one", key)


def test_a_match_that_nobody_touched_is_whole(match: Path, key: DeviceKey) -> None:
    with Ledger(match, key) as ledger:  # its recording is watched once more
        store = Store(ledger, Budget(ledger, 1.0, key))
        store.lost((), "too_slow", 7)
        store.close()
    checked = check(match, key=key.public)
    assert checked.verdict.ok and checked.verdict.closed
    assert checked.keys == (key.public,) and checked.signed == checked.verdict.entries
    assert checked.pieces == len(list((match / FOLDER).iterdir())) > 3
    assert check(match, code=checked.verdict.code).verdict.ok


def test_random_tamperings_are_all_named(match: Path, tmp_path: Path) -> None:
    random, copy = Random(1), tmp_path / "copy"
    for number in range(COUNT):
        tampering = TAMPERINGS[number % len(TAMPERINGS)]
        shutil.copytree(match, copy)
        entry = tampering(copy, random)
        fault = check(copy).verdict.fault
        named = "entry " if entry is None else f"entry {entry}: "
        assert fault is not None and fault.startswith(named), (number, tampering.__name__, fault)
        shutil.rmtree(copy)


def test_a_cut_tail_shows_in_the_code_that_players_noted(match: Path, tmp_path: Path) -> None:
    """Evidence that was stored behind the last ruling, the closing entry and its signature too."""
    code, rows = check(match).verdict.code, rows_of(match)
    assert json.loads(rows[-2][2])["name"] == CLOSED
    for left in (*range(0, len(rows) - 9, 3), *range(len(rows) - 9, len(rows))):
        copy = tmp_path / str(left)
        shutil.copytree(match, copy)
        put(copy, rows[:left])
        assert not check(copy, code).verdict.ok


def test_what_is_ruled_after_the_end_is_closed_anew_and_the_code_noted_before_is_told(
    match: Path, tmp_path: Path, key: DeviceKey
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(match, copy)
    before = check(match).verdict
    told_later(copy, RefereeCalled(t=0.0), key)
    assert not check(copy).verdict.closed
    told_later(copy, RefereeDecided(t=0.0, action="warn", player="Ann", reason="A die was slid."), key)
    after = check(copy, key=key.public).verdict
    assert after.ok and after.closed and after.code != before.code and check(copy, after.code).verdict.ok
    _, refused = told_later(copy, RefereeDecided(t=0.0, action="confirm", reason="Nobody asked."), key)
    assert [ruling.reason for ruling in refused] == ["no_dispute"] and check(copy, after.code).verdict == after
    went_on = f"not {before.code}; it was closed with that at entry {before.entries - 1}, and went on"
    assert str(check(copy, before.code).verdict.fault).endswith(went_on)
    bodies = read(copy)
    assert first_difference(bodies, rebuilt(bodies)[1]) is None


def test_a_match_that_was_killed_before_it_was_closed_is_closed_later(
    match: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, rows = tmp_path / "copy", rows_of(match)
    shutil.copytree(match, copy)
    ended = max(seq for seq, _, body, _ in rows if json.loads(body)["kind"] == "ruling")
    signed = next(seq for seq, _, body, _ in rows[ended:] if json.loads(body)["name"] == "Signed")
    put(copy, rows[:signed])
    assert verify_command(copy, None, None, as_json=False) == 0
    assert "it is not closed" in capsys.readouterr().out
    by_older = rows[ended - 1][3][:12]  # ledgers were once not closed, and players noted this
    assert close_command(copy) == 0
    verdict = check(copy).verdict
    assert f"It ends with {verdict.code}: note it." in capsys.readouterr().out
    assert verdict.ok and verdict.closed and check(copy, by_older).verdict.ok
    with pytest.raises(FirmwareError, match="is over already"):
        close_command(copy)


def test_a_ledger_that_is_sealed_anew_without_the_key_is_named(match: Path, tmp_path: Path, key: DeviceKey) -> None:
    def rewritten(name: str, rows: Rows) -> Path:
        shutil.copytree(match, tmp_path / name)
        put(tmp_path / name, sealed_anew(rows))
        return tmp_path / name

    rows = rows_of(match)
    rows[2][2] = rows[2][2].replace('"player":"', '"player":"M')
    signed = next(entry.seq for entry in entries(match) if entry.body["name"] == "Signed")
    assert check(rewritten("changed", rows)).verdict.fault == f"entry {signed}: it is not signed by the device's key"

    fault = check(rewritten("cut", rows_of(match)[:-1])).verdict.fault
    assert fault is not None and fault.endswith("the signature that belongs to it is missing")

    bare = [row for row in rows if not any(name in row[2] for name in ('"Signed"', '"DeviceKey"'))]
    assert check(rewritten("unsigned", bare)).keys == ()
    assert check(tmp_path / "unsigned", key=key.public).verdict.fault == "entry 1: no device signed this match"


def test_what_is_put_behind_the_end_never_passes_for_a_note(match: Path, tmp_path: Path, key: DeviceKey) -> None:
    checked, rows = check(match), rows_of(match)
    file = next(json.loads(row[2])["file"] for row in rows if KEPT in row[2])

    def behind(name: str, text: str) -> Checked:
        copy = tmp_path / name
        shutil.copytree(match, copy)
        (copy / file).unlink()
        put(copy, sealed_anew([*rows, [0, "", text, ""]]))
        return check(copy, checked.verdict.code, key.public)

    next_one = f"entry {len(rows) + 1}: "
    twice = behind("twice", '{"kind":"note","kind":"input","name":"Undo","player":"Ann","t":1.0}').verdict.fault
    assert twice == f"{next_one}its content is not written as the ledger writes it"
    nested = behind("nested", canonical({"kind": "input", "name": "Undo", "x": {"kind": "note"}})).verdict.fault
    assert nested is not None and nested.startswith(f"{next_one}the match ends with")
    pruned = canonical({"kind": "event", "name": "EvidencePruned", "file": file})
    assert not behind("pruned", pruned).verdict.ok
    fault = check(tmp_path / "pruned").verdict.fault  # nor is it signed, so that the file may be gone
    assert fault is not None and f"{file}: it is missing" in fault


def test_a_ruling_behind_the_end_opens_the_match(match: Path, tmp_path: Path) -> None:
    shutil.copytree(match, tmp_path / "copy")
    put(tmp_path / "copy", sealed_anew([*rows_of(match), [0, "", canonical({"kind": "ruling", "name": "Undone"}), ""]]))
    assert not check(tmp_path / "copy").verdict.closed


def test_a_device_does_not_vouch_for_turns_that_were_written_without_it(
    match: Path, tmp_path: Path, key: DeviceKey
) -> None:
    bare = [row for row in rows_of(match) if not any(name in row[2] for name in ('"Signed"', '"DeviceKey"'))]
    shutil.copytree(match, tmp_path / "copy")
    put(tmp_path / "copy", sealed_anew(bare[: len(bare) // 2]))
    kept = Kept(tmp_path / "copy", key)
    kept.play(Random(3), 20)
    kept.end()
    fault = check(tmp_path / "copy", key=key.public).verdict.fault
    assert fault is not None and fault.endswith("the signature that belongs to it is missing")


def test_no_later_signature_vouches_for_a_turns_end_that_was_written_without_it(
    match: Path, tmp_path: Path, key: DeviceKey
) -> None:
    rows = rows_of(match)
    ended = max(place for place, row in enumerate(rows) if json.loads(row[2])["name"] == "MatchEnded")
    body = json.loads(rows[ended][2])
    rows[ended][2] = canonical(body | {"totals": {"Ann": 500, "Ben": 0}})
    copy = tmp_path / "one"
    shutil.copytree(match, copy)
    put(copy, sealed_anew(rows[: ended + 1]))
    missing = f"entry {ended + 1}: the signature that belongs to it is missing"
    with pytest.raises(FirmwareError, match=missing):
        close_left(copy, key, 1.0)
    with Ledger(tmp_path / "two", key) as ledger:
        assert Budget(ledger, 0.0002, key).make_room(100)
    pruned = list(entries(copy))
    assert pruned[-1].body["name"] == "Signed" and check(copy).verdict.fault == missing
    before = [FIRST, *(entry.hash for entry in pruned)]
    with pytest.raises(SystemExit, match=missing):
        signatures([{**entry.body, "prev": prev} for entry, prev in zip(pruned, before, strict=False)])


def test_a_key_that_is_announced_alone_signs_nothing(tmp_path: Path, key: DeviceKey) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.append([{"kind": "note", "name": "DeviceKey", "key": key.public}])
    assert check(tmp_path, key=key.public).verdict.fault == "entry 1: no device signed this match"
    with Ledger(tmp_path) as ledger:
        ledger.append([{"kind": "note", "name": "DeviceKey", "key": f"{key.public}, none altered"}])
    assert check(tmp_path).verdict.fault == "entry 2: it announces no key"


def test_a_key_is_taken_however_it_is_written_and_a_wrong_one_accuses_nobody(match: Path, key: DeviceKey) -> None:
    assert check(match, key=f" {key.public.upper()}").verdict.ok
    said = fairtray("match", "verify", match, "--key", "mine")
    assert said.returncode == 2 and "'mine' is no public key" in said.stderr and not said.stdout


def test_a_pipe_in_the_place_of_a_piece_is_named(match: Path, tmp_path: Path) -> None:
    shutil.copytree(match, tmp_path / "copy")
    file = min((tmp_path / "copy" / FOLDER).iterdir())
    file.unlink()
    os.mkfifo(file)
    fault = check(tmp_path / "copy").verdict.fault
    assert fault is not None and fault.endswith(f"{file.name}: it is not what was kept")
    with pytest.raises(FirmwareError, match="it is not what was kept"):
        next(piece for piece in History(tmp_path / "copy").pieces if piece.path == file).read()


def test_another_devices_signature_is_not_taken_for_the_one_trusted(tmp_path: Path, key: DeviceKey) -> None:
    other = device_key(str(tmp_path / "other.key"))
    played(tmp_path / "match", other)
    assert check(tmp_path / "match").verdict.ok
    fault = check(tmp_path / "match", key=key.public).verdict.fault
    assert fault is not None and "another device's key signs from here on" in fault
    with Ledger(tmp_path / "match", key) as ledger:
        ledger.append([], sign=True)
    assert check(tmp_path / "match").keys == (other.public, key.public)


def test_an_entry_that_points_elsewhere_is_named(tmp_path: Path, key: DeviceKey) -> None:
    with Ledger(tmp_path, key) as ledger:
        ledger.append([{"kind": "note", "name": KEPT, "file": f"{FOLDER}/../../etc/passwd"}], sign=True)
    assert check(tmp_path).verdict.fault == "entry 1: 'evidence/../../etc/passwd' is no file of evidence"
    body = {
        "file": f"{FOLDER}/000001-clip.zip",
        "what": "clip",
        "sha256": "",
        "bytes": 0,
        "frames": 0,
        "from": 0,
        "to": 0,
    }
    told = {"kind": "note", "name": KEPT, "entries": [[1]], **body}
    with pytest.raises(FirmwareError, match="entry 1: what it says of evidence cannot be read"):
        pieces(tmp_path, [(1, told)])


def test_a_sealed_entry_that_says_nothing_is_named(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.append([{"kind": "note", "name": "Opened"}, {"none": 1}])
    fault = check(tmp_path).verdict.fault
    assert fault == "entry 2: it says nothing of a match"


def test_the_command_says_it_in_words_and_as_json(match: Path, tmp_path: Path) -> None:
    said = fairtray("match", "verify", match)
    assert said.returncode == 0 and "none altered; signed up to entry" in said.stdout
    copy = tmp_path / "copy"
    shutil.copytree(match, copy)
    file = min((copy / FOLDER).iterdir())
    file.write_bytes(file.read_bytes()[:-1])
    said = fairtray("match", "verify", "--json", copy)
    assert said.returncode == 1 and '"ok": false' in said.stdout and f"{FOLDER}/{file.name}: it is not" in said.stdout

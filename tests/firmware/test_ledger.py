"""The ledger: nothing in it changes unseen, nothing that was written is lost."""

import hashlib
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware.entries import read, verify
from firmware.errors import LedgerError
from firmware.ledger import FIRST, LEDGER, Ledger
from tests.firmware.command import fairtray

BODIES = [{"kind": "ruling", "name": "RollCounted", "t": 1.5 * n, "player": "Jürgen", "values": [n]} for n in range(40)]


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """A match of forty entries, written in twos."""
    with Ledger(tmp_path / "match") as ledger:
        for n in range(0, len(BODIES), 2):
            ledger.append(BODIES[n : n + 2])
    return tmp_path / "match"


def change(match: Path, *statements: str) -> None:
    """Change the file as somebody would who knows SQL."""
    with closing(sqlite3.connect(match / LEDGER)) as connection, connection:
        for statement in ("DROP TRIGGER only_next", "DROP TRIGGER no_update", "DROP TRIGGER no_delete", *statements):
            connection.execute(statement)


def test_what_was_written_is_read_and_sealed_as_described(match: Path) -> None:
    assert read(match) == BODIES
    prev = FIRST
    for n, body in enumerate(BODIES, 1):
        whole = json.dumps({"seq": n, "prev": prev, "body": body}, sort_keys=True, separators=(",", ":"))
        prev = hashlib.sha256(whole.encode()).hexdigest()
    verdict = verify(match)
    assert (verdict.ok, verdict.entries, verdict.head, verdict.fault) == (True, len(BODIES), prev, None)


def test_the_file_is_synced_and_journaled(match: Path) -> None:
    with Ledger(match) as ledger:
        settings = [
            ledger._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
        ]
    assert settings == ["wal", 2]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET body = '{}' WHERE seq = 3",
        "DELETE FROM entries WHERE seq = 40",
        "INSERT INTO entries VALUES (42, 'x', '{}', 'x')",
        "INSERT INTO entries VALUES (41, 'x', '{}', 'x')",
        "INSERT OR REPLACE INTO entries VALUES (40, 'x', '{}', 'x')",
    ],
)
def test_entries_are_only_ever_added(match: Path, statement: str) -> None:
    with closing(sqlite3.connect(match / LEDGER)) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    assert verify(match).ok


@pytest.mark.parametrize(
    ("statements", "entry"),
    [
        (["UPDATE entries SET body = replace(body, '[6]', '[5]') WHERE seq = 7"], 7),
        (["UPDATE entries SET hash = prev WHERE seq = 9"], 9),
        (["DELETE FROM entries WHERE seq = 12"], 12),
        (["DELETE FROM entries WHERE seq = 12", "UPDATE entries SET seq = seq - 1 WHERE seq > 12"], 12),
        (["UPDATE entries SET seq = -seq WHERE seq IN (20, 21)",
          "UPDATE entries SET seq = 41 + seq WHERE seq < 0"], 20),
        (["UPDATE entries SET seq = seq + 100 WHERE seq > 5", "INSERT INTO entries SELECT 6, prev, body, hash "
          "FROM entries WHERE seq = 5", "UPDATE entries SET seq = seq - 99 WHERE seq > 100"], 6),
        (["DROP TABLE entries"], 1),
    ],
)  # fmt: skip
def test_what_was_altered_is_named(match: Path, statements: list[str], entry: int) -> None:
    change(match, *statements)
    verdict = verify(match)
    assert not verdict.ok
    assert verdict.fault is not None and verdict.fault.startswith(f"entry {entry}: ")
    with pytest.raises(LedgerError, match=f"was altered, entry {entry}: "):
        read(match)


def test_any_changed_letter_of_any_entry_is_named(match: Path) -> None:
    random = Random(1)
    with closing(sqlite3.connect(match / LEDGER)) as connection:
        rows = connection.execute("SELECT * FROM entries").fetchall()
    for _ in range(200):
        seq, column = random.randint(1, len(rows)), random.randint(1, 3)
        altered = [list(row) for row in rows]
        text = altered[seq - 1][column]
        place = random.randrange(len(text))
        altered[seq - 1][column] = text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]
        copy = match.parent / "copy"
        copy.mkdir(exist_ok=True)
        (copy / LEDGER).unlink(missing_ok=True)
        with closing(sqlite3.connect(copy / LEDGER)) as connection, connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, prev TEXT, body TEXT, hash TEXT)")
            connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", altered)
        verdict = verify(copy)
        assert verdict.fault is not None and verdict.fault.startswith(f"entry {seq}: ")


def test_any_flipped_bit_of_an_entry_in_the_file_is_found(match: Path) -> None:
    random, whole = Random(1), (match / LEDGER).read_bytes()
    start = whole.index(b'{"kind"')
    for _ in range(200):
        place, bit = random.randrange(start, len(whole)), 1 << random.randrange(8)
        torn = bytearray(whole)
        torn[place] ^= bit
        (match / LEDGER).write_bytes(torn)
        assert not verify(match).ok or _entries(match) == BODIES


def _entries(match: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(match / LEDGER)) as connection:
        return [json.loads(body) for (body,) in connection.execute("SELECT body FROM entries ORDER BY seq")]


def test_a_cut_tail_shows_in_the_code_that_players_noted(match: Path) -> None:
    whole = verify(match)
    code = whole.code
    for noted in (code, code.lower().replace("-", " "), whole.head, whole.head[:12]):
        assert verify(match, noted).ok
    change(match, "DELETE FROM entries WHERE seq > 30")
    assert verify(match).ok
    fault = verify(match, code).fault
    assert fault is not None and fault.startswith(f"entry 30: the match ends with {verify(match).code}, not")
    assert not verify(match, "").ok


def test_only_one_plays_a_match(match: Path) -> None:
    with Ledger(match) as ledger:
        with pytest.raises(LedgerError, match="is being played by another fairtray"):
            Ledger(match)
        ledger.append(BODIES[:1])
    Ledger(match).close()


def test_a_full_disk_writes_nothing_and_goes_on_when_there_is_room(match: Path) -> None:
    with Ledger(match) as ledger:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (16384, before[1]))
        try:
            with pytest.raises(LedgerError, match="is the disk full or gone"):
                ledger.append([{"kind": "event", "name": "long", "text": "x" * 40000}])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert ledger.count == len(BODIES)
        ledger.append(BODIES[:1])
    assert read(match) == [*BODIES, BODIES[0]]


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    (tmp_path / LEDGER).mkdir()
    for _ in range(2):  # and nothing stays locked
        with pytest.raises(LedgerError, match="cannot be used as a ledger: unable to open"):
            Ledger(tmp_path)


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\x00" + bytes(200)])
def test_a_file_that_is_no_ledger(tmp_path: Path, content: bytes) -> None:
    (tmp_path / LEDGER).write_bytes(content)
    assert not verify(tmp_path).ok
    if content:
        with pytest.raises(LedgerError, match="cannot be used as a ledger"):
            Ledger(tmp_path)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="cannot write the match"):
        Ledger(tmp_path / "file" / "match")
    with pytest.raises(LedgerError, match="there is no match in"):
        verify(tmp_path)


WRITER = """
import sys
from pathlib import Path
from firmware.ledger import Ledger
ledger = Ledger(Path(sys.argv[1]))
while True:
    ledger.append([{"kind": "event", "name": "a", "n": ledger.count}, {"kind": "ruling", "name": "b"}])
    print(ledger.count, flush=True)
"""


def test_whatever_was_written_outlives_a_kill_at_any_moment(tmp_path: Path) -> None:
    random = Random(1)
    for _ in range(6):
        command = [sys.executable, "-c", WRITER, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            said = [writer.stdout.readline() for _ in range(random.randint(1, 60))]
            os.kill(writer.pid, signal.SIGKILL)
            written = int((said + writer.stdout.read().split("\n")[:-1])[-1])
        verdict = verify(tmp_path)
        assert verdict.ok
        assert verdict.entries >= written and verdict.entries % 2 == 0


def test_a_folder_of_matches_is_listed_whatever_some_of_them_are(tmp_path: Path) -> None:
    with Ledger(tmp_path / "opened") as ledger:
        ledger.append([{"kind": "note", "name": "Opened"}])
    (tmp_path / "folder" / LEDGER).mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / LEDGER).touch()
    said = fairtray("match", "list", tmp_path, "--json")
    states = {line["match"]: line["state"] for line in map(json.loads, said.stdout.splitlines())}
    assert said.returncode == 0 and states["opened"] == "no match was begun in this folder"
    assert set(states) == {"opened", "empty"} and states["empty"].startswith("altered: entry 1: ")


def test_where_nothing_can_be_written_what_is_in_the_log_is_read_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "match"
    with Ledger(folder) as ledger:
        ledger.append(BODIES)
        shutil.copytree(folder, tmp_path / "copy", ignore=shutil.ignore_patterns("*-shm"))
        monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
        assert verify(folder).entries == len(BODIES)
        with pytest.raises(LedgerError, match="copy it, and read the copy"):
            verify(tmp_path / "copy")
    assert read(folder) == BODIES


def test_a_file_name_that_is_no_letters_is_printed_all_the_same(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.append([{"kind": "note", "name": "Opened", "source": "J\u00fcrgen \udcff.mp4"}])
    said = fairtray("match", "show", "--json", tmp_path)
    assert said.returncode == 0 and json.loads(said.stdout) == read(tmp_path)[0]

"""Power that goes at any moment, and writes that were torn: no ruling is lost or doubled, and play goes on."""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from firmware.entries import entries
from firmware.errors import FirmwareError
from firmware.evidence.history import History
from firmware.evidence.key import device_key
from firmware.evidence.verify import check
from firmware.ledger import LEDGER
from tests.firmware.evidence.matches import Kept

KILLS = int(os.environ.get("FAIRTRAY_KILLS", "5"))
TEARS = int(os.environ.get("FAIRTRAY_TEARS", "20"))
"""`make test-kill` does many more."""
WAL = f"{LEDGER}-wal"
HEADER, FRAME_HEADER = 32, 24
"""Bytes before the frames of SQLite's write-ahead log, and before each one's page, which begins with its number."""


def test_a_match_that_is_killed_at_any_moment_loses_no_ruling(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.firmware.evidence.killing", str(tmp_path), str(KILLS), "1"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    print(said.stdout)
    assert f"{KILLS} kills" in said.stdout


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, int]]:
    """Copies of a match while it is played, each with how many entries were on the disk by then."""
    folder = tmp_path_factory.mktemp("torn")
    kept, random = Kept(folder / "match", device_key(str(folder / "device.key"))), Random(1)
    copies = []
    for number in range(40):
        kept.play(random, 1)
        copy = folder / f"at{number}"
        shutil.copytree(folder / "match", copy, ignore=shutil.ignore_patterns("*-shm"))
        copies.append((copy, kept.ledger.count))
    kept.ledger.close()
    return copies


def goes_on(match: Path, key: Path) -> None:
    """Play goes on, and nothing is wrong afterwards."""
    kept = Kept(match, device_key(str(key)))
    kept.play(Random(2), 2)
    kept.ledger.close()
    assert check(match).verdict.ok
    numbers = [ruled.ruling.entry for ruled in History(match).rulings]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_write_that_is_torn_costs_nothing_that_was_on_the_disk(
    moments: list[tuple[Path, int]], tmp_path: Path
) -> None:
    """The log is cut or garbled anywhere in what had not been synced; the evidence is that of the later moment."""
    random = Random(3)
    key = moments[0][0].with_name("device.key")
    for number in range(TEARS):
        at = random.randrange(len(moments) - 1)
        (before, count), (after, _) = moments[at], moments[at + 1]
        sure, whole = (before / WAL).read_bytes(), (after / WAL).read_bytes()
        if whole[: len(sure)] != sure or len(whole) == len(sure):
            continue  # the log began anew in between, or nothing was written
        torn, match = bytearray(whole), tmp_path / str(number)
        place = random.randrange(len(sure), len(whole))
        if random.random() < 0.5:
            del torn[place:]
        else:
            end = random.randrange(place, len(whole)) + 1
            torn[place:end] = random.randbytes(end - place) if random.random() < 0.5 else bytes(end - place)
        shutil.copytree(after, match)
        (match / LEDGER).write_bytes((before / LEDGER).read_bytes())
        (match / WAL).write_bytes(torn)
        verdict = check(match).verdict
        assert verdict.ok and verdict.entries >= count
        if number % 8 == 0:
            goes_on(match, key)
        shutil.rmtree(match)


def test_a_checkpoint_that_is_torn_is_done_again(moments: list[tuple[Path, int]], tmp_path: Path) -> None:
    """Pages of the database that the log still holds are garbled, or the file ends in the middle of one."""
    random = Random(4)
    key = moments[0][0].with_name("device.key")
    for number in range(TEARS // 4):
        copy, count = random.choice(moments)
        log, match = (copy / WAL).read_bytes(), tmp_path / str(number)
        shutil.copytree(copy, match)
        size: int = struct.unpack(">I", log[8:12])[0]
        pages = {struct.unpack(">I", log[at : at + 4])[0] for at in range(HEADER, len(log) - size, FRAME_HEADER + size)}
        whole = bytearray((copy / LEDGER).read_bytes())
        for page in pages - {1}:  # the first page tells SQLite that there is a log
            if random.random() < 0.7:
                place = (page - 1) * size + random.randrange(size)
                whole.extend(bytes(max(0, page * size - len(whole))))
                whole[place : page * size] = random.randbytes(page * size - place)
        (match / LEDGER).write_bytes(whole)
        verdict = check(match).verdict
        assert verdict.ok and verdict.entries == count
        if number % 4 == 0:
            goes_on(match, key)
        shutil.rmtree(match)


def test_a_damaged_file_is_told_in_words_and_never_played_on_as_if_it_were_sound(
    moments: list[tuple[Path, int]], tmp_path: Path
) -> None:
    """Whatever is garbled or cut anywhere, the match is refused, named as altered, or whole as far as it goes."""
    random = Random(5)
    copy, _ = moments[-1]
    whole_entries = list(entries(copy))
    for number in range(TEARS):
        match, name = tmp_path / str(number), random.choice([LEDGER, WAL])
        shutil.copytree(copy, match)
        content = bytearray((match / name).read_bytes())
        place = random.randrange(len(content))
        end = min(len(content), place + random.randrange(1, 3000))
        content[place:end] = b"" if random.random() < 0.3 else random.randbytes(end - place)
        (match / name).write_bytes(content)
        try:
            if check(match).verdict.ok:
                left = list(entries(match))
                assert left == whole_entries[: len(left)]
            Kept(match, None).ledger.close()
        except FirmwareError as error:
            assert "\n" not in str(error)
        shutil.rmtree(match)

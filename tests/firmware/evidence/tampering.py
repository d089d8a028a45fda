"""Tampering with a match on the disk, at random: what `verify` must name."""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from firmware.evidence.pieces import KEPT, Picture, pack, unpacked
from firmware.ledger import FIRST, LEDGER, canonical, seal

Rows = list[list[Any]]
"""`seq`, `prev`, `body`, `hash` of every entry."""
Tampering = Callable[[Path, Random], int | None]
"""Changes a match; the entry that `verify` must name, None where it may be a later one."""


def rows_of(match: Path) -> Rows:
    """The entries as they are in the file."""
    with closing(sqlite3.connect(match / LEDGER)) as connection:
        return [list(row) for row in connection.execute("SELECT seq, prev, body, hash FROM entries ORDER BY seq")]


def put(match: Path, rows: Rows) -> None:
    """Replace all entries, as somebody can who knows SQL."""
    with closing(sqlite3.connect(match / LEDGER)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        with connection:
            for name in ("only_next", "no_update", "no_delete"):
                connection.execute(f"DROP TRIGGER IF EXISTS {name}")
            connection.execute("DELETE FROM entries")
            connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", rows)


def sealed_anew(rows: Rows) -> Rows:
    """The entries with numbers and hashes that fit, as somebody makes them who has no key."""
    prev, fitting = FIRST, []
    for seq, row in enumerate(rows, 1):
        sealed = seal(seq, prev, row[2])
        fitting.append([seq, prev, row[2], sealed])
        prev = sealed
    return fitting


# --- entries ---------------------------------------------------------------------------------------------------


def a_letter(match: Path, random: Random) -> int:
    """One letter of a body or of a hash."""
    rows = rows_of(match)
    at, column = random.randrange(len(rows)), random.choice((1, 2, 2, 2, 3))
    text = rows[at][column]
    place = random.randrange(len(text))
    rows[at][column] = text[:place] + chr(ord(text[place]) ^ random.choice((1, 2, 4, 8))) + text[place + 1 :]
    put(match, rows)
    return at + 1


def a_number(match: Path, random: Random) -> int:
    """An entry has another number."""
    rows = rows_of(match)
    at = random.randrange(len(rows))
    rows[at][0] = len(rows) + random.randint(1, 9) if random.random() < 0.5 else -random.randint(0, 9)
    put(match, rows)
    return at + 1 if rows[at][0] > 0 else 1


def taken_out(match: Path, random: Random) -> int:
    """An entry is gone, the last one too; those behind it may have moved up."""
    rows = rows_of(match)
    at = random.choice((random.randrange(len(rows)), len(rows) - 1))
    moved_up = random.random() < 0.5
    left = [*rows[:at], *([row[0] - moved_up, *row[1:]] for row in rows[at + 1 :])]
    put(match, left)
    return at + 1 if at < len(rows) - 1 else at  # of the last turn's end the signature is missing


def swapped(match: Path, random: Random) -> int:
    """Two entries have each other's place."""
    rows = rows_of(match)
    one, other = sorted(random.sample(range(len(rows)), 2))
    rows[one][1:], rows[other][1:] = rows[other][1:], rows[one][1:]
    put(match, rows)
    return one + 1


def put_in(match: Path, random: Random) -> int:
    """A new entry, sealed as it should be, between two others."""
    rows = rows_of(match)
    at = random.randrange(1, len(rows))
    body, prev = random.choice(rows)[2], rows[at - 1][3]
    later = [[row[0] + 1, *row[1:]] for row in rows[at:]]
    put(match, [*rows[:at], [at + 1, prev, body, seal(at + 1, prev, body)], *later])
    return at + 2


def sealed_again(match: Path, random: Random) -> None:
    """A value changed, an entry taken out, put in or moved, and all hashes made to fit again without the key."""
    rows = rows_of(match)
    at = random.randrange(len(rows) - 1)
    match random.randrange(4):
        case 0:
            body = json.loads(rows[at][2])
            rows[at][2] = canonical(body | {"player": "Mallory"})
        case 1:
            del rows[at]
        case 2:
            rows.insert(at, list(random.choice(rows)))
        case _:
            rows[at], rows[at + 1] = rows[at + 1], rows[at]
    put(match, sealed_anew(rows))


# --- evidence --------------------------------------------------------------------------------------------------


def _pieces(match: Path) -> dict[int, Path]:
    told = ((seq, json.loads(body)) for seq, _, body, _ in rows_of(match))
    return {seq: match / body["file"] for seq, body in told if body["name"] == KEPT}


def a_bit(match: Path, random: Random) -> int:
    """One bit of a stored piece."""
    seq, path = random.choice(list(_pieces(match).items()))
    content = bytearray(path.read_bytes())
    content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    path.write_bytes(content)
    return seq


def cut_or_longer(match: Path, random: Random) -> int:
    """A piece is shorter, longer, empty or gone."""
    seq, path = random.choice(list(_pieces(match).items()))
    content = path.read_bytes()
    match random.randrange(4):
        case 0:
            path.write_bytes(content[: random.randrange(len(content))])
        case 1:
            path.write_bytes(content + random.randbytes(random.randint(1, 9)))
        case 2:
            path.write_bytes(b"")
        case _:
            path.unlink()
    return seq


def another_frame(match: Path, random: Random) -> int:
    """A frame is replaced, and the file is sound."""
    seq, path = random.choice(list(_pieces(match).items()))
    path.write_bytes(_with_another_frame(path.read_bytes(), random))
    return seq


def pieces_swapped(match: Path, random: Random) -> int:
    """Two pieces have each other's name."""
    (one, path), (other, its_path) = random.sample(list(_pieces(match).items()), 2)
    mine, its = path.read_bytes(), its_path.read_bytes()
    path.write_bytes(its)
    its_path.write_bytes(mine)
    return min(one, other)


def another_frame_sealed_again(match: Path, random: Random) -> None:
    """A frame is replaced, its hash in the ledger too, and all hashes made to fit again without the key."""
    seq, path = random.choice(list(_pieces(match).items()))
    content = _with_another_frame(path.read_bytes(), random)
    path.write_bytes(content)
    rows = rows_of(match)
    told = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    rows[seq - 1][2] = canonical(json.loads(rows[seq - 1][2]) | told)
    put(match, sealed_anew(rows))


def _with_another_frame(content: bytes, random: Random) -> bytes:
    frames = unpacked(content)
    pictures = list(frames.pictures)
    at = random.randrange(len(pictures))
    pictures[at] = Picture(pictures[at].frame, pictures[at].t, random.randbytes(40))
    packed = BytesIO()
    pack(replace(frames, pictures=tuple(pictures)), packed)
    return packed.getvalue()


TAMPERINGS: tuple[Tampering, ...] = (
    a_letter, a_number, taken_out, swapped, put_in, sealed_again,
    a_bit, cut_or_longer, another_frame, pieces_swapped, another_frame_sealed_again,
)  # fmt: skip

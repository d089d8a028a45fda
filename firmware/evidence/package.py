"""What leaves the device: the whole record as JSON lines, and a package of the evidence for one roll."""

import json
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from firmware.drawn.told import clock
from firmware.entries import Entry
from firmware.errors import EvidenceError
from firmware.evidence import standalone
from firmware.evidence.history import History, Ruled
from firmware.evidence.pieces import Piece
from firmware.ledger import FIRST, legible
from scorer.events import DisputeOpened, RefereeRuled, RollCounted, TurnStarted, to_json
from scorer.messages import say

_README = """Evidence for entry {entry} of the match {match}: {player}, {clock}
{said}

roll.json      the ruling, what was seen and said since the one before, and what was ruled on it later
evidence/      the evidence as it was stored (zip), and its frames to look at (JPEG, the tray only)
record.jsonl   every entry of the match's ledger in order
check.py       python3 check.py: that no entry was altered, that what roll.json tells stands in the record, and that the
               evidence and its frames are those that were kept. That nothing was left out of roll.json, only the
               record shows

How to check by hand: the `hash` of an entry is the SHA-256 of
  {{"body":BODY,"prev":"PREV","seq":SEQ}}
where BODY is its body as JSON with sorted keys, no spaces and ASCII only, and PREV the hash of the entry before; before
the first one it is the SHA-256 of `fairtray ledger 1`. The entry `EvidenceKept` holds the SHA-256 of each file in
evidence/. `Signed` holds the Ed25519 signature of `fairtray entry SEQ after PREV`, its own number and the hash before
it, by the key in `DeviceKey` ({key}).
The match ends with {code}: compare it with what the players noted, and the key with that of the device. It
is the first 80 bits of the hash of the last entry `Closed`, in Crockford's base 32.
"""


def record_lines(entries: tuple[Entry, ...]) -> Iterator[str]:
    """A line for each entry: `seq`, `prev`, `hash`, `body`."""
    prev = FIRST
    for entry in entries:
        line = {"seq": entry.seq, "prev": prev, "hash": entry.hash, "body": entry.body}
        yield legible(line) + "\n"
        prev = entry.hash


def roll_package(history: History, entry: int, code: str, key: str) -> bytes:
    """A zip of all that belongs to the ruling with this number.

    Raises:
        EvidenceError: it is no ruling on a throw, or its evidence is not what was kept.
    """
    ruled = history.ruled(entry)
    if ruled is None or ruled not in history.rolls:
        known = ", ".join(str(one.ruling.entry) for one in history.rolls)
        raise EvidenceError(f"entry {entry} is no ruling on a throw; those are {known or 'none yet'}")
    ruling, content = ruled.ruling, BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as package:
        readme = _README.format(
            entry=entry, match=history.folder.name, player=ruling.player, clock=clock(ruling.t), said=say(ruling),
            key=key or "none", code=code,
        )  # fmt: skip
        package.writestr("README.txt", readme)
        package.writestr("check.py", Path(standalone.__file__).read_text(encoding="utf-8"))
        package.writestr("roll.json", json.dumps(_told(history, ruled), indent=1, ensure_ascii=False))
        package.writestr("record.jsonl", "".join(record_lines(history.entries)))
        for piece in _pieces(history, ruled):
            if piece.pruned:
                continue
            frames = piece.read()
            package.write(piece.path, piece.file, zipfile.ZIP_STORED)
            for picture in frames.pictures:
                name = f"{piece.file.removesuffix('.zip')}/{picture.frame:07}.jpg"
                package.writestr(name, picture.jpeg, zipfile.ZIP_STORED)
    return content.getvalue()


def _later(history: History, ruled: Ruled) -> list[Ruled]:
    """What was ruled on it later: what replaces it, and disputes of its turn with what the referee decided."""
    later = [one for one in history.rulings if one.ruling.replaces == ruled.ruling.entry]
    for case in history.disputes:
        if ruled in case.about:
            later += [case.opened, *([case.settled] if case.settled else [])]
    return sorted({one.seq: one for one in later}.values(), key=lambda one: one.seq)


def _pieces(history: History, ruled: Ruled) -> list[Piece]:
    disputes = [one for one in _later(history, ruled) if isinstance(one.ruling, DisputeOpened | RefereeRuled)]
    return list({piece.file: piece for one in (ruled, *disputes) for piece in one.evidence}.values())


def _told(history: History, ruled: Ruled) -> dict[str, object]:
    """The roll in JSON."""
    earlier = (
        one for one in history.rulings if one.seq < ruled.seq and isinstance(one.ruling, TurnStarted | RollCounted)
    )
    before = max((one.seq for one in earlier), default=0)
    return {
        "ruling": to_json(ruled.ruling),
        "seen": [e.body for e in history.entries if before < e.seq < ruled.seq and e.body["kind"] != "note"],
        "later": [to_json(one.ruling) for one in _later(history, ruled)],
        "evidence": [
            {"file": piece.file, "sha256": piece.sha256, "pruned": piece.pruned} for piece in _pieces(history, ruled)
        ],
    }

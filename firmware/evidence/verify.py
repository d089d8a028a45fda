"""Whether a match is as it was written: every entry, every signature, every stored byte of evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from firmware.endcode import CLOSED, DEVICE_KEY, NOTE, PRUNED, SIGNED
from firmware.entries import Entry, Verdict, entries, read, verify
from firmware.errors import EvidenceError, LedgerError
from firmware.evidence.key import is_public_key, is_signed, public_key
from firmware.evidence.pieces import KEPT, pieces
from firmware.ledger import FIRST, LEDGER

ENDS = ("TurnEnded", "MatchEnded")
"""What is signed at once."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found: the ledger's verdict, who signed (public keys, first one first), the last entry signed, and how
    many pieces of evidence were ever kept."""

    verdict: Verdict
    keys: tuple[str, ...] = ()
    signed: int = 0
    pieces: int = 0


def check(folder: Path, code: str | None = None, key: str | None = None) -> Checked:
    """Check a match; `code` is what the players noted at its end, `key` the public key of the device that they trust.

    Raises:
        LedgerError: there is no ledger in the folder.
        KeyFileError: `key` is no public key.
    """
    verdict = verify(folder, code)
    if verdict.fault:
        return Checked(verdict)
    signatures, fault = _Signatures(None if key is None else public_key(key)), None
    told: list[tuple[int, Mapping[str, Any]]] = []
    try:
        for entry in entries(folder):
            fault = fault or signatures.fault(entry)
            if entry.body["kind"] == NOTE and entry.body["name"] in (KEPT, PRUNED):
                told.append((entry.seq, entry.body))
    except LedgerError:
        fault = fault or f"entry {signatures.seq + 1}: it says nothing of a match"
    fault = fault or signatures.fault_at_end() or _evidence_fault(folder, told)
    kept = sum(body["name"] == KEPT for _, body in told)
    return Checked(replace(verdict, fault=fault), signatures.keys, signatures.signed, kept)


def sound(folder: Path) -> list[dict[str, Any]]:
    """What every entry says of a match that is to be gone on with: all of it as sealed and signed.

    The stored evidence is not read, which takes long: `check` does.

    Raises:
        LedgerError: there is no ledger in the folder, or it was altered.
    """
    bodies, signatures, fault = read(folder), _Signatures(None), None
    for entry in entries(folder):
        fault = fault or signatures.fault(entry)
    if fault := fault or signatures.fault_at_end():
        raise LedgerError(f"{folder / LEDGER} was altered, {fault}")
    return bodies


class _Signatures:
    """Follows the ledger: which key signs, whether each signature is right, and whether one is missing."""

    def __init__(self, trusted: str | None) -> None:
        self.keys: tuple[str, ...] = ()
        self.seq = self.signed = 0
        self._trusted = trusted
        self._key: str | None = None
        self._due: Entry | None = None
        self._passed: Entry | None = None
        self._unsigned: Entry | None = None
        self._prev = FIRST

    def fault(self, entry: Entry) -> str | None:
        """What is wrong at this entry."""
        prev, self._prev, self.seq = self._prev, entry.hash, entry.seq
        kind, name = entry.body["kind"], entry.body["name"]
        if kind == NOTE:
            return self._noted(entry, prev)
        if name in ENDS:
            self._due = self._due or entry
        elif self._due and kind in ("event", "input"):
            if self._key:
                return self._missing(self._due)
            self._passed = self._passed or self._due
        return None

    def _noted(self, entry: Entry, prev: str) -> str | None:
        """What is wrong at this note."""
        body, name = entry.body, entry.body["name"]
        if name == DEVICE_KEY:
            return self._new_key(entry, str(body.get("key")))
        if name == SIGNED:
            if self._key is None or not is_signed(self._key, entry.seq, prev, str(body.get("signature"))):
                return f"entry {entry.seq}: it is not signed by the device's key"
            self._due = self._unsigned = None
            self.signed = entry.seq
        elif self._due and self._key:  # its signature is written with it: no later one stands for it
            return self._missing(self._due)
        elif name in (KEPT, PRUNED, CLOSED):
            self._unsigned = self._unsigned or entry
        return None

    def fault_at_end(self) -> str | None:
        """What is wrong once there are no more entries."""
        missing = self._due or self._unsigned
        if missing and self._key:
            return self._missing(missing)
        if self._trusted and not self.signed:
            return "entry 1: no device signed this match"
        return None

    def _new_key(self, entry: Entry, key: str) -> str | None:
        if not is_public_key(key):
            return f"entry {entry.seq}: it announces no key"
        self._key = key
        self.keys = (*self.keys, key)
        if self._trusted and key != self._trusted:
            return f"entry {entry.seq}: another device's key signs from here on: {key}"
        # a device signs from its first turn's end on: what it is to vouch for was not written by it
        return self._missing(self._passed) if self._passed else None

    def _missing(self, entry: Entry) -> str:
        return f"entry {entry.seq}: the signature that belongs to it is missing"


def _evidence_fault(folder: Path, told: list[tuple[int, Mapping[str, Any]]]) -> str | None:
    """The first piece of evidence that is not what was kept."""
    try:
        for piece in pieces(folder, told):
            if fault := piece.fault():
                return f"entry {piece.seq}: {piece.file}: {fault}"
    except EvidenceError as error:
        return str(error)
    return None

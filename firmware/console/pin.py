"""The referee's PIN: kept as a hash that is slow to try, and asked for ever more slowly where it is wrong."""

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware.console.errors import ConsoleError

PIN_FILE = "pin"
DIGITS = (6, 12)
FREE = 5
"""So many wrong PINs an address may give before it has to wait."""
WAIT_S = 60.0
"""How long it waits then; twice as long after each further one."""
LONGEST_S = 900.0
ALL_FREE = 30
"""So many wrong PINs all addresses together may give in `LONGEST_S`."""
REMEMBERED = 1000
"""So many addresses are remembered."""
_N, _R, _P = 2**14, 8, 1
"""scrypt takes 16 MB and about 50 ms with these."""


def set_pin(folder: Path, pin: str, salt: Callable[[int], bytes] = os.urandom) -> None:
    """Keep the hash of a PIN for this machine's user alone.

    Raises:
        ConsoleError: it is no PIN, or the file cannot be written.
    """
    low, high = DIGITS
    if not re.fullmatch(rf"[0-9]{{{low},{high}}}", pin) or len(set(pin)) < 3:
        raise ConsoleError(f"a PIN has {low} to {high} digits, at least three of them different")
    grain = salt(16)
    text = f"scrypt {_N} {_R} {_P} {grain.hex()} {_hash(pin, grain).hex()}\n"
    path = folder / PIN_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_secret(path, text.encode())
    except OSError as error:
        raise ConsoleError(f"cannot write {path}: {error.strerror}") from error


def write_secret(path: Path, content: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all."""
    new = path.with_suffix(".new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        out.write(content)
        os.fsync(out.fileno())
    new.replace(path)


def has_pin(folder: Path) -> bool:
    """Whether a PIN was set. Raises `ConsoleError` where it cannot be read, as one that another user has set."""
    return _kept(folder) is not None


def is_pin(folder: Path, pin: str) -> bool:
    """Whether this is the PIN. Raises `ConsoleError` where the file is none, or cannot be read."""
    try:
        kind, n, r, p, grain, kept = (_kept(folder) or "").split()
        if (kind, int(n), int(r), int(p)) != ("scrypt", _N, _R, _P):
            raise ValueError(kind)
        return hmac.compare_digest(_hash(pin, bytes.fromhex(grain)), bytes.fromhex(kept))
    except ValueError as error:
        if isinstance(error, ConsoleError):
            raise
        raise ConsoleError(f"{folder / PIN_FILE} holds no PIN: set one with `fairtray console pin`") from error


def _kept(folder: Path) -> str | None:
    path = folder / PIN_FILE
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConsoleError(
            f"the PIN in {path} cannot be read ({error.strerror}): delete it, and set one as Fairtray's own user"
        ) from error


def new_pin() -> str:
    """A PIN that nobody thought up."""
    while len(set(pin := f"{secrets.randbelow(10**6):06}")) < 3:
        continue
    return pin


def _hash(pin: str, grain: bytes) -> bytes:
    return hashlib.scrypt(pin.encode()[:64], salt=grain, n=_N, r=_R, p=_P, dklen=32)


@dataclass(slots=True)
class _Tried:
    wrong: int = 0
    until: float = 0.0


class Throttle:
    """Who has to wait before trying again; `clock` in seconds.

    Each address for itself, and, because addresses are cheap, all together. It begins as if others had tried just
    now, so that nobody gains by having it begin anew.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._tried: dict[str, _Tried] = {}
        self._wrong = [clock()] * (ALL_FREE - FREE)

    def wait_s(self, address: str) -> float:
        """How long this address has to wait, 0 where it may try."""
        now = self._clock()
        self._wrong = [t for t in self._wrong if now - t < LONGEST_S]
        together = self._wrong[-ALL_FREE] + LONGEST_S - now if len(self._wrong) >= ALL_FREE else 0.0
        tried = self._tried.get(address)
        return max(0.0, together, tried.until - now if tried else 0.0)

    def wrong(self, address: str) -> None:
        """It gave a wrong one."""
        now = self._clock()
        self._wrong.append(now)
        tried = self._tried.pop(address, _Tried())
        tried.wrong += 1
        if tried.wrong >= FREE:
            tried.until = now + min(LONGEST_S, WAIT_S * 2 ** (tried.wrong - FREE))
        self._tried[address] = tried
        while len(self._tried) > REMEMBERED:
            del self._tried[next(iter(self._tried))]

    def right(self, address: str) -> None:
        """It gave the right one."""
        self._tried.pop(address, None)

"""The code that players note when a match ends: short enough to write down, too long to find another match with it.

It is of the hash of the closing entry, `Closed`, and so of all that the ledger holds by then: the first 80 bits in
Crockford's base 32 (https://www.crockford.com/base32.html), whose letters and digits no hand mixes up. What may still
come behind, signatures and prunings, changes no code; anything else opens the match again.
"""

from collections.abc import Mapping
from typing import Any

BITS, GROUP = 80, 4
HEX_DIGITS = 12
"""Ledgers once ended with so many hexadecimal digits of the last hash of the match itself."""
SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ALIKE = str.maketrans("OIL", "011", "- ")

NOTE = "note"
"""The kind of an entry that is about the record itself; it changes nothing of the match."""
SIGNED, DEVICE_KEY, CLOSED, PRUNED = "Signed", "DeviceKey", "Closed", "EvidencePruned"
BEHIND = (SIGNED, DEVICE_KEY, PRUNED)
"""The notes that leave a match closed."""


def code_of(sealed: str) -> str:
    """What players note of a hash: sixteen letters and digits, in groups of four."""
    number = int(sealed, 16) >> 4 * len(sealed) - BITS
    digits = "".join(SYMBOLS[number >> shift & 31] for shift in range(BITS - 5, -1, -5))
    return "-".join(digits[first : first + GROUP] for first in range(0, len(digits), GROUP))


def is_code_of(code: str, sealed: str) -> bool:
    """Whether somebody noted this of a hash, however it is spaced and spelt; or the hash itself, or its beginning."""
    digits = code.upper().translate(_ALIKE)
    is_beginning = len(digits) >= HEX_DIGITS and sealed.upper().startswith(digits)
    return is_beginning or digits == code_of(sealed).replace("-", "")


class Ending:
    """Follows a ledger entry by entry: whether it is closed, and of which hashes the players' code may be."""

    def __init__(self, first: str) -> None:
        self.closed: str | None = None
        self._ends = [first]

    def take(self, body: Mapping[str, Any], sealed: str) -> None:
        """The next entry, with its hash."""
        name = body.get("name") if body.get("kind") == NOTE else None
        if name is None or (self.closed and name not in BEHIND):
            self.closed, self._ends = None, []
        self._ends.append(sealed)
        self.closed = sealed if name == CLOSED else self.closed

    @property
    def code(self) -> str:
        """What players note: of the closing entry, else of the last one of the match so far."""
        return code_of(self.closed or self._ends[0])

    def is_noted(self, code: str) -> bool:
        """Whether somebody noted this at the end, or of the last hash."""
        return any(is_code_of(code, end) for end in self._ends)

"""A match as its ledger tells it, followed while it is played: rulings with their evidence, disputes, incidents."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from firmware.endcode import Ending
from firmware.entries import Entry, entries
from firmware.errors import LedgerError
from firmware.evidence.pieces import Piece, pieces
from firmware.ledger import FIRST, Body, same
from firmware.record import opened
from scorer.events import (
    DisputeOpened,
    IncidentRecorded,
    RefereeRuled,
    RerollOrdered,
    RollCounted,
    RollHeld,
    RollRefused,
    RollUnseen,
    Ruling,
    TurnEnded,
    TurnStarted,
    from_json,
    to_json,
)
from scorer.state import State
from scorer.umpire import start, step

ROLLS = (RollCounted, RollRefused, RollHeld, RollUnseen, RerollOrdered)


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling, the number of the ledger's entry that holds it, and the pieces of evidence for it."""

    seq: int
    ruling: Ruling
    evidence: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A dispute or an incident: what was ruled in that turn before it, and what the referee decided on it.

    Where the turn has only begun it is about the turn before. Decided on is what a referee's ruling replaces; a dispute
    is settled by the next ruling of the referee too.
    """

    opened: Ruled
    about: tuple[Ruled, ...]
    settled: Ruled | None

    @property
    def is_open(self) -> bool:
        """Whether nobody has decided on it."""
        return self.settled is None

    @property
    def evidence(self) -> tuple[Piece, ...]:
        """All pieces about it, oldest first, each once."""
        found = {piece.file: piece for ruled in (*self.about, self.opened) for piece in ruled.evidence}
        return tuple(found.values())


class History:
    """All that a ledger tells; `refresh` reads on where it ended."""

    def __init__(self, folder: Path) -> None:
        """Read what there is.

        Raises:
            LedgerError: there is no match in the folder, it was altered, or this version rules otherwise on it.
        """
        self.folder = folder
        self.state: State | None = None
        self._entries: list[Entry] = []
        self._rulings: list[tuple[int, Ruling]] = []
        self._due: deque[Ruling] = deque()
        self._ending = Ending(FIRST)
        self.refresh()

    def refresh(self) -> bool:
        """Read what has come since; whether there was anything. Raises as at the beginning."""
        last = self._entries[-1] if self._entries else None
        new = list(entries(self.folder, last))
        for entry in new:
            self._take(entry)
        if new:
            for name in ("rulings", "pieces", "disputes", "incidents"):
                self.__dict__.pop(name, None)
        return bool(new)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry of the ledger."""
        return tuple(self._entries)

    @property
    def code(self) -> str:
        """What players note of the match once it is closed, empty before."""
        return self._ending.code if self._ending.closed else ""

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Every piece of evidence, oldest first."""
        return tuple(pieces(self.folder, ((entry.seq, entry.body) for entry in self._entries)))

    @cached_property
    def rulings(self) -> tuple[Ruled, ...]:
        """Every ruling in order: that with entry n of the match is the n-th."""
        proofs: dict[int, list[Piece]] = {}
        for piece in self.pieces:
            for number in piece.entries:
                proofs.setdefault(number, []).append(piece)
        return tuple(Ruled(seq, ruling, tuple(proofs.get(ruling.entry, ()))) for seq, ruling in self._rulings)

    @property
    def rolls(self) -> tuple[Ruled, ...]:
        """The rulings on throws."""
        return tuple(ruled for ruled in self.rulings if isinstance(ruled.ruling, ROLLS))

    @cached_property
    def disputes(self) -> tuple[Case, ...]:
        """Every dispute, oldest first."""
        return tuple(self._cases(DisputeOpened))

    @cached_property
    def incidents(self) -> tuple[Case, ...]:
        """Every incident, oldest first."""
        return tuple(self._cases(IncidentRecorded))

    def ruled(self, entry: int) -> Ruled | None:
        """The ruling with that number in the match."""
        return self.rulings[entry - 1] if 1 <= entry <= len(self.rulings) else None

    def _take(self, entry: Entry) -> None:
        """Fold an entry into the state; a ruling must be the one that is made now."""
        body = entry.body
        self._entries.append(entry)
        self._ending.take(body, entry.hash)
        if body["name"] == "MatchStarted" and self.state is None:
            self.state, rulings = start(opened(body))
            self._due.extend(rulings)
        if body["kind"] in ("event", "input") and self.state is not None:
            self.state, rulings = step(self.state, from_json(dict(body)))
            self._due.extend(rulings)
        if body["kind"] == "ruling":
            self._rulings.append((entry.seq, self._next(entry.seq, body)))

    def _next(self, seq: int, body: Body) -> Ruling:
        ruling = self._due.popleft() if self._due else None
        if ruling is None or not same(to_json(ruling), body):
            raise LedgerError(
                f"entry {seq} in {self.folder} is ruled otherwise by this version: `fairtray match replay` tells how"
            )
        return replace(ruling, rule=str(body.get("rule", ruling.rule)))  # in the words that people were told

    def _cases(self, kind: type[Ruling]) -> Iterable[Case]:
        turn: list[Ruled] = []
        before: list[Ruled] = []
        for index, ruled in enumerate(self.rulings):
            if isinstance(ruled.ruling, kind):
                yield Case(ruled, tuple(turn or before), self._settled(ruled, index))
            if not isinstance(ruled.ruling, TurnStarted | TurnEnded):
                turn.append(ruled)
            elif turn:
                turn, before = [], turn

    def _settled(self, ruled: Ruled, index: int) -> Ruled | None:
        """What the referee decided on it."""
        is_dispute = isinstance(ruled.ruling, DisputeOpened)
        for later in self.rulings[index + 1 :]:
            is_referee = isinstance(later.ruling, RefereeRuled)
            if is_referee and (is_dispute or later.ruling.replaces == ruled.ruling.entry):
                return later
        return None

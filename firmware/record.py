"""A match that is kept: whatever its umpire is told and rules is in the ledger before anybody learns of it."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from firmware.endcode import CLOSED, NOTE
from firmware.errors import AnotherMatchError, LedgerError, MovedOnError
from firmware.evidence.verify import sound
from firmware.ledger import Body, Ledger, Signer, same
from scorer.agreed import options_of
from scorer.events import (
    CallRefused,
    ClockTicked,
    DiceAtRest,
    Fact,
    MatchEnded,
    PlayerInput,
    RecordingEnded,
    Ruling,
    TurnEnded,
    as_written,
    from_json,
    to_json,
)
from scorer.presets import ruleset
from scorer.state import State, Step, new_match
from scorer.umpire import Umpire, replay


class RecordedUmpire(Umpire):
    """An umpire that writes before it answers.

    Told `again` what the ledger holds already, as from a recording that is watched once more, it compares instead of
    writing, and goes on writing where the ledger ends.
    """

    def __init__(self, umpire: Umpire, ledger: Ledger, again: Iterable[Body] = ()) -> None:
        self.state = umpire.state
        self._ledger = ledger
        self._again = deque((seq, body) for seq, body in enumerate(again, 1) if body["kind"] != NOTE)

    def start(self) -> tuple[Ruling, ...]:
        """As `Umpire.start`; a match that goes on has started. Raises `LedgerError` as `on` does."""
        if self.state.entries:
            return ()
        before = self.state
        return self._written(before, (), super().start())

    def on(self, fact: Fact) -> tuple[Ruling, ...]:
        """As `Umpire.on`.

        Raises:
            LedgerError: it could not be written, or the ledger holds something else; then nothing has happened.
        """
        before = self.state
        rulings = super().on(fact)
        if not rulings and (before.over or isinstance(fact, ClockTicked)):
            return rulings  # what is seen after the end is no part of the match
        if before.done and all(isinstance(ruling, CallRefused) for ruling in rulings):
            self.state = before  # nor is what is refused then: the code that players noted stays
            return rulings
        return self._written(before, (fact,), rulings)

    def _written(self, before: State, told: tuple[Fact, ...], rulings: tuple[Ruling, ...]) -> tuple[Ruling, ...]:
        ends = any(isinstance(ruling, TurnEnded | MatchEnded) for ruling in rulings)
        try:
            self._write([to_json(fact) for fact in (*told, *rulings)], ends)
        except BaseException:  # whatever it was: nobody is told what is not written
            self.state = before
            raise
        return rulings

    def _write(self, bodies: Sequence[Body], ends: bool) -> None:
        if not self._again:
            self._ledger.append(bodies, sign=ends)
            return
        known = list(islice(self._again, len(bodies)))
        if len(known) != len(bodies) or not all(same(was, body) for (_, was), body in zip(known, bodies, strict=True)):
            where = f"{self._ledger.folder} (from entry {known[0][0]} on)"
            raise AnotherMatchError(f"another match is in {where}: name a folder of its own")
        for _ in known:
            self._again.popleft()


def watched_again(umpire: Umpire, ledger: Ledger, source: str) -> RecordedUmpire:
    """The umpire of a recording: a match whose ledger broke off is gone through again and goes on where it ends."""
    bodies = sound(ledger.folder)
    if not bodies:
        ledger.append([note("Opened", source=source, **_here())])
    return RecordedUmpire(umpire, ledger, bodies)


def said_before(bodies: Iterable[Body], choices: Iterable[PlayerInput]) -> list[PlayerInput]:
    """What people say in a recording that is watched again: what the ledger has of it, and the choices it has not."""
    known = [fact for fact in facts_in(bodies) if isinstance(fact, PlayerInput)]
    said = [fact for fact in known if not isinstance(fact, ClockTicked | RecordingEnded)]
    return [*said, *(choice for choice in choices if as_written(choice) not in said)]


def gone_on(umpire: Umpire, ledger: Ledger, source: str) -> RecordedUmpire:
    """The umpire of a camera's match: a new one, or that of the ledger, which goes on at its last ruling.

    Raises `LedgerError` where the ledger was altered, its match is over, or it would be ruled otherwise today.
    """
    bodies = sound(ledger.folder)
    begun = is_begun(bodies)
    if begun:
        umpire.state, rulings = rebuilt(bodies)
        if umpire.state.over:
            raise LedgerError(f"the match in {ledger.folder} is over: name another folder")
        if differs := first_difference(bodies, rulings):
            raise LedgerError(
                f"entry {differs[0]} in {ledger.folder} is ruled otherwise by this version: "
                "go on with the version that began it"
            )
    ledger.append([note("Resumed" if begun else "Opened", source=source, **_here())])
    return RecordedUmpire(umpire, ledger)


def told_later(folder: Path, told: PlayerInput, signer: Signer | None = None, seen: int | None = None) -> Step:
    """Put something to the umpire of a match that is not being played; it happens at the last moment of the match.

    The state afterwards and what was ruled. What is decided on a match that was over closes it anew. `seen`: the last
    ruling that whoever says it has seen.

    Raises `LedgerError` where there is none, it was altered, is played right now, or nothing is heard any more;
    `MovedOnError` where another ruling was made since `seen`.
    """
    bodies = sound(folder)  # where there is none, none is begun
    with Ledger(folder, signer) as ledger:
        if ledger.count != len(bodies):
            raise MovedOnError("the match has moved on meanwhile: look again")
        state, _ = rebuilt(bodies)
        if seen is not None and seen != state.entries:
            raise MovedOnError("the match has moved on meanwhile: look again")
        umpire = RecordedUmpire(Umpire(state.rules, state.players, state.options), ledger)
        umpire.state = state
        rulings = umpire.on(replace(told, t=last_moment(bodies)[0]))
        if state.over and not rulings:
            raise LedgerError(f"the match in {folder} is over already")
        if state.over and umpire.state.done:
            close(ledger)
        return umpire.state, rulings


def close(ledger: Ledger) -> None:
    """Write the closing entry of a match that is over, behind all else; of one that is closed, nothing."""
    if not ledger.code:
        ledger.append([note(CLOSED, **_here())], sign=True)


def note(name: str, **told: Any) -> Body:
    """An entry about the record itself."""
    return {"kind": NOTE, "name": name, **told}


def _here() -> dict[str, str]:
    """What wrote an entry, and when by this machine's clock."""
    return {"at": datetime.now(UTC).isoformat(timespec="seconds"), "by": f"fairtray {version('fairtray')}"}


def is_begun(bodies: Iterable[Body]) -> bool:
    """Whether a match was opened."""
    return any(body["name"] == "MatchStarted" for body in bodies)


def facts_in(bodies: Iterable[Body]) -> list[Fact]:
    """What was seen and said in the match. Raises `FactError` for an entry that is no fact."""
    return [from_json(dict(body)) for body in bodies if body["kind"] in ("event", "input")]


def rebuilt(bodies: Sequence[Body]) -> Step:
    """The state of the match and all its rulings, from what was seen and said.

    Raises:
        LedgerError: no match was begun.
        ScorerError: an entry is no fact, or the rules are not known.
    """
    body = next((body for body in bodies if body["name"] == "MatchStarted"), None)
    if body is None:
        raise LedgerError("no match was begun in this folder")
    state = opened(body)
    return replay(state.rules, state.players, state.options, facts_in(bodies))


def opened(body: Body) -> State:
    """The state before the first throw of the match that this entry opened. Raises as `rebuilt` does."""
    try:
        rules, agreed, players = ruleset(body["rules"], body["settings"]), body["agreed"], body["players"]
        return new_match(rules, tuple(players), options_of(agreed))
    except (KeyError, TypeError, AttributeError) as error:
        raise LedgerError("what the ledger says of the match's rules and players cannot be read") from error


def first_difference(bodies: Sequence[Body], rulings: Iterable[Ruling]) -> tuple[int, Mapping[str, Any] | None] | None:
    """The number of the first ruling's entry that is not so ruled, with what is ruled instead; None where all are."""
    now = deque(map(to_json, rulings))
    for number, body in enumerate(bodies, 1):
        if body["kind"] != "ruling":
            continue
        ruled = now.popleft() if now else None
        if ruled is None or not same(ruled, body):
            return number, ruled
    return (len(bodies) + 1, now[0]) if now else None


def last_moment(bodies: Iterable[Body]) -> tuple[float, int]:
    """The time (s) and frame of the last thing said in the match; (0, 0) where nothing was."""
    t, frame = 0.0, 0
    for body in bodies:
        t = max(t, body.get("t_said", body.get("t", 0.0)))
        frame = max(frame, body.get("frame", 0))
    return t, frame


def last_die(bodies: Iterable[Body]) -> int:
    """The highest number that a die has had in the match."""
    rests = (fact for fact in facts_in(bodies) if isinstance(fact, DiceAtRest))
    return max((die.id for rest in rests for die in rest.dice), default=0)

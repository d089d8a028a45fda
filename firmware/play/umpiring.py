"""The part that rules: what was seen goes before the umpire, is written down, and only then shown."""

import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event

from firmware.errors import LedgerError
from firmware.ledger import Body, Ledger, Signer
from firmware.match import Desk, Facts
from firmware.play.inbox import Inbox
from firmware.play.keeping import Evidence
from firmware.play.parts import BEAT_S, Mailbox, Part
from firmware.play.pressing import Pressing, Shown
from firmware.play.seeing import Seen
from firmware.play.vitals import LEDGER, Vitals
from hardware.panel import PanelPress
from hardware.screens import Address, Screen
from scorer.events import DiceAtRest, PlayerInput, Ruling, to_json
from scorer.state import State
from scorer.umpire import Umpire

AGAIN_S = 1.0
"""How long the ledger waits before it tries once more to write."""

log = logging.getLogger("fairtray")


@dataclass(frozen=True, slots=True)
class Ruled:
    """How the match stands at second `t`, what was seen, said and ruled just now, and what people have turned to.

    The dice lie as at the last `rest`.
    """

    t: float
    state: State
    facts: Facts
    turned: Screen | None = None
    rest: DiceAtRest | None = None


class PatientLedger(Ledger):
    """A ledger that waits until it can write: a full disk holds up the play, and nothing that was seen is lost."""

    def __init__(self, folder: Path, stop: Event, vitals: Vitals, signer: Signer | None = None) -> None:
        """As `Ledger`, until it is made `patient`."""
        super().__init__(folder, signer)
        self.patient = False
        self._stop, self._vitals = stop, vitals

    def append(self, bodies: Sequence[Body], sign: bool = False) -> None:
        """As `Ledger.append`; while it is patient it raises only once all is stopped."""
        while True:
            try:
                super().append(bodies, sign)
            except LedgerError as error:
                self._vitals.trouble(LEDGER, str(error))
                log.error("failed", extra={"told": {"part": "ledger", "error": str(error), "again_in_s": AGAIN_S}})
                if not self.patient or self._stop.wait(AGAIN_S):
                    raise
            else:
                self._vitals.trouble(LEDGER, None)
                return


class Umpiring:
    """Rules until the recording is over, or all is stopped and nothing waits any more."""

    def __init__(
        self, umpire: Umpire, choices: Sequence[PlayerInput], seen: SimpleQueue[Seen], vitals: Vitals, stop: Event,
        latest: Mailbox[Ruled], every: Mailbox[Ruled], presses: Callable[[], Sequence[PanelPress]] = tuple,
        t: float = 0.0, final_s: float = math.inf, inbox: Inbox | None = None,
        evidence: Evidence | None = None, address: Callable[[], Address] | None = None,
        shown: Shown | None = None,
    ) -> None:  # fmt: skip
        """`latest` gets every moment, `every` those at which something is new; `presses` since the last call.

        The match goes on at second `t`. Once it is over the final card is shown for `final_s`, or until a press.
        `inbox`: where people say things without the panel. `evidence` is told what happens, to keep what proves it.
        `address` tells where phones find the match, `shown` what people see as they press.
        """
        self._umpire, self._seen, self._vitals, self._stop = umpire, seen, vitals, stop
        self._desk, self._latest, self._every = Desk(umpire, choices), latest, every
        self._presses, self._pressing, self._inbox = presses, Pressing(shown or Shown(), address), inbox or Inbox()
        self._started, self._t, self._evidence = False, t, evidence
        self._final_s, self._over_since = final_s, math.inf
        self._turned: Screen | None = None

    def __call__(self, part: Part) -> None:
        """Rule."""
        if not self._started:
            self._show(self._t, self._desk.start())
            self._started = True
        while True:
            part.beat()
            if self._hear() or time.monotonic() - self._over_since > self._final_s:
                return
            try:
                seen = self._seen.get(timeout=BEAT_S)
            except Empty:
                if self._stop.is_set():
                    return
                continue
            if seen.last:
                self._show(seen.t, self._desk.end(seen.t, seen.frame))
                return
            self._show(seen.t, self._desk.at(seen.t, seen.events))
            if seen.phase is not None:
                self._vitals.seen(seen.taken, seen.phase)

    def _hear(self) -> bool:
        """Take what was said elsewhere and what was pressed; whether that puts the final card away."""
        for told, answer in self._inbox.take(lambda: self._umpire.state.entries):
            try:
                facts = self._desk.say(replace(told, t=self._t))
            except BaseException as error:
                answer.set_exception(error)
                raise
            self._show(self._t, facts)
            answer.set_result(facts)
        presses = self._presses()
        if presses and self._over_since < math.inf:
            return True
        for press in presses:
            said = self._pressing.press(press, self._umpire.state, self._t)
            self._show(self._t, self._desk.say(said) if said else ())
        return False

    def _show(self, t: float, facts: Facts) -> None:
        self._t = t
        if facts and self._evidence:
            self._evidence.tell(t, facts)  # before it is known that the match is over: then what proves it waits
        state = self._vitals.state = self._umpire.state
        self._over_since = min(self._over_since, time.monotonic()) if state.done else math.inf
        turned, before = self._pressing.screen(state), self._turned
        self._turned = turned
        ruled = Ruled(t, state, facts, turned, self._desk.rest)
        self._latest.put(ruled)
        if facts or turned != before:
            self._every.put(ruled)
        for fact in facts:
            if isinstance(fact, Ruling):
                log.info("ruled", extra={"told": to_json(fact)})

"""A match that is not being played: what people say on its pages comes before its umpire here, not at a table.

So a dispute, an incident or an accusation is settled when the match is over, or where there is no camera.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

from firmware.config import EvidenceOptions
from firmware.console.link import Link, LinkError, joined, outcome, pair, refusal, said_of
from firmware.entries import read
from firmware.errors import FirmwareError
from firmware.evidence.key import device_key
from firmware.evidence.store import close_left
from firmware.record import last_moment, told_later
from scorer.errors import ScorerError

LOOK_S = 0.5


@contextmanager
def heard_later(match: Path, options: EvidenceOptions, shown: Callable[[str], None]) -> Iterator[Link]:
    """The console's end of a link that this process answers; `shown` gets what a display would show.

    Raises `LedgerError` where there is no match, or it was altered.
    """
    t, _ = last_moment(read(match))
    here, descriptor = pair()
    there, stop = joined(descriptor), Event()

    def answer() -> None:
        here.send({"is": "alive", "t": t, "trouble": None})
        while not stop.is_set():
            if (heard := here.take(LOOK_S)) is None:
                continue
            told, _ = heard
            if told["is"] == "say":
                here.send({"is": "said", "id": told["id"], **_ruled(match, options, told)})
            elif told["is"] == "show":
                shown(f"Code of the seats: {told['code']}" if "code" in told else f"{told['title']}: {told['text']}")

    def until_it_ends() -> None:
        try:
            answer()
        except LinkError:  # nobody asks any more
            return

    thread = Thread(target=until_it_ends, name="later")
    thread.start()
    try:
        yield there
    finally:
        stop.set()
        there.close()
        thread.join()
        here.close()


def _ruled(match: Path, options: EvidenceOptions, told: Mapping[str, Any]) -> dict[str, Any]:
    """What came of what somebody says; a match that is over by it is closed."""
    try:
        signer = device_key(options.key)
        state, rulings = told_later(match, said_of(told), signer, told.get("entry"))
        if state.done:
            close_left(match, signer, options.budget_mb)
    except (FirmwareError, ScorerError) as error:
        return refusal(error)
    return outcome(rulings)

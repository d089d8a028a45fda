"""What passes between the appliance and its console: messages of JSON, some with the bytes of a picture beside them.

The console is a process of its own, so that fifty spectators, the encryption and whatever may go wrong on the network
take nothing from the process that watches and rules: neither the interpreter's lock nor its memory. They speak over a
pair of sockets that nothing else can reach.
"""

import json
from collections.abc import Iterable, Mapping
from multiprocessing.connection import Connection
from socket import AF_UNIX, SOCK_STREAM, socketpair
from typing import Any

from firmware.errors import FirmwareError, MovedOnError
from scorer.errors import FactError
from scorer.events import (
    BoxRefused,
    CallRefused,
    ClockTicked,
    HouseRulesDeclared,
    PlayerInput,
    RecordingEnded,
    Ruling,
    from_json,
)
from scorer.messages import message, say

MOST_BYTES = 2_000_000
"""No message is longer."""
NEVER_SAID = (ClockTicked, RecordingEnded, HouseRulesDeclared)
"""Inputs that nobody says on a page."""
MOVED_ON = "moved_on"
"""The match has moved on since the page was looked at."""
NOT_WRITTEN = "not_written"
"""What was said could not be written down, and so has not happened."""


class LinkError(FirmwareError):
    """The other end has gone, or says what it should not."""


class Link:
    """One end of the pair."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def send(self, told: Mapping[str, Any], beside: bytes = b"") -> None:
        """Send a message. Raises `LinkError` where nobody is there any more."""
        try:
            self._connection.send_bytes(json.dumps(told).encode() + b"\n" + beside)
        except OSError as error:
            raise LinkError("the console's other end has gone") from error

    def take(self, patience_s: float) -> tuple[dict[str, Any], bytes] | None:
        """The next message with the bytes beside it; None where none comes.

        Raises:
            LinkError: nobody is there any more, or it is no message.
        """
        try:
            if not self._connection.poll(patience_s):
                return None
            head, _, beside = self._connection.recv_bytes(MOST_BYTES).partition(b"\n")
            told = json.loads(head)
        except (OSError, EOFError) as error:
            raise LinkError("the console's other end has gone") from error
        except ValueError as error:
            raise LinkError("what came over the console's link is no message") from error
        if not isinstance(told, dict) or not isinstance(told.get("is"), str):
            raise LinkError("what came over the console's link is no message")
        return told, beside

    def fileno(self) -> int:
        """To wait for messages with others."""
        return self._connection.fileno()

    def close(self) -> None:
        """Let go of it."""
        self._connection.close()


def pair() -> tuple[Link, int]:
    """An end, and the file descriptor of the other one, which `joined` makes an end of in another process."""
    here, there = socketpair(AF_UNIX, SOCK_STREAM)
    there.set_inheritable(True)
    return Link(Connection(here.detach())), there.detach()


def joined(descriptor: int) -> Link:
    """The end with this file descriptor."""
    return Link(Connection(descriptor))


def said_of(told: Mapping[str, Any]) -> PlayerInput:
    """What somebody says, of a message.

    Raises:
        LinkError: it is nothing that a person may say on a page.
    """
    fact = told.get("fact")
    try:
        said = from_json(fact if isinstance(fact, dict) else {})
    except FactError as error:
        raise LinkError(f"the console says what cannot be said: {error}") from error
    if not isinstance(said, PlayerInput) or isinstance(said, NEVER_SAID):
        raise LinkError(f"the console says what nobody says on a page: {type(said).__name__}")
    return said


def outcome(rulings: Iterable[Ruling]) -> dict[str, Any]:
    """What came of something said, in words."""
    made = list(rulings)
    against = next((ruling for ruling in made if isinstance(ruling, BoxRefused | CallRefused)), None)
    if against is not None:
        return {"taken": False, "text": say(against), "rule": against.rule}
    return {"taken": True, "text": message(made)}


def refusal(error: BaseException) -> dict[str, Any]:
    """Why it has not happened."""
    refused = MOVED_ON if isinstance(error, MovedOnError) else NOT_WRITTEN
    return {"taken": False, "refused": refused, "text": str(error)}

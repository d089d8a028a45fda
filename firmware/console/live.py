"""The match as it goes on, for all who look: read and rendered once, sent to each as fast as they take it."""

import asyncio
import base64
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from firmware.console.link import MOVED_ON, Link, LinkError
from firmware.console.told import Match, match_of
from firmware.console.votes import Vote
from firmware.errors import LedgerError
from firmware.evidence.history import History
from firmware.ledger import LEDGER
from scorer.errors import ScorerError
from scorer.events import PlayerInput, to_json

READ_S = 0.1
"""How often the ledger is looked at."""
KEEP_S = 15.0
"""A stream on which nothing happens says so, or those between would close it."""
MOST_STREAMS, MOST_OF_ONE = 150, 12
"""So many may look on at once, and so many from one address."""
ANSWER_S = 5.0
FASTEST_S = 0.25
"""No more than four pictures a second."""
PICTURE_BYTES_A_S = 1_000_000
"""So much of pictures is sent to all together; a Pi's own network carries it."""

log = logging.getLogger("fairtray")


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of the tray as it is, and what was told with it: its size and the dice as they are read."""

    jpeg: bytes
    told: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of something said: in words, and whether it was taken."""

    taken: bool
    text: str
    rule: str = ""


SLOW = Answer(False, "The tray does not answer now. It may still take this: look again before you say it once more.")
MOVED = Answer(False, "The match has moved on meanwhile: look again, then say it once more.")


class Live:
    """A match, its link to whoever plays it, or rules on it later, and everybody who looks on."""

    def __init__(self, folder: Path, link: Link, is_played: bool) -> None:
        self.folder, self._link, self.is_played = folder, link, is_played
        self.history: History | None = None
        self.match: Match | None = None
        self.shot: Shot | None = None
        self.fault: str | None = None
        self.trouble: str | None = None
        self.vote: Vote | None = None
        self.t = 0.0
        self._heard_at = time.monotonic()
        self.render: Callable[[], str] = lambda: ""
        self._board, self._picture = b"", b""
        self._news = asyncio.Event()
        self._looking: dict[str, int] = {}
        self._asked: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._last_asked = 0
        self.gone = asyncio.Event()

    @property
    def count(self) -> int:
        """How many entries the ledger has."""
        return len(self.history.entries) if self.history else 0

    @property
    def now(self) -> float:
        """The second of the match."""
        return self.t + (time.monotonic() - self._heard_at if self.is_played else 0.0)

    async def run(self) -> None:
        """Read on and hear the appliance, until it is gone."""
        asyncio.get_running_loop().add_reader(self._link.fileno(), self._hear)
        while not self.gone.is_set():
            self.read_on()
            try:
                await asyncio.wait_for(self.gone.wait(), READ_S)
            except TimeoutError:
                continue

    def read_on(self) -> None:
        """Read what was written since, and render it for all."""
        if self.fault or (self.history is None and not (self.folder / LEDGER).is_file()):
            return
        try:
            if self.history is None:
                self.history = History(self.folder)
            elif not self.history.refresh():
                return
        except (LedgerError, ScorerError) as error:
            self.fault = str(error)
            log.error("failed", extra={"told": {"part": "console", "error": self.fault}})
        if self.history and self.history.state:
            rulings = [ruled.ruling for ruled in self.history.rulings]
            self.match = match_of(self.history.state, rulings, self.history.code)
        self._tell_board()

    async def say(self, said: PlayerInput, entry: int | None = None) -> Answer:
        """Put it to the umpire; `entry` is that of the last ruling which whoever says it has seen."""
        self._last_asked += 1
        number = self._last_asked
        future = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            self._link.send({"is": "say", "id": number, "fact": to_json(said), "entry": entry})
            told = await asyncio.wait_for(future, ANSWER_S)
        except (TimeoutError, LinkError):
            return replace(SLOW, rule=self.trouble or "")
        finally:
            del self._asked[number]
        self.read_on()  # what was ruled is written already: whoever said it sees it
        if told.get("refused") == MOVED_ON:
            return MOVED
        return Answer(bool(told.get("taken")), str(told.get("text", "")), str(told.get("rule", "")))

    def show_code(self, code: str, for_s: float) -> None:
        """Have the display show the code of the seats for a while."""
        self._send({"is": "show", "code": code, "for_s": for_s})

    def show_note(self, title: str, text: str, for_s: float) -> None:
        """Have the display tell something for a while."""
        self._send({"is": "show", "title": title, "text": text, "for_s": for_s})

    def hold(self, vote: Vote | None) -> None:
        """This vote is held now."""
        self.vote = vote
        self._tell_board()

    async def stream(self, address: str) -> AsyncIterator[bytes]:
        """Server-sent events for one who looks on: the board and pictures, the newest of each, as they come."""
        self._looking[address] = self._looking.get(address, 0) + 1
        self._tell_looking()
        try:
            board, picture = b"", b""
            while not self.gone.is_set():
                news = self._news
                if self._board is not board:
                    board = self._board
                    yield board
                elif self._picture is not picture:
                    picture = self._picture
                    yield picture
                else:
                    try:
                        await asyncio.wait_for(news.wait(), KEEP_S)
                    except TimeoutError:
                        yield b": nothing new\n\n"
        finally:
            self._looking[address] -= 1
            if not self._looking[address]:
                del self._looking[address]
            self._tell_looking()

    def has_room(self, address: str) -> bool:
        """Whether one more may look on."""
        return sum(self._looking.values()) < MOST_STREAMS and self._looking.get(address, 0) < MOST_OF_ONE

    @property
    def looking(self) -> int:
        """How many look on."""
        return sum(self._looking.values())

    def end(self) -> None:
        """Nobody looks on any more."""
        self.gone.set()
        self._wake()

    def _hear(self) -> None:
        """Take what the appliance says."""
        try:
            while (message := self._link.take(0)) is not None:
                self._take(*message)
        except LinkError:
            asyncio.get_running_loop().remove_reader(self._link.fileno())
            self.end()

    def _take(self, told: Mapping[str, Any], beside: bytes) -> None:
        if told["is"] == "said":
            future = self._asked.get(told["id"])
            if future is not None and not future.done():
                future.set_result(told)
            return
        self.t, self._heard_at = float(told["t"]), time.monotonic()
        if told["is"] == "picture":
            self.shot = Shot(beside, told)
            src = f"data:image/jpeg;base64,{base64.b64encode(beside).decode()}"
            self._picture = event("picture", {**told, "src": src})
            self._wake()
        elif told["is"] == "alive" and told["trouble"] != self.trouble:
            self.trouble = told["trouble"]
            self._tell_board()

    def _tell_board(self) -> None:
        self._board = event("board", {"html": self.render(), "t": self.now, "count": self.count})
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def _tell_looking(self) -> None:
        size = len(self.shot.jpeg) * 4 / 3 if self.shot else 30_000
        every_s = max(FASTEST_S, self.looking * size / PICTURE_BYTES_A_S) if self.looking else 0.0
        self._send({"is": "looking", "every_s": round(every_s, 2)})

    def _send(self, told: Mapping[str, Any]) -> None:
        try:
            self._link.send(told)
        except LinkError:
            self.gone.set()


def event(name: str, told: Mapping[str, Any]) -> bytes:
    """A server-sent event."""
    return f"event: {name}\ndata: {json.dumps(told, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()

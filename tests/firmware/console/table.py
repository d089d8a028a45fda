"""A table with a console: a match that is really ruled and written, its pages, and whoever speaks with them."""

import http.client
import json
import os
import signal
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any
from urllib.parse import urlencode

from firmware.config import ConsoleOptions
from firmware.console.beside import Beside
from firmware.console.certificate import CERTIFICATE
from firmware.console.link import joined
from firmware.console.pin import set_pin
from firmware.console.serve import serve
from firmware.evidence.history import History
from firmware.play.inbox import Inbox
from firmware.play.parts import Mailbox, Part
from firmware.play.seeing import Looked, Seen
from firmware.play.umpiring import PatientLedger, Ruled, Umpiring
from firmware.play.vitals import Vitals
from firmware.record import gone_on
from hardware.screens import Address, Screen
from scorer.events import Fact, TrayEvent
from scorer.presets import BHO
from scorer.state import Options
from scorer.umpire import Umpire
from tests.firmware.play.test_health import free_port

PATIENCE_S = 240.0
PIN = "271828"


@dataclass
class Table:
    """A match being played: what is seen is put in with `see`; `shown` is what the display was told."""

    match: Path
    options: ConsoleOptions
    seen: "SimpleQueue[Seen]"
    looked: Mailbox[Looked]
    console: Part
    ledger: PatientLedger
    shown: list[Screen] = field(default_factory=list)

    def see(self, *facts: Fact | Sequence[Fact]) -> None:
        """This is seen."""
        flat = [one for fact in facts for one in ([fact] if isinstance(fact, Fact) else fact)]
        events = tuple(fact for fact in flat if isinstance(fact, TrayEvent))
        self.seen.put(Seen(events[-1].t_said, events[-1].frame, time.monotonic(), events, "settled"))

    def until(self, holds: Callable[[History], bool]) -> History:
        """The match once this holds."""
        found: History = until(lambda: (history := History(self.match)) and holds(history) and history)
        return found

    def history(self) -> History:
        """The match as it is written."""
        return History(self.match)

    def kill_console(self) -> None:
        """The console's process dies."""
        children = Path(f"/proc/{os.getpid()}/task").glob("*/children")
        for number in [int(one) for path in children for one in path.read_text().split()]:
            if b"firmware.console" in Path(f"/proc/{number}/cmdline").read_bytes():
                os.kill(number, signal.SIGKILL)

    def referee(self) -> "Visitor":
        """Somebody who opens the referee's page, and trusts the certificate that was made."""
        trusting = ssl.create_default_context(cafile=Path(self.options.folder) / CERTIFICATE)
        return Visitor("127.0.0.1", self.options.referee_port, tls=trusting, page="/cases")

    def code(self, earlier: int = 0) -> str:
        """The code of the seats that the display shows, after so many screens."""
        return str(until(lambda: [screen.code for screen in self.shown[earlier:] if isinstance(screen, Address)])[-1])

    def visitor(self, address: str = "127.0.0.1") -> "Visitor":
        """Somebody who opens the players' page."""
        return Visitor(address, self.options.port)


def until(found: Callable[[], Any]) -> Any:
    """What is found once there is something."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            if what := found():
                return what
        except (OSError, ValueError, http.client.HTTPException):
            pass
        time.sleep(0.02)
    raise AssertionError("it never came")


@dataclass
class Came:
    """An answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def told(self) -> Any:
        return json.loads(self.body)


@dataclass
class Visitor:
    """A browser without a picture: it keeps its cookie and fills in the forms of its pages."""

    host: str
    port: int
    cookie: str = ""
    tls: ssl.SSLContext | None = None
    page: str = "/seat"

    def get(self, path: str, **headers: str) -> Came:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, headers: Mapping[str, str] | None = None, /, **told: object) -> Came:
        form = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
        return self.ask("POST", path, urlencode(told).encode(), form | dict(headers or {}))

    def ask(self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> Came:
        connection = (
            http.client.HTTPSConnection(self.host, self.port, timeout=PATIENCE_S, context=self.tls)
            if self.tls
            else http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE_S)
        )
        try:
            sent = {"cookie": self.cookie} if self.cookie else {}
            connection.request(method, path, body, sent | dict(headers or {}))
            answer = connection.getresponse()
            came = Came(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()
        if "set-cookie" in came.headers:
            self.cookie = came.headers["set-cookie"].partition(";")[0]
        return came

    @contextmanager
    def stream(self) -> Iterator[Iterator[tuple[str, dict[str, Any]]]]:
        """The page's server-sent events, by name."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE_S)
        try:
            connection.request("GET", "/events")
            yield _events(connection.getresponse())
        finally:
            connection.close()

    def hidden(self, path: str = "") -> dict[str, str]:
        """What the forms of the page hold that nobody types."""
        html = self.get(path or self.page).text
        found = {}
        for name in ("form", "seen", "die"):
            _, _, rest = html.partition(f'type="hidden" name="{name}" value="')
            if rest:
                found[name] = rest.partition('"')[0]
        return found

    def say(self, path: str, **told: object) -> Came:
        """Fill in a form of the page and send it."""
        return self.post(path, **{**self.hidden(), **told})


def _events(answer: http.client.HTTPResponse) -> Iterator[tuple[str, dict[str, Any]]]:
    name = ""
    while line := answer.readline().decode().rstrip("\n"):
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))
            answer.readline()


def _in_a_thread(told: Mapping[str, Any]) -> Callable[[], None]:
    asked = {name: value for name, value in told.items() if name not in ("match", "log", "link")}
    match, link = Path(told["match"]), joined(told["link"])
    thread = Thread(target=serve, args=(ConsoleOptions(**asked), match, link), daemon=True)
    thread.start()
    return lambda: thread.join(PATIENCE_S)


@contextmanager
def table(
    folder: Path, players: Sequence[str] = ("Ann", "Ben"), options: Options | None = None, own_process: bool = False
) -> Iterator[Table]:
    """A match of these players, with its console: in this process, which starts faster, or as it really is."""
    set_pin(folder / "console", PIN)
    pages = ConsoleOptions(True, "127.0.0.1", free_port(), free_port(), str(folder / "console"))
    match, stop, vitals, inbox = folder / "match", Event(), Vitals(), Inbox()
    seen: SimpleQueue[Seen] = SimpleQueue()
    looked = Mailbox[Looked](1)
    shown: list[Screen] = []
    begin = None if own_process else _in_a_thread
    latest, every = Mailbox[Ruled](1), Mailbox[Ruled](1000)
    with PatientLedger(match, stop, vitals) as ledger:
        umpire = gone_on(Umpire(BHO, players, options), ledger, "")
        ruling = Umpiring(umpire, (), seen, vitals, stop, latest, every, inbox=inbox)
        beside = Beside(pages, match, looked, inbox, vitals, lambda screen, _s: shown.append(screen), stop, begin)
        parts = [Part("rule", ruling, stop), Part("console", beside, stop)]
        for part in parts:
            part.start()
        try:
            made = Table(match, pages, seen, looked, parts[1], ledger, shown)
            until(lambda: made.visitor().get("/api/match").status == 200)
            until(lambda: made.referee().get("/login").status == 200)
            yield made
        finally:
            stop.set()
            for part in parts:
                part.join(5)

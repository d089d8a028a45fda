"""The appliance's end of the console: it starts the console's process, sends it pictures, and hears what people say."""

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any

from firmware.config import ConsoleOptions
from firmware.console.address import address
from firmware.console.errors import ConsoleError, missing
from firmware.console.frames import overlay
from firmware.console.link import Link, LinkError, outcome, pair, refusal, said_of
from firmware.evidence.ring import Cutter, die_of
from firmware.match import Facts
from firmware.play.inbox import Inbox
from firmware.play.parts import BEAT_S, Mailbox, Part
from firmware.play.seeing import Looked
from firmware.play.vitals import Vitals
from hardware.screens import Address, Screen, Sign
from scorer.events import Ruling

ALIVE_S = 1.0
QUALITY = 70
END_S = 1.0
"""How long the console's process has to end by itself."""

YOUR_SEAT, PHONES = "Your seat", "Phones here"
"""What the display says above the address."""
NEEDED = ("fastapi", "uvicorn", "jinja2", "python_multipart")

Begun = Callable[[], None]

log = logging.getLogger("fairtray")


def check_installed() -> None:
    """Raise `ConsoleError` where a package of the console is not installed."""
    for name in NEEDED:
        if find_spec(name) is None:
            raise missing(name)


def phones_here(options: ConsoleOptions) -> Address:
    """The screen that tells where the pages are by now: a network may come up later than the appliance."""
    return Address(PHONES, address(options))


class Beside:
    """The part that keeps the console's process, and starts it again when it fails."""

    def __init__(
        self, options: ConsoleOptions, match: Path, looked: Mailbox[Looked], inbox: Inbox, vitals: Vitals,
        shown: Callable[[Screen, float], None], stop: Event, begin: "Callable[[dict[str, Any]], Begun] | None" = None,
    ) -> None:  # fmt: skip
        """`looked` has the newest frame; `shown` has the display show something for some seconds.

        `begin` starts the console with what it is told, and gives what waits for its end; else a process of its own.
        """
        self._told = {
            "match": str(match.absolute()),
            "log": logging.getLevelName(log.getEffectiveLevel()),
            **asdict(options),
        }
        self._options = options
        self._looked, self._inbox = looked, inbox
        self._vitals, self._shown, self._stop = vitals, shown, stop
        self._waiting: dict[int, Future[Facts]] = {}
        self._every_s, self._t = 0.0, 0.0
        self._next_picture = self._next_alive = 0.0
        self._failed = ""
        self._cutter: Cutter | None = None
        self._begin = begin or console_process

    def __call__(self, part: Part) -> None:
        """Keep it until all is stopped. Raises `ConsoleError` where it has ended by itself."""
        link, descriptor = pair()
        ended = self._begin({**self._told, "link": descriptor})
        self._failed = "it ended by itself"
        try:
            self._keep(link, part)
        except LinkError as error:
            raise ConsoleError(f"the console: {self._failed}") from error
        finally:
            link.close()
            ended()

    def _keep(self, link: Link, part: Part) -> None:
        self._every_s, self._next_alive = 0.0, 0.0
        while not self._stop.is_set():
            part.beat()
            heard = link.take(BEAT_S)
            if heard is not None:
                self._take(link, heard[0])
            self._answer(link)
            self._tell(link)

    def _take(self, link: Link, told: Mapping[str, Any]) -> None:
        if told["is"] == "say":
            self._waiting[int(told["id"])] = self._inbox.say(said_of(told), told.get("entry"))
        elif told["is"] == "show":
            self._shown(self._screen(told), float(told["for_s"]))
        elif told["is"] == "looking":
            self._every_s = float(told["every_s"])
        elif told["is"] == "failed":
            self._failed = str(told["text"])

    def _screen(self, told: Mapping[str, Any]) -> Screen:
        if "code" in told:
            return Address(YOUR_SEAT, address(self._options), str(told["code"]))
        return Sign(str(told["title"]), str(told["text"]))

    def _answer(self, link: Link) -> None:
        """Tell what came of what was said."""
        for number, answer in list(self._waiting.items()):
            if answer.done():
                del self._waiting[number]
                link.send({"is": "said", "id": number, **_outcome(answer)})

    def _tell(self, link: Link) -> None:
        """The newest picture, where anybody looks on and it is time; and that the appliance is well."""
        now = time.monotonic()
        if now >= self._next_alive:
            self._next_alive = now + ALIVE_S
            link.send({"is": "alive", "t": self._t, "trouble": self._vitals.worst})
        looked = self._looked.take(0) if self._every_s == 0 or now >= self._next_picture else None
        if looked is None:
            return
        self._t = looked.frame.t
        if self._every_s > 0:
            self._next_picture = now + self._every_s
            if self._cutter is None or self._cutter.geometry is not looked.geometry:
                self._cutter = Cutter(looked.geometry)
            link.send(*picture_of(looked, self._cutter))


def picture_of(looked: Looked, cutter: Cutter) -> tuple[dict[str, Any], bytes]:
    """The tray as JPEG, and what is told with it: its size, the dice in it, and what goes on."""
    view = looked.view
    told = {
        "is": "picture",
        "t": view.t,
        "size": cutter.crop[2:],
        "phase": view.phase,
        "dice": overlay((die_of(looked.geometry, die) for die in view.dice), cutter.crop),
    }
    return told, cutter.jpeg(looked.frame.image, QUALITY)


def _outcome(answer: Future[Facts]) -> dict[str, Any]:
    """What came of it, in words."""
    error = answer.exception()
    return refusal(error) if error else outcome(fact for fact in answer.result() if isinstance(fact, Ruling))


def console_process(told: Mapping[str, Any]) -> Begun:
    """Start it as a process, which ends by itself once its link is closed; one that hangs is killed."""
    command = [sys.executable, "-m", "firmware.console", json.dumps(told)]
    process = subprocess.Popen(command, pass_fds=(told["link"],))
    os.close(told["link"])

    def ended() -> None:
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    return ended

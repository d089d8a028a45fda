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

import cv2

from firmware.config import ConsoleOptions
from firmware.console.errors import ConsoleError, missing
from firmware.console.link import MOVED_ON, NOT_WRITTEN, Link, LinkError, pair, said_of
from firmware.errors import MovedOnError
from firmware.match import Facts
from firmware.play.inbox import Inbox
from firmware.play.parts import BEAT_S, Mailbox, Part
from firmware.play.seeing import Looked
from firmware.play.vitals import Vitals
from scorer.events import BoxRefused, CallRefused, Ruling
from scorer.messages import message, say
from vision.source import Image

ALIVE_S = 1.0
WIDEST = 640
"""Pictures are no wider, px."""
QUALITY = 70
END_S = 1.0
"""How long the console's process has to end by itself."""

NEEDED = ("fastapi", "uvicorn", "jinja2", "python_multipart", "segno", "cryptography")

Begun = Callable[[], None]

log = logging.getLogger("fairtray")


def check_installed() -> None:
    """Raise `ConsoleError` where a package of the console is not installed."""
    for name in NEEDED:
        if find_spec(name) is None:
            raise missing(name)


class Beside:
    """The part that keeps the console's process, and starts it again when it fails."""

    def __init__(
        self, options: ConsoleOptions, match: Path, looked: Mailbox[Looked], inbox: Inbox, vitals: Vitals,
        shown: Callable[[str, str, float], None], stop: Event, begin: "Callable[[dict[str, Any]], Begun] | None" = None,
    ) -> None:  # fmt: skip
        """`looked` has the newest frame; `shown` has the display show a title and a text for some seconds.

        `begin` starts the console with what it is told, and gives what waits for its end; else a process of its own.
        """
        self._told = {
            "match": str(match.absolute()),
            "log": logging.getLevelName(log.getEffectiveLevel()),
            **asdict(options),
        }
        self._looked, self._inbox = looked, inbox
        self._vitals, self._shown, self._stop = vitals, shown, stop
        self._waiting: dict[int, Future[Facts]] = {}
        self._every_s, self._t = 0.0, 0.0
        self._next_picture = self._next_alive = 0.0
        self._failed = ""
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
            self._shown(str(told["title"]), str(told["text"]), float(told["for_s"]))
        elif told["is"] == "looking":
            self._every_s = float(told["every_s"])
        elif told["is"] == "failed":
            self._failed = str(told["text"])

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
            told, jpeg = picture_of(looked)
            link.send(told, jpeg)


def picture_of(looked: Looked) -> tuple[dict[str, Any], bytes]:
    """The frame as JPEG, and what is told with it: its size, and each die as `x, y, size, angle, value, state`, px."""
    image = looked.frame.image
    width = image.shape[1]
    share = min(1.0, WIDEST / width)
    small: Image = image if share == 1.0 else cv2.resize(image, None, fx=share, fy=share)  # type: ignore[assignment]
    _, jpeg = cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    view = looked.view
    dice = [
        {
            "x": round(die.x * share, 1),
            "y": round(die.y * share, 1),
            "size": round(die.size * share, 1),
            "angle": round(die.angle, 1),
            "value": die.reading.value if die.reading else None,
            "state": die.state,
            "still": die.still,
        }
        for die in view.dice
    ]
    size = [small.shape[1], small.shape[0]]
    return {"is": "picture", "t": view.t, "frame": view.frame, "size": size, "phase": view.phase, "dice": dice}, bytes(
        jpeg
    )


def _outcome(answer: Future[Facts]) -> dict[str, Any]:
    """What came of it, in words."""
    error = answer.exception()
    if error is not None:
        refused = MOVED_ON if isinstance(error, MovedOnError) else NOT_WRITTEN
        return {"taken": False, "refused": refused, "text": str(error)}
    rulings = [fact for fact in answer.result() if isinstance(fact, Ruling)]
    against = next((ruling for ruling in rulings if isinstance(ruling, BoxRefused | CallRefused)), None)
    if against is not None:
        return {"taken": False, "text": say(against), "rule": against.rule}
    return {"taken": True, "text": message(rulings)}


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

"""The console's process as the appliance starts it: what to serve comes as JSON, and the link as a file descriptor."""

import json
import os
import signal
import sys
from pathlib import Path

from firmware.config import ConsoleOptions
from firmware.console.errors import missing
from firmware.console.link import joined
from firmware.errors import FirmwareError
from firmware.play.logs import log_as

NICE = 10
"""What watches and rules goes before what shows."""


def main(told: str) -> int:
    """Serve until the link is closed; the exit status, the reason having been told over the link."""
    asked = json.loads(told)
    match, link = Path(asked.pop("match")), joined(asked.pop("link"))
    log_as(asked.pop("log"))
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the appliance, which then closes the link
    try:
        try:
            from firmware.console.serve import serve
        except ImportError as error:
            raise missing(error.name) from error
        serve(ConsoleOptions(**asked), match, link)
    except FirmwareError as error:
        link.send({"is": "failed", "text": str(error)})
        return 2
    return 0


sys.exit(main(sys.argv[1]))

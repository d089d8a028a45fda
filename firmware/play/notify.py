"""Telling systemd that the appliance is ready and alive (sd_notify: a datagram to the socket in NOTIFY_SOCKET)."""

import os
import socket
from collections.abc import Mapping


class Notify:
    """A line to systemd; nothing happens where no systemd listens."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        path = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{path[1:]}" if path.startswith("@") else path

    def ready(self) -> None:
        """It is set up and watches."""
        self._send("READY=1")

    def alive(self) -> None:
        """It is not hung."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """It was told to stop."""
        self._send("STOPPING=1")

    def _send(self, line: str) -> None:
        if not self._address:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            try:
                out.sendto(line.encode(), self._address)
            except OSError:
                return  # systemd itself will say that it hears nothing

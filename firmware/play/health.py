"""The health endpoint on the loopback address, and asking it: `fairtray status`."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import create_connection
from threading import Thread
from time import monotonic
from typing import Any

from firmware.errors import FirmwareError

HOST = "127.0.0.1"
PORT = 8377
PATIENCE_S = 2.0
ANSWERED_S, MOST_BYTES = 5.0, 65536
"""Fairtray's whole answer comes within so long, and is never so long."""
TOLD: dict[str, Any] = {
    "ready": bool,
    "state": str,
    "fps": int | float,
    "dropped": int,
    "latency_ms": int | float | None,
    "rss_mb": int | float,
    "trouble": str | None,
}
"""Of what it tells, that on which others rely."""
STOPPED = {"ready": False, "state": "stopped"}


@contextmanager
def answering(port: int, told: Callable[[], dict[str, Any]]) -> Iterator[None]:
    """Answer `GET /health` with what is told: 200 where it is ready, else 503.

    Raises:
        FirmwareError: another program has the port.
    """
    try:
        server = ThreadingHTTPServer((HOST, port), _handler(told))
    except OSError as error:
        raise FirmwareError(
            f"port {port} of {HOST} is taken ({error.strerror}): does another fairtray run? "
            "else set [status] port in fairtray.toml"
        ) from error
    Thread(target=server.serve_forever, args=(0.05,), name="health", daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def status_command(port: int, as_json: bool) -> int:
    """Print how the running appliance is; exit status 0 where it is ready, else 1."""
    told = ask(port)
    if as_json:
        print(json.dumps(told, ensure_ascii=False))
    elif told == STOPPED:
        print(f"stopped: nothing answers at {HOST}:{port}")
    else:
        print(_in_words(told))
    return 0 if told["ready"] else 1


def ask(port: int) -> dict[str, Any]:
    """What the appliance tells of itself; `STOPPED` where nothing listens.

    Raises:
        FirmwareError: something has the port but does not answer as Fairtray does.
    """
    try:
        answer = _answer(port, monotonic() + ANSWERED_S)
        told = json.loads(answer.partition(b"\r\n\r\n")[2])
    except ConnectionRefusedError:
        return STOPPED
    except (OSError, ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not all(isinstance(told.get(key, ...), kinds) for key, kinds in TOLD.items()):
        raise FirmwareError(
            f"what has port {port} of {HOST} does not answer as Fairtray does: stop that program, "
            "or set [status] port in fairtray.toml"
        )
    return told


def _answer(port: int, end: float) -> bytes:
    """All that is answered. Raises `OSError`, also where it comes too slowly, `ValueError` where it is too much."""
    answer = b""
    with create_connection((HOST, port), ANSWERED_S) as connection:
        connection.sendall(b"GET /health HTTP/1.0\r\n\r\n")
        while part := connection.recv(MOST_BYTES):
            answer += part
            if len(answer) > MOST_BYTES:
                raise ValueError("too much")
            connection.settimeout(max(end - monotonic(), 0.001))
    return answer


def _in_words(told: dict[str, Any]) -> str:
    ready = "ready" if told["ready"] else "not ready"
    parts = [f"{ready}: {told['state']}", f"{told['fps']} frames a second, {told['dropped']} dropped"]
    parts += [f"{told['latency_ms']} ms behind"] if told["latency_ms"] is not None else []
    parts += [f"{told['rss_mb']} MB", *([told["trouble"]] if told["trouble"] else [])]
    return "; ".join(parts)


def _handler(told: Callable[[], dict[str, Any]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers one question."""

        timeout = PATIENCE_S

        def do_GET(self) -> None:
            """Tell how the appliance is."""
            if self.path != "/health":
                self.send_error(404)
                return
            answer = told()
            body = json.dumps(answer).encode()
            self.send_response(200 if answer["ready"] else 503)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Whoever asks is not worth a line."""

    return Handler

"""The health endpoint on the loopback address, and asking it: `fairtray status`."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from firmware.errors import FirmwareError

HOST = "127.0.0.1"
PORT = 8377
PATIENCE_S = 2.0
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
    """What the appliance tells of itself; `STOPPED` where none answers."""
    connection = HTTPConnection(HOST, port, timeout=PATIENCE_S)
    try:
        connection.request("GET", "/health")
        told = json.loads(connection.getresponse().read())
    except (OSError, HTTPException, ValueError):
        return STOPPED
    finally:
        connection.close()
    return told if isinstance(told, dict) and "ready" in told else STOPPED


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

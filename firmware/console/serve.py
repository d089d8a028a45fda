"""The console's process: the players' server and the referee's, on one loop."""

import asyncio
import ipaddress
import logging
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from firmware.config import ConsoleOptions
from firmware.console.address import ANY, LOOPBACK, own_names
from firmware.console.certificate import certificate
from firmware.console.errors import ConsoleError
from firmware.console.guard import App, Guard
from firmware.console.link import Link
from firmware.console.live import Live
from firmware.console.pin import has_pin
from firmware.console.players import players_pages
from firmware.console.referee import referee_pages
from firmware.console.sessions import REFEREE_IDLE_S, SEAT_IDLE_S, SeatCode, Sessions

MOST_CONNECTIONS = 400
"""So many may be open at once; whoever comes then is told to come again."""
BACKLOG = 128
KEEP_ALIVE_S = 20
END_S, LOOK_S = 1, 0.1

MOST_OF_ADDRESS, MOST_OF_ALL = 60, 450
"""So many connections to a server may one address have, and all together, from the moment on that they are taken."""
HURRY_S = 10.0
"""A connection is closed on which a request has been coming, an answer is not fetched, or secrets are not agreed on for
longer, at the latest after twice that."""

log = logging.getLogger("fairtray")


class Hurried(H11Protocol):
    """HTTP with those who hold connections and say or fetch nothing; a browser has sent its request at once."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
        super().connection_made(transport)
        asyncio.get_running_loop().call_later(HURRY_S, self._hurry, None, 0)

    def _hurry(self, answered: object, unsent: int) -> None:
        """Close it where the request that follows the one `answered` has been coming since it was last looked at, or
        as many bytes are `unsent` as then."""
        if self.transport.is_closing():
            return
        waits = self.transport.get_write_buffer_size() if self.flow.write_paused else 0
        if waits and waits == unsent:
            self.transport.abort()
            return
        cycle = self.cycle
        is_idle = self.timeout_keep_alive_task is not None  # which ends by itself
        comes = cycle is None or cycle.response_complete or (cycle.more_body and not cycle.response_started)
        if comes and not is_idle and cycle is answered:
            self.transport.abort()
        else:
            seen = cycle if comes and not is_idle else self
            asyncio.get_running_loop().call_later(HURRY_S, self._hurry, seen, waits)


class _Listening(socket.socket):
    """Takes connections, of each address only so many, before anything is said on them: secrets are agreed on later."""

    def __init__(self, family: int) -> None:
        super().__init__(family, socket.SOCK_STREAM)
        self._taken: dict[str, list[socket.socket]] = {}

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection. Raises `ConnectionAbortedError` where it is one too many, which is closed."""
        connection, address = super().accept()
        there = {name: [one for one in ones if one.fileno() >= 0] for name, ones in self._taken.items()}
        self._taken = {name: ones for name, ones in there.items() if ones}
        theirs = self._taken.setdefault(address[0], [])
        if len(theirs) >= MOST_OF_ADDRESS or sum(map(len, self._taken.values())) >= MOST_OF_ALL:
            connection.close()
            raise ConnectionAbortedError
        theirs.append(connection)
        return connection, address


class _Loop(asyncio.SelectorEventLoop):
    """Does not wait for those who connect over TLS and then say nothing."""

    async def create_server(self, *args: Any, **more: Any) -> asyncio.Server:
        """As it is, with our patience."""
        if more.get("ssl") is not None:
            more["ssl_handshake_timeout"] = HURRY_S
        return await super().create_server(*args, **more)


def serve(options: ConsoleOptions, match: Path, link: Link, is_played: bool = True) -> None:
    """Serve the pages of a match until it is interrupted, or the other end of the link has gone.

    Raises:
        ConsoleError: the address cannot be listened on, or the certificate cannot be made.
    """
    with asyncio.Runner(loop_factory=_Loop) as runner:
        runner.run(_serve(options, match, link, is_played))


async def _serve(options: ConsoleOptions, match: Path, link: Link, is_played: bool) -> None:
    folder = Path(options.folder)
    live = Live(match, link, is_played)
    seats = Sessions(time.monotonic, SEAT_IDLE_S)
    servers = [_server(players_pages(live, seats, SeatCode(time.monotonic)), options.host, options.port)]
    try:
        if has_pin(folder):
            secure = certificate(folder, certified_names(options))
            pages = referee_pages(live, Sessions(time.monotonic, REFEREE_IDLE_S), folder)
            servers.append(_server(pages, options.host, options.referee_port, secure))
        else:
            log.warning("no PIN: the referee's pages are shut", extra={"told": {"mend": "fairtray console pin"}})
    except ConsoleError as error:  # a PIN that root has set, say: whoever only looks on has nothing to do with it
        log.error("the referee's pages are shut", extra={"told": {"error": str(error)}})
    sockets = [_listening(options.host, server.config.port) for server in servers]
    tasks = [asyncio.create_task(server.serve([listening])) for server, listening in zip(servers, sockets, strict=True)]
    reading = asyncio.create_task(live.run())
    while not any(server.should_exit for server in servers):
        done, _ = await asyncio.wait([*tasks, reading], timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
        if done:
            break
    live.end()  # before the servers end, which wait for whoever looks on
    for server in servers:
        server.should_exit = True
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, reading)


def certified_names(options: ConsoleOptions) -> frozenset[str]:
    """What the certificate is for: this machine's names.

    Not its address, which the network may change: the fingerprint that people compared would change with it.
    """
    return own_names() | {LOOPBACK} | ({options.host} - set(ANY))


def _server(app: App, host: str, port: int, secure: tuple[Path, Path] | None = None) -> uvicorn.Server:
    made, key = secure if secure else (None, None)
    config = uvicorn.Config(
        Guard(app, secure is not None),
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        http=Hurried,
        ws="none",
        limit_concurrency=MOST_CONNECTIONS,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=END_S,
        ssl_certfile=str(made) if made else None,
        ssl_keyfile=str(key) if key else None,
    )
    return uvicorn.Server(config)


def _listening(host: str, port: int) -> socket.socket:
    """A socket at that address. Raises `ConsoleError` where there can be none."""
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(host).version == 6 else socket.AF_INET
    except ValueError:
        family = socket.AF_INET
    listening = _Listening(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except (OSError, UnicodeError) as error:
        listening.close()
        raise ConsoleError(
            f"nothing can listen on port {port} of {host} ({getattr(error, 'strerror', None) or 'no address'}): "
            "set [console] host, port and referee_port in fairtray.toml"
        ) from error
    return listening

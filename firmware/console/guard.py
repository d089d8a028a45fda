"""What every request passes before a page sees it, and every answer on its way out: ASGI middleware of both servers."""

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse

from firmware.console.address import own_names

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES = 16_384
"""No form of ours is longer."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with none at all browsers do not say where a form comes from
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
READING = ("GET", "HEAD")

log = logging.getLogger("fairtray")


class Guard:
    """Refuses what is too long, meant for another machine, or sent by another site's page; a fault shows no trace."""

    def __init__(self, app: App, secure: bool, names: frozenset[str] | None = None) -> None:
        """`secure`: served over TLS; `names`: what this machine is called, beside its addresses."""
        self._app = app
        self._scheme = "https" if secure else "http"
        self._names = names if names is not None else own_names()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False
        body = _Body(receive)

        async def sent(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                if body.too_long:
                    return
                begun = True
                self._add_headers(message)
            if begun:
                await send(message)

        async def own(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                self._add_headers(message)
            await send(message)

        refused = self._refused(scope)
        if refused is None:
            try:
                await self._app(scope, body, sent)
                if begun:
                    return
                refused = _TOO_LONG
            except Exception as error:  # a fault of ours: it is logged, and told in a line
                log.error("failed", extra={"told": {"part": "console", "page": scope["path"][:80]}}, exc_info=error)
                refused = 500, "Something went wrong here. It was written to the log; the match is not touched."
            if begun:
                return
        status, text = refused
        answer = PlainTextResponse(f"{text}\n", status, headers={"connection": "close"})
        await answer(scope, receive, own)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Status and words, None where it may pass."""
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._is_own(host):
            return 421, "This is another machine: use the address that the tray's display shows."
        try:
            length = int(headers.get(b"content-length", b"0"))
        except ValueError:
            return 400, "This request cannot be read."
        if length > MOST_BYTES:
            return _TOO_LONG
        if scope["method"] not in READING and not self._from_here(headers, host):
            return 403, "This was sent by a page of another site, and is refused."
        return None

    def _is_own(self, host: str) -> bool:
        """Whether this machine is called so; any number is, since names alone can be made to lead here."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or ":" in name or name.replace(".", "").isdecimal()

    def _from_here(self, headers: MutableMapping[bytes, bytes], host: str) -> bool:
        """Whether a page of ours sent it, or a program that says nothing of a page."""
        origin = headers.get(b"origin")
        site = headers.get(b"sec-fetch-site", b"same-origin")
        same = origin is None or origin.decode("latin-1").lower() == f"{self._scheme}://{host}".lower()
        return same and site in (b"same-origin", b"none")

    def _add_headers(self, message: MutableMapping[str, Any]) -> None:
        there = {name.lower() for name, _ in message["headers"]}
        added = dict(HEADERS)
        added |= {} if b"cache-control" in there else {"cache-control": "no-store"}
        message["headers"] = [
            *(pair for pair in message["headers"] if pair[0].lower() != b"server"),
            *((name.encode(), value.encode()) for name, value in added.items()),
        ]


_TOO_LONG = 413, f"That is more than the {MOST_BYTES // 1024} kB that any form here needs."


class _Body:
    """Receives, and counts; more than was told of ends it."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._bytes = receive, 0

    @property
    def too_long(self) -> bool:
        """Whether more came than any form needs."""
        return self._bytes > MOST_BYTES

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        self._bytes += len(message.get("body", b""))
        return {"type": "http.disconnect"} if self.too_long else message

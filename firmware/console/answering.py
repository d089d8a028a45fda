"""What both servers' pages share: plain words for what cannot be done, and whoever asks being told in their way."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from firmware.console import pages
from firmware.console.live import Answer

Words = dict[int | str, dict[str, Any]]
SEE_OTHER = 303
WORDS: Words = {
    SEE_OTHER: {"description": "Done: see the page it leads to"},
    400: {"description": "It cannot be read"},
    403: {"description": "It is not yours to say, or sent by another site's page"},
    404: {"description": "There is no such thing"},
    409: {"description": "The match does not allow it now"},
    413: {"description": "It is too long"},
    421: {"description": "It is meant for another machine"},
    422: {"description": "Something is missing in it, or is none of what may be said"},
    429: {"description": "Wait, then try again"},
    503: {"description": "Too many look on, or the match or the PIN cannot be read"},
}
"""How requests are answered that are not answered with a page."""


class Refused(HTTPException):
    """It cannot be done; `detail` says why."""


def application(title: str) -> FastAPI:
    """A server's pages without any, with their description at /openapi.json."""
    app = FastAPI(title=title, docs_url=None, redoc_url=None, responses=WORDS)
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")
    app.add_exception_handler(RequestValidationError, _not_valid)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, _refused)  # type: ignore[arg-type]
    return app


def done(request: Request, answer: Answer, where: str) -> Response:
    """What came of something said: to a script in JSON, else the page it leads to, or why not."""
    if _is_script(request):
        told = {"taken": answer.taken, "text": answer.text, "rule": answer.rule}
        return JSONResponse(told, 200 if answer.taken else 409)
    if answer.taken:
        return RedirectResponse(where, SEE_OTHER)
    return pages.page("refused.html", {"text": answer.text, "rule": answer.rule, "back": where}, 409)


def address_of(request: Request) -> str:
    """The address that asks."""
    return request.client.host if request.client else ""


def _is_script(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


async def _not_valid(request: Request, error: RequestValidationError) -> Response:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "what was sent"
    return _words(request, 422, f"{where}: {first['msg'][:200]}.")


async def _refused(request: Request, error: HTTPException) -> Response:
    text = error.detail if isinstance(error, Refused) else _USUAL.get(error.status_code, error.detail)
    return _words(request, error.status_code, text, dict(error.headers or {}))


def _words(request: Request, status: int, text: str, headers: dict[str, str] | None = None) -> Response:
    if _is_script(request) or request.url.path.startswith("/api/"):
        return JSONResponse({"taken": False, "text": text, "rule": ""}, status, headers)
    told = {"text": text, "rule": "", "back": "/"}
    answer = pages.page("refused.html", told, status)
    answer.headers.update(headers or {})
    return answer


_USUAL = {404: "There is no such page.", 405: "That cannot be done with this page.", 400: "This cannot be read."}

"""The referee's pages: what is open, its evidence, and the rulings; behind a PIN and over TLS alone."""

import time
from pathlib import Path as Folder
from threading import Lock
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from firmware.console import pages
from firmware.console.answering import SEE_OTHER, Refused, address_of, application, done
from firmware.console.cases import case_of, cases_of, choices_of, title_of
from firmware.console.errors import ConsoleError
from firmware.console.frames import Shelf
from firmware.console.live import Answer, Live
from firmware.console.pin import Throttle, is_pin
from firmware.console.players import Entry, Seen, Token, add_reading, history_of, state_of
from firmware.console.sessions import LONGEST_S, Session, Sessions, is_form_of
from firmware.console.told import said
from firmware.console.votes import Vote
from scorer.events import PauseCalled, PlayerInput, RefereeAction, RefereeCalled, RefereeDecided, ResumeCalled

COOKIE = "__Host-referee"
Face = Annotated[int | None, Form(ge=1, le=6)]
Hands = Annotated[int | None, Form(ge=0, le=99)]
Optional = Annotated[str, Form(max_length=200)]
Call = Literal["referee", "pause", "resume"]


class SignInError(Exception):
    """Nobody has signed in."""


def referee_pages(live: Live, sessions: Sessions, folder: Folder) -> FastAPI:
    """The referee's server; the PIN's hash is in the folder."""
    app = application("Fairtray: the referee's pages")
    throttle, one_at_a_time, shelf = Throttle(time.monotonic), Lock(), Shelf()
    add_reading(app, live, shelf)

    @app.exception_handler(SignInError)
    async def _to_login(request: Request, _error: SignInError) -> Response:
        if request.method == "GET":
            return RedirectResponse("/login", SEE_OTHER)
        return done(request, Answer(False, "Sign in first: your session is over."), "/login")

    def referee(request: Request, uses: bool = True) -> Session:
        session = sessions.of(request.cookies.get(COOKIE), uses)
        if session is None:
            raise SignInError
        return session

    def check(request: Request, form: str) -> None:
        if not is_form_of(referee(request), form):
            raise Refused(403, "This form was not on your page: look again, then say it once more.")

    async def say(request: Request, told: PlayerInput, seen: int | None, where: str) -> Response:
        return done(request, await live.say(told, seen), where)

    @app.get("/login", response_class=HTMLResponse)
    async def login_page() -> Response:
        """Where the PIN is given."""
        return pages.page("login.html", {})

    @app.post("/login", response_class=HTMLResponse)
    def login(request: Request, pin: Annotated[str, Form(max_length=40)]) -> Response:
        """Sign in."""
        address = address_of(request)
        with one_at_a_time:  # each try takes 16 MB
            wait_s = throttle.wait_s(address)
            if wait_s > 0:
                raise Refused(429, f"Too many wrong PINs: wait {wait_s:.0f} s.", {"retry-after": f"{wait_s + 1:.0f}"})
            try:
                right = is_pin(folder, pin)
            except ConsoleError as error:
                raise Refused(503, f"{error}.") from error
            if not right:
                throttle.wrong(address)
                raise Refused(403, "That is not the PIN.")
            throttle.right(address)
        answer = done(request, Answer(True, "Signed in."), "/")
        age = int(LONGEST_S)  # the session ends unused by itself, much earlier
        answer.set_cookie(COOKIE, sessions.begin(), max_age=age, secure=True, httponly=True, samesite="strict")
        return answer

    @app.post("/logout", response_class=HTMLResponse)
    async def logout(request: Request, form: Token) -> Response:
        """Sign out."""
        check(request, form)
        sessions.end(request.cookies.get(COOKIE))
        answer = RedirectResponse("/login", SEE_OTHER)
        answer.delete_cookie(COOKIE, secure=True, httponly=True, samesite="strict")
        return answer

    @app.get("/", response_class=HTMLResponse)
    async def home(request: Request) -> Response:
        """What is open, before all else."""
        return pages.page("referee.html", _listed(live, referee(request)))

    @app.get("/cases", response_class=HTMLResponse)
    async def cases(request: Request) -> Response:
        """The list, a part of that page, which asks for it by itself."""
        return pages.page("cases.html", _listed(live, referee(request, uses=False)))

    @app.get("/case/{entry}", response_class=HTMLResponse)
    async def case(request: Request, entry: Entry) -> Response:
        """A ruling with all that led to it, its evidence, and what can be decided."""
        session, history = referee(request), history_of(live)
        found = case_of(history, entry)
        if found is None:
            raise Refused(404, "There is no such ruling in this match.")
        told = {
            "referee": session,
            "live": live,
            "match": live.match,
            "entry": entry,
            "title": title_of(found),
            "said": said(found.opened.ruling),
            "about": [said(one.ruling) for one in found.about],
            "settled": said(found.settled.ruling) if found.settled else None,
            "shown": [shelf.shown(piece) for piece in reversed(found.evidence)],
            "can": choices_of(state_of(live), history.rulings),
            "vote": live.vote if live.vote and live.vote.entry == entry else None,
        }
        return pages.page("case.html", told)

    @app.post("/call", response_class=HTMLResponse)
    async def call(
        request: Request, form: Token, what: Annotated[Call, Form(alias="call")], where: Annotated[int, Form(ge=0)] = 0
    ) -> Response:
        """Take a case up, so that play waits; pause; say that all are back."""
        check(request, form)
        calls: dict[Call, PlayerInput] = {
            "referee": RefereeCalled(t=0),
            "pause": PauseCalled(t=0),
            "resume": ResumeCalled(t=0),
        }
        return await say(request, calls[what], None, _where(where))

    @app.post("/rule", response_class=HTMLResponse)
    async def rule(
        request: Request, form: Token, seen: Seen, action: Annotated[RefereeAction, Form()],
        reason: Annotated[str, Form(max_length=500)] = "", where: Annotated[int, Form(ge=0, le=10**9)] = 0,
        replaces: Annotated[int | None, Form(ge=1, le=10**9)] = None, player: Optional = "",
        die: Annotated[int | None, Form(ge=0, le=10**9)] = None, before: Face = None, after: Face = None,
        agreed: Hands = None, against: Hands = None,
        by: Annotated[list[str] | None, Form(max_length=20)] = None,
    ) -> Response:  # fmt: skip
        """The referee decides, and says why."""
        check(request, form)
        votes = (agreed or 0, against or 0) if agreed is not None or against is not None else None
        decided = RefereeDecided(
            t=0, action=action, reason=_printable(reason), replaces=replaces, player=player or None, id=die,
            before=before, after=after, votes=votes, by=tuple(by or ()),
        )  # fmt: skip
        return await say(request, decided, seen, _where(where))

    @app.post("/vote", response_class=HTMLResponse)
    async def vote(
        request: Request, form: Token, what: Annotated[Literal["open", "close", "drop"], Form(alias="vote")],
        entry: Annotated[int, Form(ge=1, le=10**9)], player: Optional = "",
    ) -> Response:  # fmt: skip
        """Have the players vote on an accusation, or end that."""
        check(request, form)
        state = state_of(live)
        if what == "open":
            if player not in state.players:
                raise Refused(404, "Nobody of that name plays.")
            live.hold(Vote.on(player, entry, state.players, state.out))
        elif live.vote is None or live.vote.entry != entry:
            raise Refused(409, "There is no vote on that.")
        elif what == "close":
            live.vote.close()
        live.hold(None if what == "drop" else live.vote)
        return done(request, Answer(True, "Done."), _where(entry))

    return app


def _printable(text: str) -> str:
    """The text as a line without what would steer a terminal."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def _where(entry: int) -> str:
    return f"/case/{entry}" if entry else "/"


def _listed(live: Live, session: Session) -> dict[str, Any]:
    """What the list of cases shows."""
    open_, settled = cases_of(live.history) if live.history else ([], [])
    return {"live": live, "match": live.match, "referee": session, "open": open_, "settled": settled}

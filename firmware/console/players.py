"""The players' pages: who looks on reads, who has claimed a seat says what that seat may say."""

from typing import Annotated, Any, Literal, get_args

from fastapi import FastAPI, Form, Path, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from firmware.console import pages
from firmware.console.answering import Refused, address_of, application, done
from firmware.console.frames import Shelf, last_picture, pieces_of
from firmware.console.live import Answer, Live
from firmware.console.sessions import LONGEST_S, SAYS_S, SeatCode, Session, Sessions, is_form_of
from firmware.console.told import Match, Said, said
from firmware.evidence.history import History
from scorer.events import (
    BoxAgreed,
    BoxChosen,
    BoxDisputed,
    CryAnswered,
    DieAnswered,
    HoldAnswered,
    HouseRule,
    HouseRuleCalled,
    PauseCalled,
    PlayerInput,
    ReadingAnswered,
    RefereeCalled,
    ResumeCalled,
    RollCounted,
    ThrowOffStopped,
)
from scorer.said import LEANS
from scorer.state import State

COOKIE = "seat"
TAKEN_S = 5.0
"""So long the display tells whose seat was taken."""
Entry = Annotated[int, Path(ge=1, le=10**9, description="The number of a ruling in the match")]
Seen = Annotated[int, Form(ge=0, le=10**9, description="The last ruling that the page showed")]
Token = Annotated[str, Form(max_length=100, description="What the page's own form holds")]
Call = Literal["referee", "pause", "resume", "stop", "mulligan", "chance_chance", "mega_yahtzee"]
HOUSE_RULES: tuple[HouseRule, ...] = get_args(HouseRule)
Yes = Literal["yes", "no"]


def players_pages(live: Live, sessions: Sessions, code: SeatCode) -> FastAPI:
    """The players' server."""
    app = application("Fairtray: the players' pages")
    shelf = Shelf()
    live.render = lambda: pages.text("board.html", {"live": live, "match": live.match})
    add_reading(app, live, shelf)

    def seat(request: Request, uses: bool = True) -> Session | None:
        return sessions.of(request.cookies.get(COOKIE), uses)

    def mine(request: Request, form: str) -> str:
        """The player who asks. Raises `Refused` for a form that is none of theirs."""
        session = seat(request)
        if session is None or session.seat is None:
            raise Refused(403, "Take your seat first, with the code that the display shows.")
        if not is_form_of(session, form):
            raise Refused(403, "This form was not on your page: look again, then say it once more.")
        if not sessions.may_say(session):
            raise Refused(429, "That is much at once: wait some seconds.", {"retry-after": f"{SAYS_S:.0f}"})
        return session.seat

    async def say(request: Request, told: PlayerInput, seen: int | None) -> Response:
        return done(request, await live.say(told, seen), "/")

    @app.get("/", response_class=HTMLResponse)
    async def live_page(request: Request) -> Response:
        """The match as it goes on."""
        told = {"live": live, "match": live.match, "seat": seat(request), "controls": _controls(live, seat(request))}
        return pages.page("live.html", told)

    @app.get("/seat", response_class=HTMLResponse)
    async def seat_part(request: Request) -> Response:
        """What the seat may say now, a part of the live page, which asks for it by itself."""
        session = seat(request, uses=False)
        told = {"live": live, "match": live.match, "seat": session, "controls": _controls(live, session)}
        return pages.page("seat.html", told)

    @app.post("/seat/code", response_class=HTMLResponse)
    async def show_code(request: Request) -> Response:
        """Have the display show the code of the seats."""
        shown = code.ask()
        if shown is None:
            raise Refused(429, "Wrong codes were given just now: wait a minute.")
        if for_s := code.show_s():
            live.show_code(shown, for_s)
        return done(request, Answer(True, "The display shows the code."), "/#claim")

    @app.post("/seat/claim", response_class=HTMLResponse)
    async def claim(
        request: Request, player: Annotated[str, Form(max_length=200)], given: Annotated[str, Form(max_length=20)]
    ) -> Response:
        """Take a seat with the code that the display shows."""
        if live.match is None or player not in live.match.players:
            raise Refused(404, "Nobody of that name plays.")
        if not code.claim(given.strip()):
            raise Refused(403, "That is not the code that the display shows; after three wrong ones it is another.")
        live.show_note("SEAT TAKEN", f"{player} has a phone", TAKEN_S)
        answer = done(request, Answer(True, f"You are {player}."), "/")
        secret = sessions.begin(player)
        answer.set_cookie(COOKIE, secret, max_age=int(LONGEST_S), httponly=True, samesite="strict")
        return answer

    @app.post("/seat/leave", response_class=HTMLResponse)
    async def leave(request: Request, form: Token) -> Response:
        """Give the seat back."""
        mine(request, form)
        sessions.end(request.cookies.get(COOKIE))
        answer = done(request, Answer(True, "The seat is free."), "/")
        answer.delete_cookie(COOKIE)
        return answer

    @app.post("/say/box", response_class=HTMLResponse)
    async def say_box(
        request: Request, form: Token, seen: Seen, box: Annotated[str, Form(max_length=40)],
        announced: Annotated[int | None, Form(ge=0, le=10_000)] = None, cross: bool = Form(False),
    ) -> Response:  # fmt: skip
        """The roller chooses a box."""
        player = mine(request, form)
        if box not in state_of(live).rules.by_name:  # whatever is said is printed and kept
            raise Refused(404, "There is no such box.")
        return await say(request, BoxChosen(t=0, player=player, box=box, announced=announced, cross=cross), seen)

    @app.post("/say/marker", response_class=HTMLResponse)
    async def say_marker(request: Request, form: Token, seen: Seen, agrees: Annotated[Yes, Form()]) -> Response:
        """The marker agrees to the box proposed, or does not."""
        player = mine(request, form)
        told = BoxAgreed(t=0, player=player) if agrees == "yes" else BoxDisputed(t=0, player=player)
        return await say(request, told, seen)

    @app.post("/say/answer", response_class=HTMLResponse)
    async def say_answer(
        request: Request, form: Token, seen: Seen, yes: Annotated[Yes | None, Form()] = None,
        value: Annotated[int | None, Form(ge=LEANS, le=6)] = None,
        die: Annotated[int | None, Form(ge=0, le=10**9)] = None,
    ) -> Response:  # fmt: skip
        """The marker answers what the game asks: yes or no, or the value of the die asked about, 0 where it leans."""
        player, state = mine(request, form), state_of(live)
        if player != (state.marker or state.player):
            raise Refused(403, f"{state.marker} answers: the player to the left.")
        return await say(request, _answered(state, yes, value, die), seen)

    @app.post("/say/call", response_class=HTMLResponse)
    async def say_call(request: Request, form: Token, call: Annotated[Call, Form()]) -> Response:
        """A player calls the referee, a pause or a house rule, says that all are back, lets a throw-off's dice lie."""
        player = mine(request, form)
        if call in HOUSE_RULES:
            return await say(request, HouseRuleCalled(t=0, player=player, rule=call), None)
        calls: dict[str, PlayerInput] = {
            "referee": RefereeCalled(t=0, player=player),
            "pause": PauseCalled(t=0, player=player),
            "resume": ResumeCalled(t=0, player=player),
            "stop": ThrowOffStopped(t=0, player=player),
        }
        return await say(request, calls[call], None)

    @app.post("/say/vote", response_class=HTMLResponse)
    async def say_vote(request: Request, form: Token, found: Annotated[Yes, Form()]) -> Response:
        """A player votes on an accusation."""
        player = mine(request, form)
        if live.vote is None or not live.vote.cast(player, found == "yes"):
            raise Refused(409, "There is no vote that you have a part in.")
        return done(request, Answer(True, "Your vote is counted. Until the vote is closed you may change it."), "/")

    return app


def add_reading(app: FastAPI, live: Live, shelf: Shelf) -> None:
    """What anybody may read, on either server."""

    @app.get("/api/match", response_model=Match)
    async def api_match() -> Any:
        """How the match stands."""
        if live.match is None:
            raise Refused(503, live.fault or "The match has not begun.")
        return live.match

    @app.get("/api/rolls", response_model=list[Said])
    async def api_rolls() -> Any:
        """Every ruling on a throw."""
        return [said(ruled.ruling) for ruled in history_of(live).rolls]

    @app.get("/events", include_in_schema=False)
    async def events(request: Request) -> Response:
        """Server-sent events: `board` and `picture`."""
        address = address_of(request)
        if not live.has_room(address):
            raise Refused(503, "So many look on that there is no room for more.")
        return StreamingResponse(live.stream(address), media_type="text/event-stream")

    @app.get("/live.jpg", response_class=Response, responses={200: {"content": {"image/jpeg": {}}}})
    async def live_picture() -> Response:
        """The tray as it is now."""
        if live.shot is None:
            raise Refused(404, "There is no picture of the tray now.")
        return Response(live.shot.jpeg, media_type="image/jpeg")

    @app.get("/rolls", response_class=HTMLResponse)
    async def rolls() -> Response:
        """Every roll with its picture."""
        history = history_of(live)
        told = [
            {
                "said": said(ruled.ruling),
                "picture": last_picture(history, ruled),
                "counted": isinstance(ruled.ruling, RollCounted),
            }
            for ruled in reversed(history.rolls)
        ]
        return pages.page("rolls.html", {"rolls": told})

    @app.get("/rolls/{entry}", response_class=HTMLResponse)
    async def roll(entry: Entry) -> Response:
        """A ruling with its frames."""
        ruled = history_of(live).ruled(entry)
        if ruled is None:
            raise Refused(404, "There is no such ruling in this match.")
        shown = [shelf.shown(piece) for piece in pieces_of([ruled])]
        return pages.page("roll.html", {"said": said(ruled.ruling), "shown": shown})

    @app.get(
        "/frame/{seq}/{place}.jpg",
        response_class=Response,
        responses={200: {"content": {"image/jpeg": {}}}},
    )
    async def frame(seq: Entry, place: Annotated[int, Path(ge=0, le=100_000)]) -> Response:
        """A frame of a piece of evidence."""
        jpeg = shelf.jpeg(history_of(live), seq, place)
        if jpeg is None:
            raise Refused(404, "There is no such frame: it may have been deleted to make room.")
        return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "private, max-age=3600"})


def history_of(live: Live) -> History:
    """The match. Raises `Refused` where there is none."""
    if live.history is None:
        raise Refused(503, live.fault or "The match has not begun.")
    return live.history


def state_of(live: Live) -> State:
    """How it stands. Raises `Refused` where it has not begun."""
    state = history_of(live).state
    if state is None:
        raise Refused(503, "The match has not begun.")
    return state


def _answered(state: State, yes: Yes | None, value: int | None, die: int | None) -> PlayerInput:
    """The answer to what is asked; `die`: the number of the one that the page asked about.

    Raises `Refused` where it is none, or about a die that is not asked about now: no ruling is made between the answers
    about two dice of a roll, so that the last ruling seen does not tell them apart.
    """
    asks = state.waiting_for
    if asks == "reading" and value is not None:
        if die != state.asked[0].id:
            raise Refused(409, "Another die is asked about now: look again.")
        return ReadingAnswered(t=0, id=die, value=value)
    kinds: dict[str, PlayerInput] = {
        "hold": HoldAnswered(t=0, counts=yes == "yes"),
        "die": DieAnswered(t=0, thrown=yes == "yes"),
        "cry": CryAnswered(t=0, cried=yes == "yes"),
    }
    if yes is None or asks not in kinds:
        raise Refused(409, "That is not what is asked now.")
    return kinds[asks]


def _controls(live: Live, session: Session | None) -> dict[str, Any]:
    """What the seat may say now."""
    state = live.history.state if live.history else None
    if state is None or session is None or session.seat is None:
        return {}
    seat, asks = session.seat, state.waiting_for
    answers = seat == (state.marker or state.player)
    chooses = seat == state.player and asks in ("box", "throw", "agreement") and not state.barred
    return {
        "boxes": list(live.match.legal) if chooses and live.match else [],
        "announce": state.options.announce,
        "stop": bool(state.contest and seat == state.player and state.turn.values),
        "cross": state.rules.voluntary_zero,
        "house": [rule for rule in HOUSE_RULES if chooses and _can_call(state, rule)],
        "agrees": asks == "agreement" and seat == state.marker,
        "proposal": state.proposal.placement if state.proposal else None,
        "asks": asks if answers and asks in ("hold", "die", "cry", "reading") else None,
        "asked": state.asked,
        "may_lean": state.may_lean,
        "vote": live.vote if live.vote and live.vote.is_open and seat in live.vote.voters else None,
        "paused": state.paused,
        "dispute": state.dispute is not None,
    }


def _can_call(state: State, rule: HouseRule) -> bool:
    """Whether the house rule was declared and the player has not called it yet."""
    return bool(getattr(state.rules, rule)) and (state.player, rule) not in state.used

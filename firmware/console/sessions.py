"""Who is who on the pages: a referee who gave the PIN, players who gave a seat's code; all else only looks."""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

REFEREE_IDLE_S, SEAT_IDLE_S = 30 * 60.0, 4 * 3600.0
LONGEST_S = 12 * 3600.0
"""No session lives longer, however much it is used."""
CODE_S = 90.0
"""How long a seat's code holds."""
CODE_DIGITS = 6
TRIES = 3
"""So many wrong codes void it."""
PAUSE_S = 60.0
"""From a code that was voided to the next one."""
AGAIN_S = 20.0
"""A code that holds is shown again no sooner: nobody may keep the display, or the terminal, busy with it."""
SAYS, SAYS_S = 20, 10.0
"""So much a seat may say in so many seconds."""
MOST = 64
"""So many sessions are kept; of more the one longest unused ends."""


@dataclass(slots=True)
class Session:
    """One who has signed in. `seat`: the player, None for the referee; `form`: what their forms must carry."""

    seat: str | None
    form: str
    begun: float
    used: float
    said: list[float] = field(default_factory=list)


class Sessions:
    """The sessions by the secret in their cookie; `clock` in seconds."""

    def __init__(self, clock: Callable[[], float], idle_s: float) -> None:
        self._clock, self._idle_s = clock, idle_s
        self._by_secret: dict[str, Session] = {}

    def begin(self, seat: str | None = None) -> str:
        """A new session's secret. A seat has one: who had it before has it no more."""
        now = self._clock()
        if seat is not None:
            self._by_secret = {key: one for key, one in self._by_secret.items() if one.seat != seat}
        while len(self._by_secret) >= MOST:
            del self._by_secret[min(self._by_secret, key=lambda key: self._by_secret[key].used)]
        secret = secrets.token_urlsafe(32)
        self._by_secret[secret] = Session(seat, secrets.token_urlsafe(24), now, now)
        return secret

    def of(self, secret: str | None, uses: bool = True) -> Session | None:
        """The session, None where there is none or it has expired; without `uses` this does not count as its use."""
        session = self._by_secret.get(secret or "")
        if session is None:
            return None
        now = self._clock()
        if now - session.used > self._idle_s or now - session.begun > LONGEST_S:
            del self._by_secret[secret or ""]
            return None
        if uses:
            session.used = now
        return session

    def may_say(self, session: Session) -> bool:
        """Whether it may say one more thing now: every word is written to the disk and read by the umpire."""
        now = self._clock()
        session.said = [t for t in session.said if now - t < SAYS_S]
        if len(session.said) >= SAYS:
            return False
        session.said.append(now)
        return True

    def end(self, secret: str | None) -> None:
        """Sign out."""
        self._by_secret.pop(secret or "", None)

    @property
    def seats(self) -> frozenset[str]:
        """The seats that are taken."""
        return frozenset(one.seat for one in self._by_secret.values() if one.seat is not None)


def is_form_of(session: Session, form: str) -> bool:
    """Whether a form was on a page of that session."""
    return hmac.compare_digest(session.form.encode(), form.encode())


class SeatCode:
    """The code of the seats: asked for on a page, shown on the display, good for one seat, then another one."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._code, self._until, self._tries = "", 0.0, 0
        self._next = self._shown = 0.0

    def ask(self) -> str | None:
        """The code, which the display is to show; None where wrong ones were given just now."""
        now = self._clock()
        if now < self._next:
            return None
        if now > self._until:
            self._code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
            self._until, self._tries, self._shown = now + CODE_S, 0, -AGAIN_S
        return self._code

    def show_s(self) -> float:
        """How long the display is to show it now, 0 where it was told to just now."""
        now = self._clock()
        if now - self._shown < AGAIN_S:
            return 0.0
        self._shown = now
        return self._until - now

    def claim(self, code: str) -> bool:
        """Whether this is the code shown."""
        now = self._clock()
        if now > self._until:
            return False
        if hmac.compare_digest(self._code.encode(), code.encode()):
            self._until = 0.0
            return True
        self._tries += 1
        if self._tries >= TRIES:
            self._until, self._next = 0.0, now + PAUSE_S
        return False

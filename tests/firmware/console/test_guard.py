"""What comes from outside and should not: other sites, other machines, far too much, far too often, and not at all."""

import asyncio
import contextlib
import re
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.config import ConsoleOptions
from firmware.console import address, serve
from firmware.console.certificate import CERTIFICATE, certificate
from firmware.console.errors import ConsoleError
from firmware.console.pages import STATIC
from firmware.console.pin import ALL_FREE, FREE, LONGEST_S, WAIT_S, Throttle, has_pin, is_pin, new_pin, set_pin
from firmware.console.sessions import AGAIN_S, CODE_S, PAUSE_S, SAYS, SAYS_S, TRIES, SeatCode, Sessions
from firmware.console.sessions import LONGEST_S as SESSION_S
from tests.firmware.console.table import PIN, Table, table, until
from tests.scorer.tray import FIRST


class Clock:
    """A clock that is set."""

    t = 1000.0

    def __call__(self) -> float:
        return self.t


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with table(tmp_path_factory.mktemp("guarded")) as made:
        made.see(FIRST)
        until(lambda: made.visitor().get("/api/match").told["roll"] == 1)
        yield made


def test_every_answer_is_guarded_and_none_names_the_server(played: Table) -> None:
    for visitor, path in (
        (played.visitor(), "/"),
        (played.visitor(), "/static/console.js"),
        (played.referee(), "/login"),
    ):
        headers = visitor.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"] and "unsafe" not in str(headers)
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "same-origin"
        assert "server" not in headers


def test_a_page_holds_no_script_or_style_that_its_policy_would_stop(played: Table) -> None:
    for path in ("/", "/rolls", "/rolls/3"):
        html = played.visitor().get(path).text
        assert html.count("<script") == 1 and "style=" not in html and " onclick" not in html


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[::1", "fairtray@evil.example"])
def test_another_machines_name_is_refused(played: Table, host: str) -> None:
    assert played.visitor().get("/", host=host).status == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_post_of_another_sites_page_is_refused(played: Table, headers: dict[str, str]) -> None:
    for visitor, path in ((played.visitor(), "/seat/code"), (played.referee(), "/login")):
        came = visitor.post(path, headers, pin=PIN)
        assert came.status == 403 and "another site" in came.text
    assert not played.shown


def test_a_gigabyte_is_refused_before_it_is_read_and_a_stream_where_it_grows_too_long(played: Table) -> None:
    head = "POST /seat/claim HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    chunk = b"4000\r\n" + b"a" * 0x4000 + b"\r\n"
    for told, body in (("Content-Length: 1000000000", b""), ("Transfer-Encoding: chunked", 2 * chunk)):
        with socket.create_connection(("127.0.0.1", played.options.port), 10) as connection:
            connection.sendall(f"{head}{told}\r\n\r\n".encode() + body)
            answer = b""
            while part := connection.recv(65536):
                answer += part
        assert answer.startswith(b"HTTP/1.1 413") and b"16 kB" in answer


NO_REQUESTS = [
    b"GARBAGE\r\n\r\n",
    b"GET / HTTP/9\r\n\r\n",
    b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01\x02\x00",
]


@pytest.mark.parametrize("line", NO_REQUESTS)
def test_what_is_no_request_is_answered_without_a_trace(played: Table, line: bytes) -> None:
    with socket.create_connection(("127.0.0.1", played.options.port), 10) as connection:
        connection.sendall(line)
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(65536)
    assert b"Traceback" not in answer and (not answer or answer.startswith(b"HTTP/1.1 4"))
    assert played.visitor().get("/").status == 200


def test_who_holds_connections_and_says_nothing_keeps_nobody_out(
    played: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "HURRY_S", 0.3)
    port = played.options.port
    held = [socket.create_connection(("127.0.0.1", port), 10) for _ in range(serve.MOST_OF_ADDRESS + 5)]
    form = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 900"
    held[0].sendall(b"POST /seat/claim HTTP/1.1\r\nHost: 127.0.0.1\r\n" + form + b"\r\n\r\nplayer=")
    other = socket.create_connection(("127.0.0.1", port), 10, source_address=("127.0.1.9", 0))
    other.sendall(b"GET /api/match HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert other.recv(4096).startswith(b"HTTP/1.1 200")
    other.sendall(b"GET /")  # and no more, on a connection that has been answered
    while other.recv(4096):
        pass
    other.close()
    for connection in held:
        with contextlib.suppress(ConnectionError):
            assert connection.recv(4096) == b""
        connection.close()
    until(lambda: played.visitor().get("/").status == 200)


def test_who_connects_over_tls_and_says_nothing_is_let_go(
    tmp_path: Path, played: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = played.options.referee_port
    held = [socket.create_connection(("127.0.0.1", port), 10) for _ in range(serve.MOST_OF_ADDRESS + 1)]
    assert held[-1].recv(1) == b""
    trusting = ssl.create_default_context(cafile=Path(played.options.folder) / CERTIFICATE)
    other = socket.create_connection(("127.0.0.1", port), 10, source_address=("127.0.1.9", 0))
    trusting.wrap_socket(other, server_hostname="127.0.0.1").close()
    for connection in held:
        connection.close()

    monkeypatch.setattr(serve, "HURRY_S", 0.2)
    made = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    made.load_cert_chain(*certificate(tmp_path, frozenset({"127.0.0.1"})))

    async def silent() -> bytes:
        listening = serve._listening("127.0.0.1", 0)
        await asyncio.get_running_loop().create_server(asyncio.Protocol, sock=listening, ssl=made)
        reader, _ = await asyncio.open_connection(*listening.getsockname())
        return await asyncio.wait_for(reader.read(), 10)

    with asyncio.Runner(loop_factory=serve._Loop) as runner:
        assert runner.run(silent()) == b""


def test_who_fetches_nothing_of_an_answer_is_let_go(played: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "HURRY_S", 0.3)
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(30)
        connection.connect(("127.0.0.1", played.options.port))
        with pytest.raises(ConnectionError):
            while True:
                connection.sendall(b"GET /static/console.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 1000)
    assert played.visitor().get("/").status == 200


def test_a_pin_that_cannot_be_read_is_told_in_words(tmp_path: Path, played: Table) -> None:
    (tmp_path / "pin").mkdir()
    with pytest.raises(ConsoleError, match=r"cannot be read .*: delete it"):
        has_pin(tmp_path)
    pin = Path(played.options.folder) / "pin"
    kept = pin.read_bytes()
    pin.unlink()
    pin.mkdir()
    came = played.referee().post("/login", pin=PIN)
    pin.rmdir()
    pin.write_bytes(kept)
    assert came.status == 503 and "cannot be read" in came.told["text"]


def test_a_cookie_lasts_as_long_as_a_session_that_is_used(played: Table) -> None:
    came = played.referee().post("/login", pin=PIN)
    assert f"Max-Age={int(SESSION_S)};" in came.headers["set-cookie"]


def test_a_wrong_pin_a_thousand_times_is_soon_refused_unread(played: Table) -> None:
    referee = played.referee()
    came = [referee.post("/login", pin=f"{number:06}") for number in range(FREE + 2)]
    assert [one.status for one in came] == [403] * FREE + [429] * 2
    assert int(came[-1].headers["retry-after"]) >= WAIT_S - 5 and "wait" in came[-1].told["text"]
    assert referee.post("/login", pin=PIN).status == 429


def test_a_thousand_tries_from_a_thousand_addresses_wait_together() -> None:
    clock, tried = Clock(), 0
    throttle = Throttle(clock)
    clock.t += LONGEST_S
    for number in range(1000):
        if throttle.wait_s(f"10.0.{number >> 8}.{number & 255}") == 0:
            throttle.wrong(f"10.0.{number >> 8}.{number & 255}")
            tried += 1
        clock.t += 0.5
    assert tried == ALL_FREE
    clock.t += LONGEST_S
    assert throttle.wait_s("10.0.0.1") == 0


def test_who_has_it_begin_anew_tries_no_more_often() -> None:
    throttle = Throttle(Clock())
    for number in range(FREE):
        assert throttle.wait_s(f"10.0.0.{number}") == 0
        throttle.wrong(f"10.0.0.{number}")
    assert throttle.wait_s("10.0.0.99") == LONGEST_S


def test_one_address_waits_ever_longer_and_the_right_pin_ends_that() -> None:
    clock, waited = Clock(), []
    throttle = Throttle(clock)
    clock.t += LONGEST_S
    for _ in range(FREE + 5):
        throttle.wrong("10.0.0.1")
        waited.append(throttle.wait_s("10.0.0.1"))
        clock.t += waited[-1]
    assert waited[: FREE - 1] == [0] * (FREE - 1)
    assert waited[FREE - 1 :] == [WAIT_S, 2 * WAIT_S, 4 * WAIT_S, 8 * WAIT_S, LONGEST_S, LONGEST_S]
    assert throttle.wait_s("10.0.0.2") == 0
    throttle.right("10.0.0.1")
    assert throttle.wait_s("10.0.0.1") == 0


def test_a_pin_is_kept_as_a_hash_for_its_owner_alone(tmp_path: Path) -> None:
    for pin in ("12345", "111111", "1212121212121", "12345a", "", "１２３４５６"):
        with pytest.raises(ValueError, match="6 to 12 digits"):
            set_pin(tmp_path, pin)
    pin = new_pin()
    set_pin(tmp_path, pin)
    assert is_pin(tmp_path, pin) and not is_pin(tmp_path, pin[::-1] + "0")
    assert pin not in (tmp_path / "pin").read_text() and (tmp_path / "pin").stat().st_mode & 0o077 == 0
    (tmp_path / "pin").write_text("scrypt 2 1 1 00 00")
    with pytest.raises(ValueError, match="holds no PIN"):
        is_pin(tmp_path, pin)


def test_sessions_expire_unused_and_used_and_a_seat_has_one(tmp_path: Path) -> None:
    clock = Clock()
    sessions = Sessions(clock, idle_s=60)
    first, second = sessions.begin("Ann"), sessions.begin("Ann")
    assert sessions.of(first) is None and sessions.of("x") is None and sessions.of(None) is None
    for _ in range(int(SESSION_S / 50)):
        assert sessions.of(second) is not None
        clock.t += 50
    clock.t += 50
    assert sessions.of(second) is None
    third = sessions.begin("Ann")
    clock.t += 61
    assert sessions.of(third) is None and sessions.seats == frozenset()
    for number in range(1000):
        sessions.begin(f"{number}")
    assert len(sessions.seats) == 64


def test_who_was_away_for_too_long_is_told_so_and_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "REFEREE_IDLE_S", 0.0)
    monkeypatch.setattr(serve, "SEAT_IDLE_S", 0.0)
    with table(tmp_path) as made:
        referee, ann = made.referee(), made.visitor()
        assert referee.post("/login", pin=PIN).told["taken"]
        assert "session is over" in referee.post("/call", form="x", call="pause").told["text"]
        assert referee.get("/").headers["location"] == "/login"
        ann.post("/seat/code")
        assert ann.post("/seat/claim", player="Ann", given=made.code()).told["taken"]
        assert ann.post("/say/call", form="x", call="pause").told["text"].startswith("Take your seat first")
        assert made.visitor().get("/api/match").told["entry"] == 2


def test_a_page_that_asks_by_itself_keeps_no_session_alive() -> None:
    clock = Clock()
    sessions = Sessions(clock, idle_s=60)
    secret = sessions.begin()
    for _ in range(6):
        assert sessions.of(secret, uses=False) is not None
        clock.t += 10
    clock.t += 1
    assert sessions.of(secret, uses=False) is None


def test_a_seat_says_only_so_much_at_once() -> None:
    clock = Clock()
    sessions = Sessions(clock, idle_s=60)
    ann, ben = (sessions.of(sessions.begin(name)) for name in ("Ann", "Ben"))
    assert ann is not None and ben is not None
    assert [sessions.may_say(ann) for _ in range(SAYS + 2)] == [True] * SAYS + [False] * 2
    assert sessions.may_say(ben)
    clock.t += SAYS_S
    assert sessions.may_say(ann)


def test_a_certificate_that_is_not_of_its_key_is_made_anew(tmp_path: Path) -> None:
    names = frozenset({"tray.local", "127.0.0.1"})
    made, key = certificate(tmp_path, names)
    before = made.read_bytes(), key.read_bytes()
    assert certificate(tmp_path, names) == (made, key) and (made.read_bytes(), key.read_bytes()) == before
    certificate(tmp_path / "other", names)
    for wrong in ((tmp_path / "other" / "key.pem").read_bytes(), b"", b"no key"):
        key.write_bytes(wrong)
        certificate(tmp_path, names)
        assert key.read_bytes() != wrong and made.read_bytes() != before[0]
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(made, key)
    assert key.stat().st_mode & 0o077 == 0


def test_a_machine_is_known_by_its_name_however_it_is_spelt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "MyTray")
    assert address.own_names() == {"localhost", "mytray", "mytray.local"}
    assert address.address(ConsoleOptions(host="fd00::1")) == "http://[fd00::1]:8080"


def test_the_seats_code_is_good_once_for_a_while_and_for_few_tries() -> None:
    clock = Clock()
    code = SeatCode(clock)
    assert not code.claim("")
    shown = code.ask()
    assert shown is not None and code.ask() == shown
    assert (code.show_s(), code.show_s()) == (CODE_S, 0)
    clock.t += AGAIN_S
    assert (code.ask(), code.show_s(), code.show_s()) == (shown, CODE_S - AGAIN_S, 0)
    assert code.claim(shown) and not code.claim(shown)
    shown = code.ask()
    assert shown is not None
    clock.t += CODE_S + 1
    assert not code.claim(shown)
    shown = code.ask()
    assert shown is not None
    for _ in range(TRIES):
        assert not code.claim("x")
    assert not code.claim(shown) and code.ask() is None
    clock.t += PAUSE_S + 1
    assert code.ask() not in (None, shown)


def test_text_has_the_contrast_of_wcag_aa_in_light_and_in_dark() -> None:
    css = (STATIC / "console.css").read_text()
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in re.findall(r":root \{(.*?)\}", css, re.S)[:2]
    )
    pairs = [("ink", "ground"), ("ink", "card"), ("soft", "ground"), ("soft", "card"), ("main", "ground")]
    pairs += [("main", "card"), ("on-main", "main"), ("stop", "ground"), ("stop", "card"), ("on-warn", "warn")]
    for colours in (light, dark):
        for text, ground in pairs:
            assert _contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


def _contrast(one: str, other: str) -> float:
    """As WCAG 2.1 defines it."""
    upper, lower = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (upper + 0.05) / (lower + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_network_of_its_own_is_found_by_its_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    out = address.own_address()
    monkeypatch.setattr(
        address, "ELSEWHERE", ("no address", 9)
    )  # as where nothing leads elsewhere: it cannot be reached
    found = {name for _, name in socket.if_nameindex()} - {"lo"}
    assert address.own_address() == (out if found else address.LOOPBACK) or len(found) > 1

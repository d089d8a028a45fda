"""The referee's pages: the PIN, what is open, the evidence, every ruling, votes, and what is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.events import BoxEntered, MatchEnded, RefereeRuled, RestoreOrdered, RollCounted
from scorer.state import Options
from tests.firmware.console.table import PIN, Table, Visitor, table, until
from tests.firmware.console.test_players import seated
from tests.firmware.evidence.test_history import keep
from tests.scorer.tray import FIRST, die, throw


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path, ("Ann", "Ben", "Cid"), Options(marker=True)) as made:
        yield made


@pytest.fixture
def referee(played: Table) -> Visitor:
    visitor = played.referee()
    assert visitor.post("/login", pin=PIN).told["taken"]
    return visitor


def taken_up(played: Table, referee: Visitor) -> int:
    """The number of the first roll, and the referee stopped play."""
    played.see(FIRST)
    until(lambda: referee.get("/api/match").told["roll"] == 1)
    assert referee.say("/call", call="referee").told["taken"]
    return 3


def ruled(played: Table) -> list[RefereeRuled]:
    return [one.ruling for one in played.history().rulings if isinstance(one.ruling, RefereeRuled)]


def test_nothing_is_shown_without_the_pin_and_the_cookie_is_for_tls_alone(played: Table) -> None:
    stranger = played.referee()
    for path in ("/", "/cases", "/case/1"):
        assert stranger.get(path).headers["location"] == "/login"
    for path, told in (("/rule", {"action": "confirm", "seen": 1}), ("/call", {"call": "pause"})):
        refused = stranger.post(path, form="x", **told)
        assert refused.status == 409 and "Sign in first" in refused.told["text"]
    assert stranger.post("/login", pin="000001").status == 403
    came = stranger.post("/login", pin=PIN)
    flags = came.headers["set-cookie"]
    assert flags.startswith("__Host-referee=") and {"HttpOnly", "Secure", "SameSite=strict"} <= set(flags.split("; "))
    assert "Nothing is open" in stranger.get("/").text
    assert stranger.say("/logout").status == 303
    assert stranger.get("/").status == 303


def test_a_reading_is_corrected_with_a_reason_and_both_values_stay(played: Table, referee: Visitor) -> None:
    roll = taken_up(played, referee)
    opened = referee.get("/")
    assert "1 open" in opened.text and "/case/4" in opened.text
    page = referee.get("/case/4").text
    assert f"Correct a reading of ruling {roll}" in page and "No picture of it was kept, yet" in page
    told = {**referee.hidden("/case/4"), "action": "correct_reading", "replaces": roll, "before": 6, "after": 5}
    assert referee.post("/rule", **told, reason="  ").told["text"] == "No correct reading: say why"
    told |= referee.hidden("/case/4")
    assert referee.post("/rule", **told, reason="It leaned: a five.").told["taken"]
    (ruling,) = ruled(played)
    assert (ruling.before, ruling.after, ruling.reason, ruling.replaces) == (6, 5, "It leaned: a five.", roll)
    counted = [one.ruling for one in played.history().rulings if isinstance(one.ruling, RollCounted)]
    assert [one.values for one in counted] == [(1, 3, 3, 4, 6), (1, 3, 3, 4, 5)]
    live = played.visitor().get("/").text
    assert "It is a 5: It leaned: a five." in live
    assert f'href="/rolls/{roll}"' in live
    assert "Decided" in referee.get("/").text


def test_a_box_in_dispute_is_confirmed_or_thrown_again(played: Table, referee: Visitor) -> None:
    ann, ben = seated(played, "Ann"), seated(played, "Ben")
    played.see(FIRST)
    until(lambda: ann.get("/api/match").told["roll"] == 1)
    ann.say("/say/box", box="C")
    assert ben.say("/say/marker", agrees="no").told["taken"]
    until(lambda: "1 open" in referee.get("/").text)
    assert "C is entered for Ann with 17 points" in referee.get("/case/5").text
    assert referee.post("/rule", **referee.hidden("/case/5"), action="throw_again", reason="A knock.").told["taken"]
    assert referee.get("/api/match").told["dice"] == []
    assert not any(isinstance(one.ruling, BoxEntered) for one in played.history().rulings)


def test_an_unread_die_is_said_and_a_held_roll_let_count(played: Table, referee: Visitor) -> None:
    played.see(throw(3.0, [die(1, 2), die(2, 2), die(3, 5), die(4, 5), die(5, None, likely=6)]))
    until(lambda: "Question 3" in referee.get("/").text)
    assert "Say what the die shows" in referee.get("/case/3").text
    told = {
        **referee.hidden("/case/3"),
        "action": "correct_reading",
        "die": 5,
        "after": 6,
        "reason": "Seen on frame 90.",
    }
    assert referee.post("/rule", **told).told["taken"]
    assert referee.get("/api/match").told["dice"] == [2, 2, 5, 5, 6]


def test_a_vote_is_secret_while_open_and_its_counts_go_with_the_ruling(played: Table, referee: Visitor) -> None:
    ann, ben = seated(played, "Ann"), seated(played, "Ben")
    taken_up(played, referee)
    page = "/case/4"
    assert referee.post("/vote", form=referee.hidden(page)["form"], vote="open", entry=4, player="Ann").told["taken"]
    until(lambda: "Did <b>Ann</b> break the rules" in ben.get("/seat").text)
    assert "break the rules" not in ann.get("/seat").text
    assert ann.say("/say/vote", found="no").status == 409
    assert ben.say("/say/vote", found="yes").told["taken"]
    assert "1 of 2 have voted" in referee.get(page).text and "It was so: <b>" not in referee.get(page).text
    assert referee.post("/vote", form=referee.hidden(page)["form"], vote="close", entry=4).told["taken"]
    assert "It was so: <b>1</b>" in referee.get(page).text
    assert ben.say("/say/vote", found="no").status == 409
    told = {"action": "warn", "player": "Ann", "reason": "A die was slid.", "agreed": 1, "against": 0}
    assert referee.say("/rule", **told).status == 422  # the list's page shows no ruling: it has no `seen`
    assert referee.post("/rule", **referee.hidden(page), **told).told["taken"]
    (ruling,) = ruled(played)
    assert (ruling.action, ruling.player, ruling.votes, ruling.offence) == ("warn", "Ann", (1, 0), 1)


def test_a_die_is_set_back_to_the_value_it_had(played: Table, referee: Visitor) -> None:
    taken_up(played, referee)
    told = {**referee.hidden("/case/4"), "action": "restore_die", "die": 5, "reason": "A sleeve turned it."}
    assert referee.post("/rule", **told).told["taken"]
    (order,) = (one.ruling for one in played.history().rulings if isinstance(one.ruling, RestoreOrdered))
    assert (order.id, order.value) == (5, 6)


def test_out_and_back_in_pause_and_resume(played: Table, referee: Visitor) -> None:
    taken_up(played, referee)
    for action in ("disqualify", "reinstate"):
        if action == "reinstate":
            assert referee.say("/call", call="referee").told["taken"]
        told = {**referee.hidden("/case/4"), "action": action, "player": "Cid", "reason": "As both agree."}
        assert referee.post("/rule", **told).told["taken"]
        assert referee.get("/api/match").told["out"] == (["Cid"] if action == "disqualify" else [])
    assert referee.say("/call", call="pause").told["taken"]
    assert referee.get("/api/match").told["waiting_for"] == "resume"
    assert referee.say("/call", call="resume").told["taken"]


def test_the_referee_rules_after_the_end_too(played: Table, referee: Visitor) -> None:
    taken_up(played, referee)
    for action, player in (("disqualify", "Ann"), ("disqualify", "Ben"), ("disqualify", "Cid"), ("reinstate", "Ben")):
        told = {**referee.hidden("/case/3"), "action": action, "player": player, "reason": "As all agree."}
        assert referee.post("/rule", **told).told["taken"]
        assert referee.post("/call", form=told["form"], call="referee").told["taken"]
    last = played.history().rulings[-2].ruling
    assert isinstance(last, MatchEnded) and last.places == {"Ben": 1}
    told = referee.get("/api/match").told
    assert told["over"] and told["waiting_for"] == "dispute"
    assert "The match is over. A roll that is corrected" in referee.get("/case/3").text


def test_the_match_moves_on_only_from_what_the_referee_saw(played: Table, referee: Visitor) -> None:
    taken_up(played, referee)
    old = referee.hidden("/case/4")
    assert referee.post("/rule", **old, action="warn", player="Ben", reason="First.").told["taken"]
    late = referee.post("/rule", **old, action="warn", player="Ben", reason="Pressed twice.")
    assert late.status == 409 and "moved on" in late.told["text"]
    assert len(ruled(played)) == 1


def test_evidence_is_shown_by_its_number_and_is_gone_where_it_was_altered(played: Table, referee: Visitor) -> None:
    roll = taken_up(played, referee)
    file = keep(played.ledger, roll)
    until(lambda: "viewer" in referee.get("/case/4").text)
    seq = played.history().pieces[0].seq
    assert referee.get(f"/frame/{seq}/1.jpg").body == b"second"
    for path in (f"/frame/{seq}/2.jpg", f"/frame/{seq - 1}/0.jpg", "/frame/0/0.jpg", "/frame/-1/0.jpg"):
        assert referee.get(path).status in (404, 422)
    for path in ("/frame/../../match.db", "/frame/1/..%2f..%2fmatch.db", "/static/../live.py", "/static/%2e%2e/pin.py"):
        came = referee.get(path)
        assert came.status in (404, 422) and b"SQLite" not in came.body
    (played.match / file).write_bytes(b"another")
    stranger = played.visitor()
    assert "it is not what was kept" in stranger.get(f"/rolls/{roll}").text
    assert stranger.get(f"/frame/{seq}/1.jpg").status == 404

"""The players' pages: what is told and when, who may say what, and that a box is agreed to as it was looked at."""

import json
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.console import live
from firmware.play import umpiring
from scorer.events import BoxEntered, BoxProposed
from scorer.state import Options
from tests.firmware.console.table import Table, Visitor, table, until
from tests.scorer.tray import FIRST, SECOND, die, rest, throw


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path, options=Options(marker=True)) as made:
        yield made


def seated(played: Table, player: str) -> Visitor:
    """Somebody who has taken the seat with the code that the display showed."""
    visitor, before = played.visitor(), len(played.shown)
    assert visitor.post("/seat/code").told["taken"]
    assert visitor.post("/seat/claim", player=player, given=played.code(before)).told["text"] == f"You are {player}."
    return visitor


def board(stream: Iterator[tuple[str, dict[str, object]]], holds: str) -> str:
    """The first board that holds this."""
    return next(str(told["html"]) for name, told in stream if name == "board" and holds in str(told["html"]))


def test_what_is_ruled_is_pushed_to_everybody_with_cards_and_legal_boxes(played: Table) -> None:
    with played.visitor().stream() as one, played.visitor().stream() as other:
        board(one, "Ann is to throw roll 1 of 3")
        played.see(FIRST)
        for stream in (one, other):
            html = board(stream, "Roll 1 counts")
            assert "Where it may go" in html and "Three of a Kind" in html
    match = played.visitor().get("/api/match").told
    assert match["dice"] == [1, 3, 3, 4, 6]
    assert {box["box"]: box["points"] for box in match["legal"]}["C"] == 17
    assert "line 33" in played.visitor().get("/api/rolls").told[0]["rule"]
    assert "Ruling 3" in played.visitor().get("/rolls/3").text


def test_a_box_is_chosen_on_one_phone_and_agreed_to_on_the_other(played: Table) -> None:
    ann, ben, zoe = seated(played, "Ann"), seated(played, "Ben"), played.visitor()
    played.see(FIRST)
    until(lambda: 'value="C"' in ann.get("/seat").text)
    assert 'value="C"' not in ben.get("/seat").text
    assert zoe.say("/say/box", box="C", form="x", seen=3).status == 403
    assert ben.say("/say/box", box="\x1b[2J").told["text"] == "There is no such box."
    assert ben.say("/say/box", box="C").told["text"] == "Not in C: not your turn"
    seen = ann.hidden()
    assert ann.say("/say/box", box="C").told["taken"]
    assert ann.say("/say/marker", agrees="yes").status == 409
    waiting = until(lambda: "Agreed" in ben.get("/seat").text and ben.hidden())
    assert ann.post("/say/box", box="6s", **seen).told["text"].startswith("The match has moved on")
    assert ann.say("/say/box", box="6s").told["taken"]
    moved = ben.post("/say/marker", agrees="yes", **waiting)
    assert moved.status == 409 and moved.told["text"].startswith("The match has moved on")
    assert not any(isinstance(ruled.ruling, BoxEntered) for ruled in played.history().rulings)
    until(lambda: "6s" in ben.get("/seat").text)
    assert ben.say("/say/marker", agrees="yes").told["taken"]
    rulings = [ruled.ruling for ruled in played.history().rulings]
    assert [ruling.box for ruling in rulings if isinstance(ruling, BoxProposed)] == ["C", "6s"]
    assert [ruling.box for ruling in rulings if isinstance(ruling, BoxEntered)] == ["6s"]
    assert zoe.get("/api/match").told["player"] == "Ben"


def test_the_marker_alone_answers_what_is_asked(played: Table) -> None:
    ann, ben = seated(played, "Ann"), seated(played, "Ben")
    unsure = [die(1, 2), die(2, 2), die(3, 5), die(4, 5), die(5, None, likely=6)]
    played.see(throw(3.0, unsure))
    until(lambda: "Which value" in ben.get("/seat").text)
    assert "It leans" in ben.get("/seat").text
    assert "Which value" not in ann.get("/seat").text.partition("/say/call")[0]
    assert ann.say("/say/answer", value=6).status == 403
    assert ben.say("/say/answer", yes="yes").told["text"] == "That is not what is asked now."
    assert ben.say("/say/answer", value=6).told["taken"]
    assert ann.get("/api/match").told["dice"] == [2, 2, 5, 5, 6]


def test_an_answer_about_one_die_is_none_about_the_next(played: Table) -> None:
    ben = seated(played, "Ben")
    played.see(throw(3.0, [die(1, 2), die(2, 2), die(3, 5), die(4, None, likely=3), die(5, None, likely=6)]))
    until(lambda: "2 dice are asked about" in ben.get("/seat").text)
    first = ben.hidden()
    assert ben.post("/say/answer", value=3, **first).told["taken"]
    again = ben.post("/say/answer", value=3, **first)
    assert again.status == 409 and again.told["text"] == "Another die is asked about now: look again."
    assert ben.post("/say/answer", value=3, form=first["form"], seen=first["seen"]).status == 409
    assert ben.get("/api/match").told["dice"] == [2, 2, 3, 5, None]
    assert ben.say("/say/answer", value=6).told["taken"]
    assert ben.get("/api/match").told["dice"] == [2, 2, 3, 5, 6]


def test_anybody_seated_calls_the_referee_and_play_waits(played: Table) -> None:
    ann = seated(played, "Ann")
    played.see(FIRST)
    until(lambda: ann.get("/api/match").told["roll"] == 1)
    assert ann.say("/say/call", call="referee").told["taken"]
    assert ann.get("/api/match").told["waiting_for"] == "dispute"
    assert ann.say("/say/box", box="C").told["text"] == "Not in C: dispute"


def test_a_seat_needs_the_code_and_belongs_to_whoever_claimed_it_last(played: Table) -> None:
    ann = seated(played, "Ann")
    other = played.visitor()
    assert other.post("/seat/claim", player="Ann", given="000000").status == 403
    assert other.post("/seat/claim", player="Zoe", given="000000").status == 404
    assert other.post("/seat/code").told["taken"]
    for _ in range(3):
        assert other.post("/seat/claim", player="Ann", given="12345x").status == 403
    assert other.post("/seat/code").status == 429
    assert ann.hidden()["form"]
    assert ann.say("/seat/leave").told["taken"]
    assert "form" not in ann.hidden()


def test_without_a_script_forms_lead_on_and_say_why_not(played: Table) -> None:
    ann = seated(played, "Ann")
    told = {**ann.hidden(), "box": "C"}
    refused = ann.post("/say/box", {"accept": "text/html"}, **told)
    assert refused.status == 409 and "Not in C: no roll" in refused.text and "Back" in refused.text
    assert ann.post("/say/call", {"accept": "text/html"}, **ann.hidden(), call="pause").status == 303


def test_a_console_that_is_killed_is_started_again_and_knows_the_match(tmp_path: Path) -> None:
    with table(tmp_path, own_process=True) as played:
        played.see(FIRST)
        played.until(lambda history: len(history.rolls) == 1)
        played.kill_console()
        until(lambda: played.console.restarts == 1 and played.visitor().get("/api/match").told["roll"] == 1)


def test_a_second_look_at_the_dice_is_no_second_roll_on_the_pages(played: Table) -> None:
    played.see(FIRST)
    played.see(SECOND)
    played.see(rest(8.0, kept=[die(2, 3), die(3, 3), die(11, 3), die(12, 3), die(13, 5)]))
    until(lambda: played.visitor().get("/api/match").told["roll"] == 2)
    assert json.loads(played.visitor().get("/api/rolls").body)[-1]["values"] == [3, 3, 3, 3, 5]


def test_what_a_full_disk_cannot_take_is_told_and_written_once_there_is_room(
    played: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(umpiring, "AGAIN_S", 0.05)
    monkeypatch.setattr(live, "ANSWER_S", 0.5)
    ann = seated(played, "Ann")
    played.see(FIRST)
    until(lambda: ann.get("/api/match").told["roll"] == 1)
    hidden, before = ann.hidden(), resource.getrlimit(resource.RLIMIT_FSIZE)
    played.ledger.patient = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        refused = ann.post("/say/box", **hidden, box="C")
        assert refused.status == 409 and "look again" in refused.told["text"]
        until(lambda: "is the disk full or gone" in ann.get("/").text)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    played.until(lambda history: any(isinstance(ruled.ruling, BoxProposed) for ruled in history.rulings))
    assert ann.post("/say/box", **hidden, box="C").told["text"].startswith("The match has moved on")
    assert sum(isinstance(ruled.ruling, BoxProposed) for ruled in played.history().rulings) == 1


def test_a_name_is_never_taken_for_markup(tmp_path: Path) -> None:
    with table(tmp_path, ('<img src=x onerror="x">', "Ben</script>")) as played:
        until(lambda: played.visitor().get("/api/match").status == 200)
        html = played.visitor().get("/").text
        assert "&lt;img src=x onerror=&#34;x&#34;&gt;" in html and "<img src=x" not in html
        assert html.count("</script>") == 1

"""The annotated video shows what the watcher believes: on the sample, and on a view that was lost."""

from dataclasses import replace
from itertools import takewhile
from typing import Any

import numpy as np
import pytest

from calibration.file import load
from firmware.drawn.canvas import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    YELLOW,
    Colour,
    Image,
    fitted,
    width_of,
    wrapped,
)
from firmware.drawn.commentary import PHASES, SIDE, Commentary, entries, headline
from firmware.drawn.overlay import Overlay
from firmware.drawn.timeline import FOOT, Timeline
from firmware.match import Moment, play
from firmware.sample import SAMPLE
from scorer.events import (
    BoxEntered,
    BoxProposed,
    DiceAtRest,
    HandEntered,
    ReadingAsked,
    RerollOrdered,
    RollRefused,
    Ruling,
    TurnEnded,
    TurnStarted,
)
from scorer.presets import BHO
from scorer.state import Options, State, new_match
from vision.network import load_networks
from vision.source import open_source
from vision.view import SeenDie
from vision.watcher import Watcher

UNTIL_S = 3.4
"""The first roll of the sample has been counted."""


@pytest.fixture(scope="module")
def drawn() -> dict[str, tuple[Moment, Image]]:
    """The first moment of each phase and the last one, each with its picture."""
    pictures: dict[str, tuple[Moment, Image]] = {}
    with open_source(str(SAMPLE / "video.mp4")) as source:
        watcher = Watcher(load_networks(), load(SAMPLE / "calibration.toml").geometry)
        overlay = Overlay(watcher)
        for moment in play(takewhile(lambda frame: frame.t < UNTIL_S, source), watcher, None, ()):
            picture = overlay.draw(moment)
            pictures.setdefault(moment.view.phase, (moment, picture))
            if any(die.reading for die in moment.view.dice):
                pictures.setdefault("settled since", (moment, picture))
            pictures["end"] = moment, picture
        frame = replace(moment.frame, image=np.zeros((100, 100, 3), np.uint8))
        lost = replace(moment, frame=frame, view=replace(moment.view, dice=(), trusted=False, fault="frames_bad"))
        pictures["lost"] = lost, overlay.draw(lost)
    return pictures


def shows(picture: Image, colour: Colour) -> int:
    return int((picture == np.array(colour, np.uint8)).all(axis=2).sum())


def test_every_frame_has_one_size_whatever_is_seen(drawn: dict[str, tuple[Moment, Image]]) -> None:
    assert {"waiting", "hand", "settled", "lost"} <= drawn.keys()
    assert {picture.shape for _, picture in drawn.values()} == {(480 + FOOT, 640 + SIDE, 3)}


def test_the_side_is_headed_by_the_colour_of_what_goes_on(drawn: dict[str, tuple[Moment, Image]]) -> None:
    for phase in ("waiting", "hand", "settled", "lost"):
        moment, picture = drawn[phase]
        assert tuple(picture[2, 645]) == PHASES[moment.view.phase][1]


def test_a_hand_is_tinted_and_read_dice_are_framed(drawn: dict[str, tuple[Moment, Image]]) -> None:
    moment, picture = drawn["hand"]
    assert shows(picture[:480, :640], BLUE) > 50
    moment, picture = drawn["end"]
    assert len([die for die in moment.view.dice if die.reading]) == 5
    for die in moment.view.dice:
        x, y, reach = round(die.x), round(die.y), round(die.size)
        assert shows(picture[y - reach : y + reach, x - reach : x + reach], GREEN) > 50
    assert shows(picture[:480, :640], BLUE) == shows(picture[:480, :640], ORANGE) == 0


def test_pips_stay_in_view_where_a_die_came_to_rest_just_now(drawn: dict[str, tuple[Moment, Image]]) -> None:
    moment, picture = drawn["settled since"]
    assert len([die for die in moment.view.dice if die.reading]) == 5
    for die in moment.view.dice:
        x, y, reach = round(die.x), round(die.y), round(0.2 * die.size)
        inside = slice(y - reach, y + reach), slice(x - reach, x + reach)
        assert (picture[inside] == moment.frame.image[inside]).all()


def test_what_goes_on_leaves_room_for_the_number_of_the_frame(drawn: dict[str, tuple[Moment, Image]]) -> None:
    moment, _ = drawn["hand"]
    crowded = replace(moment.view, dice=moment.view.dice[:1] * 25, hand=True)
    heads = []
    for view in (crowded, replace(crowded, dice=())):
        side = np.zeros((480, SIDE, 3), np.uint8)
        frame = replace(moment.frame, index=123456)
        Commentary().draw(side, replace(moment, view=view, frame=frame), (), 1.0)
        heads.append(side[32:56, SIDE - 105 :])
    assert (heads[0] == heads[1]).all()


def test_a_long_name_leaves_room_for_the_number_of_the_roll(drawn: dict[str, tuple[Moment, Image]]) -> None:
    moment, _ = drawn["end"]
    heads = []
    for name in ("Maximiliane-Theodora von Hohenstein", "Ann"):
        side = np.zeros((480, SIDE, 3), np.uint8)
        Commentary().draw(side, replace(moment, state=new_match(BHO, (name,), Options())), (), 1.0)
        heads.append(side[60:90, SIDE - 90 :])
    assert (heads[0] == heads[1]).all()


def test_a_lost_view_has_a_red_frame(drawn: dict[str, tuple[Moment, Image]]) -> None:
    edges = {name: drawn[name][1][:3, :600] for name in ("lost", "end")}
    assert (edges["lost"] == RED).all()
    assert not (edges["end"] == RED).all()


WHEN: dict[str, Any] = {"t": 3.0, "frame": 90, "t_said": 3.1}


def ruled(*rulings: Ruling) -> State:
    return replace(new_match(BHO, ("Ann", "Ben"), Options()), last=rulings)


def asked(number: int, player: str = "Ann") -> ReadingAsked:
    return ReadingAsked(id=number, likely=3, player=player, rule="a rule", **WHEN)


@pytest.fixture
def overlay() -> Overlay:
    return Overlay(Watcher(load_networks(), load(SAMPLE / "calibration.toml").geometry))


def test_a_die_that_is_asked_about_is_pointed_at(drawn: dict[str, tuple[Moment, Image]], overlay: Overlay) -> None:
    moment, _ = drawn["end"]
    meant, *others = moment.view.dice
    assert meant.id is not None
    picture = overlay.picture(replace(moment, state=ruled(asked(meant.id))))
    assert shows(around(picture, meant), YELLOW) > 30
    assert not any(shows(around(picture, die, 0.6), YELLOW) for die in others)
    assert shows(overlay.picture(replace(moment, state=ruled())), YELLOW) == 0


def around(picture: Image, die: SeenDie, faces: float = 1.2) -> Image:
    x, y, reach = round(die.x), round(die.y), round(faces * die.size)
    return picture[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]


def test_a_die_that_is_asked_about_and_gone_has_a_grey_frame_where_it_lay(
    drawn: dict[str, tuple[Moment, Image]], overlay: Overlay
) -> None:
    moment, _ = drawn["end"]
    lost, *others = moment.view.dice
    assert lost.id is not None
    view = replace(moment.view, dice=tuple(others))
    rest = DiceAtRest(dice=(), thrown=(), kept=(), **WHEN)
    overlay.picture(replace(moment, facts=()))
    state = ruled(asked(lost.id))
    picture = overlay.picture(replace(moment, view=view, facts=(rest,), state=state))
    assert shows(around(picture, lost), GREY) > 30
    assert shows(around(picture, lost), YELLOW) > 30
    answered = overlay.picture(replace(moment, view=view, facts=(), state=ruled()))
    assert shows(answered, YELLOW) == 0
    assert shows(around(answered, lost), GREY) == 0
    back = overlay.picture(replace(moment, facts=(), state=state))
    assert shows(around(back, lost), GREY) == 0
    assert shows(around(back, lost), YELLOW) > 30


def test_a_question_comes_with_its_rule_and_says_which_die() -> None:
    order = RerollOrdered(reason="cocked", ids=(4, 2), count=2, roll=1, player="Ann", rule="a rule", **WHEN)
    assert [entry.text for entry in entries([order])] == ["#2 #4: Roll 2 dice again: cocked"]
    assert headline(ruled(order)) == "#2 #4: Roll 2 dice again: cocked"


def test_what_is_said_of_the_other_player_names_them() -> None:
    box = BoxEntered(box="C", points=9, yahtzee_bonus=0, upper_bonus=0, automatic=True, player="Ben", rule="", **WHEN)
    turn = TurnStarted(player="Ann", rule="", **WHEN)
    assert headline(ruled(box, turn)) == "Ben: C: 9"
    assert headline(ruled(replace(box, player="Ann"))) == "C: 9"
    assert headline(ruled()) == ""


def test_the_rule_of_a_question_stands_above_the_list(drawn: dict[str, tuple[Moment, Image]]) -> None:
    moment, _ = drawn["end"]
    line = []
    for rule in ("", "a rule that takes some room: " + 10 * "word "):
        side = np.zeros((480, SIDE, 3), np.uint8)
        state = ruled(replace(asked(1), rule=rule))
        Commentary().draw(side, replace(moment, state=state), entries([asked(1)]), 1.0)
        line.append(int(np.argmax((side[:, 1] == ORANGE).all(axis=1))))
    assert line[1] - line[0] in (17, 34, 51)


def test_the_list_holds_what_has_words_newest_first(drawn: dict[str, tuple[Moment, Image]]) -> None:
    head = {**WHEN, "player": "Ann", "rule": "a rule"}
    facts = (
        HandEntered(t=3.0, frame=90, t_said=3.1),
        RollRefused(reason="three_rolls", **head),
        BoxProposed(box="C", points=9, **head),
        BoxEntered(box="C", points=9, yahtzee_bonus=0, upper_bonus=0, automatic=True, **head),
        TurnEnded(**head),
    )
    told = entries(facts)
    assert [(entry.text, entry.ruled) for entry in told] == [
        ("hand in", False),
        ("No roll: three rolls", True),
        ("C: 9", True),
    ]
    side = np.zeros((480, SIDE, 3), np.uint8)
    Commentary().draw(side, drawn["end"][0], told, 1.0)
    rows = [int(np.argmax((side[60:, 1] == np.array(colour)).all(axis=1))) for colour in (GREEN, RED)]
    assert 0 < rows[0] < rows[1]


def test_the_timeline_ends_now_and_keeps_what_was(drawn: dict[str, tuple[Moment, Image]]) -> None:
    timeline = Timeline()
    foot = np.zeros((FOOT, 600, 3), np.uint8)
    timeline.draw(foot, 0.0, "hand", (), 1.0)
    timeline.draw(foot, 6.0, "settled", (), 1.0)
    band = foot[23]
    assert not band[:295, 0].astype(int).std() > 1
    assert tuple(band[450]) != tuple(band[100])


def test_lines_are_broken_or_shortened_to_their_room() -> None:
    text = "Does roll 2 count? the dice came one after another"
    assert all(width_of(line, 16) <= 150 for line in wrapped(text, 150, 16))
    assert " ".join(wrapped(text, 150, 16)) == text
    assert width_of(fitted(text, 150, 16), 16) <= 150
    assert fitted("short", 150, 16) == "short"

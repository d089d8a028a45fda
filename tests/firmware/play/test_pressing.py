"""What the buttons mean, from the pins to what is entered on the card."""

import math
import time
from pathlib import Path
from queue import SimpleQueue
from threading import Event

from gpiozero.pins.mock import MockFactory

from firmware.entries import read
from firmware.play.parts import Mailbox, Part
from firmware.play.pressing import SEEN_S, SETTLED, Pressing, Shown
from firmware.play.seeing import Seen
from firmware.play.umpiring import PatientLedger, Ruled, Umpiring
from firmware.play.vitals import Vitals
from firmware.record import gone_on
from firmware.show import screen_of
from hardware.panel import DEFAULT_PINS, PanelPress, PressKind, open_panel
from hardware.screens import Address, Choosing, Notice, Screen, Sheet
from scorer.events import (
    BoxAgreed,
    BoxChosen,
    BoxDisputed,
    DiceAtRest,
    DiceThrown,
    DieFact,
    HoldAnswered,
    KeptDieChanged,
    PauseCalled,
    PlayerInput,
    ReadingAnswered,
    RecordingEnded,
    RefereeCalled,
    RefereeDecided,
    ResumeCalled,
)
from scorer.presets import BHO
from scorer.said import LEANS
from scorer.state import Options
from scorer.umpire import Umpire

PINS = {"previous": 5, "next": 6, "choose": 13, "confirm": 19, "referee": 26}


def thrown(t: float, *values: int | None) -> DiceAtRest:
    dice = tuple(DieFact(i, v, 0.99, "flat", (30.0 * i, 0.0), True, likely=3) for i, v in enumerate(values, 1))
    return DiceAtRest(t=t, frame=0, t_said=t, dice=dice, thrown=tuple(die.id for die in dice), kept=())


HELD = DiceThrown(t=1.9, frame=0, t_said=1.9, count=5, t_first=0.5, t_last=1.9, tumble=(0.5,) * 5)
"""Dice that are thrown so far apart that people are asked whether they count."""


def told(screen: Screen | None) -> tuple[str, str] | None:
    """The title of a screen, and what is turned to."""
    match screen:
        case Choosing(announced=None):
            name, points, _ = screen.boxes[screen.place]
            return screen.title, f"{name} {points}"
        case Choosing():
            return screen.title, str(screen.announced)
        case Notice():
            return screen.title, screen.text
        case Sheet():
            return screen.player, str(screen.total)
        case Address():
            return screen.title, screen.url
    return None


class Table:
    """An umpire, the buttons, and a display that shows at once how the match stands."""

    def __init__(self, options: Options | None = None) -> None:
        self.umpire = Umpire(BHO, ("Ann", "Ben"), options)
        self.seen = Shown()
        self.pressing = Pressing(self.seen, lambda: Address("Phones here", "http://10.0.0.1:8080"))
        self.umpire.start()
        self.now = 0.0

    def press(self, *kinds: PressKind) -> list[PlayerInput]:
        """What these presses say; the umpire hears it."""
        told = []
        for kind in kinds:
            self.show()
            said = self.pressing.press(PanelPress(kind, self.now + SEEN_S), self.umpire.state, 9.0)
            if said is not None:
                told.append(said)
                self.umpire.on(said)
        return told

    def show(self) -> None:
        """People see how the match stands."""
        self.now += 1.0
        self.seen.note(self.umpire.state, self.now)

    def press_at(self, kind: PressKind, after_s: float, t: float = 9.0) -> PlayerInput | None:
        """What a press says so long after it was shown last how the match stood; nobody hears it."""
        return self.pressing.press(PanelPress(kind, self.now + after_s), self.umpire.state, t)

    @property
    def shown(self) -> tuple[str, str] | None:
        return told(self.pressing.screen(self.umpire.state))


def test_the_roller_turns_to_a_box_and_the_marker_agrees() -> None:
    table = Table(Options(marker=True))
    assert table.press("choose", "next") == [] and table.shown is None
    table.umpire.on(thrown(2.0, 3, 3, 3, 5, 5))
    assert table.press("next", "next", "previous") == []
    assert table.shown == ("Full House", "FH 25")
    assert table.press("choose") == [BoxChosen(t=9.0, player="Ann", box="FH")]
    assert table.shown is None
    assert table.press("choose", "next", "confirm") == [BoxAgreed(t=9.0, player="Ben")]
    assert table.umpire.state.player == "Ben"
    assert table.umpire.state.totals["Ann"].total == 25


def test_what_was_turned_to_is_forgotten_with_the_next_roll() -> None:
    table = Table()
    table.umpire.on(thrown(2.0, 3, 3, 3, 5, 5))
    table.press("next")
    table.umpire.on(thrown(12.0, 1, 2, 3, 4, 5))
    assert table.shown is None
    table.press("previous")
    assert table.shown is not None and table.shown[1] == f"{table.umpire.state.legal[-1].box} 0"


def test_points_that_are_announced_are_turned_to_after_the_box() -> None:
    table = Table(Options(marker=True, announce=True))
    table.umpire.on(thrown(2.0, 3, 3, 3, 5, 5))
    points: list[PressKind] = ["next"] * 14
    assert table.press("next", "next", "next", "choose", *points, "previous") == []
    assert table.shown == ("Chance", "17")  # no chance is of less than 5 or more than 30 points
    assert table.press("choose") == [BoxChosen(t=9.0, player="Ann", box="C", announced=17)]
    assert "ScoreCorrected" in [type(ruling).__name__ for ruling in table.umpire.state.last]


def test_a_box_is_disputed_and_settled_at_the_table() -> None:
    table = Table(Options(marker=True))
    table.umpire.on(thrown(2.0, 3, 3, 3, 5, 5))
    assert table.press("next", "choose", "referee") == [
        BoxChosen(t=9.0, player="Ann", box="FH"),
        BoxDisputed(t=9.0, player="Ben"),
    ]
    assert table.umpire.state.waiting_for == "dispute"
    assert table.press("confirm", "referee") == [] and table.shown is None
    assert table.press("next") == [] and table.shown == ("REFEREE", "FH 25 stands?")
    assert table.press("next") == [] and table.shown == ("REFEREE", "throw again?")
    assert table.press("next") == [] and table.shown == ("REFEREE", "call withdrawn?")
    assert table.press("next", "confirm") == [RefereeDecided(t=9.0, action="confirm", reason=SETTLED)]
    assert table.umpire.state.totals["Ann"].total == 25


def test_a_call_over_an_open_question_can_be_withdrawn() -> None:
    """Nothing was ruled yet that could stand, and no other button ends a dispute."""
    table = Table()
    table.umpire.on(thrown(2.0, 3, 3, 3, 5, None))
    question = table.umpire.state.turn.question
    assert question is not None and table.press("referee") == [RefereeCalled(t=9.0)]
    assert table.press("next") == [] and table.shown == ("REFEREE", "throw again?")
    assert table.press("next", "confirm") == [RefereeDecided(t=9.0, action="withdraw", reason=SETTLED)]
    assert table.umpire.state.waiting_for == "reading" and table.umpire.state.turn.question == question


def test_a_value_that_is_asked_for_is_turned_to_and_confirmed() -> None:
    table = Table()
    table.umpire.on(thrown(2.0, 3, 3, 3, 5, None))
    assert table.umpire.state.waiting_for == "reading"
    assert table.press("confirm", "previous") == []
    assert table.shown == ("WHICH VALUE?", "it leans?")
    assert table.press("previous", "previous") == []
    assert table.shown == ("WHICH VALUE?", "5?")
    assert table.press("confirm") == [ReadingAnswered(t=9.0, id=5, value=5)]
    assert table.umpire.state.turn.values == (3, 3, 3, 5, 5)


def test_a_die_that_leans_has_no_value() -> None:
    table = Table()
    table.umpire.on(thrown(2.0, 3, 3, 3, 5, None))
    assert table.press("previous", "confirm") == [ReadingAnswered(t=9.0, id=5, value=LEANS)]
    assert table.umpire.state.waiting_for == "reroll"


def test_the_referee_is_called_and_a_pause_is_ended() -> None:
    table = Table()
    assert table.press("referee", "referee", "previous", "confirm") == [
        RefereeCalled(t=9.0),
        RefereeDecided(t=9.0, action="withdraw", reason=SETTLED),
    ]
    table.umpire.on(PauseCalled(t=9.0))
    assert table.press("next", "confirm") == [ResumeCalled(t=9.0)]


def test_score_cards_and_the_address_are_looked_at_and_put_away() -> None:
    table = Table()
    table.umpire.on(thrown(2.0, 3, 3, 3, 5, 5))
    table.press("next", "choose")
    assert table.press("cards") == [] and table.shown == ("Ben", "0")
    assert table.press("next") == [] and table.shown == ("Ann", "25")
    assert table.press("address") == [] and table.shown == ("Phones here", "http://10.0.0.1:8080")
    assert table.press("choose") == [] and table.shown is None
    assert table.press("cards", "cards") == [] and table.shown is None


def test_play_is_stopped_for_a_while() -> None:
    table = Table()
    assert table.press("pause", "pause") == [PauseCalled(t=9.0)]
    assert table.press("confirm") == [ResumeCalled(t=9.0)]


def test_a_press_answers_no_question_that_was_not_shown_yet() -> None:
    table = Table()
    table.umpire.on(HELD)
    table.umpire.on(thrown(2.0, 1, 1, 2, 3, 5))
    table.show()
    table.umpire.on(thrown(7.0, 6, 6, 6, 6, 6))
    assert table.umpire.state.waiting_for == "hold"
    assert table.press_at("confirm", 60.0) is None
    table.show()
    assert table.press_at("confirm", -0.1) is None  # before it was shown
    assert table.press_at("confirm", SEEN_S / 2) is None  # nobody is so quick
    assert table.press_at("confirm", SEEN_S) == HoldAnswered(t=9.0, counts=True)


def test_a_second_press_is_no_answer_to_the_question_after_the_first() -> None:
    table = Table()
    table.umpire.on(HELD)
    table.umpire.on(thrown(2.0, 1, 1, 2, 3, None))
    assert table.press("confirm") == [HoldAnswered(t=9.0, counts=True)]
    assert table.umpire.state.waiting_for == "reading"
    for kind in ("previous", "confirm"):
        assert table.press_at(kind, SEEN_S) is None
    assert table.shown is None


def test_a_box_is_agreed_to_as_it_was_shown() -> None:
    table = Table(Options(marker=True))
    table.umpire.on(thrown(2.0, 3, 3, 3, 5, 5))
    table.umpire.on(BoxChosen(t=3.0, player="Ann", box="FH"))
    table.show()
    table.umpire.on(BoxChosen(t=4.0, player="Ann", box="C"))
    assert table.press_at("confirm", 1.0) is None
    assert table.press_at("referee", 1.0) == RefereeCalled(t=9.0)
    table.show()
    assert table.press_at("confirm", 1.0) == BoxAgreed(t=9.0, player="Ben")


def test_what_is_shown_in_between_does_not_take_a_question_back() -> None:
    table = Table()
    table.umpire.on(HELD)
    table.umpire.on(thrown(2.0, 1, 1, 2, 3, 5))
    table.show()
    table.umpire.on(KeptDieChanged(t=4.0, frame=0, t_said=4.0, id=1, before=1, after=6, cause="hand"))
    assert table.press_at("confirm", 1.0) == HoldAnswered(t=9.0, counts=True)


def test_a_press_puts_away_what_was_said_over_a_question_that_was_not_shown_yet() -> None:
    table = Table()
    table.umpire.on(HELD)
    table.umpire.on(thrown(2.0, 1, 1, 2, 3, 5))
    table.umpire.on(KeptDieChanged(t=8.9, frame=0, t_said=8.9, id=1, before=1, after=6, cause="hand"))
    assert told(screen_of(table.umpire.state, 9.0)) == ("TURN BACK", "Set die back to 1: turned by hand")
    assert table.press_at("confirm", 1.0) is None and table.shown is None  # nobody has read that by now
    assert table.press_at("confirm", 1.0, t=9.2) is None
    asked = table.pressing.screen(table.umpire.state)
    assert isinstance(asked, Notice) and asked.title == "DOES IT COUNT?"
    assert asked.keys == (("confirm", "yes"), ("previous", "no"))
    table.show()
    assert table.press_at("confirm", SEEN_S) == HoldAnswered(t=9.0, counts=True)
    table.umpire.on(KeptDieChanged(t=9.4, frame=0, t_said=9.4, id=3, before=2, after=6, cause="hand"))
    assert table.shown is None  # the next one is to be seen too


def test_a_press_puts_away_a_wrong_sum_that_was_corrected() -> None:
    table = Table(Options(marker=True))
    table.umpire.on(thrown(2.0, 3, 3, 3, 5, 5))
    table.umpire.on(BoxChosen(t=8.0, player="Ann", box="FH", announced=24))
    assert told(screen_of(table.umpire.state, 9.0)) == ("CORRECTED", "FH is 25, not 24")
    assert table.press_at("confirm", 1.0) is None and table.shown == ("AGREED?", "FH 25: Ben?")
    table.umpire.on(BoxChosen(t=8.0, player="Ann", box="C", announced=24))
    assert table.shown is None  # what is agreed to now is another box
    assert table.press_at("confirm", 2.0) is None and table.shown == ("AGREED?", "C 19: Ben?")
    table.show()
    assert table.press_at("confirm", SEEN_S) == BoxAgreed(t=9.0, player="Ben")


def test_the_play_is_stopped_whatever_is_shown() -> None:
    table = Table()
    table.umpire.on(HELD)
    table.umpire.on(thrown(2.0, 1, 1, 2, 3, 5))
    assert table.press_at("pause", 0.0) == PauseCalled(t=9.0)
    assert table.press_at("referee", 0.0) == RefereeCalled(t=9.0)


def test_from_the_pins_to_the_ledger(pins: MockFactory, tmp_path: Path) -> None:
    stop, vitals, latest, every = Event(), Vitals(), Mailbox[Ruled](1), Mailbox[Ruled](100)
    people = Shown()
    seen: SimpleQueue[Seen] = SimpleQueue()
    ticks = iter(range(1000))
    with PatientLedger(tmp_path, stop, vitals) as ledger, open_panel(lambda: float(next(ticks))) as panel:
        umpire = gone_on(Umpire(BHO, ("Ann", "Ben"), Options(marker=True)), ledger, "camera")
        ruling = Umpiring(umpire, (), seen, vitals, stop, latest, every, panel.presses, shown=people)
        rule = Part("rule", ruling, stop)
        rule.start()
        every.take(60)
        seen.put(Seen(2.0, 60, 0.0, (thrown(2.0, 3, 3, 3, 5, 5),), "settled"))
        every.take(60)
        for kind, shown in (("next", ("Full House", "FH 25")), ("choose", None), ("confirm", None)):
            people.note(umpire.state, -math.inf)
            pin = pins.pin(PINS[kind])
            pin.drive_low()
            pin.drive_high()
            ruled = every.take(60)
            assert ruled is not None
            assert told(ruled.turned) == shown
        umpire.on(RecordingEnded(t=9.0))
        seen.put(Seen(9.0, 270, 0.0, (), "waiting"))
        while not vitals.state or not vitals.state.over:
            time.sleep(0.01)
        pins.pin(PINS["choose"]).drive_low()
        pins.pin(PINS["choose"]).drive_high()
        assert rule.join(60)  # the final card was put away
    named = [body["name"] for body in read(tmp_path)]
    assert [name for name in named if name in ("BoxChosen", "BoxProposed", "BoxAgreed", "BoxEntered")] == [
        "BoxChosen",
        "BoxProposed",
        "BoxAgreed",
        "BoxEntered",
    ]
    assert DEFAULT_PINS.choose == PINS["choose"]

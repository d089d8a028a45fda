"""What the lamp and the buzzer tell of a match."""

from itertools import pairwise
from threading import Event

from gpiozero.pins.mock import MockFactory

from firmware.play.signalling import OnSignals, beeps, meaning
from firmware.play.vitals import Vitals
from hardware.signals import SignalPins, open_signals
from scorer.events import BoxChosen, DiceAtRest, DiceThrown, DieFact, PauseCalled, RecordingEnded, ResumeCalled
from scorer.presets import BHO
from scorer.state import Options
from scorer.umpire import Umpire


def thrown(t: float, *values: int | None) -> DiceAtRest:
    dice = tuple(DieFact(i, v, 0.99, "flat", (30.0 * i, 0.0), True, likely=3) for i, v in enumerate(values, 1))
    return DiceAtRest(t=t, frame=0, t_said=t, dice=dice, thrown=tuple(die.id for die in dice), kept=())


def test_the_lamp_says_what_the_game_waits_for() -> None:
    umpire = Umpire(BHO, ("Ann", "Ben"), Options(marker=True))
    umpire.start()
    assert meaning(umpire.state) == ("green", 0.0)
    umpire.on(DiceThrown(t=1.0, frame=30, t_said=1.0, count=5, t_first=1.0, t_last=1.0))
    assert meaning(umpire.state)[0] == "off"
    assert beeps(umpire.on(thrown(2.0, 3, 3, 3, 5, None))) == 2
    assert meaning(umpire.state) == ("blue", 1.0)
    assert beeps(umpire.on(thrown(12.0, 3, 3, 3, 5, 5))) > 0
    umpire.on(BoxChosen(t=13.0, player="Ann", box="FH"))
    umpire.on(PauseCalled(t=14.0))
    assert meaning(umpire.state) == ("magenta", 0.0)
    umpire.on(ResumeCalled(t=15.0))
    umpire.on(RecordingEnded(t=16.0))
    assert meaning(umpire.state) == ("white", 0.0)


def test_trouble_blinks_red_and_a_counted_roll_sounds_once(pins: MockFactory) -> None:
    vitals, umpire = Vitals(), Umpire(BHO, ("Ann",))
    umpire.start()
    vitals.state = umpire.state
    with open_signals(SignalPins((17, 27, 22), 23)) as signals:
        on = OnSignals(signals, vitals, Event())
        heard = []
        umpire.on(thrown(2.0, 3, 3, 3, 5, 5))
        vitals.state = umpire.state
        for step in range(12):
            on.step(10.0 + 0.05 * step)
            heard.append(bool(pins.pin(23).state))
        assert heard == [False, True, True, *[False] * 9]
        assert [bool(pins.pin(number).state) for number in (17, 27, 22)] == [False, True, False]
        vitals.trouble("view", "no pictures come")
        red = []
        for step in range(20):
            on.step(20.0 + 0.05 * step)
            red.append(bool(pins.pin(17).state))
        assert 8 <= red.count(True) <= 12 and not pins.pin(27).state
        assert sum(a != b for a, b in pairwise(red)) in (7, 8)

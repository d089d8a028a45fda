"""What the display shows at each point of a match."""

from firmware.show import NOTICE_SECONDS, screen_of
from hardware.screens import Card, Counted, Notice, Waiting
from scorer.events import BoxChosen, DiceAtRest, DieFact, RecordingEnded
from scorer.presets import BHO
from scorer.state import Options
from scorer.umpire import Umpire


def umpire() -> Umpire:
    match = Umpire(BHO, ("Ann", "Ben"), Options())
    match.start()
    return match


def thrown(t: float, values: tuple[int | None, ...]) -> DiceAtRest:
    dice = tuple(DieFact(i, v, 0.99, "flat", (30.0 * i, 0.0), True, likely=3) for i, v in enumerate(values, 1))
    return DiceAtRest(t=t, frame=0, t_said=t, dice=dice, thrown=tuple(die.id for die in dice), kept=())


def test_the_player_who_throws_is_shown_first() -> None:
    assert screen_of(umpire().state, 0.0) == Waiting("Ann", 1, 3)


def test_a_counted_roll_shows_every_legal_box_the_best_first() -> None:
    match = umpire()
    match.on(thrown(2.0, (3, 3, 3, 5, 5)))
    screen = screen_of(match.state, 2.0)
    assert isinstance(screen, Counted)
    assert (screen.player, screen.roll, screen.rolls, screen.dice) == ("Ann", 1, 3, (3, 3, 3, 5, 5))
    assert screen.boxes[0] == ("FH", 25, 0)
    assert len(screen.boxes) == 13


def test_a_refusal_gives_way_to_the_scores_that_still_stand() -> None:
    match = umpire()
    for t in (2.0, 12.0, 22.0, 32.0):
        match.on(thrown(t, (3, 3, 3, 5, 5)))
    refused = screen_of(match.state, 32.0)
    assert isinstance(refused, Notice)
    assert (refused.title, refused.text) == ("REFUSED", "No roll: three rolls")
    assert isinstance(screen_of(match.state, 32.0 + NOTICE_SECONDS), Counted)


def test_a_question_stays_until_it_is_answered() -> None:
    match = umpire()
    match.on(thrown(2.0, (3, 3, 3, 5, None)))
    for t in (2.0, 60.0):
        screen = screen_of(match.state, t)
        assert isinstance(screen, Notice)
        assert (screen.title, screen.text, screen.dice) == ("WHICH VALUE?", "Is it a 3?", (3, 3, 3, 5, None))


def test_the_next_player_follows_a_choice_and_the_totals_the_end() -> None:
    match = umpire()
    match.on(thrown(2.0, (3, 3, 3, 5, 5)))
    match.on(BoxChosen(t=4.0, player="Ann", box="FH"))
    assert screen_of(match.state, 4.0) == Waiting("Ben", 1, 3)
    match.on(RecordingEnded(t=9.0))
    assert screen_of(match.state, 9.0) == Card((("Ann", 25), ("Ben", 0)))

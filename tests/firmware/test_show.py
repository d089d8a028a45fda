"""What the display shows at each point of a match."""

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.play.pressing import Pressing, Shown
from firmware.show import NOTICE_SECONDS, Showing, screen_of
from hardware.display import draw
from hardware.panel import PanelPress
from hardware.screens import Card, Counted, Notice, Waiting
from scorer.events import (
    BoxAgreed,
    BoxChosen,
    BoxDisputed,
    DiceAtRest,
    DieFact,
    HouseRuleCalled,
    KeptDieChanged,
    PauseCalled,
    RecordingEnded,
    RefereeCalled,
    RefereeDecided,
    ResumeCalled,
)
from scorer.presets import BHO
from scorer.state import Options
from scorer.umpire import Umpire
from tests.scorer.play import play


def umpire(options: Options | None = None) -> Umpire:
    match = Umpire(BHO, ("Ann", "Ben"), options)
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


def notice(match: Umpire, t: float) -> tuple[str, str]:
    """The title and the text that are shown."""
    screen = screen_of(match.state, t)
    assert isinstance(screen, Notice)
    return screen.title, screen.text


def test_the_marker_is_asked_until_the_box_is_agreed() -> None:
    match = umpire(Options(marker=True))
    match.on(thrown(2.0, (3, 3, 3, 5, 5)))
    match.on(BoxChosen(t=4.0, player="Ann", box="FH"))
    assert notice(match, 60.0) == ("AGREED?", "FH 25: Ben?")
    match.on(BoxAgreed(t=61.0, player="Ben"))
    assert screen_of(match.state, 61.0) == Waiting("Ben", 1, 3)


def test_a_dispute_is_shown_until_the_referee_has_decided() -> None:
    match = umpire()
    match.on(thrown(2.0, (3, 3, 3, 5, 5)))
    match.on(RefereeCalled(t=4.0))
    match.on(BoxChosen(t=5.0, player="Ann", box="FH"))
    assert notice(match, 6.0) == ("REFUSED", "Not in FH: dispute")
    assert notice(match, 60.0) == ("REFEREE", "Play waits for the referee")
    match.on(RefereeDecided(t=61.0, action="confirm", reason="all saw it"))
    assert notice(match, 62.0) == ("REFEREE", "It stands: all saw it")
    assert isinstance(screen_of(match.state, 66.0), Counted)


def test_a_pause_is_shown_until_all_are_back() -> None:
    match = umpire()
    match.on(PauseCalled(t=4.0, player="Ben"))
    assert notice(match, 60.0) == ("PAUSED", "Somebody is away")
    match.on(ResumeCalled(t=61.0))
    assert screen_of(match.state, 61.0) == Waiting("Ann", 1, 3)


def test_a_question_comes_back_after_something_else_was_refused() -> None:
    match = umpire()
    match.on(thrown(2.0, (3, 3, 3, 5, None)))
    match.on(HouseRuleCalled(t=5.0, player="Ann", rule="mulligan"))
    assert notice(match, 6.0) == ("NOT NOW", "No mulligan: not declared")
    assert notice(match, 60.0) == ("WHICH VALUE?", "What does it show?")


def test_a_question_comes_back_after_a_die_was_ordered_back() -> None:
    match = umpire()
    match.on(thrown(2.0, (3, 3, 3, 5, None)))
    match.on(KeptDieChanged(t=5.0, frame=150, t_said=5.0, id=1, before=3, after=6, cause="hand"))
    assert notice(match, 6.0)[0] == "TURN BACK"
    assert notice(match, 60.0) == ("WHICH VALUE?", "What does it show?")
    shown = Showing(FLOOR).at(match.state, 60.0, thrown(2.0, (3, 3, 3, 5, None)))
    assert isinstance(shown, Notice) and shown.tray is not None
    assert [die.meant for die in shown.tray.dice] == [False, False, False, False, True]


def test_the_throw_for_the_start_says_what_it_is_for() -> None:
    assert screen_of(umpire(Options(throw_for_start=True)).state, 0.0) == Waiting("Ann", 1, 1, "throw for the start")


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**48))
def test_every_moment_of_any_match_has_a_screen_that_can_be_drawn(seed: int) -> None:
    _, steps = play(seed)
    showing, with_buttons = Showing(), Showing(buttons=True)
    for taken in steps:
        for later in (0.0, 60.0):
            screen = screen_of(taken.after, taken.fact.t + later)
            assert draw(screen).size == (128, 64)
            assert showing.at(taken.after, taken.fact.t + later) == screen
            assert draw(with_buttons.at(taken.after, taken.fact.t + later)).size == (128, 64)


def test_a_disputed_box_is_named() -> None:
    match = umpire(Options(marker=True))
    match.on(thrown(2.0, (3, 3, 3, 5, 5)))
    match.on(BoxChosen(t=4.0, player="Ann", box="FH"))
    match.on(BoxDisputed(t=5.0, player="Ben"))
    assert notice(match, 60.0) == ("REFEREE", "FH 25 is disputed: play waits")


FLOOR = ((-100.0, -100.0), (300.0, -100.0), (300.0, 100.0), (-100.0, 100.0))


def test_a_question_names_the_buttons_that_answer_it_where_there_are_some() -> None:
    match = umpire()
    match.on(thrown(2.0, (3, 3, 3, 5, None)))
    for buttons, keys in ((False, ()), (True, (("next", "turn to it"),))):
        screen = Showing(buttons=buttons).at(match.state, 9.0)
        assert isinstance(screen, Notice) and screen.keys == keys


def test_a_value_that_is_turned_to_is_shown_with_the_die_that_it_is_for() -> None:
    match, rest, people = umpire(), thrown(2.0, (3, None, 3, 5, None)), Shown()
    turning = Pressing(people)
    match.on(rest)
    for meant in (2, 5):
        people.note(match.state, 4.0)
        turning.press(PanelPress("next", 5.0), match.state, 5.0)
        turned = turning.screen(match.state)
        assert turned is not None
        screen = Showing(FLOOR).turned(turned, match.state, rest)
        assert isinstance(screen, Notice) and screen.tray is not None and screen.text == "1?"
        assert [number for number, die in enumerate(screen.tray.dice, 1) if die.meant] == [meant]
        said = turning.press(PanelPress("confirm", 6.0), match.state, 6.0)
        assert said is not None
        match.on(said)
    assert match.state.turn.values == (1, 1, 3, 3, 5)

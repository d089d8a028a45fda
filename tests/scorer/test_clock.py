"""Time to play, where a limit was agreed."""

from scorer.events import BoxChosen, ClockTicked, Noticed, PauseCalled, ResumeCalled
from scorer.state import Options
from tests.scorer.tray import FIRST, feed, match, shorts

LIMIT = Options(seconds_to_play=30.0)


def test_who_takes_longer_is_reminded_once_a_roll() -> None:
    umpire, _ = match(ClockTicked(t=29), options=LIMIT)
    reminded = feed(umpire, ClockTicked(t=31), ClockTicked(t=40))
    assert shorts(reminded) == ["Noticed slow_play"]
    assert isinstance(reminded[0], Noticed)
    assert reminded[0].player == "Ann"
    umpire, _ = match(FIRST, ClockTicked(t=33), options=LIMIT)
    assert shorts(feed(umpire, ClockTicked(t=34))) == ["Noticed slow_play"]


def test_a_pause_takes_no_time_of_the_player() -> None:
    umpire, _ = match(FIRST, PauseCalled(t=5), options=LIMIT)
    assert shorts(feed(umpire, ClockTicked(t=60), ResumeCalled(t=70), ClockTicked(t=90))) == ["MatchResumed"]


def test_nothing_is_said_without_an_agreement() -> None:
    umpire, _ = match(FIRST)
    assert feed(umpire, ClockTicked(t=999)) == []
    assert feed(umpire, BoxChosen(t=1000, player="Ann", box="C"))[-1].player == "Ben"

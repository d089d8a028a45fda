"""What a record says was played: the last word of it, and clear refusals of anything else."""

import json
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.analysis.record import PlayedMatch, read_match
from scorer.errors import AnalysisError, ScorerError
from scorer.events import Fact, RecordingEnded, RefereeCalled, RefereeDecided, Ruling, Undo
from scorer.presets import BHO, ruleset
from scorer.umpire import Umpire
from tests.scorer.analysis.games import box_at_random, keep_at_random, lines_of, play
from tests.scorer.tray import FIRST, SECOND, THIRD, choose, dice, feed, throw

END = RecordingEnded(t=99.0)


def ruled(*facts: Fact | Sequence[Fact]) -> list[Ruling]:
    """Everything ruled in Ann's and Ben's match, its beginning included."""
    umpire = Umpire(BHO, ("Ann", "Ben"))
    return [*umpire.start(), *feed(umpire, *facts)]


def entry_of(name: str, *facts: Fact | Sequence[Fact]) -> int:
    """The entry of the last ruling of that name."""
    return next(ruling.entry for ruling in reversed(ruled(*facts)) if type(ruling).__name__ == name)


def read(*facts: Fact | Sequence[Fact]) -> PlayedMatch:
    """The match as its record says it was played."""
    return read_match(lines_of(ruled(*facts, END)))


def test_a_whole_match_is_read_turn_by_turn() -> None:
    random = Random(1)
    played = play(ruleset("wyi"), ("Ann", "Ben"), random, keep_at_random(random), box_at_random(random))
    found = read_match(lines_of(played))
    assert found.rules == ruleset("wyi")
    assert (found.players, found.complete) == (("Ann", "Ben"), True)
    assert len(found.turns_of("Ann")) == len(found.turns_of("Ben")) == 13


def test_what_was_kept_goes_with_the_roll_after() -> None:
    (turn,) = read(FIRST, SECOND, THIRD, choose(12, "3s")).turns
    assert [(roll.values, roll.kept) for roll in turn.rolls] == [
        ((1, 3, 3, 4, 6), ()),
        ((3, 3, 3, 3, 5), (3, 3)),
        ((3, 3, 3, 3, 3), (3, 3, 3, 3)),
    ]
    assert (turn.box, turn.points, turn.automatic) == ("3s", 15, False)


def test_a_recording_that_ended_early_is_read_as_far_as_it_goes() -> None:
    played = read(FIRST, choose(4, "C"), throw(9.0, dice("11111", first=31)))
    assert not played.complete
    assert [turn.box for turn in played.turns] == ["C"]


def test_a_box_that_was_undone_does_not_count() -> None:
    first: list[Fact | Sequence[Fact]] = [FIRST, choose(4, "C")]
    undo = Undo(t=5.0, entry=entry_of("BoxEntered", *first), by=("Ann", "Ben"))
    (turn,) = read(*first, undo, choose(6, "1s")).turns
    assert (turn.box, turn.rolls[0].values) == ("1s", (1, 3, 3, 4, 6))


def test_a_roll_that_was_undone_does_not_count() -> None:
    undo = Undo(t=8.0, entry=entry_of("RollCounted", FIRST, SECOND), by=("Ann", "Ben"))
    (turn,) = read(FIRST, SECOND, undo, choose(9, "C")).turns
    assert [roll.values for roll in turn.rolls] == [(1, 3, 3, 4, 6)]


def test_a_reading_that_the_referee_corrected_counts_as_corrected() -> None:
    call = RefereeCalled(t=4.0, player="Ben")
    decide = RefereeDecided(t=5.0, action="correct_reading", reason="it is a two", before=1, after=2)
    (turn,) = read(FIRST, call, decide, choose(6, "C")).turns
    assert [roll.values for roll in turn.rolls] == [(2, 3, 3, 4, 6)]


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        ([], "holds no match"),
        (["\n"], "holds no match"),
        (["no json"], "line 1 is none of a record"),
        (["[1, 2]"], "line 1 is none of a record"),
        (['{"name": "HandEntered", "kind": "event", "t": 1}'], "holds no match"),
    ],
)
def test_what_is_no_record_is_refused(lines: list[str], word: str) -> None:
    with pytest.raises(AnalysisError, match=word):
        read_match(lines)


def test_a_match_that_is_going_on_is_refused() -> None:
    rulings = ruled(FIRST, choose(4, "C"))
    with pytest.raises(AnalysisError, match="going on"):
        read_match(lines_of(rulings))


def test_several_matches_are_refused() -> None:
    rulings = ruled(FIRST, choose(4, "C"), END)
    with pytest.raises(AnalysisError, match="several"):
        read_match(lines_of(rulings) * 2)


def test_a_record_without_what_was_kept_is_refused() -> None:
    rulings = ruled(FIRST, choose(4, "C"), END)
    lines = [json.loads(line) for line in lines_of(rulings)]
    old = [json.dumps({key: value for key, value in line.items() if key != "kept"}) for line in lines]
    with pytest.raises(AnalysisError, match="no kept: was it written by an older version"):
        read_match(old)


def test_a_record_with_a_line_left_out_is_refused() -> None:
    rulings = ruled(FIRST, SECOND, choose(8, "C"), END)
    lines = [line for line in lines_of(rulings) if json.loads(line).get("roll") != 1]
    with pytest.raises(AnalysisError, match="not whole"):
        read_match(lines)


JUNK: st.SearchStrategy[object] = st.one_of(
    st.none(), st.integers(-3, 9), st.text(max_size=3), st.lists(st.integers(-1, 7), max_size=6), st.just({})
)


@given(st.data())
def test_whatever_a_line_says_it_is_read_or_refused(data: st.DataObject) -> None:
    lines = [json.loads(line) for line in lines_of(ruled(FIRST, SECOND, choose(8, "C"), END))]
    for _ in range(data.draw(st.integers(1, 3))):
        line = data.draw(st.sampled_from(lines))
        line[data.draw(st.sampled_from(sorted(line)))] = data.draw(JUNK)
    try:
        assert isinstance(read_match(map(json.dumps, lines)), PlayedMatch)
    except ScorerError as error:
        assert "\n" not in str(error)

"""Progress of long work, and the time left."""

import pytest

from models.training.progress import Progress, in_words


def test_the_time_left_follows_the_pace_since_the_work_was_taken_up_again() -> None:
    said: list[str] = []
    now = [1000.0]
    progress = Progress("steps", of=500, done=200, say=said.append, clock=lambda: now[0])
    now[0] += 60
    progress.at(300, ", loss 0.7")
    now[0] += 60
    progress.at(500)
    assert said == ["steps: 300 of 500, loss 0.7, about 2 min left", "steps: 500 of 500"]


def test_it_pauses_between_two_lines_if_asked_to() -> None:
    said: list[str] = []
    now = [0.0]
    progress = Progress("parts", of=9, say=said.append, clock=lambda: now[0], pause=60)
    for done in range(1, 7):
        now[0] += 25
        progress.at(done)
    assert [line[:15] for line in said] == ["parts: 3 of 9, ", "parts: 6 of 9, "]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1, "about 10 s"), (96, "about 100 s"), (125, "about 2 min"), (3600, "about 60 min"), (9000, "about 2.5 h")],
)
def test_durations_are_rounded_as_people_say_them(seconds: int, words: str) -> None:
    assert in_words(seconds) == words

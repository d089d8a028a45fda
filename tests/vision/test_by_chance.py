"""By the chances that dice lean it is told how they lie, and by what their outlines plainly show."""

from dataclasses import replace

import pytest

from tests.vision.drawn_dice import AT_WALL, FREE, GEOMETRY, draw, felt, reading_at
from vision.evidence import Evidence
from vision.lean import lies
from vision.leaner import Chances, Upon
from vision.network import Limits
from vision.together import Together


@pytest.mark.parametrize(
    ("place", "on", "chance", "shift", "plain", "all_seen", "lie"),
    [
        (AT_WALL, "wall", 0.95, 0.0, 0.0, True, "cocked"),
        (AT_WALL, "wall", 0.5, 0.0, 0.0, True, "doubtful"),
        (AT_WALL, "wall", 0.1, -0.09, 0.0, True, "flat"),
        (AT_WALL, "wall", 0.1, -0.12, 0.0, True, "doubtful"),
        (AT_WALL, "wall", 0.1, 0.25, 0.0, True, "cocked"),
        (AT_WALL, "wall", 0.1, 0.0, 0.06, True, "doubtful"),
        (AT_WALL, "wall", 0.1, 0.08, 0.0, False, "doubtful"),
        (FREE, "below", 0.95, 0.0, 0.0, False, "stacked"),
        (FREE, "below", 0.5, 0.0, 0.0, False, "doubtful"),
        (FREE, "below", 0.95, 0.0, 0.0, True, "flat"),
        (FREE, "below", 0.1, 0.0, 0.03, False, "flat"),
        (FREE, "below", 0.1, 0.0, 0.06, False, "doubtful"),
    ],
)
def test_what_is_plain_by_its_outline_counts_beside_the_chances(
    place: tuple[int, int],
    on: Upon,
    chance: float,
    shift: float,
    plain: float,
    all_seen: bool,
    lie: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = Evidence(0.0, (0.0, shift), plain, plain, {})
    monkeypatch.setattr("vision.together.all_evidence", lambda *_: [seen])
    limits = Limits(0.3, 0.9)
    chances = Chances({(0, "below"): 0.0, (0, on): chance}, limits, limits)
    assert lies(Together(felt(), GEOMETRY, [reading_at(place)], all_seen=all_seen), chances) == [lie]


def test_of_a_die_not_read_the_chances_say_that_it_stands_at_the_wall() -> None:
    limits = Limits(0.3, 0.9)
    for chance, lie in ((0.95, "cocked"), (0.5, "flat")):
        chances = Chances({(0, "below"): 0.0, (0, "wall"): chance}, limits, limits)
        reading = replace(reading_at(AT_WALL), value=None)
        assert lies(Together(felt(), GEOMETRY, [reading], all_seen=True), chances) == [lie]


@pytest.mark.parametrize(
    ("mine", "its", "found"),
    [
        (0.1, 0.1, ["doubtful", "flat"]),
        (0.95, 0.1, ["cocked", "flat"]),
        (0.1, 0.95, ["flat", "cocked"]),
        (0.5, 0.5, ["doubtful", "doubtful"]),
    ],
)
def test_one_of_two_that_plainly_leans_by_its_outline_is_in_doubt_where_chances_say_nothing(
    mine: float, its: float, found: list[str]
) -> None:
    picture, beside, limits = felt(), (FREE[0] + 48, FREE[1]), Limits(0.3, 0.9)
    draw(picture, FREE, (9, 0))
    draw(picture, beside)
    chances = Chances({(0, "below"): 0.0, (1, "below"): 0.0, (0, 1): mine, (1, 0): its}, limits, limits)
    assert lies(Together(picture, GEOMETRY, [reading_at(FREE), reading_at(beside)]), chances) == found

"""What suggests of two dice side by side that one leans on the other."""

import pytest

from tests.vision.test_lean import FACE, FREE, GEOMETRY, draw, felt, reading_at
from vision.evidence import Evidence, all_evidence
from vision.pairs import GAP, cues, neighbours, side_by_side
from vision.strip import Strip

BESIDE = (FREE[0] + 38, FREE[1])
READINGS = [reading_at(FREE), reading_at(BESIDE)]


def test_dice_are_side_by_side_that_have_no_room_for_another_between_them() -> None:
    readings = [*READINGS, reading_at((FREE[0] + 38, FREE[1] + 45)), reading_at((100, 400))]
    pairs = side_by_side(GEOMETRY, readings)
    assert pairs == [(0, 1), (1, 2)]
    assert [neighbours(pairs, index) for index in range(4)] == [{1}, {0, 2}, {1}, set()]


def seen(shift: float, strip: Strip | None) -> Evidence:
    return Evidence(0.0, (shift, 0.0), 0.0, 0.0, {}, strips={} if strip is None else {1: strip, 0: strip})


@pytest.mark.parametrize(("level", "shifts"), [((), (0.2, 0.1)), ((0,), (0.1, 0.0))])
def test_the_outline_shifted_more_comes_first_and_those_known_to_be_level_not_at_all(
    level: tuple[int, ...], shifts: tuple[float, float]
) -> None:
    strip = Strip(0.3, -0.5, -1.0)
    told = cues(GEOMETRY, READINGS, [seen(0.2, strip), seen(-0.1, strip)], 0, 1, level)
    assert told is not None
    assert told == pytest.approx([*shifts, 38 / FACE, 0.0, GAP, -0.5, -1.0])


def test_of_a_die_whose_colour_does_not_tell_the_other_says_all() -> None:
    told = cues(GEOMETRY, READINGS, [seen(0.2, Strip(0.3, -0.5, -1.0)), None], 0, 1)
    assert told is not None
    assert told == pytest.approx([0.2, 0.0, 38 / FACE, 0.0, GAP, -0.5, -1.0])
    assert cues(GEOMETRY, READINGS, [None, None], 0, 1) is None
    assert cues(GEOMETRY, READINGS, [seen(0.2, None), None], 0, 1) is None


@pytest.mark.parametrize(("away", "near", "far"), [(36, 1.2, 0.0), (45, 1.3, 0.2)])
def test_how_far_they_are_apart_counts_up_to_where_one_leans_and_beyond(away: int, near: float, far: float) -> None:
    readings = [reading_at(FREE), reading_at((FREE[0] + away, FREE[1]))]
    told = cues(GEOMETRY, readings, [seen(0.0, Strip(0.3, 0.0, 0.0)), None], 0, 1)
    assert told is not None
    assert told[2:4] == pytest.approx([near, far])


def test_a_side_between_two_dice_is_seen_in_the_picture() -> None:
    flat, leaning = felt(), felt()
    for picture, side in ((flat, (0, 0)), (leaning, (6, 0))):
        draw(picture, FREE, side)
        draw(picture, BESIDE)
    flat_cues, cues_of_one = (
        cues(GEOMETRY, READINGS, all_evidence(picture, GEOMETRY, READINGS), 0, 1) for picture in (flat, leaning)
    )
    assert flat_cues is not None and cues_of_one is not None
    shift, _, apart, _, area, likeness, light = cues_of_one - flat_cues
    assert shift > 0.05
    assert apart == 0.0
    assert abs(area) < 0.02
    assert likeness > 0.3
    assert light > 0

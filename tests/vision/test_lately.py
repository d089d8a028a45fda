"""Of the last pictures those are kept that later ones are compared with."""

import numpy as np
import pytest

from vision.lately import JUST_S, KEEP_S, Image, Lately
from vision.rest import Past

GREY = np.zeros((4, 4), np.uint8)


def seen(lately: Lately, times: list[float]) -> None:
    """Pictures, whose working pictures and bodies tell their times in hundredths of a second."""
    for t in times:
        lately.keep(Past(t, GREY), small(t))
        lately.keep_body(small(t) > 0)


def small(t: float) -> Image:
    return np.full((2, 2), round(100 * t), np.uint8)


def times(pictures: list[Past]) -> list[float]:
    return [picture.t for picture in pictures]


def test_pictures_are_kept_for_a_while_and_what_was_seen_in_them_for_less() -> None:
    lately, every = Lately(), [n / 20 for n in range(41)]
    seen(lately, every)
    assert times(lately.pictures)[0] == pytest.approx(2.0 - KEEP_S, abs=0.051)
    assert len(lately.bodies) == round(JUST_S * 20) + 1
    assert (lately.now[0].t, lately.now[1][0, 0]) == (2.0, 200)


@pytest.mark.parametrize(("fps", "then"), [(60, 55 / 60), (30, 0.9), (5, 0.8)])
def test_earlier_is_100_ms_ago_or_the_last_before(fps: int, then: float) -> None:
    lately = Lately()
    seen(lately, [n / fps for n in range(fps + 1)])
    assert lately.earlier[0, 0] == small(then)[0, 0]


def test_earlier_is_the_oldest_where_there_is_none_so_old() -> None:
    lately = Lately()
    seen(lately, [1.0, 1.03])
    assert lately.earlier[0, 0] == 100
    lately.forget()
    seen(lately, [1.06])
    assert lately.earlier[0, 0] == 106
    assert times(lately.pictures) == [1.06]
    assert len(lately.bodies) == 1


def test_pictures_of_a_camera_that_has_just_swung_back_tell_too_unless_sight_is_lost_again() -> None:
    lately = Lately()
    lately.keep_steadying(Past(0.9, GREY))
    lately.lose_sight()
    lately.keep_steadying(Past(1.0, GREY))
    seen(lately, [1.05, 1.1])
    assert times(lately.pictures) == [1.0, 1.05, 1.1]
    assert times(list(lately.recent)) == [1.05, 1.1]
    seen(lately, [1.05 + KEEP_S])
    assert times(lately.pictures)[0] == 1.05


def test_pictures_of_a_camera_that_swung_back_before_a_gap_say_nothing_after_it() -> None:
    lately = Lately()
    lately.keep_steadying(Past(1.0, GREY))
    lately.keep_steadying(Past(1.1 + KEEP_S, GREY))
    assert times(lately.pictures) == [1.1 + KEEP_S]


def test_noise_is_told_where_no_body_is_in_view_and_forgotten_with_the_pictures() -> None:
    lately, floor = Lately(), [(20.0, 20.0), (40.0, 40.0), (60.0, 60.0)]

    def keep(frame: int, noise: float, body: bool = False) -> float:
        grey = np.random.default_rng(frame).normal(90, noise, (80, 80)).clip(0, 255).astype(np.uint8)
        lately.tell_noise(frame / 20, floor, 20.0)
        lately.keep(Past(frame / 20, grey), small(0.0))
        lately.keep_body(np.full((2, 2), body))
        return lately.noise

    assert [keep(n, 5.0) for n in range(6)] == [0.0] * 6
    told = keep(6, 5.0)
    assert 1.0 < told < 5.0
    assert [keep(n, 20.0, body=True) for n in range(7, 30)] == [told] * 23
    assert max(keep(n, 20.0) for n in range(30, 45)) > 8 * told
    lately.forget()
    assert keep(45, 5.0) == 0.0

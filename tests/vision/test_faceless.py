"""What shows no face is given up at a quick look; a die that shows one is not."""

import math

import numpy as np
import pytest

from tests.vision.drawn_photo import PLACES, photograph
from tests.vision.drawn_tray import DIE_PX, Hand, film
from vision.channel import grey
from vision.errors import PictureError
from vision.faceless import faceless
from vision.network import Networks, stricter
from vision.read import read_die


@pytest.mark.parametrize("off", [0.0, 0.3])
def test_no_die_that_shows_a_face_is_given_up_be_it_located_aside(networks: Networks, off: float) -> None:
    for values in ((1, 2, 3, 4, 5), (6, 5, 4, 3, 2)):
        picture = photograph(values, 60)
        for number, (x, y) in enumerate(PLACES):
            place = 2 * x + 60 * off * math.cos(number), 2 * y + 60 * off * math.sin(number)
            assert faceless(networks, picture, *place, 60) is None


def test_pips_that_grey_hides_are_a_face(networks: Networks) -> None:
    shown = photograph([4], 60)[..., 2].astype(np.float32) - 130
    red_for_green = np.stack([0 * shown, -0.25 * shown, 0.25 * 0.587 / 0.299 * shown], axis=2) + 100
    picture = red_for_green.clip(0, 255).astype(np.uint8)
    x, y = PLACES[0]
    assert faceless(networks, grey(picture), 2 * x, 2 * y, 60) is not None
    assert faceless(networks, picture, 2 * x, 2 * y, 60) is None


@pytest.mark.parametrize("x", [250.0, 290.0, 330.0])
def test_a_hand_and_the_floor_show_none_and_are_not_read_either(networks: Networks, x: float) -> None:
    hand = Hand((-60.0, 240.0), (250.0, 240.0))
    picture = next(iter(film([], [lambda _: hand], 0.1))).image
    unread = faceless(networks, picture, x, 240.0, DIE_PX)
    assert unread is not None and unread.value is None and unread.blank >= networks.thresholds.blank
    full = read_die(networks, [picture, picture], x, 240.0, DIE_PX)
    assert full.value is None and full.blank >= networks.thresholds.blank


def test_what_is_given_up_looks_no_surer_where_less_is_asked_of_none(networks: Networks) -> None:
    picture = photograph([])
    for limit in (0.5, 0.02):
        limited = stricter(networks, {"blank": limit})
        unread = faceless(limited, picture, *PLACES[0], DIE_PX)
        assert unread is not None and unread.score < limited.thresholds.sure
        assert faceless(limited, photograph([5]), *PLACES[0], DIE_PX) is None


def test_a_picture_without_colours_is_asked_too(networks: Networks) -> None:
    picture = grey(photograph([3]))
    assert faceless(networks, picture, *PLACES[0], DIE_PX) is None
    assert faceless(networks, picture, *PLACES[1], DIE_PX) is not None


def test_a_place_outside_the_picture_is_none(networks: Networks) -> None:
    with pytest.raises(PictureError, match="lies outside a picture"):
        faceless(networks, photograph([]), -1.0, 20.0, DIE_PX)

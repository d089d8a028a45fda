"""Places and maps of the working picture and of the whole one fit each other."""

import cv2
import numpy as np
import pytest

from tests.vision.drawn_tray import DIE_PX, GEOMETRY, SIZE
from vision.network import LOCATOR_FACE_PX
from vision.rest import past
from vision.track import Sighting
from vision.window import Window

PLACE = (300.0, 200.0)


def test_a_thing_in_the_working_picture_is_where_it_is_seen_there() -> None:
    window, picture = Window(GEOMETRY), np.zeros(SIZE[::-1], np.uint8)
    cv2.circle(picture, (round(PLACE[0]), round(PLACE[1])), 15, 255, -1)
    small = window.shrink(past(0.0, picture, DIE_PX))
    y, x = np.argwhere(small > 128).mean(0)
    disc = window.disc(Sighting(*PLACE, DIE_PX, 0.7, still=True, near_body=False))
    assert (disc.x, disc.y, disc.size) == pytest.approx((x, y, LOCATOR_FACE_PX), abs=0.7)
    assert window.to_picture(disc.x, disc.y) == pytest.approx(PLACE)
    assert window.disc(Sighting(*PLACE, 0.1 * DIE_PX, 0.7, still=True, near_body=False)).size == LOCATOR_FACE_PX


def test_share_of_a_square_that_a_mask_covers() -> None:
    window = Window(GEOMETRY)
    mask = np.zeros(window.floor.shape, bool)
    mask[:, : round(window.to_working(*PLACE)[0])] = True
    shares = [window.share(mask, PLACE[0] + aside * DIE_PX, PLACE[1], 1.0) for aside in (-2, 0, 2)]
    assert shares == pytest.approx([1.0, 0.5, 0.0], abs=0.05)
    assert window.share(mask, -1000.0, 0.0, 1.0) == 0.0


def test_outline_lies_around_what_is_in_a_mask() -> None:
    window = Window(GEOMETRY)
    (outline,) = window.outlines(window.floor > 0)
    assert outline.min(0) == pytest.approx(GEOMETRY.outline.min(0), abs=2.5)
    assert outline.max(0) == pytest.approx(GEOMETRY.outline.max(0), abs=2.5)


def test_maps_of_a_push_take_the_same_places_to_the_same() -> None:
    before, shift = Window(GEOMETRY), np.array([[1.0, 0.02, 12.0], [-0.02, 1.0, -7.0]])
    after = Window(GEOMETRY.moved(shift))
    there = shift @ (*PLACE, 1)
    small = np.array((*before.to_working(*PLACE), 1))
    assert (before.way_to(after, shift) @ small)[:2] == pytest.approx(after.to_working(*there))
    seen = np.array([[1.0, 0, 6], [0, 1, 3]])
    moved = before.to_picture(*(seen @ small))
    assert before.in_picture(seen) @ (*PLACE, 1) == pytest.approx(moved)

"""A die is told from the ground by colour: shadow is no die, and of one like the floor nothing is told."""

import cv2
import numpy as np

from vision.ground import PATCH_PX, Patch, connected, opened, touching

FELT, SHADOW, RED = (50, 110, 40), (18, 40, 15), (40, 40, 220)
SQUARE = np.array([(85.0, 85.0), (115.0, 85.0), (115.0, 115.0), (85.0, 115.0)])
EVERYWHERE = np.ones((PATCH_PX, PATCH_PX), bool)


def patch_of(colour: tuple[int, int, int]) -> Patch:
    """A square of 30 px on felt, with its shadow along the left side."""
    picture = np.full((200, 200, 3), FELT, np.uint8)
    cv2.rectangle(picture, (81, 85), (115, 115), SHADOW, cv2.FILLED)
    cv2.rectangle(picture, (85, 85), (114, 114), colour, cv2.FILLED)
    return Patch(picture, (100.0, 100.0), 30.0)


def test_a_mask_is_as_large_as_what_it_covers() -> None:
    patch = patch_of(RED)
    square, grown = patch.mask(SQUARE), patch.mask(SQUARE, 0.1)
    assert abs(patch.area(square) - 1) < 0.1
    assert abs(patch.area(grown) - 1.2**2) < 0.15
    assert np.abs(patch.centroid(square)).max() < 0.03


def test_the_die_is_told_from_shadow_and_lit_ground() -> None:
    patch = patch_of(RED)
    die = patch.mask(SQUARE)
    told = patch.told(patch.mask(SQUARE, -0.12), patch.radius > 1.0, patch.mask(SQUARE, 0.06), EVERYWHERE)
    assert told is not None
    assert patch.area(told.own ^ die) < 0.1
    assert patch.area(told.plain ^ die) < 0.1
    shadow = patch.mask([(82, 88), (84, 88), (84, 112), (82, 112)])
    assert (told.own | told.lit)[shadow].mean() < 0.4
    assert told.lit[:5].all()


def test_a_side_of_the_rims_colour_is_no_lit_floor_nor_is_one_lighter_than_it() -> None:
    side = [(115, 85), (122, 85), (122, 115), (115, 115)]
    for colour, lit in (((70, 80, 95), False), ((95, 160, 85), False), (FELT, True)):
        picture = np.full((200, 200, 3), FELT, np.uint8)
        picture[:, :75] = (70, 80, 95)
        cv2.fillPoly(picture, [np.array(side, np.int32)], colour)
        cv2.rectangle(picture, (85, 85), (114, 114), (240, 240, 240), cv2.FILLED)
        patch = Patch(picture, (100.0, 100.0), 30.0)
        floor = patch.mask([(75, 0), (200, 0), (200, 200), (75, 200)])
        told = patch.told(patch.mask(SQUARE, -0.12), patch.radius > 1.0, patch.mask(SQUARE, 0.06), floor)
        assert told is not None
        on_side = told.lit[patch.mask([(117, 87), (120, 87), (120, 113), (117, 113)])].mean()
        assert bool(on_side > 0.5) is lit


def test_the_deepest_shadow_is_no_die_though_it_is_darker_than_the_ground_alone_may_be() -> None:
    picture = np.full((200, 200, 3), FELT, np.uint8)
    cv2.rectangle(picture, (85, 60), (115, 90), (8, 18, 7), cv2.FILLED)
    cv2.rectangle(picture, (85, 85), (114, 114), (20, 20, 60), cv2.FILLED)
    patch = Patch(picture, (100.0, 100.0), 30.0)
    told = patch.told(patch.mask(SQUARE, -0.12), patch.radius > 1.0, patch.mask(SQUARE, 0.06), EVERYWHERE)
    assert told is not None
    shadow = patch.mask([(88, 64), (112, 64), (112, 80), (88, 80)])
    assert not (told.own | told.plain)[shadow].any()


def test_nothing_is_told_of_a_die_like_the_floor() -> None:
    patch = patch_of((54, 114, 44))
    assert patch.told(patch.mask(SQUARE, -0.12), patch.radius > 1.0, patch.mask(SQUARE, 0.06), EVERYWHERE) is None


def test_specks_go_and_parts_are_kept_by_where_they_reach() -> None:
    mask = np.zeros((72, 72), bool)
    mask[5:12, 5:12] = mask[40:50, 40:50] = mask[60, 60] = True
    assert not opened(mask)[60, 60]
    assert opened(mask)[5:12, 5:12].all()
    place = np.zeros_like(mask)
    place[8, 8] = True
    assert touching(mask, place).sum() == connected(mask, place).sum() == 49

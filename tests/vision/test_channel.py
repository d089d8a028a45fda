"""What the channels show of coloured pictures."""

import cv2
import numpy as np
import pytest

from vision.channel import CHANNELS, Image, channels_of, colour, darkest, grey, lightest, opened

BGR = np.array([[[30, 30, 180], [200, 90, 40]]], np.uint8)


def test_each_channel_shows_what_its_name_says() -> None:
    assert darkest(BGR).tolist() == [[30, 40]]
    assert lightest(BGR).tolist() == [[180, 200]]
    assert colour(BGR) is BGR
    assert grey(BGR).shape == (1, 2)


def test_a_grey_picture_is_taken_as_it_is_and_opened() -> None:
    picture = np.zeros((4, 5), np.uint8)
    assert channels_of(picture) == (CHANNELS[0], CHANNELS[-1])
    assert opened(picture, 30.0).shape == picture.shape
    assert CHANNELS[0].show(picture, 30.0) is picture
    assert channels_of(BGR) == CHANNELS


@pytest.mark.parametrize("face_px", [20, 40, 90])
def test_pips_outlast_the_opening_and_thin_print_does_not(face_px: int) -> None:
    picture: Image = np.full((2 * face_px, 2 * face_px, 3), 40, np.uint8)
    cv2.circle(picture, (face_px // 2, face_px), round(0.1 * face_px), (220, 220, 220), -1)
    cv2.line(picture, (face_px, 0), (face_px, 2 * face_px), (220, 220, 220), max(1, round(0.04 * face_px)))
    shown = opened(picture, face_px)
    assert shown[face_px, face_px // 2] == 220
    assert shown[face_px // 2, face_px] == 40

"""Reading one die: values, doubts, and how the face lies."""

import math

import cv2
import numpy as np
import pytest

from tests.vision.drawn_photo import ANGLES, PLACES, photograph
from tests.vision.drawn_tray import DIE_PX, PIPS
from vision.channel import Image
from vision.errors import PictureError
from vision.network import Networks
from vision.read import Reading, as_unsure, read_die


def read_all(networks: Networks, image: Image, die_px: float = DIE_PX) -> list[Reading]:
    scale = die_px / DIE_PX
    return [read_die(networks, [image], x * scale, y * scale, die_px) for x, y in PLACES]


@pytest.mark.parametrize("values", [(1, 2, 3, 4, 5), (6, 1, 6, 2, 4)])
@pytest.mark.parametrize("die_px", [26, 60, 150])
def test_drawn_dice_are_read_and_never_wrong(networks: Networks, values: tuple[int, ...], die_px: float) -> None:
    readings = read_all(networks, photograph(values, die_px), die_px)
    assert all(r.value in (None, v) for r, v in zip(readings, values, strict=True))
    assert sum(r.value is not None for r in readings) >= 4


def test_the_face_is_measured(networks: Networks) -> None:
    values = (2, 3, 4, 5, 6)
    for reading, (x, y), angle, value in zip(
        read_all(networks, photograph(values, 60), 60), PLACES, ANGLES, values, strict=True
    ):
        if reading.value is None:
            continue
        assert reading.value == value
        assert reading.state == "flat"
        assert reading.centre == pytest.approx((2 * x, 2 * y), abs=3)
        assert abs((reading.angle - angle + 45) % 90 - 45) < 5
        side = 60 * (abs(math.cos(math.radians(reading.angle))) + abs(math.sin(math.radians(reading.angle))))
        assert reading.box[2] == pytest.approx(side)


def test_a_place_looked_at_askew_is_corrected_by_the_pips(networks: Networks) -> None:
    image = photograph([5, 5, 5, 5, 5], 60)
    x, y = PLACES[1]
    reading = read_die(networks, [image], 2 * x + 7, 2 * y - 6, 60)
    assert reading.value in (None, 5)
    if reading.value:
        assert reading.centre == pytest.approx((2 * x, 2 * y), abs=3)


def test_pips_nearly_lost_in_white_are_asked_about(networks: Networks) -> None:
    """An overexposed picture of a six: four of its pips are pale, the middle ones are gone."""
    picture = np.full((200, 200, 3), 255, np.uint8)
    for u, v in PIPS[6]:
        shade = 205 if v else 253
        cv2.circle(picture, (round(100 + 25 * u), round(100 + 25 * v)), 9, (shade,) * 3, -1, cv2.LINE_AA)
    assert read_die(networks, [picture], 100, 100, 100).value is None
    dark = np.where(picture == 205, 90, picture).astype(np.uint8)
    assert read_die(networks, [dark], 100, 100, 100).value == 4


def test_grey_alone_is_not_believed_where_colour_shows_something_else(networks: Networks) -> None:
    """Dark blotches that lie like the pips of a four, on a body whose three red pips are as bright as it is."""
    size, middle, face = 8 * 240, 8 * 120, 8 * 60
    image = np.full((size, size, 3), 150, np.uint8)
    half = face // 2
    cv2.rectangle(image, (middle - half, middle - half), (middle + half, middle + half), (70, 70, 70), -1)
    for u, v in ((-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)):
        place = (round(middle + u * face), round(middle + v * face))
        cv2.circle(image, place, round(0.09 * face), (25, 25, 25), -1)
    for u in (-0.22, 0, 0.22):
        cv2.circle(image, (round(middle + u * face), middle), round(0.08 * face), (15, 25, 180), -1)
    small = cv2.resize(image, (240, 240), interpolation=cv2.INTER_AREA)
    seen = np.asarray(cv2.GaussianBlur(small, (0, 0), 0.6), np.uint8)
    assert read_die(networks, [np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), np.uint8)], 120, 120, 60).value == 4
    assert read_die(networks, [seen], 120, 120, 60).value is None


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
def test_a_die_found_far_off_its_middle_is_read_from_there(networks: Networks, value: int) -> None:
    """As it is found beside others, or with a side face."""
    x, y = PLACES[1]
    reading = read_die(networks, [photograph([value] * 2, 60)], 2 * x + 24, 2 * y - 7, 60)
    assert reading.value == value
    assert reading.centre == pytest.approx((2 * x, 2 * y), abs=3)


def test_grey_pictures_are_read_too(networks: Networks) -> None:
    image = np.asarray(cv2.cvtColor(photograph([1, 2, 3, 4, 5], 60), cv2.COLOR_BGR2GRAY), np.uint8)
    assert sum(r.value is not None for r in read_all(networks, image, 60)) >= 4


def test_empty_cloth_is_not_sure(networks: Networks) -> None:
    for x in range(120, 540, 60):
        assert read_die(networks, [photograph([])], x, 250, DIE_PX).value is None


def test_a_face_cut_off_by_the_picture_is_not_sure(networks: Networks) -> None:
    image = photograph([4], 60)
    x, y = (2 * c for c in PLACES[0])
    cut = np.ascontiguousarray(image[:, int(x) - 14 :])
    reading = read_die(networks, [cut], 14, y, 60)
    assert reading.value is None
    assert reading.state == "unknown"


@pytest.mark.parametrize(("squeezed", "sure"), [(1.0, True), (0.85, True), (0.66, False)])
def test_a_face_seen_far_aslant_is_not_sure(networks: Networks, squeezed: float, sure: bool) -> None:
    image = cv2.resize(photograph((4, 5), 60), None, fx=1, fy=squeezed, interpolation=cv2.INTER_AREA)
    places = [(x * 60 / DIE_PX, y * 60 / DIE_PX * squeezed) for x, y in PLACES[:2]]
    readings = [read_die(networks, [np.asarray(image, np.uint8)], x, y, 60 * squeezed**0.5) for x, y in places]
    assert [r.value for r in readings] == ([4, 5] if sure else [None, None])
    assert [r.likely for r in readings] == [4, 5]


def test_frames_that_contradict_each_other_are_not_sure(networks: Networks) -> None:
    x, y = PLACES[1]
    frames = [photograph([1, value], 60) for value in (3, 3, 6)]
    assert read_die(networks, frames[:2], 2 * x, 2 * y, 60).value == 3
    assert read_die(networks, frames, 2 * x, 2 * y, 60).value is None


def test_an_unsure_reading_never_looks_surer_than_the_bar(networks: Networks) -> None:
    x, y = PLACES[1]
    sure = read_die(networks, [photograph([1, 3], 60)], 2 * x, 2 * y, 60)
    unsure = as_unsure(networks, sure)
    assert unsure.value is None
    assert unsure.likely == sure.likely == 3
    assert unsure.p <= networks.probability(networks.thresholds.sure) <= sure.p


@pytest.mark.parametrize("place", [(-1.0, 5.0), (5.0, 480.0), (float("nan"), 5.0)])
def test_a_place_outside_the_picture(networks: Networks, place: tuple[float, float]) -> None:
    with pytest.raises(PictureError, match="outside"):
        read_die(networks, [photograph([])], *place, DIE_PX)


def test_no_frame(networks: Networks) -> None:
    with pytest.raises(PictureError, match="no frame"):
        read_die(networks, [], 5, 5, DIE_PX)

"""A perturbed die stays where it is said to be, about as large as before."""

import cv2
import numpy as np
import pytest

from models.training.perturb import KINDS, Kind, perturb
from models.training.real import LabelledDie


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("place", [(100.0, 60.0), (150.0, 110.0)])
def test_what_was_asked_for_is_found_at_the_new_place(seed: int, place: tuple[float, float]) -> None:
    picture = np.full((180, 240, 3), 40, np.uint8)
    cv2.circle(picture, (round(place[0]), round(place[1])), 3, (110, 110, 110), -1)
    die = LabelledDie(place[0], place[1], face_px=20.0, value=1, box_px=24.0, doubtful=False)
    seen = perturb(np.random.default_rng(seed), picture, die)
    y, x = np.unravel_index(int(cv2.GaussianBlur(seen.picture[..., 1], (0, 0), 2).argmax()), seen.picture.shape[:2])
    assert np.abs([seen.x - x, seen.y - y]).max() <= 0.05 * 20 + 1
    assert seen.face_px == pytest.approx(20, rel=0.1)


def test_the_same_seed_gives_the_same_picture() -> None:
    picture = np.random.default_rng(1).integers(0, 255, (90, 90, 3)).astype(np.uint8)
    die = LabelledDie(45.0, 45.0, face_px=20.0, value=1, box_px=24.0, doubtful=False)
    first, second = (perturb(np.random.default_rng(3), picture, die) for _ in range(2))
    assert np.array_equal(first.picture, second.picture)
    assert (first.x, first.y, first.face_px) == (second.x, second.y, second.face_px)


@pytest.mark.parametrize("kind", KINDS)
def test_alone_a_perturbation_changes_nothing_else(kind: Kind) -> None:
    picture = np.random.default_rng(1).integers(60, 100, (90, 90, 3)).astype(np.uint8)
    die = LabelledDie(45.3, 44.6, face_px=14.0, value=1, box_px=16.0, doubtful=False)
    seen = perturb(np.random.default_rng(3), picture, die, kind)
    as_it_was = picture[45 - 42 : 45 + 43, 45 - 42 : 45 + 43]
    assert np.array_equal(seen.picture, as_it_was) == (kind in ("shifted", "sized"))
    middle = 3 * 14 + np.array([0.3, -0.4])
    stays = kind not in ("shifted", "turned")
    assert ((seen.x, seen.y) == pytest.approx(middle)) == stays
    assert (seen.face_px == 14.0) == (kind != "sized")

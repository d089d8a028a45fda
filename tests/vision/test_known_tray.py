"""What is known of the empty tray outlives faults of the view, other lights and pushes."""

import cv2
import numpy as np

from vision.before import SOUND_S
from vision.empty import Difference, FloatArray, Image
from vision.hand import Body
from vision.hue import hues
from vision.known_tray import KnownTray

SHAPE = (120, 160)
DIE, SHADOW = (slice(20, 38), slice(20, 38)), (slice(60, 80), slice(10, 150))
NOBODY = Body(np.zeros(SHAPE, bool), 0.0)


def tray(*shown: tuple[tuple[slice, slice], int]) -> Image:
    picture = np.full(SHAPE, 100, np.uint8)
    for place, level in shown:
        picture[place] = level
    return picture


def hue(picture: Image) -> FloatArray:
    return hues(np.asarray(cv2.merge([picture] * 3), np.uint8))


def watch(known: KnownTray, picture: Image, t: float) -> Difference:
    _, difference = known.compare(picture, hue(picture), [])
    known.follow(t, difference, NOBODY, 1)
    return difference


def test_the_first_picture_is_taken_for_the_tray_where_there_is_no_other() -> None:
    assert not watch(KnownTray(SHAPE), tray((DIE, 220)), 0.0).mask.any()
    assert watch(KnownTray(SHAPE, tray()), tray((DIE, 220)), 0.0).mask[DIE].all()


def test_what_was_learned_just_before_a_fault_is_not_believed() -> None:
    known = KnownTray(SHAPE, tray())
    for t in (0.0, SOUND_S):
        empty, difference = known.compare(tray((DIE, 220)), hue(tray()), [])
        known.follow(t, difference, NOBODY, 1)
    empty.learn(difference.mask > 0, difference)
    assert not known.compare(tray((DIE, 220)), hue(tray()), [])[1].mask.any()
    known.lost(1.2 * SOUND_S, "glare", tray())
    assert known.compare(tray((DIE, 220)), hue(tray()), [])[1].mask[DIE].all()


def test_the_shadow_that_a_lamp_casts_is_no_thing() -> None:
    known, lit = KnownTray(SHAPE, tray()), tray((DIE, 220), (SHADOW, 50))
    for n in range(15):
        watch(known, tray((DIE, 220)), n / 30)
    known.lost(0.6, "light_changed", lit)
    known.relit(0.8, lit, hue(lit))
    mask = watch(known, lit, 0.9).mask
    assert mask[DIE].all()
    assert not mask[SHADOW].any()


def test_a_tray_that_was_pushed_is_known_where_it_lies_now() -> None:
    known, marked = KnownTray(SHAPE, tray((SHADOW, 50))), tray((DIE, 220))
    marked[70:90, 15:155] = 50
    known.moved(np.array([[1.0, 0, 5], [0, 1, 10], [0, 0, 1]]), marked)
    mask = watch(known, marked, 0.0).mask
    assert mask[DIE].all()
    assert not mask[65:95, 12:].any()

"""What another light casts is told from what came otherwise."""

import numpy as np

from vision.cast import Cast
from vision.empty import Image

SHAPE = (120, 160)
DIE, SHADOW, HAND = (slice(20, 38), slice(20, 38)), (slice(60, 80), slice(10, 150)), (slice(90, 115), slice(40, 70))


def tray(*shown: tuple[tuple[slice, slice], int], gain: float = 1.0) -> Image:
    picture = np.full(SHAPE, 100, np.uint8)
    for place, level in shown:
        picture[place] = level
    return np.asarray(picture * gain, np.uint8)


def mask(*places: tuple[slice, slice]) -> Image:
    return np.asarray(tray(*((place, 1) for place in places)) == 1, np.uint8)


def came() -> Cast:
    """A lamp that comes to a tray where a die lies, and casts a shadow."""
    cast = Cast()
    cast.note(0.0, mask(DIE))
    cast.note(0.95, mask(DIE, SHADOW))  # the light had come, and nobody had noticed
    cast.came(1.0, tray((DIE, 220), (SHADOW, 50)))
    return cast


def test_shadow_that_came_with_the_light_is_cast_and_nothing_else() -> None:
    later = tray((DIE, 220), (SHADOW, 50), (HAND, 180), gain=0.8)
    assert np.array_equal(came().shadows(later, mask(DIE, SHADOW, HAND)), mask(SHADOW) > 0)


def test_shadow_is_told_once_nothing_is_over_it() -> None:
    cast, over = came(), (slice(60, 80), slice(40, 70))
    assert not cast.shadows(tray((DIE, 220), (SHADOW, 50), (over, 180)), mask(SHADOW)).any()
    assert cast.shadows(tray((DIE, 220), (SHADOW, 50)), mask(SHADOW)).any()


def test_nothing_is_told_where_the_tray_was_not_known_nor_of_what_came_before() -> None:
    picture, unknown, forgotten = tray((DIE, 220), (SHADOW, 50)), Cast(), came()
    unknown.came(1.0, picture)
    forgotten.forget()
    again = came()
    again.came(3.0, picture)  # nothing was seen since the first light
    assert not any(cast.shadows(picture, mask(SHADOW)).any() for cast in (unknown, forgotten, again))

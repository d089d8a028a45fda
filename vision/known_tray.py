"""The empty tray as it is known from picture to picture, through faults of the view, other lights and pushes."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scorer.events import ViewFault
from vision.before import Before
from vision.cast import Cast
from vision.empty import Difference, EmptyTray
from vision.hand import Body, Disc, punch
from vision.shift import Matrix, carried

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]


class KnownTray:
    """What is known of the empty tray now, and what it is to be known by after a fault. All pictures are working
    pictures (h, w)."""

    def __init__(self, shape: tuple[int, ...], picture: Image | None = None) -> None:
        """`shape` of the pictures; `picture`: grey, of the empty tray, else the first that is compared is taken."""
        self._empty = EmptyTray(picture) if picture is not None else None
        self._before, self._cast = Before(shape), Cast()

    @property
    def picture(self) -> FloatArray:
        """The empty tray, grey (h, w), as it was compared with last."""
        assert self._empty is not None
        return self._empty.picture

    @property
    def lit(self) -> FloatArray:
        """The empty tray, grey (h, w), as bright as it is known to have been there."""
        assert self._empty is not None
        return self._empty.lit

    def compare(self, picture: Image, hue: FloatArray, dice: Sequence[Disc]) -> tuple[EmptyTray, Difference]:
        """The empty tray, and what in a picture with its `hue` (h, w, 2) differs from it, in which these are dice. The
        tray is learned to lie in the shadows that another light has brought."""
        self._empty = empty = self._empty or EmptyTray(picture, hue)
        difference = empty.compare(picture, hue)
        if not self._cast.knows:
            return empty, difference
        bare = difference.mask.copy()
        punch(bare, dice)
        shadows = self._cast.shadows(picture, bare)
        if not shadows.any():
            return empty, difference
        empty.learn(shadows, difference)
        return empty, empty.compare(picture, hue)

    def follow(self, t: float, difference: Difference, body: Body, frames: int) -> None:
        """Learn from what was compared last, at `t`, s, while this body was there; so many frames showed the same."""
        assert self._empty is not None
        if body.area == 0:
            self._empty.follow(difference, frames)
        self._before.keep(t, self._empty, body.mask)
        self._cast.note(t, difference.mask)

    def lost(self, t: float, cause: ViewFault, picture: Image) -> None:
        """A fault was found that began at `t`, s; the tray looks like this picture in another light, if it is that."""
        self._empty = self._before.lost(t, cause, self._empty)
        if cause == "light_changed":
            self._cast.came(t, picture)
        else:
            self._cast.forget()

    def relit(self, t: float, picture: Image, hue: FloatArray) -> None:
        """The light that came is steady at `t`, s: the tray looks like this picture with its `hue` (h, w, 2) in it."""
        if self._empty is not None:
            self._empty = self._before.relit(t, self._empty, picture, hue)

    def moved(self, way: Matrix, picture: Image) -> None:
        """The tray lies elsewhere: the map (3, 3) from the pictures before to the `picture` that shows it now."""
        self._before, self._cast = Before(picture.shape), Cast()
        if self._empty is not None:
            self._empty = EmptyTray(carried(self._empty.picture, way, picture))

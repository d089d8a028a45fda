"""The picture of the empty tray: what differs from it, and how it is learned while the camera runs.

It starts as the first frame, whatever lies in that. What was in the first frame and has gone leaves a ghost: a region
that differs although nothing is there. A ghost's outline is an edge in the remembered picture and none in the present
one, and a soft shadow has an edge in neither; both are learned anew at once. A body or a die has its edge in the
present picture and stays foreign for as long as it lies there. Where something was learned that was not the tray, the
shadow of a head that rests beside it, what was known before is remembered: it is back when it looks so again.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.hue import chroma, hues_at, most_hue, shaded_hues
from vision.light import NEAR_BLACK
from vision.rest import likeness

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]

DIFFERENT = 22.0
"""Grey levels of difference that are no noise, codec or light drift."""
EDGE = 16.0
"""Levels by which an edge has come or gone; the border of a soft shadow stays below."""
FAINT_EDGE, FAINT_SHARE = 10.0, 0.2
"""The same on a dark floor, where a shadow takes less: this share of the floor's own level, but no less than noise."""
LEAST_SHARE = 0.15
"""Share of a thing's outline along which an edge has come: the rest may be its shadow's."""
FEW_COME, SHOWS_THROUGH = 0.05, 0.75
"""Share of its outline along which a shadow brings an edge at most, and how like those of the empty tray the edges
there are at least: in a trial that no command repeats, of large drawn ones .78 to .99, of a sleeve that brought none
.01 at most."""
OUTWEIGH = 1.5
"""Such edges outnumber those that have gone by this factor: a thing hides some, but a ghost hides most."""
HARDLY_EDGE = 3.0
"""Levels by which an edge has come, in the median along its outline on plain floor, of a hand that is little brighter
than a dark floor, and blurred: 5 to 6 where that was met; of its ghost as much would have gone."""
SMALLEST_CORE = 0.2
"""Share of a region that is unlike a shadow, from which it may be something with its shadow about it: chosen."""
PATTERNED, HIDES = 0.25, 0.5
"""Share of the bare floor that is near edges of its own where it has a pattern; and share of that which is hidden below
a hand at least, and of what is hidden the share that it shows itself at most: chosen, .85 and .25 where one rested on
stripes, and .35 and 3 of its ghost, in a trial that no command repeats."""
STRIPE_PX = 19
"""Px across which a hand covers what it looks like of a pattern: about a face, chosen."""
MOSTLY = 0.5
"""Share of a region that is unlike a shadow, from which it is none: chosen, .76 of the hand that was met."""
HARDLY_ANY = 0.02
"""Share of a region that is unlike a shadow, up to which nothing speaks against one: chosen."""
STEEP = 0.5
"""Share of a shadow's depth within two px that is an edge: chosen, .38 at most of nine in ten px along soft ones met on
two bright floors, where they are deep, in a trial that no command repeats. Of a thing it is nearly all, unless its
flight smears it over a die's face."""
PLAIN_SHARE = 0.3
"""Share of its outline on plain floor from which that part alone may tell..."""
PLAIN_PX = 72
"""...or so many px of it, the edge of a forearm across four faces: an arm that covers much of a tray's rim, and a
shadow beside it, has far more outline elsewhere."""
DRIFT = 0.1
"""Levels per frame by which the picture follows slow changes of the light."""
CALM_FRAMES = 12
"""Frames without a body after which what is seen somewhere is the tray itself."""
ALIKE, WHOLLY = DIFFERENT / 2, 0.9
"""Levels by which a place differs at most that looks as it did, half of what tells a thing, and the share of a region
that does: along the edges in it the picture's coding may change a bit."""
GAIN = (0.5, 2.0)
TINTED = 10.0
"""Hue by which the rest of a body differs that differs clearly elsewhere: noise and shadows stay below 9 (99.9 % of the
floor). A dark green glove is seen over the rim, and over a dark grey floor only so."""
FAINT_TINT = 6.0
"""The same where something else says that a thing is there: the one die that was smeared beyond the rim and missed
differed by so much over .9 die areas at least, and nowhere by 10, in a trial that no command repeats."""
PALE, PALE_PX = 3.0, 2.0
"""Hue by which a wide thing differs of nearly the floor's colour, and px over which that is smoothed so that noise, and
what a codec makes of it, does not; chosen: a glove met differs by 5, floors by less than 1."""
COARSE = 6
"""Px that are one of the coarse picture (3 a face) in which the brightness of another light is taken."""
RELIT_NEAR_BLACK = 2.0
"""Instead of NEAR_BLACK, where another light is measured: the tray's picture is multiplied by what comes out, and the
more is added, the less of the light's change is taken over in the dark."""
OTHERWISE = 0.3
"""What has changed by this more or less (the logarithm) than the light about it is no change of the light."""
FITS, FEWEST_CELLS = 6, 40
"""How often the light's change is fitted anew to what it explains, and the px of the coarse picture that tell it."""
PART = 2048
"""Pixels that are asked at once whether they are in a shadow."""
SQUARE = np.ones((3, 3), np.uint8)
REACH = np.ones((5, 5), np.uint8)
"""How far from the outline its edges are looked for."""
USUAL_NOISE = 1.0
"""Levels by which noise may make an edge seem to have come: the bounds above were found where it did so."""
SMOOTH_FRAMES = 60
"""Frames after which what was learned from one has followed so many that most of its noise is gone, by DRIFT each."""
GRID_PX, FEWEST_BARE = 20, 40
"""Px between squares that are asked for noise, and so many of them, where nothing differs, that tell it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs from the empty tray: `mask` (h, w) uint8 0 or 1, `levelled` (h, w) the picture without the drift
    of exposure, `gain` that drift (1 = none), `hue` (h, w, 2) the picture's hues where there is colour, `tint` (h, w)
    uint8 what differs a little in these."""

    mask: Image
    levelled: FloatArray
    gain: float
    hue: FloatArray | None = None
    tint: Image | None = None


class EmptyTray:
    """The working picture (die at 18 px) of the tray with nothing in it."""

    def __init__(self, picture: Image | FloatArray, hue: FloatArray | None = None) -> None:
        """`picture`: grey (h, w), best of the empty tray, and its `hue` (h, w, 2), else taken from what is compared
        first; dice and hands in it are unlearned when they leave."""
        self.picture: FloatArray = picture.astype(np.float32)
        self._hue = hue
        self._calm, self._followed = (np.zeros(picture.shape, np.int32) for _ in range(2))
        self._former: EmptyTray | None = None

    def copy(self) -> "EmptyTray":
        """The same, which learns for itself from now on."""
        other = EmptyTray(self.picture, None if self._hue is None else self._hue.copy())
        other._calm, other._followed = self._calm.copy(), self._followed.copy()
        other._former = None if self._former is None else self._former.copy()
        return other

    @property
    def lit(self) -> FloatArray:
        """The tray, grey (h, w), where a shadow has been learned as it was before that."""
        return self.picture if self._former is None else np.maximum(self.picture, self._former.picture)

    @property
    def _seen(self) -> Mask:
        """Where the tray was seen empty for long enough to believe the picture of it."""
        return self._calm >= CALM_FRAMES

    def compare(self, picture: Image, hue: FloatArray | None = None) -> Difference:
        """What in `picture` (h, w) with `hue` (h, w, 2) differs, apart from a common change of exposure."""
        sparse_now, sparse_then = picture[::4, ::4].astype(np.float32), self.picture[::4, ::4]
        gain = float(np.clip(np.median((sparse_now + NEAR_BLACK) / (sparse_then + NEAR_BLACK)), *GAIN))
        levelled = np.asarray(picture * np.float32(1 / gain), np.float32)
        mask = (cv2.absdiff(levelled, self.picture) > DIFFERENT).astype(np.uint8)
        tint: Image | None = None
        if hue is not None:
            self._hue = hue if self._hue is None else self._hue
            apart = most_hue(cv2.absdiff(hue, self._hue))
            mask |= (apart > DIFFERENT).astype(np.uint8)
            self._add_faded(mask, levelled, hue)
            tint = _opened((apart > TINTED).astype(np.uint8))
        return Difference(_opened(mask), levelled, gain, hue, tint)

    def _add_faded(self, mask: Image, levelled: FloatArray, hue: FloatArray) -> None:
        """Add to a mask, in place, where something hides the colour of a dark floor: a black glove is little darker
        than a dark blue one and has no other hue in the dark, but all of the blue is gone."""
        assert self._hue is not None
        at = np.flatnonzero((cv2.subtract(self.picture, levelled) > ALIKE) & (mask == 0))
        then = chroma(self.picture.take(at), hues_at(self._hue, at))
        at, then = at[then > DIFFERENT], then[then > DIFFERENT]  # of a floor without colour nothing is left to ask
        np.put(mask, at, then - chroma(levelled.take(at), hues_at(hue, at)) > DIFFERENT)

    def faint(self, difference: Difference) -> Image:
        """What (h, w) differs ever so little in hue, 0 or 1."""
        if difference.hue is None or self._hue is None:
            return np.zeros(difference.mask.shape, np.uint8)
        return _opened((most_hue(cv2.absdiff(difference.hue, self._hue)) > FAINT_TINT).astype(np.uint8))

    def pale(self, difference: Difference, floor: Mask) -> Image:
        """What (h, w) differs a little in hue from the bare `floor` in its own light or in a shadow, 0 or 1."""
        pale = np.zeros(difference.mask.shape, np.uint8)
        if difference.hue is None or self._hue is None or not floor.any():
            return pale
        now, then, hue, known = (
            np.asarray(cv2.GaussianBlur(each, (0, 0), PALE_PX), np.float32)
            for each in (difference.levelled, self.picture, difference.hue, self._hue)
        )
        left = np.asarray(np.clip(difference.gain * now[floor] / np.maximum(then[floor], 1.0), 0, 1), np.float32)
        apart = hue[floor] - shaded_hues(then[floor], known[floor], left)
        apart -= np.median(apart, axis=0)
        pale[floor] = np.abs(apart).max(axis=1) >= PALE
        return _opened(pale)

    def is_real(
        self,
        region: Mask,
        difference: Difference,
        reaches_in: bool = False,
        plain: Mask | None = None,
        was: bool = False,
        stirs: bool = False,
    ) -> bool:
        """Whether something is there now in `region`: along its outline edges have come rather than gone, be it all or
        what of it lies where the tray has none, on its `plain` floor.

        Edges gone from that floor tell a ghost, whatever its rim shows: a hand that lay there when watching began was
        taken for the tray. What `reaches_in` from the border is real too where it hides edges of a tray seen empty
        before: a dark sleeve over the rim hides more of them than it brings. A shadow that takes from them brings none,
        and they show through it. What `was` real a moment ago need only not hide more, and no ghost `stirs`: where the
        floor does not show through what does, it hides that. What lies in a shadow of its own is told by its own
        outline, where the shadow's tells nothing. An arm at rest that is mostly no shadow stays one where a faint edge
        has come along most of its outline on plain floor, or where it hides that floor's pattern.
        """
        if self._stands_out(region, difference, reaches_in, plain, was, stirs):
            return True
        core, size = self._unlike_shadow(region, difference), int(np.count_nonzero(region))
        unlike = int(np.count_nonzero(core)) / max(size, 1)
        if SMALLEST_CORE < unlike < WHOLLY and self._stands_out(core, difference, reaches_in, plain, was, stirs):
            return True
        if not (was and reaches_in and unlike > MOSTLY) or plain is None:
            return False
        along = self._come_along(outline_of(region) & plain, difference)
        return along >= HARDLY_EDGE or self._hides_pattern(region, plain, difference)

    def _stands_out(
        self, region: Mask, difference: Difference, reaches_in: bool, plain: Mask | None, was: bool, stirs: bool
    ) -> bool:
        """Whether edges along a region's outline tell that something is there; see `is_real`."""
        outline = outline_of(region)
        length = np.count_nonzero(outline)
        if length == 0:
            return False
        around, now, then = self._edges_at(outline, difference)
        come = now - then - self._noise(difference, around)
        seen = float(self._seen[region].mean()) > 0.5
        inside = outline & plain if plain is not None else np.zeros_like(outline)
        if np.count_nonzero(inside) >= max(1, min(PLAIN_PX, PLAIN_SHARE * length)):
            came, went = _shares(come[inside[around]], self._faint_edge(inside))
            if _has_come(came, went):
                return True
            if _has_come(went, came):
                return was and stirs and likeness(now[inside[around]], then[inside[around]]) <= SHOWS_THROUGH
        came, went = _shares(come[outline[around]])
        hides = reaches_in and went >= LEAST_SHARE and seen
        shades = came < FEW_COME and likeness(now[outline[around]], then[outline[around]]) > SHOWS_THROUGH
        return _has_come(came, went, 1.0 if was else OUTWEIGH) or (hides and not shades)

    def _edges_at(self, outline: Mask, difference: Difference) -> tuple[tuple[slice, slice], FloatArray, FloatArray]:
        """The part of the picture about an outline, and how strong edges are in it now and in the empty tray."""
        around = _around(outline)
        now = _edges(difference.levelled, difference.hue, around)
        return around, now, _edges(self.picture, self._hue if difference.hue is not None else None, around)

    def _noise(self, difference: Difference, around: tuple[slice, slice], hue: bool = True) -> FloatArray:
        """Levels (h, w) by which a camera's noise makes edges seem to have come in a part of the picture, as it does
        where nothing differs: what followed many frames has less of it, but what was just learned from one has not."""
        bare, known = _on_grid(difference.mask).max((2, 3)) == 0, self._followed[around]
        if np.count_nonzero(bare) < FEWEST_BARE:
            return np.zeros(known.shape, np.float32)
        levels = [(difference.levelled, self.picture)]
        if hue and difference.hue is not None and self._hue is not None:
            levels += [(difference.hue[..., k], self._hue[..., k]) for k in (0, 1)]
        now, then = (
            np.max([np.ptp(_on_grid(each)[bare], (1, 2)) for each in seen], axis=0)
            for seen in zip(*levels, strict=True)
        )
        come = max(0.0, float(np.median(now - then)) - USUAL_NOISE)
        return np.asarray(come * np.minimum(known / SMOOTH_FRAMES, 1), np.float32)

    def _come_along(self, outline: Mask, difference: Difference) -> float:
        """By how many levels an edge has come along an outline, in the median; negative where it has gone."""
        if not outline.any():
            return 0.0
        around, now, then = self._edges_at(outline, difference)
        return float(np.median((now - then - self._noise(difference, around))[outline[around]]))

    def _hides_pattern(self, region: Mask, plain: Mask, difference: Difference) -> bool:
        """Whether a region hides the pattern that the `plain` floor has: its ghost would show that now."""
        closed = cv2.morphologyEx(region.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((STRIPE_PX, STRIPE_PX), np.uint8))
        inside = (cv2.erode(closed, SQUARE, iterations=3, borderValue=1) > 0) & plain
        bare = (cv2.dilate(difference.mask, SQUARE, iterations=3) == 0) & plain
        if not (inside.any() and bare.any()):
            return False
        around, now, then = self._edges_at(plain, difference)
        least = self._faint_edge(inside)
        usual = float((then[bare[around]] > least).mean())
        hidden, left = (float((edges[inside[around]] > least).mean()) for edges in (then, now))
        return usual >= PATTERNED and hidden >= HIDES * usual and left <= HIDES * hidden

    def is_shaded(self, region: Mask, difference: Difference, floor: Mask, else_px: float) -> bool:
        """Whether in `region` there is but a soft shadow of what is beside it, and nothing else of so many px.

        It takes as much of every colour, and brings no edge where it ends on the bare `floor`: where nothing speaks
        against a shadow, none that is steep beside its depth.
        """
        if difference.hue is None or self._hue is None or not region.any():
            return False
        at, other = np.flatnonzero(region), 0
        for start in range(0, len(at), PART):  # of a hand the first part tells, and most bodies are one
            part = at[start : start + PART]
            other += _in_runs(part[self._is_unlike_shadow(part, difference)])
            if other > min(else_px, (1 - WHOLLY) * len(at)):
                return False
        ends = outline_of(region) & (cv2.erode(floor.astype(np.uint8), REACH, borderValue=0) > 0)
        if not ends.any():
            return True
        around = _around(ends)
        come = _edges(difference.levelled, None, around) - _edges(self.picture, None, around)
        come -= self._noise(difference, around, hue=False)
        least = self._faint_edge(ends)
        if other <= HARDLY_ANY * len(at):
            least = max(least, STEEP * float(np.median(self.picture.take(at) - difference.levelled.take(at))))
        return _shares(come[ends[around]], least)[0] < LEAST_SHARE

    def _unlike_shadow(self, region: Mask, difference: Difference) -> Mask:
        """What of a region is not as the tray would be in a shadow, which takes as much of every colour; nothing where
        its colours are not known."""
        unlike = np.zeros_like(region)
        if difference.hue is not None and self._hue is not None:
            at = np.flatnonzero(region)
            np.put(unlike, at, self._is_unlike_shadow(at, difference))
        return unlike

    def _is_unlike_shadow(self, at: Indices, difference: Difference) -> Mask:
        """Of each of these pixels (n,), by their numbers in the picture, whose colours are known, whether it is so."""
        assert difference.hue is not None and self._hue is not None
        grey = self.picture.take(at)
        ratio = difference.levelled.take(at) / np.maximum(grey, 1.0)
        left = np.asarray(np.clip(difference.gain * ratio, 0.0, 1.0), np.float32)
        apart = np.abs(hues_at(difference.hue, at) - shaded_hues(grey, hues_at(self._hue, at), left))
        return np.asarray((np.maximum(apart[:, 0], apart[:, 1]) >= TINTED) | (ratio >= 1), np.bool_)

    def _faint_edge(self, places: Mask) -> float:
        """Levels by which an edge has come or gone where the floor is as bright as at these places."""
        return float(np.clip(FAINT_SHARE * self.picture[places].mean(), FAINT_EDGE, EDGE))

    def learn(self, region: Mask, difference: Difference) -> None:
        """Take the present look of `region` (and of the pixels next to it) for the empty tray."""
        grown = cv2.dilate(region.astype(np.uint8), SQUARE, iterations=3).astype(bool)
        self._remember(grown & self._seen)
        self._put(grown, difference.levelled, difference.hue, 0)
        self._followed[grown] = 0

    def is_back(self, region: Mask, difference: Difference) -> bool:
        """Whether `region` looks again as the empty tray did there before something else was learned.

        Of the two the one that was seen longer is believed: an arm that lay there when watching began is no tray.
        """
        if self._former is None:
            return False
        known, hue = self._former, difference.hue
        alike = known._calm[region] > self._calm[region]
        alike &= np.abs(difference.levelled[region] - known.picture[region]) <= ALIKE
        if hue is not None and known._hue is not None:
            alike &= np.abs(hue[region] - known._hue[region]).max(axis=1) <= ALIKE
        return float(alike.mean()) >= WHOLLY

    def _remember(self, places: Mask) -> None:
        """What is known of the tray there is about to be replaced: of two such pictures the longer seen one stays."""
        if not places.any():
            return
        if self._former is None:
            self._former = EmptyTray(np.zeros_like(self.picture), None if self._hue is None else self._hue.copy())
        longer = places & (self._calm >= self._former._calm)
        self._former._put(longer, self.picture, self._hue, self._calm[longer])

    def _put(self, places: Mask, picture: FloatArray, hue: FloatArray | None, calm: Any) -> None:
        """Take a `picture` (h, w) and its `hue` for the tray at some places, seen so for `calm` frames."""
        self.picture[places] = picture[places]
        if self._hue is not None and hue is not None:
            self._hue[places] = hue[places]
        self._calm[places] = calm

    def relight(self, picture: Image, hue: FloatArray | None, body: Mask) -> None:
        """Another light is on: give the empty tray the brightness that `picture` (h, w) has around each place, and its
        `hue` (h, w, 2).

        A light changes smoothly over the tray. What has changed otherwise is something that lies or moves there now, as
        a `body` did last: below it the light is what it is about it, and the tray is still known.
        """
        size = (max(1, self.picture.shape[1] // COARSE), max(1, self.picture.shape[0] // COARSE))
        now, then = (
            cv2.resize(p, size, interpolation=cv2.INTER_AREA) for p in (picture.astype(np.float32), self.picture)
        )
        change = np.log((now + RELIT_NEAR_BLACK) / (then + RELIT_NEAR_BLACK))
        light, hidden = _smooth(change, cv2.resize(body.astype(np.uint8), size) > 0)
        whole = cv2.resize(np.exp(light), self.picture.shape[::-1], interpolation=cv2.INTER_LINEAR)
        self.picture = np.asarray(np.clip(self.picture * whole, 0, 255), np.float32)
        below = cv2.resize(hidden.astype(np.uint8), self.picture.shape[::-1]) > 0
        if hue is not None and self._hue is not None and not below.all():
            known = self._hue + np.median((hue - self._hue)[~below], axis=0)
            hue = np.where(below[..., None], known, hue).astype(np.float32)
        self._hue = hue
        self._former = None
        self._calm[~below] = 0  # what else is there may be a hand, and looks then as if it had been there always

    def follow(self, difference: Difference, frames: int = 1) -> None:
        """Follow slow changes of the light wherever nothing differs; to be called while no body is there.

        frames: how many showed the same, of which this is the last.
        """
        clear = (cv2.dilate(difference.mask, SQUARE, iterations=3) == 0).astype(np.uint8)
        drift = DRIFT * frames
        for known, now in ((self.picture, difference.levelled), (self._hue, difference.hue)):
            if known is not None and now is not None:
                step = cv2.subtract(now, known)
                np.clip(step, -drift, drift, out=step)
                cv2.add(known, step, dst=known, mask=clear)
        self._calm += clear * np.int32(frames)
        self._followed += clear * np.int32(frames)


def _smooth(change: FloatArray, body: Mask) -> tuple[FloatArray, Mask]:
    """How the light changed over the tray, as logarithms (h, w), and where (h, w) what is seen changed otherwise.

    change: the logarithm by which each place is seen to have changed. A surface of second order is fitted to it again
    and again, but for the `body` and for what lies off the surface.
    """
    y, x = np.mgrid[-1 : 1 : change.shape[0] * 1j, -1 : 1 : change.shape[1] * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).reshape(-1, 6)
    flat, seen = change.ravel(), ~body.ravel()
    light = np.full_like(flat, np.median(flat[seen] if seen.any() else flat))
    for _ in range(FITS if seen.any() else 0):
        apart = np.abs(flat - light)
        used = seen & (apart <= max(OTHERWISE / 2, float(np.median(apart[seen]))))
        if np.count_nonzero(used) > FEWEST_CELLS:
            light = terms @ np.linalg.lstsq(terms[used], flat[used], rcond=None)[0]
    surface = light.reshape(change.shape)
    other = (np.abs(change - surface) > OTHERWISE) | body
    hidden = cv2.dilate(other.astype(np.uint8), SQUARE, iterations=2) > 0
    local = cv2.GaussianBlur(np.where(hidden, surface, change), (0, 0), 1.5)
    return np.asarray(local, np.float32), hidden


def outline_of(region: Mask) -> Mask:
    """The pixels of a region along its outline, but for the border of the picture."""
    return np.asarray(region & (cv2.erode(region.astype(np.uint8), SQUARE, borderValue=1) == 0), np.bool_)


def _around(places: Mask) -> tuple[slice, slice]:
    """Rows and columns of these places and of a few pixels about them."""
    rows, columns = np.nonzero(places)
    return slice(max(0, rows.min() - 3), rows.max() + 4), slice(max(0, columns.min() - 3), columns.max() + 4)


def _on_grid(picture: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The squares (rows, columns, 5, 5) of a picture (h, w) that lie GRID_PX apart, as a view."""
    return np.lib.stride_tricks.sliding_window_view(picture, REACH.shape)[::GRID_PX, ::GRID_PX]


def _shares(come: FloatArray, edge: float = EDGE) -> tuple[float, float]:
    """The shares of pixels at which an edge of so many levels has come, and has gone."""
    return float((come > edge).mean()), float((-come > edge).mean())


def _in_runs(at: Indices) -> int:
    """How many of these pixels (n,), by their numbers in the picture, lie in a row of three and more: on a dark floor a
    camera's noise has any hue, in ones and twos."""
    middle = np.flatnonzero(at[2:] - at[:-2] == 2)
    return len(np.unique(middle[:, None] + np.arange(3)))


def _has_come(came: float, went: float, outweigh: float = OUTWEIGH) -> bool:
    return came >= LEAST_SHARE and came >= outweigh * went


def _opened(mask: Image) -> Image:
    """The mask without specks and lines of a pixel or two."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, SQUARE), np.uint8)


def _edges(grey: FloatArray, hue: FloatArray | None, around: tuple[slice, slice]) -> FloatArray:
    """How much light or hue changes near each pixel of a part of the picture."""
    edges = np.asarray(cv2.morphologyEx(grey[around], cv2.MORPH_GRADIENT, REACH), np.float32)
    if hue is None:
        return edges
    return np.maximum(edges, most_hue(cv2.morphologyEx(hue[around], cv2.MORPH_GRADIENT, REACH)))

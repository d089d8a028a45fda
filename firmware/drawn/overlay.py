"""The annotated video: what the watcher believes, drawn on each frame, with what it said beside and below."""

import math
from collections import deque
from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from firmware.drawn.annotate import Box, Mark, mark_of, put_marks
from firmware.drawn.canvas import BLUE, GREY, INK, PURPLE, RED, WHITE, Colour, Image, faded
from firmware.drawn.commentary import SIDE, Commentary, entries
from firmware.drawn.timeline import FOOT, Timeline
from firmware.match import Facts, Moment
from firmware.show import dice_meant
from scorer.events import DiceAtRest, DiceLifted, DieState, DieUnseen, Ruling
from vision.view import SeenDie, TrayView
from vision.watcher import Watcher

SHORTER_SIDE = 480
"""Smaller pictures are enlarged to this; the unit of all lettering is a 480th of it."""
TAIL_S = 0.8
GAP_S = 0.15
"""A track not seen for longer has no line between, and loses its tail."""
MOVED_FACES = 0.4
"""A shorter tail is noise and is not drawn."""
RING_FACES = 0.75
"""Radius of the ring around what moves. No tail is drawn within so much of any die, whose pips stay in view."""
TAIL_COLOURS: tuple[Colour, ...] = (
    (255, 220, 60),
    (80, 160, 255),
    (200, 120, 255),
    (60, 235, 255),
    (120, 255, 140),
    (255, 150, 150),
)
"""Tracks are told apart by their colour."""
ODD: dict[DieState, Colour] = {"cocked": RED, "stacked": RED, "off_tray": PURPLE}
TINT = 0.28
REMEMBERED = 20
"""Dice that lie there no more whose last places are kept: a question may be about them."""

Place = tuple[float, float]


class Overlay:
    """Draws one moment after the other; remembers where the dice came from and what was said."""

    def __init__(self, watcher: Watcher) -> None:
        """`watcher`: whose beliefs are drawn; each moment is drawn before its next step."""
        self._watcher = watcher
        self._zoom = max(1.0, SHORTER_SIDE / min(watcher.geometry.size))
        self._tails: dict[int, deque[tuple[float, Place]]] = {}
        self._resting: dict[int, SeenDie] = {}
        self._gone: dict[int, SeenDie] = {}
        self._ruled: tuple[Ruling, ...] = ()
        self._meant: frozenset[int] = frozenset()
        self._missed: list[SeenDie] = []
        self._commentary, self._timeline = Commentary(), Timeline()

    def draw(self, moment: Moment) -> Image:
        """The frame with everything drawn in, and the side and the foot around it: uint8 BGR (h, w, 3)."""
        (width, height), told = self.size, entries(moment.facts)
        unit = min(width, height) / SHORTER_SIDE
        canvas = np.empty((height + round(FOOT * unit), width + round(SIDE * unit), 3), np.uint8)
        self._put(canvas[:height, :width], moment)
        self._commentary.draw(canvas[:height, width:], moment, told, unit)
        self._timeline.draw(canvas[height:], moment.frame.t, moment.view.phase, told, unit)
        return canvas

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the frame as it is drawn, px: enlarged where it is small."""
        width, height = self._watcher.geometry.size
        return round(self._zoom * width), round(self._zoom * height)

    def picture(self, moment: Moment) -> Image:
        """The frame alone with everything drawn in."""
        picture = np.empty((*reversed(self.size), 3), np.uint8)
        self._put(picture, moment)
        return picture

    def _put(self, picture: Image, moment: Moment) -> None:
        """Draw the frame and what is believed of it."""
        view, zoom, unit = moment.view, self._zoom, min(self.size) / SHORTER_SIDE
        self._follow(view, moment.facts)
        self._heed(moment.state.last if moment.state else ())
        image = moment.frame.image
        picture[:] = image if image.shape == picture.shape else cv2.resize(image, self.size)
        _tint(picture, [outline * zoom for outline in self._watcher.body_outlines()], unit)
        _draw_floor(picture, self._watcher.geometry.outline * zoom, unit)
        self._draw_tails(picture, view, unit)
        for die in view.dice:
            if die.reading is None:
                _draw_ring(picture, die, zoom, unit)
        here = {die.id for die in view.dice}
        away = [die for die in (*self._resting.values(), *self._missed) if die.id not in here]
        lying = sorted((die for die in view.dice if die.reading), key=lambda die: die.id or 0)
        rings = [_ring_box(die, zoom) for die in view.dice if die.reading is None]
        put_marks(picture, [*map(self._mark, lying), *(self._mark(die, faint=True) for die in away)], rings)
        if not view.trusted:
            cv2.rectangle(picture, (0, 0), (self.size[0] - 1, self.size[1] - 1), RED, round(8 * unit))

    def _follow(self, view: TrayView, facts: Facts) -> None:
        """Note where the tracks are, and which dice were last seen to lie where."""
        for die in view.dice:
            self._tails.setdefault(die.track, deque()).append((view.t, (die.x, die.y)))
            if die.id is not None and die.reading:
                self._resting[die.id] = die
                self._gone.pop(die.id, None)
        for fact in facts:
            gone = set(fact.ids) if isinstance(fact, (DiceLifted, DieUnseen)) else set()
            if isinstance(fact, DiceAtRest):
                gone = self._resting.keys() - {die.id for die in fact.dice}
            for number in gone:
                if number in self._resting:
                    self._gone[number] = self._resting.pop(number)
        self._gone = dict([*self._gone.items()][-REMEMBERED:])
        for tail in self._tails.values():
            while tail and view.t - tail[0][0] > TAIL_S:
                tail.popleft()
        self._tails = {track: tail for track, tail in self._tails.items() if tail and view.t - tail[-1][0] <= GAP_S}

    def _heed(self, ruled: tuple[Ruling, ...]) -> None:
        """Note which dice are meant by what was ruled last, and which of those lay there no more when it was."""
        if ruled is not self._ruled:
            self._ruled = ruled
            self._meant = frozenset().union(*map(dice_meant, ruled))
            self._missed = [self._gone[number] for number in sorted(self._meant & self._gone.keys())]

    def _draw_tails(self, picture: Image, view: TrayView, unit: float) -> None:
        """Where each thing came from: lines that grow thinner with their age."""
        before, here = picture.copy(), np.zeros(picture.shape[:2], np.uint8)
        for track, tail in self._tails.items():
            if max(math.dist(place, tail[-1][1]) for _, place in tail) < MOVED_FACES * self._watcher.geometry.die_px:
                continue
            for (then, start), (next_t, end) in pairwise(tail):
                if next_t - then <= GAP_S:
                    begun, ended = ((round(x * self._zoom), round(y * self._zoom)) for x, y in (start, end))
                    width = max(1, round((1 - (view.t - next_t) / TAIL_S) * 4 * unit))
                    cv2.line(picture, begun, ended, _track_colour(track), width, cv2.LINE_AA)
        for die in view.dice:
            cv2.circle(here, *_ring(die, self._zoom), 255, cv2.FILLED)
        cv2.copyTo(before, here, picture)

    def _mark(self, die: SeenDie, faint: bool = False) -> Mark:
        """What is believed of a die that lies still; `faint`: where it lay before something came over it."""
        assert die.reading is not None
        mark = mark_of(die.reading, self._zoom)
        state = die.state or "flat"
        text = mark.text if state in ("flat", "unknown") else f"{mark.text} {state.replace('_', ' ')}"
        colour = GREY if faint else ODD.get(state)
        tag = "" if die.id is None else f"#{die.id}"
        sure, meant = mark.sure and not faint, die.id in self._meant
        return Mark(mark.x, mark.y, mark.face_px, mark.angle, text, sure, colour, tag, meant)


def _track_colour(track: int) -> Colour:
    return TAIL_COLOURS[track % len(TAIL_COLOURS)]


def _tint(picture: Image, outlines: Sequence[npt.NDArray[np.float64]], unit: float) -> None:
    """Colour the bodies."""
    for outline in outlines:
        corners = np.round(outline).astype(np.int32)
        left, top, width, height = cv2.boundingRect(corners)
        part = picture[max(0, top) : top + height, max(0, left) : left + width]
        tinted = part.copy()
        cv2.fillPoly(tinted, [corners], BLUE, offset=(-max(0, left), -max(0, top)))
        part[:] = cv2.addWeighted(tinted, TINT, part, 1 - TINT, 0)
        cv2.polylines(picture, [corners], True, BLUE, max(1, round(1.5 * unit)), cv2.LINE_AA)


def _draw_floor(picture: Image, outline: npt.NDArray[np.float32], unit: float) -> None:
    corners = np.round(outline).astype(np.int32)
    cv2.polylines(picture, [corners], True, faded(WHITE, 0.7, (120, 120, 80)), max(1, round(unit)), cv2.LINE_AA)


def _draw_ring(picture: Image, die: SeenDie, zoom: float, unit: float) -> None:
    """A thing that is not at rest, in its track's colour; a still thing that is no die yet, thin."""
    centre, radius = _ring(die, zoom)
    width = max(1, round(unit)) if die.still else max(2, round(2 * unit))
    cv2.circle(picture, centre, radius, INK, width + 2, cv2.LINE_AA)
    cv2.circle(picture, centre, radius, WHITE if die.still else _track_colour(die.track), width, cv2.LINE_AA)


def _ring_box(die: SeenDie, zoom: float) -> Box:
    """The box around that ring."""
    (x, y), radius = _ring(die, zoom)
    return x - radius, y - radius, x + radius, y + radius


def _ring(die: SeenDie, zoom: float) -> tuple[tuple[int, int], int]:
    """Centre and radius of the ring around a thing, px of the enlarged picture."""
    return (round(die.x * zoom), round(die.y * zoom)), round(RING_FACES * die.size * zoom)

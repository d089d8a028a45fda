"""The dice at rest, found and read: those that are seen, those that lie flush with them and were located as one, and
those that nothing located, as they hardly look like dice on such a floor, but that are read surely.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.calm import is_clear
from vision.flush import Place, located_at, middle_of, places_beside
from vision.geometry import TrayGeometry
from vision.judge import Judge, Thing
from vision.lying import Lying
from vision.network import Networks
from vision.perceive import Perception, Scene
from vision.rest import SHORT_LAG_S, SLACK_S
from vision.resting import SET, Resting
from vision.source import Frame
from vision.track import Sighting, Track
from vision.tracker import Tracker

Image = npt.NDArray[np.uint8]
Seen = tuple[Sighting, Track]
"""A thing in one frame, and its track."""

MOST = 16
"""So many things are judged at most, those most like dice: a picture without its tray showed 39 that lay still, in a
trial that no command repeats, and what is no die takes longest to read. Chosen, three sets of dice and one more."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The dice at rest in a scene, and the track of each."""

    scene: Scene
    dice: tuple[Resting, ...]
    tracks: tuple[Track, ...]

    @property
    def sure(self) -> bool:
        """Whether all are read surely that must be: those in the tray."""
        return all(die.value is not None for die in self.dice if die.state != "off_tray")

    @property
    def mostly_read(self) -> bool:
        """Whether more than half of them are read surely."""
        return 2 * sum(die.value is None for die in self.dice) < len(self.dice)


class Gathering:
    """Gathers the dice of one tray, each read in the last frame and one a short lag older."""

    def __init__(self, networks: Networks, perception: Perception, tracker: Tracker) -> None:
        """Nothing has been seen yet."""
        self._perception, self._tracker = perception, tracker
        self._judge = Judge(networks, perception.geometry)
        self._frames: deque[Frame] = deque()

    def keep(self, frame: Frame) -> None:
        """Keep this frame and the youngest that is one short lag older."""
        self._frames.append(frame)
        while len(self._frames) > 1 and frame.t - self._frames[1].t >= SHORT_LAG_S - SLACK_S:
            self._frames.popleft()

    def disturb(self) -> None:
        """Something moves: what was read says nothing about what will lie there."""
        self._judge.forget()

    def lose_sight(self) -> None:
        """No frame so far is to be compared with what comes now."""
        self.disturb()
        self._frames.clear()

    def moved(self, geometry: TrayGeometry) -> None:
        """The tray lies elsewhere in the picture from now on."""
        self._judge.moved(geometry)

    def gather(self, scene: Scene, tracks: Sequence[Track], lying: Lying) -> Gathered | None:
        """The dice among the things in a scene, the last that was kept, of these tracks; where some are missing, with
        those that were located as one with others, or not at all. None where one of these moves yet."""
        clear = [(track.sighting, track) for track in tracks if is_clear(track.sighting, scene)]
        seen, images = _most_like_dice(clear, lying), self._images()
        dice, found = self._judge.judge(self._things(seen, lying), scene.picture, images)
        for _ in range(SET - len(dice)):
            flush = self._find_flush(dice, images)
            if flush is None:
                break
            index, (x, y), missed = flush
            if not missed.still:
                return None
            one = found[index]
            seen = [(replace(thing, x=x, y=y) if track is one else thing, track) for thing, track in seen]
            seen.append((missed, self._tracker.recover(scene.frame.t, missed, one)))
            dice, found = self._judge.judge(self._things(seen, lying), scene.picture, images)
        if len(dice) < SET:
            faint = self._not_located(scene, dice, images)
            if not all(thing.still for thing in faint):
                return None
            seen += [(thing, self._tracker.appear(scene.frame.t, thing)) for thing in faint]
            things = self._things(seen, lying, missing=SET - len(dice))
            dice, found = self._judge.judge(things, scene.picture, images, followed=True)
        return Gathered(scene, tuple(dice), tuple(found))

    def stacked(self, found: Gathered, alone: bool) -> Gathered:
        """The same dice as they lie where thrown ones are missing: on these (see `Judge.lying_on_missing`). `alone`:
        nothing lay there before, and nothing went over the rim."""
        missing = SET - len(found.dice)
        if missing <= 0 or not any(track.die is None and track.flew for track in found.tracks):
            return found
        dice = self._judge.lying_on_missing(found.scene.frame.image, found.dice, alone and missing == 1)
        return replace(found, dice=tuple(dice))

    def value(self, thing: Sighting, images: Sequence[Image]) -> int | None:
        """What a die that is located so in these images (BGR) shows, where that is sure."""
        return self._judge.read_at(thing, images).value

    def _images(self) -> list[Image]:
        """The frame of one short lag ago, or the last where there is none, and the last; BGR (h, w, 3)."""
        first, now = self._frames[0], self._frames[-1]
        return [(first if now.t - first.t >= SHORT_LAG_S - SLACK_S else now).image, now.image]

    def _things(self, seen: Sequence[Seen], lying: Lying, missing: int = 0) -> list[Thing]:
        """Things seen, and what lay where they lie. Where dice are `missing`, so many of those that flew there are new,
        though the floor has nearly their colour."""
        flew = sorted((track for thing, track in seen if thing.bare and track.came_flying), key=lambda t: -t.heat)
        new = {track.number for track in flew[:missing]}
        return [Thing(s, track, not s.bare or track.number in new, lying.at(s.x, s.y)) for s, track in seen]

    def _not_located(self, scene: Scene, dice: Sequence[Resting], images: Sequence[Image]) -> list[Sighting]:
        """What else lies in the tray, as large as a die and read surely, though nothing located it, or but marks of the
        floor beside it were: no more than are missing."""
        located = ((thing.x, thing.y) for thing in scene.sightings if not thing.bare)
        known = [*((die.x, die.y) for die in dice), *located]
        seen = (self._perception.look_at(*place) for place in self._perception.like_dice(known)[:MOST])
        things = [thing for thing in seen if thing is not None and is_clear(thing, scene)]
        read = [(self._judge.read_once(thing, images), thing) for thing in things]
        sure = sorted((one for one in read if one[0].value is not None), key=lambda one: -one[0].score)
        places = ((located_at(r.centre, (thing.x, thing.y), self._perception.geometry), thing) for r, thing in sure)
        return [replace(thing, x=x, y=y) for (x, y), thing in places][: SET - len(dice)]

    def _find_flush(self, dice: Sequence[Resting], images: Sequence[Image]) -> tuple[int, Place, Sighting] | None:
        """A die that lies flush with one of these and was located as one with it: which of them that is, where it would
        be located alone, px, and the other. One that moves is taken for a die unread."""
        geometry = self._perception.geometry
        for index, die in enumerate(dice):
            if die.state != "flat" or die.value is None:
                continue
            for place in places_beside(die, dice, geometry):
                missed = self._perception.look_at(*place)
                if missed is None or not self._perception.is_covered(missed):
                    continue
                if not missed.still or self._judge.is_flush(die, missed, images):
                    return index, middle_of(die, geometry), missed
        return None


def _most_like_dice(seen: Sequence[Seen], lying: Lying) -> list[Seen]:
    """Those of the things that are to be judged, in their order: where a die lay, what came, in the tray, most like
    dice."""
    if len(seen) <= MOST:
        return list(seen)
    first = sorted(
        seen, key=lambda one: (lying.at(one[0].x, one[0].y) is None, one[0].bare, one[0].outside, -one[0].heat)
    )
    chosen = {track.number for _, track in first[:MOST]}
    return [one for one in seen if one[1].number in chosen]

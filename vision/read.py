"""Reading one die: its value where that is sure, how likely it is, and how its top face lies.

The reader looks at a crop in four turns. A value scores the worst of its four probabilities times the margin by which
the map of pip centres shows its pips, lying as they should, and none that would make it another: two opinions that must
agree. Where grey is not clear at once, or colour does not bear it out, colour and other channels are asked too (red
pips on black or blue show in hue alone, the far pips of a translucent die vanish in the darkest or the lightest
channel, and thin print and glare where that is opened), each in three crop sizes of which the mean counts: a mistake
seldom survives another size. A channel may lift a value above what grey makes of it, as far as it is trusted; one that
sees another value makes it doubtful, and so does colour where it does not see it. What else may lie behind a value that
passes the bar is asked of it then (`vision.doubt`). A die that is not sure from where it was found is looked at once
more from the middle of its pips.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scorer.events import DieState
from vision.channel import CHANNELS, Image, channels_of
from vision.doubt import (
    are_unlike,
    bears_out,
    has_face_above,
    is_aslant,
    is_colourless,
    is_odd,
    is_off_middle,
    is_spoilt,
    is_washed_out,
    may_be_edge,
    may_be_glints,
    may_be_side,
    may_be_two,
)
from vision.errors import PictureError
from vision.face import Spread, corner_spread, edge_angle, face_box, pip_angle, pip_centre
from vision.network import Networks
from vision.opinion import Opinion, Patch, View, opinions_of, view_of, weighed

REACH = 1.3
"""Half edge, in die faces, of the patch cut out around a die; the largest crop needs 0.91 and the blur some more."""
FARTHER = 1.5
"""Where the top face may lie above the one that was read, as many times as much is cut out."""
FEW_PIPS = (1, 2, 3)
"""Values that halves of others, glints, marks and signs on keys look like."""
FEW = 1.3
"""Few pips must show this many times as well as others where they are not clear."""
DOUBTED = 0.99
"""Share of the bar that a score keeps at most where the value is doubted for another reason."""
LOOK_AGAIN = (0.05, 0.5)
"""Faces from where a die was found to the middle of its pips, for which an unsure one is read again from there; at half
an edge, the next die begins."""
ANOTHER_LOOK = 2 / 3
"""What a score counts that was not reached at first: among more looks a mistake finds a better one. The surest of these
on photographs left out scores .26 so, as the `card` step of the training prints; of those at first none passes .2."""
DOWN = (0.0, 1.0)
"""Where side faces are seen in a picture taken aslant by a camera that nobody has turned."""
INSIDE = 0.45
"""The picture must reach this far, in die faces, on every side of a face's centre."""

Place = tuple[float, float]
"""x and y, px of the frames."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one die shows. It is sure where `value` is not None.

    p: chance that `likely`, the best value, is right. score: what p and sureness rest on. blank: probability that there
    is no readable flat face at all. angle: of the face's edges, degrees in [0, 90). box: left, top, width, height of
    the top face, px.
    """

    value: int | None
    p: float
    likely: int
    state: DieState
    angle: float
    box: tuple[float, float, float, float]
    score: float
    blank: float
    spread: Spread | None = None

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of the top face, px."""
        left, top, width, height = self.box
        return left + width / 2, top + height / 2

    @property
    def face_px(self) -> float:
        """Edge of the top face, px: the box bounds the face as it is turned."""
        turned = math.radians(self.angle)
        return self.box[2] / (abs(math.cos(turned)) + abs(math.sin(turned)))

    def at(self, x: float, y: float) -> "Reading":
        """The same, with the centre of the top face at another place, px."""
        _, _, width, height = self.box
        return replace(self, box=(x - width / 2, y - height / 2, width, height))

    def turned_from(self, other: "Reading") -> float:
        """Degrees, 0 to 45, by which the face's edges are turned beside those of another."""
        return abs((self.angle - other.angle + 45) % 90 - 45)


def read_die(
    networks: Networks,
    bgr_frames: Sequence[Image],
    x: float,
    y: float,
    die_px: float,
    sides: tuple[float, float] | None = None,
) -> Reading:
    """Read the die at (x, y) px whose face is `die_px` wide, in one frame or in several of the same resting die.

    `sides` points, in the picture, to where its side faces are seen, which a camera that looks in aslant must not take
    for the top: towards what lies straight below the camera. None: the camera is known to look down on the die.

    Frames are (h, w, 3) BGR or (h, w) grey, all of one size. Several frames only ever add doubt to a chance reading:
    a view's score is its mean over the frames, while contradiction in any single frame counts in full.
    Raises PictureError where there is no frame or (x, y) lies outside it.
    """
    if not bgr_frames:
        raise PictureError("no frame to read a die in")
    found = (x, y)
    reading, pips_at = _read_from(networks, bgr_frames, found, found, die_px, sides)
    if reading.value is not None or pips_at is None or not _is_another_place(pips_at, found, bgr_frames[0], die_px):
        return reading
    if sides is not None and is_off_middle((pips_at[0] - x, pips_at[1] - y), die_px, sides):
        return reading
    again, _ = _read_from(networks, bgr_frames, pips_at, found, die_px, sides)
    again = _of_another_look(networks, again)
    return again if again.value == reading.likely else reading


def _read_from(
    networks: Networks,
    bgr_frames: Sequence[Image],
    place: Place,
    found: Place,
    die_px: float,
    sides: tuple[float, float] | None,
) -> tuple[Reading, Place | None]:
    """The die that was found somewhere as it is read from a place, and the middle of its pips, px of the frames.

    None: they do not lie as on a face.
    """
    patches = [patch_around(frame, *place, die_px) for frame in bgr_frames]
    first = view_of(networks, patches, CHANNELS[0], die_px)
    opinions = [Opinion(CHANNELS[0], (first,))]
    if not _is_clear(networks, patches, first, die_px):
        opinions = opinions_of(networks, patches, first)
    reading, leading = _judge(networks, opinions, *place, die_px)
    lies = leading.looks[-1].pips.peaks.lattice(reading.likely) is not None
    pips_at = _middle_of_pips(leading, reading.likely, place) if lies else None
    if reading.value is None:
        return reading, pips_at
    if not _is_whole(reading, bgr_frames[0], die_px) or _may_be_another(networks, patches, opinions, leading, reading):
        return as_unsure(networks, reading), pips_at
    if sides is not None:
        about = [patch_around(frame, *found, FARTHER * die_px) for frame in bgr_frames]
        offset = (reading.centre[0] - found[0], reading.centre[1] - found[1])
        is_side = may_be_side(networks, about, die_px, offset, reading.angle, sides)
        if is_side or has_face_above(networks, about, die_px, offset, sides):
            return as_unsure(networks, reading), pips_at
    return reading, pips_at


def _is_clear(networks: Networks, patches: list[Patch], first: View, die_px: float) -> bool:
    """Grey shows a value so well that no more needs to be asked, and colour, if there is any, bears it out.

    Blotches of a marbled body lie like pips in grey where only its pips have a colour.
    """
    if first.scores.max() < networks.thresholds.clear:
        return False
    if CHANNELS[1] not in channels_of(patches[0][0]):
        return True
    shown = view_of(networks, patches, CHANNELS[1], die_px).scores
    return bears_out(float(shown[first.scores.argmax()]), float(first.scores.max()))


def _middle_of_pips(view: View, value: int, place: Place) -> Place:
    """The middle, px, of the pips of a value that a view from a place shows, in the last frame."""
    x, y = pip_centre(view.looks[-1].pips.of(value))
    return place[0] + view.offset[0] + x * view.face_px, place[1] + view.offset[1] + y * view.face_px


def _is_another_place(place: Place, found: Place, frame: Image, die_px: float) -> bool:
    """A place in the picture that is worth another look at a die found elsewhere: off it, but on the same die."""
    (x, y), (height, width) = place, frame.shape[:2]
    nearest, farthest = LOOK_AGAIN
    return 0 <= x < width and 0 <= y < height and nearest <= math.dist(place, found) / die_px <= farthest


def as_likely(readings: Sequence[Reading]) -> list[Reading]:
    """The readings, those not sure as if they showed what they likely do."""
    return [replace(reading, value=reading.likely) for reading in readings]


def as_unsure(networks: Networks, reading: Reading) -> Reading:
    """The same reading below the bar: p must not look sure where the value is not."""
    score = min(reading.score, DOUBTED * networks.thresholds.sure)
    return replace(reading, value=None, state="unknown", score=score, p=networks.probability(score))


def _of_another_look(networks: Networks, reading: Reading) -> Reading:
    """The same reading where it is not the first of a die: its score counts for less, and must pass the bar so."""
    score = ANOTHER_LOOK * reading.score
    if reading.value is None or score < networks.thresholds.sure:
        return as_unsure(networks, reading)
    return replace(reading, score=score, p=networks.probability(score))


def patch_around(frame: Image, x: float, y: float, die_px: float) -> Patch:
    """The frame around a die, and the die's place in it."""
    height, width = frame.shape[:2]
    if not (0 <= x < width and 0 <= y < height):
        raise PictureError(f"a die at ({x:.0f}, {y:.0f}) lies outside a picture of {width}x{height} px")
    reach = int(REACH * die_px) + 4
    left, top = max(0, int(x) - reach), max(0, int(y) - reach)
    return frame[top : int(y) + reach, left : int(x) + reach], x - left, y - top


def _judge(networks: Networks, opinions: list[Opinion], x: float, y: float, die_px: float) -> tuple[Reading, View]:
    """Decide from the channels' opinions, the grey one first; also the view that leads."""
    limits = networks.thresholds
    said, scores = np.stack([opinion.scores for opinion in opinions]), weighed(opinions)
    best = int(scores.argmax())
    views = opinions[int(said[:, best].argmax())].views
    leading = max(views, key=lambda view: float(view.scores[best]))
    score = float(scores[best]) / (FEW if best + 1 in FEW_PIPS and len(opinions) > 1 else 1)
    sure = score >= limits.sure
    angle, (centre_x, centre_y) = _lie(leading, best + 1, sure)
    reading = Reading(
        value=best + 1 if sure else None,
        p=networks.probability(score),
        likely=best + 1,
        state="flat" if sure else "unknown",
        angle=angle,
        box=face_box(x + centre_x, y + centre_y, die_px, angle),
        score=score,
        blank=min(view.blank for opinion in opinions for view in opinion.views),
        spread=corner_spread(leading.looks[-1].pips.of(best + 1)) if sure else None,
    )
    contradicted = max(opinion.against(best + 1) for opinion in opinions) >= limits.dissent * float(said[:, best].max())
    if contradicted or reading.blank >= limits.blank:
        reading = as_unsure(networks, reading)
    return reading, leading


def _is_whole(reading: Reading, frame: Image, die_px: float) -> bool:
    """The whole face lies within the picture: of a face that is cut off, pips may be missing."""
    (x, y), (height, width) = reading.centre, frame.shape[:2]
    return bool(min(x, y, width - 1 - x, height - 1 - y) >= INSIDE * die_px)


def _may_be_another(
    networks: Networks, patches: list[Patch], opinions: list[Opinion], view: View, reading: Reading
) -> bool:
    """Another value may lie behind the one that passed the bar; where grey is clear at once, less is asked of it."""
    value, limits = reading.likely, networks.thresholds
    if any(doubt(value, view) for doubt in (is_spoilt, is_odd, is_aslant, is_washed_out)):
        return True
    if value == 1 and may_be_two(networks, patches, view, reading.face_px):
        return True
    if len(opinions) == 1:
        return False
    if is_colourless(opinions, value) or are_unlike(opinions, value):
        return True
    if may_be_glints(opinions, view, value, limits.dissent):
        return True
    return value in (2, 3) and may_be_edge(networks, patches, view, value, reading.score)


def _lie(view: View, value: int, sure: bool) -> tuple[float, tuple[float, float]]:
    """Angle of the face, and its centre in px from where the die was looked for, in the last frame."""
    seen = view.looks[-1]
    if not sure:
        return edge_angle(seen.grey), view.offset
    angle = pip_angle(seen.pips.of(value))
    return edge_angle(seen.grey) if angle is None else angle, _middle_of_pips(view, value, (0.0, 0.0))

"""A quick look that tells what shows no face: nothing takes longer to read than a thing that is no die.

A clear die is sure after two looks, in grey and in colour; of a hand, a coin or a shadow every channel is asked in
every size, four times turned and in several pictures, before it is given up, and while that goes on no picture is
watched.
"""

from collections.abc import Iterator

from vision.channel import CHANNELS, Image, channels_of
from vision.face import edge_angle, face_box
from vision.look import Look, Spot, look
from vision.network import Networks
from vision.opinion import SIZES
from vision.read import Reading, as_unsure, patch_around

NO_FACE = 0.5
"""Probability of "no readable flat face" from which a look shows rather none than one."""
ASIDE = 0.25
"""Faces right, left, above and below the place at which a face is looked for, too: of things located in photographs one
in a hundred lies .3 faces and more off its middle, in a trial that no command repeats."""


def faceless(networks: Networks, image: Image, x: float, y: float, die_px: float) -> Reading | None:
    """The reading, an unsure one, of what shows no face at (x, y) px of a picture, (h, w, 3) BGR or (h, w) grey; None
    where it may show one, and must be read in full.

    Every channel is looked at in every size, unturned, and the places beside in colour: none may rather show a face.
    Raises PictureError where (x, y) lies outside the picture.
    """
    looks = []
    for seen in _looks(networks, image, (x, y), die_px):
        if seen.blank < max(NO_FACE, networks.thresholds.blank):
            return None
        looks.append(seen)
    best = max(looks, key=lambda seen: float(seen.scores.max()))
    angle, score = edge_angle(looks[0].grey), float(best.scores.max())
    unread = Reading(
        value=None,
        p=networks.probability(score),
        likely=int(best.scores.argmax()) + 1,
        state="unknown",
        angle=angle,
        box=face_box(x, y, die_px, angle),
        score=score,
        blank=min(seen.blank for seen in looks),
    )
    return as_unsure(networks, unread)


def _looks(networks: Networks, image: Image, place: tuple[float, float], die_px: float) -> Iterator[Look]:
    """One look after the other, at the place first, in grey."""
    patch, x, y = patch_around(image, *place, die_px)
    channels = channels_of(patch)
    spots = [(channel, x, y, size * die_px) for channel in channels for size in SIZES]
    widest = CHANNELS[1] if CHANNELS[1] in channels else CHANNELS[0]
    beside = ((ASIDE, 0.0), (-ASIDE, 0.0), (0.0, ASIDE), (0.0, -ASIDE))
    spots += [(widest, x + right * die_px, y + down * die_px, die_px) for right, down in beside]
    for channel, at_x, at_y, face_px in spots:
        yield look(networks, [Spot(channel.show(patch, face_px), at_x, at_y, face_px)], turns=1)[0]

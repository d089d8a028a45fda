"""A quick look that tells what shows no face: nothing takes longer to read than a thing that is no die.

A die that is clear is sure at its first look; of a hand, a coin or a shadow every channel is asked in every size, four
times turned and in several frames, before it is given up, and while that goes on no picture is watched.
"""

from vision.channel import Image, channels_of
from vision.face import edge_angle, face_box
from vision.look import Spot, look
from vision.network import Networks
from vision.opinion import SIZES
from vision.read import Reading, patch_around


def faceless(networks: Networks, image: Image, x: float, y: float, die_px: float) -> Reading | None:
    """The reading, an unsure one, of what shows no face at (x, y) px of a picture; None where it may show one.

    Every view of a full reading is taken once, unturned, and none may show a face. Of 3588 labelled dice in photographs
    from above none that is sure was given up so, and three that show a face, in a trial that no command repeats.
    """
    patch, at_x, at_y = patch_around(image, x, y, die_px)
    looks = []
    for channel in channels_of(patch):
        for size in SIZES:
            face_px = size * die_px
            seen = look(networks, [Spot(channel.show(patch, face_px), at_x, at_y, face_px)], turns=1)[0]
            if seen.blank < networks.thresholds.blank:
                return None
            looks.append(seen)
    best = max(looks, key=lambda seen: float(seen.scores.max()))
    score, angle = float(best.scores.max()), edge_angle(best.grey)
    return Reading(
        value=None,
        p=networks.probability(score),
        likely=int(best.scores.argmax()) + 1,
        state="unknown",
        angle=angle,
        box=face_box(x, y, die_px, angle),
        score=score,
        blank=min(seen.blank for seen in looks),
    )

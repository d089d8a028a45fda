"""What else may lie behind a value that passes the bar: a larger value in part, glints, a face cut off or aslant."""

import cmath
import itertools
import math
from collections.abc import Sequence

import numpy as np

from vision.channel import CHANNELS, channels_of, colour
from vision.face import (
    blemish,
    body_and_palest,
    foreshortening,
    middle_of_five,
    pip_centre,
    unlikeness,
    width_share,
)
from vision.lattice import LONGEST_EDGE, STRETCHES
from vision.network import Networks
from vision.opinion import SIZES, Opinion, Patch, View, view_of, weighed

WIDE = 1.4
"""How much wider a one is looked at again."""
TWO_APART = (0.4, 0.95)
"""Faces between the pips of a two."""
HINT = 0.1
"""Share of the best score that hints at another value where it is looked for at a guess."""
STAYS = 0.5
"""Share of a score that stays where bright thin marks are taken away, if few pips are plainly wider..."""
WIDE_PIPS = 0.55
"""...and share of their own contrast that they keep then, else: of glints that were read as pips, 0.44 at most."""
BEYOND = 1.5
"""How much wider a face is looked at again that may be a side face."""
OFF_MIDDLE = 0.1
"""Faces from the middle of a die towards where side faces are seen, from which the face that was read may be one."""
OUTSIDE = 0.42
"""Faces along either edge from a face's centre, from which a pip is none of its own."""
ACROSS = 50.0
"""Degrees about the direction away from side faces in which the pips of the top face lie that one was read below."""
TOP_PIP = 0.1
"""Height of a peak of the pip map from which it may be a pip of the top face, seen aslant."""
ABOVE = (0.6, 0.8)
"""Faces above a face at which another of the same die is looked for..."""
NEARER = (0.45, 0.9)
"""...whose middle lies so many faces above the first: less than a whole one, as of two dice that lie flat..."""
ASTRAY = 0.35
"""...and not so far to the side..."""
READ_ABOVE = 0.1
"""...if a value scores so much there: of 1010 right looks at photographs two show as much, and of seven side faces
that were read three, in a trial that no command repeats."""
SEEN = 0.15
"""Score that a value must reach in colour: of looks at photographs left out, 1995 of 2098 right ones did that grey was
not clear about, and 2 of 11 wrong ones, in a trial that no command repeats."""
LIKE_GREY = 0.6
"""Share of what grey scores that colour must score of the same value: it has grey in it, so where it sees less its hues
speak against it. Blotches of a marbled body lie like pips at times where the pips have a colour of their own: of 30,888
looks at photographs left out 59 right ones show less in colour, in a trial that no command repeats."""
UNLIKE = 0.65
"""Of the way from their paint to the body: a pip that differs so much from the others is none of their face. About one
in fifty right looks at photographs left out shows one that grey is not clear about, in the same trial."""
HARDLY = 0.05
"""Share of the best score that the margin of another value than a two does not reach in colour where it is a two. A
three with red pips on black shows as much as .1 where the reader takes it for a two, in a trial that no command
repeats."""
ALL_PIPS = 4
"""The first channels, which show pips of every colour."""
MOST_PIPS = 7
CLEAR_PIP = 0.3
"""Height of a peak of the pip map from which it may well be a pip."""
SPOILT = 0.6
"""A blemish from here on may be a pip: of the right readings of photographs left out, 4 in 1000 have one."""
ODD, STANDS = 1.8, 0.7
"""A five's middle pip that differs from its corners from so many times as much as the most unlike of these, and stands
out less than so many times as they do, is none of its own: four of 2311 right fives of photographs look so."""
WHITE = 0.99
"""Level of a body so bright that it may be brighter than a picture shows..."""
PALE = 0.75
"""...and of a pip on it, where it is darkest, beside which others may be lost in that white: of 2,313 right looks at
burnt out dice of photographs left out, up to three stops brighter, one in 17 shows such pips, and the only wrong one
that passed the bar, with .88, in a trial that no command repeats."""
LARGEST_IN_ANOTHER = 4
"""The largest value whose pips are all among those of another."""
ASLANT = math.cos(math.radians(45))
"""A square face that looks narrower than this is seen from further than a top face may be off the line of sight."""


def is_spoilt(value: int, view: View) -> bool:
    """Something like a pip lies where a larger value has one more, in any frame: glare may hide it from the network."""
    return any(blemish(look.telling(value), look.pips.of(value)) >= SPOILT for look in view.looks)


def is_odd(value: int, view: View) -> bool:
    """The middle pip of a five is none like the others, in any frame: glare or print in the middle of a four."""
    if value != 5:
        return False
    middles = (middle_of_five(look.telling(value), look.pips.of(value)) for look in view.looks)
    return any(unlike > ODD and stands < STANDS for unlike, stands in middles)


def is_aslant(value: int, view: View) -> bool:
    """The pips lie as on a side face, or not as on a face at all, in any frame."""
    return any(foreshortening(look.pips.of(value)) < ASLANT for look in view.looks)


def is_washed_out(value: int, view: View) -> bool:
    """The body is as bright as a picture can be and a pip nearly so, in any frame: others may be lost in the white.

    No value has all the pips of a five or six and more.
    """
    if value > LARGEST_IN_ANOTHER:
        return False
    levels = (body_and_palest(look.grey, look.pips.of(value)) for look in view.looks)
    return any(body >= WHITE and pale >= PALE for body, pale in levels)


def are_unlike(opinions: Sequence[Opinion], value: int) -> bool:
    """A pip has another colour than the others, in any frame: it shines through the body, or is none.

    Asked of colour if there is any, at the size that shows the value best.
    """
    view = max((_in_colour(opinions) or opinions[0]).views, key=lambda view: float(view.scores[value - 1]))
    crops = ((np.atleast_3d(look.crop), look.pips.of(value)) for look in view.looks)
    return any(unlikeness(crop, pips) > UNLIKE for crop, pips in crops)


def is_colourless(opinions: Sequence[Opinion], value: int) -> bool:
    """Colour, which shows all that there is, does not show the value, or far less of it than grey, if there is colour.

    Far pips that shine through a body show in one channel of it alone, and so do marks on pips that grey hides.
    """
    in_colour = _in_colour(opinions)
    if in_colour is None:
        return False
    shown = float(in_colour.scores[value - 1])
    return shown < SEEN or not bears_out(shown, float(opinions[0].scores[value - 1]))


def bears_out(shown: float, in_grey: float) -> bool:
    """What colour scores of a value is not far less than what grey does."""
    return shown >= LIKE_GREY * in_grey


def _in_colour(opinions: Sequence[Opinion]) -> Opinion | None:
    """What colour says; None of a picture without."""
    return next((opinion for opinion in opinions if opinion.channel.show is colour), None)


def may_be_glints(opinions: Sequence[Opinion], view: View, value: int, dissent: float) -> bool:
    """One or two pips that the reader no longer sees, and that vanish, with what is thin are glints, others too dark.

    So may be two where the pip map of any channel, whatever value the reader sees there, shows another as well, unless
    colour, which shows all pips, shows hardly any other.
    """
    opened, best = opinions[-1], float(weighed(opinions)[value - 1])
    lost = value < opened.channel.least and float(opened.scores[value - 1]) < STAYS * best
    if lost and any(width_share(look.telling(value), look.pips.of(value)) < WIDE_PIPS for look in view.looks):
        return True
    in_colour = _in_colour(opinions)
    if value != 2 or (in_colour is not None and in_colour.pips_against(value) < HARDLY * best):
        return False
    return max(opinion.pips_against(value) for opinion in opinions[:ALL_PIPS]) >= dissent * best


def may_be_two(networks: Networks, patches: Sequence[Patch], view: View, die_px: float) -> bool:
    """A one has a second pip where the other pip of a two would be: it is a two that was looked at askew.

    Side faces and neighbours show pips there too. What tells is the place halfway: a two is read there. The other pip
    may be plain in one channel only, so every channel is asked.
    """
    x, y = pip_centre(view.looks[-1].pips.of(1))
    x, y = x * view.face_px + view.offset[0], y * view.face_px + view.offset[1]
    least = networks.thresholds.dissent * float(view.scores[0])
    for channel in channels_of(patches[0][0])[:ALL_PIPS]:
        wide = view_of(networks, patches, channel, WIDE * die_px, (x, y))
        if wide.scores[1:].max() >= least:
            return True
        for pip in {pip for seen in wide.looks for pip in seen.pips.found[:MOST_PIPS]}:
            nearest, farthest = TWO_APART
            if pip.height >= CLEAR_PIP and nearest <= WIDE * math.hypot(pip.x, pip.y) <= farthest:
                middle = (x + pip.x * wide.face_px / 2, y + pip.y * wide.face_px / 2)
                if view_of(networks, patches, channel, die_px, middle).scores[1:].max() >= least:
                    return True
    return False


def is_off_middle(offset: tuple[float, float], die_px: float, sides: tuple[float, float]) -> bool:
    """A face at an offset, px, from the middle of a die lies the way that `sides` points, where its side faces are."""
    down = complex(*sides) / abs(complex(*sides))
    return (complex(*offset) / down).real >= OFF_MIDDLE * die_px


def may_be_side(
    networks: Networks,
    patches: Sequence[Patch],
    die_px: float,
    offset: tuple[float, float],
    angle: float,
    sides: tuple[float, float],
) -> bool:
    """The face at an offset, px, that is turned by an angle, degrees, may be a side face, below the top of the die.

    It lies off the die's middle, the way that `sides` points, and pips lie the other way, in any frame.
    """
    if not is_off_middle(offset, die_px, sides):
        return False
    down = complex(*sides) / abs(complex(*sides))
    turn = cmath.rect(1, -math.radians(angle))
    wide = view_of(networks, patches, CHANNELS[0], BEYOND * die_px, offset)
    for pip in (pip for seen in wide.looks for pip in seen.pips.found):
        place = BEYOND * complex(pip.x, pip.y)
        outside = max(abs((place * turn).real), abs((place * turn).imag)) >= OUTSIDE
        if pip.height >= TOP_PIP and outside and abs(cmath.phase(-place / down)) <= math.radians(ACROSS):
            return True
    return False


def has_face_above(
    networks: Networks, patches: Sequence[Patch], die_px: float, offset: tuple[float, float], sides: tuple[float, float]
) -> bool:
    """Above the face at an offset, px, away from where `sides` points, another is read, nearer than a flat die can lie:
    the face is a side of that one's die.

    None of its pips may be one of the face's own, which with those of a die that touches it look like a value.
    """
    down = complex(*sides) / abs(complex(*sides))
    nearest, farthest = NEARER
    for faces in ABOVE:
        place = complex(*offset) - faces * die_px * down
        view = view_of(networks, patches, CHANNELS[0], die_px, (place.real, place.imag))
        for value in (int(best) + 1 for best in np.flatnonzero(view.scores >= READ_ABOVE)):
            pips = view.looks[-1].pips.of(value)
            above = faces - complex(*pip_centre(pips)) / down
            own = any((faces - complex(pip.x, pip.y) / down).real < OUTSIDE for pip in pips)
            if nearest <= above.real <= farthest and abs(above.imag) < ASTRAY and not own:
                return True
    return False


def may_be_edge(networks: Networks, patches: Sequence[Patch], view: View, value: int, score: float) -> bool:
    """What was read as a two or a three may be an edge of a four or six.

    Half an edge beside it one is hinted at, or pips lie across from it, in the last frame.
    """
    pips = [complex(pip.x, pip.y) for pip in view.looks[-1].pips.of(value)]
    first, last = max(itertools.combinations(pips, 2), key=lambda pair: abs(pair[0] - pair[1]))
    if abs(first - last) > LONGEST_EDGE:
        return False
    for across in ((first - last) / 2 * 1j, (last - first) / 2 * 1j):
        place = (first + last) / 2 + across
        offset = (view.offset[0] + place.real * view.face_px, view.offset[1] + place.imag * view.face_px)
        for size in SIZES[::2]:
            beside = view_of(networks, patches, view.channel, size * view.face_px, offset)
            edge = [(pip - place) / size for pip in pips]
            if beside.scores[3:].max() >= HINT * score or _opposite(beside, edge, 2 * across / size) >= CLEAR_PIP:
                return True
    return False


def _opposite(view: View, edge: Sequence[complex], across: complex) -> float:
    """How high the second of the peaks stands that lie across from an edge of a face, in the last frame.

    One alone may be anything's, and glare may hide one of them.
    """
    peaks = view.looks[-1].pips.peaks
    rows = ([peaks.height(pip + across * stretch, ()) for pip in edge] for stretch in STRETCHES)
    return max(sorted(row)[-2] for row in rows)

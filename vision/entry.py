"""When the dice of a throw entered, and how they tumbled, from their tracks."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vision.crowd import Crowd
from vision.track import DIE_HEAT, FEWEST_LOOKS, MOVED, Moment, Track

ROLLS_HEAT = 0.55
"""A thing that rolls on looks so much like a die at its best; in a trial that no command repeats a finger beside which
dice were uncovered looked 0.53, and of some 350 throws none depends on a lower bound."""
FREE_ROLL = 1.5
"""Faces that a thrown die rolls away from any hand; one that is set down, or let go as it slides, goes on less far."""
PLAIN_STEPS = 8
PLAIN_SHARE = 0.5
"""Or one tumbled plainly beside a hand: this share of so many steps; or those did together that went on a little."""
MANY_STEPS = 20
ROLLED_SHARE = 0.2
"""Or together they rolled on as far as two such dice, and of so many steps this share tumbled: of a slide's, few do.
So do fewer of PLAIN_STEPS of a die that a hand pushes."""
ROLLED_A_LITTLE = 0.35
"""Faces that dice went on by themselves on average, from which they may have been thrown: in the same trial dice that
were slid or set down stayed below 0.25, and two true throws that rolled no farther had 0.5."""
TURNED_OVER = 1.0
"""Or one rolled on by so many faces, tumbled, and had turned over whenever it was compared with its look of some time
ago, FEWEST_LOOKS times at least. Chosen: of 32 dice that were set down or slid in eight films none went on by .25
faces, and of those that others slid across the floor a third of those looks were unlike at most, in a trial that no
command repeats."""


@dataclass(frozen=True, slots=True)
class Entry:
    """When the first and the last die of a throw entered, s; the frame of the first; each die's share of tumbling
    steps, or none if not all could be followed."""

    t_first: float
    t_last: float
    frame: int
    tumble: tuple[float, ...]


def entry(
    tracks: Sequence[Track],
    lost: Sequence[Track],
    crowd: Crowd,
    now: Moment,
    bare: Mapping[int, float],
    lay: Sequence[Moment],
) -> Entry:
    """When the dice of these tracks entered: were first seen away from the hand. `now`: time and frame, if none was.

    `lost`: tracks that ended meanwhile, maybe of the same dice. `bare`: when the places of those that have not moved
    since were last seen without them, by the tracks' numbers. `lay`: when dice that lie there now were first seen so,
    beside the hand.

    A track that began late may belong to a die that was lost from sight on its way, so the moment at which so many dice
    were in view at once counts if it was earlier; so does a die that lay there until a hand covered it, and one that
    lay there, clear of any hand, before others came. Dice that a hand uncovered at rest do not say when they entered
    but that it was since their places were seen without them, and one whose place was hidden since then may have come
    ever since. The shares of tumbling are given only where every die could be followed to its rest: what a hand hid, or
    a die that tumbled and was lost on its way, is no proof of a weak throw. But where none of the dice surely rolled by
    itself, all shares are 0: they lay there when the hand let them be seen, or rolled so little that people must say
    whether they were thrown. (Of a die put back under a dark glove its finger went on by .6 faces, and looked as if it
    tumbled once.)
    """
    covered = [t.free for t in lost if t.free is not None and t.let_go and t.die is None and _is_die(t)]
    freely = [(t.free, bare.get(t.number, math.inf)) for t in tracks if t.free is not None and _came_freely(t)]
    here = [t.free for t in tracks if t.free is not None and t.let_go]
    seen = sorted([*covered, *lay, *here, *(free for free, _ in freely)]) or [now]
    came = [*(t for t, _ in covered), *(min(t, since) for (t, _), since in freely)]
    uncovered = [bare[track.number] for track in tracks if track.number in bare and not _came_freely(track)]
    last = min(max([*(came or [t for t, _ in lay or [now]]), *uncovered]), crowd.since(len(tracks)))
    shares = [round(track.tumble, 3) for track in tracks if track.tumble is not None]
    followed = len(shares) == len(tracks) and not any(_rolls_freely(track) and track.rolled for track in lost)
    tumble = tuple(shares) if followed else ()
    if not _roll(tracks, lost):
        tumble = (0.0,) * len(tracks)
    return Entry(seen[0][0], max(seen[0][0], last), seen[0][1], tumble)


def lay_there(tracks: Sequence[Track], lost: Sequence[Track]) -> bool:
    """Whether these dice lay there when a hand let them be seen: none of them rolled, nor went on even a little.

    `lost`: tracks that ended meanwhile, maybe of the same dice.
    """
    return not (_roll(tracks, lost) or _went_on(tracks))


def rolled(tracks: Sequence[Track]) -> list[Track]:
    """Those of these tracks that are surely of dice that rolled by themselves: what goes on and hardly turns over is
    slid, or a finger; so is what was not seen to, if it was followed or a hand had it."""
    free = (track for track in tracks if _rolls_freely(track) and not _hardly_turns(track))
    return [
        track for track in free if track.tumbles > 0 or track.tumble or (track.tumble is None and not track.by_hand)
    ]


def hidden_dice(lost: Sequence[Track], over: Sequence[Track]) -> list[Track]:
    """Those of the tracks that ended whose dice were thrown and rolled, and that nobody saw come to rest, nor go `over`
    the rim."""
    gone = {track.number for track in over}
    return [track for track in rolled(lost) if track.die is None and track.number not in gone]


def _roll(tracks: Sequence[Track], lost: Sequence[Track]) -> bool:
    """Whether one of these dice surely rolled by itself, or all did together."""
    return (
        bool(rolled(lost))
        or any(_rolls_freely(track) or _rolls_plainly(track) or _turns_over(track) for track in tracks)
        or _roll_together(tracks)
    )


def _came_freely(track: Track) -> bool:
    """Whether it flew, and not under a hand alone: that one was free only when the hand went away."""
    return track.flew and (track.travel > 0 or not track.by_hand)


def _is_die(track: Track) -> bool:
    """Whether this is plainly a die where it was last seen, or was one before a hand hid a part of it."""
    return max(track.sighting.heat, track.heat) >= DIE_HEAT


def _rolls_freely(track: Track) -> bool:
    """Whether this is surely a die, and no part of a hand, that rolled on by itself, and not in one step alone: a die
    that comes to light may be taken for a fingertip that was beside it a moment ago."""
    return track.travel >= FREE_ROLL and track.travel - track.farthest >= MOVED and _goes_freely(track)


def _goes_freely(track: Track) -> bool:
    """Whether this is surely a die, and no part of a hand, that was let go, and not pushed."""
    return track.free is not None and track.heat >= ROLLS_HEAT and not _is_pushed(track)


def _is_pushed(track: Track) -> bool:
    """Whether this die, which lay there, was moved by a hand and hardly turned over since: fingers that push a die are
    not always seen to touch it."""
    return track.die is not None and track.by_hand and _hardly_turns(track)


def _hardly_turns(track: Track) -> bool:
    """Whether this was followed for long and seen to turn over in few of its steps, if any."""
    return track.steps >= PLAIN_STEPS and track.tumble is not None and track.tumble < ROLLED_SHARE


def _rolls_plainly(track: Track) -> bool:
    """Whether this tumbled so much that no hand, which it stayed beside, can have made it seem to."""
    return track.steps >= PLAIN_STEPS and track.tumbles >= PLAIN_SHARE * track.steps


def _turns_over(track: Track) -> bool:
    """Whether this went on a little by itself, and turned over as often as that could be told away from hands."""
    on = _goes_freely(track) and track.travel >= TURNED_OVER
    return on and track.tumbles > 0 and track.turned == track.looked >= FEWEST_LOOKS


def _roll_together(tracks: Sequence[Track]) -> bool:
    """Whether these dice, none of which went far by itself, surely rolled on, all taken together: far, or plainly."""
    (steps, tumbles), on = _steps(tracks), [track for track in tracks if _went_on([track])]
    seen, turned = _steps(on)
    if _went_on(tracks) and seen >= PLAIN_STEPS and turned >= PLAIN_SHARE * seen:
        return True
    return _far(tracks) >= 2 * FREE_ROLL and steps >= MANY_STEPS and tumbles >= ROLLED_SHARE * steps


def _steps(tracks: Sequence[Track]) -> tuple[int, int]:
    """How many steps these dice were seen to make, and in how many of them they tumbled."""
    return sum(track.steps for track in tracks), sum(track.tumbles for track in tracks)


def _went_on(tracks: Sequence[Track]) -> bool:
    """Whether these dice went on a little, so that it cannot be said that a hand let them lie."""
    return _far(tracks) >= ROLLED_A_LITTLE * len(tracks)


def _far(tracks: Sequence[Track]) -> float:
    """Faces that those of them that are surely dice went on by themselves, together."""
    return sum(track.travel for track in tracks if _goes_freely(track))

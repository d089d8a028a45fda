"""Where the tray has gone in the picture after the camera or the tray was pushed.

Its patches are looked for all around and vote for a common shift and turn; the affine map that fits them best is then
found by Gauss and Newton's steps (Lucas and Kanade 1981), because a push turns and tilts as well as it shifts. Patches
that a hand covers are left out of both. On simulated films turned by 2 degrees and shifted by a face (standard
deviations) the map is right to .01 face; a turn of a round tray in itself cannot be told.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.anchors import Anchors

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]

FAR_PX, NEAR_PX = 27, 13
"""Px of the halved working picture (3 and 1.5 faces) within which the tray is looked for."""
TURNS_DEG = (0.0, 2.0, -2.0, 4.0, -4.0, 6.0, -6.0)
UNTURNED = 1.03
"""Weight of no turn against one: a round tray fits every turn."""
HALF_PX = 5
"""Half the edge, px of the halved picture, of what is looked for."""
ALIKE = 0.5
"""Likeness above which a patch votes."""
LEAST_VOTE, LEAST_NEARBY = 0.1, 0.15
"""Mean vote of all patches without which nothing was found."""
STEPS = 12
DAMPING = 1e-3
FEWEST = 5


def find_shift(anchors: Anchors, before: Image, now: Image, near: Matrix | None = None) -> Matrix | None:
    """The affine map (2, 3) of places in the picture `before` to those `now`, or None where no fit is found.

    Both are grey (h, w) with faces of 18 px; `anchors` are those of the picture before. `near`: a map that nearly fits.
    """
    shift = near if near is not None else _voted(anchors, before, now)
    for _ in range(STEPS if shift is not None else 0):
        assert shift is not None
        step = _step(anchors, straightened(now, shift), shift[:, :2])
        if step is None:
            return None
        shift = shift @ np.vstack([step, [0, 0, 1]])
    return shift


def found_nearby(anchors: Anchors, which: npt.NDArray[np.intp], before: Image, now: Image) -> bool:
    """Whether most of these patches (their numbers) are found in one common place up to 1.5 faces aside.

    It costs little, and tells patches that went elsewhere from those that a hand covers.
    """
    if len(which) < FEWEST:
        return False
    middles = _middles(anchors)[which]
    votes = _votes(middles, *_halved(before, now, NEAR_PX), NEAR_PX)
    return float(_tally(votes, np.zeros_like(middles)).max()) > LEAST_NEARBY * len(votes)


def straightened(now: Image, shift: Matrix) -> Image:
    """The picture as it would be had nothing been pushed."""
    size, how = (now.shape[1], now.shape[0]), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(now, shift, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def usual_way(shift: Matrix, anchors: Anchors, which: npt.NDArray[np.intp]) -> float:
    """The way, px, that the map takes these patches (their numbers), in the directions that they tell: the median."""
    places = anchors.centres[which]
    ways = (places @ shift[:, :2].T + shift[:, 2] - places) @ anchors.told(which)
    return float(np.median(np.hypot.reduce(ways, axis=1)))


def carried(picture: npt.NDArray[np.number], way: Matrix, now: Image) -> Image:
    """The picture (h, w) as it looks from another window, by the map (3, 3) to it; `now` fills what it did not show."""
    size = (now.shape[1], now.shape[0])
    whole = np.clip(np.round(picture), 0, 255).astype(np.uint8)
    there = cv2.warpAffine(np.full_like(whole, 255), way[:2], size, flags=cv2.INTER_LINEAR)
    moved = cv2.warpAffine(whole, way[:2], size, flags=cv2.INTER_LINEAR)
    return np.where(there == 255, moved, now).astype(np.uint8)


def _voted(anchors: Anchors, before: Image, now: Image) -> Matrix | None:
    """A shift and turn that most of the patches agree on."""
    middles = _middles(anchors)
    votes = _votes(middles, *_halved(before, now, FAR_PX), FAR_PX)
    centre = middles.mean(0).tolist()
    best, most = None, LEAST_VOTE * len(votes)
    for turn in TURNS_DEG:
        warp = np.asarray(cv2.getRotationMatrix2D(centre, turn, 1.0), np.float64)
        aside = np.round(middles @ warp[:, :2].T + warp[:, 2] - middles).astype(int)
        _, height, _, (x, y) = cv2.minMaxLoc(_tally(votes, aside))
        if height * (UNTURNED if turn == 0 else 1.0) > most:
            most = height * (UNTURNED if turn == 0 else 1.0)
            best = warp + np.array([[0, 0, x - FAR_PX], [0, 0, y - FAR_PX]])
    if best is not None:
        best[:, 2] = 2 * best[:, 2] + 0.5 * (1 - best[:, :2].sum(1))  # whole px, whose centres lie half a px off
    return best


def _middles(anchors: Anchors) -> npt.NDArray[np.int_]:
    """The patches' middles (n, 2) in px of the halved picture."""
    return np.round((anchors.centres - 0.5) / 2).astype(np.int_)


def _halved(before: Image, now: Image, reach: int) -> tuple[Image, Image]:
    """Both pictures, halved; the second with a border of `reach` px."""
    size = (before.shape[1] // 2, before.shape[0] // 2)
    then, here = (np.asarray(cv2.resize(p, size, interpolation=cv2.INTER_AREA), np.uint8) for p in (before, now))
    return then, np.asarray(cv2.copyMakeBorder(here, *(reach,) * 4, cv2.BORDER_CONSTANT), np.uint8)


def _votes(middles: npt.NDArray[np.int_], then: Image, here: Image, reach: int) -> list[FloatArray]:
    """How well the patch at each place of `then` is found at each shift (2 reach + 1 squared), above `ALIKE`."""
    votes = []
    limits = np.array(then.shape[::-1]) - HALF_PX - 1
    for x, y in np.clip(middles, HALF_PX, limits).tolist():
        patch = then[y - HALF_PX : y + HALF_PX + 1, x - HALF_PX : x + HALF_PX + 1]
        edge = 2 * (HALF_PX + reach) + 1
        around = here[y - HALF_PX : y - HALF_PX + edge, x - HALF_PX : x - HALF_PX + edge]
        alike = cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED)
        votes.append(np.maximum(np.asarray(alike, np.float32) - np.float32(ALIKE), 0))
    return votes


def _tally(votes: list[FloatArray], aside: npt.NDArray[np.int_]) -> FloatArray:
    """The sum of the votes, each slid back by what a turn takes its patch aside (n, 2), a little blurred."""
    total = np.zeros_like(votes[0])
    for vote, (dx, dy) in zip(votes, aside.tolist(), strict=True):
        move = np.array([[1, 0, -dx], [0, 1, -dy]], np.float32)
        total += cv2.warpAffine(vote, move, vote.shape[::-1], flags=cv2.INTER_NEAREST) if dx or dy else vote
    return np.asarray(cv2.GaussianBlur(total, (3, 3), 0), np.float32)


def _step(anchors: Anchors, picture: Image, turned: Matrix) -> Matrix | None:
    """The affine map (2, 3) by which the patches of a nearly straightened picture still lie aside.

    `turned` (2, 2) is how it was straightened; what the patches do not tell of it becomes a mere turn.
    """
    stiffness, force, which = anchors.pull(picture)
    if len(which) < FEWEST:
        return None
    places = anchors.centres
    middle, scale = places.mean(0), float(np.abs(places - places.mean(0)).max())
    x, y = ((places[which] - middle) / scale).T
    one, none = np.ones_like(x), np.zeros_like(x)
    ways = np.stack([np.stack([one, none, x, y, none, none], 1), np.stack([none, one, none, none, x, y], 1)], axis=1)
    normal = np.einsum("nap,nab,nbq->pq", ways, stiffness, ways)  # ways (n, 2, 6): how each parameter moves a patch
    left, _, right = np.linalg.svd(turned)
    mere_turn = scale * (np.linalg.solve(turned, left @ right) - np.eye(2)).ravel()
    damping = DAMPING * np.trace(normal) / 6 * np.array([0, 0, 1, 1, 1, 1])
    wanted = np.einsum("nap,na->p", ways, force) + damping * np.concatenate([np.zeros(2), mere_turn])
    found = np.linalg.lstsq(normal + np.diag(damping), wanted, rcond=1e-6)[0]
    linear = np.eye(2) + found[2:].reshape(2, 2) / scale
    return np.column_stack([linear, found[:2] + middle - linear @ middle])

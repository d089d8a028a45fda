"""Others' hands over a throw, told from the one that threw by where they reach in."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.drawn_tray import DIE_PX, GEOMETRY
from tests.vision.thrown_track import track
from vision.hand import Body
from vision.others import Others
from vision.read import Reading
from vision.resting import Resting
from vision.window import Window

WINDOW = Window(GEOMETRY)
FPS = 30


@dataclass(frozen=True)
class Nowhere:
    """A tray that was seen bare nowhere, or all at one time, s, whose wall begins so far to the right, px."""

    window: Window = WINDOW
    bare: float = -np.inf
    inside: float = 640.0

    @property
    def within(self) -> npt.NDArray[np.bool_]:
        floor = WINDOW.floor > 0
        floor[:, round(WINDOW.to_working(self.inside, 0)[0]) :] = False
        return floor

    @property
    def bare_times(self) -> npt.NDArray[np.float64]:
        return np.full(WINDOW.floor.shape, self.bare)


SEEN = Nowhere()


@dataclass(frozen=True)
class Arm:
    """What is seen of an arm, px of the picture: its box left, top, right and bottom."""

    left: float
    top: float
    right: float
    bottom: float


OWN = Arm(0, 200, 150, 280)
FROM_RIGHT, FROM_ABOVE = Arm(390, 200, 640, 280), Arm(370, 0, 450, 260)
DIE = (410.0, 240.0)


def body(*arms: Arm) -> Body:
    mask = np.zeros(WINDOW.floor.shape, bool)
    for arm in arms:
        (left, top), (right, bottom) = (WINDOW.to_working(*at) for at in ((arm.left, arm.top), (arm.right, arm.bottom)))
        mask[max(0, round(top)) : round(bottom), max(0, round(left)) : round(right)] = True
    return Body(mask, float(mask.any()))


def die(x: float = DIE[0], y: float = DIE[1]) -> Resting:
    reading = Reading(4, 0.99, 4, "flat", 20.0, (x, y, DIE_PX, DIE_PX), 0.9, 0.0)
    return Resting(x, y, DIE_PX, "flat", reading, np.zeros((8, 8), np.float32))


def others(*frames: tuple[Arm, ...], freed: tuple[float, float] = (190.0, 240.0), seen: Nowhere = SEEN) -> Others:
    """Who is told from whom when these hands are seen in one frame after the other from 1 s on, in the first of which
    a die has flown from a place."""
    found, flown = Others(), track(free=0.9)
    flown.freed, flown.speed = freed, (600.0, 0.0)
    for n, arms in enumerate(frames):
        found.step((1 + n / FPS, FPS + n), body(*arms), [flown], seen)
    return found


def since(
    found: Others, bare: float = 0.5, at: Resting | None = None, flew: float = 0.9, sighted: float = 0.5
) -> float | None:
    had = found.since(at or die(), flew, bare, WINDOW, sighted)
    return None if had is None else had.since[0]


@pytest.mark.parametrize("other", [FROM_RIGHT, FROM_ABOVE], ids=["from the right", "from above"])
def test_anothers_hand_is_told_that_was_in_before_or_comes_in_while_the_throwing_one_stays(other: Arm) -> None:
    assert since(others((OWN,), (OWN,), (OWN, other), (OWN, other))) == pytest.approx(1 + 2 / FPS)
    assert since(others((OWN, other), (OWN, other), (other,))) == 1.0


def test_anothers_hand_had_a_die_since_it_came_over_the_floor_where_that_was_seen() -> None:
    away = Arm(500, 200, 640, 280)
    assert since(others((OWN,), (OWN, away), (OWN, away), (OWN, FROM_RIGHT))) == pytest.approx(1 + 1 / FPS)
    assert since(others((OWN, away), (OWN, away), (OWN, FROM_RIGHT))) == pytest.approx(1 + 2 / FPS)


@pytest.mark.parametrize(
    ("before", "sighted", "had"), [(True, 1.1, False), (True, 1.05, True), (False, 1.1, True)],
    ids=["it is sighted since", "it is not", "the hand came later"],
)  # fmt: skip
def test_a_hand_that_lay_there_before_had_no_die_with_which_it_seemed_one_as_that_flew_past(
    before: bool, sighted: float, had: bool
) -> None:
    beside, one = Arm(450, 200, 640, 280), Arm(400, 200, 640, 280)
    first = ((OWN, beside) if before else (OWN,),) * 2
    found = others(*first, (OWN, one), (OWN, beside), (OWN, beside))
    assert (since(found, flew=1.03, sighted=sighted) is not None) == had


@pytest.mark.parametrize(
    ("edge", "then", "had"),
    [(421.0, 421.0, False), (421.0, 400.0, True), (405.0, 405.0, True)],
    ids=["stays beside it", "comes nearer", "stays over its middle"],
)
def test_a_hand_at_which_a_die_comes_to_rest_had_none_of_it(edge: float, then: float, had: bool) -> None:
    beside, at = Arm(edge, 200, 640, 280), Arm(then, 200, 640, 280)
    frames = (OWN, beside), (OWN, beside), (OWN, at), (OWN, beside)
    assert (since(others(*frames), flew=1.02) is not None) == had
    assert since(others(*frames), flew=0.9) is not None


@pytest.mark.parametrize(
    ("sighted", "then", "had"),
    [(1.06, 425.0, False), (1.06, 405.0, True), (1.02, 425.0, True)],
    ids=["no longer hidden", "hidden again", "hidden since"],
)
def test_a_hand_from_under_which_a_die_rolls_had_none_of_it(sighted: float, then: float, had: bool) -> None:
    over, beside = Arm(405, 200, 640, 280), Arm(then, 200, 640, 280)
    frames = (OWN, over), (OWN, over), (OWN, beside), (OWN, beside)
    assert (since(others(*frames), flew=1.02, sighted=sighted) is not None) == had


@pytest.mark.parametrize(
    ("lay", "then", "sighted", "had"),
    [(428.0, 425.0, 1.02, False), (428.0, 425.0, 0.5, True), (428.0, 421.0, 1.02, True), (None, 425.0, 1.02, True)],
    ids=["a die sighted at once", "a die sighted before", "it comes over the die", "it comes after the throw"],
)
def test_a_hand_that_trembles_where_it_lay_had_none_of_a_die_sighted_at_once(
    lay: float | None, then: float, sighted: float, had: bool
) -> None:
    lies, comes = () if lay is None else (Arm(lay, 200, 640, 280),), Arm(then, 200, 640, 280)
    frames = (OWN, *lies), (OWN, *lies), (OWN, comes), (OWN, comes)
    assert (since(others(*frames), flew=1.05, sighted=sighted) is not None) == had


def test_an_arm_that_lies_on_the_wall_alone_is_no_hand_in_though_a_die_comes_to_rest_beside_it() -> None:
    frames = (OWN, FROM_RIGHT), (OWN, FROM_RIGHT), (OWN, FROM_RIGHT)
    assert since(others(*frames, seen=Nowhere(inside=380.0))) is None
    assert since(others(*frames, seen=Nowhere(inside=460.0))) == 1.0


def test_anothers_hand_is_told_though_it_touches_the_one_that_threw() -> None:
    joined = Arm(0, 200, 640, 280)
    assert since(others((OWN,), (OWN, FROM_RIGHT), (joined,), (joined,))) == pytest.approx(1 + 1 / FPS)
    assert since(others((OWN,), (OWN, FROM_RIGHT), (joined,), (joined,)), at=die(100.0, 240.0)) is None


def test_the_throwing_hand_is_none_of_anothers_wherever_it_goes_on() -> None:
    sweeps = [(Arm(0, 200 - 40 * n, 450, 280 - 40 * n),) for n in range(5)]
    round_the_corner = [(Arm(60 * n, 0, 60 * n + 80, 260),) for n in range(7)]
    assert since(others((OWN,), *sweeps, *round_the_corner)) is None


def test_a_hand_seen_in_pieces_is_one() -> None:
    sleeve, palm = Arm(0, 200, 90, 280), Arm(105, 200, 180, 280)
    assert since(others((sleeve, palm), (sleeve, Arm(105, 200, 450, 280)), (sleeve, Arm(300, 200, 450, 280)))) is None


def test_both_hands_that_were_at_the_dice_threw_them() -> None:
    second = Arm(70, 0, 150, 190)
    assert since(others((OWN, second), (OWN, Arm(70, 0, 440, 260)))) is None


def test_a_hand_that_was_gone_before_the_die_came_had_none_of_it() -> None:
    assert since(others((OWN, FROM_RIGHT), (OWN, FROM_RIGHT), (OWN,)), bare=1 + 2 / FPS) is None
    assert since(others((OWN, FROM_RIGHT), (OWN, FROM_RIGHT), (OWN,)), at=die(410.0, 380.0)) is None


def test_the_hand_behind_a_die_threw_it_though_anothers_is_as_near() -> None:
    ahead = Arm(225, 0, 300, 235)
    assert since(others((OWN, ahead), (OWN, ahead), (ahead,)), at=die(262.0, 200.0)) == 1.0
    assert since(others((OWN, ahead), (OWN, ahead), (ahead,)), at=die(120.0, 240.0)) is None


def test_hands_that_came_between_the_first_free_die_and_the_first_that_rolled_far_did_not_throw() -> None:
    found, first, flown = Others(), track(free=1.0, travel=0.4), track(free=1.0)
    flown.freed, flown.speed = (190.0, 240.0), (600.0, 0.0)
    beside = Arm(200, 340, 290, 480)
    for n, (arms, seen) in enumerate([((OWN,), first), ((OWN, beside), first), ((beside,), flown), ((beside,), flown)]):
        found.step((1 + n / FPS, FPS + n), body(*arms), [seen], SEEN)
    assert since(found, at=die(245.0, 400.0)) == pytest.approx(1 + 1 / FPS)


def test_the_only_hand_threw_the_die_that_flies_from_it_however_far_it_was_when_first_seen_free() -> None:
    far = OWN.right + 6.5 * DIE_PX, 240.0
    assert since(others((OWN,), *[(OWN, FROM_RIGHT)] * 2, freed=far)) == pytest.approx(1 + 1 / FPS)
    assert since(others((OWN, FROM_ABOVE), (OWN, FROM_ABOVE), freed=far)) is None


def test_of_dice_thrown_from_beside_the_tray_nobody_knows_by_whom() -> None:
    assert since(others((FROM_RIGHT,), (OWN, FROM_RIGHT), freed=(100.0, 400.0))) is None
    assert since(others((), (FROM_RIGHT,))) is None
    assert since(others()) is None


@pytest.mark.parametrize(("over", "told"), [("-+-", False), ("-++-", True), ("-+-+-", False)])
def test_what_is_over_the_floor_for_a_frame_only_is_a_shadow_that_comes_or_goes(over: str, told: bool) -> None:
    frames = [(OWN, FROM_RIGHT if is_over == "+" else Arm(600, 200, 640, 280)) for is_over in over]
    assert (since(others((OWN,), *frames)) is not None) == told


def test_a_hand_that_comes_when_none_was_in_is_told_by_that() -> None:
    assert since(others((OWN,), *[()] * 8, (FROM_RIGHT,))) is None


def test_a_die_that_lay_still_tells_of_no_hand() -> None:
    found, lay = Others(), track(free=0.9, travel=0.0)
    for n in range(3):
        found.step((1 + n / FPS, FPS + n), body(OWN, FROM_RIGHT), [lay], SEEN)
    assert since(found) is None


def test_who_let_go_a_die_later_did_not_throw() -> None:
    """A hand that catches a die lets it go again."""
    found, first, caught = Others(), track(free=0.9), track(free=1.2)
    first.freed, first.speed = (190.0, 240.0), (600.0, 0.0)
    caught.number, caught.freed, caught.speed = 2, (370.0, 240.0), (-600.0, 0.0)
    for n in range(12):
        seen = [first] if n < 9 else [first, caught]
        found.step((1 + n / FPS, FPS + n), body(OWN, FROM_RIGHT), seen, SEEN)
    assert since(found) == 1.0


def test_hands_are_told_anew_once_none_was_in() -> None:
    found, flown, again = Others(), track(free=0.9), track(free=1.5)
    flown.freed, flown.speed = (190.0, 240.0), (600.0, 0.0)
    again.number, again.freed, again.speed = 2, (350.0, 300.0), (-600.0, 0.0)
    frames = [(OWN,), *[(OWN, FROM_ABOVE)] * 2, *[()] * 9, *[(FROM_RIGHT,)] * 6]
    for n, arms in enumerate(frames):
        found.step((1 + n / FPS, FPS + n), body(*arms), [flown] if n < 15 else [flown, again], SEEN)
    assert since(found) == pytest.approx(1 + 1 / FPS)
    assert since(found, at=die(600.0, 240.0)) is None


@pytest.mark.parametrize(("bare", "first"), [(-np.inf, 1.0), (1 + 2 / FPS, 1 + 3 / FPS)], ids=["hidden", "seen bare"])
def test_of_two_visits_the_first_counts_unless_the_place_was_bare_between(bare: float, first: float) -> None:
    found, flown = Others(), track(free=0.9)
    flown.freed, flown.speed = (190.0, 240.0), (600.0, 0.0)
    for n, arms in enumerate([(OWN, FROM_RIGHT), (OWN,), (OWN,), (OWN, FROM_RIGHT)]):
        found.step((1 + n / FPS, FPS + n), body(*arms), [flown], Nowhere(bare=bare) if n > 2 else SEEN)
    assert since(found, bare=max(0.5, bare)) == pytest.approx(first)

"""Tracks: dice keep their identity while they can be followed, and tumbling is told from sliding."""

import math
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.drawn_tray import DIE_PX, DiePath, Pose, film, lying, thrown
from vision.rest import Past
from vision.track import Sighting, Track
from vision.tracker import Tracker


def follow(
    paths: list[DiePath], seconds: float = 1.0, fps: float = 30.0, near: bool = False
) -> tuple[list[Track], Tracker]:
    """The last tracks of dice that are located perfectly, in their order."""
    tracker, tracks = Tracker(DIE_PX), []
    for frame in film(paths, seconds=seconds, fps=fps):
        poses = [pose for path in paths if (pose := path(frame.t)) is not None]
        seen = [Sighting(pose.x, pose.y, DIE_PX, 0.9, still=False, near_body=near, held=near) for pose in poses]
        tracks = tracker.step(frame.t, Past(frame.t, np.ascontiguousarray(frame.image[..., 1])), seen)
    return tracks, tracker


def sliding(start: tuple[float, float], speed: float) -> DiePath:
    """Speed in px per second to the right, without any turning."""
    return lambda t: Pose(start[0] + speed * t, start[1], 30.0, 5)


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_thrown_die_is_followed_and_tumbles(fps: float) -> None:
    (track,), tracker = follow([thrown((100, 240), (240, 200), 4, at=0.0)], fps=fps)
    assert track.number == 1
    assert not tracker.lost
    assert track.travel == pytest.approx(math.hypot(140, 40) / DIE_PX, rel=0.1)
    assert track.tumble is not None
    assert track.tumble > 0.15
    assert track.flew


@pytest.mark.parametrize("speed", [60.0, 240.0])
def test_slid_die_does_not_tumble(speed: float) -> None:
    (track,), _ = follow([sliding((100, 240), speed)])
    assert track.tumble is not None
    assert track.tumble < 0.1


@pytest.mark.parametrize(
    ("step_deg", "near", "tumbles"), [(35.0, False, True), (0.0, False, False), (35.0, True, False)]
)
def test_a_smeared_die_that_looks_much_as_a_moment_ago_turns_over_in_a_tenth_of_a_second(
    step_deg: float, near: bool, tumbles: bool
) -> None:
    looks = [cv2.GaussianBlur(np.random.default_rng(n).normal(0, 1, (40, 40)), (0, 0), 2.0) for n in range(2)]
    first, second = (look / look.std() for look in looks)
    tracker, track = Tracker(DIE_PX), None
    for frame in range(12):
        turned, picture = math.radians(step_deg * frame), np.full((480, 640), 90, np.uint8)
        face = 150 + 25 * (math.cos(turned) * first + math.sin(turned) * second)
        picture[220:260, 100 + 6 * frame : 140 + 6 * frame] = np.clip(face, 0, 255).astype(np.uint8)
        seen = Sighting(120.0 + 6 * frame, 240.0, DIE_PX, 0.9, still=False, near_body=near)
        (track,) = tracker.step(frame / 30, Past(frame / 30, picture), [seen])
    assert track is not None
    assert track.tumbles == 0
    assert (track.tumble or 0.0) == pytest.approx(1.0 if tumbles else 0.0, abs=0.3)


def test_die_moved_beside_a_hand_did_not_fly() -> None:
    (track,), _ = follow([sliding((100, 240), 120.0)], near=True)
    assert not track.flew
    assert track.travel == 0
    assert track.by_hand


@pytest.mark.parametrize(
    ("heats", "moved"), [((0.4, 0.4, 0.4), 0.0), ((0.4, 0.4, 0.9), 0.0), ((0.9, 0.9, 0.9), 2.0)],
    ids=["a finger", "a finger, then the die it drew back from", "a die"],
)  # fmt: skip
def test_only_what_is_clearly_a_die_moves_by_itself_beside_a_hand(heats: tuple[float, ...], moved: float) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    for n, heat in enumerate(heats):
        x = 300.0 + n * DIE_PX
        thing = Sighting(x, 240.0, DIE_PX, heat, still=False, near_body=True)
        (track,) = tracker.step(n / 30, Past(n / 30, picture), [thing])
    assert track.number == 1
    assert track.travel == pytest.approx(moved)
    assert track.flew == (moved > 0)


def test_lying_dice_close_together_keep_their_tracks() -> None:
    tracks, _ = follow([lying(200, 200, 1), lying(233, 200, 2), lying(217, 232, 3)])
    assert [track.number for track in tracks] == [1, 2, 3]
    assert not any(track.doubtful for track in tracks)


def test_dice_that_pass_through_one_another_are_doubtful() -> None:
    tracks, _ = follow([sliding((100, 240), 300.0), lambda t: Pose(400 - 300 * t, 240, 10, 2)])
    assert any(track.doubtful for track in tracks)


@pytest.mark.parametrize(("fps", "doubtful"), [(60.0, False), (10.0, True)])
def test_die_driven_on_by_another_is_surely_that_die_only_if_seen_often_enough(fps: float, doubtful: bool) -> None:
    def hit(t: float) -> Pose:
        return Pose(200 + 300 * max(0.0, t - 0.5), 240, 10 + 900 * max(0.0, t - 0.5), 1 if t <= 0.5 else 4)

    def behind(t: float) -> Pose | None:
        return Pose(167 + 300 * (t - 0.5), 240, 10 + 700 * t, 2 + round(9 * t) % 4) if t > 0.3 else None

    tracks, _ = follow([hit, behind], fps=fps)
    assert tracks[0].doubtful == doubtful


@pytest.mark.parametrize("hidden", [0, 1], ids=["under a hand at first", "a fingertip at first"])
@pytest.mark.parametrize(("heats", "moved"), [((0.3, 0.59, 0.68), 1.0), ((0.4, 0.5, 0.6), 2.0)])
def test_a_die_that_comes_to_light_from_under_a_hand_does_not_go_on(
    heats: tuple[float, ...], moved: float, hidden: int
) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    for n, heat in enumerate(heats):
        thing = replace(free(300.0 + n * DIE_PX, heat=heat), uncovered=n >= hidden)
        (track,) = tracker.step(n / 30, Past(n / 30, picture), [thing])
    assert track.travel == pytest.approx(moved)


def test_a_die_that_came_to_light_beside_a_fingertip_stays_where_it_lies_as_another_comes_to_light() -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    finger = replace(free(300.0, heat=0.25), near_body=True)
    die, other = (replace(free(300.0 + faces * DIE_PX, heat=0.6), uncovered=True) for faces in (0.8, 2.3))
    for n, seen in enumerate(([finger], [die], [die, other])):
        tracks = tracker.step(n / 30, Past(n / 30, picture), seen)
    assert [track.sighting for track in sorted(tracks, key=lambda track: track.number)] == [die, other]
    assert not any(track.travel for track in tracks)


@pytest.mark.parametrize(("off", "travel", "rolled"), [(6.0, 0.0, False), (18.0, 0.0, True), (0.0, 2.0, True)])
def test_a_die_that_comes_to_light_under_fingers_where_it_lies_has_not_rolled(
    off: float, travel: float, rolled: bool
) -> None:
    there, now = (Sighting(x, 240.0, DIE_PX, 0.6, still=True, near_body=True) for x in (300.0, 300.0 + off))
    found = Track(1, now, 2.0, 1.0, there, steps=4, tumbles=2, travel=travel, by_hand=True)
    assert found.rolled == rolled


def free(x: float, y: float = 240.0, heat: float = 0.6) -> Sighting:
    """What moves away from hands, with a face of 20 px."""
    return Sighting(x, y, 20.0, heat, still=False, near_body=False)


@pytest.mark.parametrize(
    ("y", "one", "other"), [(240.0, (222.0, 246.0), (188.0, 240.0)), (262.0, (204.0, 238.0), (206.0, 262.0))],
    ids=["it was hit", "touched as it passed"],
)  # fmt: skip
def test_nothing_goes_through_a_die_that_lay_still_and_comes_towards_it(
    y: float, one: tuple[float, float], other: tuple[float, float]
) -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    lay = replace(free(200.0), still=True)
    for n, flying in enumerate([free(136.0, y), free(171.0, y)]):
        first, _ = tracker.step(n / 30, Past(n / 30, picture), [lay, flying])
    first.rest(1)
    tracks = tracker.step(2 / 30, Past(2 / 30, picture), [free(*one), free(*other)])
    assert [(track.sighting.x, track.sighting.y) for track in tracks if track is first] == [one]
    assert not first.doubtful


def test_a_die_that_looked_little_like_one_for_a_moment_is_found_where_it_was() -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    for n, thing in enumerate([replace(free(200.0), still=True), free(222.0, heat=0.3), free(216.0)]):
        (track,) = tracker.step(n / 30, Past(n / 30, picture), [thing])
        track.die = 1 if n == 0 else track.die
    assert track.die == 1


def test_what_was_missed_takes_none_from_what_was_seen_a_moment_ago() -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    for n, there in enumerate([[(200.0, 240.0), (200.0, 300.0)], [(200.0, 250.0), (200.0, 300.0)], [(200.0, 282.0)]]):
        tracks = tracker.step(n / 30, Past(n / 30, picture), [free(*place) for place in there])
    assert [track.number for track in tracks] == [2]
    (track,) = tracker.step(0.1, Past(0.1, picture), [free(200.0, 275.0)])
    assert track.number == 2


@pytest.mark.parametrize(
    ("outside", "by_hand", "followed"), [(False, False, False), (True, False, True), (True, True, False)],
    ids=["over the floor", "over the rim", "a finger"],
)  # fmt: skip
def test_die_that_flies_out_is_followed_however_blurred(outside: bool, by_hand: bool, followed: bool) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    flying = Sighting(300.0, 240.0, DIE_PX, 0.5, still=False, near_body=False, uncovered=True)
    (track,) = tracker.step(0.0, Past(0.0, picture), [flying])
    track.free, track.by_hand = (0.0, 0), by_hand
    gone = Sighting(160.0, 240.0, DIE_PX, 0.3, still=False, near_body=False, beyond=1.0 if outside else -1.0)
    (after,) = tracker.step(0.066, Past(0.066, picture), [gone])
    assert (after is track) == followed


@pytest.mark.parametrize(("step", "same"), [(1.0, True), (3.0, False)], ids=["at the wall", "far out"])
def test_a_die_that_left_is_none_of_those_over_the_floor(step: float, same: bool) -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    for n, beyond in enumerate((-0.5, -0.5 + step)):
        flying = Sighting(300.0, 100.0 - 20 * step * n, 20.0, 0.5, still=False, near_body=False, beyond=beyond)
        (track,) = tracker.step(n / 30, Past(n / 30, picture), [flying])
    over = Sighting(300.0, 150.0, 20.0, 0.6, still=False, near_body=False, beyond=-3.0)
    (after,) = tracker.step(3 / 30, Past(3 / 30, picture), [over])
    assert (after is track) == same


def test_a_track_knows_since_when_it_is_beyond_the_floor() -> None:
    tracker, picture, left = Tracker(20.0), np.zeros((480, 640), np.uint8), []
    for n, beyond in enumerate((-0.5, 0.3, 0.9, -0.2, 0.1)):
        flying = Sighting(300.0, 100.0 - 10 * n, 20.0, 0.5, still=False, near_body=False, beyond=beyond)
        (track,) = tracker.step(n / 30, Past(n / 30, picture, frame=n), [flying])
        left.append(track.left and track.left[1])
    assert left == [None, 1, 1, None, 4]


def test_a_finger_not_seen_lately_takes_no_die_from_its_track() -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    kept = Sighting(300.0, 240.0, 20.0, 0.9, still=True, near_body=False)
    for n in range(2):  # the finger would be at the die's place four frames later
        finger = Sighting(200.0 + 22 * n, 240.0, 20.0, 0.3, still=False, near_body=True, held=True)
        first, _ = tracker.step(n / 30, Past(n / 30, picture), [kept, finger])
    first.rest(1)
    for n in range(2, 5):
        tracker.step(n / 30, Past(n / 30, picture), [kept])
    hit = Sighting(300.0 + 0.6 * 20, 240.0, 20.0, 0.6, still=False, near_body=False)
    (after,) = tracker.step(5 / 30, Past(5 / 30, picture), [hit])
    assert after is first
    assert not after.doubtful


@pytest.mark.parametrize(("heat", "doubtful"), [(0.3, False), (0.45, True)], ids=["a finger", "maybe a die"])
def test_what_is_missed_beside_a_hand_may_have_come_where_a_die_is_knocked_away(heat: float, doubtful: bool) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    kept = Sighting(300.0, 240.0, DIE_PX, 0.9, still=True, near_body=False)
    beside = Sighting(240.0, 240.0, DIE_PX, heat, still=False, near_body=True, held=True)
    first, _ = tracker.step(0.0, Past(0.0, picture), [kept, beside])
    first.rest(1)
    knocked = Sighting(300.0 + 0.7 * DIE_PX, 240.0, DIE_PX, 0.6, still=False, near_body=False)
    (after,) = tracker.step(0.033, Past(0.033, picture), [knocked])
    assert after is first
    assert after.doubtful == doubtful


@pytest.mark.parametrize("missing", [False, True])
def test_what_is_missed_while_all_five_dice_are_seen_takes_no_dies_place_later(missing: bool) -> None:
    tracker, noise = Tracker(DIE_PX), np.random.default_rng(1)
    pictures = [noise.integers(0, 256, (480, 640), np.uint8) for _ in range(3)]
    kept = Sighting(300.0, 240.0, DIE_PX, 0.9, still=True, near_body=False)
    others = [replace(kept, x=100.0 + 80 * n, y=400.0) for n in range(3 if missing else 4)]
    finger = Sighting(240.0, 240.0, DIE_PX, 0.45, still=False, near_body=True, held=True)
    first, *_ = tracker.step(0.0, Past(0.0, pictures[0]), [kept, *others, finger])
    first.rest(1)
    tracker.step(1 / 30, Past(1 / 30, pictures[1]), [kept, *others])
    knocked = replace(kept, x=300.0 + 0.7 * DIE_PX, heat=0.6, still=False)
    after, *_ = tracker.step(2 / 30, Past(2 / 30, pictures[2]), [knocked, *others[1:]])
    assert after is first
    assert after.doubtful is missing


def test_die_out_of_sight_is_lost_and_a_new_one_is_a_new_track() -> None:
    tracks, tracker = follow([lying(200, 200, 1, until=0.3), lying(450, 300, 2, since=0.7)])
    assert [track.number for track in tracks] == [2]
    assert [track.number for track in tracker.lost] == [1]
    tracker.forget_lost()
    assert not tracker.lost


@pytest.mark.parametrize(("number", "known"), [(None, 1), (7, 2)], ids=["maybe a finger", "a die that lay there"])
def test_what_went_from_view_as_a_throw_ended_is_none_of_the_next(number: int | None, known: int) -> None:
    tracks, tracker = follow([lying(200, 200, 1, until=0.9), lying(450, 300, 2)], seconds=1.0)
    assert len(tracks) == 1 and not tracker.lost
    gone = next(track for track in tracker.tracks if track not in tracks)
    gone.die = number
    tracker.forget_lost()
    assert len(tracker.tracks) == known


def test_rest_makes_a_track_a_numbered_die_and_starts_anew() -> None:
    (track,), _ = follow([thrown((100, 240), (350, 200), 4, at=0.0)])
    track.rest(7)
    assert (track.die, track.travel, track.tumble, track.free) == (7, 0.0, None, None)


def test_a_die_found_where_it_lay_is_no_longer_what_was_followed_as_it() -> None:
    (finger, die, other), tracker = follow([lying(200, 200, 1), lying(260, 200, 1), lying(450, 300, 2)])
    finger.rest(7)
    other.rest(8)
    tracker.recognise(die, 7)
    assert [track.die for track in (finger, die, other)] == [None, 7, 8]


@pytest.mark.parametrize(("heat", "number"), [(0.9, 8), (0.5, None)], ids=["a die", "a finger"])
def test_a_die_followed_as_the_one_beside_is_that_which_a_hand_pushed_there(heat: float, number: int | None) -> None:
    (there, uncovered, pushed), tracker = follow([lying(200, 200, 1), lying(260, 200, 1), lying(450, 300, 2)])
    there.rest(7)
    pushed.rest(8)
    there.sighting, there.by_hand = replace(there.sighting, heat=heat, near_body=True), True
    pushed.sighting, pushed.t = replace(there.sighting, x=there.sighting.x + 8), pushed.t - 0.1
    tracker.recognise(uncovered, 7)
    assert (uncovered.die, there.die) == (7, number)
    assert (pushed in tracker.tracks) == (number is None)
    assert there.doubtful == (number is not None)


@pytest.mark.parametrize(
    ("ago", "by_hand", "flies", "other"),
    [(3.0, True, False, 8), (0.1, False, False, 8), (0.1, True, True, 8), (0.1, True, False, 7)],
    ids=["taken long ago", "no hand moved it", "flew", "the same die"],
)
def test_what_was_followed_as_a_die_takes_no_number_of_one_that_is_elsewhere(
    ago: float, by_hand: bool, flies: bool, other: int
) -> None:
    (there, uncovered, ended), tracker = follow([lying(200, 200, 1), lying(260, 200, 1), lying(450, 300, 2)])
    there.rest(7)
    ended.rest(other)
    there.sighting, there.by_hand = replace(there.sighting, near_body=True), by_hand
    there.travel = 2.0 if flies else 0.3
    ended.sighting, ended.t = replace(there.sighting, x=there.sighting.x + 8), ended.t - ago
    tracker.recognise(uncovered, 7)
    assert (uncovered.die, there.die) == (7, None)
    assert [track.die for track in tracker.tracks].count(7) == 1


def test_a_die_that_lay_there_and_moved_only_beside_a_hand_did_not_fly_however_it_looked() -> None:
    (track,), _ = follow([thrown((100, 240), (350, 200), 4, at=0.0)], near=True)
    assert track.rolled
    assert track.flew
    track.die = 7
    assert not track.flew


@pytest.mark.parametrize(("near", "number"), [(False, 1), (True, 2)], ids=["its end", "a finger"])
def test_a_smeared_die_that_is_seen_twice_is_followed_where_it_looks_like_one(near: bool, number: int) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    for frame, seen in enumerate([[(100.0, 0.5)], [(120.0, 0.5)], [(141.0, 0.3), (122.0, 0.49)], [(123.0, 0.5)]]):
        things = [
            Sighting(x, 240.0, DIE_PX, heat, still=False, near_body=near and heat < 0.4, held=near and heat < 0.4)
            for x, heat in seen
        ]
        tracks = tracker.step(frame / 30, Past(frame / 30, picture), things)
    assert tracks[0].number == number


def test_a_side_seen_for_a_moment_takes_nothing_from_the_track_of_its_die() -> None:
    tracker, blank = Tracker(20.0), np.zeros((90, 90), np.uint8)
    for n, (x, side) in enumerate([(40.0, None), (46.0, None), (52.0, 57.0), (55.0, None)]):
        seen = [Sighting(x, 40.0, 20.0, 0.7, still=False, near_body=False)]
        seen += [Sighting(side, 40.0, 20.0, 0.3, still=False, near_body=False)] if side is not None else []
        tracks = tracker.step(n / 30, Past(n / 30, blank), seen)
    assert [track.number for track in tracks] == [1]
    assert not tracks[0].doubtful


@pytest.mark.parametrize("near_body", [True, False])
def test_a_die_that_a_throw_hits_is_itself_and_not_the_side_it_shows_as_it_turns(near_body: bool) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    kept = Sighting(200.0, 240.0, DIE_PX, 0.75, still=True, near_body=False)
    (track,) = tracker.step(0.0, Past(0.0, picture), [kept])
    track.rest(1)
    side = Sighting(200.0 + 0.2 * DIE_PX, 240.0, DIE_PX, 0.3, still=False, near_body=near_body)
    hit = Sighting(200.0 - 0.35 * DIE_PX, 240.0, DIE_PX, 0.65, still=False, near_body=False)
    tracks = tracker.step(1 / 30, Past(1 / 30, picture), [side, hit])
    assert tracks[-1] is track
    assert not track.doubtful


@pytest.mark.parametrize(
    ("beside", "changes", "followed"),
    [
        (None, {}, True),
        (None, {"heat": 0.3, "beyond": 0.8}, True),
        (None, {"heat": 0.3}, False),
        (None, {"near_body": True}, False),
        (None, {"uncovered": True}, False),
        (None, {"still": True}, False),
        (Sighting(420.0, 240.0, DIE_PX, 0.6, still=False, near_body=False), {}, False),
    ],
    ids=["alone", "blurred, over the rim", "blurred", "by a hand", "under a hand before", "still", "one of two"],
)  # fmt: skip
def test_a_die_hit_so_hard_that_it_is_elsewhere_at_once_is_followed_where_nothing_else_can_be_there(
    beside: Sighting | None, changes: dict[str, Any], followed: bool
) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    kept = Sighting(300.0, 240.0, DIE_PX, 0.9, still=True, near_body=False)
    (track,) = tracker.step(0.0, Past(0.0, picture), [kept])
    track.rest(1)
    hit = Sighting(300.0 + 2.5 * DIE_PX, 240.0, DIE_PX, 0.6, still=False, near_body=False)
    hit = replace(hit, **changes)
    after = tracker.step(1 / 30, Past(1 / 30, picture), [hit, *([beside] if beside else [])])
    assert (after[0] is track) == followed


@pytest.mark.parametrize(
    ("aside", "heat", "sure"), [(1.5, 0.6, True), (1.5, 0.3, False), (3.0, 0.6, False)],
    ids=["the die that hit it is seen", "a finger is seen", "a die is seen elsewhere"],
)  # fmt: skip
def test_a_die_that_is_elsewhere_at_once_is_surely_itself_only_where_the_one_that_hit_it_is_seen(
    aside: float, heat: float, sure: bool
) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    kept = Sighting(300.0, 240.0, DIE_PX, 0.9, still=True, near_body=False)
    thrown = Sighting(300.0 - aside * DIE_PX, 200.0, DIE_PX, heat, still=False, near_body=True, held=True)
    track, _ = tracker.step(0.0, Past(0.0, picture), [kept, thrown])
    track.rest(1)
    hit = Sighting(300.0 + 2.5 * DIE_PX, 240.0, DIE_PX, 0.6, still=False, near_body=False)
    striker = replace(thrown, y=thrown.y + 10.0, near_body=False, held=False)
    (after, _) = tracker.step(1 / 30, Past(1 / 30, picture), [hit, striker])
    assert after is track
    assert track.doubtful != sure


@pytest.mark.parametrize(("still", "sure"), [(False, False), (True, True)], ids=["hit away", "it lies still"])
def test_what_leaps_past_a_die_may_lie_in_its_place_while_that_die_flies_on(still: bool, sure: bool) -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    kept, other = replace(free(200.0), still=True), replace(free(400.0), still=True)
    first, _, second = tracker.step(0.0, Past(0.0, picture), [kept, other, free(150.0)])
    first.rest(1)
    there = [replace(kept, still=still), other, free(125.0, 300.0), free(230.0, 255.0)]
    tracks = tracker.step(1 / 30, Past(1 / 30, picture), there)
    assert tracks[0] is first
    assert tracks[2] is second
    assert first.doubtful != sure
    assert first.surely(tracks[1:]) == sure


def test_a_die_that_turns_back_at_a_wall_goes_on_though_a_hand_seen_before_would_be_there_now() -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    xs = [100.0, 125.0, 150.0, 140.0]
    for n, x in enumerate(xs):
        die = Sighting(x, 240.0, 20.0, 0.6, still=False, near_body=False)
        hand = Sighting(240.0 - 25 * n, 240.0, 20.0, 0.45, still=False, near_body=True, held=True)
        tracks = tracker.step(n / 30, Past(n / 30, picture), [die, *([hand] if n < 2 else [])])
    assert tracks[0].number == 1
    assert not tracks[0].doubtful


@pytest.mark.parametrize(
    ("heats", "known"), [((0.6, 0.6), True), ((0.4, 0.6), False), ((0.6, None), False)],
    ids=["alone", "little like a die", "where another may have come"],
)  # fmt: skip
def test_a_die_that_leaps_where_nothing_else_can_be_there_tells_the_others_apart(
    heats: tuple[float, float | None], known: bool
) -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    first, second = heats
    flying = [Sighting(100.0, 240.0, 20.0, first, still=False, near_body=False)]
    flying += [] if second else [Sighting(100.0, 300.0, 20.0, 0.6, still=False, near_body=False)]
    track = tracker.step(0.0, Past(0.0, picture), flying)[0]
    there = Sighting(150.0, 240.0, 20.0, 0.6, still=False, near_body=False)
    (after,) = tracker.step(1 / 30, Past(1 / 30, picture), [there])
    assert after is track
    assert track.doubtful
    assert (track.crossed == -math.inf) == known


@pytest.mark.parametrize("hand", [False, True], ids=["missed lately", "a hand was there"])
def test_a_die_not_seen_for_a_moment_may_have_gone_anywhere(hand: bool) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    kept = Sighting(300.0, 240.0, DIE_PX, 0.9, still=True, near_body=hand)
    (track,) = tracker.step(0.0, Past(0.0, picture), [kept])
    track.rest(1)
    if not hand:
        tracker.step(1 / 30, Past(1 / 30, picture), [])
    hit = Sighting(300.0 + 2.5 * DIE_PX, 240.0, DIE_PX, 0.6, still=False, near_body=False)
    (after,) = tracker.step(2 / 30, Past(2 / 30, picture), [hit])
    assert after is not track


def test_a_die_seen_twice_for_a_moment_is_itself_though_it_looks_less_like_one_where_it_was() -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    places = [[(200.0, 0.7)], [(206.0, 0.45), (215.0, 0.7)], [(214.0, 0.7)]]
    for n, there in enumerate(places):
        seen = [Sighting(x, 240.0, 20.0, heat, still=False, near_body=False) for x, heat in there]
        tracks = tracker.step(n / 30, Past(n / 30, picture), seen)
    assert [track.number for track in tracks] == [1]


@pytest.mark.parametrize(("heat", "seen"), [(0.45, True), (0.3, False)], ids=["like a die", "a finger"])
def test_a_die_seen_beside_a_hand_a_moment_ago_is_known_not_to_be_another(heat: float, seen: bool) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    kept = Sighting(300.0, 240.0, DIE_PX, 0.9, still=True, near_body=False)
    thrown = Sighting(200.0, 240.0, DIE_PX, heat, still=False, near_body=True, held=True)
    hand = Sighting(330.0, 240.0, DIE_PX, 0.45, still=False, near_body=True, held=True)
    first, other, _ = tracker.step(0.0, Past(0.0, picture), [kept, thrown, hand])
    first.rest(1)
    knocked = Sighting(300.0 - 0.7 * DIE_PX, 240.0, DIE_PX, 0.6, still=False, near_body=False)
    there = Sighting(205.0, 240.0, DIE_PX, 0.6, still=False, near_body=False)
    tracker.step(1 / 30, Past(1 / 30, picture), [knocked, there])
    assert first.doubtful
    assert first.surely([other]) == seen


@pytest.mark.parametrize(("heat", "seen"), [(0.65, True), (0.45, False)], ids=["plainly a die", "maybe a finger"])
def test_a_die_plainly_seen_beside_a_hand_is_known_not_to_be_another(heat: float, seen: bool) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    kept = Sighting(300.0, 240.0, DIE_PX, 0.9, still=True, near_body=False)
    thrown = Sighting(200.0, 240.0, DIE_PX, 0.65, still=False, near_body=True, held=True)
    hand = Sighting(330.0, 240.0, DIE_PX, 0.45, still=False, near_body=True, held=True)
    first, other, _ = tracker.step(0.0, Past(0.0, picture), [kept, thrown, hand])
    first.rest(1)
    knocked = Sighting(300.0 - 0.7 * DIE_PX, 240.0, DIE_PX, 0.6, still=False, near_body=False)
    tracker.step(1 / 30, Past(1 / 30, picture), [knocked, replace(thrown, x=205.0, heat=heat)])
    assert first.doubtful
    assert first.surely([other]) == seen


@pytest.mark.parametrize(("then", "sure"), [((60.0,), True), ((60.0, 38.0), False)], ids=["one again", "two dice"])
def test_a_die_seen_twice_for_a_moment_goes_on_as_itself_unless_they_part(then: tuple[float, ...], sure: bool) -> None:
    tracker, tumbling = Tracker(20.0), np.random.default_rng(1)
    for n, there in enumerate([(40.0,), (51.0,), (62.0, 51.0), then]):
        seen = [free(x, 40.0, 0.6 - 0.1 * i) for i, x in enumerate(there)]
        tracks = tracker.step(n / 30, Past(n / 30, tumbling.integers(0, 256, (90, 120), np.uint8)), seen)
    assert [track.number for track in tracks] == [1, 2][: len(then)]
    assert tracks[0].doubtful != sure, "a die over another looks like this too"


def test_a_die_that_its_flight_smears_is_seen_once_about_its_middle() -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    (track,) = tracker.step(0.0, Past(0.0, picture), [free(200.0), free(215.0)])
    assert (track.sighting.x, track.sighting.parts) == (207.5, ((200.0, 240.0), (215.0, 240.0)))


@pytest.mark.parametrize(
    "changes", [{"still": True}, {"near_body": True}, {"x": 220.0}], ids=["at rest", "hand", "far"]
)
def test_what_is_no_end_of_a_smeared_die_is_seen_for_itself(changes: dict[str, Any]) -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    assert len(tracker.step(0.0, Past(0.0, picture), [free(200.0), replace(free(215.0), **changes)])) == 2


@pytest.mark.parametrize(("faces", "twice"), [(0.3, True), (0.8, False)], ids=["back from the wall", "beside it"])
def test_a_die_followed_twice_until_it_was_seen_once_again_left_nowhere(faces: float, twice: bool) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    wall = 100.0
    flying = [Sighting(200.0, wall + 2 * DIE_PX, DIE_PX, 0.6, still=False, near_body=False)]
    flying.append(Sighting(260.0, wall + 2 * DIE_PX, DIE_PX, 0.6, still=False, near_body=False))
    one, other = tracker.step(0.0, Past(0.0, picture), flying)
    near = [replace(flying[0], y=wall), replace(flying[1], x=200.0 + faces * DIE_PX, y=wall)]
    tracker.step(0.1, Past(0.1, picture), near)
    tracker.step(0.15, Past(0.15, picture), near[1:])
    assert [one.side, other.side].count(True) == twice


@pytest.mark.parametrize(("flash", "witnesses"), [(110.0, {2}), (None, None)], ids=["a third thing", "none"])
def test_what_may_have_come_in_a_dies_stead_is_no_die_where_the_others_are_seen(
    flash: float | None, witnesses: set[int] | None
) -> None:
    tracker, tumbling = Tracker(20.0), np.random.default_rng(1)
    for n, (kept, other) in enumerate([(160.0, 90.0), (160.0, 100.0), (160.0, 110.0), (178.0, 112.0)]):
        seen = [Sighting(kept, 20.0, 20.0, 0.7, still=n < 3, near_body=False)]
        seen += [Sighting(other, 60.0, 20.0, 0.7, still=False, near_body=False)]
        seen += [Sighting(flash, 20.0, 20.0, 0.4, still=False, near_body=False)] if flash and n == 2 else []
        tracks = tracker.step(n / 30, Past(n / 30, tumbling.integers(0, 256, (90, 300), np.uint8)), seen)
    assert [track.number for track in tracks] == [1, 2]
    assert tracks[0].doubtful == (flash is not None)
    assert tracks[0].witnesses == witnesses
    assert tracks[0].surely([tracks[1]])
    assert not tracks[0].surely([Track(9, tracks[1].sighting, 0.1, 0.1, tracks[1].sighting)]) or flash is None


@pytest.mark.parametrize(("faces", "sure"), [((5, 2), True), ((5, 5), False)], ids=["unlike", "alike"])
def test_dice_that_slide_past_each_other_are_known_by_their_looks(faces: tuple[int, int], sure: bool) -> None:
    def there(t: float) -> Pose:
        return Pose(115 + 900 * t, 240, 30.0, faces[0])

    def back(t: float) -> Pose:
        return Pose(325 - 900 * t, 273, 30.0, faces[1])

    tracks, _ = follow([there, back], seconds=0.3)
    assert [track.doubtful for track in tracks] == [not sure] * 2


def seen_at(x: float, y: float = 200.0) -> Sighting:
    return Sighting(x, y, DIE_PX, 0.9, still=True, near_body=False)


@pytest.mark.parametrize("gone_s", [0.1, 1.0])
def test_die_located_as_one_with_another_goes_on_as_itself(gone_s: float) -> None:
    tracker, picture = Tracker(DIE_PX), Past(0.0, np.zeros((40, 40), np.uint8))
    one, other = tracker.step(0.0, picture, [seen_at(200.0), seen_at(240.0)])
    for step in range(1, 5):
        tracker.step(gone_s * step / 4, picture, [seen_at(201.0)])
    assert tracker.recover(gone_s, seen_at(231.0), one) is other
    assert other in tracker.tracks
    assert other not in tracker.lost
    assert (other.sighting.x, other.t) == (231.0, gone_s)
    assert not (one.doubtful or other.doubtful)


def test_which_of_two_that_were_located_as_one_is_the_kept_die_is_not_sure() -> None:
    tracker, picture = Tracker(DIE_PX), Past(0.0, np.zeros((40, 40), np.uint8))
    one, other = tracker.step(0.0, picture, [seen_at(200.0), seen_at(240.0)])
    one.rest(1)
    tracker.step(0.1, picture, [seen_at(201.0)])
    tracker.recover(0.1, seen_at(231.0), one)
    others = [each for each in tracker.tracks if each is not other]
    assert not one.surely([])
    assert not other.surely(others)


def test_die_that_nobody_saw_come_beside_another_was_not_thrown() -> None:
    tracker, picture = Tracker(DIE_PX), Past(0.0, np.zeros((40, 40), np.uint8))
    tracker.step(0.0, picture, [])
    (one,) = tracker.step(0.1, picture, [seen_at(200.0)])
    track = tracker.recover(0.1, seen_at(231.0), one)
    assert track is not one
    assert track.unseen
    assert not track.flew


def test_die_that_nothing_located_is_no_other_that_ended_near_there_but_stays_the_same() -> None:
    tracker, picture = Tracker(DIE_PX), Past(0.0, np.zeros((40, 40), np.uint8))
    (kept,) = tracker.step(0.0, picture, [seen_at(200.0)])
    kept.rest(1)
    tracker.step(0.1, picture, [])
    found = tracker.appear(0.1, seen_at(201.0))
    assert found is not kept
    assert (found.unseen, found.die, kept.doubtful) == (True, None, False)
    tracker.step(0.4, picture, [])
    assert tracker.appear(0.4, seen_at(200.5)) is found
    assert found in tracker.tracks
    assert found not in tracker.lost
    assert tracker.appear(0.4, seen_at(300.0)) is not found


@pytest.mark.parametrize("free", [True, False])
def test_die_that_was_last_seen_in_flight_may_be_the_one_that_lies_beside_another(free: bool) -> None:
    tracker, picture = Tracker(DIE_PX), Past(0.0, np.zeros((40, 40), np.uint8))
    one, flying = tracker.step(0.0, picture, [seen_at(200.0), seen_at(400.0)])
    flying.free = (0.0, 0) if free else None
    tracker.step(0.1, picture, [seen_at(200.0)])
    assert (tracker.recover(0.1, seen_at(231.0), one) is flying) == free


@pytest.mark.parametrize(("x", "known"), [(120.0, True), (104.0, False)], ids=["it went on", "another may have come"])
def test_a_die_blurred_for_a_moment_is_known_not_to_be_another_where_it_went_straight_on(x: float, known: bool) -> None:
    tracker, tumbling = Tracker(20.0), np.random.default_rng(1)
    for n, (kept, other, heat) in enumerate(
        [(160.0, 90.0, 0.7), (160.0, 100.0, 0.7), (160.0, 110.0, 0.3), (178.0, x, 0.7)]
    ):
        seen = [Sighting(kept, 20.0, 20.0, 0.7, still=n < 3, near_body=False)]
        seen += [Sighting(other, 60.0, 20.0, heat, still=False, near_body=False)]
        seen += [free(110.0, 20.0, 0.4)] if n == 2 else []
        tracks = tracker.step(n / 30, Past(n / 30, tumbling.integers(0, 256, (90, 300), np.uint8)), seen)
    assert [track.number for track in tracks] == [1, 2]
    assert tracks[0].doubtful
    assert tracks[0].surely([tracks[1]]) == known


@pytest.mark.parametrize("missed", [False, True], ids=["it stopped", "another may have come"])
def test_what_stops_at_a_die_does_not_go_on_as_a_side_that_shows_as_that_one_turns(missed: bool) -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    kept, beside, stopped = free(200.0), free(210.0, 239.0, 0.52), free(224.0, 255.0, 0.57)
    for n, flying in enumerate([free(250.0, 268.0), free(222.0, 254.0)]):
        others = [free(300.0)] if missed and n == 0 else []
        first, second, *_ = tracker.step(n / 30, Past(n / 30, picture), [replace(kept, still=True), flying, *others])
    first.rest(1)
    tracker.step(2 / 30, Past(2 / 30, picture), [replace(kept, y=230.0, heat=0.66), beside, stopped])
    assert second.sighting == (beside if missed else stopped)
    assert len(first.sighting.parts) == (0 if missed else 2)
    assert not first.doubtful or missed


@pytest.mark.parametrize(("still", "travel"), [(True, 0.0), (False, 0.8)])
def test_what_lies_still_goes_no_way_though_noise_has_it_located_a_little_aside(still: bool, travel: float) -> None:
    tracker, picture = Tracker(DIE_PX), np.zeros((480, 640), np.uint8)
    for n in range(9):
        seen = Sighting(200.0 + 0.1 * DIE_PX * (n % 2), 200.0, DIE_PX, 0.8, still, near_body=False)
        (track,) = tracker.step(n / 30, Past(n / 30, picture), [seen])
    assert track.travel == pytest.approx(travel)


def _drawn(face: int, t: float = 0.0) -> Past:
    """The picture at `t`, s, of a die that lies there."""
    frame = next(iter(film([lying(300, 240, face)])))
    return Past(t, np.ascontiguousarray(frame.image[..., 1]))


def _seen(t: float, *things: Sighting) -> tuple[float, Past, list[Sighting]]:
    return t, Past(t, np.full((480, 640), 90, np.uint8)), list(things)


PATTERN = Sighting(300.0, 240.0, DIE_PX, 0.6, still=True, near_body=False, bare=True)
"""What is printed on the floor and looks like a die."""


def test_a_die_that_flies_past_what_is_printed_on_the_floor_is_not_that() -> None:
    tracker = Tracker(DIE_PX)
    for n in range(17):
        (printed,) = tracker.step(*_seen(n / 30, PATTERN))
    for n in range(17, 25):
        flies = Sighting(180.0 + 16 * (n - 17), 240.0, DIE_PX, 0.8, still=False, near_body=False)
        hidden = abs(flies.x - PATTERN.x) < DIE_PX
        tracks = tracker.step(*_seen(n / 30, *([flies] if hidden else [flies, PATTERN])))
    assert printed.pattern
    (die,) = (track for track in tracks if not track.pattern)
    assert die is not printed
    assert die.travel * DIE_PX == pytest.approx(7 * 16, abs=1)


def test_what_is_printed_under_a_hand_is_that_again_when_the_hand_has_left_and_is_not_missed() -> None:
    tracker, hidden = Tracker(DIE_PX), [None] * 9
    shaded = replace(PATTERN, x=304.0, still=False, bare=False, near_body=True)
    for n, thing in enumerate([*[PATTERN] * 17, *hidden, PATTERN, shaded, shaded, PATTERN]):
        tracks = tracker.step(*_seen(n / 30, *([thing] if thing else [])))
        assert not tracker.lost
    (track,) = tracks
    assert track.pattern and not track.flew and track.first_t == 0.0


def test_a_die_that_was_lost_from_sight_and_lies_on_a_pattern_is_not_that() -> None:
    tracker = Tracker(DIE_PX)
    for n in range(17):
        tracker.step(*_seen(n / 30, PATTERN))
    flies = Sighting(150.0, 240.0, DIE_PX, 0.8, still=False, near_body=False)
    for n in range(17, 21):
        tracks = tracker.step(*_seen(n / 30, PATTERN, replace(flies, x=100.0 + 16 * (n - 16))))
        die = next(track for track in tracks if not track.pattern)
        die.free = die.free or (n / 30, n)
    for n in range(21, 29):
        tracker.step(*_seen(n / 30, PATTERN))
    (lies,) = tracker.step(*_seen(29 / 30, replace(PATTERN, x=303.0, heat=0.8, bare=False)))
    assert not lies.pattern and lies.first_t > 0.9


def test_patterns_that_are_seen_are_all_remembered() -> None:
    tracker = Tracker(DIE_PX)
    many = [replace(PATTERN, x=10.0 + 40 * (k % 10), y=10.0 + 40 * (k // 10)) for k in range(90)]
    for n in range(17):
        tracker.step(*_seen(n / 30, *many))
    assert sum(track.pattern for track in tracker.step(*_seen(17 / 30, *many))) == 90
    for n in range(18, 30):
        tracker.step(*_seen(n / 30))
    assert len(tracker.tracks) == 64 and not tracker.lost


def test_a_die_of_the_floors_colour_that_a_throw_pushes_on_is_no_pattern_where_it_goes() -> None:
    tracker = Tracker(DIE_PX)
    for n in range(17):
        tracker.step(*_seen(n / 30, PATTERN))
    for n in range(17, 23):
        (pushed,) = tracker.step(*_seen(n / 30, replace(PATTERN, x=300.0 + 9 * (n - 16), still=False)))
    assert not pushed.pattern
    assert pushed.travel > 1


def test_a_die_of_the_floors_colour_is_no_pattern_once_it_was_read_or_has_rolled_there() -> None:
    tracker = Tracker(DIE_PX)
    (track,) = tracker.step(*_seen(0.0, PATTERN))
    track.rest(3)
    assert not tracker.step(*_seen(1 / 30, PATTERN))[0].pattern
    rolls = Tracker(DIE_PX)
    for n in range(9):
        way = replace(PATTERN, x=220.0 + 10 * n, still=n == 8)
        (rolled,) = rolls.step(*_seen(n / 30, way))
    assert not rolled.pattern


@pytest.mark.parametrize(("face", "itself"), [(2, True), (5, False)], ids=["looks as it did", "shows another face"])
def test_a_die_that_looks_as_a_moment_ago_where_it_lay_was_not_hit_away(face: int, itself: bool) -> None:
    tracker, kept = Tracker(DIE_PX), Sighting(300.0, 240.0, DIE_PX, 0.9, still=True, near_body=False)
    flying = replace(free(240.0, 100.0), near_body=True)
    pictures = [next(iter(film([lying(300 + n, 240, value, 20 + 10 * n)]))) for n, value in enumerate((2, face))]
    shown = [np.ascontiguousarray(picture.image[..., 1]) for picture in pictures]
    first, _ = tracker.step(0.0, Past(0.0, shown[0]), [kept, flying])
    first.rest(1)
    tracker.step(1 / 30, Past(1 / 30, shown[0]), [kept, flying])
    tracks = tracker.step(2 / 30, Past(2 / 30, shown[1]), [replace(kept, x=301.0, still=False), free(340.0, 280.0)])
    assert tracks[0] is first
    assert first.doubtful != itself


@pytest.mark.parametrize(("face", "parts"), [(6, 2), (1, 1)], ids=["it lies there", "it rolls on, smeared"])
def test_what_touches_a_die_that_lies_there_is_no_end_of_it(face: int, parts: int) -> None:
    tracker, kept = Tracker(DIE_PX), Sighting(300.0, 240.0, DIE_PX, 0.9, still=True, near_body=False)
    (first,) = tracker.step(0.0, _drawn(6), [kept])
    first.rest(1)
    there, beside = replace(kept, x=301.0, still=False), free(301.0, 240.0 - 0.85 * DIE_PX)
    tracks = tracker.step(1 / 30, _drawn(face, 1 / 30), [there, beside])
    assert [track is first for track in tracks] == [True, False][:parts]


def test_what_hits_a_die_drives_it_on_and_does_not_go_through_it() -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    lay = replace(free(200.0), still=True)
    for n, x in enumerate((92.0, 130.0)):
        first, other = tracker.step(n / 30, Past(n / 30, picture), [lay, free(x)])
    first.rest(1)
    tracker.step(2 / 30, Past(2 / 30, picture), [replace(lay, still=False), free(168.0)])
    tracks = tracker.step(3 / 30, Past(3 / 30, picture), [free(221.0, 242.0), free(181.0, 258.0)])
    assert [track.number for track in tracks] == [first.number, other.number]
    assert not first.doubtful


@pytest.mark.parametrize(("beyond", "bare", "travel"), [(1.0, True, 0.0), (1.0, False, 2.0), (-1.0, True, 2.0)])
def test_the_grain_of_the_table_beside_the_tray_does_not_move(beyond: float, bare: bool, travel: float) -> None:
    tracker, picture = Tracker(20.0), np.zeros((480, 640), np.uint8)
    for n, x in enumerate((100.0, 120.0, 140.0)):
        seen = replace(free(x, heat=0.3), beyond=beyond, bare=bare)
        (track,) = tracker.step(n / 30, Past(n / 30, picture), [seen])
    assert track.travel == pytest.approx(travel)

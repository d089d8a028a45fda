"""What lies still: which of it are dice."""

from dataclasses import replace

import numpy as np
import pytest

from scorer.events import DieState
from tests.vision.drawn_photo import PLACES, photograph
from tests.vision.drawn_tray import DIE_PX, GEOMETRY, Image
from vision.geometry import TrayGeometry
from vision.judge import Judge, Thing, lies_on
from vision.lens import Lens
from vision.network import load_networks
from vision.read import Reading
from vision.rest import likeness, past, patch
from vision.resting import SAME_LOOK, Resting
from vision.settle import UNCHANGED_LOOK
from vision.track import Sighting, Track


def thing(x: float, heat: float, new: bool = True) -> Thing:
    """Something of which the reader can say nothing."""
    sighting = Sighting(x, 240.0, DIE_PX, heat, still=True, near_body=False)
    return Thing(sighting, Track(round(x), sighting, 0.0, 0.0, sighting), new, old=None)


def test_a_blank_die_that_was_not_said_to_lean_is_not_as_long_as_it_lies_there() -> None:
    blank = np.full((480, 640, 3), 90, np.uint8)
    blank[226:254, 306:334] = 240
    judge, picture = Judge(load_networks(), GEOMETRY), past(0.0, blank[..., 0], DIE_PX)
    (first,), _ = judge.judge([thing(320.0, 0.7)], picture, [blank] * 2)
    assert first.state == "cocked"
    for old in (first, replace(first, state="unknown")):
        lies = replace(thing(320.0, 0.7), old=old)
        assert [die.state for die in judge.judge([lies], picture, [blank] * 2)[0]] == [old.state]


def test_a_blank_die_whose_top_is_burnt_out_is_not_said_to_lean() -> None:
    blank = np.full((480, 640, 3), 90, np.uint8)
    blank[226:254, 306:334] = 255
    judge, picture = Judge(load_networks(), GEOMETRY), past(0.0, blank[..., 0], DIE_PX)
    (die,), _ = judge.judge([thing(320.0, 0.7)], picture, [blank] * 2)
    assert die.state == "unknown"


@pytest.mark.parametrize(
    ("touched", "new", "same", "count"),
    [(True, False, False, 0), (False, False, False, 1), (True, True, False, 1), (True, False, True, 1)],
    ids=["taken", "no hand was there", "something is", "as it lay"],
)
def test_where_a_die_was_taken_the_floors_pattern_is_none(touched: bool, new: bool, same: bool, count: int) -> None:
    floor = np.full((480, 640, 3), 90, np.uint8)
    floor[232:248, 312:328] = 140
    lay = floor.copy()
    lay[226:254, 306:334] = 250
    lay[236:244, 316:324] = 20
    judge, then = Judge(load_networks(), GEOMETRY), past(0.0, (floor if same else lay)[..., 0], DIE_PX)
    (old,), _ = judge.judge([thing(320.0, 0.7)], then, [floor if same else lay] * 2)
    judge.forget()
    seen = replace(thing(320.0, 0.45, new=new), old=replace(old, touched=touched, state="unknown"))
    seen = replace(seen, sighting=replace(seen.sighting, heat=0.7 if new else 0.45))
    dice, _ = judge.judge([seen], past(1.0, floor[..., 0], DIE_PX), [floor] * 2)
    assert len(dice) == count


def test_what_shows_no_face_is_not_read_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[float] = []
    monkeypatch.setattr("vision.judge.read_die", lambda _networks, _images, x, *_: read.append(x))
    floor = np.full((480, 640, 3), 90, np.uint8)
    dice, _ = Judge(load_networks(), GEOMETRY).judge([thing(320.0, 0.7)], past(0.0, floor[..., 0], DIE_PX), [floor] * 2)
    assert [die.state for die in dice] == ["cocked"]
    assert read == []


@pytest.mark.parametrize(
    ("score", "lamps", "times"),
    [(0.3, [90] * 5, 3), (0.05, [90] * 5, 1), (0.05, [90, 90, 60, 60, 60], 2), (0.3, [90, 80, 70, 60, 50], 5)],
    ids=["nearly sure", "far from sure", "another light", "light that changes"],
)
def test_what_is_not_sure_is_read_three_times_at_most_while_it_looks_the_same(
    score: float, lamps: list[int], times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[float] = []
    unsure = Reading(None, 0.4, 4, "unknown", 0.0, (300.0, 220.0, DIE_PX, DIE_PX), score, 0.0)

    def read_at(_judge: Judge, sighting: Sighting, _images: list[Image]) -> Reading:
        read.append(sighting.x)
        return unsure

    monkeypatch.setattr(Judge, "read_at", read_at)
    judge, seen = Judge(load_networks(), GEOMETRY), thing(320.0, 0.7)
    for n, lamp in enumerate(lamps):
        picture = photograph([4])[..., 1] // 2 * lamp // 90
        judge.judge([seen], past(float(n), picture.astype(np.uint8), DIE_PX), [np.full((480, 640, 3), 90, np.uint8)])
        judge.forget()
    assert len(read) == times


def test_what_is_not_sure_is_read_once_in_the_same_images(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[float] = []
    unsure = Reading(None, 0.4, 4, "unknown", 0.0, (300.0, 220.0, DIE_PX, DIE_PX), 0.3, 0.0)

    def read_at(_judge: Judge, sighting: Sighting, _images: list[Image]) -> Reading:
        read.append(sighting.x)
        return unsure

    monkeypatch.setattr(Judge, "read_at", read_at)
    judge, seen, picture = Judge(load_networks(), GEOMETRY), thing(320.0, 0.7), photograph([4])
    images = [picture, picture]
    for things in ([seen], [seen], [seen, thing(400.0, 0.7)]):
        judge.judge(things, past(0.0, picture[..., 1], DIE_PX), images)
    assert read == [320.0, 400.0]


@pytest.mark.parametrize(
    ("faces", "heat", "new", "count"),
    [
        (1.2, 0.55, True, 2),
        (0.6, 0.55, True, 1),
        (3.0, 0.55, True, 1),
        (1.2, 0.35, True, 1),
        (1.2, 0.55, False, 1),
        (0.9, 0.69, True, 2),
        (0.5, 0.69, True, 1),
    ],
    ids=["beside it", "on it", "elsewhere", "faint", "was always there", "a die beside it", "its other face"],
)
def test_what_may_be_a_die_that_leans_on_one_that_cannot_be_read_is_asked_about(
    faces: float, heat: float, new: bool, count: int
) -> None:
    floor = np.full((480, 640, 3), 90, np.uint8)
    things = [thing(320.0, 0.7), thing(320.0 + faces * DIE_PX, heat, new)]
    dice, tracks = Judge(load_networks(), GEOMETRY).judge(things, past(0.0, floor[..., 0], DIE_PX), [floor, floor])
    assert len(dice) == len(tracks) == count
    assert all(die.value is None for die in dice)


@pytest.mark.parametrize(
    ("y", "heat", "count"), [(40.0, 0.4, 1), (5.0, 0.4, 0), (5.0, 0.7, 1)], ids=["whole", "cut off", "plainly a die"]
)
def test_what_the_pictures_border_cuts_off_is_no_die_beside_the_tray_unless_it_plainly_looks_like_one(
    y: float, heat: float, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shows = Reading(None, 0.4, 4, "unknown", 0.0, (320.0, y, DIE_PX, DIE_PX), 0.4, 0.0)
    monkeypatch.setattr(Judge, "read_at", lambda *_: shows)
    floor, seen = np.full((480, 640, 3), 90, np.uint8), thing(320.0, heat)
    seen = replace(seen, sighting=replace(seen.sighting, y=y))
    dice, _ = Judge(load_networks(), GEOMETRY).judge([seen], past(0.0, floor[..., 0], DIE_PX), [floor] * 2)
    assert [die.state for die in dice] == ["off_tray"] * count


@pytest.mark.parametrize(
    ("heat", "way", "others", "at", "states"),
    [
        (0.45, {}, 1, 100.0, ["cocked", "cocked"]),
        (0.35, {}, 1, 100.0, ["cocked"]),
        (0.45, {"travel": 0.5}, 1, 100.0, ["cocked"]),
        (0.45, {"heat": 0.5}, 1, 100.0, ["cocked"]),
        (0.45, {"side": True}, 1, 100.0, ["cocked"]),
        (0.45, {"free": None}, 1, 100.0, ["cocked"]),
        (0.45, {}, 1, 200.0 - 0.7 * DIE_PX, ["cocked"]),
        (0.45, {}, 5, 100.0, ["cocked"] * 5),
    ],
    ids=["followed", "too faint", "it rocks", "never plain", "a side", "never let go", "at a die", "all are there"],
)
def test_what_was_followed_as_a_die_is_one_though_it_shows_no_face_where_dice_are_missing(
    heat: float, way: dict[str, object], others: int, at: float, states: list[str]
) -> None:
    floor = np.full((480, 640, 3), 90, np.uint8)
    faint = thing(at, heat)
    for name, value in ({"travel": 3.0, "heat": 0.8, "free": (1.0, 30)} | way).items():
        setattr(faint.track, name, value)
    things = [*(thing(200.0 + 70 * n, 0.7) for n in range(others)), faint]
    picture, images = past(0.0, floor[..., 0], DIE_PX), [floor] * 2
    dice, _ = Judge(load_networks(), GEOMETRY).judge(things, picture, images)
    assert len(dice) == others
    dice, _ = Judge(load_networks(), GEOMETRY).judge(things, picture, images, followed=True)
    assert [die.state for die in dice] == states


@pytest.mark.parametrize(
    ("heat", "new", "read", "counted"),
    [(0.55, True, False, True), (0.45, True, False, False), (0.55, False, False, False), (0.55, True, True, False)],
    ids=["like a die", "too faint", "was there", "others are read"],
)
def test_what_looks_like_a_die_is_one_where_dice_are_missing_and_none_of_them_can_be_read(
    heat: float, new: bool, read: bool, counted: bool
) -> None:
    picture = photograph([4])
    x, y = PLACES[0]
    blank = (x + 6 * DIE_PX, y) if read else (x + 3 * DIE_PX, y)
    seen = [
        Sighting(x if read else x + 6 * DIE_PX, y, DIE_PX, 0.7, True, False),
        Sighting(*blank, DIE_PX, heat, True, False),
    ]
    things = [Thing(one, Track(n, one, 0.0, 0.0, one), n == 0 or new, None) for n, one in enumerate(seen)]
    judge = Judge(load_networks(), GEOMETRY)
    dice, _ = judge.judge(things, past(0.0, picture[..., 0], DIE_PX), [picture] * 2, followed=True)
    assert [die.value for die in dice][:1] == [4 if read else None]
    assert len(dice) == 1 + counted


@pytest.mark.parametrize(("heat", "states"), [(0.45, ["cocked", "flat"]), (0.35, ["flat"])])
def test_a_die_that_leans_on_one_that_is_read_is_seen_though_it_shows_no_face(heat: float, states: list[str]) -> None:
    picture = photograph([4])
    x, y = PLACES[0]
    picture[:, round(x + 0.5 * DIE_PX) :] = picture[0, 0]
    seen = [Sighting(x, y, DIE_PX, 0.7, True, False), Sighting(x + 1.1 * DIE_PX, y, DIE_PX, heat, True, False)]
    things = [Thing(one, Track(n, one, 0.0, 0.0, one), True, None) for n, one in enumerate(seen)]
    found, _ = Judge(load_networks(), GEOMETRY).judge(things, past(0.0, picture[..., 0], DIE_PX), [picture] * 2)
    assert sorted(die.state for die in found) == states


@pytest.mark.parametrize(("dice", "count"), [(5, 5), (4, 5)], ids=["one too many", "one that lies upon another"])
def test_of_more_things_than_dice_one_at_a_die_that_was_read_is_its_other_face(dice: int, count: int) -> None:
    picture = photograph([4, 2, 6, 3, 5][:dice])
    seen = [Sighting(x, y, DIE_PX, 0.7, still=True, near_body=False) for x, y in PLACES[:dice]]
    seen.append(replace(seen[0], x=seen[0].x + 0.75 * DIE_PX, heat=0.75))
    tracks = [Track(number, thing, 0.0, 0.0, thing) for number, thing in enumerate(seen)]
    things = [Thing(thing, track, new=True, old=None) for thing, track in zip(seen, tracks, strict=True)]
    found, _ = Judge(load_networks(), GEOMETRY).judge(things, past(0.0, picture[..., 0], DIE_PX), [picture, picture])
    assert len(found) == count


def test_a_die_that_is_located_twice_and_read_as_one_face_is_one() -> None:
    picture = photograph([4, 4])
    (x, y), (aside, below) = PLACES[:2]
    seen = [Sighting(at, y, 0.7 * DIE_PX, 0.6, True, False) for at in (x - 0.24 * DIE_PX, x + 0.24 * DIE_PX)]
    seen.append(Sighting(aside, below, DIE_PX, 0.7, True, False))
    things = [Thing(one, Track(n, one, 0.0, -n, one), True, None) for n, one in enumerate(seen)]
    dice, tracks = Judge(load_networks(), GEOMETRY).judge(things, past(0.0, picture[..., 0], DIE_PX), [picture] * 2)
    assert [(die.value, die.state) for die in dice] == [(4, "flat")] * 2
    assert [track.number for track in tracks] == [1, 2]


@pytest.mark.parametrize(("faces", "states"), [(0.6, ["stacked"]), (1.1, ["cocked", "flat"])], ids=["upon", "beside"])
def test_what_cannot_be_read_so_near_a_die_that_can_lies_under_it(faces: float, states: list[str]) -> None:
    picture = photograph([4])
    (x, y), floor = PLACES[0], np.full(3, 90, np.uint8)
    picture[:, round(x + 0.5 * DIE_PX) :] = floor
    seen = [Sighting(x + way * DIE_PX, y, DIE_PX, 0.7, still=True, near_body=False) for way in (0.0, faces)]
    things = [Thing(thing, Track(number, thing, 0.0, 0.0, thing), True, None) for number, thing in enumerate(seen)]
    found, tracks = Judge(load_networks(), GEOMETRY).judge(things, past(0.0, picture[..., 0], DIE_PX), [picture] * 2)
    assert sorted(die.state for die in found) == states
    assert tracks[0].number == 0


@pytest.mark.parametrize(
    ("state", "all_but_one", "said"),
    [("unknown", False, "stacked"), ("cocked", False, "cocked"), ("cocked", True, "stacked")],
)
def test_where_one_die_of_a_throw_is_missing_it_lies_under_the_one_at_which_more_shows(
    state: DieState, all_but_one: bool, said: DieState
) -> None:
    picture = photograph([4, 2, 6, 3])
    x, y = (round(v) for v in PLACES[0])
    picture[y + 8 : y + 20, x + 6 : x + 24] = picture[y - 3, x - 3]  # a corner of the one below
    seen = [Sighting(x, y, DIE_PX, 0.7, still=True, near_body=False) for x, y in PLACES[:4]]
    things = [Thing(one, Track(n, one, 0.0, 0.0, one), True, None) for n, one in enumerate(seen)]
    judge = Judge(load_networks(), GEOMETRY)
    dice, _ = judge.judge(things, past(0.0, picture[..., 0], DIE_PX), [picture, picture])
    dice = [replace(dice[0], state=state), *dice[1:]]
    assert judge.lying_on_missing(picture, dice, all_but_one)[0].state == said


@pytest.mark.parametrize(
    ("touched", "shade", "said"),
    [(False, 0.7, "stacked"), (True, 0.7, "flat"), (False, 0.0, "flat")],
    ids=["in a shadow", "a hand was over it", "it looks otherwise"],
)
def test_a_die_that_lay_on_another_lies_so_until_it_is_touched_or_looks_otherwise(
    touched: bool, shade: float, said: DieState
) -> None:
    picture, (x, _) = photograph([4 if shade else 6]), PLACES[0]
    picture[:, : round(x)] = (shade or 1.0) * picture[:, : round(x)]  # of a hand that comes for it
    die, alike = _judged_again(photograph([4]), picture, 4, touched)
    assert SAME_LOOK < alike < UNCHANGED_LOOK or not shade
    assert die.state == said


@pytest.mark.parametrize(("before", "now"), [(2, 3), (3, 2), (4, 5), (5, 4)])
def test_a_die_that_lay_on_another_and_shows_another_face_where_it_lay_lies_so_no_more(before: int, now: int) -> None:
    die, alike = _judged_again(photograph([before]), photograph([now]), before, touched=False)
    assert SAME_LOOK < alike < UNCHANGED_LOOK
    assert (die.state, die.value) == ("flat", now)


def _judged_again(before: Image, now: Image, likely: int, touched: bool) -> tuple[Resting, float]:
    """The die at the first place, which was stacked in the picture `before`, as it is judged in the one of `now`, and
    how much the two look alike."""
    x, y = PLACES[0]
    sighting = Sighting(x, y, DIE_PX, 0.7, still=True, near_body=False)
    reading = Reading(None, 0.9, likely, "flat", 0.0, (x, y, DIE_PX, DIE_PX), 0.4, 0.0)
    look = patch(past(0.0, before[..., 0], DIE_PX), x, y, DIE_PX)
    old = Resting(x, y, DIE_PX, "stacked", reading, look, id=1, touched=touched)
    judge, thing = Judge(load_networks(), GEOMETRY), Thing(sighting, Track(1, sighting, 0.0, 0.0, sighting), True, old)
    (die,), _ = judge.judge([thing], past(1.0, now[..., 0], DIE_PX), [now, now])
    return die, likeness(die.look, old.look)


@pytest.mark.parametrize(
    ("x", "angle", "value", "so"),
    [(0.5, 88.0, 5, True), (3.0, 0.0, 5, False), (0.0, 8.0, 5, False), (0.0, 0.0, 2, False)],
    ids=["as it lay", "shifted", "turned", "another face"],
)
def test_a_die_lies_flat_as_it_did_that_shows_its_face_where_it_did(
    x: float, angle: float, value: int, so: bool
) -> None:
    def lying(x: float, angle: float, value: int) -> Resting:
        reading = Reading(value, 0.99, value, "flat", angle, (x, 0.0, 30.0, 30.0), 0.9, 0.0)
        return Resting(x, 0.0, 30.0, "flat", reading, np.zeros((32, 32), np.float32))

    assert lies_on(lying(x, angle, value), lying(0.0, 0.0, 5)) is so


def test_a_die_seen_aslant_is_read_where_the_cameras_pose_says_that_its_top_lies() -> None:
    """A one that was located .4 faces nearer to the camera's foot."""
    off, (x, y), (foot_x, foot_y) = 0.4 * DIE_PX, PLACES[0], (320.0, 240.0)
    apart = float(np.hypot(x - foot_x, y - foot_y))
    inward = (apart - off) / apart
    sighting = Sighting(foot_x + inward * (x - foot_x), foot_y + inward * (y - foot_y), DIE_PX, 0.9, True, False)
    thing = Thing(sighting, Track(1, sighting, 0.0, 0.0, sighting), new=True, old=None)
    picture = photograph([1])

    def judged(geometry: TrayGeometry) -> Reading:
        judge = Judge(load_networks(), geometry)
        judge.judge([thing], past(0.0, picture[..., 0], DIE_PX), [picture, picture])
        return judge.answers[1]

    height = GEOMETRY.die_mm * (1 + (apart - off) / (2 * off))
    lens = Lens((1000.0, 1000.0), (foot_x, foot_y), (0.0, 0.0, 0.0), (0.0, 0.0, height))
    assert judged(replace(GEOMETRY, lens=lens)).score > 1.2 * judged(GEOMETRY).score


@pytest.mark.parametrize(
    ("value", "others", "states"),
    [
        (None, [250.0, 400.0], ["unknown"] * 3),
        (4, [250.0, 400.0], ["cocked", "flat", "unknown"]),
        (4, [200.0, 280.0, 400.0], ["unknown", "flat", "unknown", "unknown"]),
    ],
    ids=["none is read", "as many are", "fewer are"],
)
def test_a_blank_die_is_not_said_to_lean_among_others_whose_pips_do_not_stand_out(
    value: int | None, others: list[float], states: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_at(_judge: Judge, at: Sighting, _images: list[Image]) -> Reading:
        blank, shown = (0.6, None) if at.x < 150 else (0.1, value if at.x > 350 else None)
        box = (at.x - DIE_PX / 2, at.y - DIE_PX / 2, DIE_PX, DIE_PX)
        return Reading(shown, 0.9 if shown else 0.3, 4, "flat" if shown else "unknown", 0.0, box, 0.9, blank)

    monkeypatch.setattr(Judge, "read_at", read_at)
    floor = np.full((480, 640, 3), 90, np.uint8)
    things = [thing(x, 0.7) for x in (120.0, *others)]
    beside = replace(things[0], sighting=replace(things[0].sighting, x=125.0, y=12.0))
    dice, _ = Judge(load_networks(), GEOMETRY).judge([*things, beside], past(0.0, floor[..., 0], DIE_PX), [floor] * 2)
    assert sorted(die.state for die in dice) == sorted([*states, "off_tray"])

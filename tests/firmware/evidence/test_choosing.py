"""The last seconds in memory, and which frames of them prove what."""

from collections.abc import Sequence

import cv2
import numpy as np

from firmware.evidence.choosing import Chooser
from firmware.evidence.pieces import Die, Picture
from firmware.evidence.ring import CALM_S, Cutter, Recorder, Ring
from scorer.events import Fact, RefereeCalled, Ruling
from scorer.presets import BHO
from scorer.umpire import Umpire
from tests.scorer.tray import dice, rest, throw
from vision.geometry import TrayGeometry
from vision.source import Frame
from vision.view import SeenDie, TrayView

GEOMETRY = TrayGeometry(((60, 40), (140, 40), (140, 110), (60, 110)), 12.0, (200, 150))
FPS = 30
DIE = SeenDie(80.04, 60.0, 12.0, 0.0, 1, None, None, None, still=False)
MOVING = TrayView(0.0, 0, (DIE,), hand=False, still=False)
CALM = TrayView(0.0, 0, (), hand=False, still=True, settled=True)


def film(recorder: Recorder, start: float, end: float, calm: bool = False) -> None:
    """Grey frames, each of its own level."""
    for index in range(round(start * FPS), round(end * FPS)):
        image = np.full((150, 200, 3), index % 200, np.uint8)
        recorder.see(Frame(index, index / FPS, image), GEOMETRY, CALM if calm else MOVING)


def test_nothing_but_the_tray_and_its_edge_is_kept() -> None:
    cutter = Cutter(GEOMETRY)
    picture = np.full((150, 200, 3), 255, np.uint8)
    kept = cv2.imdecode(np.frombuffer(cutter.jpeg(picture), np.uint8), cv2.IMREAD_COLOR)
    assert cutter.crop == (48, 28, 105, 95) and kept is not None and kept.shape == (95, 105, 3)
    assert kept[:3, :3].max() < 30 and kept[45:50, 3:9].min() > 225  # the corner is far from the floor, the edge is not
    frames = cutter.frames([])
    assert (frames.crop, frames.size, frames.floor, frames.die_px) == (cutter.crop, (200, 150), GEOMETRY.floor, 12.0)


def test_the_ring_keeps_to_its_seconds_and_its_memory() -> None:
    ring = Ring(2.0, 1e-3)
    for frame in range(100):
        ring.add(Picture(frame, frame / 10, b"x" * 10))
    assert [picture.frame for picture in ring.since(0.0)] == list(range(79, 100))
    ring.add(Picture(100, 10.0, b"x" * 900))
    assert sum(len(picture.jpeg) for picture in ring.since(0.0)) <= 1000 and ring.last is not None
    ring.add(Picture(101, 10.1, b"x" * 1001))
    assert ring.last is None


def test_while_nothing_moves_few_frames_are_kept_and_a_pushed_tray_begins_anew() -> None:
    recorder = Recorder(10.0, 10.0)
    film(recorder, 0.0, 2.0, calm=True)
    film(recorder, 2.0, 2.5)
    frames = recorder.since(0.0)
    assert frames is not None
    times = [round(picture.t, 2) for picture in frames.pictures]
    assert times[:4] == [0.0, CALM_S, 2 * CALM_S, 3 * CALM_S] and len(times) == 4 + 15
    moved = TrayGeometry(tuple((x + 5, y) for x, y in GEOMETRY.floor), 12.0, (200, 150))
    recorder.see(Frame(99, 3.3, np.zeros((150, 200, 3), np.uint8)), moved, MOVING)
    again = recorder.since(0.0)
    assert again is not None and again.crop != frames.crop
    (picture,) = again.pictures
    assert picture.dice == (Die(80.0, 60.0, 12.0, 0.0, None, None),)


def told(
    umpire: Umpire, chooser: Chooser, facts: Fact | Sequence[Fact]
) -> dict[str, tuple[tuple[int, ...], list[float]]]:
    """What is kept: by its kind the rulings and the times of the frames."""
    chosen = [
        due
        for fact in ([facts] if isinstance(facts, Fact) else facts)
        for due in chooser.choose((fact, *umpire.on(fact)))
    ]
    return {due.what: (due.entries, [round(p.t, 2) for p in due.frames.pictures]) for due in chosen}


def test_a_roll_is_proved_by_few_frames_and_a_dispute_long_after_by_the_whole_throw() -> None:
    umpire, recorder = Umpire(BHO, ("Ann", "Ben")), Recorder(4.0, 10.0)
    chooser = Chooser(recorder)
    chooser.choose(umpire.start())
    film(recorder, 0.0, 5.3)
    kept = told(umpire, chooser, throw(5.0, dice("33355")))
    assert kept == {"frames": ((3,), [3.2, 3.7, 4.0, 5.0, 5.2])}
    film(recorder, 5.3, 20.0, calm=True)
    kept = told(umpire, chooser, RefereeCalled(t=20.0, player="Ben"))
    (entry,), times = kept["clip"]
    assert entry == umpire.state.entries
    assert times[:2] == [3.2, 3.23] and 5.2 in times and times[-1] > 19.0 and len(times) < 80


def test_dice_that_were_put_right_are_shown_as_thrown_and_as_they_lie_then() -> None:
    umpire, recorder = Umpire(BHO, ("Ann", "Ben")), Recorder(4.0, 10.0)
    chooser = Chooser(recorder)
    umpire.start()
    film(recorder, 0.0, 5.3)
    told(umpire, chooser, throw(5.0, dice("3335?")))
    film(recorder, 5.3, 9.3)
    kept = told(umpire, chooser, rest(9.0, kept=dice("33356")))
    assert kept["frames"][1] == [3.2, 3.7, 4.0, 9.0, 9.2]


def test_without_a_frame_nothing_is_kept() -> None:
    umpire = Umpire(BHO, ("Ann",))
    umpire.start()
    fact = rest(1.0, dice("33355"))
    rulings: tuple[Ruling, ...] = umpire.on(fact)
    assert Chooser(Recorder(4.0, 10.0)).choose((fact, *rulings)) == []

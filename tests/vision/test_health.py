"""Faults of the view: they are named once they last, and end."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from scorer.events import ViewFault
from vision.health import FloatArray, Image, Verdict, ViewHealth


def tray() -> Image:
    noise = np.random.default_rng(1).normal(0, 3, (180, 240))
    picture = np.full((180, 240), 90.0)
    cv2.rectangle(picture, (30, 20), (210, 160), 150.0, 5)
    cv2.rectangle(picture, (60, 60), (62, 120), 200.0, -1)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def judged(change: Callable[[float, Image], Image], gain: Callable[[float], float] = lambda _t: 1.0) -> list[Verdict]:
    health, empty = ViewHealth(18.0), tray().astype(np.float32)
    return [
        v for n in range(60) for v in health.step(n / 30, n, change(n / 30, tray()), empty, gain(n / 30), quiet=True)
    ]


def during(t: float) -> bool:
    return 0.5 <= t < 1.2


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (lambda t, p: p // 8 if during(t) else p, "blocked"),
        (lambda t, p: np.full_like(p, 128) if during(t) else p, "frames_bad"),
        (lambda t, p: np.roll(p, (5, 3), (0, 1)) if during(t) else p, "camera_moved"),
    ],
)
def test_fault_begins_and_ends(change: Callable[[float, Image], Image], cause: ViewFault) -> None:
    began, ended = judged(change)
    assert (began.cause, began.lost, ended.cause, ended.lost) == (cause, True, cause, False)
    assert 0.5 <= began.t <= 0.8
    assert 1.2 <= ended.t <= 1.5


def test_another_light_is_a_fault() -> None:
    assert [v.cause for v in judged(lambda _t, p: p, gain=lambda t: 0.4 if during(t) else 1.0)] == ["light_changed"] * 2


@pytest.mark.parametrize(
    "change",
    [lambda _t, p: p, lambda t, p: p // 8 if 0.5 <= t < 0.55 else p, lambda t, p: (p * (1 - t / 10)).astype(np.uint8)],
)
def test_nothing_is_said_of_a_sound_view_nor_of_a_single_bad_frame(change: Callable[[float, Image], Image]) -> None:
    assert judged(change) == []


def test_die_that_comes_is_no_shift_and_plain_cloth_tells_none() -> None:
    def with_die(t: float, picture: Image) -> Image:
        if t > 0.5:
            cv2.rectangle(picture, (100, 80), (120, 100), 255, -1)
        return picture

    assert judged(with_die) == []
    health, plain = ViewHealth(18.0), np.full((180, 240), 90, np.uint8)
    plain[::2, ::3] = 95
    empty: FloatArray = plain.astype(np.float32)
    assert not [v for n in range(60) for v in health.step(n / 30, n, with_die(n / 30, plain.copy()), empty, 1.0, True)]


def test_frames_that_do_not_come() -> None:
    health, empty = ViewHealth(18.0), tray().astype(np.float32)
    verdicts = [v for t in (0.0, 0.03, 1.5, 1.53) for v in health.step(t, round(30 * t), tray(), empty, 1.0, True)]
    assert [(v.cause, v.lost, v.frame) for v in verdicts] == [
        ("frames_stopped", True, 1),
        ("frames_stopped", False, 45),
    ]

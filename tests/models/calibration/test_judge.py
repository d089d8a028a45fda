"""What was said of a recording against what is true."""

import json
import math
from typing import Any

import numpy as np
import pytest

from models.calibration.judge import judge, outline_error, said
from models.sim.view import overhead, project

LENS = overhead(700, 900, (640, 480), tilt=0.15)
SQUARE = [(-100.0, -100.0, 0.0), (100.0, -100.0, 0.0), (100.0, 100.0, 0.0), (-100.0, 100.0, 0.0)]


def true(**fields: Any) -> dict[str, Any]:
    camera = {
        "position_mm": LENS.position,
        "rotation": LENS.rotation,
        "centre_px": LENS.centre_px,
        "focal_px": LENS.focal_px,
        "k1": 0.0,
        "k2": 0.0,
    }
    floor = project(LENS, SQUARE).tolist()
    usual = {"width": 640, "height": 480, "camera": camera, "floor": floor, "reason": None, "given": ["--die-mm", "16"]}
    return {**usual, "mm_per_px": 0.8, "die_mm": 16.0, "die_px": 20.4, **fields}


def told(**fields: Any) -> dict[str, Any]:
    return {"ok": True, "reasons": [], **{k: true()[k] for k in ("mm_per_px", "die_mm", "die_px", "floor")}, **fields}


def moved(dx: float, dy: float) -> list[list[float]]:
    """The square moved on the floor, with a point more on each side."""
    points = []
    for a, b in zip(SQUARE, [*SQUARE[1:], SQUARE[0]], strict=True):
        points += [a, tuple((np.asarray(a) + b) / 2)]
    px: list[list[float]] = project(LENS, np.add(points, (dx, dy, 0))).tolist()
    return px


def test_the_truth_itself_is_right() -> None:
    verdict = judge(true(), told(), None)
    assert verdict.outcome == "right"
    assert verdict.outline_mm == pytest.approx(0, abs=0.2)
    assert (verdict.scale, verdict.die_mm) == (0, 0)


def test_an_outline_is_off_by_how_far_it_lies_on_the_floor() -> None:
    assert outline_error(true(), told(floor=moved(3, 0))) == pytest.approx(3, abs=0.1)
    assert outline_error(true(), told(floor=moved(0, 0)[::-1])) == pytest.approx(0, abs=0.2)
    assert judge(true(), told(floor=moved(0, 2)), None).words == "outline off by 2.00 mm"
    assert outline_error(true(), told(floor=None)) == math.inf


def test_scale_and_die_are_judged_by_their_limits() -> None:
    assert judge(true(), told(mm_per_px=0.8 * 1.011), None).outcome == "off"
    assert judge(true(), told(mm_per_px=0.8 * 1.009), None).outcome == "right"
    rough = judge(true(), told(mm_per_px=0.8 * 1.02, mm_per_px_doubt=0.04), None)
    assert rough.outcome == "off"
    assert rough.doubt == pytest.approx(0.049, abs=1e-3)
    assert judge(true(), told(die_mm=16.31), None).words == "die size off by 0.31 mm"
    assert judge(true(), told(die_mm=None), None).outcome == "off"


def test_without_a_length_no_millimetres_may_be_claimed() -> None:
    unknown = true(given=[])
    assert judge(unknown, told(mm_per_px=None, die_mm=None), None).outcome == "right"
    assert judge(unknown, told(), None).outcome == "off"
    assert judge(unknown, told(mm_per_px=None, die_px=21.0), None).words == "die size off by 0.47 mm"


def test_bad_set_ups_must_be_refused_for_the_true_reason() -> None:
    glare = true(reason="glare")
    assert judge(glare, told(), None).outcome == "passed"
    assert judge(glare, told(ok=False, reasons=["no_dice", "glare"]), None).outcome == "right"
    assert judge(glare, told(ok=False, reasons=["no_dice"]), None).outcome == "other_reason"
    assert judge(true(), told(ok=False, reasons=["glare"]), None).outcome == "refused"


def test_what_broke_off_is_told_apart() -> None:
    assert judge(true(), None, None).outcome == "broke_off"
    assert judge(true(), told(), "no such option").words == "no such option"
    assert said("reading\n" + json.dumps({"ok": False})) == {"ok": False}
    assert said("nothing") is said("") is said("[1]") is None

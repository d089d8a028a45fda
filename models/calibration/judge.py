"""One recording judged: what calibration said of it against what is true."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from models.sim.errors import SimulatorError
from models.sim.scene import Lens
from models.sim.view import to_floor

Fields = Mapping[str, Any]
Outcome = Literal["right", "off", "refused", "passed", "other_reason", "broke_off", "not_filmed"]

OUTLINE_MM, SCALE, DIE_MM = 1.5, 0.01, 0.3
"""Most that outline and die size may be off, in mm, and the scale, as a share."""
STEP_PX = 2.0
"""An outline between points of the picture so far apart is straight on the floor, whatever the lens."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How right calibration was.

    right: passed with outline, scale and die size as true as they must be, or refused for the true reason. off:
    passed, but not so true. refused: a good set-up was. passed: a bad one was. other_reason: a bad one was refused,
    but the true reason is not among those given. Errors are None where there is nothing to compare. doubt: by which
    share the scale may be off, as it was told with it; None where none was told.
    """

    outcome: Outcome
    words: str
    outline_mm: float | None = None
    scale: float | None = None
    die_mm: float | None = None
    doubt: float | None = None


def said(printed: str) -> dict[str, Any] | None:
    """The JSON object that `calibrate run --json` printed last, None where there is none."""
    lines = printed.strip().splitlines()
    try:
        fields = json.loads(lines[-1]) if lines else None
    except ValueError:
        return None
    return fields if isinstance(fields, dict) and "ok" in fields else None


def judge(true: Fields, told: Fields | None, complaint: str | None) -> Verdict:
    """The verdict; `told` is None where calibration broke off, `complaint` what it broke off with."""
    if complaint is not None or told is None:
        return Verdict("broke_off", complaint or "it printed no JSON object with `ok`")
    if true["reason"] is not None:
        return _refusal(true["reason"], told)
    if not told["ok"]:
        return Verdict("refused", f"a good set-up was refused: {_reasons(told)}")
    measures = {"outline_mm": outline_error, "scale": scale_error, "die_mm": die_error}
    errors = {name: measure(true, told) for name, measure in measures.items()}
    limits = {"outline_mm": OUTLINE_MM, "scale": SCALE, "die_mm": DIE_MM}
    off = [name for name, error in errors.items() if error is not None and not error <= limits[name]]
    words = [_in_words(name, errors[name]) for name in off]
    if not true["given"] and told.get("mm_per_px") is not None:
        words.append(f"{told['mm_per_px']} mm a px were claimed, though no length was given")
    doubt = told["mm_per_px_doubt"] / told["mm_per_px"] if told.get("mm_per_px_doubt") else None
    return Verdict("off" if words else "right", "; ".join(words) or "right", **errors, doubt=doubt)


def outline_error(true: Fields, told: Fields) -> float | None:
    """Largest distance in mm on the floor between the two outlines, infinite where one is missing."""
    lens = lens_of(true)
    try:
        a, b = (to_floor(lens, _along(fields["floor"], STEP_PX)) for fields in (true, told))
    except (SimulatorError, KeyError, TypeError, ValueError):
        return math.inf
    return max(_farthest(a, b), _farthest(b, a))


def scale_error(true: Fields, told: Fields) -> float | None:
    """By which share the scale is off; None where no length was given."""
    if not true["given"]:
        return None
    scale = told.get("mm_per_px")
    return math.inf if scale is None else abs(scale / true["mm_per_px"] - 1)


def die_error(true: Fields, told: Fields) -> float | None:
    """By how many mm the size of the dice is off; where no length was given, of their size in px."""
    size, px = told.get("die_mm"), told.get("die_px")
    if true["given"]:
        return math.inf if size is None else abs(size - true["die_mm"])
    return math.inf if px is None else abs(px / true["die_px"] - 1) * float(true["die_mm"])


def lens_of(true: Fields) -> Lens:
    """The camera that the truth names."""
    camera = true["camera"]
    x, y, z = camera["position_mm"]
    w, i, j, k = camera["rotation"]
    cx, cy = camera["centre_px"]
    size = (true["width"], true["height"])
    return Lens((x, y, z), (w, i, j, k), camera["focal_px"], (cx, cy), size, camera["k1"], camera["k2"])


def _refusal(reason: str, told: Fields) -> Verdict:
    if told["ok"]:
        return Verdict("passed", f"it passed, though it is a case of {reason}")
    if reason not in told.get("reasons", []):
        return Verdict("other_reason", f"refused for {_reasons(told)}, not for {reason}")
    return Verdict("right", "right")


def _reasons(told: Fields) -> str:
    return ", ".join(told.get("reasons") or ["no reason"])


def _in_words(name: str, error: float | None) -> str:
    assert error is not None
    if name == "scale":
        return f"scale off by {100 * error:.2f} %"
    return f"{'outline' if name == 'outline_mm' else 'die size'} off by {error:.2f} mm"


def _along(outline: Sequence[Sequence[float]], step_px: float) -> NDArray[np.float64]:
    """(n, 2) px: points along a closed outline, no farther apart than `step_px`."""
    corners = np.asarray(outline, np.float64).reshape(-1, 2)
    pieces = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        count = max(1, math.ceil(float(np.linalg.norm(b - a)) / step_px))
        pieces.append(a + (b - a) * np.arange(count)[:, None] / count)
    return np.concatenate(pieces)


def _farthest(points: NDArray[np.float64], outline: NDArray[np.float64]) -> float:
    """The largest distance from one of the points to a closed outline."""
    sides = np.roll(outline, -1, axis=0) - outline
    off = points[:, None] - outline
    along = np.clip((off * sides).sum(2) / np.maximum((sides * sides).sum(1), 1e-12), 0, 1)
    return float(np.linalg.norm(off - along[..., None] * sides, axis=2).min(1).max())

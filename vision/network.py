"""The small networks and the cards that say how far to trust them.

`models/locator.onnx` finds die-like things, `models/reader.onnx` reads one of them, and `models/card.json` holds their
hashes and every threshold. The thresholds were chosen on photographs that training had left out; none is set in code.
`models/leaner.onnx` sees whether one leans or lies on another, with a card of its own.
"""

import hashlib
import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import onnxruntime as ort

from vision.errors import ModelError

CARD = "card.json"
CARD_FORMAT = 2
LOCATOR = "locator.onnx"
READER = "reader.onnx"
LEANER, LEANER_CARD = "leaner.onnx", "leaner.json"
MODELS = Path(__file__).parent.parent / "models"

LOCATOR_FACE_PX = 18.0
"""Edge of a die's face in the picture the locator was trained on."""
CROP_PX = 56
"""Edge of the reader's crop."""
CROP_FACES = 1.4
"""Die faces that a crop spans."""
SHOWN = 3
"""Maps of a crop: grey and two hues, which are nought where a single channel is shown."""
PIP_CELLS = 28
"""Edge of the reader's map of pip centres, over the same span as the crop."""
VIEW_MAPS, VIEW_PX = 7, 48
"""Maps of what the leaner takes of a die, and their edge (see `vision.leaner`)."""
LABELS = ("unreadable", 1, 2, 3, 4, 5, 6)
"""What the reader's logits stand for, in their order; the first is "no readable flat top face"."""
PROMISED: Mapping[str, Mapping[str, Any]] = {
    LOCATOR: {
        "inputs": {"x": [1, 1, None, None]},
        "outputs": {"y": [1, 4, None, None]},
        "face_px": LOCATOR_FACE_PX,
    },
    READER: {
        "inputs": {"x": [None, SHOWN, CROP_PX, CROP_PX]},
        "outputs": {"logits": [None, len(LABELS)], "pips": [None, 1, PIP_CELLS, PIP_CELLS]},
        "crop_faces": CROP_FACES,
        "labels": list(LABELS),
    },
    LEANER: {
        "inputs": {"x": [None, VIEW_MAPS, VIEW_PX, VIEW_PX]},
        "outputs": {"logits": [None, 2]},
    },
}
"""What the card must say of each network: shapes by name (None = any length), and what goes in and comes out."""

FloatArray = npt.NDArray[np.float32]
LOWER_IS_STRICTER = frozenset({"dissent", "blank"})


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where the networks' answers become facts; each one is a share or a probability, 0 to 1.

    heat: the locator's weakest candidate. solid: from here on a candidate is a thing, whatever the reader says of it.
    sure: score that makes a value sure, in whichever view. clear: score of the grey crop from which no further view is
    asked for its dissent but colour. dissent: another value's share of the best score that makes it doubtful.
    blank: probability of "no readable flat top face" from which a view does not count as read.
    """

    heat: float
    solid: float
    sure: float
    clear: float
    dissent: float
    blank: float


@dataclass(frozen=True, slots=True)
class Limits:
    """Chances that a die does not lie flat, by the leaner, from which on it is `doubted` that it does, and from which
    on it plainly does not."""

    doubted: float
    plain: float


@dataclass(frozen=True, slots=True)
class Networks:
    """The networks, loaded and checked, with their thresholds. Deterministic: one thread each."""

    locator: Any = field(repr=False)
    reader: Any = field(repr=False)
    leaner: Any = field(repr=False)
    thresholds: Thresholds
    leaning: Limits
    stacked: Limits
    calibration: tuple[tuple[float, float], ...] = ()

    def run_locator(self, picture: FloatArray) -> FloatArray:
        """Maps (4, H/4, W/4) = heat logit, log(face / 18 px), dx, dy of a normalised picture (H, W)."""
        return cast(FloatArray, self.locator.run(None, {"x": picture[None, None]})[0][0])

    def run_reader(self, crops: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Logits (n, 7) and pip-centre logits (n, 28, 28) of normalised crops (n, 3, 56, 56)."""
        logits, pips = self.reader.run(None, {"x": crops})
        return cast(FloatArray, logits), cast(FloatArray, pips[:, 0])

    def run_leaner(self, views: FloatArray) -> FloatArray:
        """Chances (n, 2) that dice lean on what is up in views (n, 7, 48, 48) of them, and that they lie on others."""
        return cast(FloatArray, 1 / (1 + np.exp(-self.leaner.run(None, {"x": views})[0])))

    def probability(self, score: float) -> float:
        """Chance that a value read with `score` is right, by the card's table; the score itself where it has none."""
        if not self.calibration:
            return min(1.0, max(0.0, score))
        scores, chances = zip(*self.calibration, strict=True)
        return float(np.interp(score, scores, chances))


def load_networks(folder: Path | None = None) -> Networks:
    """Load the networks of `folder`, by default the ones shipped with Fairtray; the leaner is always that one.

    Raises ModelError where a file is missing or damaged, is not the one its card describes (hash, shapes), or is made
    for other crops, shapes or labels than this version's.
    """
    folder = MODELS if folder is None else folder
    card = _read_card(folder / CARD)
    locator, reader = (_described(card, name, folder / CARD) for name in (LOCATOR, READER))
    leaner, limits = load_leaner()
    return Networks(
        locator=open_network(folder / LOCATOR, locator),
        reader=open_network(folder / READER, reader),
        leaner=leaner,
        thresholds=_thresholds(card, folder / CARD),
        leaning=limits["leaning"],
        stacked=limits["stacked"],
        calibration=_calibration(card, folder / CARD),
    )


def load_leaner(folder: Path = MODELS) -> tuple[Any, dict[str, Limits]]:
    """The leaner in a folder, and the limits of `leaning` and `stacked` dice; raises ModelError as `load_networks`."""
    path = folder / LEANER_CARD
    card = _read_card(path)
    limits = {name: _limits(card, name, path) for name in ("leaning", "stacked")}
    return open_network(folder / LEANER, _described(card, LEANER, path)), limits


def stricter(networks: Networks, limits: Mapping[str, float]) -> Networks:
    """The networks with thresholds raised, `dissent` and `blank` lowered, to these limits; none is ever loosened."""
    ours = {f.name: getattr(networks.thresholds, f.name) for f in fields(Thresholds)}
    bounds = {name: (min if name in LOWER_IS_STRICTER else max)(ours[name], limit) for name, limit in limits.items()}
    tightened = ours | bounds
    tightened["clear"] = max(tightened["clear"], tightened["sure"])
    return replace(networks, thresholds=Thresholds(**tightened))


def _read_card(path: Path) -> Mapping[str, Any]:
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(f"{path}: cannot read the model card ({error.strerror})") from error
    except ValueError as error:
        raise ModelError(f"{path}: the model card is no JSON ({error})") from error
    if not isinstance(card, dict) or card.get("format") != CARD_FORMAT:
        raise ModelError(f"{path}: not a model card of format {CARD_FORMAT}")
    return card


def _described(card: Mapping[str, Any], name: str, path: Path) -> Mapping[str, Any]:
    """What the card says of a network, once it says of it what Fairtray gives it and makes of its answers."""
    try:
        said = {str(key): value for key, value in card["files"][name].items()}
        said["sha256"] = str(said["sha256"])
    except (AttributeError, KeyError, TypeError) as error:
        raise ModelError(f"{path}: the model card does not give the sha256 of {name}") from error
    check_promised(said, PROMISED[name], name, path)
    return said


def check_promised(said: Mapping[str, Any], promised: Mapping[str, Any], name: str, path: Path) -> None:
    """Raise ModelError where the card at `path` has not `said` of a network what Fairtray needs of it."""
    for key, needed in promised.items():
        if said.get(key) != needed:
            there = f"is {json.dumps(said[key])}" if key in said else "is missing"
            wanted = f"this Fairtray needs {json.dumps(needed)}: take the networks that came with it"
            raise ModelError(f"{path}: '{key}' of {name} {there}, {wanted}")


def _thresholds(card: Mapping[str, Any], path: Path) -> Thresholds:
    values = _shares(card, [f.name for f in fields(Thresholds)], path)
    if values["clear"] < values["sure"]:
        raise ModelError(f"{path}: threshold 'clear' must not be below 'sure': what is not sure cannot be clear")
    return Thresholds(**values)


def _limits(card: Mapping[str, Any], name: str, path: Path) -> Limits:
    values = _shares(card, [f"{name}_{f.name}" for f in fields(Limits)], path)
    doubted, plain = values.values()
    if plain < doubted:
        raise ModelError(f"{path}: threshold '{name}_plain' must not be below '{name}_doubted'")
    return Limits(doubted, plain)


def _shares(card: Mapping[str, Any], names: Sequence[str], path: Path) -> dict[str, float]:
    """The thresholds of these names; raises ModelError where one is no number between 0 and 1."""
    given = card.get("thresholds")
    if not isinstance(given, dict):
        raise ModelError(f"{path}: the model card has no thresholds")
    for name in names:
        value = given.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
            raise ModelError(f"{path}: threshold '{name}' must be a number between 0 and 1, not {value!r}")
    return {name: float(given[name]) for name in names}


def _calibration(card: Mapping[str, Any], path: Path) -> tuple[tuple[float, float], ...]:
    table = card.get("calibration", [])
    try:
        points = tuple((float(score), float(chance)) for score, chance in table)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{path}: 'calibration' must be a list of [score, probability]") from error
    rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in itertools.pairwise(points))
    if not rising or not all(math.isfinite(s) and 0 <= p <= 1 for s, p in points):
        raise ModelError(f"{path}: 'calibration' must rise, with probabilities between 0 and 1")
    return points


def open_network(path: Path, said: Mapping[str, Any]) -> Any:
    """An onnxruntime session of `path`, which must be the network of which the card has `said` what it is.

    Raises ModelError where it is missing, damaged, or another.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: cannot read the network ({error.strerror})") from error
    if hashlib.sha256(content).hexdigest() != said["sha256"]:
        raise ModelError(f"{path}: the file is not the one the card describes (sha256 differs); restore both together")
    session = _open(path, content)
    for key, found in _interface(session).items():
        if found != said[key]:
            there, wanted = json.dumps(found), json.dumps(said[key])
            raise ModelError(f"{path}: its {key} are {there}, the card says {wanted}; restore both together")
    return session


def interface(path: Path) -> dict[str, dict[str, list[int | None]]]:
    """The shapes of a network's `inputs` and `outputs` by name, as the card has them; raises ModelError if it is none.

    A side that may have any length is None.
    """
    return _interface(_open(path, path.read_bytes()))


def _interface(session: Any) -> dict[str, dict[str, list[int | None]]]:
    def shapes(tensors: Any) -> dict[str, list[int | None]]:
        return {t.name: [side if isinstance(side, int) else None for side in t.shape] for t in tensors}

    return {"inputs": shapes(session.get_inputs()), "outputs": shapes(session.get_outputs())}


def _open(path: Path, content: bytes) -> Any:
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.execution_mode = ort.ExecutionMode.ORT_SEQUENTIAL
    options.use_deterministic_compute = True
    options.enable_cpu_mem_arena = False  # it would keep what the largest picture ever took
    options.log_severity_level = 4
    try:
        return ort.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no root below Exception
        raise ModelError(f"{path}: not a network that onnxruntime can run") from error

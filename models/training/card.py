"""Writes the model's card: what the files are, what they learnt from, when they are sure and what was measured."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from models.training.evaluate import Tally
from models.training.real import LEARNT, SOURCES
from vision.network import CARD, CARD_FORMAT, LOCATOR, PROMISED, READER, Thresholds, interface

FILES = (LOCATOR, READER)


def write_card(
    folder: Path,
    thresholds: Thresholds,
    calibration: Sequence[Sequence[float]] = (),
    figures: Mapping[str, Any] | None = None,
    without: str | None = None,
) -> dict[str, Any]:
    """Write `card.json` beside the networks of a folder, and return it; they learnt from all sources or all but one."""
    card = {
        "format": CARD_FORMAT,
        "files": {name: _file(folder / name) for name in FILES},
        "thresholds": asdict(thresholds),
        "calibration": [list(point) for point in calibration],
        "learnt_from": [
            {"what": "dice drawn by models/training", "licence": "Apache-2.0"},
            {"what": "trays traced by models/sim", "licence": "Apache-2.0"},
            *(
                {"what": SOURCES[s].repository, "licence": SOURCES[s].licence, "by": SOURCES[s].attribution}
                for s in LEARNT
                if s != without
            ),
        ],
        "figures": dict(figures or {}),
    }
    (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    return card


def _file(path: Path) -> dict[str, Any]:
    """Return what the card says of a network: its hash and size, its own shapes, and what it is made for."""
    return {"sha256": sha256(path), "bytes": path.stat().st_size} | dict(PROMISED[path.name]) | interface(path)


def record(folder: Path, name: str, figures: Mapping[str, Any]) -> None:
    """Add figures to the card of a folder's networks."""
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    card["figures"][name] = dict(figures)
    (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


def sha256(path: Path) -> str:
    """Return a file's SHA-256 as hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def counted(tallies: Mapping[str, Tally]) -> dict[str, dict[str, int]]:
    """Return tallies as plain numbers, for the card."""
    return {source: tally.as_dict() for source, tally in sorted(tallies.items())}

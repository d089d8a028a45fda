"""`fairtray match replay`: rule anew on what was seen and said, and read the stored frames anew."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from firmware.entries import read
from firmware.evidence.history import History
from firmware.evidence.reread import reread
from firmware.record import first_difference, rebuilt
from scorer.events import to_json
from vision.network import load_networks


def replay_command(folder: Path, as_json: bool, models: Path | None) -> int:
    """Rule anew on what was seen and said, and read the stored frames anew; exit status 1 where either comes out
    otherwise. A die that would not be sure today is told, and changes no status.

    Raises `LedgerError` where there is no match, or it was altered; `EvidenceError` where a piece of evidence was.
    """
    bodies = read(folder)
    _, rulings = rebuilt(bodies)
    differs = first_difference(bodies, rulings)
    if as_json:
        for ruling in rulings:
            print(json.dumps(to_json(ruling), ensure_ascii=False))
    elif differs is None:
        print(f"{len(rulings)} rulings, each as it was made")
    if differs is None:
        return _reread(folder, as_json, models)
    number, ruled = differs
    was = bodies[number - 1]["name"] if number <= len(bodies) else "nothing"
    Console(stderr=as_json, highlight=False).print(
        f"entry {number}: ruled {was}, is ruled {_words(ruled)} today", soft_wrap=True, markup=False
    )
    return 1


def _reread(folder: Path, as_json: bool, models: Path | None) -> int:
    """Read the stored frames with today's networks and tell what is read otherwise."""
    history = History(folder)
    if all(piece.pruned for piece in history.pieces):
        return 0
    dice = list(reread(history, load_networks(models)))
    for one in dice:
        if not one.differs:
            continue
        told = {"entry": one.entry, "frame": one.frame, "x": one.die.x, "y": one.die.y, "was": one.die.value}
        if as_json:
            print(json.dumps({"kind": "reread", **told, "value": one.value, "p": one.p}))
        else:
            now = f"{one.value} today" if one.value else "not sure today"
            print(f"ruling {one.entry}, frame {one.frame}: the die at {one.die.x:.0f}, {one.die.y:.0f} px was read "
                  f"{one.die.value}, is {now} (p {one.p})")  # fmt: skip
    if not as_json:
        print(f"{len(dice)} dice read anew, {sum(not one.differs for one in dice)} as they were read")
    return 1 if any(one.differs and one.value is not None for one in dice) else 0


def _words(ruled: Mapping[str, Any] | None) -> str:
    return "nothing" if ruled is None else str(ruled["name"])

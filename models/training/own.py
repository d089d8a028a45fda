"""Teaches the shipped reader somebody's own dice from about 20 photographs, and measures whether that helped."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from models.training.augment import augment
from models.training.card import write_card
from models.training.drawn import Crops, draw, load_crops
from models.training.errors import TrainingError
from models.training.evaluate import Tally, count, whole_photo
from models.training.export import export
from models.training.exported import load_exported
from models.training.judging import Say
from models.training.marking import mark_pips
from models.training.networks import Locator, Reader, normalise
from models.training.own_photos import DICE, FORM, SHEETS, Unclear, load_own, place, write_form
from models.training.reader import Share, mixed_plan, train_reader
from models.training.real import Photo, read_picture, unmarked_crops
from vision.network import CARD, LOCATOR, READER, Networks, Thresholds, load_networks

_HELD_BACK = 4  # every fourth photograph
_SCENES = 1500  # drawn, where there are none yet, so that other dice are not forgotten
_RATE = 5e-4
_SHARE = 0.3  # of own dice in a batch


def teach(photos: Path, models: Path, work: Path, out: Path, die_px: float | None, steps: int, say: Say) -> int:
    """Teach the reader of `models` the dice of a folder of photographs and write networks with a card to `out`.

    Every fourth photograph is held back, to measure before and after. Returns 1, and writes no networks, where the
    taught ones are wrong while sure on any of those. Raises TrainingError or ModelError for what cannot be used.
    """
    networks, given = load_networks(models), load_own(photos)
    cv2.setNumThreads(1)
    held = given[_HELD_BACK - 1 :: _HELD_BACK]
    placed = [place(networks, photo, die_px) for photo in given if photo not in held]
    unclear = [p for p in placed if isinstance(p, Unclear)]
    clear = [p for p in placed if isinstance(p, Photo)]
    _say_unclear(unclear, photos, out, say)
    if not clear:
        raise TrainingError(f"{photos}: in no photograph is it clear which die shows which value; fill in {out / FORM}")
    say(f"learning from {sum(len(p.dice) for p in clear)} dice in {len(clear)} photographs, {len(held)} are held back")
    tried = out / "tried"
    shutil.rmtree(tried, ignore_errors=True)
    _train(models, clear, work, tried, steps)
    _write_card(models, tried, clear, {})
    before, after = (_measured(load_networks(folder), held, die_px) for folder in (models, tried))
    for name, tally in (("before", before), ("after", after)):
        say(f"held back, {name}: {_in_words(tally)}")
    if after.wrong or after.extra:
        say(f"the taught reader is wrong while sure on photographs held back: do not play with {tried}")
        return 1
    _write_card(models, tried, clear, {"before": before.as_dict(), "after": after.as_dict()})
    for name in (LOCATOR, READER, CARD):
        (tried / name).replace(out / name)
    shutil.rmtree(tried)
    say(f"play with it: fairtray run --models {out}")
    return 0


def _say_unclear(unclear: Sequence[Unclear], photos: Path, out: Path, say: Say) -> None:
    for each in unclear:
        say(f"not learnt from: {each.photo.path.name}: {each.reason}")
    if unclear:
        write_form(unclear, out)
        say(f"to learn from them too, fill in the values in {out / FORM} (none where there is no die, a row more")
        say(f"for a die that is missing; {out / SHEETS} shows them), keep it as {photos / DICE} and begin again")


def _train(models: Path, photos: Sequence[Photo], work: Path, out: Path, steps: int) -> None:
    """Train the shipped reader on drawn dice and these photographs, and export it beside the shipped locator."""
    if not any((work / "drawn").glob("drawn_*_specks.npz")):  # they are drawn last
        draw(work / "drawn", _SCENES)
    drawn, own = load_crops(work / "drawn"), unmarked_crops(photos)
    out.mkdir(parents=True, exist_ok=True)
    reader, locator = Reader(), Locator()
    load_exported(reader, models / READER, _seen(drawn))
    load_exported(locator, models / LOCATOR, normalise(torch.rand(2, 1, 184, 320))[:1])
    for network, name in ((reader, "start"), (locator, "locator")):
        torch.save(network.state_dict(), out / f"{name}.pt")
    shares = [Share(drawn, 1 - _SHARE), Share(mark_pips(reader, own), _SHARE)]
    train_reader(shares, replace(mixed_plan(steps), rate=_RATE), out / "reader.pt", start=out / "start.pt")
    export(out / "locator.pt", out / "reader.pt", out)
    shutil.copyfile(models / LOCATOR, out / LOCATOR)


def _seen(crops: Crops) -> torch.Tensor:
    """Return a batch (n, 3, 56, 56) of what the reader is given in training."""
    rng = np.random.default_rng(0)
    chosen = rng.integers(0, len(crops.values), 256)
    return augment(rng, torch.from_numpy(crops.pictures[chosen]), crops.values[chosen], crops.pips[chosen])[
        0
    ].contiguous()


def _measured(networks: Networks, photos: Sequence[Photo], die_px: float | None) -> Tally:
    """Count by the values alone, whether or not the places are known."""
    asked = [replace(photo, dice=(), face_px=die_px) for photo in photos]
    return sum((count(whole_photo(networks, photo, read_picture(photo.path))) for photo in asked), Tally())


def _in_words(tally: Tally) -> str:
    return (
        f"{tally.right} of {tally.dice} dice right, {tally.wrong} wrong while sure, {tally.unsure} unsure, "
        f"{tally.missed} missed, {tally.extra} sure where no die is"
    )


def _write_card(models: Path, folder: Path, photos: Sequence[Photo], figures: dict[str, Any]) -> None:
    """Write a card that says where the networks come from; the bar and p stay those of the ones that ship."""
    shipped = json.loads((models / CARD).read_text(encoding="utf-8"))
    card = write_card(folder, Thresholds(**shipped["thresholds"]), shipped["calibration"])
    dice = sum(len(photo.dice) for photo in photos)
    card["learnt_from"] = [
        {"what": f"the networks with the reader {shipped['files'][READER]['sha256']}", "licence": "Apache-2.0"},
        *shipped["learnt_from"],
        {"what": f"{dice} dice in {len(photos)} photographs of somebody's own", "licence": "theirs"},
    ]
    card["figures"] = {"own_held_back": figures} if figures else {}
    (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")

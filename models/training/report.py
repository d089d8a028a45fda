"""The two reports: what the shipped networks do on real photographs, and the card with thresholds chosen on others."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from models.training.card import counted, write_card
from models.training.clips import measure_clips
from models.training.evaluate import Measure, Tally, given_places, measure, table, whole_photo, whole_photo_unsized
from models.training.real import LEARNT, Photo, load_photos
from models.training.thresholds import BASE, answers, chances, choose, surest_mistakes, tried, with_thresholds
from models.training.words import card_in_words
from vision.network import CARD, Networks, load_networks

Say = Callable[[str], None]

_TITLES: dict[str, tuple[str, Measure]] = {
    "sized": ("whole photographs, die size known as a calibration knows it (* = learnt from)", whole_photo),
    "unsized": ("whole photographs, nothing known about them (* = learnt from)", whole_photo_unsized),
}
_LEFT_OUT = "the same for networks that never saw the source, die size known"
_LEFT_OUT_GIVEN = "reader alone at the labelled places, by networks that never saw the source"


def evaluate(models: Path, folder: Path, say: Say) -> dict[str, Any]:
    """Measure the networks of a folder on the labelled photographs, say the tables and return their numbers."""
    networks, photos = load_networks(models), load_photos(folder)
    figures: dict[str, Any] = {}
    for name, (title, how) in _TITLES.items():
        tallies = measure(networks, photos, how)
        say(table(title, tallies, list(LEARNT)) + "\n")
        figures[name] = counted(tallies)
    if (folder / "video_events.csv").exists():
        clips = measure_clips(networks, folder)
        say(table("single frames of clips in which dice lie at rest (none learnt from)", clips, []) + "\n")
        figures["clips"] = counted(clips)
    recorded = json.loads((models / CARD).read_text(encoding="utf-8")).get("figures", {})
    for name, title in (("left_out", _LEFT_OUT), ("left_out_given", _LEFT_OUT_GIVEN)):
        if name in recorded:
            tallies = {source: Tally(**counts) for source, counts in recorded[name].items()}
            say(table(f"{title} (from the card)", tallies, []) + "\n")
            figures[name] = recorded[name]
    return figures


def describe(models: Path, folds: Path, folder: Path, say: Say) -> None:
    """Choose the thresholds on sources left out, measure everything and write the card of the networks in `models`."""
    photos = load_photos(folder)
    write_card(models, BASE)
    judges = _judges(models, folds, photos)
    given = [
        answer
        for source, networks in judges.items()
        for answer in answers(networks, [p for p in photos if p.source == source and p.dice])
    ]
    thresholds = choose(given)
    say(f"on sources left out:\n{tried(given)}\nsurest mistakes:\n{surest_mistakes(given)}")
    write_card(models, thresholds, chances(given))
    figures = evaluate(models, folder, say)
    for name, how, title in (
        ("left_out", whole_photo, _LEFT_OUT),
        ("left_out_given", given_places, _LEFT_OUT_GIVEN),
    ):
        tallies: dict[str, Tally] = {}
        for source, networks in judges.items():
            own = [p for p in photos if p.source == source and (p.dice or how is whole_photo)]
            tallies |= measure(with_thresholds(networks, thresholds), own, how)
        say(table(title, tallies, []) + "\n")
        figures[name] = counted(tallies)
    card = write_card(models, thresholds, chances(given), figures)
    (models / "CARD.md").write_text(card_in_words(card), encoding="utf-8")


def _judges(models: Path, folds: Path, photos: list[Photo]) -> dict[str, Networks]:
    """Return, for every source, networks that never saw it: a fold's, or the shipped ones where they did not either."""
    judges = {}
    for source in sorted({p.source for p in photos}):
        if source in LEARNT:
            write_card(folds / source, BASE)
            judges[source] = load_networks(folds / source)
        else:
            judges[source] = load_networks(models)
    return judges

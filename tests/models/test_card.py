"""The networks that ship are the ones their card describes, are small, and are what vision can load."""

import hashlib
import json
from typing import Any

import numpy as np
import pytest

from models.training.describe import judges
from models.training.real import LEARNT, SOURCES
from models.training.words import card_in_words
from models.tray.seeds import parse_seeds
from vision.network import (
    CROP_PX,
    LEANER,
    LEANER_CARD,
    LOCATOR,
    MODELS,
    PIP_CELLS,
    PROMISED,
    READER,
    SHOWN,
    interface,
    load_networks,
)

MOST_BYTES = 500_000


@pytest.fixture(scope="module")
def card() -> dict[str, Any]:
    return dict(json.loads((MODELS / "card.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", [LOCATOR, READER])
def test_a_file_is_the_one_the_card_describes(card: dict[str, Any], name: str) -> None:
    content = (MODELS / name).read_bytes()
    described = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    assert card["files"][name] == described | dict(PROMISED[name]) | interface(MODELS / name)


def test_the_leaner_is_the_one_its_card_describes_and_was_not_measured_on_what_it_learnt() -> None:
    card, content = json.loads((MODELS / LEANER_CARD).read_text(encoding="utf-8")), (MODELS / LEANER).read_bytes()
    described = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    assert card["files"][LEANER] == described | interface(MODELS / LEANER)
    learnt, kept_back = ({*parse_seeds(card[what])} for what in ("learnt_from", "kept_back"))
    assert not learnt & kept_back


def test_all_networks_together_stay_under_half_a_megabyte() -> None:
    assert sum((MODELS / name).stat().st_size for name in (LOCATOR, READER, LEANER)) < MOST_BYTES


def test_the_card_names_a_licence_for_everything_learnt_from(card: dict[str, Any]) -> None:
    assert card["learnt_from"]
    assert all(source["licence"] for source in card["learnt_from"])


def test_nothing_wrong_was_sure_on_sources_left_out(card: dict[str, Any]) -> None:
    left_out = card["figures"]["left_out_given"]
    assert sum(counts["dice"] for counts in left_out.values()) > 3000
    assert sum(counts["wrong"] for source, counts in left_out.items() if source != "epanemu") == 0


@pytest.mark.parametrize("source", LEARNT)
def test_networks_that_never_saw_a_source_are_kept_beside_those_that_ship(source: str) -> None:
    folder = judges(MODELS)[source]
    load_networks(folder)
    learnt = json.loads((folder / "card.json").read_text(encoding="utf-8"))["learnt_from"]
    assert SOURCES[source].repository not in [what["what"] for what in learnt]


def test_the_card_in_words_says_what_the_card_says(card: dict[str, Any]) -> None:
    assert (MODELS / "CARD.md").read_text(encoding="utf-8") == card_in_words(card)


def test_the_networks_take_pictures_of_any_size_and_any_number_of_crops() -> None:
    networks = load_networks()
    picture = np.zeros((96, 248), np.float32)
    assert networks.run_locator(picture).shape == (4, 24, 62)
    logits, pips = networks.run_reader(np.zeros((3, SHOWN, CROP_PX, CROP_PX), np.float32))
    assert logits.shape == (3, 7)
    assert pips.shape == (3, PIP_CELLS, PIP_CELLS)


def test_an_empty_cloth_holds_no_dice() -> None:
    noise = np.random.default_rng(3).normal(0, 0.2, (184, 320)).astype(np.float32)
    assert load_networks().run_locator(noise)[0].max() < 0

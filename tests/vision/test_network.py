"""Loading the networks: the shipped ones work, and every way to be wrong is one line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.errors import ModelError
from vision.network import (
    CARD,
    CROP_PX,
    LEANER,
    LEANER_CARD,
    LOCATOR,
    MODELS,
    PIP_CELLS,
    READER,
    SHOWN,
    VIEW_MAPS,
    VIEW_PX,
    load_leaner,
    load_networks,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (CARD, LOCATOR, READER):
        shutil.copy(MODELS / name, tmp_path / name)
    return tmp_path


def change_card(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    card = json.loads((folder / CARD).read_text())
    change(card)
    (folder / CARD).write_text(json.dumps(card))


def test_shipped_networks_answer_in_the_shapes_promised() -> None:
    networks = load_networks()
    assert networks.run_locator(np.zeros((40, 64), np.float32)).shape == (4, 10, 16)
    logits, pips = networks.run_reader(np.zeros((3, SHOWN, CROP_PX, CROP_PX), np.float32))
    assert logits.shape == (3, 7)
    assert pips.shape == (3, PIP_CELLS, PIP_CELLS)
    chances = networks.run_leaner(np.zeros((2, VIEW_MAPS, VIEW_PX, VIEW_PX), np.float32))
    assert chances.shape == (2, 2)
    assert ((chances > 0) & (chances < 1)).all()


def test_answers_are_the_same_every_time() -> None:
    crops = np.random.default_rng(1).normal(size=(5, SHOWN, CROP_PX, CROP_PX)).astype(np.float32)
    first, second = (load_networks().run_reader(crops) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("name", [CARD, LOCATOR, READER])
def test_missing_file(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ModelError, match=name):
        load_networks(folder)


@pytest.mark.parametrize("name", [LOCATOR, READER])
def test_damaged_network_is_not_the_one_the_card_describes(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ModelError, match="not the one the card describes"):
        load_networks(folder)


def test_a_card_rewritten_for_another_network_is_found_out(folder: Path) -> None:
    shutil.copy(folder / READER, folder / LOCATOR)
    change_card(folder, lambda card: card["files"][LOCATOR].update(sha256=card["files"][READER]["sha256"]))
    with pytest.raises(ModelError, match=r"locator\.onnx: its inputs are .*\[null, 3, 56, 56\].*, the card says"):
        load_networks(folder)


def test_a_file_that_is_no_network(folder: Path) -> None:
    (folder / LOCATOR).write_bytes(b"")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    change_card(folder, lambda card: card["files"][LOCATOR].update(sha256=empty))
    with pytest.raises(ModelError, match="not a network"):
        load_networks(folder)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda card: card.update(format=1), "format 2"),
        (lambda card: card.pop("files"), "sha256"),
        (lambda card: card["files"].pop(LOCATOR), "sha256 of locator"),
        (lambda card: card["files"].update({READER: 3}), "sha256 of reader"),
        (lambda card: card["files"][READER].pop("labels"), "'labels' of reader.onnx is missing"),
        (lambda card: card["files"][READER]["labels"].reverse(), "'labels' of reader.onnx is .*this Fairtray needs"),
        (lambda card: card["files"][READER].update(crop_faces=1.6), "'crop_faces' of reader.onnx is 1.6, .* needs 1.4"),
        (lambda card: card["files"][READER]["inputs"].update(x=[None, 3, 48, 48]), "48, .*needs .*56, 56"),
        (lambda card: card["files"][READER]["outputs"].update(pips=[None, 1, 24, 24]), "24, .*needs .*28, 28"),
        (lambda card: card["files"][LOCATOR]["outputs"].update(y=[1, 3, None, None]), r"\[1, 3, .*\[1, 4, "),
        (lambda card: card["files"][LOCATOR].update(face_px=20), "'face_px'"),
        (lambda card: card.pop("thresholds"), "no thresholds"),
        (lambda card: card["thresholds"].pop("dissent"), "'dissent'"),
        (lambda card: card["thresholds"].update(sure=1.5), "'sure'"),
        (lambda card: card["thresholds"].update(heat=True), "'heat'"),
        (lambda card: card["thresholds"].update(blank=float("nan")), "'blank'"),
        (lambda card: card["thresholds"].update(sure=0.6, clear=0.5), "clear"),
        (lambda card: card.update(calibration=[[0.1, 0.5], [0.2, 0.4]]), "must rise"),
        (lambda card: card.update(calibration=[[0.1, 1.4]]), "between 0 and 1"),
        (lambda card: card.update(calibration=[0.1]), "calibration"),
    ],
)
def test_a_card_that_makes_no_sense(folder: Path, change: Callable[[dict[str, Any]], object], said: str) -> None:
    change_card(folder, change)
    with pytest.raises(ModelError, match=said) as caught:
        load_networks(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda card: card["files"].pop(LEANER), "sha256 of leaner"),
        (lambda card: card["files"][LEANER]["inputs"].update(x=[None, 6, 48, 48]), r"\[null, 7, 48, 48\]"),
        (lambda card: card["thresholds"].pop("leaning_doubted"), "'leaning_doubted'"),
        (lambda card: card["thresholds"].update(stacked_doubted=0.95, stacked_plain=0.9), "'stacked_plain' must not"),
    ],
)
def test_a_card_of_the_leaner_that_makes_no_sense(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    shutil.copy(MODELS / LEANER, tmp_path / LEANER)
    card = json.loads((MODELS / LEANER_CARD).read_text())
    (tmp_path / LEANER_CARD).write_text(json.dumps(card))
    load_leaner(tmp_path)
    change(card)
    (tmp_path / LEANER_CARD).write_text(json.dumps(card))
    with pytest.raises(ModelError, match=said):
        load_leaner(tmp_path)


def test_a_card_that_is_no_json(folder: Path) -> None:
    (folder / CARD).write_text("{")
    with pytest.raises(ModelError, match="no JSON"):
        load_networks(folder)


def test_probability_follows_the_table_and_never_falls(folder: Path) -> None:
    change_card(folder, lambda card: card.update(calibration=[[0.1, 0.4], [0.3, 0.98], [0.8, 0.999]]))
    networks = load_networks(folder)
    assert networks.probability(0.0) == 0.4
    assert networks.probability(0.2) == pytest.approx(0.69)
    chances = [networks.probability(score) for score in np.linspace(0, 1, 50)]
    assert chances == sorted(chances)


def test_without_a_table_the_score_stands_for_the_probability(folder: Path) -> None:
    change_card(folder, lambda card: card.update(calibration=[]))
    assert load_networks(folder).probability(0.42) == 0.42

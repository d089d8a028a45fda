"""The measuring commands, as somebody calls them, on a few drawn scenes that stand for photographs."""

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training.__main__ import main
from models.training.collection import draw_photos
from models.training.describe import judges
from models.training.evaluate import whole_photo
from models.training.judging import facts_of, tasks_of
from models.training.real import LEARNT, load_photos
from models.training.words import TITLES
from vision.network import CARD, LOCATOR, MODELS, READER, load_networks


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two drawn scenes of a source that is learnt from and one of another, as a collection of photographs."""
    folder = tmp_path_factory.mktemp("photos")
    draw_photos(folder, {"nellbyler": 2, "fudw": 1})
    return folder


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A copy of the networks that ship, and networks that never saw a source: here the same."""
    for folder in (tmp_path / "models", *(tmp_path / "models/left_out" / source for source in LEARNT)):
        folder.mkdir(parents=True)
        for name in (LOCATOR, READER):
            shutil.copyfile(MODELS / name, folder / name)
    shutil.copyfile(MODELS / CARD, tmp_path / "models" / CARD)
    return tmp_path / "models"


def run(step: str, photos: Path, models: Path, *options: object) -> int:
    work = models.parent / "work"
    return main([step, "--photos", str(photos), "--models", str(models), "--work", str(work), *map(str, options)])


def test_real_photographs_are_judged_and_every_failure_is_shown(
    photos: Path, models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, told = tmp_path / "out", tmp_path / "figures.json"
    assert run("evaluate", photos, models, "--out", out, "--json", told) == 0
    figures = json.loads(told.read_text())
    said = capsys.readouterr().out
    assert "wrong at most" in said
    assert "sure from" in said
    sized = figures["sized"]
    assert sized["nellbyler"]["photos"] == 2
    failed = [s for s, counts in sized.items() if counts["dice"] > counts["right"] or counts["extra"]]
    assert [(out / f"sized-{source}.png").exists() for source in sized] == [source in failed for source in sized]
    assert sum(map(sum, (row.values() for row in figures["confusion"]["sized"].values()))) >= sum(
        counts["dice"] for counts in sized.values()
    )


def test_what_ships_is_measured_again_and_recorded(photos: Path, models: Path) -> None:
    assert run("evaluate", photos, models, "--record") == 0
    card = json.loads((models / CARD).read_text())["figures"]
    assert card["sized"]["nellbyler"]["photos"] == card["unsized"]["nellbyler"]["photos"] == 2


def test_a_photograph_that_is_another_now_is_judged_anew(photos: Path, models: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(photos, tmp_path / "photos")
    tasks = tasks_of(load_photos(folder), whole_photo, lambda source: models)
    before = [facts_of(task) for task in tasks]
    path = tasks[0].photos[0].path
    path.write_bytes(path.read_bytes() + b" ")
    assert [facts_of(task) == was for task, was in zip(tasks, before, strict=True)] == [False, True]


def test_a_sweep_goes_on_where_it_was_broken_off_and_is_recorded(
    photos: Path, models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    asked = ("perturbed", photos, models, "--count", 40, "--out", out)
    assert run(*asked, "--json", tmp_path / "a.json", "--record") == 0
    said = capsys.readouterr().out
    assert "nellbyler*" in said
    assert "together" in said
    chunks = sorted((out / "chunks").iterdir())
    chunks[0].unlink()  # as if broken off before it
    assert run(*asked, "--json", tmp_path / "b.json") == 0
    assert "1 of 2 parts were done before" in capsys.readouterr().err
    figures = json.loads((tmp_path / "b.json").read_text())
    assert figures == json.loads((tmp_path / "a.json").read_text())
    assert sum(row["looks"] for row in figures["sources"].values()) == 40
    assert figures["kinds"]["as it is"]["looks"] == figures["kinds"]["as it is"]["dice"]
    assert "Perturbed dice" in (models / "CARD.md").read_text()


def test_the_simulated_set_is_judged_by_what_hinders_reading(
    photos: Path, models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("simulated", photos, models, "--count", 4, "--out", tmp_path / "out", "--record") == 0
    figures = json.loads((models / CARD).read_text())["figures"]["simulated"]
    assert figures["tallies"]["drawn"]["photos"] == 4
    assert figures["tallies"]["traced"]["photos"] == 1
    assert "The simulated test set" in (models / "CARD.md").read_text()
    assert "drawn, label against answer" in capsys.readouterr().out


def test_the_card_is_written_from_networks_left_out_with_a_plot(
    photos: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("card", photos, models) == 0
    card = json.loads((models / CARD).read_text())
    dice = sum(counts["dice"] for counts in card["figures"]["left_out_given"].values())
    assert card["calibration"][-1][1] <= 0.05 ** (1 / dice)
    assert load_networks(models).calibration
    assert {"risk", "reliability", "reliability_left_out", "confusion"} <= card["figures"].keys()
    plot = cv2.imread(str(models / "reliability.png"))
    assert plot is not None
    assert len(np.unique(plot)) > 10
    words = (models / "CARD.md").read_text()
    assert "![" in words
    capsys.readouterr()
    assert run("card", photos, models) == 0
    assert capsys.readouterr().err.count("parts were done before") == 6
    assert json.loads((models / CARD).read_text()) == card
    assert run("perturbed", photos, models, "--count", 4, "--out", models.parent / "out") == 0
    assert "never saw it: nellbyler" in capsys.readouterr().out
    assert run("evaluate", photos, models, "--record") == 0
    assert TITLES["left_out"] in capsys.readouterr().out
    again = json.loads((models / CARD).read_text())["figures"]
    same = ("left_out", "left_out_given", "left_out_forced", "confusion")
    assert [again[name] for name in same] == [card["figures"][name] for name in same]
    (models / READER).write_bytes((models / READER).read_bytes() + b" ")
    assert not judges(models)
    assert "Fairtray asks" in words or not card["figures"]["left_out"]
    assert max(map(len, words.splitlines())) <= 120


def test_without_networks_left_out_the_card_stays_as_it_was(
    photos: Path, models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (models / CARD).read_bytes()
    shutil.rmtree(models / "left_out")
    assert run("card", photos, models) == 2
    assert "run `python -m models.training folds` first" in capsys.readouterr().err
    assert (models / CARD).read_bytes() == before


@pytest.mark.parametrize(
    ("options", "expected"), [(("--count", 0), "at least 1"), (("--json", "nowhere/x.json"), "no folder nowhere")]
)
def test_wrong_options_are_named_in_one_line(
    photos: Path, models: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, object], expected: str
) -> None:
    assert run("perturbed", photos, models, *options) == 2
    said = capsys.readouterr().err
    assert expected in said
    assert said.count("\n") == 1

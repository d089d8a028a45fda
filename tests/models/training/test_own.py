"""Teaching the shipped reader somebody's own dice: which photographs are learnt from, and what is refused."""

import csv
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is needed for training alone")

from models.training.__main__ import main  # noqa: E402
from models.training.collection import draw_photos  # noqa: E402
from models.training.drawn import draw_file  # noqa: E402
from models.training.errors import TrainingError  # noqa: E402
from models.training.exported import load_exported  # noqa: E402
from models.training.networks import Locator, Reader, normalise, normalise_crops  # noqa: E402
from models.training.real import Photo, load_photos  # noqa: E402
from vision.network import CARD, CROP_PX, LOCATOR, MODELS, READER, load_networks  # noqa: E402


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> list[Photo]:
    """Eight drawn photographs with their labels."""
    folder = tmp_path_factory.mktemp("drawn")
    draw_photos(folder, {"nellbyler": 8}, seed=8)
    return load_photos(folder)


@pytest.fixture
def folder(drawn: list[Photo], tmp_path: Path) -> Path:
    """What somebody would make of them: the photographs, their values and, of the first two, the dice."""
    for photo in drawn:
        shutil.copy(photo.path, tmp_path / photo.path.name)
    write(tmp_path / "values.csv", ["file", "values"], [[p.path.name, " ".join(map(str, p.values))] for p in drawn])
    dice = [[p.path.name, d.x, d.y, d.face_px, d.value] for p in drawn[:2] for d in p.dice]
    write(tmp_path / "dice.csv", ["file", "x", "y", "face_px", "value"], [*dice, [drawn[0].path.name, 9, 9, 20, ""]])
    return tmp_path


def write(path: Path, header: Iterable[object], rows: Iterable[Iterable[object]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a few other dice, drawn, which are not to be forgotten."""
    work = tmp_path_factory.mktemp("work")
    (work / "drawn").mkdir()
    for number, name in enumerate(("000", "specks")):
        draw_file(work / f"drawn/drawn_00_{name}.npz", number, 10, keep_scenes=False)
    return work


def own(folder: Path, work: Path, out: Path) -> int:
    arguments = ["--photos", folder, "--work", work, "--out", out, "--steps", 3]
    return main(["own", *map(str, arguments)])


def test_own_dice_are_taught_and_measured_before_and_after(
    folder: Path,
    work: Path,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
    drawn: list[Photo],
) -> None:
    out = tmp_path_factory.mktemp("out")
    write(folder / "values.csv", ["file", "values"], [[p.path.name, "".join(map(str, p.values))] for p in drawn])
    with (folder / "values.csv").open("a") as file:
        shutil.copy(drawn[2].path, folder / "z.png")
        file.write("z.png,1\n")
    assert own(folder, work, out) == 0
    said = capsys.readouterr().out
    assert "not learnt from: z.png: " in said
    assert "z.png" in (out / "dice-to-fill-in.csv").read_text()
    assert "held back, before: " in said
    assert "held back, after: " in said
    load_networks(out)
    card = json.loads((out / CARD).read_text())
    assert "somebody's own" in card["learnt_from"][-1]["what"]
    assert set(card["figures"]) == {"own_held_back"}
    assert (out / LOCATOR).read_bytes() == (MODELS / LOCATOR).read_bytes()
    assert (out / READER).read_bytes() != (MODELS / READER).read_bytes()


def test_a_reader_wrong_while_sure_on_what_was_held_back_is_not_shipped(
    folder: Path, work: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path_factory.mktemp("out")
    rows = list(csv.reader((folder / "values.csv").open()))[1:]
    for row in rows[3::4]:  # held back: say of all dice what none of them shows, if there is such a value
        absent = next((value for value in "123456" if value not in row[1]), "6")
        row[1] = absent * len(row[1].split())
    write(folder / "values.csv", ["file", "values"], rows)
    assert own(folder, work, out) == 1
    assert "do not play with" in capsys.readouterr().out
    assert not (out / READER).exists()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("values.csv", "name,values\n", "must name the columns file, values"),
        ("values.csv", "file,values\nnellbyler_0.png,1 7\n", "line 2: '1 7' are no values of dice"),
        ("values.csv", "file,values\nnone.png,1\n", "there is no none.png"),
        ("values.csv", "file;values\nnone.png;1,3\n", "there is no none.png"),
        ("values.csv", "file,values\n\xe9.png,1\n".encode("latin-1"), "save it as CSV in UTF-8"),
        (
            "values.csv",
            "file,values\nnellbyler_5.png,1\nnellbyler_5.png,1\n",
            "line 3: nellbyler_5.png is there twice",
        ),
        ("values.csv", "file,values\nnellbyler_0.png,1\n", "other values"),
        ("dice.csv", "file,x,y,face_px,value\nnellbyler_0.png,1,1,a,3\n", "must be numbers"),
        ("dice.csv", "file,x,y,face_px,value\nnellbyler_0.png,1,1,20,9\n", "no die of 20 px can show 9"),
    ],
)
def test_tables_that_make_no_sense_are_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: str | bytes, said: str
) -> None:
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert own(folder, tmp_path / "work", tmp_path / "out") == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert len(shown.splitlines()) == 1


def test_too_few_photographs_are_refused(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.reader((folder / "values.csv").open()))
    write(folder / "values.csv", rows[0], rows[1:6])
    assert own(folder, tmp_path / "work", tmp_path / "out") == 2
    assert "5 photographs are too few" in capsys.readouterr().err
    assert main(["own"]) == 2
    assert "--photos" in capsys.readouterr().err
    assert main(["draw", "--work", "/proc/none"]) == 2
    assert capsys.readouterr().err == "fairtray: /proc/none: No such file or directory\n"
    for size in ("nan", "0", "1e9"):
        assert main(["own", "--photos", str(folder), "--die-px", size]) == 2
        assert "a die's side has 6 to 4000 pixels" in capsys.readouterr().err


def test_what_ships_can_be_trained_on() -> None:
    crops = normalise_crops(torch.rand(8, 3, CROP_PX, CROP_PX))
    load_exported(Reader(), MODELS / READER, crops)
    load_exported(Locator(), MODELS / LOCATOR, normalise(torch.rand(1, 1, 96, 128)))
    with pytest.raises(TrainingError, match="not a network of this version"):
        load_exported(Locator(), MODELS / READER, normalise(torch.rand(1, 1, 96, 128)))

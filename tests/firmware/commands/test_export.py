"""`fairtray match export`: sheets that can be read, a record and a package that can be checked without Fairtray."""

import csv
import json
import resource
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

import pytest

from firmware.commands.export import export_command
from firmware.errors import FirmwareError
from firmware.evidence.history import History
from firmware.evidence.key import device_key
from firmware.evidence.pieces import FOLDER
from firmware.evidence.sheet import Sheet, as_csv, as_pdf
from firmware.evidence.verify import check
from firmware.ledger import FIRST, canonical, seal
from scorer.events import RollCounted
from scorer.presets import RULESETS
from scorer.umpire import Umpire
from tests.firmware.command import fairtray
from tests.firmware.evidence.matches import played


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    return played(folder / "match", device_key(str(folder / "device.key")))


def test_all_that_leaves_the_device(match: Path, tmp_path: Path) -> None:
    history = History(match)
    counted = next(ruled for ruled in history.rolls if isinstance(ruled.ruling, RollCounted))
    said = fairtray("match", "export", match, "-o", tmp_path, "--roll", str(counted.ruling.entry))
    assert said.returncode == 0, said.stderr
    package = tmp_path / f"roll-{counted.ruling.entry}.zip"
    assert said.stdout.split() == [str(tmp_path / n) for n in ("sheet.pdf", "sheet.csv", "record.jsonl", package.name)]

    rows = list(csv.reader((tmp_path / "sheet.csv").open()))
    assert history.state is not None
    totals = [str(history.state.totals[name].total) for name in ("Ann", "Ben")]
    assert rows[0] == ["box", "Ann", "Ben"] and rows[-1] == ["total", *totals] and len({len(row) for row in rows}) == 1

    prev = FIRST
    for seq, line in enumerate((tmp_path / "record.jsonl").read_text().splitlines(), 1):
        entry = json.loads(line)
        assert (entry["seq"], entry["prev"]) == (seq, prev)
        prev = entry["hash"]
        assert prev == seal(seq, entry["prev"], canonical(entry["body"]))

    with zipfile.ZipFile(package) as archive:
        archive.extractall(tmp_path / "roll")
    told = json.loads((tmp_path / "roll" / "roll.json").read_text())
    assert told["ruling"]["entry"] == counted.ruling.entry and told["evidence"][0]["file"] == counted.evidence[0].file
    assert "DiceAtRest" in [body["name"] for body in told["seen"]]
    assert len(list((tmp_path / "roll" / FOLDER).rglob("*.jpg"))) >= 2

    def checked() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, tmp_path / "roll" / "check.py"], capture_output=True, text=True, check=False
        )

    assert (
        f"{len(history.entries)} entries, none altered; it ends with {check(match).verdict.code};" in checked().stdout
    )
    frame = next((tmp_path / "roll" / FOLDER).rglob("*.jpg"))
    content = frame.read_bytes()
    frame.write_bytes(b"another")
    assert f"{frame.name} is not the picture that was kept" in checked().stderr
    frame.write_bytes(content)
    stranger = frame.with_name("0.jpg")
    stranger.write_bytes(content)
    assert "0.jpg is no evidence of this roll" in checked().stderr
    stranger.unlink()
    roll = tmp_path / "roll" / "roll.json"
    said_of_it = roll.read_text()
    roll.write_text(said_of_it.replace('"Ann"', '"Eve"').replace('"Ben"', '"Eve"'))
    assert checked().stderr.strip() == "roll.json is not what the record says"
    roll.write_text(said_of_it)
    record = tmp_path / "roll" / "record.jsonl"
    lines = record.read_text()
    record.write_text(lines.replace('"player": "Ann"', '"player": "Eve", "player": "Ann"', 1))
    assert checked().stderr.strip().endswith("was altered")
    record.write_text("nonsense")
    assert checked().stderr.strip() == "entry 1 was altered"
    record.write_text(lines)

    evidence = tmp_path / "roll" / counted.evidence[0].file
    evidence.write_bytes(evidence.read_bytes() + b"x")
    assert "is not what the record says" in checked().stderr
    record.write_text(lines.replace('"Ann"', '"Eve"', 1))
    assert checked().stderr.strip().endswith("was altered")


def test_it_goes_onto_another_disk(match: Path, tmp_path: Path) -> None:
    disks = Path("/dev/shm")
    if not disks.is_dir() or disks.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("no second disk here")
    with tempfile.TemporaryDirectory(dir=disks) as disk:
        (tmp_path / "usb").symlink_to(disk)
        assert export_command(match, tmp_path / "usb", None) == 0
        assert {path.name for path in Path(disk).iterdir()} == {"sheet.pdf", "sheet.csv", "record.jsonl"}


def test_what_cannot_be_exported(match: Path, tmp_path: Path) -> None:
    said = fairtray("match", "export", match, "-o", tmp_path / "out", "--roll", "1")
    assert said.returncode == 2 and "entry 1 is no ruling on a throw; those are" in said.stderr
    assert not (tmp_path / "out").exists()
    (tmp_path / "file").write_text("")
    said = fairtray("match", "export", match, "-o", tmp_path / "file")
    assert said.returncode == 2 and "cannot write to" in said.stderr


def test_a_full_disk_leaves_nothing_half_exported(match: Path, tmp_path: Path) -> None:
    out, before = tmp_path / "out", resource.getrlimit(resource.RLIMIT_FSIZE)
    for earlier in ([], ["sheet.csv"]):
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))  # the sheets have room, the record has none
        try:
            with pytest.raises(FirmwareError, match=r"cannot write to .*out: .*; nothing is exported"):
                export_command(match, out, None)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert [path.name for path in tmp_path.iterdir()] == (["out"] if earlier else [])
        assert not earlier or [path.read_text() for path in out.iterdir()] == ["of another day"]
        out.mkdir(exist_ok=True)
        (out / "sheet.csv").write_text("of another day")
    export_command(match, out, None)
    assert len(list(out.iterdir())) == 3 and "Ann" in (out / "sheet.csv").read_text()


@pytest.mark.parametrize(("rules", "players", "pages"), [
    ("bho", ("Ann", "Ben"), 1),
    ("triple", ("Łukasz", "Zoë"), 1),
    ("casino", tuple(f"Player {n}" for n in range(9)), 1),
])  # fmt: skip
def test_the_sheet_has_room_for_every_match(rules: str, players: tuple[str, ...], pages: int) -> None:
    umpire = Umpire(RULESETS[rules], players)
    rulings = umpire.start()
    pdf = as_pdf(Sheet(umpire.state, rulings, "final", "2026-01-31", "214c-3c19-6d79", "ab" * 32, ""))
    assert pdf.startswith(b"%PDF") and pdf.count(b"/Type /Page\n") == pages
    text = b"".join(zlib.decompress(part.split(b"\nendstream")[0]) for part in pdf.split(b"stream\n")[1::2][:1])
    assert rules == "triple" or b"Score sheet" in text


def test_a_name_is_no_formula() -> None:
    umpire = Umpire(RULESETS["bho"], ("=1+1", "Ben"))
    sheet = Sheet(umpire.state, (), "final", "", "", "", "")
    assert as_csv(sheet).startswith("box,'=1+1,Ben\n1s,,\n")

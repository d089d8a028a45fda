"""`fairtray simulate`: films of a simulated match or set-up, with what really happened in them."""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from calibration.facts import Calibration
from calibration.file import dump
from firmware.errors import FirmwareError
from models.sim.calibration import families as setups
from models.sim.calibration import truth as setup_truth
from models.sim.die import PlacedDie
from models.sim.film import film
from models.sim.pose import Pose
from models.sim.scenario import Scenario
from models.sim.scenarios import SCENARIOS, act
from models.sim.script import Setting, Timeline
from models.sim.setting import PICTURE
from models.sim.truth import tell
from models.sim.video import RECORDED, TAKEN, write_video
from models.sim.view import as_opencv, face_px, floor_homography, floor_outline
from scorer.events import BoxChosen, PlayerInput, to_json

SMALLEST_SIDE, LARGEST_SIDE = 64, 4096
"""Of pictures, px: in smaller ones nothing is seen of a die, and larger ones take hours to draw."""
VIDEO, TRUTH, CHOICES, CALIBRATION = "video.mp4", "truth.jsonl", "choices.jsonl", "calibration.toml"
SETUP_TRUTH = "calibration_truth.json"
PLAY, SETUP = "play", "calibration"
KINDS = (PLAY, SETUP)


def simulate_command(
    scenario: str | None,
    seed: int,
    out: Path | None,
    list_: bool,
    as_json: bool,
    size: tuple[int, int] | None = None,
    kind: str = PLAY,
) -> int:
    """List the scenarios of a kind, or film one into a new folder; the exit status.

    Without `size` matches are filmed as usual, and set-ups so that their dice can be read.

    Raises:
        FirmwareError: there is no such kind, no scenario or folder is given, or the folder is not empty.
        SimulatorError: no such scenario, or the simulator is not installed.
    """
    if kind not in KINDS:
        raise FirmwareError(f"--kind {kind}: give one of {', '.join(KINDS)}")
    if list_:
        _list(kind, as_json)
        return 0
    if scenario is None or out is None:
        raise FirmwareError("give --scenario and -o FOLDER; --list names the scenarios")
    if seed < 0:
        raise FirmwareError("--seed is a whole number, 0 or more")
    with _new_folder(out) as folder:
        seconds = (_film_play if kind == PLAY else _film_setup)(folder, scenario, seed, size)
    summary = {"scenario": scenario, "seed": seed, "seconds": round(seconds, 3), "folder": str(out)}
    print(json.dumps(summary) if as_json else f"{seconds:.0f} s of {scenario}, seed {seed}: {out / VIDEO}")
    return 0


def picture_size(given: str) -> tuple[int, int]:
    """Width and height of `640x480`; even, as the video needs. Raises FirmwareError for anything else."""
    width, _, height = given.partition("x")
    sides = tuple(int(side) for side in (width, height) if side.isascii() and side.isdecimal())
    if len(sides) != 2 or any(side % 2 or not SMALLEST_SIDE <= side <= LARGEST_SIDE for side in sides):
        limits = f"{SMALLEST_SIDE} to {LARGEST_SIDE}"
        raise FirmwareError(f"--size {given}: give width and height in even pixels of {limits}: 640x480")
    return sides


def calibrated(setting: Setting) -> Calibration:
    """The calibration that the setting's own lens and tray give."""
    width, height = setting.lens.size
    look = setting.dice[0]
    middle = PlacedDie.still(look, Pose((0.0, 0.0, look.side_mm / 2)))
    outline = tuple(_pair(point) for point in floor_outline(setting.tray, setting.lens).round(2).tolist())
    a, b, c = (_triple(row) for row in floor_homography(setting.lens).tolist())
    die_px, lens = round(face_px(setting.lens, middle), 2), as_opencv(setting.lens)
    return Calibration(width, height, outline, die_px, look.side_mm, (a, b, c), lens)


def _list(kind: str, as_json: bool) -> None:
    for scenario in SCENARIOS.values() if kind == PLAY else setups.FAMILIES.values():
        if not as_json:
            print(f"{scenario.name:24} {scenario.about}")
            continue
        fields: dict[str, Any] = {"name": scenario.name, "about": scenario.about}
        if isinstance(scenario, Scenario):
            fields["players"] = list(scenario.players)
        else:
            fields["reason"] = scenario.reason
        print(json.dumps(fields))


def _film_play(folder: Path, scenario: str, seed: int, size: tuple[int, int] | None) -> float:
    """A match with its truth, the choices made in it, and the calibration of its tray; how many seconds it is long."""
    if scenario in setups.FAMILIES:
        raise FirmwareError(f"{scenario} is a calibration recording: give --kind {SETUP}")
    timeline = act(scenario, seed, size or PICTURE)
    truth = tell(timeline)
    _write_lines(folder / TRUTH, truth.lines())
    players = {"players": [player.name for player in timeline.setting.players]}
    _write_lines(folder / CHOICES, [players, *map(_said, truth.choices)])
    (folder / CALIBRATION).write_text(dump(calibrated(timeline.setting)), encoding="utf-8")
    return _draw(folder, timeline, seed, RECORDED if SCENARIOS[scenario].plain else TAKEN)


def _film_setup(folder: Path, scenario: str, seed: int, size: tuple[int, int] | None) -> float:
    """A calibration recording with its truth; how many seconds it is long."""
    if scenario in SCENARIOS:
        raise FirmwareError(f"{scenario} is a scenario of play: leave out --kind {SETUP}")
    recording = setups.record(scenario, seed, size)
    truth = json.dumps(setup_truth.tell(recording, seed), indent=1)
    (folder / SETUP_TRUTH).write_text(truth + "\n", encoding="utf-8")
    return _draw(folder, recording.timeline, seed, RECORDED)


def _draw(folder: Path, timeline: Timeline, seed: int, coding: Mapping[str, str]) -> float:
    """The video; how many seconds it is long."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("drawing", total=timeline.clock.frames)
        frames, clock = film(timeline, seed), timeline.clock
        write_video(folder / VIDEO, frames, clock.stamps, clock.fps, lambda: progress.advance(task), coding)
    return timeline.clock.times[-1]


def _said(told: PlayerInput) -> dict[str, Any]:
    """What somebody said as a line of a file of choices."""
    if isinstance(told, BoxChosen):
        return {"t": told.t, "player": told.player, "box": told.box}
    return to_json(told)


def _write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


@contextmanager
def _new_folder(out: Path) -> Iterator[Path]:
    """A folder to write in that becomes `out` when all went well, and vanishes otherwise."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise FirmwareError(f"{out} is there already and not empty: name another folder with -o")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as beside:
            folder = Path(beside) / out.name
            folder.mkdir()
            yield folder
            os.replace(folder, out)
    except OSError as error:
        raise FirmwareError(f"cannot write {out}: {error.strerror or error}") from error


def _pair(values: list[float]) -> tuple[float, float]:
    x, y = values
    return (x, y)


def _triple(values: list[float]) -> tuple[float, float, float]:
    a, b, c = values
    return (a, b, c)

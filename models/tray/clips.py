"""Filmed throws of real dice: what was said of each labelled rest, and whether anything was invented.

The clips are not part of the repository; outlines and die sizes stand here because no calibration came with them.
"""

import csv
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2

from calibration.facts import Calibration
from calibration.file import dump
from models.training.figures import in_columns
from models.tray.errors import TrayError
from models.tray.films import fairtray, last_line
from models.tray.lines import Line, named, parse
from models.tray.versions import watching_code

REST_S = 0.2
"""Shorter rests need not be reported."""
EARLY_FRAMES = 8
"""A rest reported so little before its label is that rest: labels begin where a rest is plain to the eye."""
COUNTS = ("right", "unsure", "missed", "twice", "wrong", "invented", "unlabelled")

Outline = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Clip:
    """How a clip was taken: with a fixed camera or not; the floor's outline and a face's edge, px, where not found.

    `more` are rests seen by eye beside those labelled, by their first frame; `whole`: nothing else comes to rest.
    """

    fixed: bool
    outline: Outline | None = None
    die_px: float | None = None
    more: Mapping[int, tuple[int, ...]] | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Rest:
    """A labelled rest: its first and last frame, and the sorted values."""

    start: int
    end: int
    values: tuple[int, ...]


def _box(left: float, top: float, right: float, bottom: float) -> Outline:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


_HANDHELD = _box(10, 10, 310, 566)
CLIPS: Mapping[str, Clip] = {
    "tuia_tirada_1.mp4": Clip(True, whole=True),
    "tuia_tirada_5_overlay.mp4": Clip(True, ((40, 60), (1040, 60), (1010, 1600), (40, 1600)), 63.0, whole=True),
    "tuia_tirada_6_overlay.mp4": Clip(True, more={60: (1, 3, 4, 4, 6)}, whole=True),
    "stock_green_singles.mp4": Clip(True, _box(39, 39, 1241, 681), 130.0, {24: (1,), 564: (3, 4)}, whole=True),
    "robertwetzler_two_dice.mp4": Clip(False),
    "epanemu_hands_overlay.mp4": Clip(True),
    "gruzdev_tray13_overlay.gif": Clip(True),
    "imciechan_test10es.mp4": Clip(False, _HANDHELD, 28.0),
    "imciechan_test11ess.mp4": Clip(False, _HANDHELD, 33.0),
    "imciechan_test12koldra.mp4": Clip(False, _HANDHELD, 33.0),
    "imciechan_test5black.mp4": Clip(False, _HANDHELD, 50.0),
    "imciechan_test6big.mp4": Clip(False, _HANDHELD, 36.0),
}
"""Which clips are known here, by file name."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What was said of a clip beside its labels: how many rests of each kind, and each doubtful one in words."""

    name: str
    fixed: bool
    labelled: int
    counts: Mapping[str, int]
    notes: Sequence[str]
    cpu_s: float


def watch_clips(folder: Path) -> list[Watched]:
    """Watch every clip that is known and there, in the order in which they are known.

    Raises:
        TrayError: there are no clips in this folder, or their lists cannot be read.
    """
    videos = folder / "videos"
    try:
        rates = {row["file"]: float(row["fps"]) for row in _rows(folder / "videos.csv")}
        rests = _rests(folder / "video_events.csv")
    except (OSError, KeyError, ValueError) as error:
        raise TrayError(f"no real clips at {folder}: it needs videos/, videos.csv and video_events.csv") from error
    there = [name for name in CLIPS if (videos / name).is_file() and name in rates]
    return [_watch(videos / name, CLIPS[name], rests.get(name, []), rates[name]) for name in there]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _rests(path: Path) -> dict[str, list[Rest]]:
    rests: dict[str, list[Rest]] = {}
    for row in _rows(path):
        values = tuple(sorted(int(value) for value in row["values"].split()))
        rests.setdefault(row["file"], []).append(Rest(int(row["start_frame"]), int(row["end_frame"]), values))
    return rests


def _watch(video: Path, clip: Clip, labelled: Sequence[Rest], fps: float) -> Watched:
    with tempfile.TemporaryDirectory(prefix="fairtray-") as folder:
        calibration = _calibration(video, clip, Path(folder))
        ran = fairtray("watch", video, "--events-only", "--json", *calibration)
    rests = [rest for rest in labelled if rest.end - rest.start + 1 >= REST_S * fps]
    rests += [Rest(start, start + round(fps), values) for start, values in (clip.more or {}).items()]
    if ran.status:
        return Watched(video.name, clip.fixed, len(rests), {}, [last_line(ran.complaint)], ran.cpu_s)
    short = [rest for rest in labelled if rest not in rests]
    counts, notes = judge(parse(ran.printed), rests, short, clip.whole or not clip.fixed)
    return Watched(video.name, clip.fixed, len(rests), counts, notes, ran.cpu_s)


def _calibration(video: Path, clip: Clip, folder: Path) -> list[str | Path]:
    """The options that give the clip's outline, where it has one."""
    if clip.outline is None or clip.die_px is None:
        return []
    capture = cv2.VideoCapture(str(video))
    width, height = (int(capture.get(what)) for what in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
    capture.release()
    path = folder / "calibration.toml"
    path.write_text(dump(Calibration(width, height, clip.outline, clip.die_px)), encoding="utf-8")
    return ["--calibration", path]


def judge(
    said: Iterable[Line], rests: Sequence[Rest], short: Sequence[Rest], whole: bool
) -> tuple[dict[str, int], list[str]]:
    """How the labelled rests were reported, and what else was: invented where the labels are `whole`.

    A rest is right, unsure (nothing wrong, a value left open), wrong, missed, or reported twice. Those too short to
    have to be reported (`short`) may be, rightly or unsurely.
    """
    reports = [line for line in named(said, "DiceAtRest") if line["thrown"]]
    counts: Counter[str] = Counter()
    notes, told = [], []
    for rest in (*rests, *short):
        mine = [line for line in reports if rest.start - EARLY_FRAMES <= line["frame"] <= rest.end and line not in told]
        told += mine
        answers = [_answer(line, rest) for line in mine] or ["missed"] * (rest in rests)
        counts[next((a for a in answers if a == "wrong"), answers[-1] if answers else "")] += bool(answers)
        counts["twice"] += len(mine) > 1
        if (answers and set(answers) != {"right"}) or len(mine) > 1:
            notes.append(f"frame {rest.start}: {_seen(mine)}, labelled {_digits(rest.values)}")
    for line in reports:
        if line not in told:
            counts["invented" if whole else "unlabelled"] += 1
            notes.append(f"frame {line['frame']}: {_seen([line])}, not labelled")
    return dict(+counts), notes


def _answer(report: Line, rest: Rest) -> str:
    values = [die["value"] for die in report["dice"] if die["state"] != "off_tray"]
    open_ = list(rest.values)
    for value in values:
        if value is not None and value not in open_:
            return "wrong"
        if value is not None:
            open_.remove(value)
    return "right" if not open_ and None not in values else "unsure" if len(values) == len(rest.values) else "wrong"


def _seen(reports: Sequence[Line]) -> str:
    return " and ".join(_digits([die["value"] for die in line["dice"]]) for line in reports) or "nothing"


def _digits(values: Iterable[int | None]) -> str:
    return "".join(sorted("?" if value is None else str(value) for value in values))


def table(clips: Sequence[Watched]) -> str:
    """A row for each clip, then what is not plain, in words."""
    rows: list[list[object]] = [["clip", "camera", "rests", *COUNTS, "CPU s"]]
    for clip in clips:
        camera = "fixed" if clip.fixed else "handheld"
        rows.append([clip.name, camera, clip.labelled, *(clip.counts.get(n, 0) for n in COUNTS), f"{clip.cpu_s:.0f}"])
    notes = [f"  {clip.name}, {note}" for clip in clips for note in clip.notes]
    return "\n".join([in_columns(rows), *notes])


def clips_kept(folder: Path, kept: Path) -> list[Watched]:
    """What was said of the clips: kept from before where the code is the same, else watched now and kept.

    Raises:
        TrayError: there are no clips in this folder, or their lists cannot be read.
    """
    code = watching_code()
    try:
        before = json.loads(kept.read_text(encoding="utf-8"))
        if before["watched_by"] == code:
            return [Watched(**fields) for fields in before["clips"]]
    except (OSError, ValueError, KeyError, TypeError):
        pass
    clips = watch_clips(folder)
    kept.parent.mkdir(parents=True, exist_ok=True)
    content = {"watched_by": code, "clips": [asdict(clip) for clip in clips]}
    kept.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return clips

"""The sweep: every family with every seed filmed and calibrated, in pieces that are kept as they are done."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from models.calibration.films import Film, calibrate_film, draw_film, find_film
from models.calibration.judge import Verdict, judge, said
from models.calibration.sheet import write_sheet
from models.training.progress import Progress
from models.tray.errors import TrayError
from models.tray.films import kept_or_drawn, last_line
from models.tray.results import keep, kept, name_of
from models.tray.versions import calibrating_code, recording_code

Say = Callable[[str], None]
USUAL_STATUS = (0, 1)
"""Calibration passed, or failed with reasons."""


@dataclass(frozen=True, slots=True)
class Result:
    """A recording calibrated: what is true of it and what was said, what it took, and which code and film that was.

    `film` is a hash of the recording, `calibrated_by` and `drawn_by` of the code, the latter None for a recording that
    was found and does not say. `complaint` is what went wrong where there is no film, or calibration broke off.
    """

    family: str
    seed: int
    film: str
    calibrated_by: str
    drawn_by: str | None
    cpu_simulate_s: float
    cpu_calibrate_s: float
    true: dict[str, Any]
    told: dict[str, Any] | None
    complaint: str | None = None

    @property
    def name(self) -> str:
        """The recording's name."""
        return name_of(self.family, self.seed)

    @property
    def verdict(self) -> Verdict:
        """How right calibration was."""
        if not self.film:
            return Verdict("not_filmed", self.complaint or "")
        return judge(self.true, self.told, self.complaint)


@dataclass(frozen=True, slots=True)
class Sweep:
    """What to measure, where results and pictures go, and films, if they are to be kept.

    `redraw`: films that another simulator drew, or nobody knows which, are drawn again.
    """

    families: Sequence[str]
    seeds: Sequence[int]
    out: Path
    films: Path | None = None
    redraw: bool = False
    jobs: int = 1

    def pieces(self) -> list[tuple[str, int]]:
        """All recordings, seed by seed, so that every family has been seen early."""
        return [(family, seed) for seed in self.seeds for family in self.families]


def run(sweep: Sweep, say: Say) -> None:
    """Do what is not done yet; say how far it is."""
    missing = [piece for piece in sweep.pieces() if not _is_done(sweep, *piece)]
    done = len(sweep.pieces()) - len(missing)
    if done:
        say(f"{done} of {len(sweep.pieces())} recordings were measured before with this code")
    progress = Progress("recordings", len(sweep.pieces()), done, say)
    with ThreadPoolExecutor(sweep.jobs) as pool:
        for result in pool.map(lambda piece: _measured(sweep, *piece), missing):
            done += 1
            progress.at(done, f": {result.name}, {result.verdict.outcome}, {result.verdict.words}")


def results(sweep: Sweep) -> Iterator[Result]:
    """The results there are of these recordings, whatever code they came from."""
    for family, seed in sweep.pieces():
        result = load(sweep.out, family, seed)
        if result is not None:
            yield result


def load(out: Path, family: str, seed: int) -> Result | None:
    """The result kept of this recording, if there is one that can be read."""
    try:
        return Result(**kept(out / "results", name_of(family, seed)))
    except (OSError, ValueError, TypeError):
        return None


def stale(found: Sequence[Result]) -> list[str]:
    """A line for each way in which results are not of the code as it is now."""
    old = sum(result.calibrated_by != calibrating_code() for result in found)
    other = sum(result.drawn_by != recording_code() for result in found)
    lines = [(old, "results of other code than this: run the sweep again")]
    lines.append((other, "recordings not drawn by the simulator of now: --redraw does that"))
    return [f"{words} ({count} of {len(found)})" for count, words in lines if count]


def _is_done(sweep: Sweep, family: str, seed: int) -> bool:
    """Whether there is a result of the code as it is now, about the recording as it is now."""
    result = load(sweep.out, family, seed)
    if result is None or result.calibrated_by != calibrating_code():
        return False
    film = _kept_film(sweep, family, seed)
    return result.film == film.version if film is not None else result.drawn_by == recording_code()


def _kept_film(sweep: Sweep, family: str, seed: int) -> Film | None:
    film = find_film(sweep.films / name_of(family, seed)) if sweep.films else None
    return None if film is not None and sweep.redraw and film.drawn_by != recording_code() else film


def _measured(sweep: Sweep, family: str, seed: int) -> Result:
    """Film and calibrate one piece, and keep what was found of it."""
    by = calibrating_code()
    try:
        found, name = _kept_film(sweep, family, seed), name_of(family, seed)
        with kept_or_drawn(found, sweep.films, name, lambda folder: draw_film(family, seed, folder)) as film:
            ran = calibrate_film(film)
            complaint = None if ran.status in USUAL_STATUS else last_line(ran.complaint)
            told = said(ran.printed)
            if told is not None and complaint is None and told["ok"] != (ran.status == 0):
                complaint = f"exit status {ran.status}, though ok is {told['ok']}"
            made = (film.version, by, film.drawn_by, film.cpu_s, ran.cpu_s)
            result = Result(family, seed, *made, film.truth, told, complaint)
            path = sweep.out / "sheets" / f"{result.name}.jpg"
            path.unlink(missing_ok=True)
            if result.verdict.outcome != "right":
                write_sheet(path, film, result.verdict, told)
    except TrayError as refused:
        result = Result(family, seed, "", by, recording_code(), 0.0, 0.0, {}, None, str(refused))
    keep(sweep.out / "results", result.name, asdict(result))
    return result

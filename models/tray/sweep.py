"""The sweep: every scenario with every seed filmed and watched, in pieces that are kept as they are done."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2

from models.training.progress import Progress
from models.tray.errors import TrayError
from models.tray.films import TRUTH, VIDEO, Film, draw_film, find_film, kept_or_drawn, last_line, watch_film
from models.tray.lines import parse
from models.tray.results import Result, load, name_of, store
from models.tray.score import score
from models.tray.sheet import write_sheet
from models.tray.versions import drawing_code, watching_code

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Sweep:
    """What to measure: which films, how large; where results and sheets go, and films, if they are to be kept.

    `redraw`: films that another simulator drew, or nobody knows which, are drawn again.
    """

    scenarios: Sequence[str]
    seeds: Sequence[int]
    out: Path
    films: Path | None = None
    size: tuple[int, int] = (640, 480)
    redraw: bool = False
    jobs: int = 1

    @property
    def results(self) -> Path:
        """The folder of the results."""
        return self.out / "results"

    def pieces(self) -> list[tuple[str, int]]:
        """All films, seed by seed, so that every scenario has been seen early."""
        return [(scenario, seed) for seed in self.seeds for scenario in self.scenarios]


def run(sweep: Sweep, say: Say) -> None:
    """Do what is not done yet; say how far it is, and what could not be filmed."""
    missing = [piece for piece in sweep.pieces() if not _is_done(sweep, *piece)]
    done = len(sweep.pieces()) - len(missing)
    if done:
        say(f"{done} of {len(sweep.pieces())} films were measured before with this code")
    progress = Progress("films", len(sweep.pieces()), done, say)
    with ThreadPoolExecutor(sweep.jobs) as pool:
        for result in pool.map(lambda piece: _measured(sweep, *piece), missing):
            done += 1
            progress.at(done, f": {_in_words(result)}")


def results(sweep: Sweep) -> Iterator[Result]:
    """The results there are of these films, whatever code they came from."""
    for scenario, seed in sweep.pieces():
        result = load(sweep.results, scenario, seed)
        if result is not None:
            yield result


def stale(found: Iterable[Result]) -> list[str]:
    """A line for each way in which results are not of the code as it is now."""
    known, watching, drawing = list(found), watching_code(), drawing_code()
    lines = [
        ([r for r in known if r.watched_by != watching], "results of other code than this: run the sweep again"),
        ([r for r in known if r.drawn_by != drawing], "films not drawn by the simulator of now: --redraw does that"),
    ]
    return [f"{words} ({len(films)}: {_names(films)})" for films, words in lines if films]


def _names(films: Sequence[Result]) -> str:
    return ", ".join(film.name for film in films[:5]) + (", ..." if len(films) > 5 else "")


def _is_done(sweep: Sweep, scenario: str, seed: int) -> bool:
    """Whether there is a result of the code as it is now, about the film as it is now."""
    result = load(sweep.results, scenario, seed)
    if result is None or result.watched_by != watching_code() or result.size != sweep.size:
        return False
    film = _kept(sweep, scenario, seed)
    return result.film == film.version if film is not None else result.drawn_by == drawing_code()


def _kept(sweep: Sweep, scenario: str, seed: int) -> Film | None:
    """The film that is there and may be used."""
    film = find_film(sweep.films / name_of(scenario, seed)) if sweep.films else None
    return None if film is not None and sweep.redraw and film.drawn_by != drawing_code() else film


def _measured(sweep: Sweep, scenario: str, seed: int) -> Result:
    """Film and watch one piece, and keep what was found of it."""
    watching = watching_code()
    try:
        found, name = _kept(sweep, scenario, seed), name_of(scenario, seed)
        draw = partial(draw_film, scenario, seed, sweep.size)
        with kept_or_drawn(found, sweep.films, name, draw) as film:
            ran = watch_film(film)
            error = f"watch broke off: {last_line(ran.complaint)}" if ran.status else None
            true = parse((film.folder / TRUTH).read_text(encoding="utf-8"))
            said = parse(ran.printed)
            seconds, cpu = _seconds(film.folder / VIDEO), (film.cpu_s, ran.cpu_s)
            result = Result(
                scenario, seed, sweep.size, film.version, watching, film.drawn_by, seconds, *cpu, true, said, error
            )
            _show(sweep, film, result)
    except TrayError as refused:
        result = Result(
            scenario, seed, sweep.size, "", watching, drawing_code(), 0.0, 0.0, 0.0, (), (), error=str(refused)
        )
    store(sweep.results, result)
    return result


def _show(sweep: Sweep, film: Film, result: Result) -> None:
    """A contact sheet of what was not ruled right; an older one goes where there is nothing to show."""
    verdict = score(result).verdict
    path = sweep.out / "sheets" / f"{result.name}.jpg"
    path.unlink(missing_ok=True)
    if verdict is not None and verdict.difference is not None:
        write_sheet(path, film, verdict.difference, result.true, result.said)


def _seconds(video: Path) -> float:
    capture = cv2.VideoCapture(str(video))
    try:
        return float(capture.get(cv2.CAP_PROP_FRAME_COUNT) / max(1.0, capture.get(cv2.CAP_PROP_FPS)))
    finally:
        capture.release()


def _in_words(result: Result) -> str:
    cpu = f"{result.seconds:.0f} s of film, {result.cpu_simulate_s:.0f} CPU s drawn, {result.cpu_watch_s:.0f} watched"
    return f"{result.name}, {result.error or cpu}"

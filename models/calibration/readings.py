"""Dice read in films of play with their calibration and without one: what calibration is worth to the eye."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from models.training.figures import in_columns
from models.training.progress import Progress
from models.tray.errors import TrayError
from models.tray.events import pair
from models.tray.films import CALIBRATION, TRUTH, VIDEO, Film, fairtray, find_film, last_line
from models.tray.lines import Line, parse

Counts = Counter[str]
COUNTED = ("rests", "rests found", "rests invented", "dice", "right", "wrong", "asked")


def films_in(folder: Path) -> list[Film]:
    """The films of play in a folder, by name.

    Raises:
        TrayError: there is none.
    """
    found = [film for each in sorted(folder.iterdir()) if (film := find_film(each))] if folder.is_dir() else []
    if not found:
        raise TrayError(f"{folder} has no films of play: `make eval-tray FILMS={folder}` draws some")
    return found


def measure(films: Sequence[Film], jobs: int, say: Callable[[str], None]) -> str:
    """A table of both, over all films."""
    progress, counts = Progress("films", len(films), 0, say), (Counter[str](), Counter[str]())
    with ThreadPoolExecutor(jobs) as pool:
        for done, both in enumerate(pool.map(_both, films), 1):
            for total, more in zip(counts, both, strict=True):
                total.update(more)
            progress.at(done, f": {films[done - 1].folder.name}")
    return _table(dict(zip(("with", "without"), counts, strict=True)))


def count(true: Iterable[Line], said: Iterable[Line]) -> Counts:
    """Rests found, and their flat dice read right, wrong, or left to people, compared as the values that lie there: a
    tray that nobody calibrated has no millimetres in common with the true one."""
    counts: Counts = Counter()
    for rest in pair(true, said):
        if rest.name != "DiceAtRest":
            continue
        counts["rests"] += rest.true is not None
        counts["rests invented"] += rest.true is None
        if rest.true is not None and rest.said is not None:
            counts["rests found"] += 1
            lie, read = (Counter(_values(line)) for line in (rest.true, rest.said))
            counts["dice"] += lie.total()
            counts["right"] += (lie & read).total()
            counts["wrong"] += (read - lie).total() - (read - lie)[None]
            counts["asked"] += read[None]
    return counts


def _values(rest: Line) -> list[int | None]:
    return [die["value"] for die in rest["dice"] if die["state"] == "flat" or die["value"] is None]


def _both(film: Film) -> tuple[Counts, Counts]:
    true = parse((film.folder / TRUTH).read_text(encoding="utf-8"))
    known = ("--calibration", film.folder / CALIBRATION)
    return count(true, _watched(film, *known)), count(true, _watched(film))


def _watched(film: Film, *options: str | Path) -> list[Line]:
    ran = fairtray("watch", film.folder / VIDEO, *options, "--events-only", "--json")
    if ran.status != 0:
        raise TrayError(f"{film.folder}: {last_line(ran.complaint)}")
    return list(parse(ran.printed))


def _table(counts: Mapping[str, Counts]) -> str:
    rows = [["calibration", *COUNTED]]
    rows += [[name, *(str(found[key]) for key in COUNTED)] for name, found in counts.items()]
    return in_columns(rows)

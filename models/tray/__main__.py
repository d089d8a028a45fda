"""`python -m models.tray`: how right events and rulings are, over scenarios and seeds, and over hours of play."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from firmware.sample import SAMPLE
from models.tray.clips import clips_kept, table
from models.tray.endure import Loop, Played, endure, find_loop, in_lines, summary
from models.tray.errors import TrayError
from models.tray.films import Film, find_film, list_scenarios
from models.tray.refusing import refusing
from models.tray.report import in_words, write
from models.tray.score import score
from models.tray.seeds import FIRST_SEED, parse_seeds
from models.tray.sweep import Sweep, results, run, stale
from vision.network import load_networks

app = typer.Typer(add_completion=False, help="Measure how right the tray's events and rulings are.")


@app.callback()
def main() -> None:
    """Measure how right the tray's events and rulings are."""


Scenarios = Annotated[str, typer.Option(help="Which, with commas; `all`.")]
Seeds = Annotated[str, typer.Option(help="As 1000-1019 or 1,2,7.")]
Size = Annotated[str, typer.Option(help="Of the pictures, in px.")]
Out = Annotated[Path, typer.Option(help="Where results, contact sheets and the report go.")]
Films = Annotated[Path | None, typer.Option(help="Keep the films here, and take those found.")]
Clips = Annotated[Path, typer.Option(help="The folder of the labelled real clips; left out where it is absent.")]

USUAL_SEEDS = f"{FIRST_SEED}-{FIRST_SEED + 4}"
USUAL_OUT = Path("out/eval-tray")
REAL = Path("../shared/real")


@app.command()
def sweep(
    scenarios: Scenarios = "all",
    seeds: Seeds = USUAL_SEEDS,
    size: Size = "640x480",
    out: Out = USUAL_OUT,
    films: Films = None,
    redraw: Annotated[bool, typer.Option(help="Draw kept films again that another simulator drew.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Films at once.")] = 1,
    clips: Clips = REAL,
    report: Annotated[bool, typer.Option(help="Report at the end.")] = True,
) -> None:
    """Film and watch what is not done yet, and report."""
    with refusing():
        numbers, pixels = parse_seeds(seeds), _size(size)
        asked = Sweep(_scenarios(scenarios), numbers, out, films, pixels, redraw, jobs)
        run(asked, lambda line: print(line, file=sys.stderr, flush=True))
        if report:
            _report(asked, clips)


@app.command("report")
def report_command(
    scenarios: Scenarios = "all", seeds: Seeds = USUAL_SEEDS, out: Out = USUAL_OUT, clips: Clips = REAL
) -> None:
    """Report on the results that there are."""
    with refusing():
        numbers = parse_seeds(seeds)
        _report(Sweep(_scenarios(scenarios), numbers, out), clips)


@app.command("endure")
def endure_command(
    films: Annotated[Path | None, typer.Option(help="Folders as simulate writes them; else the sample match.")] = None,
    turns: Annotated[int, typer.Option(min=1, help="To play at least.")] = 500,
) -> None:
    """Play films over and over in one run; exit status 1 unless every match is ruled right."""
    with refusing():
        loops = list(_loops(films)) if films else [find_loop(Film(SAMPLE))]
        matches: list[Played] = []
        for match in endure(load_networks(), loops, turns):
            matches.append(match)
            print(*in_lines(len(matches), match), sep="\n", flush=True)
        print(summary(matches))
    if any(match.verdict.outcome != "right" for match in matches):
        raise typer.Exit(1)


def _loops(films: Path) -> Iterator[Loop]:
    """Of each film in the folder that can be played over and over, saying which cannot."""
    found = False
    for film in map(find_film, sorted(films.iterdir()) if films.is_dir() else []):
        try:
            loop = find_loop(film) if film else None
        except TrayError as error:
            print(f"Left out: {error}", file=sys.stderr)
            continue
        if loop:
            found = True
            yield loop
    if not found:
        raise TrayError(f"{films}: no film here can be played over and over: make one with simulate --scenario sample")


def _report(asked: Sweep, clips: Path) -> None:
    found = list(results(asked))
    scores = [score(result) for result in found]
    for line in stale(found):
        print(f"Note: {line}")
    beside = _beside(clips, asked.out / "clips.json")
    print(f"{in_words(scores)}\n\n{beside}")
    write(asked.out, scores, beside)


def _beside(folder: Path, kept: Path) -> str:
    """The table of the real clips, or one line that says why there is none."""
    if not folder.is_dir():
        return f"No real clips at {folder}: left out (--clips says where they are)"
    return f"Real clips, events only:\n{table(clips_kept(folder, kept))}"


def _scenarios(given: str) -> list[str]:
    known = list_scenarios()
    if given == "all":
        return known
    names = [name.strip() for name in given.split(",")]
    if unknown := [name for name in names if name not in known]:
        raise TrayError(f"no scenario {unknown[0]!r}: choose among {', '.join(known)}")
    return names


def _size(given: str) -> tuple[int, int]:
    width, _, height = given.partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise TrayError(f"{given!r} is no size: give it as 640x480")
    return int(width), int(height)


if __name__ == "__main__":
    app()

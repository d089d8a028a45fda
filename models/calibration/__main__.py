"""`python -m models.calibration`: how right calibration is, over families of simulated set-ups and seeds."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from models.calibration import outlines, rows
from models.calibration.films import list_families
from models.calibration.readings import films_in, measure
from models.calibration.report import in_words, write
from models.calibration.sweep import Sweep, results, run, stale
from models.tray.errors import TrayError
from models.tray.refusing import refusing
from models.tray.seeds import FIRST_SEED, parse_seeds

app = typer.Typer(add_completion=False, help="Measure how right calibration is.")


@app.callback()
def main() -> None:
    """Measure how right calibration is."""


Families = Annotated[str, typer.Option(help="Which, with commas; `all`.")]
Seeds = Annotated[str, typer.Option(help="As 1000-1019 or 1,2,7.")]
Out = Annotated[Path, typer.Option(help="Where results, pictures of failures and the report go.")]

USUAL_SEEDS = f"{FIRST_SEED}-{FIRST_SEED + 4}"
USUAL_OUT = Path("out/eval-calibration")
OUTLINES_OUT = Path("out/eval-outlines")
GAUGE_OUT = Path("out/gauge")


@app.command()
def sweep(
    families: Families = "all",
    seeds: Seeds = USUAL_SEEDS,
    out: Out = USUAL_OUT,
    films: Annotated[Path | None, typer.Option(help="Keep the recordings here, and take those found.")] = None,
    redraw: Annotated[bool, typer.Option(help="Draw kept recordings again that another simulator drew.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Recordings at once.")] = 1,
) -> None:
    """Film and calibrate what is not done yet, and report."""
    with refusing():
        asked = Sweep(_families(families), parse_seeds(seeds), out, films, redraw, jobs)
        run(asked, lambda line: print(line, file=sys.stderr, flush=True))
        _report(asked)


@app.command("outlines")
def outlines_command(
    numbers: Annotated[str, typer.Option(help="Which set-ups, as 1000-1099.")] = "1000-1099",
    out: Annotated[Path, typer.Option(help="Where results and pictures of failures go.")] = OUTLINES_OUT,
) -> None:
    """Draw empty trays without filming, and report how right the outlines of their floors are."""
    with refusing():
        print(outlines.in_words(outlines.run(_numbers(numbers), out)))


@app.command("rows")
def rows_command(numbers: Annotated[str, typer.Option(help="Which set-ups, as 1000-1049.")] = "1000-1049") -> None:
    """Draw rows of dice without filming, pushed together and carelessly, and report what they tell of dice's size."""
    with refusing():
        print(rows.in_words(rows.run(_numbers(numbers))))


@app.command("readings")
def readings_command(
    films: Annotated[Path, typer.Option(help="A folder of films of play, as `make eval-tray` keeps them.")],
    jobs: Annotated[int, typer.Option(min=1, help="Films at once.")] = 1,
) -> None:
    """Read the dice of films of play with their calibration and without."""
    with refusing():
        print(measure(films_in(films), jobs, lambda line: print(line, file=sys.stderr, flush=True)))


@app.command()
def gauge(
    sets: Annotated[str, typer.Option(help="Numbers of the drawn sets of dice that it learns from.")] = "6000-15999",
    kept_back: Annotated[str, typer.Option(help="Numbers of those that it is measured on.")] = "5000-5399",
    out: Annotated[Path, typer.Option(help="Where drawings, state and the network with its card go.")] = GAUGE_OUT,
) -> None:
    """Draw sets of dice and train the gauge on them (hours, and 6 GB of memory; resumes)."""
    from models.calibration.examples import lay_many
    from models.calibration.gauge import export, learn

    with refusing():
        learnt, measured = _numbers(sets), _numbers(kept_back)
    (out / "sets").mkdir(parents=True, exist_ok=True)
    drawn = list(lay_many(learnt, out / "sets"))
    network = learn(drawn, out / "gauge.pt")
    export(network, len(drawn), list(lay_many(measured, out / "sets")), out)
    print((out / "gauge.json").read_text(), end="")


@app.command("report")
def report_command(families: Families = "all", seeds: Seeds = USUAL_SEEDS, out: Out = USUAL_OUT) -> None:
    """Report on the results that there are."""
    with refusing():
        _report(Sweep(_families(families), parse_seeds(seeds), out))


def _report(asked: Sweep) -> None:
    found = list(results(asked))
    for line in stale(found):
        print(f"Note: {line}")
    print(in_words(found))
    write(asked.out, found)


def _numbers(given: str) -> range:
    seeds = parse_seeds(given)
    return range(min(seeds), max(seeds) + 1)


def _families(given: str) -> list[str]:
    known = list_families()
    if given == "all":
        return known
    names = [name.strip() for name in given.split(",")]
    if unknown := [name for name in names if name not in known]:
        raise TrayError(f"no family {unknown[0]!r}: choose among {', '.join(known)}")
    return names


if __name__ == "__main__":
    app()

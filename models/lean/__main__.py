"""`python -m models.lean`: how leaning and stacked dice are told from flat ones."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from models.lean.fit import fit
from models.lean.measure import measure, pieces
from models.lean.report import in_words, write
from models.tray.refusing import refusing
from models.tray.seeds import FIRST_SEED, parse_seeds
from vision.network import load_networks

app = typer.Typer(add_completion=False, help="Tell leaning and stacked dice from flat ones.")

Seeds = Annotated[str, typer.Option(help="As 1000-1039 or 1,2,7.")]

USUAL_SEEDS = f"{FIRST_SEED}-{FIRST_SEED + 39}"
LEARNT_FROM = "1-500"
USUAL_OUT = Path("out/eval-lean")


@app.command("measure")
def measure_command(
    seeds: Seeds = USUAL_SEEDS,
    pictures: Annotated[int, typer.Option(min=1, help="Of each kind, a seed.")] = 3,
    out: Annotated[Path, typer.Option(help="Where results and the report go.")] = USUAL_OUT,
) -> None:
    """Draw and judge what is not done yet, and report."""
    with refusing():
        asked = parse_seeds(seeds)
        measure(load_networks(), asked, pictures, out, _say)
    found = list(pieces(asked, pictures, out))
    print(in_words(found))
    write(out, found)


@app.command("fit")
def fit_command(seeds: Seeds = LEARNT_FROM) -> None:
    """Learn from drawn pairs when one of two dice may lean on the other: the weights in vision/pairs.py."""
    with refusing():
        print(fit(load_networks(), parse_seeds(seeds), _say).in_words())


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    app()

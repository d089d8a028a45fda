"""`python -m models.lean`: how leaning and stacked dice are told from flat ones."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from models.lean.measure import measure, pieces
from models.lean.report import in_words, write
from models.tray.errors import TrayError
from models.tray.seeds import FIRST_SEED, parse_seeds
from vision.errors import VisionError
from vision.network import load_networks

USUAL_SEEDS = f"{FIRST_SEED}-{FIRST_SEED + 39}"
USUAL_OUT = Path("out/eval-lean")


def main(
    seeds: Annotated[str, typer.Option(help="As 1000-1039 or 1,2,7.")] = USUAL_SEEDS,
    pictures: Annotated[int, typer.Option(min=1, help="Of each kind, a seed.")] = 3,
    out: Annotated[Path, typer.Option(help="Where results and the report go.")] = USUAL_OUT,
) -> None:
    """Draw and judge what is not done yet, and report."""
    try:
        asked = parse_seeds(seeds)
        measure(load_networks(), asked, pictures, out, lambda line: print(line, file=sys.stderr, flush=True))
    except (TrayError, VisionError) as error:
        typer.echo(f"fairtray: {error}", err=True)
        raise typer.Exit(2) from None
    found = list(pieces(asked, pictures, out))
    print(in_words(found))
    write(out, found)


if __name__ == "__main__":
    typer.run(main)

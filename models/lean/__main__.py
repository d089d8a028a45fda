"""`python -m models.lean`: how leaning and stacked dice are told from flat ones."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from models.lean.examples import draw_examples
from models.lean.measure import measure, pieces
from models.lean.report import in_words, write
from models.tray.refusing import refusing
from models.tray.seeds import FIRST_SEED, parse_seeds
from vision.network import LEANER_CARD, load_networks

app = typer.Typer(add_completion=False, help="Tell leaning and stacked dice from flat ones.")

Seeds = Annotated[str, typer.Option(help="As 1000-1039 or 1,2,7.")]

USUAL_SEEDS = f"{FIRST_SEED}-{FIRST_SEED + 39}"
LEARNT_FROM, KEPT_BACK = "1-800", "801-900"
USUAL_OUT, TRAINED_OUT = Path("out/eval-lean"), Path("out/leaner")


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


@app.command("train")
def train_command(
    seeds: Annotated[str, typer.Option(help="Seeds of the drawn pictures that it learns from.")] = LEARNT_FROM,
    kept_back: Annotated[str, typer.Option(help="Seeds of those that its thresholds come from.")] = KEPT_BACK,
    out: Annotated[Path, typer.Option(help="Where drawings, state and the network with its card go.")] = TRAINED_OUT,
) -> None:
    """Draw dice that lean and flat ones, and train the leaner to tell them apart (an hour; resumes)."""
    from models.lean.leaner import export, learn

    with refusing():
        learnt, others = parse_seeds(seeds), parse_seeds(kept_back)
        network = learn(draw_examples(learnt, out / "seeds"), out / "leaner.pt")
        export(network, seeds, kept_back, draw_examples(others, out / "seeds"), out)
    print((out / LEANER_CARD).read_text(encoding="utf-8"), end="")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    app()

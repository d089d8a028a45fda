"""`python -m models.sim crops N SEED OUT.npz`: labelled crops of simulated dice."""

from pathlib import Path
from typing import Annotated

import typer

from models.sim.crops import write_crops
from models.sim.errors import SimulatorError

app = typer.Typer(add_completion=False, help="Draw material to train on.")


@app.callback()
def main() -> None:
    """Draw material to train on."""


@app.command()
def crops(
    count: Annotated[int, typer.Argument(min=1, help="How many crops.")],
    seed: Annotated[int, typer.Argument(help="The same seed gives the same crops.")],
    out: Annotated[Path, typer.Argument(help="The .npz file to write.")],
) -> None:
    """Write labelled 72x72 crops about dice, and about places without one."""
    try:
        write_crops(count, seed, out)
    except SimulatorError as error:
        typer.echo(f"fairtray: {error}", err=True)
        raise typer.Exit(2) from None


if __name__ == "__main__":
    app()

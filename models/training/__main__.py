"""`python -m models.training STEP`: makes the networks again from nothing, or measures the ones that ship.

Steps in order: draw, train, folds, export, card; `all` does them all, and each goes on where it was broken off.
`smoke` does all of them in miniature, on drawn scenes in place of photographs, and fails where nothing is learnt.
`evaluate` needs neither torch nor the other steps, only photographs.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from models.training.errors import TrainingError
from vision.errors import VisionError

STEPS = ("draw", "train", "folds", "export", "card")
MODELS = Path(__file__).parent.parent
WORK = Path(__file__).parent / "work"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one step, or all of them; return the exit status: 2 for bad input, 1 where the miniature learnt nothing."""
    options = _parser().parse_args(arguments)
    try:
        if options.step == "smoke":
            return _smoke(options.work)
        options.work = options.work or WORK
        if options.step == "all":
            _run_all(options)
        else:
            _run(options.step, options)
    except (TrainingError, VisionError) as error:
        print(f"fairtray: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.training", description="Train and measure the networks.")
    parser.add_argument("step", choices=(*STEPS, "all", "smoke", "evaluate"))
    parser.add_argument("--photos", type=Path, default=Path("../shared/real"), help="folder of labelled photographs")
    parser.add_argument("--work", type=Path, help=f"folder for drawn dice and weights; else {WORK}")
    parser.add_argument("--models", type=Path, default=MODELS, help="folder of the networks and their card")
    parser.add_argument("--json", type=Path, help="evaluate: write the figures here as well")
    parser.set_defaults(miniature=False)
    return parser


def _run_all(options: argparse.Namespace) -> None:
    for number, step in enumerate(STEPS, 1):
        print(f"step {number} of {len(STEPS)}: {step}", flush=True)
        _run(step, options)


def _smoke(work: Path | None) -> int:
    """Make everything in miniature, in a folder that is thrown away unless it was named; return the exit status."""
    from models.training import recipe, smoke
    from models.training.collection import draw_photos
    from models.training.real import load_photos
    from vision.network import load_networks

    with TemporaryDirectory(prefix="fairtray-") as thrown_away:
        folder = work or Path(thrown_away)
        photos, models = folder / "photos", folder / "models"
        draw_photos(photos, smoke.PHOTOS)
        _run_all(argparse.Namespace(photos=photos, work=folder, models=models, json=None, miniature=True))
        learnt = smoke.judge(load_networks(models), recipe.Work(folder).reader, load_photos(photos))
    print(learnt.in_words())
    for failure in learnt.failures():
        print(f"fairtray: {failure}", file=sys.stderr)
    return 1 if learnt.failures() else 0


def _run(step: str, options: argparse.Namespace) -> None:
    """Run one step. Torch is needed by training alone, so what needs it is imported there."""
    if step == "evaluate":
        from models.training.report import evaluate

        figures = evaluate(options.models, options.photos, print)
        if options.json is not None:
            options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        return
    if step == "card":
        from models.training.report import describe

        describe(options.models, options.work / "folds", options.photos, print)
        return
    from models.training import recipe
    from models.training.real import load_photos

    work = recipe.Work(options.work)
    size = recipe.MINIATURE if options.miniature else recipe.SHIPPED
    if step == "draw":
        recipe.draw_dice(work, size)
    elif step == "train":
        photos = load_photos(options.photos)
        recipe.train_readers(work, photos, size)
        recipe.train_locators(work, photos, size)
    elif step == "folds":
        recipe.train_folds(work, load_photos(options.photos), size)
    else:
        recipe.export_shipped(work, options.models)


if __name__ == "__main__":
    raise SystemExit(main())

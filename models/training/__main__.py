"""`python -m models.training STEP`: makes the networks again from nothing, or measures the ones that ship.

Steps in order: draw, train, folds, export, card; `all` does them all, and each goes on where it was broken off.
`smoke` does all of them in miniature, on drawn scenes in place of photographs, and fails where nothing is learnt.
`own` teaches the networks that ship somebody's own dice.
`evaluate`, `peers` and `perturbed` need neither torch nor the other steps, only photographs, and `simulated` not even
those.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from models.sim.errors import SimulatorError
from models.training.errors import TrainingError
from vision.errors import VisionError
from vision.stills import DIE_PX

STEPS = ("draw", "train", "folds", "export", "card")
MEASURES = ("evaluate", "simulated", "perturbed", "peers")
MODELS = Path(__file__).parent.parent
WORK = Path(__file__).parent / "work"
PHOTOS = Path("../shared/real")
KEPT = "judged"
"""Folder within the work folder of what was measured, piece by piece."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one step, or all of them; return the exit status: 2 for bad input, 1 where what was trained is no good."""
    options = _parser().parse_args(arguments)
    try:
        if options.step == "smoke":
            return _smoke(options.work)
        options.work = options.work or WORK
        if options.step == "own":
            return _own(options)
        options.photos = options.photos or PHOTOS
        if options.step == "all":
            _run_all(options)
        else:
            _run(options.step, options)
    except (SimulatorError, TrainingError, VisionError) as error:
        print(f"fairtray: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        if error.filename is None:
            raise
        print(f"fairtray: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.training", description="Train and measure the networks.")
    parser.add_argument("step", choices=(*STEPS, "all", "smoke", "own", *MEASURES))
    parser.add_argument("--photos", type=Path, help=f"folder of labelled photographs; else {PHOTOS}, but for own")
    parser.add_argument("--work", type=Path, help=f"folder for drawn dice, weights and what was judged; else {WORK}")
    parser.add_argument("--models", type=Path, default=MODELS, help="folder of the networks and their card")
    parser.add_argument("--peers", type=Path, default=Path("../shared/peers"), help="folder of the other readers")
    parser.add_argument("--count", type=int, help="simulated: drawn scenes (1000); perturbed: looks (100000)")
    parser.add_argument("--out", type=Path, help="folder for pictures of the failures; own: for networks")
    parser.add_argument("--die-px", type=float, help="own: about how many pixels a die's side has; else searched for")
    parser.add_argument("--steps", type=int, default=600, help="own: how long to train")
    parser.add_argument("--json", type=Path, help="write the figures of a measurement here as well")
    parser.add_argument("--record", action="store_true", help="put the figures measured into the card")
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


def _own(options: argparse.Namespace) -> int:
    from models.training.own import teach

    if options.photos is None:
        raise TrainingError("give the folder of your photographs and their values.csv with --photos")
    if options.steps < 1:
        raise TrainingError(f"--steps must be at least 1, not {options.steps}")
    if options.die_px is not None and not DIE_PX[0] <= options.die_px <= DIE_PX[1]:
        raise TrainingError(f"--die-px {options.die_px:g}: a die's side has {DIE_PX[0]:g} to {DIE_PX[1]:g} pixels")
    out = options.out or Path("out/own")
    return teach(options.photos, options.models, options.work, out, options.die_px, options.steps, print)


def _run(step: str, options: argparse.Namespace) -> None:
    """Run one step. Torch is needed by training alone, so what needs it is imported there."""
    if step in MEASURES:
        _measure(step, options)
        return
    if step == "card":
        from models.training.describe import describe
        from models.training.thresholds import PERTURBED

        perturbed = 1 if options.miniature else PERTURBED
        describe(options.models, options.photos, options.work / KEPT, print, perturbed)
        return
    from models.training import recipe
    from models.training.describe import LEFT_OUT
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
        recipe.train_folds(work, load_photos(options.photos), size, options.models / LEFT_OUT)
    else:
        recipe.export_shipped(work, options.models)


def _measure(step: str, options: argparse.Namespace) -> None:
    """Measure the networks that ship, and keep the figures where it was asked for."""
    if step == "peers":
        from models.training.peers import evaluate_peers

        evaluate_peers(options.models, options.peers, options.photos, print)
        return
    from models.training import report

    if options.count is not None and options.count < 1:
        raise TrainingError(f"--count must be at least 1, not {options.count}")
    if options.json is not None and not options.json.parent.is_dir():
        raise TrainingError(f"there is no folder {options.json.parent}: make it first")
    if step == "evaluate":
        figures = report.evaluate(options.models, options.photos, options.work / KEPT, options.out, print)
    elif step == "simulated":
        figures = report.simulate(options.models, options.count or report.SCENES, options.out, print)
    else:
        looks, out = options.count or report.LOOKS, options.out or Path("out/eval-perturbed")
        figures = report.perturbed(options.models, options.photos, looks, out, print)
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if options.record and step == "evaluate":
        report.add_photographs(options.models, figures)
    elif options.record:
        report.add(options.models, step, figures)


if __name__ == "__main__":
    raise SystemExit(main())

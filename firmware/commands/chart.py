"""The picture of a reviewed match: each player's expected total by turn, and what the decisions cost."""

from collections.abc import Sequence
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path

from firmware.errors import FirmwareError
from scorer.analysis.review import BLUNDER, ERROR, PlayerReview
from scorer.rules import Ruleset

_SUFFIXES = (".png", ".svg")
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Distinct to colour-blind eyes too (M. Okabe and K. Ito, Color Universal Design)."""


def check_chart(path: Path) -> None:
    """Raises `FirmwareError` where no picture can be written there."""
    if path.suffix.lower() not in _SUFFIXES:
        raise FirmwareError(f"plot {path}: name a file that ends in .png or .svg")
    if find_spec("matplotlib") is None:
        raise FirmwareError("--plot needs matplotlib: pip install 'fairtray[analyse]'")


def draw_chart(reviews: Sequence[PlayerReview], rules: Ruleset, path: Path) -> None:
    """Write the picture. Raises `FirmwareError` where it cannot be written."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 7), layout="constrained")
    above, below = figure.subplots(2, sharex=True, height_ratios=(3, 2))
    for number, player in enumerate(reviews):
        colour = _COLOURS[number % len(_COLOURS)]
        totals = (player.expected, *player.totals)
        name = player.player.replace("$", r"\$")
        label = f"{name}: {player.total} (luck {player.luck:+.1f}, skill {-player.cost:+.1f})"
        (line,) = above.plot(range(len(totals)), totals, color=colour, marker="o", markersize=3)
        line.set_label(f"\u200b{label}")  # a label may begin with _, which alone would hide it
        turns = range(1, len(player.totals) + 1)
        costs = [sum(made.cost for made in player.chosen if made.turn == turn) for turn in turns]
        lost = [0.0, *accumulate(-cost for cost in costs)]
        below.step(range(len(lost)), lost, where="post", color=colour)
        for size, least, most in ((14, ERROR, BLUNDER), (55, BLUNDER, float("inf"))):
            marked = [made.turn for made in player.chosen if least <= made.cost < most]
            below.scatter(marked, [lost[turn] for turn in marked], s=size, color=colour, zorder=3)
    above.axhline(reviews[0].expected, color="0.7", linewidth=0.8, zorder=0)
    above.set_title(f"{rules.title}: played against optimal play for oneself")
    above.set_ylabel("expected total, points")
    above.legend(loc="best")
    below.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    below.set_ylabel("given away so far, points")
    below.set_xlabel(f"turn (dots: errors of {ERROR:g} points or more; large dots: blunders of {BLUNDER:g} or more)")
    below.xaxis.get_major_locator().set_params(integer=True)
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise FirmwareError(f"plot {path}: {error.strerror or error}; name a file that can be written") from error

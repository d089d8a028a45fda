"""Plots the card's figures: how honest p is, and what a higher bar costs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from models.training.errors import TrainingError
from models.training.figures import at_most

_FLOOR = 1e-4  # where a share of nought is drawn on a logarithmic axis
_APART = 3.5  # per cent of coverage between bars that are named


def canvas() -> Any:
    """Return an empty matplotlib figure to plot on; raises TrainingError where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise TrainingError("the card's plot needs matplotlib: run `pip install matplotlib` first") from error
    return Figure(figsize=(10, 4.2), layout="constrained")


def plot(picture: Any, figures: Mapping[str, Any], sure: float, path: Path) -> None:
    """Write reliability, and risk against coverage with the bar that ships, as PNG."""
    _reliability(picture.add_subplot(1, 2, 1), figures["reliability"])
    _risk(picture.add_subplot(1, 2, 2), figures["risk"], sure)
    picture.savefig(path, dpi=100, metadata={"Software": None})


def _reliability(axes: Any, rows: list[Mapping[str, Any]]) -> None:
    """Draw the share wrong against what p admits; logarithmic, for only the last per cent matters."""
    shown = [row for row in rows if row["looks"]]
    said = [1 - row["p"] for row in shown]
    wrong = [max(row["looks_wrong"] / row["looks"], _FLOOR) for row in shown]
    highest = [at_most(row["dice_wrong"], row["dice"]) for row in shown]
    axes.plot([_FLOOR, 1], [_FLOOR, 1], color="0.7", label="p exactly honest")
    axes.vlines(said, wrong, highest, color="tab:blue", alpha=0.4, label="to the 95 % bound by dice")
    axes.plot(said, wrong, "o", color="tab:blue", label="wrong looks (at the foot: none)")
    axes.set(xscale="log", yscale="log", xlim=(1, _FLOOR), ylim=(_FLOOR / 1.5, 1))
    axes.set(xlabel="1 - p, as told", ylabel="share wrong", title="Reliability, on sources left out")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)


def _risk(axes: Any, rows: list[Mapping[str, Any]], sure: float) -> None:
    """Draw the share of sure readings that are wrong, and its bound, against the share of looks that are sure."""
    shown = [row for row in rows if row["sure"]]
    coverage = [100 * row["sure"] / row["of"] for row in shown]
    wrong = [max(row["wrong"] / row["sure"], _FLOOR) for row in shown]
    highest = [at_most(row["wrong"], row["sure"]) for row in shown]
    axes.vlines(coverage, wrong, highest, color="tab:blue", alpha=0.4, label="to the 95 % bound by looks")
    axes.plot(coverage, wrong, "o-", color="tab:blue", label="wrong, of the sure (at the foot: none)")
    named = 200.0
    for share, top, row in zip(coverage, highest, shown, strict=True):
        if row["bar"] == sure:
            axes.axvline(share, color="tab:red", alpha=0.5, label=f"the bar that ships, {sure:g}")
        if abs(named - share) > _APART:
            axes.annotate(f"{row['bar']:g}", (share, top), (0, 3), textcoords="offset points", fontsize=7, ha="center")
            named = share
    axes.set(yscale="log", ylim=(_FLOOR / 1.5, 1))
    axes.set(
        xlabel="sure, % of looks", ylabel="share wrong", title="Risk against coverage, by bar, on sources left out"
    )
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)

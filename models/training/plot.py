"""Plots the card's figures: how honest p is, and what a higher bar costs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from models.training.errors import TrainingError
from models.training.figures import at_most


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
    floor = 1e-4
    wrong = [max(row["looks_wrong"] / row["looks"], floor) for row in shown]
    highest = [at_most(row["dice_wrong"], row["dice"]) for row in shown]
    axes.plot([floor, 1], [floor, 1], color="0.7", label="p exactly honest")
    axes.vlines(said, wrong, highest, color="tab:blue", alpha=0.4, label="to the 95 % bound by dice")
    axes.plot(said, wrong, "o", color="tab:blue", label="wrong looks (at the foot: none)")
    axes.set(xscale="log", yscale="log", xlim=(1, floor), ylim=(floor / 1.5, 1))
    axes.set(xlabel="1 - p, as told", ylabel="share wrong", title="Reliability, on sources left out")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)


def _risk(axes: Any, rows: list[Mapping[str, Any]], sure: float) -> None:
    """Draw the share of sure readings that are wrong, and its bound, against the share of looks that are sure."""
    shown = [row for row in rows if row["sure"]]
    coverage = [100 * row["sure"] / row["of"] for row in shown]
    axes.plot(coverage, [100 * row["wrong"] / row["sure"] for row in shown], "o-", label="wrong, of the sure")
    axes.plot(coverage, [100 * at_most(row["wrong"], row["sure"]) for row in shown], ":", label="95 % bound, by looks")
    for share, row in zip(coverage, shown, strict=True):
        place = (share, 100 * row["wrong"] / row["sure"])
        axes.annotate(f"{row['bar']:g}", place, (-3, 4), textcoords="offset points", fontsize=7, ha="right")
        if row["bar"] == sure:
            axes.axvline(share, color="tab:red", alpha=0.5, label=f"the bar that ships, {sure:g}")
    axes.set(xlabel="sure, % of looks", ylabel="wrong, %", title="Risk against coverage, on sources left out")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)

"""The slopes by which a view is fitted are those that small changes of it show."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import fit as fitting
from calibration import solid as solids
from calibration.shape import KINDS, Kind, Points, View, along, packed, unpacked
from calibration.solid import Solid, outside

SIZE = (960, 720)
VIEWS = st.builds(
    View,
    st.floats(150, 400),
    st.floats(2.5, 9),
    st.floats(-0.3, 0.1),
    st.floats(-0.05, 0.1),
    st.tuples(st.floats(-0.4, 0.4), st.floats(-0.4, 0.4)),
    st.floats(-3.2, 3.2),
    st.tuples(st.floats(400, 560), st.floats(290, 430)),
    st.floats(0.5, 1),
)


def by_differences(function: Callable[[Points], Points], at: Points, step: float = 1e-4) -> Points:
    """(n, m) the slopes of a function of (m,) numbers with (n,) values; OpenCV takes turns below 1e-5 for none."""
    steps = np.eye(len(at)) * step
    return np.column_stack([(function(at + one) - function(at - one)) / (2 * step) for one in steps])


def places_about(view: View, kind: Kind, rng: np.random.Generator, height: float = 0.0) -> Points:
    """(60, 2) px of places near the border of a shape so high above the floor."""
    near = along(kind, view.ratio, 60) * (1 + rng.normal(0, 0.03, (60, 1)))
    return view.lens(SIZE).project(near, height)


@pytest.mark.parametrize("kind", KINDS)
@given(view=VIEWS, seed=st.integers(0, 99))
def test_slopes_of_distances_from_a_floors_border(kind: Kind, view: View, seed: int) -> None:
    points = places_about(view, kind, np.random.default_rng(seed))

    def weighed(at: Points) -> Points:
        return fitting._weighed(fitting._offsets(kind, unpacked(at), points, SIZE)[0], 1.0)

    offsets, slopes = fitting._offsets(kind, view, points, SIZE)
    told = fitting._weight_slopes(offsets, 1.0)[:, None] * slopes()
    shown = by_differences(weighed, packed(view))
    if kind != "rectangle":
        told, shown = told[:, : fitting.RATIO], shown[:, : fitting.RATIO]
    apart = np.abs(told - shown) / np.maximum(1, np.abs(shown))
    assert np.quantile(apart, 0.9) < 1e-3  # near corners, and where the weight bends, differences straddle two slopes


@given(view=VIEWS)
def test_slopes_of_what_is_unusual(view: View) -> None:
    shown = by_differences(lambda at: fitting.unusual(unpacked(at), 60), packed(view))
    assert fitting.unusual_slopes(60) == pytest.approx(shown, abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@given(
    view=VIEWS,
    inner=st.floats(-0.05, 0.1),
    width=st.floats(0.0, 0.3),
    height=st.floats(0.05, 0.5),
    seed=st.integers(0, 99),
)
def test_slopes_of_distances_from_a_trays_edges(
    kind: Kind, view: View, inner: float, width: float, height: float, seed: int
) -> None:
    tray = Solid(kind, view, inner, inner + width, height)
    rng = np.random.default_rng(seed)
    places, used = places_about(view, kind, rng), rng.random((3, 60)) < 0.5

    def told_of(at: Points) -> Points:
        now = solids._unpacked(kind, at)
        return np.concatenate([outside(now, now.view.lens(SIZE), places)[used], solids._unusual_lip(now)])

    shown = by_differences(told_of, solids._packed(tray))
    told = np.vstack([solids._offsets(tray, places, used, SIZE)[1](), solids._unusual_lip_slopes(tray)])
    if kind != "rectangle":
        told, shown = np.delete(told, fitting.RATIO, axis=1), np.delete(shown, fitting.RATIO, axis=1)
    apart = np.abs(told - shown) / np.maximum(1, np.abs(shown))
    assert np.quantile(apart, 0.9) < 1e-3

"""The report of a calibration: what is wrong is marked where it is, and every figure has its doubt."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from calibration.facts import Wish
from calibration.pointed import outline_of_corners
from calibration.recording import record
from calibration.run import Result, calibrate
from calibration.shape import corners
from calibration.words import sentences
from firmware.commands.calibrate_report import BLUE, GREEN, RED, WHITE, YELLOW, _tray, report
from tests.calibration.drawn import SIZE, VIEW, empty, recording
from vision.network import load_networks


@pytest.fixture(scope="module")
def good() -> Result:
    recorded = record(recording(empty()))
    assert recorded is not None
    return calibrate(recorded, load_networks(), Wish(tray_mm=240.0), "", datetime(2026, 1, 31, tzinfo=UTC))


def has(picture: np.ndarray, colour: tuple[int, int, int]) -> bool:
    return bool((np.abs(picture.astype(int) - colour).max(2) < 25).sum() > 20)


def is_red(picture: np.ndarray) -> np.ndarray:
    return np.asarray(np.abs(picture.astype(int) - RED).max(2) < 40)


def test_lengths_have_their_doubt_and_the_set_is_drawn(good: Result) -> None:
    page = report(good, "setup.mp4")
    assert "mm a px, by the tray" in page and " ± " in page
    assert page.count('aria-label="a ') == 6
    assert "expect 0 to 28 in 100 unsure here" in page
    for measure in ("noise", "blur", "light on the floor", "overexposed", "change while filming"):
        assert f"<th>{measure}</th>" in page
    assert not is_red(_tray(good)).any()


def test_the_rim_is_drawn_where_it_tells_the_floor(good: Result) -> None:
    assert good.outline is not None and good.outline.rim is not None
    assert "white is where its wall ends, and the rim&#x27;s outer edge" in report(good, "setup.mp4")
    assert has(_tray(good), WHITE)
    mat = replace(good, outline=replace(good.outline, rim=None))
    assert "white is" not in report(mat, "setup.mp4") and not has(_tray(mat), WHITE)


def test_pips_of_several_colours_are_drawn_in_none_of_them(good: Result) -> None:
    assert good.calibration is not None and good.calibration.dice is not None
    known = replace(good.calibration.dice, pip_colours=((110.0, 180.0, 160.0), (110.0, 90.0, 150.0)))
    page = report(replace(good, calibration=replace(good.calibration, dice=known)), "setup.mp4")
    assert "its pips have these colours" in page and 'fill="none" stroke="#777"' in page
    assert "its pips have these colours" not in report(good, "setup.mp4")


def test_faults_are_marked_where_they_are(good: Result) -> None:
    assert good.calibration is not None
    other = np.array([(500.0, 300.0), (620.0, 300.0), (620.0, 440.0), (500.0, 440.0)])
    red = is_red(_tray(replace(good, other=other)))
    assert red[300:440, 496:504].any(1).mean() > 0.9
    moved = tuple((x + 200, y) for x, y in good.calibration.floor)
    red = is_red(_tray(replace(good, calibration=replace(good.calibration, floor=moved))))
    assert red[150:350, -6:].any(1).mean() > 0.9 and not red[:, :400].any()
    red = is_red(_tray(replace(good, spots=((200.0, 160.0, 900.0),))))
    rows, columns = np.nonzero(red[:, :230])
    assert (rows.mean(), columns.mean()) == pytest.approx((160, 200), abs=12)


def test_an_outline_that_is_not_sure_is_asked_about_with_its_corners(good: Result) -> None:
    true = VIEW.lens(SIZE).project(corners("square"))
    guess = replace(outline_of_corners(empty(), [(x, y) for x, y in true.tolist()]), support=0.7)
    asked = replace(good, calibration=None, outline=guess, reasons=("no_tray",))
    told, *_ = sentences(asked)
    given = [tuple(map(float, pair.split(","))) for pair in told.split("--corners '")[1].rstrip("'").split()]
    assert np.abs(np.array(sorted(given)) - sorted(true.tolist())).max() < 2
    assert is_red(_tray(asked)).any()
    vague = replace(asked, outline=replace(guess, contrast=1.0))
    assert "--corners '" not in sentences(vague)[0] and not is_red(_tray(vague)).any()


def test_an_outline_that_is_plain_beside_the_corners_given_is_drawn_and_asked_about(good: Result) -> None:
    assert good.outline is not None
    wider = replace(good.outline, view=replace(good.outline.view, scale=good.outline.view.scale * 1.15))
    odd = replace(good, elsewhere=wider, advice=("corners_odd",))
    assert is_red(_tray(odd)).any() and has(_tray(odd), GREEN)
    assert "red is a plain edge that may be the floor&#x27;s instead" in report(odd, "x")
    assert "an edge is plain all round, " in sentences(odd)[0]


def test_the_legend_names_the_colours_that_are_drawn_and_no_other(good: Result) -> None:
    assert good.outline is not None
    asked = replace(good, calibration=None, outline=replace(good.outline, doubted=True), reasons=("no_tray",))
    assert "red is what may be the floor" in report(asked, "x").lower()
    nothing = report(replace(asked, outline=replace(good.outline, contrast=1.0)), "x")
    assert "Nothing here could be told to be a tray&#x27;s floor." in nothing
    assert "red is" not in nothing.lower() and "from its shape" not in nothing
    assert "red is" not in report(replace(good, reasons=("flicker",)), "x").lower()
    assert "red is what is wrong" in report(replace(good, reasons=("glare",), spots=((200.0, 160.0, 900.0),)), "x")


def test_green_is_only_what_can_be_trusted(good: Result) -> None:
    failed = replace(good, reasons=("glare",))
    assert has(_tray(good), GREEN) and has(_tray(good), YELLOW) and not has(_tray(good), BLUE)
    assert has(_tray(failed), BLUE) and not has(_tray(failed), GREEN) and not has(_tray(failed), YELLOW)
    assert "green is the tray" in report(good, "x").lower()
    assert "blue is what was taken for the floor" in report(failed, "x").lower()


def test_nobody_is_asked_about_a_floor_that_is_cut_off(good: Result) -> None:
    assert good.outline is not None
    x, y = good.outline.view.centre
    aside = replace(good.outline, view=replace(good.outline.view, centre=(x + 250, y)))
    cut = replace(good, calibration=None, outline=aside, reasons=("tray_cut_off",))
    red = is_red(_tray(cut))
    assert has(_tray(cut), BLUE) and red[150:350, -6:].any(1).mean() > 0.9
    assert not red[:, :400].any()


def test_bands_of_a_lamp_are_shown(good: Result) -> None:
    page = report(replace(good, reasons=("flicker",)), "x")
    shown = page.split("<h2>Flicker</h2>")[1].split("<h2>")[0]
    assert shown.count("<img") == 2
    assert "<h2>Flicker</h2>" not in report(good, "x")

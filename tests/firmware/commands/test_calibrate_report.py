"""The report of a calibration: what is wrong is marked where it is, and every figure has its doubt."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from calibration.outline import outline_of_corners
from calibration.recording import record
from calibration.run import Result, Wish, calibrate
from calibration.shape import corners
from calibration.words import sentences
from firmware.commands.calibrate_report import RED, _tray, report
from tests.calibration.drawn import SIZE, VIEW, empty, recording
from vision.network import load_networks


@pytest.fixture(scope="module")
def good() -> Result:
    recorded = record(recording(empty()))
    assert recorded is not None
    return calibrate(recorded, load_networks(), Wish(tray_mm=240.0), "", datetime(2026, 1, 31, tzinfo=UTC))


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


def test_bands_of_a_lamp_are_shown(good: Result) -> None:
    assert "<h2>Flicker</h2>" in report(replace(good, reasons=("flicker",)), "x")

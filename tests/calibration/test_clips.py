"""Filmed throws of real dice as recordings to calibrate from: they show no whole tray, so none passes, and none of the
dice that they show is read wrong."""

from datetime import UTC, datetime
from itertools import pairwise

import numpy as np

from calibration.facts import Wish
from calibration.recording import record
from calibration.run import Result, calibrate
from tests.shared_data import SHARED, needs_shared
from vision.network import load_networks
from vision.source import open_source

CLIPS = SHARED / "real" / "videos"

pytestmark = needs_shared


def calibrated(name: str) -> Result:
    with open_source(str(CLIPS / name)) as source:
        recorded = record(source)
    assert recorded is not None
    return calibrate(recorded, load_networks(), Wish(), "", datetime(2026, 1, 31, tzinfo=UTC))


def test_a_tray_that_the_picture_cuts_off_is_outlined_and_refused_though_its_dice_are_read() -> None:
    result = calibrated("tuia_tirada_1.mp4")
    assert not result.ok and "tray_cut_off" in result.reasons
    assert result.found == ((1, 1, 2, 3, 4),)
    assert result.outline is not None and result.outline.kind == "rectangle"
    across = result.outline.ends(result.recording.size)[:, 0]
    assert 20 < across.min() < 80 and np.ptp(across) > 0.85 * result.recording.size[0]


def test_dice_thrown_on_a_table_without_a_tray_are_refused_and_each_is_read_rightly() -> None:
    result = calibrated("stock_green_singles.mp4")
    assert not result.ok and "no_tray" in result.reasons
    labelled = [(1,), (2,), (3,), (4,), (5,), (6,), (5, 6), (3, 4)]
    told = [values for values in result.found if values]
    assert all(values in labelled for values in told)
    order = [labelled.index(values) for values in told]
    assert len(order) >= 6 and all(a < b for a, b in pairwise(order))

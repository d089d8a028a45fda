"""The gauge that ships: dice unlike all that it has learnt from, and files that are not what they should be."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from calibration.dice import Measured
from calibration.gauge import CARD, FARTHEST, NETWORK, load_gauge
from calibration.sizes import gauged
from tests.calibration.test_dice import BARE, EDGE, LENS, POSES, VIEW, lying
from vision.errors import ModelError
from vision.network import MODELS


@pytest.mark.parametrize("believed", [0.97, 1.03])
def test_dice_believed_too_large_or_small_are_seen_to_be(believed: float) -> None:
    found = load_gauge().measure(lying(), BARE, LENS, np.array(POSES), believed * EDGE)
    assert found is not None
    assert found.edge == pytest.approx(EDGE, rel=0.04)
    assert 0.01 < found.doubt < 0.06


def test_what_is_seen_does_not_hang_on_what_was_believed() -> None:
    small, large = (load_gauge().measure(lying(), BARE, LENS, np.array(POSES), by * EDGE) for by in (0.95, 1.05))
    assert small is not None and large is not None
    assert small.edge == pytest.approx(large.edge, rel=0.006)


@pytest.mark.parametrize("believed", [0.86, 1.15])
def test_dice_are_seen_as_they_are_where_their_profiles_were_far_off(believed: float) -> None:
    found = load_gauge().measure(lying(), BARE, LENS, np.array(POSES), believed * EDGE)
    assert found is not None
    assert found.edge == pytest.approx(EDGE, rel=0.04)


def test_what_the_gauge_contradicts_is_in_as_much_doubt() -> None:
    told = gauged(Measured(1.5 * EDGE, VIEW, np.array(POSES), 0.0), lying(), BARE)
    assert (told.edge, told.doubt) == (1.5 * EDGE, FARTHEST)


def test_what_is_no_die_of_that_size_is_not_measured() -> None:
    assert load_gauge().measure(lying(), BARE, LENS, np.array(POSES), 1.5 * EDGE) is None


@pytest.mark.parametrize("spoilt", [NETWORK, CARD])
def test_a_gauge_that_is_not_its_cards_is_refused(tmp_path: Path, spoilt: str) -> None:
    for name in (NETWORK, CARD):
        shutil.copy(MODELS / name, tmp_path)
    with (tmp_path / spoilt).open("ab") as file:
        file.write(b"?")
    with pytest.raises(ModelError, match=spoilt):
        load_gauge(tmp_path)
    (tmp_path / CARD).unlink()
    with pytest.raises(ModelError, match="cannot read"):
        load_gauge(tmp_path)


def test_a_gauge_that_takes_other_pictures_is_refused(tmp_path: Path) -> None:
    for name in (NETWORK, CARD):
        shutil.copy(MODELS / name, tmp_path)
    card = json.loads((tmp_path / CARD).read_text())
    card["files"][NETWORK]["inputs"]["seen"][-1] += 4
    (tmp_path / CARD).write_text(json.dumps(card))
    with pytest.raises(ModelError, match=r"'inputs' of gauge.onnx is .* take the networks that came with it"):
        load_gauge(tmp_path)

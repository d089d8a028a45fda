"""Training itself, on a handful of crops; skipped where torch is not installed, for nothing that ships needs it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is needed for training alone")

from models.training.augment import Geometry, augment, pip_maps  # noqa: E402
from models.training.drawn import CROP_PX, Crops, crops_of, join  # noqa: E402
from models.training.export import export  # noqa: E402
from models.training.locator import Example, locator_loss, locator_plan, targets, train_locator, zoom  # noqa: E402
from models.training.marking import mark_pips  # noqa: E402
from models.training.networks import Locator, Reader, normalise, normalise_crops  # noqa: E402
from models.training.optimise import in_bfloat16, train  # noqa: E402
from models.training.reader import Share, drawn_plan, train_reader  # noqa: E402
from models.training.scene import draw_scene  # noqa: E402
from vision.look import HUES, LUMA, as_given  # noqa: E402
from vision.network import CROP_PX as READER_PX  # noqa: E402
from vision.network import PIP_CELLS  # noqa: E402

MIDDLE = slice(PIP_CELLS // 2 - 1, PIP_CELLS // 2 + 1)


@pytest.fixture(scope="module")
def crops() -> Crops:
    rng = np.random.default_rng(1)
    return join([crops_of(rng, draw_scene(rng)) for _ in range(6)])


def test_half_precision_is_taken_only_where_the_processor_multiplies_it() -> None:
    assert in_bfloat16({"avx512_bf16": True}) and in_bfloat16({"amx_bf16": True})
    assert not in_bfloat16({"avx2": True, "avx512_bf16": False})
    assert isinstance(in_bfloat16(torch.cpu.get_capabilities()), bool)


def test_pips_are_wanted_where_the_crop_shows_them() -> None:
    straight = Geometry(torch.tensor([[[0.8, 0, 0], [0, 0.8, 0]]]), False, torch.tensor([False]))
    middle = np.full((1, 6, 2), -1, np.float32)
    middle[0, 0] = (CROP_PX - 1) / 2
    maps, outside = pip_maps(middle, straight, torch.device("cpu"))
    assert maps.shape == (1, 1, PIP_CELLS, PIP_CELLS)
    assert maps[0, 0, MIDDLE, MIDDLE].min() == maps.max()
    assert not outside[0]
    corner = middle.copy()
    corner[0, 1] = 1.0
    assert pip_maps(corner, straight, torch.device("cpu"))[1][0]


def test_a_crop_that_lost_a_pip_must_not_be_read(crops: Crops) -> None:
    rng = np.random.default_rng(2)
    torch.manual_seed(2)
    seen, values, maps = augment(rng, torch.from_numpy(crops.pictures), crops.values, crops.pips)
    assert seen.shape[1:] == (3, READER_PX, READER_PX)
    assert maps.shape[1:] == (1, PIP_CELLS, PIP_CELLS)
    changed = values.numpy() != crops.values
    assert not values.numpy()[changed].any()


def test_normalised_pictures_have_no_mean_and_bounded_contrast() -> None:
    seen = normalise(torch.rand(3, 1, 20, 30))
    assert seen.mean((1, 2, 3)).abs().max() < 1e-5
    assert seen.std((1, 2, 3)).max() < 1


def test_the_reader_is_trained_on_what_it_is_given() -> None:
    rng = np.random.default_rng(4)
    coloured = rng.random((READER_PX, READER_PX, 3)).astype(np.float32)
    maps = torch.from_numpy(coloured @ np.array([LUMA, *HUES], np.float32).T).permute(2, 0, 1)
    plain = torch.stack([maps[0], *torch.zeros(2, READER_PX, READER_PX)])
    given = as_given([coloured, maps[0].numpy()])
    assert np.abs(normalise_crops(torch.stack([maps, plain])).numpy() - given).max() < 1e-4
    assert not given[1, 1:].any()


def test_half_of_what_is_seen_is_in_colour_and_the_rest_has_no_hue(crops: Crops) -> None:
    torch.manual_seed(3)
    seen = augment(np.random.default_rng(3), torch.from_numpy(crops.pictures), crops.values, crops.pips)[0]
    coloured = (seen[:, 1:] != 0).flatten(1).any(1).float().mean()
    assert 0.3 < coloured < 0.7


def test_training_resumes_and_exports_what_it_trained(crops: Crops, tmp_path: Path) -> None:
    reader, locator = tmp_path / "reader.pt", tmp_path / "locator.pt"
    train_reader([Share(crops, 1.0)], drawn_plan(3), reader)
    scene = Example(np.full((180, 320, 3), 80, np.uint8), np.array([[100, 80, 18]], np.float32), True)
    train_locator([scene], [], locator_plan(2), locator)
    export(locator, reader, tmp_path / "models")
    assert {p.name for p in (tmp_path / "models").iterdir()} == {"locator.onnx", "reader.onnx"}


def test_a_training_broken_off_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    def loss(network: Any, rng: np.random.Generator) -> Any:
        return (network(torch.from_numpy(rng.normal(size=(4, 3)).astype(np.float32))) ** 2).mean()

    def train_one(path: Path, report: Callable[[str], None]) -> None:
        torch.manual_seed(5)
        train(torch.nn.Linear(3, 2), loss, drawn_plan(150), path, report)

    def stop(said: str) -> None:
        raise KeyboardInterrupt(said)

    said: list[str] = []
    train_one(tmp_path / "whole.pt", said.append)
    with pytest.raises(KeyboardInterrupt, match="step: 100 of 150, loss"):
        train_one(tmp_path / "broken.pt", stop)
    assert not (tmp_path / "broken.pt").exists()
    train_one(tmp_path / "broken.pt", said.append)
    assert "going on after step 100 of 150" in said
    whole, broken = (torch.load(tmp_path / name) for name in ("whole.pt", "broken.pt"))
    assert all(torch.equal(whole[name], broken[name]) for name in whole)
    assert {path.name for path in tmp_path.iterdir()} == {"whole.pt", "broken.pt"}


def test_the_locator_is_asked_for_heat_at_every_die_in_view() -> None:
    scene = Example(np.zeros((184, 320, 3), np.uint8), np.array([[99.5, 79.5, 18], [-50, 5, 18]], np.float32), True)
    wanted = targets([scene])
    assert (wanted.maps[0, 0] == 1).sum() == 1
    row, column = divmod(int(wanted.maps[0, 0].argmax()), 80)
    x = (column + float(wanted.maps[0, 2, row, column]) + 0.5) * 4
    y = (row + float(wanted.maps[0, 3, row, column]) + 0.5) * 4
    assert (x, y) == pytest.approx((100, 80), abs=1e-3)
    perfect = torch.cat([torch.logit(wanted.maps[:, :1].clamp(1e-4, 1 - 1e-4)), wanted.maps[:, 1:]], 1)
    assert locator_loss(perfect, wanted) < locator_loss(torch.zeros_like(perfect), wanted)


def test_zooming_carries_the_dice_along() -> None:
    rng = np.random.default_rng(3)
    picture = np.zeros((400, 600, 3), np.uint8)
    picture[180:220, 280:320] = 255
    scene = Example(picture, np.array([[299.5, 199.5, 40]], np.float32), True)
    for _ in range(8):
        zoomed = zoom(rng, scene)
        x, y, face_px = zoomed.dice[0]
        if 20 < x < 300 and 20 < y < 160:
            rows, columns = np.nonzero(zoomed.picture[int(y) - 20 : int(y) + 20, int(x) - 20 : int(x) + 20, 0] > 127)
            assert abs(columns.mean() - 20 - x % 1) < 3
            assert len(rows) == pytest.approx(face_px**2, rel=0.5)


def test_an_untrained_reader_marks_no_pips(crops: Crops) -> None:
    torch.manual_seed(0)
    marked = mark_pips(Reader().eval(), crops)
    assert len(marked.known_pips) == len(crops.values)
    assert ((marked.pips[..., 0] >= 0).sum(1)[marked.known_pips > 0] == crops.values[marked.known_pips > 0]).all()


def test_the_networks_stay_small() -> None:
    assert sum(p.numel() for p in Reader().parameters()) < 450_000
    assert sum(p.numel() for p in Locator().parameters()) < 16_000

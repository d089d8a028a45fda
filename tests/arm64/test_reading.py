"""One reading by the networks as they ship: what `make test-arm64` runs of them on an emulated Pi."""

from calibration.file import load
from firmware.sample import SAMPLE
from vision.network import load_networks
from vision.source import open_source
from vision.watcher import Watcher


def test_dice_that_lie_still_are_seen() -> None:
    with open_source(str(SAMPLE / "video.mp4")) as source:
        frame = next(frame for frame in source if frame.index == 100)
    watcher = Watcher(load_networks(None), load(SAMPLE / "calibration.toml").geometry)
    watcher.step(frame)
    assert len(watcher.view.dice) == 5

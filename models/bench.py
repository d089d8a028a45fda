"""`make bench`: what reading and watching cost beside a YOLO11n network at 640x640 px, in the same run, on one thread.

All times are CPU times of that thread, so that other work on the machine weighs little.
"""

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime as ort

from calibration.file import load
from models.watch_bench import ALL, SAMPLE, enlarged, enlarged_tray, watching
from vision.locate import locate
from vision.network import Networks, load_networks
from vision.read import read_die
from vision.source import open_source

RUNS = 60
WATCHED = (("640x480", 30.0, False), ("640x480", 60.0, False), ("1920x1080", 30.0, True))
"""Sizes and rates at which the sample is watched."""

Image = npt.NDArray[np.uint8]
Step = Callable[[], object]


def main() -> int:
    """Print ms of each step, what that is beside YOLO11n, and the most memory that our part of the run took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, default=Path("../shared/peers"), help="folder with yolo11n_640.onnx")
    peer = parser.parse_args().peers / "yolo11n_640.onnx"
    if not peer.is_file():
        print(f"bench: there is no {peer} to measure beside; name its folder with PEERS=...", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    networks = load_networks()
    figures = {name: milliseconds(step) for name, step in steps(networks)}
    watched = {
        f"a frame of {size} at {fps:g} fps: {name}": ms
        for size, fps, large in WATCHED
        for name, ms in watching(networks, fps, large).items()
    }
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yolo = milliseconds(peer_step(peer))
    for name, ms in (figures | watched).items():
        print(f"{ms:8.2f} ms  {ms / yolo:6.3f} of YOLO11n  {name}")
    for size, fps, _ in WATCHED:
        share = watched[f"a frame of {size} at {fps:g} fps: {ALL}"] * fps / 1000
        print(f"{share:8.0%}     of one thread like this one watches {size} at {fps:g} fps")
    print(f"{yolo:8.2f} ms   1.000            YOLO11n at 640x640 (network alone)")
    print(f"{memory:8.0f} MB  peak memory, before YOLO11n was loaded")
    return 0


def steps(networks: Networks) -> Iterator[tuple[str, Step]]:
    """Reading a 1080p picture of dice at rest: the sample's frame with the most dice, enlarged."""
    picture, die_px = large_picture(networks)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    dice = locate(networks, grey, die_px)[:5]

    def read_all() -> object:
        return [read_die(networks, [picture], die.x, die.y, die_px) for die in dice]

    yield "locating in 1920x1080, grey given", lambda: locate(networks, grey, die_px)
    yield f"reading {len(dice)} dice, once they rest", read_all


def large_picture(networks: Networks) -> tuple[Image, float]:
    """A frame of the sample as the middle of a 1080p picture, and the face's edge in it, px."""
    tray = load(SAMPLE / "calibration.toml").geometry
    best, most = None, -1
    with open_source(str(SAMPLE / "video.mp4")) as source:
        for frame in source:
            if frame.index % 30 == 0:
                grey = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), np.uint8)
                count = len(locate(networks, grey, tray.die_px))
                best, most = (frame.image, count) if most < count <= 5 else (best, most)
    assert best is not None
    return enlarged(best), enlarged_tray(tray).die_px


def peer_step(path: Path) -> Step:
    """One run of the peer's network on noise: its time does not depend on the picture."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    put = session.get_inputs()[0]
    picture = np.random.default_rng(0).random(put.shape, dtype=np.float32)
    return lambda: session.run(None, {put.name: picture})


def milliseconds(step: Step) -> float:
    """Median CPU time of a step, ms, after five runs to warm up."""
    for _ in range(5):
        step()
    return statistics.median(_timed(step) for _ in range(RUNS)) * 1000


def _timed(step: Step) -> float:
    start = time.thread_time()
    step()
    return time.thread_time() - start


if __name__ == "__main__":
    sys.exit(main())

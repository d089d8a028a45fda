"""What the appliance costs, measured: `python -m firmware.play.bench`, or `make bench-run`.

The sample match, enlarged to 1280 x 960 at 30 frames a second, is watched by a `fairtray run` of its own. Printed are
the time and the processor time until it is ready, its resident memory, and each part's share of one core.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from socket import socket
from statistics import median
from typing import Any

import cv2
import numpy as np

from calibration.file import dump, load
from firmware.play.health import ask
from firmware.sample import SAMPLE
from vision.source import open_source

TIMES = 2
FRAMES = 600
WATCHED_S, LOOK_S = 16.0, 0.25
"""Memory is looked at so often over so long, shares are those of the last half of it."""


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        film = enlarged(Path(folder))
        with running(Path(folder), film) as (port, process, begun):
            while not ask(port)["ready"]:
                time.sleep(0.02)
            print(f"ready after {time.monotonic() - begun:.1f} s, {processor_s(process.pid):.1f} s of a core")
            told = list(looked_at(port))
    before, after = told[len(told) // 2], told[-1]
    print(f"{after['fps']} frames/s of 1280 x 960, {after['latency_ms']} ms behind, {after['dropped']} dropped")
    resident = [look["rss_mb"] for look in told]
    print(f"resident {median(resident):.0f} MB, at most {max(resident):.0f} MB")
    for name, part in after["parts"].items():
        share = (part["cpu_s"] - before["parts"][name]["cpu_s"]) / (after["uptime_s"] - before["uptime_s"])
        print(f"  {name:10} {share:6.1%} of a core")
    print(f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def looked_at(port: int) -> Iterator[dict[str, Any]]:
    """What the appliance tells of itself, again and again while it watches."""
    for _ in range(round(WATCHED_S / LOOK_S)):
        time.sleep(LOOK_S)
        yield ask(port)


def enlarged(folder: Path) -> Path:
    """The beginning of the sample match in larger pictures, each a JPEG as a USB camera sends them, with their
    calibration."""
    film = folder / "film.avi"
    with open_source(str(SAMPLE / "video.mp4")) as source:
        size = (source.size[0] * TIMES, source.size[1] * TIMES)
        out = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), source.fps, size)
        for frame in islice(source, FRAMES):
            out.write(cv2.resize(frame.image, size, interpolation=cv2.INTER_LINEAR))
        out.release()
    known = load(SAMPLE / "calibration.toml")
    assert known.homography is not None
    shrink = np.diag([1 / TIMES, 1 / TIMES, 1.0])
    a, b, c = ((float(x), float(y), float(z)) for x, y, z in np.array(known.homography) @ shrink)
    larger = replace(
        known, width=size[0], height=size[1], floor=tuple((x * TIMES, y * TIMES) for x, y in known.floor),
        die_px=known.die_px * TIMES, homography=(a, b, c),
    )  # fmt: skip
    (folder / "calibration.toml").write_text(dump(larger), encoding="utf-8")
    return film


@contextmanager
def running(folder: Path, film: Path) -> Iterator[tuple[int, "subprocess.Popen[Any]", float]]:
    """An appliance that watches the film: its health port, its process, and when it was started."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = folder / "fairtray.toml"
    config.write_text(f'[status]\nport = {port}\nlog = "error"\n', encoding="utf-8")
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "firmware",
        "run",
        "--config",
        config,
        "--source",
        film,
        "--players",
        "Ann,Ben",
    ]
    command += ["--calibration", folder / "calibration.toml", "--match", folder / "match"]
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield port, process, begun
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def processor_s(pid: int) -> float:
    """Seconds of processor time that the process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()

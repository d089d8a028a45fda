"""What spectators cost, measured: `python -m firmware.console.bench`.

The sample match is played with nobody and with many looking on, in turn, at its own pace and as fast as it can be
watched, and the frames watched in a second are compared.

The spectators' own work is done on the same machine, which at a real table it is not.
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from socket import socket
from statistics import median

from firmware.play.health import ask
from firmware.sample import SAMPLE

SETTLED_S = 3.0
"""So long after the first frame it is measured."""
EVERY_S = 0.5


@dataclass(frozen=True, slots=True)
class Measured:
    """Medians of frames a second and from a frame's taking to its ruling (ms); frames dropped; bytes sent a second."""

    fps: float
    latency_ms: float
    dropped: int
    bytes_a_s: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What spectators cost the watching.")
    parser.add_argument("--spectators", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=12.0, help="how long each run is measured")
    parser.add_argument("--rounds", type=int, default=3)
    told = parser.parse_args()
    print(f"{os.cpu_count()} cores, {told.spectators} spectators, {told.rounds} rounds of {told.seconds:g} s")
    for own_pace in (True, False):
        pairs = [
            tuple(measure(own_pace, count, told.seconds) for count in (0, told.spectators)) for _ in range(told.rounds)
        ]
        print("at its own pace" if own_pace else "as fast as it can be watched")
        for name, runs in (("nobody", [pair[0] for pair in pairs]), ("spectators", [pair[1] for pair in pairs])):
            late, dropped = median(run.latency_ms for run in runs), sum(run.dropped for run in runs)
            came = median(run.bytes_a_s for run in runs) / 1000
            fps = median(run.fps for run in runs)
            print(f"  {name:10}  {fps:6.1f} frames/s, {late:5.1f} ms behind, {dropped} dropped, {came:.0f} kB/s sent")
        ratios = sorted(many.fps / nobody.fps for nobody, many in pairs)
        print(f"  ratio {median(ratios):.3f} (of the rounds: {', '.join(f'{ratio:.3f}' for ratio in ratios)})")


def measure(own_pace: bool, spectators: int, seconds: float) -> Measured:
    """Play the sample match with so many looking on; with none there is no console either."""
    with tempfile.TemporaryDirectory() as folder, played(Path(folder), own_pace, spectators > 0) as (health, port):
        _until_ready(health, port if spectators else 0)
        return asyncio.run(_measured(health, port, spectators, seconds))


@contextmanager
def played(folder: Path, own_pace: bool, console: bool) -> Iterator[tuple[int, int]]:
    """The appliance on the sample match: the ports of its health and of its pages."""
    health, port, referee = _free_port(), _free_port(), _free_port()
    (folder / "fairtray.toml").write_text(
        f"[camera]\nown_pace = {str(own_pace).lower()}\n[console]\nenabled = {str(console).lower()}\n"
        f'host = "127.0.0.1"\nport = {port}\nreferee_port = {referee}\nfolder = "{folder}"\n[status]\nport = {health}\n'
        'log = "error"\n[evidence]\nkey = "' + str(folder / "key") + '"\n'
    )
    given = ("--source", SAMPLE / "video.mp4", "--calibration", SAMPLE / "calibration.toml", "--players", "Ann,Ben")
    command = (sys.executable, "-m", "firmware", "run", "--config", folder / "fairtray.toml", *given)
    process = subprocess.Popen([*map(str, command), "--match", str(folder / "match")], stdout=subprocess.DEVNULL)
    try:
        yield health, port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


async def _measured(health: int, port: int, spectators: int, seconds: float) -> Measured:
    came = [0]
    looking = [asyncio.create_task(_look_on(port, number, came)) for number in range(spectators)]
    await asyncio.sleep(SETTLED_S)
    fps, late, told = [], [], {"dropped": 0}
    before, begun = came[0], time.monotonic()
    while time.monotonic() - begun < seconds:
        await asyncio.sleep(EVERY_S)
        now = await asyncio.to_thread(ask, health)
        if "fps" not in now or now["state"] == "over":
            break  # the sample match is over
        told = now
        fps.append(float(told["fps"]))
        late.append(float(told["latency_ms"] or 0))
    sent = (came[0] - before) / (time.monotonic() - begun)
    for task in looking:
        task.cancel()
    return Measured(median(fps), median(late), int(told["dropped"]), sent)


async def _look_on(port: int, number: int, came: list[int]) -> None:
    """One spectator, from an address of its own: whatever is pushed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(f"127.0.1.{number % 250 + 1}", 0))
    writer.write(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    try:
        while part := await reader.read(65536):
            came[0] += len(part)
    finally:
        writer.close()


def _until_ready(health: int, port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if ask(health)["ready"] and (not port or _answers(port)):
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise SystemExit("the appliance does not get ready")


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    finally:
        connection.close()


def _free_port() -> int:
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()

"""Writes frames as an H.264 video in which each carries its own time stamp."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from models.sim.camera import Picture
from models.sim.errors import SimulatorError

TICKS_PER_S = 90000
RECORDED = {"crf": "23", "preset": "veryfast"}
"""As hastily as a camera records: noise stays as it is from frame to frame, as in real clips."""
TAKEN = {"crf": "10", "preset": "ultrafast"}
"""So finely that each frame keeps its own noise, as frames have that come from the camera itself."""
KEY_FRAME_EVERY = 150


def write_video(
    path: Path,
    frames: Iterable[Picture],
    stamps: Sequence[float],
    fps: float,
    drawn: Callable[[], None],
    coding: Mapping[str, str] = RECORDED,
) -> None:
    """Write uint8 BGR frames (h, w, 3) as an .mp4; `drawn` is called after each.

    `stamps` are the frames' times in s, at least that of the first; they may have gaps, jitter and fall. `fps` is
    what the encoder reckons with; `coding`: RECORDED or TAKEN. The same frames and stamps give the same file.

    Raises:
        SimulatorError: PyAV is not installed.
    """
    try:
        import av
        from av.video.stream import VideoStream
    except ImportError as error:
        raise SimulatorError("writing videos needs PyAV: run `make install-dev`") from error
    rate, tick = Fraction(fps).limit_denominator(1001), Fraction(1, TICKS_PER_S)
    options = {**coding, "threads": "1", "bf": "0", "g": str(KEY_FRAME_EVERY)}
    marks = iter(_marks(stamps))
    with av.open(str(path), "w", options={"fflags": "+bitexact"}) as container:
        stream = container.add_stream("libx264", rate=rate, options=options)
        assert isinstance(stream, VideoStream)
        stream.pix_fmt = "yuv420p"
        stream.time_base, stream.codec_context.time_base = tick, 1 / rate

        def mux(frame: av.VideoFrame | None) -> None:
            for packet in stream.encode(frame):
                packet.time_base = tick
                packet.pts, packet.dts = next(marks)
                packet.duration = 0
                container.mux(packet)

        for number, picture in enumerate(frames):
            if number == 0:
                stream.height, stream.width = picture.shape[:2]
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="bgr24")
            frame.pts, frame.time_base = number, 1 / rate
            mux(frame)
            drawn()
        mux(None)


def _marks(stamps: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Each frame's stamp and the place in the order of decoding, in ticks: rising, and never after the stamp."""
    shown = [round(stamp * TICKS_PER_S) for stamp in stamps]
    decoded = shown.copy()
    for k in range(len(shown) - 2, -1, -1):
        decoded[k] = min(shown[k], decoded[k + 1] - 1)
    return zip(shown, decoded, strict=True)

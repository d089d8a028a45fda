"""What picamera2 lacks for libcamera's virtual camera, which plays a folder of pictures: for tests alone.

picamera2 is made for the Pi's own pipeline. The virtual one has no raw stream, wants a plane of its own for brightness
and colour, and there is no screen to draw on.
"""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any


def _no_screen() -> None:
    """Stand in for the modules that draw on a Pi's screen: imported in any case, used by previews alone."""

    class Formats:
        def __getattr__(self, name: str) -> str:
            return name

    for name in ("kms", "pykms"):
        module = ModuleType(name)
        vars(module).update(PixelFormats=Formats(), PixelFormat=Formats(), Card=SimpleNamespace)
        sys.modules.setdefault(name, module)


_no_screen()
import libcamera  # noqa: E402
import picamera2.picamera2 as implementation  # noqa: E402
from picamera2.allocators import DmaAllocator  # noqa: E402


class TwoPlanes(DmaAllocator):  # type: ignore[misc]
    """Buffers of one memory each, as usual, but with the two planes of NV12 told apart."""

    def allocate(self, configuration: Any, use_case: Any) -> None:
        super().allocate(configuration, use_case)
        self.kept: list[Any] = []  # their memory lives as long as they do
        for stream in configuration:
            bright = stream.stride * stream.size.height
            self.frame_buffers[stream.stream] = [
                self._split(buffer, bright) for buffer in self.frame_buffers[stream.stream]
            ]

    def _split(self, buffer: Any, bright: int) -> Any:
        planes = []
        for offset, length in ((0, bright), (bright, bright // 2)):
            plane = libcamera.FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = buffer.planes[0].fd, offset, length
            planes.append(plane)
        split = libcamera.FrameBuffer(planes)
        self.kept.append(buffer)
        self.mapped_buffers[split] = self.mapped_buffers.pop(buffer)
        self.mapped_buffers_used[split.planes[0].fd] = False
        self.libcamera_fds.append(split.planes[0].fd)
        return split


def _video_modes(camera: Any) -> list[dict[str, Any]]:
    roles = (libcamera.StreamRole.Raw, libcamera.StreamRole.VideoRecording)
    found = next(filter(None, (camera.camera.generate_configuration([role]) for role in roles)))
    formats = found.at(0).formats
    return [
        {"format": str(pixels), "size": (size.width, size.height)}
        for pixels in formats.pixel_formats
        for size in formats.sizes(pixels)
    ]


def prepare() -> None:
    """Make picamera2 take the virtual camera."""
    implementation.DmaAllocator = TwoPlanes
    implementation.Picamera2._get_raw_modes = _video_modes

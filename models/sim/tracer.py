"""Draws a scene: compiles tracer.cpp on first use, loads it and calls it."""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.sim.errors import SimulatorError
from models.sim.packing import PackedScene, pack
from models.sim.scene import Scene

SOURCE = Path(__file__).with_name("tracer.cpp")
OPTIONS = ("-std=c++17", "-O3", "-shared", "-fPIC")

_FloatPointer = ctypes.POINTER(ctypes.c_float)
_IntPointer = ctypes.POINTER(ctypes.c_int32)
_BytePointer = ctypes.POINTER(ctypes.c_uint8)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A drawn picture or a part of one.

    `rgb` is the light, float32 (h, w, 3) linear RGB, about 1 for white in full light; `albedo`, same shape, the
    colour of what is seen; `ids`, int32 (h, w), what the middle of each pixel shows half way through the exposure
    (see packing.py for the numbers).
    """

    rgb: NDArray[np.float32]
    albedo: NDArray[np.float32]
    ids: NDArray[np.int32]

    def part(self, rows_and_columns: tuple[slice, slice]) -> "Rendered":
        """A part of it, as views."""
        return Rendered(self.rgb[rows_and_columns], self.albedo[rows_and_columns], self.ids[rows_and_columns])


def render(
    scene: Scene,
    region: tuple[int, int, int, int] | None = None,
    samples: tuple[int, int] = (8, 24),
    where: NDArray[np.uint8] | None = None,
    onto: Rendered | None = None,
) -> Rendered:
    """Draw a scene, or its part x, y, width, height px, which equals the same part of the whole picture.

    `samples` are the rays per pixel off and on dice (4x2 blocks of pixels that show any). With `where`, (height,
    width) of 0 and 1 in squares that such blocks fill, only its ones are drawn; elsewhere is what `onto` shows, a
    drawing as large as the region. The same scene gives the same bytes. Raises SimulatorError when the tracer cannot
    be compiled.
    """
    x, y, width, height = region or (0, 0, *scene.lens.size)
    if onto is None:
        blank = np.zeros((height, width, 3), np.float32)
        onto = Rendered(blank, blank, np.zeros((height, width), np.int32))
    rgb, albedo, ids = onto.rgb.copy(), onto.albedo.copy(), onto.ids.copy()
    chosen = None if where is None else np.ascontiguousarray(where, np.uint8).ctypes.data_as(_BytePointer)
    packed, keep = pack(scene)
    _library().render(
        ctypes.byref(packed),
        x,
        y,
        width,
        height,
        *samples,
        chosen,
        rgb.ctypes.data_as(_FloatPointer),
        albedo.ctypes.data_as(_FloatPointer),
        ids.ctypes.data_as(_IntPointer),
    )
    del keep
    return Rendered(rgb, albedo, ids)


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(compiled()))
    if library.scene_bytes() != ctypes.sizeof(PackedScene):
        raise SimulatorError("tracer.cpp and packing.py disagree about the scene: make their structures equal")
    return library


def compiled(cache: Path | None = None) -> Path:
    """The compiled tracer; compiles it when the cache folder (the user's by default) does not hold it yet."""
    source = SOURCE.read_bytes()
    options = (*OPTIONS, *_machine_options())
    key = hashlib.sha256(source + " ".join(options).encode()).hexdigest()[:16]
    target = (cache or _cache_folder()) / f"tracer-{key}.so"
    if not target.exists():
        _compile(target, options)
    return target


def _compile(target: Path, options: tuple[str, ...]) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        raise SimulatorError("drawing the simulated tray needs a C++ compiler: install g++ (sudo apt install g++)")
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        built = Path(folder) / target.name
        run = subprocess.run([compiler, *options, "-o", str(built), str(SOURCE)], capture_output=True, text=True)
        if run.returncode != 0:
            complaint = next((line for line in run.stderr.splitlines() if "error" in line), "no reason given")
            raise SimulatorError(f"g++ cannot compile {SOURCE.name}, try a newer g++: {complaint}")
        os.replace(built, target)


def _machine_options() -> tuple[str, ...]:
    """The same instructions on all x86 machines of the last ten years, so that they give the same pixels."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return ()
    cpu = Path("/proc/cpuinfo")
    if cpu.exists() and " avx2 " not in cpu.read_text():
        return ()
    return ("-mavx2", "-mfma")


def _cache_folder() -> Path:
    """A folder of the user's own for compiled code; one for this process alone where that cannot be written."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fairtray"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="fairtray-"))

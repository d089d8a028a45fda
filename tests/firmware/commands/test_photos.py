"""Opening picture files: what is whole is opened, what is not is refused in one line and without a sound."""

import os
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from firmware.commands.photos import open_photo
from firmware.errors import FirmwareError
from tests.vision.drawn_photo import photograph


@pytest.fixture
def picture() -> npt.NDArray[np.uint8]:
    return photograph([1, 2, 3])


@pytest.mark.parametrize("ending", [".png", ".jpg", ".bmp", ".webp", ".tif"])
def test_kinds_of_file(tmp_path: Path, picture: npt.NDArray[np.uint8], ending: str) -> None:
    path = tmp_path / f"photo{ending}"
    cv2.imwrite(str(path), picture)
    opened = open_photo(path)
    assert opened.shape == picture.shape
    assert np.abs(opened.astype(int) - picture).mean() < 6


def test_grey_alpha_and_sixteen_bits_become_eight_bit_colour(tmp_path: Path, picture: npt.NDArray[np.uint8]) -> None:
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    pictures: dict[str, npt.NDArray[np.unsignedinteger]] = {
        "grey": grey,
        "deep": grey.astype(np.uint16) * 257,
        "alpha": np.dstack([picture, np.full(grey.shape, 90, np.uint8)]),
    }
    for name, stored in pictures.items():
        cv2.imwrite(str(tmp_path / f"{name}.png"), stored)
        opened = open_photo(tmp_path / f"{name}.png")
        assert (opened.shape, opened.dtype) == (picture.shape, np.dtype(np.uint8))


def test_pictures_are_turned_upright_as_the_camera_said(tmp_path: Path, picture: npt.NDArray[np.uint8]) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # orientation: turn by 90 degrees
    Image.fromarray(picture[..., ::-1]).save(tmp_path / "turned.jpg", exif=exif)
    assert open_photo(tmp_path / "turned.jpg").shape == (picture.shape[1], picture.shape[0], 3)


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def scratched(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes(400) + content[middle + 400 :]


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp"])
@pytest.mark.parametrize("spoil", [cut, scratched, lambda _: b"", lambda _: b"five dice, honestly"])
def test_spoilt_files_are_refused_in_one_line(
    tmp_path: Path,
    picture: npt.NDArray[np.uint8],
    ending: str,
    spoil: Callable[[bytes], bytes],
    capfd: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / f"photo{ending}"
    cv2.imwrite(str(path), picture)
    path.write_bytes(spoil(path.read_bytes()))
    if ending == ".webp" and spoil is scratched:
        pytest.skip("WebP has no check of its pixels")
    with pytest.raises(FirmwareError) as caught:
        open_photo(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_what_is_no_photograph(tmp_path: Path) -> None:
    with pytest.raises(FirmwareError, match="no such file"):
        open_photo(tmp_path / "none.jpg")
    (tmp_path / "photo.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    with pytest.raises(FirmwareError, match="of an unknown kind: give a JPEG or a PNG"):
        open_photo(tmp_path / "photo.heic")
    cv2.imwrite(str(tmp_path / "one.png"), photograph([])[:1, :1])
    with pytest.raises(FirmwareError, match="1x1 px is too small"):
        open_photo(tmp_path / "one.png")
    with pytest.raises(FirmwareError, match="a folder"):
        open_photo(tmp_path)
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(FirmwareError, match="not a picture file"):
        open_photo(tmp_path / "pipe.jpg")

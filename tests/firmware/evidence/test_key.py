"""The device's key: made once, for its user alone, and what it signs nobody else can."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed448 import Ed448PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from firmware.errors import KeyFileError
from firmware.evidence.key import default_path, device_key, is_signed
from tests.firmware.command import fairtray


def test_the_key_is_made_at_its_first_use_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "device.key"
    key = device_key(str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert device_key(str(path)).public == key.public
    assert [child.name for child in path.parent.iterdir()] == ["device.key"]


def test_only_what_was_signed_is_signed(tmp_path: Path) -> None:
    key, other = (device_key(str(tmp_path / name)) for name in ("one", "other"))
    signature = key.sign(7, "ab" * 32)
    assert is_signed(key.public, 7, "ab" * 32, signature)
    assert not is_signed(key.public, 8, "ab" * 32, signature)
    assert not is_signed(key.public, 7, "ac" * 32, signature)
    assert not is_signed(other.public, 7, "ab" * 32, signature)
    assert not is_signed("no key", 7, "ab" * 32, signature) and not is_signed(key.public, 7, "ab" * 32, "none")


def test_a_key_that_cannot_be_trusted_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "device.key"
    device_key(str(path))
    path.chmod(0o640)
    with pytest.raises(KeyFileError, match=r"others can read the device's key .*: chmod 600"):
        device_key(str(path))
    path.write_text("none")
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match="holds no key"):
        device_key(str(path))
    path.write_bytes(Ed448PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(KeyFileError, match="another kind of key"):
        device_key(str(path))
    with pytest.raises(KeyFileError, match=r"cannot use the device's key .*\[evidence\] key"):
        device_key(str(path / "under"))


def test_the_public_key_is_printed(tmp_path: Path) -> None:
    config = tmp_path / "fairtray.toml"
    config.write_text(f"[evidence]\nkey = '{tmp_path}/device.key'\n")
    printed = fairtray("match", "key", "--config", config)
    assert printed.stdout.strip() == device_key(f"{tmp_path}/device.key").public
    assert default_path().is_relative_to("/")

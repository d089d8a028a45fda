"""The device's own key (Ed25519): it signs the last hash of a ledger, so that nobody else can write one anew.

The private key stays on the device, for its user alone. Signed is the number of the signature's own entry and the hash
of the entry before it.
"""

import os
import re
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from firmware.errors import KeyFileError


@dataclass(frozen=True, slots=True)
class DeviceKey:
    """A private key; `public` is what others check its signatures with, 64 hexadecimal digits."""

    private: Ed25519PrivateKey

    @property
    def public(self) -> str:
        """The public key."""
        return self.private.public_key().public_bytes_raw().hex()

    def sign(self, seq: int, prev: str) -> str:
        """The signature for entry `seq` after the hash `prev`, 128 hexadecimal digits."""
        return self.private.sign(_message(seq, prev)).hex()


def is_signed(public: str, seq: int, prev: str, signature: str) -> bool:
    """Whether the owner of this public key signed at entry `seq` all up to the hash `prev`."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), _message(seq, prev))
    except (InvalidSignature, ValueError):
        return False
    return True


def is_public_key(text: str) -> bool:
    """Whether a public key is written so."""
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def public_key(text: str) -> str:
    """The public key that somebody writes as `match key` prints it. Raises `KeyFileError` where it is none."""
    digits = "".join(text.split()).lower()
    if not is_public_key(digits):
        raise KeyFileError(f"{text!r} is no public key: it has 64 hexadecimal digits, `fairtray match key` prints it")
    return digits


def default_path() -> Path:
    """Where the key is where nobody says otherwise: with this user's other data."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return Path(data) / "fairtray" / "device.key"


def device_key(named: str = "") -> DeviceKey:
    """The key in this file, else in the usual place; made where there is none yet.

    Raises:
        KeyFileError: it cannot be read or made, others can read it, or it is no such key.
    """
    path = Path(os.path.expanduser(named)) if named else default_path()
    try:
        if not path.exists():
            _make(path)
        if path.is_dir():
            raise KeyFileError(f"the device's key {path} is a folder: name a file as [evidence] key in fairtray.toml")
        if path.stat().st_mode & 0o077:
            raise KeyFileError(f"others can read the device's key {path}: chmod 600 {path}")
        private = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        where = "name another file as [evidence] key in fairtray.toml"
        raise KeyFileError(f"cannot use the device's key {path}: {error.strerror}; {where}") from error
    except (ValueError, TypeError) as error:
        if isinstance(error, KeyFileError):
            raise
        raise KeyFileError(f"{path} holds no key: move it away, and another is made") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyFileError(f"{path} holds another kind of key: move it away, and one is made")
    return DeviceKey(private)


def _make(path: Path) -> None:
    """Write a new key, whole or not at all; where another process was first, its key stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)  # mode 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        with suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        os.unlink(temporary)


def _message(seq: int, prev: str) -> bytes:
    return f"fairtray entry {seq} after {prev}".encode()

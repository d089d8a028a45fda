"""The certificate of the referee's pages, made on the device: its key never leaves it."""

import ipaddress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from firmware.console.errors import ConsoleError, missing
from firmware.console.pin import write_secret

KEY, CERTIFICATE = "key.pem", "certificate.pem"
DAYS = 825
"""Browsers take no certificate that holds for longer."""
LEFT = timedelta(days=30)


def certificate(folder: Path, names: frozenset[str], now: datetime | None = None) -> tuple[Path, Path]:
    """The files of the certificate and its key; both are made where there are none, or for a machine of other names.

    `names`: host names and addresses that it is for.

    Raises:
        ConsoleError: they cannot be written, or the console's packages are not installed.
    """
    key, made = folder / KEY, folder / CERTIFICATE
    try:
        now = now or datetime.now(UTC)
        if not _holds(key, made, names, now):
            folder.mkdir(parents=True, exist_ok=True)
            _make(key, made, names, now)
    except ImportError as error:
        raise missing(error.name) from error
    except OSError as error:
        raise ConsoleError(f"cannot write the console's certificate to {folder}: {error.strerror}") from error
    return made, key


def fingerprint(made: Path) -> str:
    """The certificate's SHA-256 as browsers show it, for people to compare."""
    from cryptography import x509
    from cryptography.hazmat.primitives.hashes import SHA256

    return x509.load_pem_x509_certificate(made.read_bytes()).fingerprint(SHA256()).hex(":").upper()


def _holds(key: Path, made: Path, names: frozenset[str], now: datetime) -> bool:
    """Whether both are there and belong together: power may have gone while they were made."""
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        own = load_pem_private_key(key.read_bytes(), None).public_key()
        known = x509.load_pem_x509_certificate(made.read_bytes())
        held = known.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm, x509.ExtensionNotFound):
        return False
    said = {str(name.value) for name in held}
    is_now = known.not_valid_before_utc <= now < known.not_valid_after_utc - LEFT
    return own == known.public_key() and names <= said and is_now


def _make(key_path: Path, made: Path, names: frozenset[str], now: datetime) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Fairtray referee")])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=DAYS - 1))
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in sorted(names)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    )
    signed = builder.sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    write_secret(key_path, key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    write_secret(made, signed.public_bytes(pem))


def _general(name: str) -> "x509.GeneralName":  # type: ignore[name-defined]  # noqa: F821
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)

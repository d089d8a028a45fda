"""Checks this package without Fairtray: `python3 check.py` in the folder that it was unpacked to.

It needs nothing but Python; where its package `cryptography` is installed the signatures are checked too.
"""

import hashlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent


def check() -> str:
    """What was found; raises SystemExit with what is wrong."""
    prev, kept, key, signed, lines = hashlib.sha256(b"fairtray ledger 1").hexdigest(), {}, "", 0, 0
    for lines, line in enumerate((HERE / "record.jsonl").read_text(encoding="utf-8").splitlines(), 1):
        entry = json.loads(line)
        body = json.dumps(entry["body"], sort_keys=True, separators=(",", ":"))
        sealed = hashlib.sha256(f'{{"body":{body},"prev":"{prev}","seq":{lines}}}'.encode()).hexdigest()
        if (entry["seq"], entry["prev"], entry["hash"]) != (lines, prev, sealed):
            raise SystemExit(f"entry {lines} was altered")
        if entry["body"]["name"] == "EvidenceKept":
            kept[entry["body"]["file"]] = entry["body"]["sha256"]
        key = entry["body"]["key"] if entry["body"]["name"] == "DeviceKey" else key
        if entry["body"]["name"] == "Signed" and not is_signed(key, lines, prev, entry["body"]["signature"]):
            raise SystemExit(f"entry {lines} is not signed by {key}")
        signed = lines if entry["body"]["name"] == "Signed" else signed
        prev = sealed
    for path in sorted((HERE / "evidence").glob("*.zip")):
        if kept.get(f"evidence/{path.name}") != hashlib.sha256(path.read_bytes()).hexdigest():
            raise SystemExit(f"evidence/{path.name} is not what the record says")
    return f"{lines} entries, none altered; the last hash is {prev}; signed up to entry {signed} by {key or 'nobody'}"


def is_signed(key: str, seq: int, prev: str, signature: str) -> bool:
    """Whether the signature is right, as far as that can be told here."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        print("signatures are not checked: `pip install cryptography`", file=sys.stderr)
        return True
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), f"fairtray entry {seq} after {prev}".encode())
    except (InvalidSignature, ValueError):
        return False
    return True


if __name__ == "__main__":
    print(check())

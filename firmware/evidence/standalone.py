"""Checks this package without Fairtray: `python3 check.py` in the folder that it was unpacked to.

It needs nothing but Python; where its package `cryptography` is installed the signatures are checked too.
"""

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def check() -> str:
    """What was found; raises SystemExit with what is wrong."""
    bodies, last = record()
    evidence(bodies)
    return f"{len(bodies)} entries, none altered; {code(bodies, last)}; {signatures(bodies)}"


def code(bodies: list[dict[str, Any]], last: str) -> str:
    """What the players noted, where the match was closed and only signatures and prunings came behind."""
    sealed = [*(body["prev"] for body in bodies[1:]), last]
    notes = [body["name"] if body["kind"] == "note" else "" for body in bodies]
    at = max((seq for seq, name in enumerate(notes) if name == "Closed"), default=len(notes))
    if at == len(notes) or not {*notes[at + 1 :]} <= {"Signed", "DeviceKey", "EvidencePruned"}:
        return f"it is not closed; the last hash is {last}"
    digits = "".join(SYMBOLS[int(sealed[at], 16) >> shift & 31] for shift in range(251, 175, -5))
    return f"it ends with {'-'.join(digits[first : first + 4] for first in range(0, 16, 4))}"


def record() -> tuple[list[dict[str, Any]], str]:
    """What the entries say, and the last hash."""
    prev, bodies = hashlib.sha256(b"fairtray ledger 1").hexdigest(), []
    text = (HERE / "record.jsonl").read_bytes().decode("utf-8", "replace")
    for seq, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            entry = json.loads(line)
            body = json.dumps(entry["body"], sort_keys=True, separators=(",", ":"))
            sealed = hashlib.sha256(f'{{"body":{body},"prev":"{prev}","seq":{seq}}}'.encode()).hexdigest()
            same = line in (json.dumps(entry, ensure_ascii=False), json.dumps(entry))  # so people read what we read
            is_whole = same and entry == {"seq": seq, "prev": prev, "body": entry["body"], "hash": sealed}
        except (ValueError, TypeError, KeyError):
            is_whole = False
        if not is_whole:
            raise SystemExit(f"entry {seq} was altered")
        bodies.append(entry["body"] | {"prev": prev})
        prev = sealed
    return bodies, prev


def signatures(bodies: list[dict[str, Any]]) -> str:
    """How far it is signed, and by whom."""
    key, signed, due, is_checked = "", 0, 0, True
    for seq, body in enumerate(bodies, 1):
        if (body["kind"], body["name"]) == ("note", "DeviceKey"):
            key = body["key"]
        elif (body["kind"], body["name"]) == ("note", "Signed"):
            right = is_signed(key, seq, body["prev"], body["signature"])
            if right is False:
                raise SystemExit(f"entry {seq} is not signed by {key}")
            signed, due, is_checked = seq, 0, is_checked and right is True
        elif body["kind"] == "ruling" and body["name"] in ("TurnEnded", "MatchEnded"):
            due = due or seq
        elif body["kind"] != "ruling" and due and key:  # its signature is written with it: no later one stands for it
            break
    if due and key:
        raise SystemExit(f"entry {due}: the signature that belongs to it is missing")
    unchecked = "" if is_checked else " (signatures not checked: `pip install cryptography`)"
    return f"signed up to entry {signed} by {key or 'nobody'}{unchecked}"


def is_signed(key: str, seq: int, prev: str, signature: str) -> "bool | None":
    """Whether the signature is right; None where that cannot be told here."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return None
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), f"fairtray entry {seq} after {prev}".encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def evidence(bodies: list[dict[str, Any]]) -> None:
    """What roll.json tells stands in the record, and its evidence is there: all of it, as it was kept, nothing else."""
    said = [{name: told for name, told in body.items() if name != "prev"} for body in bodies]
    roll = json.loads((HERE / "roll.json").read_text(encoding="utf-8"))
    if any(body not in said for body in (roll["ruling"], *roll["seen"], *roll["later"])):
        raise SystemExit("roll.json is not what the record says")
    kept = {body["file"]: body["sha256"] for body in said if (body["kind"], body["name"]) == ("note", "EvidenceKept")}
    gone = {body["file"] for body in said if (body["kind"], body["name"]) == ("note", "EvidencePruned")}
    known = set()
    for piece in roll["evidence"]:
        file = HERE / piece["file"]
        if kept.get(piece["file"]) != piece["sha256"] or piece["pruned"] != (piece["file"] in gone):
            raise SystemExit(f"roll.json is not what the record says of {piece['file']}")
        if piece["pruned"]:
            continue
        if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != piece["sha256"]:
            raise SystemExit(f"{piece['file']} is not what the record says")
        known.add(file)
        with zipfile.ZipFile(file) as archive:
            for name in archive.namelist():
                picture = file.with_suffix("") / name
                known.add(picture)
                if name.endswith(".jpg") and (not picture.is_file() or picture.read_bytes() != archive.read(name)):
                    raise SystemExit(f"{piece['file'][:-4]}/{name} is not the picture that was kept")
    for path in sorted((HERE / "evidence").rglob("*")):
        if not path.is_dir() and path not in known:
            raise SystemExit(f"{path.relative_to(HERE).as_posix()} is no evidence of this roll")


if __name__ == "__main__":
    print(check())

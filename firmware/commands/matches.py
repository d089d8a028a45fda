"""`fairtray match`: what the ledgers of matches hold, and whether anything in them was altered."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from firmware.config_file import configuration
from firmware.drawn.terminal import opening, score_card, show
from firmware.entries import Verdict, read, verify
from firmware.errors import FirmwareError, LedgerError
from firmware.evidence.key import device_key
from firmware.evidence.pieces import pieces
from firmware.evidence.store import close_left
from firmware.evidence.verify import Checked, check
from firmware.ledger import LEDGER, Body, legible
from firmware.record import rebuilt, told_later
from scorer.errors import ScorerError
from scorer.events import RecordingEnded
from scorer.state import State

OPEN = "; it is not closed: what was cut off behind that shows only in a code that players noted"


def list_command(folder: Path, as_json: bool) -> int:
    """Print a line for each match in the folder; the exit status. Raises `LedgerError` where there is no folder."""
    if not folder.is_dir():
        raise LedgerError(f"there is no folder {folder}: name the one that the matches are in")
    told = [_summary(path.parent) for path in sorted(folder.glob(f"*/{LEDGER}")) if path.is_file()]
    if as_json:
        for line in told:
            print(json.dumps(line, ensure_ascii=False))
        return 0
    table = Table("Match", "Begun", "Rules", "Players and totals", "State", "Entries")
    for line in told:
        totals = ", ".join(f"{name} {total}" for name, total in line["totals"].items())
        table.add_row(*(escape(str(part)) for part in (
            line["match"], line["begun"], line["rules"], totals, line["state"], line["entries"])))  # fmt: skip
    Console(highlight=False).print(table if told else escape(f"no match in {folder}"))
    return 0


def show_command(folder: Path, as_json: bool) -> int:
    """Print a match: what was ruled, the cards, its last hash; with `as_json` every entry; the exit status.

    Raises `LedgerError` where there is no match, or it was altered; `EvidenceError` where it tells of
    evidence that is none.
    """
    bodies = read(folder)
    if as_json:
        for body in bodies:
            print(legible(body))
        return 0
    state, rulings = rebuilt(bodies)
    console = Console(highlight=False)
    console.print(opening(state.rules))
    show(console, rulings, None)
    console.print(score_card(state.rules, dict(zip(state.players, state.cards, strict=True)), state.totals))
    proved = sorted({entry for piece in pieces(folder, enumerate(bodies, 1)) for entry in piece.entries})
    if proved:
        console.print(f"evidence for the rulings {', '.join(map(str, proved))}")
    verdict = verify(folder)
    ends = f"it ends with {verdict.code}{'' if verdict.closed else OPEN}"
    console.print(f"{len(bodies)} entries, {_stage(state)}; {ends}", soft_wrap=True)
    return 0


def verify_command(folder: Path, code: str | None, key: str | None, as_json: bool) -> int:
    """Say whether a match is as it was written, its evidence too; exit status 1 where it is not.

    Raises `LedgerError` where there is no ledger.
    """
    checked = check(folder, code, key)
    verdict = checked.verdict
    if as_json:
        print(json.dumps(_verdict(verdict)))
    elif verdict.ok:
        print(f"{verdict.entries} entries, {checked.pieces} pieces of evidence, none altered; {_signed(checked)}")
        print(f"it ends with {verdict.code}{'' if verdict.closed else OPEN}")
    else:
        print(f"altered: {verdict.fault}")
    return 0 if verdict.ok else 1


def key_command(config: Path | None) -> int:
    """Print the public key that this device's signatures are checked with. Raises `KeyFileError` where it has none."""
    print(device_key(configuration(config).evidence.key).public)
    return 0


def close_command(folder: Path) -> int:
    """End a match where it is, as when a player leaves for good, and close it; the exit status.

    Raises `LedgerError` where there is none, it was altered, is played right now, or is over and closed.
    """
    options = configuration(None).evidence
    signer = device_key(options.key)
    if verify(folder).closed:
        raise LedgerError(f"the match in {folder} is over already")
    if not rebuilt(read(folder))[0].over:
        told_later(folder, RecordingEnded(t=0.0), signer)
    code = close_left(folder, signer, options.budget_mb)
    print(f"The match in {folder} is over. It ends with {code}: note it.")
    return 0


def _summary(folder: Path) -> Mapping[str, Any]:
    line: dict[str, Any] = {"match": folder.name, "begun": "", "rules": "", "totals": {}, "entries": 0}
    verdict = verify(folder)
    line |= {"entries": verdict.entries, "state": f"altered: {verdict.fault}"}
    if verdict.fault:
        return line
    try:
        bodies = read(folder)
        line["begun"] = _begun(bodies)
        state, _ = rebuilt(bodies)
    except (FirmwareError, ScorerError) as error:  # one that tells nothing hides no other
        return line | {"state": str(error)}
    totals = {name: total.total for name, total in state.totals.items()}
    return line | {"rules": state.rules.name, "totals": totals, "state": _stage(state)}


def _signed(checked: Checked) -> str:
    """Who signed it, and how far."""
    if not checked.keys:
        return "signed by nobody"
    return f"signed up to entry {checked.signed} by {', then '.join(checked.keys)}"


def _begun(bodies: Sequence[Body]) -> str:
    return next((str(body.get("at", "")) for body in bodies if body["name"] == "Opened"), "")


def _stage(state: State) -> str:
    return "over" if state.over else "going on"


def _verdict(verdict: Verdict) -> Mapping[str, Any]:
    return {"ok": verdict.ok, "entries": verdict.entries, "head": verdict.head, "fault": verdict.fault}

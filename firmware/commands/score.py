"""`fairtray score`: which boxes a roll may go in, for one roll or for a file of them."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from firmware.chosen import chosen_rules
from firmware.commands.answers import spaced
from firmware.errors import EXIT_BAD_INPUT, FirmwareError
from scorer.card import parse_card
from scorer.dice import parse_dice
from scorer.errors import ScorerError
from scorer.events import LegalBox
from scorer.legal import best_first, earned, placements
from scorer.presets import ruleset
from scorer.rules import Ruleset
from scorer.settings import parse_settings


def score_command(
    rules: str, dice: str | None, card: str, settings: Sequence[str], batch: str | None, as_json: bool
) -> int:
    """Print the answer for one roll, or a JSON line for each line of `batch` (a path, or `-` for standard input).

    The exit status is 0, or 2 when a line of the batch was bad. Raises `ScorerError` for a bad single roll and
    `FirmwareError` for a batch that cannot be read or options that do not go together.
    """
    if batch is not None:
        if dice is not None:
            raise FirmwareError("give --dice or --batch, not both")
        return _run_batch(batch)
    if dice is None:
        raise FirmwareError("no dice: give --dice, such as --dice 44444, or --batch FILE")
    if as_json:
        print(json.dumps(score_one(rules, dice, card, settings)))
    else:
        _print_table(chosen_rules(rules, settings), dice, card)
    return 0


def score_one(rules: str, dice: str, card: str, settings: Sequence[str]) -> dict[str, Any]:
    """The answer for one roll as a JSON object: `rules`, `dice`, `legal` and `refused`. Raises `ScorerError`."""
    chosen = _rules(rules, tuple(settings))
    legal, refused = placements(chosen, parse_card(chosen, card), parse_dice(dice, chosen.dice_allowed))
    return {
        "rules": rules,
        "dice": dice,
        "legal": [_entry(placement) for placement in legal],
        "refused": [{"box": refusal.box, "reason": refusal.reason} for refusal in refused],
    }


@lru_cache(maxsize=256)
def _rules(name: str, settings: tuple[str, ...]) -> Ruleset:
    """The ruleset with these settings; the lines of a batch share it."""
    return ruleset(name, parse_settings(settings))


def _entry(placement: LegalBox) -> dict[str, str | int]:
    """A legal box as JSON; the bonus of a Mega-Yahtzee only where there is one."""
    entry: dict[str, str | int] = {
        "box": placement.box,
        "points": placement.points,
        "yahtzee_bonus": placement.yahtzee_bonus,
        "upper_bonus": placement.upper_bonus,
    }
    return entry | ({"house_bonus": placement.house_bonus} if placement.house_bonus else {})


def score_line(line: str) -> dict[str, Any]:
    """The answer to one line of a batch, or `{"error": ...}` where the line is bad."""
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        return {"error": "not a line of JSON; write an object with rules and dice"}
    try:
        return score_one(*_parts(question))
    except (ScorerError, FirmwareError) as error:
        return {"error": str(error)}


def _parts(question: Any) -> tuple[str, str, str, Sequence[str]]:
    """Rules, dice, card and settings of a batch line's object."""
    if not isinstance(question, dict):
        raise FirmwareError("not a JSON object; write an object with rules and dice")
    if unknown := sorted(set(question) - {"rules", "dice", "card", "set"}):
        raise FirmwareError(f"unknown field {unknown[0]!r}; the fields are rules, dice, card and set")
    return (
        _text(question, "rules"),
        _text(question, "dice"),
        _text({"card": "", **question}, "card"),
        _settings(question.get("set")),
    )


def _text(question: Mapping[str, Any], field: str) -> str:
    if field not in question:
        raise FirmwareError(f"no {field}; write an object with rules and dice")
    value = question[field]
    if not isinstance(value, str):
        raise FirmwareError(f"{field} is no text: {json.dumps(value)[:40]}")
    return value


def _settings(value: Any) -> Sequence[str]:
    """The settings of a batch line: `["NAME=VALUE", ...]` or `{"NAME": VALUE, ...}`."""
    if value is None:
        return []
    if isinstance(value, dict):
        return [f"{name}={setting}" for name, setting in value.items()]
    if isinstance(value, list) and all(isinstance(setting, str) for setting in value):
        return value
    raise FirmwareError(f'set is no object of settings, as {{"tie": "ask"}}: {json.dumps(value)[:40]}')


def _run_batch(batch: str) -> int:
    bad = False
    for answer in _answers(batch):
        print(json.dumps(answer), flush=batch == "-")
        bad = bad or "error" in answer
    return EXIT_BAD_INPUT if bad else 0


def _answers(batch: str) -> Iterator[dict[str, Any]]:
    """An answer for each line that is not blank, as the lines come."""
    if batch == "-":
        yield from _answer(sys.stdin.buffer)
        return
    try:
        with Path(batch).open("rb") as lines:
            yield from _answer(lines)
    except OSError as error:
        raise FirmwareError(f"batch {batch}: {error.strerror or error}; give a file of JSON lines, or -") from error


def _answer(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    texts = (line.decode("utf-8", errors="replace") for line in lines)
    return (score_line(text) for text in texts if text.strip())


def _print_table(rules: Ruleset, dice: str, card_text: str) -> None:
    """The answer for people: the legal boxes, best first, then the others with the rule that closes them."""
    console = Console(highlight=False)
    card = parse_card(rules, card_text)
    legal, refused = placements(rules, card, parse_dice(dice, rules.dice_allowed))
    table = Table("Box", title=f"{spaced(dice)}  ({rules.title})", title_justify="left")
    mega = any(placement.house_bonus for placement in legal)
    for heading in ("Points", "Yahtzee bonus", "Upper bonus", *(["Mega bonus"] if mega else []), "In all"):
        table.add_column(heading, justify="right")
    for placement in best_first(rules, card, legal):
        numbers = [placement.points, placement.yahtzee_bonus, placement.upper_bonus]
        numbers += [*([placement.house_bonus] if mega else []), earned(rules, card, placement)]
        table.add_row(_title(rules, placement.box), *(str(number) for number in numbers))
    console.print(table)
    if rules.voluntary_zero and legal:
        console.print("A 0 may be written in any open box instead.")
    if refused:
        closed = Table("Not in", "Because")
        for reason in dict.fromkeys(refusal.reason for refusal in refused):
            boxes = [refusal.box for refusal in refused if refusal.reason == reason]
            closed.add_row(" ".join(boxes), rules.texts[reason])
        console.print(closed)


def _title(rules: Ruleset, box: str) -> str:
    return f"{rules.by_name[box].box.title} ({box})"

"""What the rules answer about a roll, in a line that a player can read."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from scorer.cases import Answer, Case
from scorer.legal import REASONS


def say_answers(answers: Iterable[Answer], names: Mapping[str, str] | None = None) -> list[str]:
    """Boxes that get the same answer together, what earns most first, refused ones last; `names` may rename boxes."""
    groups: dict[tuple[int, str], list[str]] = {}
    for answer in answers:
        rank = -answer.in_all if answer.legal else 1
        groups.setdefault((rank, _say(answer)), []).append((names or {}).get(answer.box, answer.box))
    return [f"{' '.join(boxes)} {said}" for (_, said), boxes in sorted(groups.items(), key=lambda group: group[0][0])]


def spaced(dice: Iterable[object]) -> str:
    """Dice, a text or values, with spaces between them."""
    return " ".join(map(str, dice))


def case_json(case: Case) -> dict[str, Any]:
    """A case as JSON: dice and card as `fairtray score` takes them."""
    return {
        "rules": case.rules,
        "dice": case.dice,
        "card": case.card,
        "answers": [answer_json(answer) for answer in case.answers],
    }


def answer_json(answer: Answer) -> dict[str, Any]:
    """An answer as JSON, as in the answers of `fairtray score`, with what it earns in all."""
    if answer.legal is None:
        return {"box": answer.box, "reason": answer.reason}
    return {**asdict(answer.legal), "in_all": answer.in_all, "or_zero": answer.or_zero}


def _say(answer: Answer) -> str:
    legal = answer.legal
    if legal is None:
        return f"not there ({REASONS[answer.reason or '']})"
    bonuses = [bonus for bonus in (legal.yahtzee_bonus, legal.upper_bonus, legal.house_bonus) if bonus]
    said = "= " + " + ".join(str(number) for number in (legal.points, *bonuses))
    if answer.in_all != legal.points + sum(bonuses):
        said += f", {answer.in_all} in all"
    return said + (" or 0" if answer.or_zero else "")

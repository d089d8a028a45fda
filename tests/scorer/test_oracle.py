"""The product's answers against a second reading of the rules: worked examples, then thousands of random positions."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scorer.card import parse_card, totals
from scorer.presets import ruleset
from tests.firmware.command import fairtray
from tests.scorer.oracle import SYSTEMS, UPPER, answer, boxes, kind, total

EXAMPLES = Path(__file__).parents[1] / "data" / "worked_examples.tsv"
RULES = [*SYSTEMS, "yams"]
GAMES = {"casino": 100, "triple": 100}  # random games; their cards have several columns
GAMES_OF_ONE_COLUMN = 300

Legal = dict[str, tuple[int, int, int]]


@dataclass(frozen=True)
class Position:
    """Dice to be placed on a card."""

    rules: str
    settings: dict[str, Any]
    dice: str
    card: dict[str, int]

    def answer(self) -> dict[str, dict[str, Any]]:
        return answer(self.rules, self.dice, self.card, self.settings)

    def card_text(self) -> str:
        return " ".join(f"{box}={points}" for box, points in self.card.items())

    def line(self) -> str:
        """The position as the command reads it."""
        question = {"rules": self.rules, "dice": self.dice, "card": self.card_text(), "set": self.settings}
        return json.dumps(question) + "\n"


def examples() -> list[list[str]]:
    lines = EXAMPLES.read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[:6] for line in lines if not line.startswith(("#", "rules"))]


def told(rules: str, card: dict[str, int], points_text: str, bonus_text: str) -> Legal:
    """The legal boxes as a line of the worked examples tells them; it leaves out the bonus of Yams."""
    points = {box: 0 for box in boxes(rules, {}) if box not in card} if points_text.startswith("*") else {}
    for word in points_text.removeprefix("*").split():
        box = next(box for box in boxes(rules, {}) if word.startswith(box))
        points[box] = int(word.removeprefix(box))
    yahtzee, upper = dict.fromkeys(points, 0), dict.fromkeys(points, 0)
    for amount, where in (part.split() for part in bonus_text.split(";") if part != "-"):
        bonus = yahtzee if amount == "+100" else upper
        bonus |= dict.fromkeys(points if where == "all" else where.split(","), int(amount))
    return {box: (points[box], yahtzee[box], upper[box]) for box in points}


@pytest.mark.parametrize("line", examples(), ids=lambda line: line[1])
def test_the_oracle_gives_the_worked_examples(line: list[str]) -> None:
    rules, _, dice, card_text, points_text, bonus_text = line
    card = {box: int(points) for box, points in (word.split("=") for word in card_text.split())}
    legal = answer(rules, dice, card, {"rigole_points": 1})["legal"]
    if rules == "yams":
        legal = {box: (points, yahtzee, 0) for box, (points, yahtzee, _) in legal.items()}
    assert legal == told(rules, card, points_text, bonus_text)


def test_the_oracle_gives_the_examples_in_words() -> None:
    """What the text tells of the Yams bonus, of several columns and of Fool House."""
    yams = {"1s": 5, "2s": 10, "3s": 9, "4s": 12, "5s": 15}
    assert answer("yams", "66611", yams, {})["legal"]["6s"] == (18, 0, 39)
    assert answer("triple", "44444", {"1:Y": 50}, {})["legal"]["2:Y"] == (50, 0, 0)
    later = dict.fromkeys((f"2:{box}" for box in boxes("casino", {})), "round_not_open")
    assert answer("casino", "44444", {}, {"columns": 2})["refused"] == later
    fool_house = {"fool_house": True}
    assert answer("wyi", "22333", {}, fool_house)["legal"] == {"FH": (25, 0, 0)}
    assert len(answer("wyi", "22333", {"FH": 0}, fool_house)["legal"]) == 12
    assert len(answer("wyi", "44444", {"Y": 50, "4s": 8}, fool_house)["legal"]) == 6


def test_the_oracle_adds_up_the_published_totals() -> None:
    """The greatest and the least totals that the texts give, and the Yams section of 96 for 63 points."""
    most = {box: 5 * int(box[0]) for box in UPPER} | {
        "3K": 30,
        "4K": 30,
        "FH": 25,
        "SS": 30,
        "LS": 40,
        "Y": 50,
        "C": 30,
    }
    assert total("casino", most, {}) == 375
    assert total("wyi", most | {"YB": 12}, {}) == 1575
    assert total("wyi", dict.fromkeys(most, 0) | {"C": 5}, {}) == 5
    thrice = {f"{number}:{box}": points for number in (1, 2, 3) for box, points in most.items()}
    assert total("triple", thrice, {}) == 2250
    assert total("triple", thrice | {"YB": 2}, {}) == 2450
    assert total("casino", thrice, {"columns": 3}) == 3 * 375
    deluxe = {box: 6 * int(box[0]) for box in UPPER} | {"3P": 20, "2T": 30, "FH": 40, "ST": 50, "Y": 60}
    assert total("deluxe", deluxe | {"SS": 26, "SY": 36, "C": 36}, {}) == 474
    assert total("yams", {box: 3 * int(box[0]) for box in UPPER}, {}) == 96
    assert total("yams", {"P": 22, "M": 13}, {"yams_middle": "sum"}) == 22 + 13 + 9
    assert total("yams", {"P": 22, "M": 13}, {"yams_middle": "delta"}) == 9


def roll(rng: random.Random, dice: int) -> str:
    """Dice that are often all equal, nearly so, a full house or a straight."""
    face, other, low = rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 3)
    chosen = rng.choice(
        [
            [face] * dice,
            [face] * dice,
            [face] * (dice - 1) + [rng.choice([other, 7 - face])],
            [face] * (dice // 2 + 1),
            [face] * (dice - 2) + [other] * 2,
            [face] * 3 + [other] * (dice - 3),
            list(range(low, low + 4)),
            [*range(1, 7)][low % 2 : dice + low % 2],
            [],
            [],
        ]
    )
    chosen += [rng.randint(1, 6) for _ in range(dice - len(chosen))]
    rng.shuffle(chosen)
    return "".join(map(str, chosen))


def pick(rng: random.Random, taste: str, legal: Legal) -> str:
    """A box for one taste: any, the most points, the least, or upper boxes with half of the dice and more first."""
    yahtzee = [slot for slot, (points, *_) in legal.items() if kind(slot) == "Y" and points]
    upper = [slot for slot, (points, *_) in legal.items() if kind(slot) in UPPER and points >= 3 * int(kind(slot)[0])]
    if yahtzee and taste != "least" and rng.random() < 0.6:
        return yahtzee[0]
    if taste == "upper" and upper:
        return upper[0]
    if taste in ("most", "least"):
        return (max if taste == "most" else min)(legal, key=lambda slot: legal[slot])
    return rng.choice(list(legal))


def game(rng: random.Random, rules: str) -> Iterator[Position]:
    """Every position that one player meets in a game played to one taste."""
    settings: dict[str, Any] = {}
    if rules == "casino":
        settings["columns"] = rng.randint(1, 6)
    if rules == "yams":
        settings |= {"rigole_points": rng.choice([20, 50]), "yams_middle": rng.choice(["sum", "delta"])}
    if rng.random() < 0.2:
        settings["fool_house"] = True
    taste = rng.choice(["any", "most", "least", "upper", "upper"])
    card: dict[str, int] = {}
    for _ in boxes(rules, settings):
        position = Position(rules, settings, roll(rng, 6 if rules == "deluxe" else 5), card)
        yield position
        legal = position.answer()["legal"]
        slot = pick(rng, taste, legal)
        points, bonus, _ = legal[slot]
        card = card | {slot: points} | ({"YB": card.get("YB", 0) + 1} if bonus else {})


def in_the_oracles_form(given: dict[str, Any]) -> dict[str, Any]:
    """An answer of the product, which names every box once; an error as it is."""
    if "error" in given:
        return given
    legal = {place["box"]: (place["points"], place["yahtzee_bonus"], place["upper_bonus"]) for place in given["legal"]}
    refused = {place["box"]: place["reason"] for place in given["refused"]}
    assert len({**legal, **refused}) == len(given["legal"]) + len(given["refused"])
    return {"legal": legal, "refused": refused}


@pytest.mark.parametrize("rules", RULES)
def test_the_product_agrees_on_random_positions(rules: str) -> None:
    rng = random.Random(rules)
    positions = [position for _ in range(GAMES.get(rules, GAMES_OF_ONE_COLUMN)) for position in game(rng, rules)]
    run = fairtray("score", "--batch", "-", put="".join(position.line() for position in positions))
    given = [in_the_oracles_form(json.loads(line)) for line in run.stdout.splitlines()]
    due = [position.answer() for position in positions]
    wrong = [case for case in zip(positions, due, given, strict=True) if case[1] != case[2]]
    if wrong:
        position, right, got = min(wrong, key=lambda case: len(case[0].card))
        text = f"{len(wrong)} of {len(positions)} differ, such as {position.line()}due {right}\ngot {got}"
        pytest.fail(text, pytrace=False)


@pytest.mark.parametrize("rules", RULES)
def test_the_product_adds_up_random_cards_as_the_oracle(rules: str) -> None:
    """No command adds up a card that it is given, so the card itself is asked."""
    rng = random.Random(rules)
    for _ in range(60):
        for position in rng.sample(list(game(rng, rules)), 3):
            chosen = ruleset(rules, position.settings)
            card = parse_card(chosen, position.card_text())
            assert totals(chosen, card).total == total(rules, position.card, position.settings), position

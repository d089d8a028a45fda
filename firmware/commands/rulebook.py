"""`fairtray rules show`: one ruleset as a player wants to read it, with every setting and why it is as it is."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich import box as lines
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from firmware.commands.answers import answer_json, say_answers, spaced
from scorer.boxes import YAHTZEE, Box
from scorer.cases import FURTHER, Answer, Outline, answers, example_roll
from scorer.legal import REASONS
from scorer.presets import RULESETS
from scorer.readings import HOUSE_RULES, Reading
from scorer.rules import Ruleset
from scorer.settings import SETTINGS, house_rules, settings_of, spell

FACE = 4
"""The face of the further Yahtzee by which the joker rule is shown."""

SAYS = {
    "text": "By the text",
    "follows": "Follows from the text",
    "unclear": "The text can be read in two ways",
    "silent": "The text is silent",
}
"""How far a document bears a value out."""

_TIES = {
    "ask": "No throw breaks equal totals: people decide.",
    "one_die": "Equal totals are broken by one die each, the highest wins.",
    "all_dice": "Equal totals are broken by one throw of all dice each, the highest sum wins.",
    "three_rolls": "Equal totals are broken by a turn of up to three rolls each, the highest sum wins.",
}

_WHEN = {
    "joker_upper_forced": "forced_upper=yes",
    "joker_lower_first": "after_upper=lower_first",
    "round_not_open": "columns=2 or more",
    "house_rule": "a house rule",
}
"""What it takes for a box to be refused for that reason."""


def show_rules(rules: Ruleset, as_json: bool) -> int:
    """Print the rules; the exit status."""
    if as_json:
        print(json.dumps(rulebook(rules), ensure_ascii=False))
    else:
        _Page(Console(highlight=False, markup=False, emoji=False)).write(rules)
    return 0


def sentence(words: str) -> str:
    """The words as a sentence."""
    return f"{words[0].upper()}{words[1:]}."


def rulebook(rules: Ruleset) -> dict[str, Any]:
    """Everything that is shown, as JSON."""
    return {
        "rules": rules.name,
        "title": rules.title,
        "about": rules.about,
        "source": rules.source,
        "dice": rules.dice,
        "rolls": rules.rolls,
        "turns": len(rules.slots),
        "columns": rules.columns,
        "rounds": rules.rounds,
        "weights": [rules.weight(column) for column in range(1, rules.columns + 1)],
        "boxes": [
            {"box": box.name, "title": box.title, "needs": box.needs, "pays": box.pays, "example": dice,
             "points": points}
            for box, dice, points in _examples(rules)
        ],
        "upper_bonus": {
            "from": rules.upper_bonus_from, "points": rules.upper_bonus, "and_excess": rules.upper_bonus_excess,
        },
        "further_yahtzee": [
            {"dice": str(FACE) * rules.dice, "card": card, "answers": [answer_json(answer) for answer in said]}
            for _, card, said in _further(rules)
        ],
        "settings": [_setting(rules, name) for name in settings_of(rules)],
        "house_rules": [
            {"name": name, "title": house.title, "in_force": settings_of(rules)[name], "effect": house.effect,
             "silent": list(house.silent), "source": house.source}
            for name, house in HOUSE_RULES.items() if name in settings_of(rules)
        ],
        "refusals": [
            {"reason": reason, "text": rules.texts[reason], "only_with": only} for reason, only in _refusals(rules)
        ],
        "remarks": [asdict(remark) for remark in rules.remarks],
        "texts": {key: rules.texts[key] for key in ("match", "turn", "three_rolls", "box", "match_over", "start")},
    }  # fmt: skip


def _examples(rules: Ruleset) -> list[tuple[Box, str, int]]:
    """Every box with a roll for it and what that pays."""
    rolls = [(box, example_roll(rules, box)) for box in rules.boxes]
    return [(box, "".join(map(str, dice)), box.natural(dice)) for box, dice in rolls]


def _further(rules: Ruleset) -> list[tuple[Outline, str, tuple[Answer, ...]]]:
    """What may be done with all dice alike on each card on which the rules may treat them differently.

    Empty where they are never treated differently.
    """
    if rules.active_when == "never" and not rules.bonus_points:
        return []
    cards = [(outline, outline.card(rules, FACE)) for outline in FURTHER]
    roll = (FACE,) * rules.dice
    return [(outline, str(card), answers(rules, card, roll)) for outline, card in cards if card is not None]


def _setting(rules: Ruleset, name: str) -> dict[str, Any]:
    setting, reading = SETTINGS[name], rules.readings[name]
    return {
        "name": name,
        "value": setting.read(rules),
        "default": setting.read(RULESETS[rules.name]),
        "choices": setting.range,
        "about": setting.about,
        **asdict(reading),
    }


def _refusals(rules: Ruleset) -> list[tuple[str, str | None]]:
    """Every reason for which these rules may refuse a box, with the settings it needs where they are not made."""
    happens = {
        "filled": True,
        "joker_upper_forced": rules.active_when != "never" and rules.forced_upper,
        "joker_lower_first": rules.active_when != "never" and rules.after_upper == "lower_first",
        "round_not_open": rules.rounds and rules.columns > 1,
        "house_rule": bool({"fool_house", "chance_chance"} & set(house_rules(rules))),
    }
    return [(reason, None if happens[reason] else _WHEN[reason]) for reason in REASONS if _has(rules, reason)]


def _has(rules: Ruleset, reason: str) -> bool:
    joker = rules.active_when != "never"
    return {"joker_upper_forced": joker, "joker_lower_first": joker, "round_not_open": rules.rounds}.get(reason, True)


class _Page:
    """The rules on a terminal, section by section."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def write(self, rules: Ruleset) -> None:
        self._console.print(rules.title, style="bold")
        self._text(rules.about)
        self._text(f"Source: {rules.source}.")
        self._turn(rules)
        self._card(rules)
        self._further(rules)
        self._end(rules)
        self._settings(rules)
        self._house_rules(rules)
        self._refusals(rules)
        self._remarks(rules)

    def _turn(self, rules: Ruleset) -> None:
        self._heading("The turn")
        self._text(f"{rules.dice} dice, up to {rules.rolls} rolls a turn, {len(rules.slots)} turns for each player.")
        for key in ("turn", "three_rolls", "box"):
            self._text(rules.texts[key])
        joker = rules.active_when != "never" and (rules.forced_upper or rules.after_upper == "lower_first")
        which = "Any roll but a further Yahtzee" if joker else "Any roll"
        cross = "; a 0 may also be written where it would score" if rules.voluntary_zero else ""
        self._text(f"{which} may go in any open box, for 0 where it does not fit{cross}.")

    def _card(self, rules: Ruleset) -> None:
        self._heading("The card")
        if rules.columns > 1:
            order = "played one after another" if rules.rounds else "free to choose from in every turn"
            self._text(f"{rules.columns} columns of these boxes, {order}.")
            if rules.weights:
                counts = " + ".join(f"{weight} x column {place}" for place, weight in enumerate(rules.weights, 1))
                self._text(f"The total is {counts}, and Yahtzee bonuses.")
        table = Table("Box", "", "Needs", "Pays", "Example", box=lines.SIMPLE_HEAD, pad_edge=False)
        for box, dice, points in _examples(rules):
            table.add_row(box.name, box.title, box.needs, box.pays, f"{spaced(dice)} = {points}")
        self._console.print(table)
        excess = ", and 1 more for each point above" if rules.upper_bonus_excess else ""
        self._text(f"Upper bonus: {rules.upper_bonus} once the upper boxes total {rules.upper_bonus_from}{excess}.")
        if rules.middle != "none":
            self._text({
                "sum": "Plus and Minus both count, and so does Plus less Minus (Delta).",
                "delta": "Of Plus and Minus only Plus less Minus (Delta) counts.",
            }[rules.middle])  # fmt: skip

    def _further(self, rules: Ruleset) -> None:
        """The joker rule as what may be done with one roll; left out where there is none."""
        rows = _further(rules)
        if not rows:
            return
        self._heading("A further Yahtzee")
        columns = ", on a card whose columns are alike" if rules.columns > 1 else ""
        self._text(f"Where {spaced(str(FACE) * rules.dice)} may go and what it earns{columns}; “+” is a bonus.")
        table = Table(rules.box[YAHTZEE].title, rules.boxes[FACE - 1].title, "May go in", box=lines.SIMPLE_HEAD,
                      pad_edge=False)  # fmt: skip
        for outline, _, said in rows:
            held = {"open": "open", "full": "full", "zero": "0"}[outline.yahtzee]
            upper = "filled" if outline.own_upper else "open"
            table.add_row(held, upper + (", lower ones too" if outline.lower else ""), _may_go_in(rules, said))
        self._console.print(table)

    def _end(self, rules: Ruleset) -> None:
        self._heading("The match")
        dice = "one die" if rules.start_dice == "one" else "all dice"
        self._text(rules.texts["start"])
        self._text(f"It is thrown with {dice}; play goes {'' if rules.clockwise else 'counter-'}clockwise.")
        self._text(rules.texts["match"])
        self._text(rules.texts["match_over"])
        self._text(_TIES[rules.tie])

    def _settings(self, rules: Ruleset) -> None:
        self._heading("Settings (--set NAME=VALUE)")
        for name in settings_of(rules):
            if not SETTINGS[name].house:
                setting = _setting(rules, name)
                self._console.print(f"{name}={spell(setting['value'])}  ({setting['choices']})", style="bold")
                self._text(sentence(setting["about"]), indent=4)
                changed = setting["value"] != setting["default"]
                before = f"Changed from {spell(setting['default'])}. " if changed else ""
                self._text(before + _say_reading(rules.readings[name]), indent=4)

    def _house_rules(self, rules: Ruleset) -> None:
        self._heading("House rules")
        self._text(f"{rules.readings['mulligan'].because[:-1]} ({rules.readings['mulligan'].source}).")
        held = settings_of(rules)
        for name, house in HOUSE_RULES.items():
            if name in held:
                self._console.print(f"{house.title}: {name}={spell(held[name])}", style="bold")
                self._text(f"{house.effect[:-1]} ({house.source}).", indent=4)
                self._text(f"The text is silent: {' '.join(house.silent)}", indent=4)

    def _refusals(self, rules: Ruleset) -> None:
        self._heading("Why a box may be refused")
        for reason, only in _refusals(rules):
            self._console.print(f"{reason}{f', only with {only}' if only else ''}", style="bold")
            self._text(rules.texts[reason], indent=4)

    def _remarks(self, rules: Ruleset) -> None:
        self._heading("How the text was read besides")
        for remark in rules.remarks:
            self._text(_say_reading(remark))

    def _heading(self, text: str) -> None:
        self._console.print(f"\n{text}", style="bold underline")

    def _text(self, text: str, indent: int = 0) -> None:
        self._console.print(Padding(text, (0, 0, 0, indent), expand=False))


def _may_go_in(rules: Ruleset, said: Sequence[Answer]) -> str:
    """The legal boxes of the first column by what they earn."""
    column = [answer for answer in said if rules.by_name[answer.box].column == 1]
    names = {slot.name: slot.box.name for slot in rules.slots}
    legal = [answer for answer in column if answer.legal]
    refused = [answer for answer in column if answer.reason not in (None, "filled")]
    which = "only " if refused else "any open box: "
    return which + "; ".join(say_answers(legal, names))


def _say_reading(reading: Reading) -> str:
    return f"{SAYS[reading.says]}: {reading.because.rstrip('.')} ({reading.source})."

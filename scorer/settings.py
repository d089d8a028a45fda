"""What players may change about a ruleset before a match: each setting with its range, what it means, and its source.

A setting is a parameter of `Ruleset` or of one of its boxes. House rules are settings too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from scorer.boxes import CHANCE, FULL_HOUSE, RIGOLE, Box, equal
from scorer.errors import RulesetError
from scorer.rules import Ruleset

Value = bool | int | str

MOST_HOUSE_RULES = 2
"""More than this are warned of, never refused (World Yahtzee Institute, line 255)."""

YES = ("yes", "true", "on", "1")
NO = ("no", "false", "off", "0")


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that may be changed. `values` are the choices of a text, (False, True), or a range of whole numbers.

    `applies` says whether a ruleset has it, else `unless` says why not; `read` and `write` get and set its value.
    `on_card`: a choice that decides what is added up, so that it is written beside the card's numbers.
    """

    name: str
    about: str
    values: range | tuple[Value, ...]
    source: str
    applies: Callable[[Ruleset], bool]
    unless: str
    read: Callable[[Ruleset], Value]
    write: Callable[[Ruleset, Value], Ruleset]
    house: bool = False
    on_card: bool = False

    @property
    def range(self) -> str:
        """The values it takes, in words."""
        if isinstance(self.values, range):
            return f"{self.values[0]} to {self.values[-1]}"
        return ", ".join(spell(value) for value in self.values)


def spell(value: Value) -> str:
    """A value as it is written: `yes`, `no`, or as it is."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def change(rules: Ruleset, name: str, value: Value) -> Ruleset:
    """The ruleset with one setting changed; the value may be a text such as `yes` or `50`.

    Raises `RulesetError` for a setting that the ruleset does not have, or a value out of its range.
    """
    setting = SETTINGS.get(name)
    if setting is None:
        raise RulesetError(f"unknown setting {name!r}; rules {rules.name} have {', '.join(settings_of(rules))}")
    if not setting.applies(rules):
        raise RulesetError(f"setting {name}: rules {rules.name} cannot have it, {setting.unless}")
    return setting.write(rules, _value(setting, value))


def parse_settings(texts: Sequence[str], what: str = "setting") -> Mapping[str, Value]:
    """Settings (or `what` else) written as `NAME=VALUE`.

    Raises `RulesetError` for a text that is none, or for a name that is there twice.
    """
    settings: dict[str, Value] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip().replace("-", "_")
        if not (name and equals and value.strip()):
            raise RulesetError(f"{what} {text!r}: write NAME=VALUE")
        if name in settings:
            raise RulesetError(f"{what} {name} is there twice; give it one value")
        settings[name] = value.strip()
    return settings


def settings_of(rules: Ruleset) -> Mapping[str, Value]:
    """Every setting that the ruleset has, house rules last, with its value."""
    return {name: setting.read(rules) for name, setting in SETTINGS.items() if setting.applies(rules)}


def changed(preset: Ruleset, rules: Ruleset) -> Mapping[str, Value]:
    """The settings in which the rules differ from their preset."""
    before = settings_of(preset)
    return {name: value for name, value in settings_of(rules).items() if value != before.get(name)}


def on_card(preset: Ruleset, rules: Ruleset) -> str:
    """What is written beside a card's numbers, as `rigole_points=50`: what decides them, and what was changed."""
    now = {name: value for name, value in settings_of(rules).items() if SETTINGS[name].on_card}
    return " ".join(f"{name}={spell(value)}" for name, value in {**now, **changed(preset, rules)}.items())


def house_rules(rules: Ruleset) -> tuple[str, ...]:
    """The house rules in force."""
    return tuple(name for name, setting in SETTINGS.items() if setting.house and setting.read(rules) is True)


def _value(setting: Setting, value: Value) -> Value:
    """The value as the setting holds it."""
    if isinstance(setting.values, range):
        number = _whole(value)
        if number is not None and number in setting.values:
            return number
    elif setting.values == (False, True):
        if value is True or str(value).lower() in YES:
            return True
        if value is False or str(value).lower() in NO:
            return False
    elif value in setting.values:
        return value
    raise RulesetError(f"setting {setting.name}={spell(value)}: it takes {setting.range} ({setting.source})")


def _whole(value: Value) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _parameter(
    name: str, about: str, values: range | tuple[Value, ...], source: str, applies: Callable[[Ruleset], bool],
    unless: str, house: bool = False, on_card: bool = False,
) -> Setting:  # fmt: skip
    """A setting that is the parameter of that name."""

    def write(rules: Ruleset, value: Value) -> Ruleset:
        changes: dict[str, Any] = {name: value}
        return replace(rules, **changes)

    def read(rules: Ruleset) -> Value:
        value: Value = getattr(rules, name)
        return value

    return Setting(name, about, values, source, applies, unless, read, write, house, on_card)


def _with_box(rules: Ruleset, changed_box: Box) -> Ruleset:
    return replace(rules, boxes=tuple(changed_box if box.name == changed_box.name else box for box in rules.boxes))


def _read_five_equal(rules: Ruleset) -> Value:
    return rules.box[FULL_HOUSE].pattern((1,) * rules.dice)


def _write_five_equal(rules: Ruleset, value: Value) -> Ruleset:
    if value == _read_five_equal(rules):
        return rules
    return _with_box(rules, _all_alike(rules.box[FULL_HOUSE], rules.dice, counts=value is True))


@cache
def _all_alike(box: Box, dice: int, counts: bool) -> Box:
    """The box for which all dice alike count or not: one and the same each time, so that rules compare as equal."""
    all_alike = equal(dice)
    if counts:
        return replace(box, pattern=lambda roll: box.pattern(roll) or all_alike(roll))
    return replace(box, pattern=lambda roll: box.pattern(roll) and not all_alike(roll))


def _write_rigole(rules: Ruleset, value: Value) -> Ruleset:
    return _with_box(rules, replace(rules.box[RIGOLE], base=int(value)))


def _any(_: Ruleset) -> bool:
    return True


def _has_bonus(rules: Ruleset) -> bool:
    return rules.bonus_points > 0


def _has_joker(rules: Ruleset) -> bool:
    return rules.active_when != "never"


def _has_middle(rules: Ruleset) -> bool:
    return rules.middle != "none"


_NO_FURTHER = "a further Yahtzee is nothing special there"
_HOUSE = "World Yahtzee Institute, House Rules, line"

_ALL = (
    _parameter("columns", "rounds played, each with a column of its own", range(1, 7),
               "Casino Yahtzee Rules page, line 17", lambda rules: rules.rounds, "there are no rounds"),
    _parameter("active_when", "what the Yahtzee box must hold for a further Yahtzee to be special: 50, or anything",
               ("box_50", "box_filled"), "World Yahtzee Institute, lines 200 and 204", _has_joker,
               _NO_FURTHER),
    _parameter("forced_upper", "a further Yahtzee must go in the upper box of its face while that is open",
               (False, True), "BHO competition rules, lines 52 and 57", _has_joker, _NO_FURTHER),
    _parameter("after_upper", "a further Yahtzee whose upper box is filled goes in any box, or in the lower ones first",
               ("any", "lower_first"), "BoardGameArena, line 22", _has_joker, _NO_FURTHER),
    _parameter("bonus_when", "a further Yahtzee earns its bonus always, or only where it scored more than 0",
               ("always", "scored"), "Casino Yahtzee Rules page, line 143", _has_joker, _NO_FURTHER),
    _parameter("bonus_needs", "how many of the Yahtzee boxes must hold 50 for the bonus",
               ("one", "every"), "World Yahtzee Institute, line 86",
               lambda rules: _has_joker(rules) and rules.columns > 1 and not rules.rounds, "there is one Yahtzee box"),
    _parameter("first_yahtzee_in_box", "no bonus and no joker after a first five of a kind went in another box",
               (False, True), "BHO competition rules, line 51", lambda rules: _has_joker(rules) and rules.columns == 1,
               _NO_FURTHER),
    Setting("five_equal_full_house", "all dice alike are a Full House too", (False, True),
            "BHO competition rules, line 49; BoardGameArena, lines 19 and 47",
            lambda rules: rules.dice == 5, "six alike are a Full House by its text", _read_five_equal,
            _write_five_equal),
    _parameter("voluntary_zero", "a 0 may be written in any open box, also where the dice would score", (False, True),
               "Yahtzee Deluxe rules, line 51; BHO competition rules, line 57", _any, ""),
    Setting("rigole_points", "what a Rigole pays", range(1001), "BoardGameArena, line 51",
            lambda rules: RIGOLE in rules.box, "there is no Rigole", lambda rules: rules.box[RIGOLE].base,
            _write_rigole, on_card=True),
    Setting("yams_middle", "what Plus and Minus count: both and their difference, or the difference alone",
            ("sum", "delta"), "BoardGameArena, lines 34 to 40", _has_middle, "there is no Plus and Minus",
            lambda rules: rules.middle, lambda rules, value: replace(rules, middle=value),  # type: ignore[arg-type]
            on_card=True),
    _parameter("plus_over_minus", "Plus and Minus count nothing unless Plus is the greater", (False, True),
               "BoardGameArena, line 38", _has_middle, "there is no Plus and Minus", on_card=True),
    _parameter("start_dice", "with how many dice it is thrown for who starts", ("one", "all"),
               "Yahtzee Deluxe rules, line 6; one die by BHO competition rules, line 31", _any, ""),
    _parameter("tie", "how equal totals are broken: not (people decide), by one die each, by one throw of all dice, "
               "or by up to three rolls, the highest sum", ("ask", "one_die", "all_dice", "three_rolls"),
               "World Yahtzee Institute, FAQ, lines 330 to 332, names the ways", _any, ""),
    _parameter("clockwise", "the turn goes round clockwise, as the players are listed", (False, True),
               "Yahtzee Deluxe rules, line 6", _any, ""),
    _parameter("mulligan", "once a match each, a fourth roll in a turn of one's choice", (False, True),
               f"{_HOUSE} 261", _any, "", house=True),
    _parameter("chance_chance", "instead of scoring Chance: all dice once more, for Chance only",
               (False, True), f"{_HOUSE} 265", lambda rules: CHANCE in rules.box, "there is no Chance", house=True),
    _parameter("mega_yahtzee", "once a match each, a turn with a sixth die; the best five count",
               (False, True), f"{_HOUSE} 275", lambda rules: rules.dice == 5, "there are six dice already", house=True),
    _parameter("fool_house", "a Full House must be scored when it is rolled", (False, True), f"{_HOUSE} 277", _any, "",
               house=True),
    _parameter("battle_cry", "a Yahtzee that is not cried out is scored 0", (False, True), f"{_HOUSE} 281", _any, "",
               house=True),
    _parameter("bottoms_up", "a drink on an agreed event; it changes no score", (False, True), f"{_HOUSE} 273", _any,
               "", house=True),
    _parameter("mega_bonus", "what six alike earn besides in a Mega-Yahtzee turn", range(1001), f"{_HOUSE} 275",
               lambda rules: rules.dice == 5, "there are six dice already"),
    _parameter("chance_chance_bonus", "five alike in a Chance-Chance earn the Yahtzee bonus too", (False, True),
               f"{_HOUSE} 265", lambda rules: CHANCE in rules.box and _has_bonus(rules), _NO_FURTHER),
)  # fmt: skip

SETTINGS: Mapping[str, Setting] = {setting.name: setting for setting in _ALL}
"""Every setting there is, in the order in which they are listed."""

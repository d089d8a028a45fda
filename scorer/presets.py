"""The nine rulesets on offer, as values."""

from collections.abc import Mapping
from types import MappingProxyType

from scorer import readings, texts
from scorer.boxes import DELUXE_BOXES, YAHTZEE_BOXES, YAMS_BOXES
from scorer.errors import RulesetError
from scorer.rules import Ruleset
from scorer.settings import Value, change

BHO = Ruleset(
    name="bho",
    title="BHO competition rules",
    about="BHO competitions. Second Yahtzee: its upper box, else joker anywhere.",
    source=texts.BHO,
    texts=texts.BHO_TEXTS,
    readings=readings.BHO_READINGS,
    remarks=readings.BHO_REMARKS,
    boxes=YAHTZEE_BOXES,
    active_when="box_50",
    forced_upper=True,
    after_upper="any",
    bonus_when="always",
    bonus_points=100,
)

CASINO = Ruleset(
    name="casino",
    title="Standard game of the casino page",
    about="One to six rounds. Joker free, even after a 0; 100 where it scores.",
    source=texts.CASINO,
    texts=texts.CASINO_TEXTS,
    readings=readings.CASINO_READINGS,
    remarks=readings.CASINO_REMARKS,
    boxes=YAHTZEE_BOXES,
    rounds=True,
    active_when="box_filled",
    forced_upper=False,
    after_upper="any",
    bonus_when="scored",
    bonus_points=100,
)

WYI = Ruleset(
    name="wyi",
    title="World Yahtzee Institute",
    about="World Yahtzee Institute. Second Yahtzee: its upper box, else below.",
    source=texts.WYI,
    texts=texts.WYI_TEXTS,
    readings=readings.WYI_READINGS,
    remarks=readings.WYI_REMARKS,
    boxes=YAHTZEE_BOXES,
    active_when="box_50",
    forced_upper=True,
    after_upper="lower_first",
    bonus_when="always",
    bonus_points=100,
)

OFFICIAL = Ruleset(
    name="official",
    title="Official rules: a joker also after a zero",
    about="Hasbro's joker: as wyi, and also after a 0 in the Yahtzee box.",
    source="Hasbro's rules of Yahtzee",
    texts=texts.HASBRO_TEXTS,
    readings=readings.OFFICIAL_READINGS,
    remarks=readings.OFFICIAL_REMARKS,
    boxes=YAHTZEE_BOXES,
    active_when="box_filled",
    forced_upper=True,
    after_upper="lower_first",
    bonus_when="always",
    bonus_points=100,
)

VERHOEFF = Ruleset(
    name="verhoeff",
    title="Free joker, as in Verhoeff's optimal solitaire Yahtzee",
    about="A free joker, even after a 0; best solitaire play is worth 254.59.",
    source="T. Verhoeff, Optimal Solitaire Yahtzee Strategies, 1999",
    texts=texts.VERHOEFF_TEXTS,
    readings=readings.VERHOEFF_READINGS,
    remarks=readings.VERHOEFF_REMARKS,
    boxes=YAHTZEE_BOXES,
    active_when="box_filled",
    forced_upper=False,
    after_upper="any",
    bonus_when="always",
    bonus_points=100,
)

BGA = Ruleset(
    name="bga",
    title="Yahtzee on BoardGameArena",
    about="BoardGameArena's Yahtzee. Says less than bho, and plays the same.",
    source=texts.BGA,
    texts=texts.BGA_TEXTS,
    readings=readings.BGA_READINGS,
    remarks=readings.BGA_REMARKS,
    boxes=YAHTZEE_BOXES,
    active_when="box_50",
    forced_upper=True,
    after_upper="any",
    bonus_when="always",
    bonus_points=100,
)

YAMS = Ruleset(
    name="yams",
    title="Yams on BoardGameArena",
    about="BoardGameArena's Yams: Plus, Minus, Rigole; no joker and no 100.",
    source=texts.BGA,
    texts=texts.YAMS_TEXTS,
    readings=readings.YAMS_READINGS,
    remarks=readings.YAMS_REMARKS,
    boxes=YAMS_BOXES,
    upper_bonus_from=60,
    upper_bonus=30,
    upper_bonus_excess=True,
    middle="sum",
)

TRIPLE = Ruleset(
    name="triple",
    title="Triple Yahtzee",
    about="Three columns at once, which count once, twice and three times.",
    source=texts.WYI,
    texts=texts.TRIPLE_TEXTS,
    readings=readings.TRIPLE_READINGS,
    remarks=readings.TRIPLE_REMARKS,
    boxes=YAHTZEE_BOXES,
    columns=3,
    weights=(1, 2, 3),
    active_when="box_50",
    forced_upper=True,
    after_upper="lower_first",
    bonus_when="always",
    bonus_points=100,
)

DELUXE = Ruleset(
    name="deluxe",
    title="Yahtzee Deluxe, with six dice",
    about="Six dice, fourteen lines, any to cross out; no joker and no 100.",
    source=texts.DELUXE,
    texts=texts.DELUXE_TEXTS,
    readings=readings.DELUXE_READINGS,
    remarks=readings.DELUXE_REMARKS,
    boxes=DELUXE_BOXES,
    dice=6,
    upper_bonus_from=84,
    upper_bonus=50,
    voluntary_zero=True,
)

RULESETS: Mapping[str, Ruleset] = MappingProxyType(
    {rules.name: rules for rules in (BHO, CASINO, WYI, OFFICIAL, VERHOEFF, BGA, YAMS, TRIPLE, DELUXE)}
)


def ruleset(name: str, settings: Mapping[str, Value] | None = None) -> Ruleset:
    """The ruleset of this name with some settings changed.

    Raises `RulesetError` for a name or a setting that is not known, or a value that the setting cannot have.
    """
    try:
        rules = RULESETS[name]
    except KeyError:
        raise RulesetError(f"unknown rules {name!r}; known: {', '.join(RULESETS)}") from None
    for setting, value in (settings or {}).items():
        rules = change(rules, setting, value)
    return rules

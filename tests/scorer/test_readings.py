"""How the texts were read: every setting of every ruleset has its reason, and no ruleset has one too many."""

import pytest

from scorer.presets import RULESETS
from scorer.readings import HOUSE_RULES
from scorer.rules import Ruleset
from scorer.settings import SETTINGS, settings_of


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_every_setting_says_why_it_has_its_value(rules: Ruleset) -> None:
    assert rules.readings.keys() == settings_of(rules).keys()
    for reading in (*rules.readings.values(), *rules.remarks):
        assert reading.because and reading.source


def test_every_house_rule_is_described() -> None:
    assert HOUSE_RULES.keys() == {name for name, setting in SETTINGS.items() if setting.house}


SILENT = {
    "five_equal_full_house": {"bho", "bga", "yams"},
    "tie": {"bho", "casino", "bga", "yams", "deluxe"},
    "active_when": {"bga"},
    "after_upper": {"bga"},
    "rigole_points": {"yams"},
    "plus_over_minus": {"yams"},
    "bonus_needs": {"triple"},
    "start_dice": {"casino", "bga", "yams", "deluxe"},
}


@pytest.mark.parametrize(("name", "silent"), SILENT.items(), ids=list(SILENT))
def test_where_a_text_is_silent_the_reading_says_so(name: str, silent: set[str]) -> None:
    having = (rules for rules in RULESETS.values() if name in rules.readings)
    assert {rules.name for rules in having if rules.readings[name].says == "silent"} == silent

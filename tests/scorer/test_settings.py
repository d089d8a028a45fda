"""Settings: changing a ruleset before a match, and refusing what it cannot have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import RulesetError
from scorer.presets import BHO, RULESETS, ruleset
from scorer.rules import Ruleset
from scorer.settings import SETTINGS, change, changed, house_rules, on_card, parse_settings, settings_of, spell
from tests.scorer.strategies import presets, values_of


@given(st.data(), presets, st.sampled_from(list(SETTINGS)))
def test_a_setting_is_read_back_and_changes_nothing_else(data: st.DataObject, preset: Ruleset, name: str) -> None:
    value = data.draw(values_of(name))
    if not SETTINGS[name].applies(preset):
        with pytest.raises(RulesetError, match=f"rules {preset.name} cannot have it"):
            change(preset, name, value)
        return
    rules = change(preset, name, spell(value))
    assert settings_of(rules)[name] == value
    before = settings_of(preset)
    assert {other for other, now in settings_of(rules).items() if now != before.get(other)} <= {name}
    assert ruleset(preset.name, changed(preset, rules)) == rules


@pytest.mark.parametrize(
    ("name", "settings", "complaint"),
    [
        ("bho", {"joker": "free"}, "unknown setting 'joker'; rules bho have active_when, forced_upper"),
        ("bho", {"rigole_points": "5"}, "rules bho cannot have it, there is no Rigole"),
        ("yams", {"rigole_points": "-1"}, "it takes 0 to 1000"),
        ("yams", {"rigole_points": "1001"}, "it takes 0 to 1000"),
        ("yams", {"yams_middle": "Delta"}, "it takes sum, delta"),
        ("yams", {"chance_chance": "yes"}, "there is no Chance"),
        ("deluxe", {"mega_yahtzee": "yes"}, "there are six dice already"),
        ("casino", {"columns": "7"}, "it takes 1 to 6 (Casino Yahtzee Rules page, line 17)"),
        ("casino", {"columns": "0"}, "it takes 1 to 6"),
        ("bho", {"columns": "2"}, "there are no rounds"),
        ("bho", {"mega_bonus": "1500"}, "it takes 0 to 1000 (World Yahtzee Institute, House Rules, line 275)"),
        ("bho", {"mulligan": "maybe"}, "it takes no, yes"),
        ("poker", {}, "unknown rules 'poker'; known: bho, casino, wyi, official, verhoeff, bga, yams, triple, deluxe"),
    ],
)
def test_what_a_ruleset_cannot_have_is_refused_with_the_rule(
    name: str, settings: dict[str, str], complaint: str
) -> None:
    with pytest.raises(RulesetError) as refusal:
        ruleset(name, settings)
    assert complaint in str(refusal.value)


@pytest.mark.parametrize("text", ["mulligan", "=yes", "mulligan=", ""])
def test_a_setting_is_written_as_name_and_value(text: str) -> None:
    with pytest.raises(RulesetError, match="write NAME=VALUE"):
        parse_settings([text])


def test_a_setting_has_one_value() -> None:
    assert parse_settings(["fool-house=yes", "tie=ask"]) == {"fool_house": "yes", "tie": "ask"}
    with pytest.raises(RulesetError, match="twice"):
        parse_settings(["tie=ask", "tie=one_die"])


def test_the_house_rules_in_force() -> None:
    rules = ruleset("wyi", {"mulligan": True, "fool_house": "on", "mega_bonus": 10})
    assert house_rules(rules) == ("mulligan", "fool_house")
    assert changed(RULESETS["wyi"], rules) == {"mulligan": True, "fool_house": True, "mega_bonus": 10}
    assert changed(BHO, BHO) == {}


def test_a_card_names_the_choices_that_decide_its_numbers() -> None:
    assert on_card(BHO, BHO) == ""
    assert on_card(BHO, ruleset("bho", {"mulligan": True})) == "mulligan=yes"
    yams = RULESETS["yams"]
    assert on_card(yams, yams) == "rigole_points=50 yams_middle=sum plus_over_minus=no"
    assert on_card(yams, change(yams, "yams_middle", "delta")).startswith("rigole_points=50 yams_middle=delta")


def test_rules_are_values() -> None:
    assert ruleset("bho", {"mulligan": "yes"}) == ruleset("bho", {"mulligan": "yes"}) != BHO
    assert hash(ruleset("bho")) == hash(BHO)


def test_the_same_settings_are_the_same_rules() -> None:
    settings = {"five_equal_full_house": True, "mulligan": True, "rigole_points": 40}
    for rules in ("bho", "yams"):
        chosen = {name: value for name, value in settings.items() if name in settings_of(ruleset(rules))}
        assert ruleset(rules, chosen) == ruleset(rules, chosen)

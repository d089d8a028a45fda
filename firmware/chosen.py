"""The ruleset that was asked for, by its name and its settings."""

import sys
from collections.abc import Sequence

from scorer.presets import ruleset
from scorer.rules import Ruleset
from scorer.settings import MOST_HOUSE_RULES, house_rules, parse_settings


def chosen_rules(name: str, settings: Sequence[str]) -> Ruleset:
    """The ruleset with these settings; more house rules than are recommended get a line on stderr, no refusal.

    Raises `RulesetError` for a name, setting or value that is not known.
    """
    rules = ruleset(name, parse_settings(settings))
    in_force = house_rules(rules)
    if len(in_force) > MOST_HOUSE_RULES:
        count = f"{len(in_force)} house rules ({', '.join(in_force)})"
        print(f"fairtray: warning: {count}: {rules.texts['many_house_rules']}", file=sys.stderr)
    return rules

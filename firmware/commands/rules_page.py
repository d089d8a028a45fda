"""The tables of docs/rules.md, written from the data: `python -m firmware.commands.rules_page` renews them in place."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from firmware.commands.rulebook import sentence
from scorer.agreed import AGREEMENTS
from scorer.legal import REASONS
from scorer.presets import RULESETS
from scorer.readings import HOUSE_RULES, SAYS_OPEN
from scorer.settings import SETTINGS, Setting, settings_of, spell

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"


def renewed(page: str) -> str:
    """The page with every table between `<!-- NAME -->` and `<!-- end -->` as the data have it now."""
    for name, table in _tables().items():
        before, begin, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->\n")
        page = f"{before}{begin}\n{table}\n{end}{after}"
    return page


def _tables() -> dict[str, str]:
    return {
        "rulesets": _table(
            ("rules", "what they are", "source"),
            ((f"`{rules.name}`", rules.about, rules.source) for rules in RULESETS.values()),
        ),
        "settings": _table(
            ("setting", "takes", "default", "what it means", "open in", "source"),
            (_setting(setting) for setting in SETTINGS.values()),
        ),
        "house rules": _table(
            ("house rule", "effect", "where the text is silent", "source"),
            ((f"`{name}` ({x.title})", x.effect, " ".join(x.silent), x.source) for name, x in HOUSE_RULES.items()),
        ),
        "refusals": _table(
            ("reason", "the roll may not go there because"), ((f"`{reason}`", why) for reason, why in REASONS.items())
        ),
        "agreements": _table(
            ("agreement", "takes", "what it means"),
            ((f"`{name}`", agreement.takes, sentence(agreement.about)) for name, agreement in AGREEMENTS.items()),
        ),
    }


def _setting(setting: Setting) -> Sequence[str]:
    name = setting.name
    having = [rules.name for rules in RULESETS.values() if name in settings_of(rules)]
    open_in = [rules for rules in having if RULESETS[rules].readings[name].says in SAYS_OPEN]
    return (
        f"`{name}`",
        setting.range,
        _default(name, having),
        sentence(setting.about),
        _names(open_in) if open_in else "",
        setting.source,
    )


def _default(name: str, having: Sequence[str]) -> str:
    """The default, with the rulesets that have each value where they differ, or do not all have the setting."""
    values: dict[str, list[str]] = {}
    for rules in having:
        values.setdefault(spell(settings_of(RULESETS[rules])[name]), []).append(rules)
    if len(values) == 1:
        value = next(iter(values))
        return value if len(having) == len(RULESETS) else f"{value} ({_names(having)})"
    return "; ".join(f"{value} ({', '.join(names)})" for value, names in values.items())


def _names(names: Sequence[str]) -> str:
    """Some rulesets, or those that are missing where these are fewer."""
    others = [name for name in RULESETS if name not in names]
    if not others:
        return "all"
    return f"all but {', '.join(others)}" if len(others) < len(names) else ", ".join(names)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

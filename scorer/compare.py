"""Where two rulesets differ: every parameter, box and setting, each with a roll that they answer differently."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from scorer.boxes import MINUS, PLUS, YAHTZEE, Box
from scorer.card import Card
from scorer.cases import FURTHER, Answer, Case, Outline, answers, example_roll, main_face
from scorer.dice import FACES, Dice
from scorer.rules import Ruleset
from scorer.settings import SETTINGS, change, settings_of, spell

Example = tuple[Case | None, Case | None]
"""What each of the two answers, on cards that mean the same; None where one has no such dice."""

_EMPTY = Outline()
_ALIKE = (
    *FURTHER,
    Outline(yahtzee="mixed"),
    Outline(yahtzee="mixed", own_upper=True),
    Outline(yahtzee="full", own_upper=True, passed=True),
)
"""Cards for all dice alike."""
_PLUS_FILLED = Outline(box=PLUS, points=22)
_ANY = (_EMPTY, *(Outline(uppers=count) for count in range(1, 6)), _PLUS_FILLED)
"""Cards for any dice: empty, one upper box short of the bonus, and Plus filled."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which two rulesets differ, in a player's words, and what each has.

    `example` shows it alone: with the other's value there, and nothing else, its answer changes too. None where no
    card and roll was found for which it does: such a thing decides about throws, turns or totals.
    """

    name: str
    about: str
    first: str
    second: str
    example: Example | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences; and the settings that only one of the two has, whatever their values."""

    differences: tuple[Difference, ...]
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _CardPart:
    """What the card is like: how a ruleset has it, and the boxes that show it for ones on a card like `outline`."""

    name: str
    about: str
    say: Callable[[Ruleset], str]
    box: str
    outline: Outline = _EMPTY


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter, or several that belong together: what a ruleset has, and how to take it over from another."""

    name: str
    about: str
    say: Callable[[Ruleset], str]
    take: Callable[[Ruleset, Ruleset], Ruleset]


def compare(first: Ruleset, second: Ruleset) -> Comparison:
    """Everything in which the two differ, the card first, then the rules, then the settings that both have."""
    ours, theirs = settings_of(first), settings_of(second)
    shared = [name for name in ours if name in theirs and name not in {part.name for part in _CARD}]
    level = second
    for name in shared:
        level = change(level, name, ours[name])
    found = [_card_difference(first, second, x) for x in _CARD if x.say(first) != x.say(level)]
    found += [_box_difference(first, second, name) for name in _boxes(first, level)]
    found += [_difference(first, second, x) for x in _PARAMETERS if x.say(first) != x.say(level)]
    found += [_difference(first, second, _setting(name)) for name in shared if ours[name] != theirs[name]]
    only_first, only_second = (
        tuple(n for n in one if n not in other) for one, other in ((ours, theirs), (theirs, ours))
    )
    return Comparison(tuple(found), only_first, only_second)


def _say_columns(rules: Ruleset) -> str:
    if rules.columns == 1:
        return "one"
    if rules.rounds:
        return f"{rules.columns}, played one after another"
    *others, last = [str(rules.weight(column)) for column in range(1, rules.columns + 1)]
    times = f", counting {', '.join(others)} and {last} times" if rules.weights else ""
    further = "; a further Yahtzee is one once every Yahtzee box is filled" if rules.active_when != "never" else ""
    return f"{rules.columns}, free to choose from{times}{further}"


def _say_upper_bonus(rules: Ruleset) -> str:
    excess = ", and 1 more for each point above" if rules.upper_bonus_excess else ""
    return f"{rules.upper_bonus} from {rules.upper_bonus_from} points{excess}"


def _take_upper_bonus(rules: Ruleset, other: Ruleset) -> Ruleset:
    return replace(
        rules,
        upper_bonus=other.upper_bonus,
        upper_bonus_from=other.upper_bonus_from,
        upper_bonus_excess=other.upper_bonus_excess,
    )


def _say_further(rules: Ruleset) -> str:
    earns = [f"earns {rules.bonus_points}"] if rules.bonus_points else []
    joker = ["is placed by the joker rules"] if rules.active_when != "never" else []
    return " and ".join(earns + joker) or "is a roll like any other"


def _take_further(rules: Ruleset, other: Ruleset) -> Ruleset:
    return replace(
        rules,
        active_when=other.active_when,
        forced_upper=other.forced_upper,
        after_upper=other.after_upper,
        bonus_when=other.bonus_when,
        bonus_needs=other.bonus_needs,
        bonus_points=other.bonus_points,
        first_yahtzee_in_box=other.first_yahtzee_in_box,
    )


def _say_middle(rules: Ruleset) -> str:
    return {
        "none": "no such boxes",
        "sum": "both count, and so does their difference (Delta)",
        "delta": "their difference (Delta) alone counts",
    }[rules.middle]


_CARD = (
    _CardPart("dice", "Dice thrown", lambda rules: str(rules.dice), YAHTZEE),
    _CardPart("columns", "Columns of the card", _say_columns, YAHTZEE),
    _CardPart("middle", "Plus and Minus", _say_middle, MINUS, _PLUS_FILLED),
)

_PARAMETERS = (
    _Parameter("rolls", "Rolls of a turn", lambda rules: str(rules.rolls),
               lambda rules, other: replace(rules, rolls=other.rolls)),
    _Parameter("upper_bonus", "Bonus for a column's upper boxes", _say_upper_bonus, _take_upper_bonus),
    _Parameter("further_yahtzee", "All dice alike once the Yahtzee box is filled", _say_further, _take_further),
)  # fmt: skip


def _setting(name: str) -> _Parameter:
    """A setting as a parameter; the example then shows that setting alone."""
    setting = SETTINGS[name]
    about = setting.about[0].upper() + setting.about[1:]
    return _Parameter(
        name,
        about,
        lambda rules: spell(setting.read(rules)),
        lambda rules, other: setting.write(rules, setting.read(other)),
    )


def _difference(first: Ruleset, second: Ruleset, parameter: _Parameter) -> Difference:
    example = _example(first, second, parameter)
    return Difference(parameter.name, parameter.about, parameter.say(first), parameter.say(second), example)


def _card_difference(first: Ruleset, second: Ruleset, part: _CardPart) -> Difference:
    ours, theirs = (_case(rules, part.outline, (1,) * rules.dice, [part.box], every=True) for rules in (first, second))
    return Difference(part.name, part.about, part.say(first), part.say(second), (ours, theirs))


def _boxes(first: Ruleset, second: Ruleset) -> Iterator[str]:
    """The boxes that only one of the two has, or that pay differently."""
    for name in dict.fromkeys([*first.box, *second.box]):
        ours, theirs = first.box.get(name), second.box.get(name)
        if ours is None or theirs is None or _asks(ours) != _asks(theirs) or _pays_otherwise(first, second, name):
            yield name


def _box_difference(first: Ruleset, second: Ruleset, name: str) -> Difference:
    ours, theirs = first.box.get(name), second.box.get(name)
    title = next(box.title for box in (ours, theirs) if box is not None)
    return Difference(f"box {name}", title, _say_box(ours), _say_box(theirs), _box_example(first, second, name))


def _asks(box: Box) -> tuple[str, str]:
    return box.needs, box.pays


def _say_box(box: Box | None) -> str:
    if box is None:
        return "no such box"
    return box.pays if box.face is not None else f"{box.needs}: {box.pays}"


def _natural(rules: Ruleset, name: str, dice: Dice) -> int | None:
    return rules.box[name].natural(dice) if name in rules.box else None


def _pays_otherwise(first: Ruleset, second: Ruleset, name: str) -> bool:
    same_dice = first.dice == second.dice
    return same_dice and any(_natural(first, name, dice) != _natural(second, name, dice) for dice in first.worth)


def _box_example(first: Ruleset, second: Ruleset, name: str) -> Example:
    """A roll that belongs in the box: the same one for both where they have the same dice."""
    rolls = [example_roll(rules, rules.box[name]) if name in rules.box else None for rules in (first, second)]
    if first.dice == second.dice:
        examples = [dice for dice in rolls if dice is not None]
        telling = (x for x in (*examples, *first.worth) if _natural(first, name, x) != _natural(second, name, x))
        rolls = [next(telling, examples[0])] * 2
    cases = [
        None if dice is None else _case(rules, _EMPTY, dice, [name])
        for rules, dice in zip((first, second), rolls, strict=True)
    ]
    return cases[0], cases[1]


def _example(first: Ruleset, second: Ruleset, parameter: _Parameter) -> Example | None:
    """The simplest card and roll for which the parameter alone changes the answer of one, and the two differ.

    Best is one for which it changes the answer to that of the other, so that nothing else is at work.
    """
    second_best: Example | None = None
    for base, other in ((first, second), (second, first)):
        varied = parameter.take(base, other)
        for outline, ours, theirs in _questions(base, other):
            changed, alone = _changed(base, varied, other, outline, ours, theirs)
            if alone or (changed and second_best is None):
                cases = [
                    _case(rules, outline, dice, alone or changed) for rules, dice in ((base, ours), (other, theirs))
                ]
                example = (cases[0], cases[1]) if base is first else (cases[1], cases[0])
                if alone:
                    return example
                second_best = example
    return second_best


def _questions(base: Ruleset, other: Ruleset) -> Iterator[tuple[Outline, Dice, Dice]]:
    """Cards with a roll for each of the two: the same dice where both throw as many, else all alike."""
    alike = [((face,) * base.dice, (face,) * other.dice) for face in FACES]
    if base.mega_yahtzee != other.mega_yahtzee:
        alike += [((face,) * max(base.dice_allowed), (face,) * max(other.dice_allowed)) for face in FACES]
    every = [(dice, dice) for dice in base.worth] if base.dice == other.dice else alike
    for outlines, rolls in ((_ANY[:1], every), (_ALIKE, alike), (_ANY[1:], every)):
        for outline in outlines:
            for ours, theirs in rolls:
                yield outline, ours, theirs


def _changed(
    base: Ruleset, varied: Ruleset, other: Ruleset, outline: Outline, ours: Dice, theirs: Dice
) -> tuple[list[str], list[str]]:
    """The boxes that both have, whose answers change with the parameter and differ between the two.

    Second, those of them whose answers then are the other's.
    """
    before = _answers(base, outline, ours)
    after = _answers(varied, outline, ours if len(ours) in varied.dice_allowed else theirs)
    if before == after:
        return [], []
    there = _answers(other, outline, theirs)
    changed = [name for name in before if before[name] != after.get(name) and name in there]
    shared = [name for name in changed if before[name] != there[name]]
    return shared, [name for name in shared if after.get(name) == there[name]]


def _answers(rules: Ruleset, outline: Outline, dice: Dice) -> dict[str, tuple[object, ...]]:
    """What the rules say of each box of the first column, by its plain name; nothing where there is no such card."""
    card = outline.card(rules, main_face(dice))
    if card is None:
        return {}
    return {rules.by_name[x.box].box.name: _content(x) for x in answers(rules, card, dice) if _is_first(rules, x)}


def _content(answer: Answer) -> tuple[object, ...]:
    """The answer without the name of its box."""
    legal = answer.legal and (answer.legal.points, answer.legal.yahtzee_bonus, answer.legal.upper_bonus)
    return legal, answer.in_all, answer.reason, answer.or_zero


def _is_first(rules: Ruleset, answer: Answer) -> bool:
    return rules.by_name[answer.box].column == 1


def _case(rules: Ruleset, outline: Outline, dice: Dice, boxes: Sequence[str], every: bool = False) -> Case | None:
    """The rules' answer about these boxes of the first column, or of `every` one."""
    card = outline.card(rules, main_face(dice))
    if card is None:
        return None
    return Case(rules.name, "".join(map(str, dice)), str(card), _about(rules, card, dice, boxes, every))


def _about(rules: Ruleset, card: Card, dice: Dice, boxes: Sequence[str], every: bool) -> tuple[Answer, ...]:
    said = answers(rules, card, dice)
    return tuple(x for x in said if rules.by_name[x.box].box.name in boxes and (every or _is_first(rules, x)))

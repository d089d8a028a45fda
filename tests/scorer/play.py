"""People at a table as a random process: mostly sensible, now and then wrong, sometimes nonsense.

Every choice comes from the generator that is passed in, so that a match can be played again from its seed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import get_args

from scorer.card import Card
from scorer.events import (
    BodyInterfered,
    BoxAgreed,
    BoxChosen,
    BoxDisputed,
    CryAnswered,
    DiceAtRest,
    DiceLifted,
    DiceThrown,
    DieAnswered,
    DieFact,
    DieUnseen,
    Fact,
    HandEntered,
    HoldAnswered,
    HouseRuleCalled,
    HouseRulesDeclared,
    KeptDieChanged,
    KeptDieMoved,
    PauseCalled,
    ReadingAnswered,
    RefereeCalled,
    RefereeDecided,
    ResumeCalled,
    Ruling,
    ThrowOffStopped,
    Undo,
    ViewFault,
    ViewLost,
    ViewRestored,
)
from scorer.presets import RULESETS
from scorer.rules import Ruleset
from scorer.said import HouseRule
from scorer.settings import SETTINGS, change
from scorer.state import Options, State, StrictRule, new_match
from scorer.turn import Die, OpenRoll, Reroll
from scorer.umpire import start, step
from tests.scorer.tray import at, die

PEOPLE = ("Ann", "Ben", "Cy")
LENGTH = 40
"""How many things happen in a match, unless it is over before."""

SAID = ("it leaned", "all saw it", "all saw it", "")


@dataclass(frozen=True)
class Taken:
    """One step of a match."""

    fact: Fact
    before: State
    rulings: tuple[Ruling, ...]
    after: State


def _opening(random: Random) -> State:
    """A match by any rules with cards that are nearly full, so that its end comes in sight."""
    rules = some_rules(random)
    players = PEOPLE[: random.randint(1, 3)]
    state = new_match(rules, players, some_options(random))
    left = random.choice([1, 1, 2, 3, len(rules.slots)])
    cards = [_card(random, rules, left) for _ in players]
    alike = random.random() < 0.5
    return replace(state, cards=tuple(cards[:1] * len(players) if alike else cards))


def _card(random: Random, rules: Ruleset, left: int) -> Card:
    """A card with that many open boxes, the last ones where columns are rounds."""
    slots = list(rules.slots)
    if not rules.rounds:
        random.shuffle(slots)
    filled: Mapping[str, int] = {
        slot.name: random.choice(rules.possible_points(slot.box)) for slot in slots[: len(slots) - left]
    }
    return Card(filled)


def play(seed: int) -> tuple[State, list[Taken]]:
    """A match's state before it is opened, and its steps."""
    random = Random(seed)
    first = _opening(random)
    state, _ = start(first)
    steps: list[Taken] = []
    t = 1.0
    while len(steps) < LENGTH and not (state.over and random.random() < 0.8):
        for fact in some_facts(random, state, t):
            after, rulings = step(state, fact)
            steps.append(Taken(fact, state, rulings, after))
            state = after
        t += 4.0
    return first, steps


def some_rules(random: Random) -> Ruleset:
    """Any preset with some settings changed, house rules among them."""
    rules = random.choice(list(RULESETS.values()))
    for name, setting in SETTINGS.items():
        if setting.applies(rules) and random.random() < (0.35 if setting.house else 0.15):
            rules = change(rules, name, setting.values[-1] if setting.house else random.choice(setting.values))
    return rules


def some_options(random: Random) -> Options:
    """Any agreement of the players."""
    return Options(
        automatic_boxes=random.random() < 0.15,
        strict=frozenset(rule for rule in get_args(StrictRule) if random.random() < 0.15),
        cocked_stands=random.random() < 0.2,
        as_it_lies=random.random() < 0.2,
        marker=random.random() < 0.5,
        announce=random.random() < 0.2,
        throw_for_start=random.random() < 0.3,
        seconds_to_play=random.choice([None, None, 5.0]),
    )


def some_facts(random: Random, state: State, t: float) -> list[Fact]:
    """What happens next, from second `t`: mostly what the game waits for."""
    if random.random() < 0.07:
        return [_nonsense(random, state, t)]
    if random.random() < 0.12:
        return _disorder(random, state, t)
    match state.waiting_for:
        case "throw":
            return _turn(random, state, t)
        case "box":
            return [_box(random, state, t)]
        case "agreement":
            player = state.marker if random.random() < 0.9 else random.choice(PEOPLE)
            kind = BoxAgreed if random.random() < 0.8 else BoxDisputed
            return [kind(t=t, player=player or "")]
        case "cry":
            return [CryAnswered(t=t, cried=random.random() < 0.7)]
        case "reroll" | "hold" | "reading" | "die":
            return _answer(random, state, t)
        case "dispute":
            return [_decision(random, state, t)]
        case "resume":
            return [ResumeCalled(t=t)]
        case _:
            return [_undo(random, state, t)]


def _disorder(random: Random, state: State, t: float) -> list[Fact]:
    """Play goes on over an open question, a roll is refused, or the referee is called, whatever the game waits for."""
    chance = random.random()
    if chance < 0.3:
        kept = tuple(record for record in state.turn.lying if random.random() < 0.5)
        return _throw(random, state, t, kept, random.randint(1, state.dice_in_play))
    if chance < 0.6:
        return [RefereeCalled(t=t, player=random.choice(PEOPLE))]
    return [_decision(random, state, t)] if chance < 0.9 else [HoldAnswered(t=t, counts=False)]


def _turn(random: Random, state: State, t: float) -> list[Fact]:
    if state.legal and random.random() < 0.5:
        return [_box(random, state, t)]
    if state.contest and state.turn.values and random.random() < 0.5:
        return [ThrowOffStopped(t=t, player=state.player)]
    if state.rules.mega_yahtzee and random.random() < 0.3:
        return [HouseRuleCalled(t=t, player=state.player, rule="mega_yahtzee")]
    lying = state.turn.lying if state.turn.roll else ()
    kept = tuple(record for record in lying if random.random() < 0.4)
    return _throw(random, state, t, kept, max(state.dice_in_play - len(kept), 1))


def _throw(random: Random, state: State, t: float, kept: tuple[Die, ...], count: int) -> list[Fact]:
    """Some dice lifted and thrown, with whatever may go wrong."""
    if random.random() < 0.02:
        count += random.choice([-1, 1])
    first = random.randint(100, 10**6)
    faces = random.choice(["123456", "123456", "66", "334", "12345", "6", "4"])
    facts = [_thrown_die(random, first + place, int(random.choice(faces))) for place in range(max(count, 1))]
    stayed = [_kept_die(random, record) for record in kept]
    lasting, tumble = random.choice([0.2] * 12 + [1.5]), random.choice([0.5] * 12 + [0.0])
    lifted = tuple(record.id for record in state.turn.lying if record not in kept)
    events: list[Fact] = [DiceLifted(**at(t), ids=lifted)] if lifted else []
    events.append(
        DiceThrown(**at(t + 1), count=len(facts), t_first=t + 1 - lasting, t_last=t + 1, tumble=(tumble,) * len(facts))
    )
    events += _mishap(random, t + 1.2, kept)
    ids, kept_ids = tuple(fact.id for fact in facts), tuple(fact.id for fact in stayed)
    return [*events, DiceAtRest(**at(t + 2), dice=(*facts, *stayed), thrown=ids, kept=kept_ids)]


def _thrown_die(random: Random, id_: int, value: int) -> DieFact:
    chance = random.random()
    if chance < 0.03:
        return die(id_, None, "off_tray")
    if chance < 0.06:
        return die(id_, value, random.choice(["cocked", "stacked"]))
    return die(id_, None, likely=value) if chance < 0.13 else die(id_, value)


def _kept_die(random: Random, record: Die) -> DieFact:
    return die(record.id, random.randint(1, 6) if random.random() < 0.03 else record.value)


def _mishap(random: Random, t: float, kept: tuple[Die, ...]) -> list[Fact]:
    chance = random.random()
    if chance < 0.02:
        return [BodyInterfered(**at(t))]
    if chance < 0.04:
        cause: ViewFault = "not_watched" if int(t) % 3 == 0 else "blocked"
        return [ViewLost(**at(t), cause=cause), ViewRestored(**at(t + 0.3), cause=cause)]
    if chance < 0.06 and kept:
        return [KeptDieMoved(**at(t), id=kept[0].id, identity="lost")]
    if chance < 0.08 and kept:
        return [KeptDieChanged(**at(t), id=kept[0].id, before=kept[0].value or 1, after=2, cause="hit")]
    return [DieUnseen(**at(t), count=1, last_seen="over_rim")] if chance < 0.1 else []


def _box(random: Random, state: State, t: float) -> Fact:
    fourth: list[HouseRule] = ["mulligan", "chance_chance"]
    declared = [rule for rule in fourth if getattr(state.rules, rule)]
    if declared and state.turn.roll >= state.rules.rolls and random.random() < 0.4:
        return HouseRuleCalled(t=t, player=state.player, rule=random.choice(declared))
    legal = state.legal
    if not legal or random.random() < 0.1:
        box, points = random.choice(state.rules.slots).name, random.randint(0, 50)
    else:
        placement = random.choice(legal)
        box, points = placement.box, placement.points
    announced = points if state.options.announce or random.random() < 0.2 else None
    return BoxChosen(t=t, player=state.player, box=box, announced=announced, cross=random.random() < 0.05)


def _answer(random: Random, state: State, t: float) -> list[Fact]:
    question = state.turn.question
    if isinstance(question, Reroll):
        return _throw(random, state, t, state.turn.lying, question.count)
    assert isinstance(question, OpenRoll)
    if random.random() < 0.1:
        return _throw(random, state, t, (), state.dice_in_play)
    if question.gone:
        return [DieAnswered(t=t, thrown=random.random() < 0.5)]
    if question.doubt:
        return [HoldAnswered(t=t, counts=random.random() < 0.7)]
    asked = question.asked
    return [ReadingAnswered(t=t, id=asked[0].id, value=random.randint(0, 6))] if asked else []


def _decision(random: Random, state: State, t: float) -> Fact:
    record = random.choice(state.turn.lying) if state.turn.lying else Die(0, None)
    entries = [mark.entry for mark in state.history] or [1]
    return RefereeDecided(
        t=t,
        action=random.choice(
            ["confirm", "correct_reading", "correct_reading", "restore_die", "throw_again", "withdraw", "warn",
             "disqualify", "reinstate"]
        ),
        reason=random.choice(SAID),
        replaces=random.choice([None, None, random.choice(entries)]),
        player=random.choice(PEOPLE),
        id=random.choice([None, record.id]),
        before=random.choice([None, record.value]),
        after=random.choice([None, 1, 2, 3, 4, 5, 6, 7]),
        by=random.choice([(), state.players, state.players[:1]]),
    )  # fmt: skip


def _undo(random: Random, state: State, t: float) -> Fact:
    entries = [mark.entry for mark in state.history] or [1]
    return Undo(t=t, entry=random.choice(entries), by=state.players)


def _nonsense(random: Random, state: State, t: float) -> Fact:
    """Anything at any time."""
    values = [random.randint(0, 7) for _ in range(3)]
    ids = [record.id for record in state.turn.lying] or [1]
    dice = tuple(die(random.choice(ids) + place % 2, random.choice([None, *values])) for place in range(5))
    thrown = tuple(fact.id for fact in dice if random.random() < 0.5)
    happenings: list[Fact] = [
        DiceAtRest(**at(t), dice=dice, thrown=thrown, kept=()),
        DiceThrown(**at(t), count=2, t_first=t, t_last=t),
        KeptDieChanged(**at(t), id=random.choice(ids), before=values[0], after=values[1], cause="hand"),
        HandEntered(**at(t)),
        ViewLost(**at(t), cause="glare"),
        ViewRestored(**at(t), cause="glare"),
        _undo(random, state, t),
        _decision(random, state, t),
        RefereeCalled(t=t, player=random.choice([None, *PEOPLE])),
        PauseCalled(t=t),
        ResumeCalled(t=t, player="Ann"),
        HouseRulesDeclared(t=t, settings={"mulligan": True, "tie": "one_die"}),
        HouseRuleCalled(t=t, player=random.choice(PEOPLE), rule="mulligan"),
        ThrowOffStopped(t=t, player=random.choice(PEOPLE)),
        BoxAgreed(t=t, player=random.choice(PEOPLE)),
        BoxDisputed(t=t, player=random.choice(PEOPLE)),
        CryAnswered(t=t, cried=False),
        HoldAnswered(t=t, counts=True),
        ReadingAnswered(t=t, id=random.choice(ids), value=random.choice((0, values[2]))),
        DieAnswered(t=t, thrown=False),
        _box(random, state, t),
    ]
    return random.choice(happenings)

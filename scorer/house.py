"""House rules: declared before the first throw, called in a turn (World Yahtzee Institute, House Rules)."""

from collections.abc import Mapping
from dataclasses import replace

from scorer.agreed import agreed
from scorer.bench import Bench
from scorer.boxes import CHANCE
from scorer.choice import withdraw
from scorer.contest import start_contest
from scorer.errors import MatchError, RulesetError, ScorerError
from scorer.events import (
    CallRefused,
    HouseRuleApplied,
    HouseRuleCalled,
    HouseRulesDeclared,
    MatchStarted,
    Noticed,
    Ruling,
)
from scorer.settings import MOST_HOUSE_RULES, Value, change, house_rules, settings_of
from scorer.state import State, Step, said
from scorer.undo import mark


def declare(state: State, settings: Mapping[str, Value]) -> State:
    """The state with these settings of its rules changed, all of them or none.

    Raises `MatchError` once dice of the match have been thrown: house rules are declared to all players before the
    game's first roll (World Yahtzee Institute, line 253); and for other dice for who starts while they are thrown.
    Raises `RulesetError` for a setting that the rules do not have, a value that it cannot have, or a house rule that
    was called and is given up.
    """
    if state.begun:
        raise MatchError(f"the match has begun: {state.rules.texts['house_rules_locked']}")
    rules = state.rules
    for name, value in settings.items():
        rules = change(rules, name, value)
    for called in state.turn.calls:
        if not getattr(rules, called):
            raise RulesetError(f"setting {called}: it was called in this turn; take that back first")
    contest = state.contest
    if contest and start_contest(rules, contest.players).dice != contest.dice:
        raise MatchError(f"start_dice: they are being thrown for who starts; {rules.texts['start_open']}")
    return replace(state, rules=rules)


def open_match(state: State, bench: Bench) -> Step:
    """The match is opened, or opened anew, with the rules as they are now; many house rules are remarked upon."""
    opened = MatchStarted(
        **{**bench.head("match"), "player": None},
        replaces=state.started or None,
        rules=state.rules.name,
        players=state.players,
        settings=settings_of(state.rules),
        agreed=agreed(state.options),
    )
    rulings: tuple[Ruling, ...] = (opened,)
    if len(house_rules(state.rules)) > MOST_HOUSE_RULES:
        rulings += (Noticed(**{**bench.head("match", "many_house_rules"), "player": None}),)
    return said(replace(state, started=state.entries + 1), *rulings)


def on_declared(state: State, declared: HouseRulesDeclared, bench: Bench) -> Step:
    """The players agree on house rules; after the first throw it is too late."""
    try:
        state = declare(state, declared.settings)
    except ScorerError as error:
        late = "house_rules_locked" if state.begun else "start_open"
        reason = late if isinstance(error, MatchError) else "setting_refused"
        return said(state, CallRefused(**bench.head("house_rule", reason), call="house_rules"))
    return open_match(state, bench.now(state))


def on_called(state: State, called: HouseRuleCalled, bench: Bench) -> Step:
    """A player calls a house rule for this turn, or is told why not."""
    reason = _objection(state, called)
    if reason is not None:
        head = bench.head("house_rule", reason, about=called.player)
        return said(state, CallRefused(**head, call=called.rule))
    before, turn = state, replace(state.turn, calls=state.turn.calls | {called.rule})
    state, withdrawn = withdraw(state, bench)
    state = replace(state, turn=turn, used=state.used | {(called.player, called.rule)})
    state, applied = said(state, HouseRuleApplied(**bench.head(called.rule), house_rule=called.rule))
    return mark(state, before, applied[0].entry, called=called.t), withdrawn + applied


def _objection(state: State, called: HouseRuleCalled) -> str | None:
    """Why the house rule does not hold now, or None where it does."""
    if state.barred or state.contest:
        return state.barred or "throw_off"
    if called.player != state.player:
        return "not_your_turn"
    if not getattr(state.rules, called.rule):
        return "not_declared"
    if called.rule == "mega_yahtzee":
        return _mega_objection(state)
    return _fourth_roll_objection(state, called.rule)


def _mega_objection(state: State) -> str | None:
    """A Mega-Yahtzee turn: once a match, called before its first throw."""
    if (state.player, "mega_yahtzee") in state.used:
        return "house_rule_used"
    untouched = state.turn.roll == 0 and state.turn.question is None and state.flight.count == 0
    return None if untouched else "before_first_throw"


def _fourth_roll_objection(state: State, rule: str) -> str | None:
    """A Mulligan, once a match, or a Chance-Chance where Chance may be chosen: after the last roll, not both."""
    turn = state.turn
    if turn.question is not None:
        return "roll_open"
    if turn.calls & {"mulligan", "chance_chance"}:
        return "one_fourth_roll"
    if not turn.values or turn.roll < state.rules.rolls:
        return "after_last_roll"
    if rule == "mulligan":
        return "house_rule_used" if (state.player, rule) in state.used else None
    boxes = {state.rules.by_name[legal.box].box.name for legal in state.legal}
    return None if CHANCE in boxes else "chance_not_open"

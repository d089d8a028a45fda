"""House rules, by the examples H1 to H15 of the rules' specification."""

from collections.abc import Mapping, Sequence

import pytest

from scorer.card import totals
from scorer.errors import MatchError, RulesetError
from scorer.events import BoxAgreed, Fact, HouseRuleCalled, HouseRulesDeclared, MatchStarted, Noticed
from scorer.house import declare
from scorer.messages import say
from scorer.presets import ruleset
from scorer.rules import Ruleset
from scorer.said import HouseRule
from scorer.settings import Value
from scorer.state import Options, new_match
from scorer.umpire import Umpire
from tests.scorer.tray import FIRST, choose, dice, die, feed, match, short, shorts, throw


def with_rules(**settings: Value) -> Ruleset:
    return ruleset("wyi", settings)


def call(rule: HouseRule, t: float = 20, player: str = "Ann") -> HouseRuleCalled:
    return HouseRuleCalled(t=t, player=player, rule=rule)


def three_rolls(values: str, t: float = 3, first: int = 1) -> list[Fact]:
    """A turn in which all dice are thrown three times, the last time these."""
    again = [throw(t + 6 * roll, dice("11223", first=first + 10 * roll)) for roll in range(2)]
    return [*again[0], *again[1], *throw(t + 12, dice(values, first=first + 20))]


FOURTH = throw(25, [die(31, 6)], kept=dice("1122", first=21))


def ruled(facts: Sequence[Fact], rules: Ruleset, card: str = "") -> list[str]:
    """What is ruled after a third roll of 1 1 2 2 3."""
    umpire, _ = match(three_rolls("11223"), rules=rules, cards=[card, ""])
    return shorts(feed(umpire, facts))


MULLIGAN = with_rules(mulligan=True)


def test_h1_a_mulligan_is_a_fourth_roll() -> None:
    umpire, rulings = match(three_rolls("11223"), call("mulligan"), FOURTH, rules=MULLIGAN)
    assert shorts(rulings)[-2:] == ["HouseRuleApplied house_rule=mulligan", "RollCounted roll=4 values=11226"]
    assert ("Ann", "mulligan") in umpire.state.used
    assert umpire.state.waiting_for == "box"


def test_h2_a_second_mulligan_in_the_game_is_refused() -> None:
    umpire, _ = match(
        three_rolls("11223"), call("mulligan"), FOURTH, choose(30, "1s"),
        throw(40, dice("12345", first=41)), choose(42, "LS", player="Ben"),
        three_rolls("66655", t=50, first=51), rules=MULLIGAN,
    )  # fmt: skip
    rulings = feed(umpire, call("mulligan", t=70), throw(75, [die(99, 6)], kept=dice("6665", first=71)))
    assert shorts(rulings) == ["CallRefused house_rule_used call=mulligan", "RollRefused three_rolls"]
    assert umpire.state.turn.values == (5, 5, 6, 6, 6)


def test_h3_a_fourth_roll_without_mulligan_is_no_roll() -> None:
    assert ruled(FOURTH, MULLIGAN) == ["RollRefused three_rolls"]


def test_a_mulligan_is_called_after_the_third_roll_by_the_roller_where_it_was_declared() -> None:
    _, rulings = match(FIRST, call("mulligan"), call("mulligan", player="Ben"), rules=MULLIGAN)
    assert shorts(rulings)[1:] == [
        "CallRefused after_last_roll call=mulligan",
        "CallRefused not_your_turn call=mulligan",
    ]
    assert ruled([call("mulligan")], with_rules()) == ["CallRefused not_declared call=mulligan"]
    both = with_rules(mulligan=True, chance_chance=True)
    assert ruled([call("mulligan"), call("chance_chance")], both)[1] == "CallRefused one_fourth_roll call=chance_chance"


CHANCE = with_rules(chance_chance=True)


@pytest.mark.parametrize(("third", "fourth", "points"), [("11223", "65442", 21), ("66544", "11213", 8)])
def test_h4_h5_a_chance_chance_goes_in_chance_alone(third: str, fourth: str, points: int) -> None:
    umpire, _ = match(three_rolls(third), call("chance_chance"), throw(25, dice(fourth, first=41)), rules=CHANCE)
    assert [(box.box, box.points) for box in umpire.state.legal] == [("C", points)]
    refused = umpire.on(choose(30, "1s"))
    assert shorts(refused) == ["BoxRefused house_rule box=1s"]
    entered = umpire.on(choose(31, "C"))[1]
    assert short(entered) == f"BoxEntered chance_chance box=C points={points}"
    assert say(entered) == f"C: {points} cc"
    assert "line 265" in entered.rule


def test_a_chance_chance_takes_all_dice() -> None:
    assert ruled([call("chance_chance"), *FOURTH], CHANCE)[1] == "RollRefused all_dice_together"


def test_h6_a_chance_chance_needs_chance_open() -> None:
    assert ruled([call("chance_chance")], CHANCE, card="C=20") == ["CallRefused chance_not_open call=chance_chance"]


def test_h7_a_yahtzee_so_rolled_is_its_sum() -> None:
    umpire, _ = match(three_rolls("11223"), call("chance_chance"), throw(25, dice("55555", first=41)), rules=CHANCE)
    assert [(box.box, box.points, box.yahtzee_bonus) for box in umpire.state.legal] == [("C", 25, 0)]


def test_h8_a_forced_joker_blocks_chance_chance() -> None:
    umpire, _ = match(three_rolls("44444"), rules=CHANCE, cards=["Y=50", ""])
    assert shorts(umpire.on(call("chance_chance"))) == ["CallRefused chance_not_open call=chance_chance"]


FOOL = with_rules(fool_house=True)


def test_h9_a_full_house_is_entered_at_once() -> None:
    _, rulings = match(throw(3, dice("22333")), rules=FOOL)
    assert shorts(rulings) == [
        "RollCounted roll=1 values=22333",
        "BoxEntered box=FH points=25 automatic=True",
        "TurnEnded",
        "TurnStarted",
    ]


def test_a_full_house_that_must_be_scored_waits_for_the_marker_and_is_not_announced() -> None:
    options = Options(marker=True, announce=True)
    umpire, rulings = match(throw(3, dice("22333")), rules=FOOL, options=options)
    assert shorts(rulings)[1:] == ["BoxProposed box=FH points=25"]
    assert umpire.state.waiting_for == "agreement"
    assert shorts(umpire.on(BoxAgreed(t=6, player="Ben")))[0] == "BoxEntered box=FH points=25 automatic=True"


def test_h10_with_the_full_house_filled_the_turn_is_an_ordinary_one() -> None:
    umpire, rulings = match(throw(3, dice("22333")), rules=FOOL, cards=["FH=25", ""])
    assert shorts(rulings) == ["RollCounted roll=1 values=22333"]
    assert umpire.state.waiting_for == "throw"


def test_h11_five_alike_are_no_full_house() -> None:
    umpire, rulings = match(throw(3, dice("44444")), rules=FOOL, cards=["Y=50 4s=8", ""])
    assert shorts(rulings) == ["RollCounted roll=1 values=44444"]
    assert {box.box for box in umpire.state.legal} == {"3K", "4K", "FH", "SS", "LS", "C"}


def test_a_full_house_that_may_go_in_several_columns_is_chosen_for_but_not_thrown_again() -> None:
    rules = ruleset("triple", {"fool_house": True})
    umpire, _ = match(throw(3, dice("22333")), rules=rules)
    assert umpire.state.waiting_for == "box"
    rulings = feed(umpire, throw(9, dice("12456", first=11)), choose(12, "2:FH"))
    assert shorts(rulings)[:3] == [
        "RollRefused house_rule",
        "BoxProposed box=2:FH points=25",
        "BoxEntered box=2:FH points=25",
    ]


MEGA = with_rules(mega_yahtzee=True, mega_bonus=500)


def test_h12_a_mega_turn_has_six_dice_and_the_best_five_count() -> None:
    umpire, rulings = match(call("mega_yahtzee", t=1), throw(3, dice("666661")), rules=MEGA)
    assert shorts(rulings) == ["HouseRuleApplied house_rule=mega_yahtzee", "RollCounted roll=1 values=166666"]
    best = {box.box: box.points for box in umpire.state.legal}
    assert (best["Y"], best["6s"], best["C"]) == (50, 30, 30)


def test_h13_six_alike_in_a_mega_turn_earn_the_bonus_that_was_agreed() -> None:
    umpire, rulings = match(call("mega_yahtzee", t=1), throw(3, dice("666666")), choose(5, "Y"), rules=MEGA)
    assert "BoxEntered box=Y points=50 house_bonus=500" in shorts(rulings)
    assert totals(MEGA, umpire.state.cards[0]).total == 550
    with pytest.raises(RulesetError, match="mega_bonus=1500"):
        with_rules(mega_yahtzee=True, mega_bonus=1500)


def test_a_mega_turn_is_called_before_its_first_throw_once_a_match() -> None:
    umpire, rulings = match(throw(3, dice("66661")), call("mega_yahtzee", t=5), rules=MEGA)
    assert shorts(rulings)[-1] == "CallRefused before_first_throw call=mega_yahtzee"
    feed(umpire, choose(6, "C"), call("mega_yahtzee", t=7, player="Ben"), throw(12, dice("666661", first=11)))
    feed(umpire, choose(14, "C", player="Ben"), throw(20, dice("12345", first=21)), choose(22, "LS"))
    assert shorts(feed(umpire, throw(24.5, dice("12345", first=31)))) == ["RollCounted roll=1 values=12345"]
    feed(umpire, choose(26, "LS", player="Ben"), throw(30, dice("23456", first=51)), choose(32, "SS"))
    assert shorts(feed(umpire, call("mega_yahtzee", t=35, player="Ben"))) == [
        "CallRefused house_rule_used call=mega_yahtzee"
    ]


def test_h14_more_than_two_house_rules_are_remarked_upon() -> None:
    opened = Umpire(with_rules(mulligan=True, fool_house=True, battle_cry=True), ["Ann"]).start()
    assert [ruling.reason for ruling in opened if isinstance(ruling, Noticed)] == ["many_house_rules"]
    assert not any(isinstance(ruling, Noticed) for ruling in Umpire(MULLIGAN, ["Ann"]).start())


def test_h15_a_house_rule_is_declared_before_the_first_throw() -> None:
    umpire, _ = match(FIRST)
    with pytest.raises(MatchError, match="World Yahtzee Institute, line 253"):
        declare(umpire.state, {"mulligan": True})
    late = HouseRulesDeclared(t=9, settings={"mulligan": True})
    assert shorts(umpire.on(late)) == ["CallRefused house_rules_locked call=house_rules"]


def test_house_rules_are_part_of_the_opening() -> None:
    umpire = Umpire(ruleset("wyi"), ["Ann"])
    umpire.declare({"mulligan": True})
    opened = umpire.start()[0]
    assert isinstance(opened, MatchStarted)
    assert (opened.entry, opened.settings["mulligan"], opened.settings["battle_cry"]) == (1, True, False)
    assert ruleset("wyi", opened.settings) == umpire.state.rules
    again = umpire.declare({"battle_cry": True}, t=1)[0]
    assert isinstance(again, MatchStarted)
    assert (again.entry, again.replaces) == (3, 1)
    assert ruleset("wyi", again.settings) == ruleset("wyi", {"mulligan": True, "battle_cry": True})
    with pytest.raises(RulesetError):
        umpire.declare({"nonsense": True})


def test_a_house_rule_that_was_called_is_not_given_up_before_its_call_is_taken_back() -> None:
    calls, gives_up = call("mega_yahtzee", 1), HouseRulesDeclared(t=2, settings={"mega_yahtzee": False})
    umpire, rulings = match(calls, gives_up, throw(5, dice("166666")), rules=MEGA)
    assert shorts(rulings)[1:] == ["CallRefused setting_refused call=house_rules", "RollCounted roll=1 values=166666"]
    assert umpire.state.rules == MEGA


@pytest.mark.parametrize("settings", [{"nonsense": True}, {"mega_bonus": 5000}, {"mulligan": True, "tie": "coin"}])
def test_a_declaration_holds_as_a_whole_or_not_at_all(settings: Mapping[str, Value]) -> None:
    before = new_match(ruleset("wyi"), ("Ann",), Options())
    with pytest.raises(RulesetError):
        declare(before, settings)
    umpire, rulings = match(HouseRulesDeclared(t=1, settings=settings), rules=ruleset("wyi"))
    assert shorts(rulings) == ["CallRefused setting_refused call=house_rules"]
    assert umpire.state.rules == ruleset("wyi")

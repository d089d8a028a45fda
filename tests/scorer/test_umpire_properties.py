"""What holds for the umpire whatever is seen and said, sense or nonsense."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.events import (
    BodyInterfered,
    BoxChosen,
    BoxEntered,
    DiceAtRest,
    DiceThrown,
    DieAnswered,
    DieFact,
    Fact,
    HandEntered,
    HoldAnswered,
    IncidentRecorded,
    KeptDieChanged,
    KeptDieMoved,
    ReadingAnswered,
    RecordingEnded,
    RestoreOrdered,
    RollCounted,
    RollRefused,
    Ruling,
    TurnStarted,
    ViewLost,
    ViewRestored,
    to_json,
)
from scorer.presets import BHO
from scorer.state import Options, State
from scorer.turn import OpenRoll
from scorer.umpire import Umpire, step
from tests.scorer.tray import FIRST, at, choose, dice, die, feed, lift, rest, throw, unseen

IDS = st.integers(1, 9)
VALUES = st.one_of(st.none(), st.integers(1, 6), st.sampled_from([0, 7, -1]))
STATES = st.sampled_from(["flat"] * 12 + ["cocked", "stacked", "off_tray", "unknown"])
TIMES = st.just(at(1.0))


@st.composite
def rests(draw: st.DrawFn) -> DiceAtRest:
    """Dice at rest, with any contradictions in them: ids twice, thrown and kept alike, values that are none."""
    facts = st.builds(
        DieFact,
        id=IDS,
        value=VALUES,
        p=st.floats(0, 1),
        state=STATES,
        place=st.just((0.0, 0.0)),
        thrown=st.booleans(),
        likely=VALUES,
    )
    dice = tuple(draw(st.lists(facts, min_size=3, max_size=7)))
    ids = [fact.id for fact in dice]
    thrown = draw(st.one_of(st.just(ids), st.lists(st.sampled_from(ids))))
    kept = draw(st.one_of(st.just([id_ for id_ in ids if id_ not in thrown]), st.lists(IDS)))
    return DiceAtRest(t=1.0, frame=30, t_said=1.2, dice=dice, thrown=tuple(thrown), kept=tuple(kept))


@st.composite
def tidy_rests(draw: st.DrawFn) -> DiceAtRest:
    """Five flat dice, nearly all sure: what moves a turn on."""
    dice = [die(id_, draw(st.sampled_from([1, 2, 3, 4, 5, 6, 6, 6, 6, None]))) for id_ in range(1, 6)]
    everything = {1, 2, 3, 4, 5}
    thrown = draw(st.one_of(st.just(everything), st.sets(st.integers(1, 5))))
    kept = everything - thrown
    return DiceAtRest(t=1.0, frame=30, t_said=1.2, dice=tuple(dice), thrown=tuple(thrown), kept=tuple(kept))


FACTS: st.SearchStrategy[Fact] = st.one_of(
    tidy_rests(),
    rests(),
    st.builds(
        lambda first, last, tumble: DiceThrown(**at(last), count=3, t_first=first, t_last=last, tumble=tuple(tumble)),
        st.floats(0, 5),
        st.floats(0, 5),
        st.lists(st.floats(0, 1), max_size=5),
    ),
    st.builds(lambda id_: lift(1.0, id_), IDS),
    st.builds(unseen, st.just(1.0), st.integers(-1, 3), st.sampled_from(["over_rim", "in_hand", "unknown"])),
    st.builds(
        lambda *of: KeptDieChanged(**at(1.0), id=of[0], before=of[1], after=of[2], cause=of[3]),
        IDS,
        st.integers(0, 7),
        st.integers(0, 7),
        st.sampled_from(["hand", "hit"]),
    ),
    st.builds(lambda id_: KeptDieMoved(**at(1.0), id=id_, identity="lost"), IDS),
    st.sampled_from(
        [
            BodyInterfered(**at(1.0)),
            ViewLost(**at(1.0), cause="blocked"),
            ViewRestored(**at(1.0), cause="blocked"),
            HandEntered(**at(1.0)),
            HoldAnswered(t=1.0, counts=True),
            HoldAnswered(t=1.0, counts=False),
            DieAnswered(t=1.0, thrown=True),
            DieAnswered(t=1.0, thrown=False),
        ]
    ),
    st.builds(ReadingAnswered, t=st.just(1.0), id=IDS, value=st.integers(0, 7)),
    st.builds(
        BoxChosen,
        t=st.just(1.0),
        player=st.sampled_from(["Ann", "Ben", "Cy"]),
        box=st.sampled_from(["1s", "6s", "3K", "C", "Y", "7s"]),
        announced=st.one_of(st.none(), st.integers(-5, 200)),
    ),
)  # fmt: skip

OPTIONS = st.builds(
    Options,
    automatic_boxes=st.booleans(),
    strict=st.sampled_from([frozenset(), frozenset({"staggered", "weak_throw"})]),
    cocked_stands=st.booleans(),
    as_it_lies=st.booleans(),
)

COURSES = st.lists(FACTS, min_size=10, max_size=40)

Course = list[tuple[Fact, State, tuple[Ruling, ...], State]]


def course(options: Options, facts: Sequence[Fact]) -> Course:
    """Each fact with the state before it, the rulings on it and the state after it."""
    umpire = Umpire(BHO, ["Ann", "Ben"], options)
    umpire.start()
    steps: Course = []
    for fact in [*facts, RecordingEnded(t=9.0, frame=270)]:
        before = umpire.state
        steps.append((fact, before, umpire.on(fact), umpire.state))
    return steps


@settings(max_examples=100, deadline=None)
@given(OPTIONS, COURSES)
def test_a_roll_counts_only_with_values_that_are_sure_or_decided(options: Options, facts: list[Fact]) -> None:
    for fact, before, rulings, after in course(options, facts):
        for ruling in rulings:
            to_json(ruling)
            assert ruling.rule
            if isinstance(ruling, RollCounted):
                assert len(ruling.values) == 5
                assert all(value in range(1, 7) for value in ruling.values)
                assert ruling.legal
                if isinstance(fact, DiceAtRest):
                    _assert_all_known(fact, before, ruling, options)
        assert after.message is not None
        assert len(after.dice) <= 7


def _assert_all_known(rest: DiceAtRest, before: State, counted: RollCounted, options: Options) -> None:
    """Every value counted was read surely in this rest, or was on record before it."""
    question = before.turn.question
    on_record = question.recorded if isinstance(question, OpenRoll) else before.turn.lying
    known = [lying.value for lying in on_record] + list(before.turn.restores.values())
    known += [fact.value for fact in rest.dice if fact.state == "flat" or options.cocked_stands]
    for value in counted.values:
        assert value in known
        known.remove(value)


@settings(max_examples=40, deadline=None)
@given(OPTIONS, COURSES)
def test_cards_only_grow_and_never_lose_points(options: Options, facts: list[Fact]) -> None:
    for _, before, rulings, after in course(options, facts):
        written = [ruling for ruling in rulings if isinstance(ruling, BoxEntered)]
        for player, sums in before.totals.items():
            gained = sum(r.points + r.yahtzee_bonus + r.upper_bonus for r in written if r.player == player)
            assert after.totals[player].total == sums.total + gained
        assert sum(len(card.points) for card in after.cards) == sum(len(card.points) for card in before.cards) + len(
            written
        )


@settings(max_examples=40, deadline=None)
@given(OPTIONS, COURSES)
def test_a_refused_throw_changes_nothing_that_counts(options: Options, facts: list[Fact]) -> None:
    for fact, before, rulings, after in course(options, facts):
        if isinstance(fact, DiceAtRest) and any(
            isinstance(ruling, RollRefused) and ruling.replaces is None for ruling in rulings
        ):
            assert (after.cards, after.player) == (before.cards, before.player)
            assert (after.turn.roll, after.turn.values) == (before.turn.roll, before.turn.values)


@settings(max_examples=40, deadline=None)
@given(OPTIONS, COURSES)
def test_a_turn_has_at_most_three_rolls_each_counted_once(options: Options, facts: list[Fact]) -> None:
    number = 0
    for _, _, rulings, _ in course(options, facts):
        for ruling in rulings:
            if isinstance(ruling, TurnStarted):
                number = 0
            elif isinstance(ruling, RollCounted):
                assert number < ruling.roll <= 3
                number = ruling.roll


@settings(max_examples=40, deadline=None)
@given(OPTIONS, COURSES)
def test_a_rest_that_is_told_twice_changes_nothing(options: Options, facts: list[Fact]) -> None:
    for fact, _, _, after in course(options, facts):
        if isinstance(fact, DiceAtRest):
            assert step(after, fact) == (after, ())


@settings(max_examples=25, deadline=None)
@given(OPTIONS, COURSES)
def test_the_same_facts_give_the_same_rulings(options: Options, facts: list[Fact]) -> None:
    def lines() -> list[object]:
        return [to_json(ruling) for _, _, rulings, _ in course(options, facts) for ruling in rulings]

    assert lines() == lines()


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_honest_play_counts_exactly_what_was_thrown(data: st.DataObject) -> None:
    """Rolls of any dice, some of which leave the tray and are thrown again, count with what lies there in the end."""
    umpire = Umpire(BHO, ["Ann"])
    ids = count(1)
    table: list[DieFact] = []
    truth: list[tuple[int, tuple[int, ...]]] = []
    ruled: list[Ruling] = []
    t = 0.0
    for roll in range(1, 4):
        keeps = data.draw(st.sets(st.integers(0, 4), max_size=4)) if table else set()
        kept = [fact for place, fact in enumerate(table) if place in keeps]
        ruled += umpire.on(lift(t, *(fact.id for fact in table if fact not in kept)))
        while len(kept) < 5:
            t += 10
            thrown = [die(next(ids), data.draw(st.integers(1, 6))) for _ in range(5 - len(kept))]
            out = data.draw(st.integers(0, len(thrown)))
            lost = [replace(fact, value=None, state="off_tray") for fact in thrown[:out]]
            for fact in throw(t, [*lost, *thrown[out:]], kept):
                ruled += umpire.on(fact)
            kept += thrown[out:]
        table = kept
        truth.append((roll, tuple(sorted(fact.value for fact in table if fact.value))))
    assert [(r.roll, r.values) for r in ruled if isinstance(r, RollCounted)] == truth
    assert not umpire.on(choose(t + 1, "C", announced=sum(truth[-1][1])))[0].reason


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_die_turned_while_it_is_asked_which_the_kept_one_is_gains_nothing(data: st.DataObject) -> None:
    """It was the lost one, and counts as that was kept; or it was not, then it counts as it lay and has to go back."""
    umpire = Umpire(BHO, ["Ann"])
    umpire.start()
    shown = data.draw(st.lists(st.integers(1, 6), min_size=4, max_size=4).filter(lambda four: len({*four}) > 1))
    place = data.draw(st.sampled_from([n for n, value in enumerate(shown) if value != 3]))
    said = data.draw(st.sampled_from([3, *shown]))
    asked = rest(7, dice("".join(map(str, shown)), first=11), kept=[die(3, 3)])
    changed = KeptDieChanged(**at(8), id=11 + place, before=shown[place], after=3, cause="hand")
    feed(umpire, FIRST, lift(4, 1, 4, 5), KeptDieMoved(**at(6.5), id=2, identity="lost"), asked)
    ruled = feed(umpire, changed, ReadingAnswered(t=9, id=2, value=said))
    if said != 3:
        shown[place if shown[place] == said else shown.index(said)] = 3
    (counted,) = [ruling for ruling in ruled if isinstance(ruling, RollCounted)]
    assert counted.values == tuple(sorted([3, *shown]))
    orders = [ruling.id for ruling in ruled if isinstance(ruling, RestoreOrdered) and ruling.reason == "turned_by_hand"]
    incidents = [ruling for ruling in ruled if isinstance(ruling, IncidentRecorded)]
    assert orders == ([] if shown[place] == 3 else [changed.id])
    assert len(incidents) == len(orders)

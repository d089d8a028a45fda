"""Matches that are kept: written before they are known, gone on with where they ended, rebuilt from what was seen."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware.entries import read
from firmware.errors import LedgerError
from firmware.evidence.key import device_key
from firmware.ledger import Body, Ledger
from firmware.match import Desk
from firmware.record import (
    RecordedUmpire,
    facts_in,
    first_difference,
    gone_on,
    last_die,
    last_moment,
    rebuilt,
    said_before,
    watched_again,
)
from scorer.errors import MatchError
from scorer.events import BoxChosen, ClockTicked, Fact, HandEntered, RecordingEnded, to_json
from scorer.presets import ruleset
from scorer.state import Options
from scorer.umpire import Umpire
from tests.firmware.evidence.matches import played
from tests.firmware.evidence.tampering import put, rows_of, sealed_anew
from tests.scorer.play import play
from tests.scorer.tray import dice, rest


class _Broken(Ledger):
    """A ledger that fails as nobody thought of."""

    def append(self, bodies: Sequence[Body], sign: bool = False) -> None:
        """Fail."""
        raise MemoryError


SEEDS = range(1, 7)


def scripted(seed: int) -> tuple[Umpire, list[Fact]]:
    """An umpire, and what it sees and hears."""
    first, steps = play(seed)
    return Umpire(first.rules, first.players, first.options), [step.fact for step in steps]


def told_all(umpire: Umpire, facts: list[Fact]) -> None:
    umpire.start()
    for fact in facts:
        umpire.on(fact)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ledger_alone_gives_the_state_and_every_ruling(tmp_path: Path, seed: int) -> None:
    plain, facts = scripted(seed)
    told_all(plain, facts)
    with Ledger(tmp_path) as ledger:
        umpire = watched_again(scripted(seed)[0], ledger, "film.mp4")
        told_all(umpire, facts)
        assert umpire.state == plain.state
    bodies = read(tmp_path)
    state, rulings = rebuilt(bodies)
    assert state == plain.state
    assert first_difference(bodies, rulings) is None
    assert bodies[0]["name"] == "Opened" and bodies[0]["source"] == "film.mp4"


def test_a_match_that_broke_off_anywhere_is_gone_on_with(tmp_path: Path) -> None:
    umpire, facts = scripted(4)
    with Ledger(tmp_path / "whole") as ledger:
        told_all(watched_again(umpire, ledger, ""), facts)
    whole = read(tmp_path / "whole")
    for count in range(1, len(facts), 5):
        folder = tmp_path / str(count)
        for told in (facts[:count], facts):
            with Ledger(folder) as ledger:
                told_all(watched_again(scripted(4)[0], ledger, ""), told)
        assert read(folder)[1:] == whole[1:]


def test_what_people_said_by_hand_is_said_again_in_its_place(tmp_path: Path) -> None:
    choice = BoxChosen(t=2.5, player="Ann", box="FH")
    in_file = BoxChosen(t=12.0005, player="Ben", box="C")

    def desk(ledger: Ledger) -> Desk:
        umpire = watched_again(Umpire(ruleset("bho", {}), ("Ann", "Ben")), ledger, "film.mp4")
        return Desk(umpire, said_before(read(tmp_path), [in_file]))

    def watched(desk: Desk, by_hand: bool) -> None:
        desk.start()
        for t in (2.0, 2.5, 3.0, 11.0, 13.0):
            desk.at(t, [rest(t, dice("33355"))] if t in (2.0, 11.0) else [])
            if by_hand and t == choice.t:
                desk.say(choice)
        desk.end(13.0, 390)

    with Ledger(tmp_path) as ledger:
        watched(desk(ledger), by_hand=True)
    whole = read(tmp_path)
    assert [body["name"] for body in whole].count("BoxEntered") == 2
    with Ledger(tmp_path) as ledger:
        watched(desk(ledger), by_hand=False)
    assert read(tmp_path) == whole


def test_another_match_is_not_mixed_in(tmp_path: Path) -> None:
    umpire, facts = scripted(4)
    with Ledger(tmp_path) as ledger:
        told_all(watched_again(umpire, ledger, ""), facts)
    before = read(tmp_path)
    with Ledger(tmp_path) as ledger:
        other = Umpire(ruleset("bho", {}), ("Zoe",))
        with pytest.raises(LedgerError, match=r"another match is in .* \(from entry 2 on\)"):
            watched_again(other, ledger, "").start()
    assert read(tmp_path) == before


def test_a_match_that_would_be_ruled_otherwise_today_is_not_gone_on_with(tmp_path: Path) -> None:
    umpire, facts = scripted(4)
    with Ledger(tmp_path / "whole") as ledger:
        told_all(watched_again(umpire, ledger, ""), facts[:3])
    bodies = read(tmp_path / "whole")
    last = max(n for n, body in enumerate(bodies) if body["kind"] == "ruling")
    bodies[last] = bodies[last] | {"reason": "another"}
    with Ledger(tmp_path / "other") as ledger:
        ledger.append(bodies)
        with pytest.raises(LedgerError, match=f"entry {last + 1} in .* is ruled otherwise by this version"):
            gone_on(scripted(4)[0], ledger, "camera")
    with Ledger(tmp_path / "whole") as ledger:
        assert gone_on(scripted(5)[0], ledger, "camera").state.players == umpire.state.players
    assert read(tmp_path / "whole")[-1]["name"] == "Resumed"


def test_a_match_whose_signature_is_none_is_not_gone_on_with(tmp_path: Path) -> None:
    key = device_key(str(tmp_path / "device.key"))
    match = played(tmp_path / "match", key)
    rows = rows_of(match)
    rows[1][2] = rows[1][2].replace('"Ann"', '"Eve"')
    put(match, sealed_anew(rows))
    with Ledger(match, key) as ledger, pytest.raises(LedgerError, match="is not signed by the device's key"):
        gone_on(Umpire(ruleset("bho"), ("Ann", "Ben")), ledger, "camera")


def test_a_number_may_be_written_whole_or_as_a_fraction(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        gone_on(Umpire(ruleset("bho"), ("Ann",), Options(seconds_to_play=60)), ledger, "camera").start()
        assert gone_on(Umpire(ruleset("bho"), ("Ann",)), ledger, "camera").state.options.seconds_to_play == 60


def test_what_cannot_be_written_has_not_happened(tmp_path: Path) -> None:
    umpire, facts = scripted(4)
    ledger = Ledger(tmp_path)
    recorded = watched_again(umpire, ledger, "")
    recorded.start()
    before, ledger.count = recorded.state, ledger.count + 1  # so the next entry has no place in the file
    with pytest.raises(LedgerError):
        recorded.on(facts[0])
    assert recorded.state is before
    ledger.count -= 1
    recorded.on(facts[0])
    ledger.close()
    assert facts_in(read(tmp_path)) == facts[:1]


def test_a_ticking_clock_and_what_is_seen_after_the_end_are_not_kept(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        umpire = RecordedUmpire(Umpire(ruleset("bho", {}), ("Ann",), Options()), ledger)
        umpire.start()
        umpire.on(ClockTicked(t=1.0))
        assert [body["name"] for body in read(tmp_path)] == ["MatchStarted", "TurnStarted"]
        umpire.on(RecordingEnded(t=3.0, frame=90))
        count = ledger.count
        umpire.on(HandEntered(t=4.0, frame=120, t_said=4.1))
        assert ledger.count == count
    assert last_moment(read(tmp_path)) == (3.0, 90)
    assert last_die(read(tmp_path)) == 0


def test_a_ruling_that_would_be_another_today_is_named(tmp_path: Path) -> None:
    umpire, facts = scripted(4)
    with Ledger(tmp_path) as ledger:
        told_all(watched_again(umpire, ledger, ""), facts)
    bodies = read(tmp_path)
    _, rulings = rebuilt(bodies)
    last = max(n for n, body in enumerate(bodies) if body["kind"] == "ruling")
    bodies[last] = bodies[last] | {"reason": "another"}
    assert first_difference(bodies, rulings) == (last + 1, to_json(rulings[-1]))
    bodies[last] = to_json(rulings[-1]) | {"rule": "in another version's words"}
    assert first_difference(bodies, rulings) is None
    with pytest.raises(LedgerError, match="no match was begun"):
        rebuilt(bodies[:1])


def test_whatever_fails_nothing_is_ruled_that_is_not_written(tmp_path: Path) -> None:
    with _Broken(tmp_path) as ledger:
        umpire = RecordedUmpire(Umpire(ruleset("bho"), ("Ann", "Ben")), ledger)
        before = umpire.state
        with pytest.raises(MemoryError):
            umpire.start()
        assert umpire.state is before


@pytest.mark.parametrize("name", ["Ann\nBen", "A\x1b[31m", "A\u2028B", "\udcff"])
def test_a_name_that_no_record_can_hold_begins_no_match(name: str) -> None:
    with pytest.raises(MatchError, match="control character"):
        Umpire(ruleset("bho"), (name, "Ben"))


def test_names_that_look_the_same_are_the_same() -> None:
    with pytest.raises(MatchError, match="is there twice"):
        Umpire(ruleset("bho"), ("Zo\u00eb", "Zoe\u0308"))

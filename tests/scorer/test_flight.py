"""What is gathered of a throw before it comes to rest."""

from scorer.events import DiceThrown
from scorer.flight import gather, landed
from scorer.turn import Die, Flight
from tests.scorer.tray import at, die, lift, rest, unseen


def thrown(t_first: float, t_last: float, count: int = 1) -> DiceThrown:
    return DiceThrown(**at(t_last), count=count, t_first=t_first, t_last=t_last, tumble=(0.5,) * count)


def test_dice_that_follow_each_other_are_one_throw() -> None:
    flight = gather(gather(Flight(), thrown(10.0, 10.2, count=3)), thrown(11.5, 11.6, count=2))
    assert (flight.count, flight.t_first, flight.t_last) == (5, 10.0, 11.6)
    assert len(flight.tumble) == 5


def test_dice_that_come_much_later_are_another_throw() -> None:
    flight = gather(gather(Flight(), thrown(10.0, 10.2, count=5)), thrown(20.0, 20.3, count=5))
    assert (flight.count, flight.t_first, flight.taken_back) == (5, 20.0, 10.0)


def test_a_look_at_the_dice_ends_what_never_flew() -> None:
    flight = gather(gather(gather(Flight(), lift(9, 1, 2)), thrown(10.0, 10.2)), unseen(10.5, ids=(3,)))
    after = landed(flight, rest(11, kept=[die(1, 6), die(3, None, "off_tray")]), thrown=False)
    assert after == Flight(lifted=frozenset({2}), off_tray=frozenset({3}), floor=1, rested=(Die(1, 6),))


def test_after_a_throw_only_what_lies_off_the_floor_is_known() -> None:
    flight = gather(Flight(), thrown(10.0, 10.2))
    assert landed(flight, rest(11, [die(1, 6), die(3, None, "off_tray")]), thrown=True) == Flight(
        off_tray=frozenset({3}), floor=1, rested=(Die(1, 6),)
    )

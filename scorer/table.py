"""The dice of a rest, sorted out against the record: thrown, kept, off the floor, knocked out or gone."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scorer.bench import Bench
from scorer.events import DiceAtRest, DieFact
from scorer.turn import Die, Flight, Turn


@dataclass(frozen=True, slots=True)
class Table:
    """The dice of a rest, sorted out: `off` are those that this throw left off the floor.

    Of those not on the floor so many were `seen_to_go` over the wall, or lie `off`, and the rest is `unaccounted` for;
    `away` are those that were seen to leave, in a hand too.
    """

    thrown: tuple[DieFact, ...]
    kept: tuple[DieFact, ...]
    off: tuple[DieFact, ...]
    seen_to_go: int
    unaccounted: int
    away: frozenset[int]

    @property
    def floor(self) -> tuple[DieFact, ...]:
        """Every die on the floor."""
        return self.thrown + self.kept


def is_throw(rest: DiceAtRest) -> bool:
    """Whether dice were thrown since the last rest; otherwise hands were at the dice at most."""
    return bool(rest.thrown)


def sort_out(bench: Bench, rest: DiceAtRest, flight: Flight) -> Table:
    """Take the event's word for what was thrown and what was kept. Dice that lay off the floor before do not count.

    In a throw-off with one die the others may lie in the tray: they are no part of it.
    """
    dice = [replace(die, thrown=die.id in rest.thrown or (die.thrown and die.id not in rest.kept)) for die in rest.dice]
    floor = [die for die in dice if die.state != "off_tray"]
    thrown = tuple(die for die in floor if die.thrown)
    kept = () if bench.dice < bench.rules.dice else tuple(die for die in floor if not die.thrown)
    outside = (die for die in dice if die.state == "off_tray")
    off = tuple(die for die in outside if die.thrown or die.id not in flight.off_tray)
    seen_to_go = len(off) + flight.over_rim - len(flight.over_rim_ids & ids_of(off))
    unaccounted = max(bench.dice - len(thrown) - len(kept) - seen_to_go, 0)
    return Table(thrown, kept, off, seen_to_go, unaccounted, flight.lifted | flight.over_rim_ids | ids_of(off))


def standing_stay(bench: Bench, turn: Turn, table: Table) -> Table:
    """A standing die that moved but shows its value has stayed, whatever pushed it."""
    values = {die.id: die.value for die in turn.lying}
    stayed = tuple(f for f in table.thrown if values.get(f.id) is not None and values[f.id] == bench.sure(f))
    return replace(table, thrown=tuple(f for f in table.thrown if f not in stayed), kept=table.kept + stayed)


def dice_knocked_out(turn: Turn, flight: Flight, table: Table) -> tuple[Die, ...]:
    """Kept dice that a throw drove over the wall: they were not lifted, and lie off the floor or were seen to go."""
    gone = ids_of(die for die in table.off if not die.thrown) | flight.over_rim_ids
    out = gone - flight.lifted - ids_of(table.floor)
    return tuple(die for die in turn.lying if die.id in out and die.value is not None)


def dice_still_out(turn: Turn, table: Table) -> tuple[Die, ...]:
    """Kept dice knocked over the wall earlier that have not been put back, as far as dice are not accounted for, as
    others may be among those thrown: they count for the value of record. None where it matters which were fetched, as
    nobody saw that."""
    absent = turn.restores.keys() - ids_of(table.floor) - table.away
    out = tuple(die for die in turn.lying if die.id in absent and die.value is not None)
    unclear = len(out) > table.unaccounted and len({die.value for die in out}) > 1
    return () if unclear else out[: table.unaccounted]


def dice_gone(record: Iterable[Die], flight: Flight, table: Table, gap: int) -> tuple[Die, ...]:
    """The dice of the record that were not seen to leave, if that leaves no doubt which they are. One that was driven
    among the thrown dice may be one of these, where more lie there than were seen to enter."""
    absent = tuple(die for die in record if die.id not in ids_of(table.floor) and die.value is not None)
    unlifted = tuple(die for die in absent if die.id not in flight.lifted)
    if ids_of(unlifted) & flight.lost and len(table.thrown) > flight.count:
        return ()
    return next((dice for dice in (unlifted, absent) if len(dice) == gap), ())


def is_tilted(bench: Bench, fact: DieFact) -> bool:
    """Whether the die leans or lies on another, so that it has no value to count."""
    stands = fact.state == "cocked" and bench.options.cocked_stands
    return fact.state in ("cocked", "stacked") and not stands


def ids_of(dice: Iterable[DieFact | Die]) -> set[int]:
    """Their ids."""
    return {die.id for die in dice}


def narrow(turn: Turn, table: Table) -> Turn:
    """The turn as it was; only the dice that stayed, or are outside yet, are still known to be as on record."""
    known = ids_of((*table.kept, *dice_still_out(turn, table)))
    return replace(turn, lying=tuple(die for die in turn.lying if die.id in known))

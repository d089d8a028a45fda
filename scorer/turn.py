"""One turn as a value: the dice as they lie for the record, the throw in the air, and the question that is open."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from scorer.said import HouseRule


@dataclass(frozen=True, slots=True)
class Die:
    """A die as it lies for the record: its value, None while nobody is sure, and whether people decided it."""

    id: int
    value: int | None
    by_people: bool = False


@dataclass(frozen=True, slots=True)
class Flight:
    """What was seen since the last throw came to rest.

    Even then `off_tray` lay off the floor, `foreign` dice lay there, and so many dice lay on the `floor`: those that
    `rested` there, with what they were seen to show.

    `blind`: the picture cannot be trusted now; `view_lost`: it could not at some time since, and no throw has begun
    in clear view afterwards; `dark_since`: when the view was first lost then, `seen_since`: when it last came back (s).
    `taken_unseen`: dice at rest vanished, and nobody was seen to take them. `moved`: dice that were knocked or pushed.
    `taken_back`: when a throw began that never came to rest, by what was seen of it (s).
    `unwatched`: since when nothing watched (s), where dice may have been thrown meanwhile for all that was seen since;
    `lay`: what the dice were seen to show that lay there then.
    """

    count: int = 0
    t_first: float = 0.0
    t_last: float = 0.0
    tumble: tuple[float, ...] = ()
    over_rim: int = 0
    over_rim_ids: frozenset[int] = frozenset()
    lifted: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    moved: frozenset[int] = frozenset()
    interfered: bool = False
    blind: bool = False
    view_lost: bool = False
    taken_unseen: bool = False
    taken_back: float | None = None
    unwatched: float | None = None
    lay: tuple[int | None, ...] = ()
    dark_since: float = 0.0
    seen_since: float = 0.0
    off_tray: frozenset[int] = frozenset()
    foreign: frozenset[int] = frozenset()
    floor: int = 0
    rested: tuple[Die, ...] = ()

    @property
    def stirred(self) -> frozenset[int]:
        """Dice that may show another face than when they lay still."""
        return self.lifted | self.moved

    def differs(self, values: Iterable[int | None]) -> bool:
        """Whether dice that show this are others than those that `rested`, as far as both were read."""
        seen, before = Counter(values), Counter(die.value for die in self.rested)
        seen.pop(None, None)
        return (seen - before).total() > before[None]


@dataclass(frozen=True, slots=True)
class Reroll:
    """`count` dice of this roll are to be thrown again while the others stay.

    Afterwards `doubt` holds it, and kept dice that were `lost` are asked about; `before`, `kept`, `entry` and `among`
    as in `OpenRoll`.
    """

    roll: int
    count: int
    before: "Turn"
    doubt: str | None = None
    lost: tuple[Die, ...] = ()
    kept: tuple[int, ...] = ()
    entry: int = 0
    among: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class OpenRoll:
    """A roll at rest that counts once people have answered.

    `doubt` is the reason why it is held; `entered` is when its first die came into the tray (s); `gone` dice were not
    seen to leave (`missing` are they, where known), or lie `outside` and may be the `lost` ones; `lost` are kept dice,
    with their values on record, that can no longer be told from the thrown ones: `among` them are all that they may be.
    A die without a value is being asked about. `turned` holds, by die, what those show now that a hand has turned to
    what a lost one showed: whoever did may have set that back. `record` are the dice over which it was thrown last, as
    they were on record then. `before` is the turn to return to if the roll is refused; `kept` are the values of record
    of the dice not thrown for it; `entry` is the ruling that holds it or asks about it.
    """

    roll: int
    dice: tuple[Die, ...]
    before: "Turn"
    doubt: str | None = None
    entered: float = 0.0
    gone: int = 0
    missing: tuple[Die, ...] = ()
    lost: tuple[Die, ...] = ()
    kept: tuple[int, ...] = ()
    entry: int = 0
    among: frozenset[int] = frozenset()
    outside: bool = False
    record: tuple[Die, ...] = ()
    turned: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def again(self) -> Reroll:
        """What is to be thrown again where the dice that are gone were thrown."""
        return Reroll(self.roll, self.gone, self.before, self.doubt, self.lost, self.kept, among=self.among)

    @property
    def unseen(self) -> bool:
        """Whether the view was lost before its dice came to rest."""
        return not self.dice

    @property
    def unsure(self) -> tuple[Die, ...]:
        """The dice whose value nobody is sure of."""
        return tuple(die for die in self.dice if die.value is None)

    @property
    def recorded(self) -> tuple[Die, ...]:
        """Its dice, those that were kept for it and that nobody is sure of now as they were on record."""
        records = {die.id: die for die in self.record if die.value is not None and die.id not in self.among}
        return tuple(records.get(die.id, die) if die.value is None else die for die in self.dice)

    @property
    def candidates(self) -> tuple[Die, ...]:
        """The dice that may be the lost ones."""
        return tuple(die for die in self.dice if die.id in self.among)

    @property
    def asked(self) -> tuple[Die, ...]:
        """The dice whose values people are asked for, the next one first."""
        return (*self.unsure, *self.lost)

    @property
    def astray(self) -> tuple[Die, ...]:
        """The dice that a hand turned and that show otherwise than on record now."""
        return tuple(die for die in self.dice if self.turned.get(die.id, die.value) != die.value)


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn: rolls used, values of the last roll that counted, dice on the floor, the open question.

    `restores` holds, by die, the values that kept dice were ordered back to; `calls` the house rules that the player
    called for this turn, which `began` then (s). `forced`: a house rule ends the turn with this roll. `alike` are the
    dice that showed the same when one of them was ordered back as the lost kept one: whichever is set back is that one.
    A hand has had the `handled` dice while nobody was sure of them, or since people decided what they show, or they
    were knocked, or were kept though they are not on record: they are not read any more, and what was decided does not
    hold, as they may show something else.
    """

    roll: int = 0
    values: tuple[int, ...] = ()
    lying: tuple[Die, ...] = ()
    restores: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    question: Reroll | OpenRoll | None = None
    calls: frozenset[HouseRule] = frozenset()
    forced: bool = False
    alike: frozenset[int] = frozenset()
    handled: frozenset[int] = frozenset()
    began: float = 0.0

    @property
    def unread(self) -> frozenset[int]:
        """The dice that nobody is sure of."""
        return frozenset(die.id for die in self._dice if die.value is None)

    @property
    def unproved(self) -> frozenset[int]:
        """The dice whose values nobody is sure of, or people decided: they hold only while those lie there."""
        return frozenset(die.id for die in self._dice if die.value is None or die.by_people)

    @property
    def _dice(self) -> tuple[Die, ...]:
        """Those that lie there, and those of an open roll."""
        roll = self.question
        return (*self.lying, *(roll.dice if isinstance(roll, OpenRoll) else ()))

    @property
    def without_question(self) -> "Turn":
        """The turn as it was before its open roll was thrown."""
        return self.question.before.without_question if self.question else self


def is_unwatched(flight: Flight, turn: Turn) -> bool:
    """Whether dice of this turn may have been thrown while nothing watched."""
    return flight.unwatched is not None and flight.unwatched >= turn.began


def is_taken_back(flight: Flight, turn: Turn) -> bool:
    """Whether a throw of this turn never came to rest."""
    return flight.taken_back is not None and flight.taken_back >= turn.began

"""What was ruled: every decision of the umpire, numbered, with the rule it rests on.

Nothing that was ruled is ever changed: a correction is a new entry that names the old one in `replaces`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from scorer.said import HouseRule, RefereeAction

Purpose = Literal["start", "tie"]
"""What a throw-off decides: who starts, or who wins among equals."""


@dataclass(frozen=True, slots=True)
class LegalBox:
    """A box that the roll may go in, and what it earns there; `house_bonus` is that of a Mega-Yahtzee."""

    box: str
    points: int
    yahtzee_bonus: int
    upper_bonus: int
    house_bonus: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """Something decided about `player`. `rule` is the text it rests on, in our words with its source.

    `entry` is its number in the match, from 1; `replaces` that of the ruling it takes the place of.
    """

    t: float
    frame: int
    t_said: float
    player: str | None
    rule: str
    reason: str | None = None
    entry: int = 0
    replaces: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(Ruling):
    """The match begins; `settings` are all settings of its rules, `agreed` what was agreed about the table."""

    rules: str
    players: tuple[str, ...]
    settings: Mapping[str, str | int | bool] = field(default_factory=lambda: MappingProxyType({}))
    agreed: Mapping[str, str | float | bool] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(Ruling):
    """`player` is to throw; `reason` says what for where it is no ordinary turn: `start` or `tie`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollCounted(Ruling):
    """A roll counts: its number in the turn, its sorted values, and every box it may go in.

    `kept` are the sorted values kept from the roll before: of the dice not thrown when this roll was first thrown,
    whatever they had to be set back from.
    """

    roll: int
    values: tuple[int, ...]
    legal: tuple[LegalBox, ...]
    kept: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RollRefused(Ruling):
    """A throw is no roll of this turn."""

    roll: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RollHeld(Ruling):
    """A throw waits until people confirm or refuse it."""

    roll: int
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RollUnseen(Ruling):
    """The view was lost during a throw: people decide."""

    roll: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollOrdered(Ruling):
    """These dice alone are thrown again; the others stay."""

    ids: tuple[int, ...]
    count: int
    roll: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreOrdered(Ruling):
    """A kept die is turned back to the value it had."""

    id: int
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentRecorded(Ruling):
    """Something for people to judge, with its evidence; never a penalty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed(Ruling):
    """Something said once, neutrally."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingAsked(Ruling):
    """People are asked what a die shows."""

    id: int
    likely: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DieAsked(Ruling):
    """People are asked where a die went."""

    ids: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxProposed(Ruling):
    """The roller chose a box; the marker is shown it."""

    box: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxEntered(Ruling):
    """The score is written and the turn ends; `crossed`: a zero that was chosen freely."""

    box: str
    points: int
    yahtzee_bonus: int
    upper_bonus: int
    automatic: bool
    house_bonus: int = 0
    crossed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CryAsked(Ruling):
    """People are asked whether the Yahtzee was cried out."""

    box: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxRefused(Ruling):
    """The box may not be chosen; `reason` says why."""

    box: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCorrected(Ruling):
    """The points announced were not those of the dice."""

    box: str
    announced: int
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Ruling):
    """The player's turn is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded(Ruling):
    """Every box is filled, or the recording is over (`complete` false): the totals.

    `winners` are several where a tie is left to people, none where the match is not complete; `places` count from 1
    and are shared by equals; a disqualified player has none.
    """

    totals: Mapping[str, int]
    complete: bool
    winners: tuple[str, ...] = ()
    places: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class TieFound(Ruling):
    """The best totals are equal; `reason` `tie_open` leaves that to people, any other says how it is broken."""

    players: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowOff(Ruling):
    """These players throw, one after the other, for the highest sum."""

    purpose: Purpose
    players: tuple[str, ...]
    dice: int
    rolls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowOffEnded(Ruling):
    """What each threw, and who was highest: several throw again."""

    purpose: Purpose
    sums: Mapping[str, int]
    highest: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRuleApplied(Ruling):
    """A declared house rule holds for this turn."""

    house_rule: HouseRule


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRefused(Ruling):
    """What somebody called for is not allowed now; `reason` says why."""

    call: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPaused(Ruling):
    """Play waits for somebody who is away."""

    by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResumed(Ruling):
    """Play goes on."""

    by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeOpened(Ruling):
    """Somebody does not agree: play waits until the referee has decided."""

    by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeRuled(Ruling):
    """What the referee decided; `reason` is in the referee's words, `player` whom it is about.

    `before` and `after` are the values of a corrected or restored die; `offence` counts the player's warnings; `votes`
    are those for and against, where the players voted.
    """

    action: RefereeAction
    before: int | None = None
    after: int | None = None
    offence: int | None = None
    votes: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Ruling):
    """The entry it replaces counts no more, by agreement or as the referee decided; each that falls has its own."""

    by: tuple[str, ...]

"""What people said: the inputs that come from the panel, a file of choices, or the table's agreement."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

HouseRule = Literal["mulligan", "chance_chance", "mega_yahtzee"]
"""A house rule that a player calls for one turn."""

RefereeAction = Literal[
    "confirm", "correct_reading", "restore_die", "throw_again", "withdraw", "warn", "disqualify", "reinstate"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerInput:
    """Something a person told the umpire at `t`."""

    t: float


# --- boxes -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxChosen(PlayerInput):
    """The roller picks a box, with the points announced where the match asks for them.

    `cross`: a zero is written although the dice may earn something there.
    """

    player: str
    box: str
    announced: int | None = None
    cross: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxAgreed(PlayerInput):
    """The marker agrees with the box proposed."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxDisputed(PlayerInput):
    """The marker does not agree with the box proposed."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CryAnswered(PlayerInput):
    """People say whether the Yahtzee was cried out."""

    cried: bool


# --- questions -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldAnswered(PlayerInput):
    """People let a held roll count, or refuse it."""

    counts: bool


LEANS = 0
"""What is answered of a die that shows no value: it leans, or lies on another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingAnswered(PlayerInput):
    """Both sides agree what a die that was asked about shows; `LEANS` where it shows no value."""

    id: int
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DieAnswered(PlayerInput):
    """People say where dice went that were not seen to leave: `thrown`, or kept back in the hand."""

    thrown: bool


# --- the match -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRulesDeclared(PlayerInput):
    """The players agree on house rules and other settings by their names, before the first throw."""

    settings: Mapping[str, str | int | bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRuleCalled(PlayerInput):
    """The player whose turn it is calls a declared house rule."""

    player: str
    rule: HouseRule


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowOffStopped(PlayerInput):
    """In a throw-off of up to three rolls the player lets the dice lie as they are."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseCalled(PlayerInput):
    """Somebody leaves the table; the others wait."""

    player: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeCalled(PlayerInput):
    """All are back."""

    player: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeCalled(PlayerInput):
    """Somebody calls the referee; `player` is None where nobody says who."""

    player: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeDecided(PlayerInput):
    """What the referee decided, and why in words.

    - `replaces`: the entry that is decided anew, where it is not the last one;
    - `player`: whom a warning, a disqualification or its end is about;
    - `id`, `before`, `after`: the die by its track or by the value it was read with, and the value it has;
    - `votes`: for and against, where the players voted on it;
    - `by`: two players still in the match (one where one plays alone) who agree, where a box entered falls.
    """

    action: RefereeAction
    reason: str
    replaces: int | None = None
    player: str | None = None
    id: int | None = None
    before: int | None = None
    after: int | None = None
    votes: tuple[int, int] | None = None
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(PlayerInput):
    """Two people (one where one plays alone) agree to take back a roll, a box entered or a house rule called."""

    entry: int
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTicked(PlayerInput):
    """Nothing happened until `t`: for matches with a limit of time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingEnded(PlayerInput):
    """There is no more video: nothing further will be seen."""

    frame: int = 0

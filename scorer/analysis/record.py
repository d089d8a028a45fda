"""What was played in a match, from the JSON lines of its record: every turn with its rolls, what was kept, and the box.

The last word counts: a roll or box that was undone, corrected or thrown again is read as it stands in the end.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.analysis.earnings import check_solvable
from scorer.card import Card
from scorer.dice import FACES, Dice
from scorer.errors import AnalysisError
from scorer.presets import ruleset
from scorer.rules import Ruleset

_PLAYED = ("TurnStarted", "RollCounted", "BoxEntered", "MatchEnded")
_PUTS_BACK = ("Undone", "RollCounted", "RollRefused")
"""Rulings that put play back to before the entry that they replace."""


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll that counted, and the dice kept from the roll before (none of a first roll). `t` is in seconds."""

    values: Dice
    kept: Dice
    t: float


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A player's turn: the rolls, the box entered with what it earned, and whether the box was chosen by nobody."""

    player: str
    rolls: tuple[Roll, ...]
    box: str
    points: int
    yahtzee_bonus: int
    automatic: bool

    def enter(self, card: Card) -> Card:
        """The player's card with the turn written."""
        return Card({**card.points, self.box: self.points}, card.yahtzee_bonuses + (self.yahtzee_bonus > 0))


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that is over. `complete`: all cards are full; else the recording ended before."""

    rules: Ruleset
    players: tuple[str, ...]
    turns: tuple[PlayedTurn, ...]
    complete: bool

    def turns_of(self, player: str) -> tuple[PlayedTurn, ...]:
        """The turns of one player, in order."""
        return tuple(turn for turn in self.turns if turn.player == player)


def read_match(lines: Iterable[str]) -> PlayedMatch:
    """The match that a record holds.

    Raises `AnalysisError` where it holds none or several, where the match is still going on, where its rules cannot be
    solved, or where a line is none of a record.
    """
    started: Mapping[str, Any] | None = None
    standing: list[Mapping[str, Any]] = []
    for ruling in _rulings(lines):
        name, replaces = ruling["name"], _get(ruling, "replaces", int) if "replaces" in ruling else None
        if name == "MatchStarted":
            if started is not None and replaces is None:
                raise AnalysisError("the record holds several matches: give the lines of one")
            started = ruling
        if name in _PUTS_BACK and replaces is not None:
            standing = [earlier for earlier in standing if _get(earlier, "entry", int) < replaces]
        if name in _PLAYED:
            standing.append(ruling)
    if started is None:
        raise AnalysisError("the record holds no match: give the lines that `fairtray watch --json` prints of one")
    if not standing or standing[-1]["name"] != "MatchEnded":
        raise AnalysisError("the match is still going on: its play is analysed once it is over")
    rules = ruleset(_get(started, "rules", str), _get(started, "settings", dict))
    check_solvable(rules)
    players = tuple(map(str, _get(started, "players", list)))
    return PlayedMatch(rules, players, tuple(_turns(rules, standing)), bool(standing[-1].get("complete")))


def _rulings(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    """The rulings among the lines. Raises `AnalysisError` for a line that is none of a record."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            fact = json.loads(line)
        except (ValueError, RecursionError):
            fact = None
        if not isinstance(fact, dict) or not isinstance(fact.get("name"), str):
            raise AnalysisError(
                f"line {number} is none of a record: give the lines that `fairtray watch --json` prints"
            )
        if fact.get("kind") == "ruling":
            yield fact


def _turns(rules: Ruleset, standing: Iterable[Mapping[str, Any]]) -> Iterator[PlayedTurn]:
    """The turns that ended with a box; throw-offs, and turns that were broken off, are left out."""
    filled: set[tuple[str, str]] = set()
    rolls: list[Roll] = []
    for ruling in standing:
        if ruling["name"] == "TurnStarted":
            rolls = []
        elif ruling["name"] == "RollCounted" and len(_dice(ruling, "values")) == rules.dice:
            rolls.append(_roll(ruling, rolls))
        elif ruling["name"] == "BoxEntered":
            turn = _turn(ruling, rolls)
            if not 1 <= len(rolls) <= rules.rolls or turn.box not in rules.box or (turn.player, turn.box) in filled:
                raise AnalysisError(f"{_where(ruling)} {turn.box} cannot be entered: the record is not whole")
            filled.add((turn.player, turn.box))
            yield turn
            rolls = []


def _turn(entered: Mapping[str, Any], rolls: Sequence[Roll]) -> PlayedTurn:
    return PlayedTurn(
        player=_get(entered, "player", str),
        rolls=tuple(rolls),
        box=_get(entered, "box", str),
        points=_get(entered, "points", int),
        yahtzee_bonus=_get(entered, "yahtzee_bonus", int),
        automatic=_get(entered, "automatic", bool),
    )


def _roll(counted: Mapping[str, Any], before: Sequence[Roll]) -> Roll:
    """A roll. What it keeps was part of the roll before; a kept die may since have been turned, where that stands."""
    values, kept = _dice(counted, "values"), _dice(counted, "kept")
    if _get(counted, "roll", int) != len(before) + 1:
        raise AnalysisError(f"{_where(counted)} this roll cannot follow: the record is not whole")
    if Counter(kept) - Counter(before[-1].values if before else ()):
        raise AnalysisError(f"{_where(counted)} kept {list(kept)}, which the roll before did not show")
    return Roll(values, kept, float(_get(counted, "t", (int, float))))


def _dice(counted: Mapping[str, Any], field: str) -> Dice:
    """The values of some dice, sorted."""
    values = _get(counted, field, list)
    if not all(isinstance(value, int) and value in FACES for value in values):
        raise AnalysisError(f"{_where(counted)} {field} are no dice: the record is not whole")
    return tuple(sorted(values))


def _where(ruling: Mapping[str, Any]) -> str:
    return f"entry {_get(ruling, 'entry', int)} of the record:"


def _get(ruling: Mapping[str, Any], field: str, kind: type | tuple[type, ...]) -> Any:
    """A field of a ruling. Raises `AnalysisError` where it is missing or of another kind."""
    value = ruling.get(field)
    if not isinstance(value, kind):
        raise AnalysisError(f"a {ruling['name']} of the record has no {field}: was it written by an older version?")
    return value

"""What the scorer refuses to work with. Each message is one line: what is wrong and what is wanted.

ScorerError (also a ValueError)
├── DiceError      dice that cannot be read
├── CardError      a score card that no match can lead to
├── RulesetError   a ruleset or a setting that is not known
├── MatchError     a match that cannot be started, or changed any more
├── FactError      a line of a record that is no event and no input
└── AnalysisError  rules that cannot be solved, or a record of a match that cannot be analysed

A throw or a choice that is *not allowed* is no error: the umpire answers it with a ruling.
"""


class ScorerError(ValueError):
    """The scorer was given something it cannot work with."""


class DiceError(ScorerError):
    """The dice as written are no dice of this game."""


class CardError(ScorerError):
    """The card as written names no box, names one twice, or holds points that the box cannot give."""


class RulesetError(ScorerError):
    """No such ruleset, or no such setting of it."""


class MatchError(ScorerError):
    """The match cannot be started like this, or its rules not be changed any more."""


class FactError(ScorerError):
    """The line is no event and no input."""


class AnalysisError(ScorerError):
    """The rules cannot be solved, or the record of a match cannot be analysed."""

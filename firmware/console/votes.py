"""A vote on an accusation: the players vote on their pages or by hands, and the referee decides what follows."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Vote:
    """Whether `accused` broke the rules in what ruling number `entry` is about.

    All players vote but the accused and those who are out. While it is open nobody is told how anybody voted; what is
    kept of it afterwards are two numbers, with the referee's ruling.
    """

    accused: str
    entry: int
    voters: tuple[str, ...]
    is_open: bool = True
    _cast: dict[str, bool] = field(default_factory=dict)

    @classmethod
    def on(cls, accused: str, entry: int, players: Iterable[str], out: Iterable[str]) -> "Vote":
        """A vote that is open."""
        gone = {accused, *out}
        return cls(accused, entry, tuple(name for name in players if name not in gone))

    def cast(self, voter: str, against: bool) -> bool:
        """This player's vote, the last one given; whether they may vote."""
        if not self.is_open or voter not in self.voters:
            return False
        self._cast[voter] = against
        return True

    def close(self) -> tuple[int, int]:
        """Nobody votes any more; so many find that it was so, and so many that it was not."""
        self.is_open = False
        return self.counts

    @property
    def voted(self) -> int:
        """How many have voted."""
        return len(self._cast)

    def has_voted(self, voter: str) -> bool:
        """Whether this player has."""
        return voter in self._cast

    @property
    def counts(self) -> tuple[int, int]:
        """For and against the accusation."""
        found = sum(self._cast.values())
        return found, self.voted - found

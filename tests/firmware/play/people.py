"""Two people at a table where a turn of the sample is thrown over and over: they choose boxes and answer what is asked.

They know what was thrown. A roll that is held they throw again; the film throws whatever comes next in it.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import TimeoutError as TooLateError
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from firmware.entries import read
from firmware.play.inbox import Inbox
from scorer.errors import ScorerError
from scorer.events import BoxChosen, DiceAtRest, DieAnswered, HoldAnswered, PlayerInput, ReadingAnswered, from_json
from scorer.state import State
from scorer.turn import OpenRoll

LOOK_S = 0.2
ROLLS = 2
"""So many are thrown in the film's turn; then a box is chosen."""


class People:
    """They look at the match's state again and again, and say through the inbox what is to be said."""

    def __init__(
        self, thrown: Sequence[DiceAtRest], match: Path, state: Callable[[], State | None], inbox: Inbox
    ) -> None:
        """`thrown`: how dice truly lie in the film after each throw."""
        self._thrown, self._match, self._state, self._inbox = thrown, match, state, inbox
        self.said = 0

    def sit(self, over: Event) -> None:
        """Play along, on a thread of its own, until it is `over`."""
        Thread(target=self._play, args=(over,), daemon=True).start()

    def _play(self, over: Event) -> None:
        while not over.wait(LOOK_S):
            state = self._state()
            said = None if state is None or state.over else self._say(state)
            if state is None or said is None:
                continue
            self.said += 1
            with suppress(TooLateError, ScorerError):
                self._inbox.say(said, state.entries).exception(1.0)

    def _say(self, state: State) -> PlayerInput | None:
        question = state.turn.question
        if isinstance(question, OpenRoll):
            return self._answer(question)
        done = state.waiting_for == "box" or (state.waiting_for == "throw" and state.turn.roll >= ROLLS)
        if done and state.legal:
            return BoxChosen(t=0.0, player=state.player, box=state.legal[0].box)
        return None

    def _answer(self, question: OpenRoll) -> PlayerInput | None:
        if question.gone:
            return DieAnswered(t=0.0, thrown=False)
        if question.doubt:
            return HoldAnswered(t=0.0, counts=False)
        asked = next(iter(question.asked), None)
        return ReadingAnswered(t=0.0, id=asked.id, value=self._value(asked.id)) if asked else None

    def _value(self, die: int) -> int:
        """What the die truly shows that was last seen to lie there."""
        seen = next(from_json(body) for body in reversed(read(self._match)) if body["name"] == DiceAtRest.__name__)
        assert isinstance(seen, DiceAtRest)
        places = {fact.id: fact.place for fact in seen.dice}
        truth = min(self._thrown, key=lambda rest: sum(_nearest(rest, place)[0] for place in places.values()))
        return _nearest(truth, places[die])[1] if die in places else 1


def _nearest(rest: DiceAtRest, place: Sequence[float]) -> tuple[float, int]:
    """How far (mm) from the place the nearest die lies, and what it shows."""
    return min((math.dist(fact.place, place), fact.value or 0) for fact in rest.dice)

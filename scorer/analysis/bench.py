"""`make bench`, the scorer's part: legal boxes and whole games beside another engine in the same run, and the solver.

The peer is pyhtzee (V. Brofeldt, MIT), the fastest Yahtzee engine for Python found on the package index; it plays the
same rolls on the same cards by the rules nearest to its own (a free joker). Without it our figures stand alone.
"""

import resource
import statistics
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from random import Random

from scorer.analysis.earnings import earnings
from scorer.analysis.solver import solve
from scorer.card import Card, enter, totals
from scorer.dice import FACES, Dice
from scorer.legal import placements
from scorer.presets import VERHOEFF as RULES

POSITIONS, GAMES, RUNS = 500, 100, 15

Position = tuple[Card, Dice]
Step = Callable[[], object]


def main() -> None:
    """Print microseconds a position, games a second, both beside the peer, and what the solver takes."""
    solver()
    positions = played(Random(1), POSITIONS)
    ours: list[Step] = [lambda: ask_all(positions), lambda: play_games(Random(2))]
    theirs = peer_steps(positions) if find_spec("pyhtzee") else []
    seconds = medians([*ours, *theirs])
    micro, games = seconds[0] / POSITIONS * 1e6, GAMES / seconds[1]
    print(f"{micro:9.1f} µs   legal boxes with their points, a card and a roll{_beside(seconds, 0)}")
    print(f"{games:9.0f} /s   whole games at random, one player{_beside(seconds, 1)}")
    if not theirs:
        print("          pyhtzee is not installed: nothing to measure beside")


def solver() -> None:
    """Time the exact solution of one ruleset, and the most memory that the process took with it."""
    start = time.perf_counter()
    earn = earnings(RULES)
    asked = time.perf_counter()
    solve(earn)
    done = time.perf_counter()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    parts = f"{asked - start:.1f} s asking placements, {done - asked:.1f} s solving"
    print(f"{done - start:9.1f} s    optimal play of {RULES.name}: {parts}; peak memory {memory:.0f} MB")


def medians(steps: Sequence[Step]) -> list[float]:
    """Median seconds of each step, all measured in turn so that a busy machine slows them alike."""
    for step in steps:
        step()
    runs = [[_timed(step) for step in steps] for _ in range(RUNS)]
    return [statistics.median(times) for times in zip(*runs, strict=True)]


def _timed(step: Step) -> float:
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


def _beside(seconds: Sequence[float], which: int) -> str:
    """What the peer took for the same, and our share of its time."""
    if len(seconds) == 2:
        return ""
    return f" ({seconds[which] / seconds[which + 2]:.2f} of pyhtzee's time)"


def played(random: Random, count: int) -> list[Position]:
    """Positions of games at random: a card and a roll that goes on it."""
    positions: list[Position] = []
    while len(positions) < count:
        card = Card()
        while not card.complete(RULES):
            roll = _roll(random)
            positions.append((card, roll))
            card = enter(RULES, card, roll, random.choice(placements(RULES, card, roll)[0]))
    return random.sample(positions, count)


def ask_all(positions: Sequence[Position]) -> None:
    """The legal boxes of every position."""
    for card, roll in positions:
        placements(RULES, card, roll)


def play_games(random: Random) -> None:
    """Games in which any dice are thrown again twice and any legal box is chosen."""
    for _ in range(GAMES):
        card = Card()
        while not card.complete(RULES):
            dice = [random.choice(FACES) for _ in range(RULES.dice)]
            for _ in range(RULES.rolls - 1):
                again = random.randrange(31)
                dice = [random.choice(FACES) if again >> place & 1 else value for place, value in enumerate(dice)]
            roll = tuple(sorted(dice))
            card = enter(RULES, card, roll, random.choice(placements(RULES, card, roll)[0]))
        assert totals(RULES, card).total > 0


def _roll(random: Random) -> Dice:
    return tuple(sorted(random.choices(FACES, k=RULES.dice)))


def peer_steps(positions: Sequence[Position]) -> list[Step]:
    """The same positions, and games of the same kind, for the peer."""
    from pyhtzee import Pyhtzee
    from pyhtzee.classes import Category
    from pyhtzee.utils import CATEGORY_ACTION_OFFSET, action_to_category_map

    boxes = [category for category in action_to_category_map.values() if "PAIR" not in category.name]
    category_of = {box.name: boxes[place] for place, box in enumerate(RULES.boxes)}
    games = []
    for card, roll in positions:
        game = Pyhtzee(seed=1)
        game.dice = list(roll)
        game.sub_round = RULES.rolls
        game.scores = {category_of[box]: points for box, points in card.points.items()}
        if card.yahtzee_bonuses:
            game.scores[Category.YAHTZEE_BONUS] = card.yahtzee_bonuses * RULES.bonus_points
        games.append(game)

    def ask() -> None:
        for game in games:
            for action in game.get_possible_actions():
                game.get_action_score(action)

    def play() -> None:
        random = Random(2)
        for number in range(1, GAMES + 1):
            game = Pyhtzee(seed=number)
            while not game.is_finished():
                for _ in range(RULES.rolls - 1):
                    game.take_action(random.randrange(CATEGORY_ACTION_OFFSET))
                open_boxes = [action for action in game.get_possible_actions() if action >= CATEGORY_ACTION_OFFSET]
                game.take_action(random.choice(open_boxes))
            assert game.get_total_score() > 0

    return [ask, play]


if __name__ == "__main__":
    main()

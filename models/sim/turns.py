"""The parts of turns that scenarios share: each acts something and states the rulings that must follow."""

from collections.abc import Callable, Sequence

from models.sim.gesture import Player
from models.sim.outcome import Outcome, one_off_tray, settled
from models.sim.scene import room_inside
from models.sim.stage import Stage

ALL = (0, 1, 2, 3, 4)
WILD = 1.7
"""Vigour of a throw that sends dice over the wall."""


def counted(stage: Stage, player: Player, roll: int) -> None:
    """The roll counts, with what lies in the tray."""
    stage.expect("RollCounted", player=player.name, roll=roll, values=stage.values())


def first_roll(stage: Stage, player: Player, wanted: Outcome = settled) -> None:
    """All dice thrown, and counted."""
    stage.throw(player, ALL, wanted)
    counted(stage, player, 1)


def next_roll(stage: Stage, player: Player, roll: int, again: Sequence[int]) -> None:
    """Some dice taken up and thrown again, the others kept, and counted."""
    stage.take(player, again)
    stage.throw(player, again)
    counted(stage, player, roll)


def held(stage: Stage, player: Player, roll: int, reason: str, before: Sequence[int]) -> None:
    """The throw is held; people let it count, or refuse it and the dice are thrown again as they should be."""
    if reason == "weak_throw":
        stage.expect("Noticed", player=player.name, reason=reason)
    if reason == "interference":
        stage.expect("IncidentRecorded", player=player.name, reason=reason)
    stage.expect("RollHeld", player=player.name, roll=roll, values=stage.values(), reason=reason)
    counts = bool(stage.rng.random() < 0.5)
    stage.answer(counts)
    if counts:
        counted(stage, player, roll)
        return
    stage.expect("RollRefused", player=player.name, reason=reason)
    stage.take(player, before)
    stage.throw(player, before)
    counted(stage, player, roll)


def choose_best(stage: Stage, player: Player, following: Player) -> None:
    """The box that earns most is entered, and the next turn begins."""
    stage.choose(player)
    for name in ("BoxProposed", "BoxEntered", "TurnEnded"):
        stage.expect(name, player=player.name)
    stage.expect("TurnStarted", player=following.name)


def in_match(turn: Callable[[Stage, Player], None]) -> Callable[[Stage], None]:
    """Acts a turn up to its box; a second player plays a plain turn before or after it."""

    def act(stage: Stage) -> None:
        first, *others = stage.setting.players
        plays = [turn, *[_plain] * len(others)]
        if stage.rng.random() < 0.5:
            plays.reverse()
        players = [first, *others]
        for n, (player, play) in enumerate(zip(players, plays, strict=True)):
            if n:
                stage.take(players[n - 1], stage.in_tray())
            play(stage, player)
            choose_best(stage, player, players[(n + 1) % len(players)])

    return act


def _plain(stage: Stage, player: Player) -> None:
    first_roll(stage, player)


def to_reroll(stage: Stage, count: int) -> list[int]:
    """The dice a sensible player throws again: those whose value is rarest, then lowest."""
    values = {die: stage.value(die) for die in stage.in_tray()}
    often = list(values.values())
    return sorted(values, key=lambda die: (often.count(values[die]), values[die]))[:count]


def off_tray(stage: Stage, player: Player, dice: Sequence[int], roll: int) -> None:
    """One of the dice leaves the tray and is thrown again alone; then the roll counts."""
    stage.throw(player, dice, one_off_tray, vigour=WILD)
    stage.expect("RerollOrdered", player=player.name, reason="off_tray", count=1, roll=roll)
    tray = stage.setting.tray
    lost = next(die for die, pose in stage.lying().items() if room_inside(tray, *pose.position) < 0)
    stage.fetch(player, lost)
    stage.throw(player, [lost])
    counted(stage, player, roll)

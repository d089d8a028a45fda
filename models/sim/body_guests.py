"""Scenarios of hands that come for no die: they rest in the tray, hover, point, or reach in at the wrong time."""

from dataclasses import replace

from models.sim.body_acts import (
    MARGIN_S,
    TRIES,
    beside,
    come,
    over_floor,
    reach,
    rests_at,
    rolls_long,
    through,
    throw_and_stay,
    touches_none,
)
from models.sim.clutter import cluttered
from models.sim.errors import SimulatorError
from models.sim.gesture import Player, Visit
from models.sim.scenario import ANYWHERE, Scenario
from models.sim.stage import Stage
from models.sim.turns import ALL, choose_best, counted, first_roll, in_match, next_roll, to_reroll


def _resting_hand(stage: Stage, player: Player) -> None:
    if stage.rng.random() < 0.5:
        throw_and_stay(stage, player, float(stage.rng.uniform(1.5, 4.0)))
        counted(stage, player, 1)
    else:
        first_roll(stage, player)
    place = beside(stage, player, float(stage.rng.uniform(0.6, 0.95)), float(stage.rng.uniform(-0.5, 0.5)), 22.0)
    come(stage, reach(stage, player, place, stage.clock, float(stage.rng.uniform(1.5, 4.0))))
    next_roll(stage, player, 2, to_reroll(stage, 3))


def _hovering_hand(stage: Stage) -> None:
    ann, ben = stage.setting.players
    first_roll(stage, ann)
    for player, pointing in ((ann, False), (ben, True)):
        places = _over_dice(stage, player, int(stage.rng.integers(2, 5)), 105.0 if pointing else 20.0)
        make = replace(player.make, pointing=pointing)
        closed = 0.9 if pointing else float(stage.rng.choice([0.0, 0.33, 0.66]))
        come(stage, through(stage, player, places, stage.clock, make, pitch=0.25, closed=closed))
    next_roll(stage, ann, 2, to_reroll(stage, 2))
    choose_best(stage, ann, ben)


def _over_dice(stage: Stage, player: Player, count: int, short_mm: float) -> list[tuple[float, float, float]]:
    """Places high above some dice, so much nearer to the player."""
    dice = list(stage.rng.permutation(stage.in_tray())[:count])
    places = []
    for die in dice:
        x, y, z = stage.lying()[int(die)].position
        away = player.outward * short_mm
        places.append((x + float(away[0]), y + float(away[1]), z + float(stage.rng.uniform(58, 90))))
    return places


def _interference(stage: Stage) -> None:
    ann, ben = stage.setting.players
    stage.throw(ann, ALL, rolls_long)
    come(stage, _meddling(stage, ben))
    stage.expect("IncidentRecorded", player=ann.name, reason="interference")
    stage.expect("RollHeld", player=ann.name, reason="interference")
    stage.answer(True)
    counted(stage, ann, 1)
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    choose_best(stage, ann, ben)


def _meddling(stage: Stage, player: Player) -> Visit:
    """A hand that is over the floor while the dice thrown last still roll and the thrower's hand has left."""
    left = over_floor(stage, stage.last_visit())
    assert left is not None
    last = rests_at(stage) - MARGIN_S
    for _ in range(TRIES):
        rng = stage.rng
        share, sideways, height = (float(rng.uniform(*span)) for span in ((0.5, 1.0), (-0.6, 0.6), (25, 80)))
        closed, seconds = float(rng.uniform(0, 0.7)), float(rng.uniform(0.3, 0.9))
        place = beside(stage, player, share, sideways, height)
        visit = reach(stage, player, place, 0.0, seconds, pitch=0.3, closed=closed)
        coming = over_floor(stage, visit)
        if coming is None or left[1] + MARGIN_S > last:
            continue
        visit = visit.later(float(rng.uniform(left[1] + MARGIN_S, last)) - coming[0])
        if touches_none(stage, visit):
            return visit
    raise SimulatorError("no hand can reach in without touching a die: choose another --seed")


def _two_hands(stage: Stage) -> None:
    ann, ben = stage.setting.players
    seconds = float(stage.rng.uniform(1.6, 3.0))
    ann_stays = throw_and_stay(stage, ann, seconds)
    still = rests_at(stage)
    place = beside(stage, ben, float(stage.rng.uniform(0.75, 1.0)), float(stage.rng.uniform(-0.3, 0.3)), 60.0)
    visit = reach(stage, ben, place, 0.0, float(stage.rng.uniform(0.4, 2.5)), closed=0.4)
    coming, staying_till = over_floor(stage, visit), over_floor(stage, ann_stays)
    assert coming is not None and staying_till is not None
    enters = float(stage.rng.uniform(still + 2 * MARGIN_S, max(staying_till[1] - 2 * MARGIN_S, still + 3 * MARGIN_S)))
    come(stage, visit.later(enters - coming[0]))
    counted(stage, ann, 1)
    next_roll(stage, ann, 2, to_reroll(stage, 3))
    choose_best(stage, ann, ben)


def _clutter(stage: Stage, player: Player) -> None:
    first_roll(stage, player)
    next_roll(stage, player, 2, to_reroll(stage, 3))


def _act_clutter(stage: Stage) -> None:
    stage.setting = cluttered(stage.setting, stage.rng)
    in_match(_clutter)(stage)


BODY_GUESTS = (
    Scenario("resting_hand", "a hand rests in the tray, after or between throws", in_match(_resting_hand), ANYWHERE),
    Scenario("hovering_hand", "a hand hovers over dice, another points at some", _hovering_hand, ANYWHERE, least=2),
    Scenario("interference", "another hand reaches in while the dice still roll", _interference, ANYWHERE, least=2),
    Scenario("two_hands", "another hand comes while the throwing hand is in the tray", _two_hands, ANYWHERE, least=2),
    Scenario("clutter", "pencil, score pad, mug and idle dice lie beside the tray", _act_clutter, ANYWHERE),
)

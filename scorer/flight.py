"""What is gathered while dice are in the air or in a hand, for the rest that follows."""

from dataclasses import replace

from scorer.events import (
    BodyInterfered,
    DiceAtRest,
    DiceLifted,
    DiceThrown,
    DieUnseen,
    KeptDieMoved,
    TrayEvent,
    ViewLost,
    ViewRestored,
)
from scorer.turn import Die, Flight

SAME_THROW_S = 3.0
"""Dice that enter later than this after the last ones are another throw, even if those were never seen at rest."""

CLEAR_VIEW_S = 0.5
"""Dice first seen sooner than this after the view came back may have been thrown before."""


def gather(flight: Flight, event: TrayEvent) -> Flight:
    """The flight with one more event in it; a rest is the end of it (see `landed`)."""
    match event:
        case DiceThrown():
            return _thrown(flight, event)
        case DiceLifted():
            return replace(flight, lifted=flight.lifted | frozenset(event.ids))
        case DieUnseen(last_seen="over_rim"):
            ids = flight.over_rim_ids | frozenset(event.ids)
            return replace(flight, over_rim=flight.over_rim + max(event.count, 0), over_rim_ids=ids)
        case DieUnseen(last_seen="unknown") if flight.count == 0:
            return replace(flight, taken_unseen=True)
        case KeptDieMoved():
            lost = {event.id} if event.identity == "lost" else frozenset[int]()
            return replace(flight, lost=flight.lost | lost, moved=flight.moved | {event.id})
        case BodyInterfered():
            return replace(flight, interfered=True)
        case ViewLost():
            since = flight.dark_since if flight.view_lost else event.t
            return replace(flight, blind=True, view_lost=True, dark_since=since)
        case ViewRestored():
            return replace(flight, blind=False, seen_since=event.t)
        case _:
            return flight


def landed(flight: Flight, rest: DiceAtRest, thrown: bool) -> Flight:
    """What is still known after a rest: after a throw nothing but where dice lie and whether the view is lost.

    After a mere look nothing is in the air, and dice back on the floor are not lifted any more.
    """
    off_tray = frozenset(fact.id for fact in rest.dice if fact.state == "off_tray")
    foreign = frozenset(fact.id for fact in rest.dice if fact.foreign)
    rested = tuple(Die(fact.id, fact.value) for fact in rest.dice if fact.state != "off_tray")
    on_floor = frozenset(die.id for die in rested)
    if thrown:
        dark = flight.blind
        flight = Flight(blind=dark, view_lost=dark, dark_since=flight.dark_since, seen_since=flight.seen_since)
    else:
        lifted = flight.lifted - on_floor
        flight = _taken_back(flight) if flight.interfered else flight
        flight = replace(_on_the_ground(flight), lifted=lifted, moved=frozenset())
    known = on_floor & frozenset(die.id for die in flight.rested)
    if flight.view_lost and not known and len(rested) < len(flight.rested):
        rested = flight.rested  # watching began anew, and not all are seen yet
    return replace(flight, off_tray=off_tray, foreign=foreign, floor=len(on_floor), rested=rested)


def still_owed(flight: Flight, before: Flight) -> Flight:
    """After a throw that is no roll it is as open as `before` whether another was made that nobody has ruled on."""
    flight = replace(flight, unwatched=before.unwatched, lay=before.lay)
    return replace(flight, taken_unseen=before.taken_unseen, taken_back=before.taken_back)


def _taken_back(flight: Flight) -> Flight:
    """The flight whose dice never come to rest, unless all went over the rim, or the view was lost after them: then
    people have been asked already."""
    asked = flight.view_lost and flight.dark_since >= flight.t_first
    gone = flight.count <= flight.over_rim and not flight.interfered
    if flight.count == 0 or gone or asked:
        return flight
    return replace(flight, taken_back=flight.t_first, interfered=False)


def _on_the_ground(flight: Flight) -> Flight:
    """The flight with nothing in the air."""
    nobody: frozenset[int] = frozenset()
    return replace(flight, count=0, t_first=0.0, t_last=0.0, tumble=(), over_rim=0, over_rim_ids=nobody)


def _thrown(flight: Flight, event: DiceThrown) -> Flight:
    """More dice have entered: with those before them, or long after dice that never came to rest, as a new throw.

    A throw that begins in clear view was seen from its start, whatever happened to the view before.
    """
    if event.t_first - flight.t_last > SAME_THROW_S:
        flight = _on_the_ground(_taken_back(flight))
    if flight.count == 0:
        clear = not flight.blind and event.t_first - flight.seen_since > CLEAR_VIEW_S
        view_lost = flight.view_lost and not clear
        flight = replace(flight, t_first=event.t_first, t_last=event.t_last, view_lost=view_lost)
    return replace(
        flight,
        count=flight.count + max(event.count, 1),
        t_first=min(flight.t_first, event.t_first),
        t_last=max(flight.t_last, event.t_last),
        tumble=flight.tumble + event.tumble,
    )

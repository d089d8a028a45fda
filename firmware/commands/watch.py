"""`fairtray watch`: a video or a camera in, events and rulings out."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from calibration.facts import Calibration
from calibration.file import load
from calibration.find import find_tray
from calibration.words import CHECKED
from firmware.choices import Choices, load_choices
from firmware.commands.calibrate import checked_at
from firmware.commands.rules import chosen_rules
from firmware.config import USUAL_EVIDENCE, EvidenceOptions
from firmware.drawn.film import Film
from firmware.errors import FirmwareError
from firmware.evidence.budget import Budget
from firmware.evidence.key import device_key
from firmware.evidence.store import Store
from firmware.ledger import Ledger, verify
from firmware.match import Facts, Moment, play
from firmware.play.sinks import Sink, filmed, json_lines, pictures, proved, terminal
from firmware.play.sources import check_belongs, open_frames, until_interrupted
from firmware.record import watched_again
from scorer.agreed import options_of
from scorer.events import BoxChosen, CallRefused, HouseRulesDeclared, PlayerInput, ViewLost
from scorer.rules import Ruleset
from scorer.settings import change, parse_settings
from scorer.state import Options
from scorer.umpire import Umpire
from vision.network import Networks, load_networks, stricter
from vision.source import FrameSource
from vision.watcher import Watcher

ONE_PLAYER = ("Player",)
FIND_SECONDS = 10.0
"""Of video, in which a tray without a calibration must show itself."""
SPOILS = {"camera_moved": "camera_moved", "tray_moved": "camera_moved", "light_changed": "light_changed"}
"""What a calibration does not hold any more after these faults of the view."""


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """What `fairtray watch` was asked to do; `players` None = those of the choices, else one.

    `chosen_by_hand`: people choose their boxes with buttons; else, without choices, the best box is entered.
    """

    source: str
    calibration: Path | None = None
    rules: str = "bho"
    players: tuple[str, ...] | None = None
    annotate: Path | None = None
    display: Path | None = None
    choices: Path | None = None
    events_only: bool = False
    settings: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    models: Path | None = None
    match: Path | None = None
    chosen_by_hand: bool = False
    evidence: EvidenceOptions = USUAL_EVIDENCE


@dataclass(frozen=True, slots=True)
class Table:
    """A source of frames with all that is needed to rule on them."""

    source: FrameSource
    watcher: Watcher
    umpire: Umpire | None
    choices: tuple[PlayerInput, ...]
    keep: Sink | None = None

    def play(self, sinks: Sequence[Sink]) -> None:
        """Play to the end of the source; an interrupt (Ctrl-C) ends the recording there, properly."""
        with until_interrupted(self.source) as frames:
            for moment in play(frames, self.watcher, self.umpire, self.choices):
                for sink in (*sinks, *([self.keep] if self.keep else ())):
                    sink(moment)


def watch_command(options: WatchOptions, as_json: bool) -> int:
    """Watch the source to its end and say what happens; the exit status.

    Raises one of our errors for bad input, before anything is written; for house rules declared too late, at the end.
    """
    if options.match and options.events_only:
        raise FirmwareError("--events-only plays no match: leave --match out")
    with ExitStack() as stack:
        table = stack.enter_context(open_table(options))
        sinks = [json_lines(sys.stdout) if as_json else stack.enter_context(on_terminal(Console(), table.source))]
        if options.annotate:
            film = stack.enter_context(Film(options.annotate, table.source.fps))
            sinks.append(filmed(film, table.watcher))
        if options.display:
            sinks.append(pictures(options.display))
        late: list[str] = []
        sinks.append(lambda moment: late.extend(_declared_late(moment.facts)))
        if options.calibration:
            sinks.append(_no_longer_held(options.calibration))
        table.play(sinks)
    if options.match and not as_json:
        print(f"The match ends with {verify(options.match).code}: note it.")
    if late:
        raise FirmwareError(late[0])
    return 0


def _no_longer_held(calibration: Path) -> Sink:
    """Says on stderr, once for each reason, that play has left what the calibration was made for."""
    said: set[str] = set()

    def told(moment: Moment) -> None:
        for fact in moment.facts:
            reason = SPOILS.get(fact.cause) if isinstance(fact, ViewLost) else None
            if reason is not None and reason not in said:
                said.add(reason)
                print(f"fairtray: {calibration}: at {fact.t:.1f} s {CHECKED[reason]}", file=sys.stderr)

    return told


def _declared_late(facts: Facts) -> Iterator[str]:
    """House rules that were declared after the first throw, and so refused."""
    for fact in facts:
        if isinstance(fact, CallRefused) and fact.reason == "house_rules_locked":
            yield f"house rules declared at {fact.t:g} s, after the first throw: {fact.rule}"


@contextmanager
def open_table(options: WatchOptions) -> Iterator[Table]:
    """The source, found and calibrated, with the umpire of the match.

    Raises one of our errors: the rules, players, choices, source or calibration are none, or no tray can be found.
    """
    umpire, choices = people(options)
    networks, calibration = seeing(options)
    with ExitStack() as stack:
        source = stack.enter_context(open_frames(options.source, locked=calibration.locked))
        watcher, keep = Watcher(networks, calibration.geometry), None
        if umpire and options.match:
            signer = device_key(options.evidence.key)
            ledger = stack.enter_context(Ledger(options.match, signer))
            umpire = watched_again(umpire, ledger, options.source)
            store = Store(ledger, Budget(ledger, options.evidence.budget_mb, signer))
            keep = proved(watcher, store, options.evidence.seconds, options.evidence.memory_mb)
        yield Table(source, watcher, umpire, choices, keep)


def seeing(options: WatchOptions) -> tuple[Networks, Calibration]:
    """The networks, as strict as this tray needs them, and the tray's calibration; raises one of our errors as
    `open_table` does."""
    networks = load_networks(options.models)
    calibration = _calibrated(options, networks)
    _ = calibration.geometry  # the numbers must fit together before anything is opened
    return stricter(networks, calibration.thresholds), calibration


@contextmanager
def on_terminal(console: Console, source: FrameSource) -> Iterator[Sink]:
    """The terminal as a sink, with a bar for as long as a source with an end is played."""
    share = TextColumn("{task.percentage:>3.0f}%")
    columns = (TextColumn("{task.description}"), BarColumn(), share, TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=source.frame_count is None) as progress:
        yield terminal(console, progress, progress.add_task("watching", total=source.frame_count))


def people(options: WatchOptions) -> tuple[Umpire | None, tuple[PlayerInput, ...]]:
    """The umpire of who plays by which rules, None where no match is wanted, and what is known that people will say."""
    if options.events_only:
        return None, ()
    said = load_choices(options.choices, options.players) if options.choices else Choices(())
    choices = said.inputs
    choosers = dict.fromkeys(choice.player for choice in choices if isinstance(choice, BoxChosen))
    names = options.players or said.players or tuple(choosers) or ONE_PLAYER
    rules = chosen_rules(options.rules, options.settings)
    _check_declared(rules, choices)
    usual = Options(automatic_boxes=options.choices is None and not options.chosen_by_hand)
    return Umpire(rules, names, options_of(parse_settings(options.agreed, "agreement"), usual)), choices


def _check_declared(rules: Ruleset, choices: Sequence[PlayerInput]) -> None:
    """Raise `RulesetError` for a setting declared among the choices that these rules cannot have."""
    for said in choices:
        for name, value in said.settings.items() if isinstance(said, HouseRulesDeclared) else ():
            change(rules, name, value)


def _find(spec: str, networks: Networks) -> Calibration:
    """The calibration that the first seconds of the source show."""
    with open_frames(spec) as source:
        return find_tray(networks, takewhile(lambda frame: frame.t <= FIND_SECONDS, source))


def _calibrated(options: WatchOptions, networks: Networks) -> Calibration:
    """The calibration given, or found; a line on stderr tells where the source does not look like the one given."""
    if options.calibration is None:
        return _find(options.source, networks)
    calibration = load(options.calibration)
    if calibration.picture is None:  # not made by `calibrate run`: nothing tells what its edges looked like
        with open_frames(options.source, locked=calibration.locked) as source:
            check_belongs(calibration, options.calibration, options.source, source.size)
        return calibration
    for reason in checked_at(calibration, options.calibration, options.source).reasons:
        print(f"fairtray: {options.calibration}: {CHECKED[reason]}", file=sys.stderr)
    return calibration

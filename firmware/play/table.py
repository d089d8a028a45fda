"""A table to play at: frames, the watcher that is calibrated for them, the umpire, and what people will say."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from calibration.check import Checked, check
from calibration.facts import Calibration
from calibration.file import load
from calibration.find import find_tray
from calibration.words import CHECKED
from firmware.choices import Choices, load_choices
from firmware.chosen import chosen_rules
from firmware.config import USUAL_EVIDENCE, EvidenceOptions
from firmware.evidence.budget import Budget
from firmware.evidence.key import device_key
from firmware.evidence.store import Store
from firmware.ledger import Ledger
from firmware.match import play
from firmware.play.sinks import Sink, proved
from firmware.play.sources import check_belongs, open_frames, until_interrupted
from firmware.record import watched_again
from scorer.agreed import options_of
from scorer.events import BoxChosen, HouseRulesDeclared, PlayerInput
from scorer.rules import Ruleset
from scorer.settings import change, parse_settings
from scorer.state import Options
from scorer.umpire import Umpire
from vision.network import Networks, load_networks, stricter
from vision.source import FrameSource, Image
from vision.watcher import Watcher

ONE_PLAYER = ("Player",)
CHECK_S, CHECK_PICTURES = 2.0, 9
"""Seconds looked at to check a calibration, and pictures taken from them."""
FIND_SECONDS = 10.0
"""Of video, in which a tray without a calibration must show itself."""


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """What `fairtray watch` was asked to do; `players` None = those of the choices, else one.

    `chosen_by_hand`: people choose their boxes themselves; else, without choices, the best box is entered. `two_hands`:
    unless they agree otherwise, the player to the left of who chose one agrees to it.
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
    two_hands: bool = False
    evidence: EvidenceOptions = USUAL_EVIDENCE


@dataclass(frozen=True, slots=True)
class Table:
    """A source of frames with all that is needed to rule on them."""

    source: FrameSource
    calibration: Calibration
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
        yield Table(source, calibration, watcher, umpire, choices, keep)


def seeing(options: WatchOptions) -> tuple[Networks, Calibration]:
    """The networks, as strict as this tray needs them, and the tray's calibration; raises one of our errors as
    `open_table` does."""
    networks = load_networks(options.models)
    calibration = _calibrated(options, networks)
    _ = calibration.geometry  # the numbers must fit together before anything is opened
    return stricter(networks, calibration.thresholds), calibration


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
    automatic = options.choices is None and not options.chosen_by_hand
    usual = Options(automatic_boxes=automatic, marker=options.two_hands and len(names) > 1)
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


def checked_at(known: Calibration, path: Path, source: str) -> Checked:
    """The calibration beside the first seconds of a source; raises FirmwareError where they do not belong together."""
    pictures: list[Image] = []
    with open_frames(source, locked=known.locked) as frames:
        check_belongs(known, path, source, frames.size)
        for frame in takewhile(lambda frame: frame.t <= CHECK_S, frames):
            if frame.sound and (not pictures or frame.t >= len(pictures) * CHECK_S / CHECK_PICTURES):
                pictures.append(frame.image)
    return check(known, pictures)

"""`fairtray console`: what its owner sets up, and looking at a match that is not being played."""

import getpass
import sys
from pathlib import Path

import numpy as np
from PIL import Image

from firmware.config import ConsoleOptions, EvidenceOptions
from firmware.console.address import address, referee_address
from firmware.console.beside import check_installed
from firmware.console.errors import ConsoleError
from firmware.console.later import heard_later
from firmware.console.pin import has_pin, new_pin, set_pin
from hardware.qr import qr_code

_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
"""Light and dark of two rows as one of text: the terminal's ink is light."""


def pin_command(options: ConsoleOptions, new: bool) -> int:
    """Set the referee's PIN; the exit status. Raises `ConsoleError` where it is none."""
    folder = Path(options.folder)
    pin = new_pin() if new else _asked()
    set_pin(folder, pin)
    if new:
        print(f"PIN: {pin}")
    print(f"its hash is in {folder}; where there was none before, the referee's pages open once Fairtray starts again")
    return 0


def address_command(options: ConsoleOptions) -> int:
    """Print where the pages are; the exit status. Raises `ConsoleError` where the console is not installed."""
    from firmware.console.certificate import certificate, fingerprint
    from firmware.console.serve import certified_names

    check_installed()
    print(
        f"players: {address(options)}{'' if options.enabled else ' (not enabled: [console] enabled in fairtray.toml)'}"
    )
    print(_drawn(address(options)))
    if not has_pin(Path(options.folder)):
        print("referee: shut until there is a PIN; `fairtray console pin` sets one")
        return 0
    print(f"referee: {referee_address(options)}")
    made, _ = certificate(Path(options.folder), certified_names(options))
    print(f"its certificate's fingerprint (SHA-256): {fingerprint(made)}")
    return 0


def serve_command(options: ConsoleOptions, evidence: EvidenceOptions, match: Path) -> int:
    """Serve a match until Ctrl-C; the exit status.

    Raises `LedgerError` where there is no match or it was altered, `ConsoleError` where nothing can listen.
    """
    check_installed()
    from firmware.console.serve import serve

    with heard_later(match, evidence, lambda text: print(text, flush=True)) as link:
        print(f"players: {address(options)}", flush=True)
        if has_pin(Path(options.folder)):
            print(f"referee: {referee_address(options)}", flush=True)
        serve(options, match, link, is_played=False)
    return 0


def _asked() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    try:
        pin, again = getpass.getpass("PIN: "), getpass.getpass("once more: ")
    except EOFError as error:
        raise ConsoleError("no PIN was given: nothing is changed") from error
    if again != pin:
        raise ConsoleError("these were two different PINs: try again")
    return pin


def _drawn(url: str) -> str:
    """The address as a QR code for a terminal, two rows to a line."""
    code = qr_code(url, 1).convert("L")
    picture = Image.new("L", (code.width, code.height + code.height % 2), 255)
    picture.paste(code)
    light = np.asarray(picture) > 0
    lines = zip(light[::2], light[1::2], strict=True)
    return "\n".join("".join(_HALVES[up, low] for up, low in zip(upper, lower, strict=True)) for upper, lower in lines)

"""Where the console is found."""

import socket

from firmware.config import ConsoleOptions

ANY = ("0.0.0.0", "::")


def address(options: ConsoleOptions) -> str:
    """The address of the players' pages, as a phone in the same network writes it."""
    return f"http://{_host(options)}:{options.port}"


def referee_address(options: ConsoleOptions) -> str:
    """The address of the referee's pages."""
    return f"https://{_host(options)}:{options.referee_port}"


def own_names() -> frozenset[str]:
    """What this machine is called in its network."""
    name = socket.gethostname()
    return frozenset({"localhost", name, name.partition(".")[0], f"{name.partition('.')[0]}.local"})


def own_address() -> str:
    """This machine's address towards others; the loopback where it is in no network. Nothing is sent."""
    for towards in ("192.0.2.1", "10.255.255.255", "192.168.255.255"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((towards, 9))
                return str(probe.getsockname()[0])
            except OSError:
                continue
    return "127.0.0.1"


def _host(options: ConsoleOptions) -> str:
    return own_address() if options.host in ANY else options.host

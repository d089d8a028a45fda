"""Where the console is found."""

import fcntl
import socket
import struct

from firmware.config import ConsoleOptions

ANY = ("0.0.0.0", "::")
LOOPBACK = "127.0.0.1"
ELSEWHERE = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737)."""
SIOCGIFADDR = 0x8915


def address(options: ConsoleOptions) -> str:
    """The address of the players' pages, as a phone in the same network writes it."""
    return f"http://{_host(options)}:{options.port}"


def referee_address(options: ConsoleOptions) -> str:
    """The address of the referee's pages."""
    return f"https://{_host(options)}:{options.referee_port}"


def own_names() -> frozenset[str]:
    """What this machine is called in its network."""
    name = socket.gethostname().lower()  # as browsers write it
    return frozenset({"localhost", name, name.partition(".")[0], f"{name.partition('.')[0]}.local"})


def own_address() -> str:
    """This machine's address towards others: where the way out of its network begins, else that of its first network.

    The loopback where it is in none. Nothing is sent.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            return str(probe.getsockname()[0])
        except OSError:  # a network of its own, as of a Pi that is the access point, leads nowhere else
            addresses = [_address_of(probe, name) for _, name in socket.if_nameindex()]
    return next((found for found in addresses if found and not found.startswith("127.")), LOOPBACK)


def _address_of(probe: socket.socket, interface: str) -> str | None:
    """The interface's IPv4 address, as `ioctl` tells it (netdevice(7))."""
    try:
        told = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", interface.encode()[:15]))
    except OSError:
        return None
    return socket.inet_ntoa(told[20:24])


def _host(options: ConsoleOptions) -> str:
    host = own_address() if options.host in ANY else options.host
    return f"[{host}]" if ":" in host else host

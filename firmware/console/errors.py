"""What can go wrong with the console."""

from firmware.errors import FirmwareError


class ConsoleError(FirmwareError):
    """The console cannot be started or set up; the message is one line that says what to do."""


def missing(package: str | None) -> ConsoleError:
    """A package of the console is not installed."""
    return ConsoleError(
        f"the console needs {package}: install Fairtray with its extra, pip install 'fairtray[console]'"
    )

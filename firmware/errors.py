"""What can go wrong with what a user gives the appliance."""

EXIT_BAD_INPUT = 2
"""The exit status for it."""


class FirmwareError(ValueError):
    """An option, a file or a choice that cannot be used; the message is one line that says what to do."""


class SourceEndedError(FirmwareError):
    """A camera sends no pictures any more."""


class LedgerError(FirmwareError):
    """The ledger of a match cannot be read or written."""


class AnotherMatchError(LedgerError):
    """What is played is not what the ledger holds: nothing may be written to it."""


class EvidenceError(FirmwareError):
    """A piece of evidence is not there, or is not what was kept."""


class MovedOnError(FirmwareError):
    """Something was ruled since whoever says something has looked."""


class KeyFileError(FirmwareError):
    """The device's key cannot be used or made."""

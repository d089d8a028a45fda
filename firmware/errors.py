"""What can go wrong with what a user gives the appliance."""

EXIT_BAD_INPUT = 2
"""The exit status for it."""


class FirmwareError(ValueError):
    """An option, a file or a choice that cannot be used; the message is one line that says what to do."""


class LedgerError(FirmwareError):
    """The ledger of a match cannot be read or written."""

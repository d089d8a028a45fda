"""What can go wrong with what a user gives the appliance."""


class FirmwareError(ValueError):
    """An option, a file or a choice that cannot be used; the message is one line that says what to do."""

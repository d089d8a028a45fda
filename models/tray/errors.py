"""What can be wrong with what the measurement was given."""


class TrayError(ValueError):
    """One line that says what is wrong and what to do."""

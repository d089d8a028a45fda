"""Errors of the simulated tray."""


class SimulatorError(ValueError):
    """The simulated tray cannot be drawn as asked; the message is one line that says what to do."""

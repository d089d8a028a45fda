"""The errors of calibration."""


class CalibrationError(ValueError):
    """A calibration cannot be found or used; the message is one line: what is wrong and what to do."""

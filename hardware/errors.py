"""What the hardware refuses. Each message is one line: what is wrong and what to do.

HardwareError (also a ValueError)
├── DisplayError   a display that is not there, or a screen that has no room on it
├── PanelError     buttons that cannot be reached
└── CameraError    a camera that is not there or does not do what is asked
"""


class HardwareError(ValueError):
    """A part of the tray is missing or does not do what is asked."""


class DisplayError(HardwareError):
    """The display is not there, is not known, or has no room for what it should show."""


class PanelError(HardwareError):
    """The buttons cannot be reached, or share a pin."""


class CameraError(HardwareError):
    """There is no camera, or it cannot do what is asked of it."""

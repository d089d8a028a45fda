"""The sample match: a film of a simulated tray, with its calibration, what its players say, and its truth."""

from pathlib import Path

SAMPLE = Path(__file__).parent
"""The folder that holds it."""

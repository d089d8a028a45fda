"""What a camera is to be held at: what it chose for itself while it was calibrated, made proof against the lamp."""

from dataclasses import replace

from calibration.facts import Locked


def lock(chosen: Locked, mains: int | None, fps: float) -> Locked:
    """`chosen` by the camera, with an exposure of whole half periods of the mains (50 or 60 Hz) where a lamp flickers.

    Light is the same all over the picture then. The gain makes up for it; where it cannot fall so far, or frames come
    too fast, the camera's own choice stays.
    """
    if mains is None or fps <= 0:
        return chosen
    half_us = 500_000 / mains
    periods = max(1, min(round(chosen.exposure_us / half_us), int(1e6 / fps / half_us)))
    gain = chosen.gain * chosen.exposure_us / (periods * half_us)
    if gain < 1 or periods * half_us > 1e6 / fps:
        return chosen
    return replace(chosen, exposure_us=round(periods * half_us), gain=round(gain, 3))

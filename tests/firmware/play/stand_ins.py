"""Stand-ins for what a process plays with: the clock, the camera's frames, a display that refuses."""

from typing import Any


def put(place: Any, **stand_ins: Any) -> None:
    """Let these stand for the things of those names in a module or a class, which must have them.

    Raises:
        AttributeError: it has no such thing.
    """
    for name, stand_in in stand_ins.items():
        getattr(place, name)
        setattr(place, name, stand_in)

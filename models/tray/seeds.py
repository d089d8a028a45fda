"""Which seeds are measured."""

from models.tray.errors import TrayError

FIRST_SEED = 1000
"""Seeds below are for development: what is reported comes from seeds that nobody looked at."""


def parse_seeds(given: str) -> list[int]:
    """The seeds named as 1000-1019 or 1,2,7; raises TrayError where they are none."""
    try:
        seeds: list[int] = []
        for part in given.split(","):
            first, _, last = part.partition("-")
            seeds += range(int(first), int(last or first) + 1)
    except ValueError:
        raise TrayError(f"{given!r} names no seeds: give them as 1000-1019 or 1,2,7") from None
    if not seeds:
        raise TrayError(f"{given!r} names no seeds: the first is larger than the last")
    return seeds

"""Exact bounds on a share of which only a count is known."""

import math

import numpy as np

_HALVINGS = 60  # beyond the precision of a float


def bounds(count: int, of: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return between which shares the true one lies, when `count` of `of` independent trials succeeded.

    Each side is missed with at most (1 - confidence) / 2. Of no trials nothing is known: (0, 1). Raises ValueError
    where `count` is not one of 0 to `of`, or `confidence` not between 0 and 1.
    Source: Clopper and Pearson, "The use of confidence or fiducial limits", Biometrika 26 (1934), 404.
    """
    if not 0 <= count <= of or not 0 < confidence < 1:
        raise ValueError(f"no bounds for {count} of {of} with confidence {confidence}")
    tail = (1 - confidence) / 2
    return 1 - _upper(of - count, of, tail), _upper(count, of, tail)


def _upper(count: int, of: int, tail: float) -> float:
    """Return the share at which `count` successes or fewer of `of` have the probability `tail`."""
    if count == of:
        return 1.0
    successes = np.arange(count + 1)
    ways = np.concatenate(([0.0], np.cumsum(np.log((of - successes[:-1]) / successes[1:]))))  # log of n over k
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        share = (low + high) / 2
        terms = ways + successes * math.log(share) + (of - successes) * math.log1p(-share)
        low, high = (share, high) if float(np.exp(terms).sum()) > tail else (low, share)
    return (low + high) / 2

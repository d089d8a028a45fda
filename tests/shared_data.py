"""Where the material shared between checkouts lies, for the tests that need it."""

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("FAIRTRAY_SHARED", Path(__file__).resolve().parents[2] / "shared"))

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"no shared material at {SHARED}; set FAIRTRAY_SHARED to its folder"
)

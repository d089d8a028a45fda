"""Running the `fairtray` command as a user does."""

import subprocess
import sys
from pathlib import Path


def fairtray(*arguments: str | Path, put: str | None = None) -> subprocess.CompletedProcess[str]:
    """What the command printed and its exit status; `put` is given to it as its standard input."""
    command = [sys.executable, "-m", "firmware", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, input=put)

"""Running the `fairtray` command as a user does."""

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from firmware import cli


def fairtray(*arguments: str | Path, put: str | None = None) -> subprocess.CompletedProcess[str]:
    """What the command printed and its exit status; `put` is given to it as its standard input."""
    command = [sys.executable, "-m", "firmware", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, input=put)


def fairtray_here(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The same in this process: starting another takes a second, of which tests of many bad options pay each."""
    told, complained = io.StringIO(), io.StringIO()
    with redirect_stdout(told), redirect_stderr(complained):
        status = cli._run([*map(str, arguments)])
    return subprocess.CompletedProcess(arguments, status, told.getvalue(), complained.getvalue())

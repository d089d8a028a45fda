"""`python -m firmware` is `fairtray`."""

from firmware.cli import main

main()

"""The referee's pages."""

from pathlib import Path

from fastapi import FastAPI

from firmware.console.answering import application
from firmware.console.live import Live
from firmware.console.sessions import Sessions


def referee_pages(live: Live, sessions: Sessions, seats: Sessions, folder: Path) -> FastAPI:
    """The referee's server."""
    return application("Fairtray: the referee's pages")

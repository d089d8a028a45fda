"""Structured logs: a JSON object a line on the standard error, as journals and people can search them."""

import json
import logging
import sys
from datetime import UTC, datetime

LEVELS = ("debug", "info", "warning", "error")


def log_as(level: str) -> None:
    """Log what is at least this grave."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines())
    logger = logging.getLogger("fairtray")
    logger.handlers[:] = [handler]
    logger.setLevel(level.upper())
    logger.propagate = False


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """`{"at","level","what"}` and what was told besides."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "what": record.getMessage()}
        line |= getattr(record, "told", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)

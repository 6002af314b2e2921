"""The log: one line for each event, as text or JSON."""

import json
import logging
import sys
from collections.abc import Mapping
from datetime import datetime, timezone

from headwater.server.settings.settings import ServerSettings
from headwater.store.errors import without_password

LOG = logging.getLogger("headwater.server")


def note(level: int, message: str, facts: Mapping[str, object]) -> None:
    """Log a message with facts: after it in text, under their names in JSON."""
    if LOG.isEnabledFor(level):
        LOG.log(level, message, extra={"facts": facts})


def set_up_logs(settings: ServerSettings) -> None:
    """Write our log and uvicorn's to standard error, in the configured format."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if settings.log_format == "json" else TextLines())
    for name in ("headwater", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(settings.log_level.upper())
    # Its start and stop lines repeat ours; warnings and errors pass.
    if settings.log_level != "debug":
        logging.getLogger("uvicorn").setLevel(logging.WARNING)


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """A line."""
        line: dict[str, object] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["trace"] = without_password(self.formatException(record.exc_info))
        return json.dumps(line, default=str, ensure_ascii=False)


class TextLines(logging.Formatter):
    """One line for people; a name with a line break in it stays in one line."""

    def format(self, record: logging.LogRecord) -> str:
        """A line, and the trace of an error below it."""
        facts: Mapping[str, object] = getattr(record, "facts", {})
        text = " ".join([record.getMessage(), *(f"{name}={value}" for name, value in facts.items())])
        line = f"{_time(record)} {record.levelname:<7} {text}".replace("\n", "\\n").replace("\r", "\\r")
        if record.exc_info:
            line += "\n" + without_password(self.formatException(record.exc_info))
        return line


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds")

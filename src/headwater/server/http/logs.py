"""The log: one line for each event, as text or JSON."""

import json
import logging
import sys
from collections.abc import Mapping
from datetime import datetime, timezone
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from headwater.common.redaction.text import redact
from headwater.notebook.words import printable
from headwater.server.settings.settings import ServerSettings

LOG = logging.getLogger("headwater.server")
# What is left of an address where the log names networks only.
_NETWORK_BITS = {4: 24, 6: 48}


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
            line["trace"] = self.formatException(record.exc_info)
        # In ASCII, so that no character ends the line, controls a terminal, or has no place in the file's encoding.
        return json.dumps({name: _clean(value) for name, value in line.items()}, default=str)


class TextLines(logging.Formatter):
    r"""One line for people, whatever is in a name or a message: nothing in it begins a line or looks like a fact.

    >>> record = logging.makeLogRecord({"msg": "a\nb", "facts": {"n": 1, "name": 'x" n=2\n'}, "levelname": "INFO"})
    >>> TextLines().format(record).partition("INFO    ")[2]
    'a\\nb n=1 name="x\\" n=2\\n"'
    """

    def format(self, record: logging.LogRecord) -> str:
        """A line, and the trace of an error below it, each of its lines further in."""
        facts: Mapping[str, object] = getattr(record, "facts", {})
        # Each by itself: the name of a token is no secret, though `token=` precedes it.
        values = (f"{name}={_value(_clean(value))}" for name, value in facts.items())
        text = " ".join([printable(redact(record.getMessage())), *values])
        lines = [f"{_time(record)} {record.levelname:<7} {text}"]
        if record.exc_info:
            trace = redact(self.formatException(record.exc_info))
            lines += [f"    {printable(line)}" for line in trace.split("\n")]
        return "\n".join(lines)


def _value(value: object) -> str:
    """A value as one word."""
    text = str(value)
    if text and text.isprintable() and not any(char in text for char in ' ="\\'):
        return text
    return printable(json.dumps(text, ensure_ascii=False))


@lru_cache(maxsize=1024)
def client_in_log(host: str, how: str) -> str | None:
    """The address of a client for the log: all of it, its network, or nothing.

    >>> client_in_log("203.0.113.7", "full"), client_in_log("2001:db8:1:2::3", "network"), client_in_log("::1", "none")
    ('203.0.113.7', '2001:db8:1::/48', None)

    A proxy may pass on anything:

    >>> client_in_log("no address", "full")
    'unknown'
    """
    if how == "none":
        return None
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return str(address if how == "full" else ip_network((address, _NETWORK_BITS[address.version]), strict=False))


def _clean(value: object) -> object:
    """A value without secrets: names and paths come from outside."""
    return redact(value) if isinstance(value, str) else value


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds")

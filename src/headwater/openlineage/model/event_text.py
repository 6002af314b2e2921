"""From the text of an event, as in a file or a topic, to its JSON."""

import json
from typing import Any

from headwater.common.json_text import read_json
from headwater.openlineage.model.event import BadEvent

# What JSON passes over, and so may stand at the end of a line.
_BLANK = b" \t\r\n"


def event_of(text: bytes) -> Any:  # noqa: ANN401  JSON; whether it is an event is checked next
    """The JSON of one line.

    >>> event_of(b'{"eventTime": "2026-01-31T00:00:00Z"}')
    {'eventTime': '2026-01-31T00:00:00Z'}

    Raises:
        BadEvent: the line is not valid JSON, or null.
    """
    try:
        event = read_json(text.rstrip(_BLANK))
    except json.JSONDecodeError as error:
        raise BadEvent("", f"not valid JSON: {error.msg} (character {error.pos + 1})") from None
    except UnicodeDecodeError as error:
        raise BadEvent("", f"not UTF-8 (byte {error.start + 1})") from None
    except ValueError as error:  # a number with too many digits, or out of range
        raise BadEvent("", f"not valid JSON: {error}") from None
    except RecursionError:
        raise BadEvent("", "not valid JSON: nested too deeply") from None
    if event is None:
        raise BadEvent("", "must be an object, not null")
    return event

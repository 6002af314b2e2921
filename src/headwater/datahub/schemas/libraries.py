"""The optional libraries that read schemas; whatever they raise becomes one sentence.

Every reader raises `BadSchema` for a schema that it cannot use, `MissingLibrary` where its library is not installed.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from headwater.fields.errors import BadSchema, DataHubError, MissingLibrary
from headwater.fields.schema_tree import check_brackets, check_nesting

_LONGEST = 300
_COLOURS = re.compile("\x1b\\[[0-9;]*m")


def needed(module: str, reads: str) -> Any:  # noqa: ANN401  a module
    """Import a library."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingLibrary(
            f"Reading {reads} needs {module.partition('.')[0]}: install it with pip install 'headwater[datahub]'."
        ) from error


@contextmanager
def plain_errors(source: str, text: str = "") -> Iterator[None]:
    """Turn whatever a library raises about a bad schema, or its text if it parses one, into one sentence.

    Libraries promise little about errors, so every ordinary one counts as an error of the input.
    """
    try:
        check_brackets(text)
        yield
    except DataHubError:
        raise
    except RecursionError as error:
        raise BadSchema(f"The {source} is nested too deeply: flatten it.") from error
    except Exception as error:
        raise BadSchema(f"Cannot parse the {source}: {_brief(error)}.") from error


def read_json(text: str | bytes) -> Any:  # noqa: ANN401  JSON
    """The JSON of a schema, which may not be nested more deeply than a schema."""
    written = json.loads(text)
    check_nesting(written)
    return written


def _brief(error: Exception) -> str:
    message = " ".join(_COLOURS.sub("", str(error)).split()) or type(error).__name__
    if isinstance(error, KeyError):
        message = f"{message} is missing"
    return (message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…").rstrip(".")

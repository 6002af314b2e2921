"""Values of settings, parsed from a file or the environment."""

import re
from typing import Any

_UNITS = {
    "": 1,
    "B": 1,
    "KB": 1000,
    "MB": 1000**2,
    "GB": 1000**3,
    "KIB": 1024,
    "MIB": 1024**2,
    "GIB": 1024**3,
}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([a-zA-Z]*)")
_YES = {"true", "yes", "on", "1"}
_NO = {"false", "no", "off", "0"}


class BadSetting(ValueError):  # noqa: N818  it says what is bad
    """An invalid setting: its name, and why."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}.")
        self.name = name


def read_value(name: str, kind: str, value: object) -> Any:  # noqa: ANN401  of the kind that is asked for
    """Parse a value of a kind: text, number, seconds, bytes, yes or no, list.

    >>> read_value("max_body_bytes", "bytes", "32 MiB"), read_value("cors_origins", "list", "a, b")
    (33554432, ('a', 'b'))
    """
    read = {"number": _number, "seconds": _seconds, "bytes": _bytes, "yes or no": _flag, "list": _list}.get(kind, _text)
    parsed = read(value)
    if parsed is None:
        # The value may be a misplaced secret: do not repeat it.
        raise BadSetting(name, f"must be {_EXPECTED[kind]}")
    return parsed


_EXPECTED = {
    "text": "a string",
    "number": "a whole number",
    "seconds": "a number of seconds",
    "bytes": "a number of bytes, such as 1048576 or 32 MiB",
    "yes or no": "true or false",
    "list": "a list, or a comma-separated string",
}


def _text(value: object) -> str | None:
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        return int(value) if isinstance(value, int | str) else None
    except ValueError:
        return None


def _seconds(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value) if isinstance(value, int | float | str) else None
    except ValueError:
        return None


def _bytes(value: object) -> int | None:
    if isinstance(value, str) and (size := _SIZE.fullmatch(value.strip())) and size[2].upper() in _UNITS:
        return int(float(size[1]) * _UNITS[size[2].upper()])
    return _number(value)


def _flag(value: object) -> bool | None:
    text = str(value).lower()
    return text in _YES if text in _YES | _NO else None


def _list(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return tuple(value)
    return None

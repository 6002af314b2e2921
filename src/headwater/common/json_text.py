"""JSON from outside, read as RFC 8259 has it: in UTF-8, without NaN, and without numbers that are out of range."""

import json
import math
import re
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NoReturn

IS_FAST = find_spec("msgspec") is not None
"""Whether msgspec is there, of the extra `server`: a driver reads with Python's own."""
if IS_FAST:
    import msgspec

_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that no database stores, although JSON can express them: NUL, and half of a surrogate pair."""
_BLANK = " \t\n\r\v\f"


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _finite(written: str) -> float:
    number = float(written)
    if math.isinf(number):
        raise ValueError(f"the number {written[:30]} is out of range")
    return number


DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)
"""For texts with more than one value; `read_json` reads one."""
# Twice as fast, and stricter: what it reads, it reads as the other does.
_fast: Callable[[str | bytes], Any] | None = msgspec.json.Decoder().decode if IS_FAST else None
NOT_FAST: tuple[type[Exception], ...] = (msgspec.MsgspecError, ValueError, RecursionError) if IS_FAST else ()
"""What msgspec raises where it does not read a text."""


def is_blank(line: str) -> bool:
    r"""Whether a line holds no value, as `bytes.strip` sees it.

    >>> is_blank(" \t\r"), is_blank("\u2028")
    (True, False)
    """
    return not line.strip(_BLANK)


def read_json(text: str | bytes) -> Any:  # noqa: ANN401  JSON
    """The value in a text, which may begin with a byte order mark.

    >>> read_json(b'{"rows": 1e3}')
    {'rows': 1000.0}
    >>> read_json("[1e999]")
    Traceback (most recent call last):
    ...
    ValueError: the number 1e999 is out of range

    Raises:
        ValueError: it is not JSON: a `json.JSONDecodeError` says where; or it has a number of too many digits.
        UnicodeDecodeError: it is not UTF-8.
        RecursionError: it is nested too deeply.
    """
    if _fast is not None:
        try:
            return _fast(text)
        except NOT_FAST:
            pass  # the other one says why, or reads it after all: half of a surrogate pair, a byte order mark
    return DECODER.decode((text.decode() if isinstance(text, bytes) else text).removeprefix(_BOM))

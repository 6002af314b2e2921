"""DataHub's files: a JSON array, or a line for each record; written, and read with the line of each record."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TextIO

from headwater.datahub.aspects.class_names import text_without_avro

_SPACE = re.compile(r"[ \t\r\n,]*")
_WHITE = re.compile(r"\s*")


class Record(NamedTuple):
    """A record of a file, with the line it begins on; or why there is none."""

    line: int
    value: Any
    problem: str | None = None


def read_records(text: str) -> Iterator[Record]:
    r"""The records of a file; what cannot be read is told, and what comes after it is read where lines tell it apart.

    >>> [(one.line, one.value) for one in read_records('[\n{"a": 1},\n{"b": 2}]')]
    [(2, {'a': 1}), (3, {'b': 2})]
    >>> [one.line for one in read_records('{"a": 1}\n\n{"b":\n{"c": 3}') if one.problem]
    [3]
    """
    start = _end(_WHITE, text, 0)
    return _array(text, start) if text[start : start + 1] == "[" else _lines(text)


def _lines(text: str) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield Record(number, json.loads(line))
            except (ValueError, RecursionError) as error:
                yield Record(number, None, f"This line is not JSON: {_said(error)}.")


def _array(text: str, start: int) -> Iterator[Record]:
    decode = json.JSONDecoder().raw_decode
    line, counted = 1, 0
    at = _end(_SPACE, text, start + 1)
    while at < len(text) and text[at] != "]":
        line += text.count("\n", counted, at)
        counted = at
        try:
            value, end = decode(text, at)
        except (ValueError, RecursionError) as error:
            yield Record(line, None, f"Cannot read the rest of the file: {_said(error)}.")
            return
        yield Record(line, value)
        at = _end(_SPACE, text, end)
    if at >= len(text):
        line += text.count("\n", counted)
        yield Record(line, None, "The file ends before its JSON array does.")


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()


def _said(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error).partition(":")[0]


def write_records(records: Iterable[Any], file: TextIO) -> int:
    """Write proposals as DataHub's file sink does, one a line in an array; returns how many."""
    count = 0
    file.write("[")
    for record in records:
        file.write(",\n" if count else "\n")
        file.write(text_without_avro(record))
        count += 1
    file.write("\n]\n")
    return count

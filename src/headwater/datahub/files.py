"""DataHub's files: a JSON array, or one record a line; written, and read with the line of each record."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TextIO

from headwater.common.json_text import DECODER, read_json
from headwater.datahub.aspects.class_names import text_without_avro

_SPACE = re.compile(r"[ \t\r\n,]*")
_WHITE = re.compile(r"\s*")


class Record(NamedTuple):
    """A record of a file with the line it begins on, or the problem there."""

    line: int
    value: Any
    problem: str | None = None


def read_records(text: str) -> Iterator[Record]:
    r"""The records of a file; one that cannot be read is a problem. In a file of lines, reading goes on after it.

    >>> [(record.line, record.value) for record in read_records('[\n{"a": 1},\n{"b": 2}]')]
    [(2, {'a': 1}), (3, {'b': 2})]
    >>> [record.line for record in read_records('{"a": 1}\n\n{"b":\n{"c": 3}') if record.problem]
    [3]
    """
    start = _end(_WHITE, text, 0)
    return _array(text, start) if text[start : start + 1] == "[" else _lines(text)


def _lines(text: str) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield Record(number, read_json(line))
            except (ValueError, RecursionError) as error:
                yield Record(number, None, f"This line is not JSON: {_reason(error)}.")


def _array(text: str, start: int) -> Iterator[Record]:
    decode = DECODER.raw_decode
    line, counted = 1, 0
    at = _end(_SPACE, text, start + 1)
    while at < len(text) and text[at] != "]":
        line += text.count("\n", counted, at)
        counted = at
        try:
            value, end = decode(text, at)
        except (ValueError, RecursionError) as error:
            yield Record(line, None, f"Cannot read the rest of the file: {_reason(error)}.")
            return
        yield Record(line, value)
        at = _end(_SPACE, text, end)
    if at >= len(text):
        line += text.count("\n", counted)
        yield Record(line, None, "The file ends before its JSON array does.")


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return at if match is None else match.end()


def _reason(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error).partition(":")[0]


def write_records(records: Iterable[Any], file: TextIO) -> int:
    """Write proposals like DataHub's file sink, one a line in an array; returns how many."""
    count = 0
    file.write("[")
    for record in records:
        file.write(",\n" if count else "\n")
        file.write(text_without_avro(record))
        count += 1
    file.write("\n]\n")
    return count

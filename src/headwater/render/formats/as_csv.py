"""Answers as CSV (RFC 4180): a line of names, then one line a row. None is an empty cell.

A text that a spreadsheet would take for a formula has an apostrophe before it: names and descriptions are anyone's.
"""

import csv
import io
from collections.abc import Iterable

from headwater.render.formats import Exportable

_BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def text(answer: Exportable) -> str:
    """The rows of an answer, with their names above."""
    rows = answer.rows()
    return table(rows, getattr(answer, "COLUMNS", ()))


def table(rows: Iterable[dict[str, object]], columns: Iterable[str] = ()) -> str:
    r"""Rows as CSV.

    >>> table([{"name": 'a "b", c', "masked": True, "run": None}])
    'name,masked,run\r\n"a ""b"", c",true,\r\n'
    >>> table([{"name": "=1+1", "us": -1}])
    "name,us\r\n'=1+1,-1\r\n"
    """
    listed = list(rows)
    names = list(columns) or list(dict.fromkeys(name for row in listed for name in row))
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(names)
    writer.writerows([_cell(row.get(name)) for name in names] for row in listed)
    # UTF-8 cannot express a lone surrogate.
    return stream.getvalue().encode(errors="backslashreplace").decode()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and value.startswith(_BEGIN_FORMULAS):
        return f"'{value}"
    return "" if value is None else value

"""What one event may hold, whoever sends it. What is beyond a limit is refused, texts for people are cut.

Each limit is far beyond what producers send: it keeps the work and the memory of an event in proportion to its size.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sized
from hashlib import blake2b
from typing import Any

from headwater.common.column_path import split_path
from headwater.openlineage.model.event import BadEvent, ColumnLineage, Dataset, Event, JobEvent, RunEvent

MOST_BYTES = 32 * 1024 * 1024
"""Of an event as JSON."""
MOST_LEVELS = 200
"""How deep an event may be nested; the event itself is one level more."""
LONGEST_NAME = 4_000
"""Characters of a namespace, a name, a column with the structs around it, or another word that is compared."""
LONGEST_ASKED = 10_000
"""Characters of a name, or another part, of a question: a namespace and a name have room in it."""
LONGEST_TEXT = 100_000
"""Characters of a type or a description; more are cut off what is shown, not off the event as it came."""
DEEPEST_COLUMN = 100
"""Levels of a column inside structs."""
MOST_DATASETS = 100_000
"""Inputs, or outputs."""
MOST_FACETS = 1_000
"""Of one run, job or dataset."""
MOST_COLUMNS = 1_000_000
"""Columns of all datasets of an event, each counted once for every level that it is nested."""
MOST_COLUMN_TEXT = 64_000_000
"""Characters of the names of these columns, counted in the same way."""
MOST_SPELLINGS = 10
"""Columns of a dataset that differ in upper and lower case only."""
MOST_EDGE_TEXT = 32_000_000
"""Characters of the texts on the edges of a dataset; beyond that, each is cut to `SHORT_TEXT`."""
SHORT_TEXT = 60
_CUT = "…"


def cut(text: str, most: int = LONGEST_TEXT) -> str:
    """A text for people, with a mark where it was cut.

    >>> cut("short"), cut("a long text", 7)
    ('short', 'a long…')
    """
    return text if len(text) <= most else text[: most - len(_CUT)] + _CUT


def bounded_name(name: str) -> str:
    """A name of our own that is not refused: of one that is too long, its beginning and a hash of all of it.

    >>> bounded_name("orders")
    'orders'
    >>> len(bounded_name("x" * 10_000)) == LONGEST_NAME
    True
    """
    if len(name) <= LONGEST_NAME:
        return name
    mark = f"{_CUT}{blake2b(name.encode(errors='replace'), digest_size=16).hexdigest()}"
    return name[: LONGEST_NAME - len(mark)] + mark


def check_count(values: Sized, most: int, where: str, what: str) -> None:
    """Refuse more than there may be."""
    if len(values) > most:
        raise BadEvent(where, f"has {len(values):,} {what}; the limit is {most:,}")


def check_columns(event: Event) -> None:
    """Refuse an event whose columns would take far more room than the event itself.

    Structs around a column are columns, too: a long path, or many spellings of one name, stand for many of them.
    """
    if isinstance(event, RunEvent | JobEvent):
        datasets: tuple[Dataset, ...] = (*event.inputs, *event.outputs)
    else:
        datasets = (event.dataset,)
    columns: dict[tuple[str, str], set[str]] = {}
    for dataset in datasets:
        own = columns.setdefault((dataset.namespace, dataset.name), set())
        own.update(field.path for field in dataset.schema or ())
        if dataset.lineage is not None:
            _add_columns(columns, own, dataset.lineage)
    count = text = 0
    for (_, name), paths in columns.items():
        if len(set(map(str.casefold, paths))) < len(paths):
            _check_spellings(Counter(map(str.casefold, paths)), name)
        flat = [path for path in paths if "." not in path]
        count += len(flat)
        text += sum(map(len, flat))
        if len(flat) < len(paths):
            nested_count, nested_text = _nested(path for path in paths if "." in path)
            count += nested_count
            text += nested_text
    if count > MOST_COLUMNS:
        raise BadEvent("", f"The event has {count:,} columns, each counted once for every level that it is nested;"
                           f" the limit is {MOST_COLUMNS:,}")  # fmt: skip
    if text > MOST_COLUMN_TEXT:
        raise BadEvent("", f"The columns of the event have names of {text:,} characters, each counted once for every"
                           f" level that it is nested; the limit is {MOST_COLUMN_TEXT:,}")  # fmt: skip


def _add_columns(columns: dict[tuple[str, str], set[str]], own: set[str], lineage: ColumnLineage) -> None:
    own.update(lineage.columns)
    for edge in lineage.edges:
        columns.setdefault((edge.namespace, edge.name), set()).add(edge.path)


def _check_spellings(spellings: Mapping[str, int], name: str) -> None:
    folded = max(spellings, key=spellings.__getitem__)
    if spellings[folded] > MOST_SPELLINGS:
        raise BadEvent("", f"The dataset {cut(name, SHORT_TEXT)} has {spellings[folded]:,} columns that differ from"
                           f" {cut(folded, SHORT_TEXT)!r} in upper and lower case only;"
                           f" the limit is {MOST_SPELLINGS}")  # fmt: skip


def _nested(paths: Iterable[str]) -> tuple[int, int]:
    """The weight of nested columns and of the structs around them, and of their names."""
    count = text = 0
    root: dict[str, Any] = {}
    for path in paths:
        segments = split_path(path)
        if len(segments) > DEEPEST_COLUMN:
            raise BadEvent("", f"The column {cut(path, SHORT_TEXT)} is nested {len(segments):,} levels deep;"
                               f" the limit is {DEEPEST_COLUMN}")  # fmt: skip
        text += len(segments) * len(path)
        at = root
        for depth, segment in enumerate(segments, start=1):
            inside = at.get(segment)
            if inside is None:
                inside = at[segment] = {}
                count += depth
            at = inside
    return count, text

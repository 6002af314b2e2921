"""Very many edges in few: what every column takes is listed once, for all of them.

Where a thousand columns each come from a thousand others, a list for each column has a million entries and says no
more than one list. What reaches every column goes to the `rows`, which every column reads; a direct source there
is one that every column may have taken its value from.

>>> from headwater.rules.plan.tree import Dataset
>>> read = {SourceField(Dataset(table=("t",)), f"c{n}"): frozenset({Mark(How.TRANSFORMATION)}) for n in range(200)}
>>> lineage = condensed({f"d{n}": read for n in range(200)}, {})
>>> len(lineage.rows), len(lineage.fields["d7"]), lineage.exact
(200, 0, True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from headwater.common.masking import Masking
from headwater.rules.plan.budget import spend
from headwater.rules.plan.sources import (
    NOTHING,
    Counted,
    How,
    Mark,
    Settled,
    SourceField,
    Sources,
    base_of,
    merge,
    settle,
    without_counts,
)
from headwater.rules.plan.tree import Dataset

# Up to this many edges every column of an event has its own list. An edge counts once for each of its marks.
FEW = 10_000
# More than this are merged, whatever is lost.
MOST = 100_000

_Kind: TypeAlias = tuple[SourceField, How, Masking]


@dataclass(frozen=True)
class Condensed:
    """The lineage of a relation's columns.

    Attributes:
        fields: what each column takes besides what all of them do.
        rows: what reaches every column.
        counted: the datasets of which columns depend on how many rows they have, whether or not they take a column.
        exact: whether every column really takes all that is listed for all columns.
    """

    fields: Mapping[str, Sources]
    rows: Sources
    counted: Counted
    exact: bool = True


def condensed(fields: Mapping[str, Sources], rows: Sources, *, few: int = FEW) -> Condensed:
    """The lineage with what all columns take listed once, if it would have more than `few` edges otherwise."""
    fields, rows, counted = _without_counts(fields, rows)
    # Columns with the same sources share one object.
    bases = {id(base): base for base in map(base_of, fields.values())}
    users = Counter(id(base_of(sources)) for sources in fields.values())
    if _weight(bases, users, few) <= few:
        return Condensed(fields, rows if _ways(rows) <= MOST else _without_texts(rows), counted)
    common = _common(bases, users, len(fields))
    left = {key: _without(base, common) for key, base in bases.items()}
    exact = True
    weights = {key: _ways(sources) * users[key] for key, sources in left.items()}
    edges = sum(weights.values())
    lifted = [_marks(common)]
    for key in sorted(users, key=lambda base: -weights[base]):
        if edges <= MOST:
            break
        exact = False
        edges -= weights[key]
        lifted.append(_without_texts(left[key]))
        left[key] = NOTHING
    own = {name: _settled_like(sources, left[id(base_of(sources))]) for name, sources in fields.items()}
    of_all = merge([rows, *lifted])
    # A long program may decide its rows by each column in very many ways.
    return Condensed(own, of_all if _ways(of_all) <= MOST else _without_texts(of_all), counted, exact)


def _without_counts(fields: Mapping[str, Sources], rows: Sources) -> tuple[Mapping[str, Sources], Sources, Counted]:
    """The lineage of fields alone, and what counts beside it. Columns that share sources go on sharing them."""
    rows, of_rows = without_counts(rows)
    counted: dict[str | None, frozenset[Dataset]] = {None: of_rows} if of_rows else {}
    bases = {id(base): base for base in map(base_of, fields.values())}
    found = {key: without_counts(base) for key, base in bases.items()}
    changed: dict[str, Sources] = {}
    for name, sources in fields.items():
        own, datasets = found[id(base_of(sources))]
        if datasets:
            changed[name] = _settled_like(sources, own)
            counted[name] = datasets
    return ({**fields, **changed} if changed else fields), rows, counted


def _weight(bases: Mapping[int, Sources], users: Mapping[int, int], few: int) -> int:
    """How many edges there are, or as many as are known to be too many."""
    edges = 0
    for key, base in bases.items():
        edges += _ways(base) * users[key]
        if edges > few:
            break
    return edges


def _ways(sources: Sources) -> int:
    return sum(map(len, sources.values()))


def _settled_like(sources: Sources, left: Sources) -> Sources:
    return settle(left, sources.text) if isinstance(sources, Settled) else left


def _common(bases: Mapping[int, Sources], users: Mapping[int, int], every: int) -> dict[_Kind, str]:
    """What all columns take, with its text where that is the same for all."""
    counts: Counter[_Kind] = Counter()
    texts: dict[_Kind, str] = {}
    for key, base in bases.items():
        spend(len(base))
        for source, marks in base.items():
            for kind in {(source, mark.how, mark.masking) for mark in marks}:
                counts[kind] += users[key]
            for mark in marks:
                kind = source, mark.how, mark.masking
                if texts.setdefault(kind, mark.text) != mark.text:
                    texts[kind] = ""
    return {kind: texts[kind] for kind, count in counts.items() if count == every}


def _marks(common: Mapping[_Kind, str]) -> Sources:
    sources: dict[SourceField, set[Mark]] = {}
    for (source, how, masking), text in common.items():
        sources.setdefault(source, set()).add(Mark(how, masking, text))
    return {source: frozenset(marks) for source, marks in sources.items()}


def _without(base: Sources, common: Mapping[_Kind, str]) -> Sources:
    spend(len(base))
    own: dict[SourceField, frozenset[Mark]] = {}
    for source, marks in base.items():
        own_marks = frozenset([mark for mark in marks if (source, mark.how, mark.masking) not in common])
        if own_marks:
            own[source] = own_marks
    return own or NOTHING


def _without_texts(sources: Sources) -> Sources:
    return {source: frozenset([mark._replace(text="") for mark in marks]) for source, marks in sources.items()}

"""Executions inside one another, as the one statement that the user wrote, and what all of them measured.

`saveAsTable` runs as three commands, one inside the other: the outermost knows what the user asked for, only the
innermost where the files are. `foreachBatch` runs whatever the user's function writes inside one micro-batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from headwater.openlineage.naming import Catalog, Name, from_location
from headwater.openlineage.statistics import Counts, Measured, Statistics
from headwater.paths import top_level
from headwater.rules.statements import CARRIED_OUT, Statement, Written
from headwater.rules.tree import Dataset

_INSERTS = frozenset({
    "AppendData", "CreateTableAsSelect", "DeltaDynamicPartitionOverwriteCommand", "OverwriteByExpression",
    "OverwritePartitionsDynamic", "ReplaceTableAsSelect", "SaveIntoDataSourceCommand",
})  # fmt: skip


@dataclass(frozen=True)
class Part:
    """One of the executions that a root started.

    Attributes:
        inside: the execution that was running when it began, if that is not the root itself.
    """

    statement: Statement | None = None
    statistics: Statistics = field(default_factory=Statistics)
    inside: int | None = None


def merged(root: Statement | None, parts: Mapping[int, Part]) -> Statement | None:
    """One statement for a root execution and those that it started in turn, by their ids."""
    if root is not None and root.writes:
        return _completed(root, (parts[id_].statement for id_ in sorted(parts)))
    written = _written_inside(parts)
    if not written:
        return root
    found = [root, *written] if root is not None else written
    first = root if root is not None and root.stream is not None else written[0]
    return replace(
        first,
        reads={dataset: fields for one in reversed(found) for dataset, fields in one.reads.items()},
        writes=tuple(one for statement in written for one in statement.writes),
        opaque=sum((Counter(one.opaque) for one in found), Counter()),
    )


def measured(catalog: Catalog, statement: Statement, root: Part, parts: Mapping[int, Part]) -> Measured:
    """How much the executions of one run read and wrote, by the names of the datasets.

    A plan may run twice, in the root and once more inside: what the root has measured itself counts.
    """
    inside = [parts[id_] for id_ in sorted(parts)]
    return Measured(
        reads=_read(catalog, statement, [root] if root.statistics.scans else inside),
        writes=_wrote(catalog, statement, root, parts),
    )


def _written_inside(parts: Mapping[int, Part]) -> list[Statement]:
    """What was written inside, each dataset once: a command that only carries out another one completes it."""
    kept: dict[int, Statement] = {}
    for id_ in sorted(parts):
        statement = parts[id_].statement
        if statement is None or not statement.writes or statement.command == CARRIED_OUT:
            continue
        outer = next((above for above in _around(id_, parts) if above in kept), None)
        if outer is not None and _carries_out(statement, kept[outer]):
            kept[outer] = _completed(kept[outer], [statement])
        else:
            kept[id_] = statement
    return list(kept.values())


def _around(id_: int, parts: Mapping[int, Part]) -> Iterator[int]:
    above = parts[id_].inside
    while above is not None:
        yield above
        above = parts[above].inside if above in parts else None


def _carries_out(inner: Statement, outer: Statement) -> bool:
    """Whether all that a command writes is what the one around it is about."""
    return all(any(_may_be_same(one.dataset, other.dataset) for other in outer.writes) for one in inner.writes)


def _may_be_same(one: Dataset, other: Dataset) -> bool:
    if one.table and other.table:
        return one.table[-1] == other.table[-1]
    if one.location is not None and other.location is not None:
        return from_location(one.location) == from_location(other.location)
    return True


def _completed(root: Statement, inside: Iterable[Statement | None]) -> Statement:
    """The statement, its datasets completed by what the commands inside know of the same tables."""
    known = [statement for statement in inside if statement is not None]
    written = [one.dataset for statement in known for one in statement.writes]
    writes = tuple(replace(one, dataset=_filled(one.dataset, written)) for one in root.writes)
    if len(writes) == 1 and root.command in _INSERTS:
        for statement in known:
            if statement.command == CARRIED_OUT:
                writes = (_with_generated(writes[0], statement.writes[0]),)
    return replace(root, writes=writes)


def _with_generated(written: Written, carried_out: Written) -> Written:
    """What was asked for, and the columns that the table makes by itself from those that it was given."""
    given = {top_level(name).lower() for name in written.fields or {}}
    extra = {
        name: sources for name, sources in (carried_out.fields or {}).items() if top_level(name).lower() not in given
    }
    listed = {one.name.lower() for one in written.schema}
    added = tuple(one for one in carried_out.schema if one.name.lower() not in listed)
    return replace(written, fields={**(written.fields or {}), **extra}, schema=(*written.schema, *added))


def _filled(dataset: Dataset, inside: Iterable[Dataset]) -> Dataset:
    for other in inside:
        if other.table and dataset.table and other.table[-1] != dataset.table[-1]:
            continue
        if dataset.location is None and other.location is not None:
            dataset = replace(dataset, location=other.location, format=dataset.format or other.format)
        if len(other.table) > len(dataset.table) > 0:
            dataset = replace(dataset, table=other.table)
    return dataset


def _read(catalog: Catalog, statement: Statement, parts: Iterable[Part]) -> dict[Name, Counts]:
    known = {name for dataset in statement.reads if (name := catalog.name(dataset)) is not None}
    found: dict[Name, Counts] = {}
    for part in parts:
        for scan in part.statistics.scans:
            names = {_enclosing(catalog.name(dataset), known) for dataset in scan.datasets}
            name = names.pop() if len(names) == 1 else None
            # A scan over several datasets does not say how much came from which.
            if name is not None:
                found[name] = found.get(name, Counts()).plus(scan.counts)
    return found


def _enclosing(name: Name | None, known: Collection[Name]) -> Name | None:
    """Which of the datasets a scan belongs to: a stream reads files, but is named by their directory."""
    if name is None or name in known:
        return name
    for one in known:
        if one.namespace == name.namespace and name.name.startswith(f"{one.name}/"):
            folders = name.name.removeprefix(f"{one.name}/").split("/")
            if not any(folder.startswith(("_", ".")) for folder in folders):  # `_delta_log` is no data
                return one
    return None


def _wrote(catalog: Catalog, statement: Statement, root: Part, parts: Mapping[int, Part]) -> dict[Name, Counts]:
    found: dict[Name, Counts] = {}
    measured_by: list[tuple[Statement, tuple[Counts, ...]]] = [(statement, root.statistics.writes)]
    for id_ in sorted(parts):
        # An engine may do the writing in an execution of its own, inside the command that says what is written.
        said_by = (parts[one].statement for one in (id_, *_around(id_, parts)) if one in parts)
        owner = next((one for one in said_by if one is not None and one.writes), statement)
        measured_by.append((owner, parts[id_].statistics.writes))
    for owner, counts in measured_by:
        if len(owner.writes) == len(counts):
            for written, one in zip(owner.writes, counts, strict=True):
                name = catalog.name(written.dataset)
                if name is not None:
                    found.setdefault(name, one)
    return found

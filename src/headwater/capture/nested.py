"""Executions inside one another, as the one statement that the user wrote, and what all of them measured.

`saveAsTable` runs as three commands, one inside the other: the outermost knows what the user asked for, only the
innermost where the files are. `foreachBatch` runs whatever the user's function writes inside one micro-batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from headwater.common.column_path import join_path, split_path, top_level
from headwater.openlineage.build.statistics import Counts, RunStatistics, Statistics
from headwater.openlineage.naming.datasets import Catalog, Name, from_location
from headwater.rules.operators.relations import INPUTS_OF_RDD
from headwater.rules.plan.tree import Dataset
from headwater.rules.plan.types import respelled, spelled, spelling
from headwater.rules.statements.statements import CARRIED_OUT, Change, Field, Statement, Written

_INSERTS = frozenset({
    "AppendData", "CreateTableAsSelect", "DeltaDynamicPartitionOverwriteCommand", "OverwriteByExpression",
    "OverwritePartitionsDynamic", "ReplaceTableAsSelect", "SaveIntoDataSourceCommand",
})  # fmt: skip
# The commands inside them know the columns of the table that is there already.
_SAVES = frozenset({"CreateDataSourceTableAsSelectCommand", "SaveAsV1TableCommand"})


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
    written = list(_kept_inside(parts).values())
    if not written:
        return root
    if root is not None and root.stream is not None:
        return _batch(root, written)
    found = [root, *written] if root is not None else written
    return replace(
        written[0],
        reads={dataset: fields for one in reversed(found) for dataset, fields in one.reads.items()},
        writes=tuple(one for statement in written for one in statement.writes),
        opaque=sum((Counter(one.opaque) for one in found), Counter()),
    )


def writes_apart(
    catalog: Catalog, root: Statement | None, parts: Mapping[int, Part]
) -> list[tuple[Statement, Mapping[int, Part]]]:
    """What a root execution did, as the statements that each get a run, with the executions that belong to each.

    That is one statement, except for a micro-batch whose function writes several datasets from different ones: as one
    run, each output would seem to come from the inputs of the others.
    """
    if root is not None and root.stream is not None and not root.writes:
        kept = _kept_inside(parts)
        groups = _groups(catalog, root, kept)
        if len(groups) > 1:
            return [
                (
                    _batch(root, [kept[id_] for id_ in ids]),
                    {
                        id_: part
                        for id_, part in parts.items()
                        if not ids.keys().isdisjoint((id_, *_around(id_, parts)))
                    },
                )
                for ids in groups
            ]
    statement = merged(root, parts)
    return [] if statement is None else [(statement, parts)]


def _groups(catalog: Catalog, batch: Statement, kept: Mapping[int, Statement]) -> list[dict[int, None]]:
    """Which of the writes inside a micro-batch belong together: those with the same inputs, or with a common output."""
    groups: dict[int, dict[int, None]] = {}
    first_with: dict[object, int] = {}
    for id_, statement in kept.items():
        outputs = [catalog.name(one.dataset) or one.dataset for one in statement.writes]
        keys = [frozenset(_own_reads(batch, statement)), *outputs]
        mine = min((first_with[key] for key in keys if key in first_with), default=id_)
        for other in {first_with[key] for key in keys if key in first_with} - {mine}:
            groups[mine] |= groups.pop(other)
            first_with |= {key: mine for key, first in first_with.items() if first == other}
        groups.setdefault(mine, {})[id_] = None
        first_with |= dict.fromkeys(keys, mine)
    return list(groups.values())


def _batch(root: Statement, written: Sequence[Statement]) -> Statement:
    """What the function of a micro-batch writes from the same inputs."""
    return replace(
        root,
        reads={dataset: fields for one in reversed(written) for dataset, fields in _own_reads(root, one).items()},
        writes=tuple(write for one in written for write in one.writes),
        opaque=sum((Counter(one.opaque) for one in [root, *written]), Counter()),
    )


def _own_reads(batch: Statement, inside: Statement) -> Mapping[Dataset, tuple[Field, ...]]:
    """What a write inside a micro-batch reads; where it does not say, what the micro-batch itself reads."""
    if inside.reads and INPUTS_OF_RDD not in inside.opaque:  # an RDD of unknown origin may be the micro-batch
        return inside.reads
    return {**batch.reads, **inside.reads}


def run_statistics(catalog: Catalog, statement: Statement, root: Part, parts: Mapping[int, Part]) -> RunStatistics:
    """How much the executions of one run read and wrote, by the names of the datasets.

    A plan may run twice, in the root and once more inside: what the root has measured itself counts.
    """
    inside = [parts[id_] for id_ in sorted(parts)]
    return RunStatistics(
        reads=_read(catalog, statement, [root] if root.statistics.scans else inside),
        writes=_wrote(catalog, statement, root, parts),
    )


def _kept_inside(parts: Mapping[int, Part]) -> dict[int, Statement]:
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
    return kept


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
    elif len(writes) == 1 and root.command in _SAVES:
        for statement in known:
            kept = _with_what_is_kept(writes[0], root.writes[0].dataset, statement.writes)
            writes = (_spelled(kept, [field for one in statement.writes for field in one.schema]),)
    return replace(root, writes=writes)


def _with_what_is_kept(written: Written, asked_for: Dataset, inside: Iterable[Written]) -> Written:
    """What saveAsTable keeps: it drops the table first, but files at a place that it was given are still there."""
    kept = asked_for.location is not None and any(one.change is Change.OVERWRITE_PARTITIONS for one in inside)
    overwrites = written.change is Change.OVERWRITE
    return replace(written, change=Change.OVERWRITE_PARTITIONS) if kept and overwrites else written


def _spelled(written: Written, table: Sequence[Field]) -> Written:
    """What was asked for, its fields spelled as the table has them: they go by name, and case does not matter."""
    as_known = spelling(field.name for field in table)
    types = {field.name: field.type for field in table}
    columns = [(as_known(field.name), field.type) for field in written.schema]
    paths = {path: split_path(path) for path in written.fields or {}}
    named = {path: (as_known(first), inside) for path, (first, *inside) in paths.items()}
    return replace(
        written,
        schema=tuple(Field(name, spelled(type_, types.get(name))) for name, type_ in columns),
        fields=written.fields
        and {
            join_path((name, *respelled(tuple(inside), types.get(name)))): written.fields[path]
            for path, (name, inside) in named.items()
        },
    )


def _with_generated(written: Written, carried_out: Written) -> Written:
    """What was asked for, and the columns that the table makes by itself from those that it was given."""
    written = _spelled(written, carried_out.schema)
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

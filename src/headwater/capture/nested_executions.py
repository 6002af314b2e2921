"""Nested executions, merged into the one statement that the user wrote, with their statistics; pure.

`saveAsTable` runs as three commands, one inside the other: the outermost knows what the user wrote, only the innermost
where the files are. `foreachBatch` runs the writes of the user's function inside one micro-batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from headwater.common.column_path import join_path, split_path, top_level
from headwater.openlineage.build.statistics import Counts, RunStatistics, Statistics
from headwater.openlineage.naming.datasets import Catalog, Name, from_location
from headwater.rules.operators.relations import INPUTS_OF_RDD
from headwater.rules.plan.sources import Counted
from headwater.rules.plan.tree import Dataset
from headwater.rules.plan.types import respelled, spelled, spelling
from headwater.rules.statements.statements import CARRIED_OUT, Change, Field, Statement, Written

_INSERTS = frozenset({
    "AppendData", "CreateTableAsSelect", "DeltaDynamicPartitionOverwriteCommand", "OverwriteByExpression",
    "OverwritePartitionsDynamic", "ReplaceTableAsSelect", "SaveIntoDataSourceCommand",
})  # fmt: skip
# The commands inside them know the columns of the existing table.
_SAVES = frozenset({"CreateDataSourceTableAsSelectCommand", "SaveAsV1TableCommand"})


@dataclass(frozen=True)
class Part:
    """One of the executions inside a root.

    Attributes:
        inside: the execution that was running when it began, unless that is the root itself.
    """

    statement: Statement | None = None
    statistics: Statistics = field(default_factory=Statistics)
    inside: int | None = None


def merge_statements(root: Statement | None, parts: Mapping[int, Part]) -> Statement | None:
    """Merge a root execution and the executions inside it, by their ids, into one statement."""
    if root is not None and root.writes:
        return _completed(root, (parts[id_].statement for id_ in sorted(parts)))
    written = list(_nested_writes(parts).values())
    if not written:
        return root
    if root is not None and root.stream is not None:
        return _batch(root, written)
    statements = [root, *written] if root is not None else written
    return replace(
        written[0],
        reads={dataset: fields for source in reversed(statements) for dataset, fields in source.reads.items()},
        writes=tuple(output for statement in written for output in statement.writes),
        opaque=sum((Counter(statement.opaque) for statement in statements), Counter()),
        **_views_of(statements),
    )


def split_statements(
    catalog: Catalog, root: Statement | None, parts: Mapping[int, Part]
) -> list[tuple[Statement, Mapping[int, Part]]]:
    """The statements of a root execution that each get a run, with the executions of each.

    It is one statement, except for a micro-batch whose function writes several datasets from different inputs: in one
    run, each output would seem to come from the inputs of the others.
    """
    if root is not None and root.stream is not None and not root.writes:
        nested = _nested_writes(parts)
        groups = _groups(catalog, root, nested)
        if len(groups) > 1:
            return [
                (
                    _batch(root, [nested[id_] for id_ in ids]),
                    {
                        id_: part
                        for id_, part in parts.items()
                        if not ids.keys().isdisjoint((id_, *_enclosing_ids(id_, parts)))
                    },
                )
                for ids in groups
            ]
    statement = merge_statements(root, parts)
    return [] if statement is None else [(statement, parts)]


def _groups(catalog: Catalog, batch: Statement, nested: Mapping[int, Statement]) -> list[dict[int, None]]:
    """Group the writes inside a micro-batch: by the same inputs, or a common output."""
    groups: dict[int, dict[int, None]] = {}
    first_with: dict[object, int] = {}
    for id_, statement in nested.items():
        outputs = [catalog.name(written.dataset) or written.dataset for written in statement.writes]
        keys = [frozenset(_own_reads(batch, statement)), *outputs]
        mine = min((first_with[key] for key in keys if key in first_with), default=id_)
        for other in {first_with[key] for key in keys if key in first_with} - {mine}:
            groups[mine] |= groups.pop(other)
            first_with |= {key: mine for key, first in first_with.items() if first == other}
        groups.setdefault(mine, {})[id_] = None
        first_with |= dict.fromkeys(keys, mine)
    return list(groups.values())


def _batch(root: Statement, written: Sequence[Statement]) -> Statement:
    """One statement for the writes of a micro-batch's function from the same inputs."""
    return replace(
        root,
        reads={dataset: fields for inner in reversed(written) for dataset, fields in _own_reads(root, inner).items()},
        writes=tuple(output for statement in written for output in statement.writes),
        opaque=sum((Counter(statement.opaque) for statement in [root, *written]), Counter()),
        **_views_of([root, *written]),
    )


def _views_of(statements: Sequence[Statement]) -> dict[str, Any]:
    """The views that several statements read; what one of them reads itself is not behind a view."""
    direct = {dataset for one in statements for dataset in one.reads if dataset not in one.behind_views}
    behind: dict[Dataset, dict[Dataset, None]] = {}
    for statement in statements:
        for dataset, names in statement.behind_views.items():
            if dataset not in direct:
                behind.setdefault(dataset, {}).update(dict.fromkeys(names))
    return {
        "named_views": tuple(dict.fromkeys(view for statement in statements for view in statement.named_views)),
        "views": tuple({view.dataset: view for statement in statements for view in statement.views}.values()),
        "behind_views": {dataset: tuple(names) for dataset, names in behind.items()},
    }


def _own_reads(batch: Statement, inside: Statement) -> Mapping[Dataset, tuple[Field, ...]]:
    """The inputs of a write inside a micro-batch, or those of the micro-batch if the write has none."""
    if inside.reads and INPUTS_OF_RDD not in inside.opaque:  # an RDD of unknown origin may be the micro-batch
        return inside.reads
    return {**batch.reads, **inside.reads}


def run_statistics(catalog: Catalog, statement: Statement, root: Part, parts: Mapping[int, Part]) -> RunStatistics:
    """How much the executions of one run read and wrote, by the names of the datasets.

    A plan may run twice, in the root and inside it: the root's own metrics take precedence.
    """
    inside = [parts[id_] for id_ in sorted(parts)]
    return RunStatistics(
        reads=_read_counts(catalog, statement, [root] if root.statistics.scans else inside),
        writes=_write_counts(catalog, statement, root, parts),
    )


def _nested_writes(parts: Mapping[int, Part]) -> dict[int, Statement]:
    """The nested writes, each dataset once: a command that only carries out another one completes it."""
    nested: dict[int, Statement] = {}
    for id_ in sorted(parts):
        statement = parts[id_].statement
        if statement is None or not statement.writes or statement.command == CARRIED_OUT:
            continue
        outer = next((above for above in _enclosing_ids(id_, parts) if above in nested), None)
        if outer is not None and _carries_out(statement, nested[outer]):
            nested[outer] = _completed(nested[outer], [statement])
        else:
            nested[id_] = statement
    return nested


def _enclosing_ids(id_: int, parts: Mapping[int, Part]) -> Iterator[int]:
    above = parts[id_].inside
    while above is not None:
        yield above
        above = parts[above].inside if above in parts else None


def _carries_out(inner: Statement, outer: Statement) -> bool:
    """Whether a command writes only what the command around it writes."""
    return all(any(_may_be_same(written.dataset, other.dataset) for other in outer.writes) for written in inner.writes)


def _may_be_same(dataset: Dataset, other: Dataset) -> bool:
    if dataset.table and other.table:
        return dataset.table[-1] == other.table[-1]
    if dataset.location is not None and other.location is not None:
        return from_location(dataset.location) == from_location(other.location)
    return True


def _completed(root: Statement, inside: Iterable[Statement | None]) -> Statement:
    """The statement, its datasets completed by the commands inside, which know the same tables better."""
    known = [statement for statement in inside if statement is not None]
    datasets = [written.dataset for statement in known for written in statement.writes]
    writes = tuple(replace(written, dataset=_filled(written.dataset, datasets)) for written in root.writes)
    if len(writes) == 1 and root.command in _INSERTS:
        for statement in known:
            if statement.command == CARRIED_OUT:
                writes = (_with_generated(writes[0], statement.writes[0]),)
    elif len(writes) == 1 and root.command in _SAVES:
        for statement in known:
            adjusted = _as_partial_overwrite(writes[0], root.writes[0].dataset, statement.writes)
            writes = (_spelled(adjusted, [field for written in statement.writes for field in written.schema]),)
    return replace(root, writes=writes)


def _as_partial_overwrite(written: Written, target: Dataset, inside: Iterable[Written]) -> Written:
    """`saveAsTable` drops the table first, but keeps files at a location that the user gave."""
    partial = target.location is not None and any(inner.change is Change.OVERWRITE_PARTITIONS for inner in inside)
    overwrites = written.change is Change.OVERWRITE
    return replace(written, change=Change.OVERWRITE_PARTITIONS) if partial and overwrites else written


def _spelled(written: Written, table: Sequence[Field]) -> Written:
    """The write, its fields spelled as in the table: they match by name, ignoring case."""
    as_known = spelling(field.name for field in table)
    types = {field.name: field.type for field in table}
    columns = [(as_known(field.name), field.type) for field in written.schema]
    paths = {path: split_path(path) for path in written.fields or {}}
    named = {path: (as_known(first), inside) for path, (first, *inside) in paths.items()}
    respelt = {
        path: join_path((name, *respelled(tuple(inside), types.get(name)))) for path, (name, inside) in named.items()
    }
    return replace(
        written,
        schema=tuple(Field(name, spelled(type_, types.get(name))) for name, type_ in columns),
        fields=written.fields and {respelt[path]: sources for path, sources in written.fields.items()},
        counted={path and respelt[path]: datasets for path, datasets in written.counted.items()},
        by_views=written.by_views and _spelled(written.by_views, table),
    )


def _with_generated(written: Written, carried_out: Written) -> Written:
    """The write, with the columns that the table generates from the written ones."""
    written = _spelled(written, carried_out.schema)
    named = {top_level(name).lower() for name in written.fields or {}}
    extra = {
        name: sources for name, sources in (carried_out.fields or {}).items() if top_level(name).lower() not in named
    }
    listed = {column.name.lower() for column in written.schema}
    added = tuple(column for column in carried_out.schema if column.name.lower() not in listed)
    by_views = None
    if written.by_views is not None or carried_out.by_views is not None:
        by_views = _with_generated(
            written.by_views or replace(written, by_views=None),
            carried_out.by_views or replace(carried_out, by_views=None),
        )
    fields = {**(written.fields or {}), **extra}
    generated: Counted = {path: carried_out.counted[path] for path in extra if path in carried_out.counted}
    counted: Counted = {**generated, **written.counted}
    return replace(written, fields=fields, schema=(*written.schema, *added), by_views=by_views, counted=counted)


def _filled(dataset: Dataset, inside: Iterable[Dataset]) -> Dataset:
    for other in inside:
        if other.table and dataset.table and other.table[-1] != dataset.table[-1]:
            continue
        if dataset.location is None and other.location is not None:
            dataset = replace(dataset, location=other.location, format=dataset.format or other.format)
        if len(other.table) > len(dataset.table) > 0:
            dataset = replace(dataset, table=other.table)
    return dataset


def _read_counts(catalog: Catalog, statement: Statement, parts: Iterable[Part]) -> dict[Name, Counts]:
    known = {name for dataset in statement.reads if (name := catalog.name(dataset)) is not None}
    by_name: dict[Name, Counts] = {}
    for part in parts:
        for scan in part.statistics.scans:
            names = {_enclosing(catalog.name(dataset), known) for dataset in scan.datasets}
            name = names.pop() if len(names) == 1 else None
            # A scan over several datasets has one count for all of them.
            if name is not None:
                by_name[name] = by_name.get(name, Counts()).plus(scan.counts)
    return by_name


def _enclosing(name: Name | None, known: Collection[Name]) -> Name | None:
    """The dataset that a scan belongs to: a stream reads files, but is named by their directory."""
    if name is None or name in known:
        return name
    for candidate in known:
        if candidate.namespace == name.namespace and name.name.startswith(f"{candidate.name}/"):
            folders = name.name.removeprefix(f"{candidate.name}/").split("/")
            if not any(folder.startswith(("_", ".")) for folder in folders):  # `_delta_log` is not data
                return candidate
    return None


def _write_counts(catalog: Catalog, statement: Statement, root: Part, parts: Mapping[int, Part]) -> dict[Name, Counts]:
    by_name: dict[Name, Counts] = {}
    measured: list[tuple[Statement, tuple[Counts, ...]]] = [(statement, root.statistics.writes)]
    for id_ in sorted(parts):
        # An engine may write in an execution of its own, inside the command that names the output.
        enclosing = (parts[other].statement for other in (id_, *_enclosing_ids(id_, parts)) if other in parts)
        owner = next((outer for outer in enclosing if outer is not None and outer.writes), statement)
        measured.append((owner, parts[id_].statistics.writes))
    for owner, counts in measured:
        if len(owner.writes) == len(counts):
            for written, count in zip(owner.writes, counts, strict=True):
                name = catalog.name(written.dataset)
                if name is not None:
                    by_name.setdefault(name, count)
    return by_name

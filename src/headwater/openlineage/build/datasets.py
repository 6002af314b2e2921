"""The datasets that a statement reads and writes, as datasets of an event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from openlineage.client.event_v2 import InputDataset, OutputDataset, StaticDataset
from openlineage.client.facet_v2 import DatasetFacet, InputDatasetFacet, JobFacet, OutputDatasetFacet

from headwater.common.column_path import join_path
from headwater.openlineage.build import facets, lineage_facets
from headwater.openlineage.build.options import EventOptions
from headwater.openlineage.build.statistics import RunStatistics
from headwater.openlineage.naming.datasets import Catalog, Name
from headwater.rules.plan.sources import Sources, both_counted, merge
from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.statements import Change, Field, Statement, Written

_NO_STATISTICS = RunStatistics()
# A change to a part of a dataset, as a change to the whole.
_TO_THE_WHOLE = {
    Change.OVERWRITE: Change.OVERWRITE_PARTITIONS,
    Change.TRUNCATE: Change.ALTER,
    Change.DROP: Change.ALTER,
}


@dataclass(frozen=True)
class Datasets:
    """Builds the datasets of events.

    Everything under one name is one dataset: the paths of a wildcard, the partitions of a table, two of its versions.
    The first event of a run only names its datasets; the last one has all facets.
    """

    catalog: Catalog
    options: EventOptions

    def inputs(
        self, statement: Statement, *, in_full: bool, statistics: RunStatistics = _NO_STATISTICS
    ) -> list[InputDataset]:
        """The datasets that the statement reads."""
        grouped: dict[Name, list[Dataset]] = {}
        for dataset in statement.reads:
            name = self.catalog.name(dataset)
            if name is not None:
                grouped.setdefault(name, []).append(dataset)
        return [self._input(name, group, statement, statistics, in_full=in_full) for name, group in grouped.items()]

    def outputs(
        self, statement: Statement, *, in_full: bool, statistics: RunStatistics = _NO_STATISTICS
    ) -> list[OutputDataset]:
        """The datasets that the statement writes; at first only those whose names are certain."""
        datasets = []
        writes = self._writes_by_name(statement)
        # With several outputs, the inputs do not tell which of them an output depends on.
        listed = len(writes) == 1
        for name, written in writes.items():
            if not in_full and not self.catalog.is_certain(written.dataset):
                continue
            output_facets: dict[str, OutputDatasetFacet] = {}
            if name in statistics.writes:
                output_facets["outputStatistics"] = facets.output_statistics(statistics.writes[name])
            output_facets = self.options.enabled_facets(output_facets)
            dataset_facets = self._output_facets(written, name, statement.named_views, in_full=in_full, listed=listed)
            datasets.append(OutputDataset(name.namespace, name.name, facets=dataset_facets, outputFacets=output_facets))
        return datasets

    def declared(self, statement: Statement) -> Iterator[StaticDataset]:
        """The views that the statement declares; no run writes them."""
        for name, written in self._writes_by_name(statement).items():
            yield self._view(name, written, statement.named_views, statement.reads)

    def definition(self, view: Written) -> StaticDataset | None:
        """A view that a statement reads, as its definition has it; None if it has no name."""
        name = self.catalog.name(view.dataset)
        return None if name is None else self._view(name, view, (), ())

    def _view(self, name: Name, view: Written, views: Iterable[Dataset], reads: Iterable[Dataset]) -> StaticDataset:
        view_facets = {
            **self._output_facets(view, name, views, in_full=True, listed=False),
            "datasetType": facets.view(),
        }
        view_facets.pop("lifecycleStateChange", None)
        if self._has_lineage_facet and not self._over_limit(view):
            view_facets["lineage"] = lineage_facets.dataset_lineage(view, reads, self.catalog, self.options)
        return StaticDataset(name.namespace, name.name, facets=self.options.enabled_facets(view_facets))

    def job_lineage(self, statement: Statement) -> dict[str, JobFacet]:
        """The job's `lineage` facet under its name, if it is enabled."""
        if not self._has_lineage_facet:
            return {}
        writes = self._writes_by_name(statement)
        # With several outputs, an input that reaches no column may belong to any of them.
        reads = statement.reads if len(writes) == 1 else ()
        entries = [
            lineage_facets.lineage_entry(written, name, reads, self.catalog, self.options)
            for name, written in writes.items()
            if (written.fields or written.rows) and not self._over_limit(written)
        ]
        return {"lineage": lineage_facets.job_lineage(entries)} if entries else {}

    def withheld(self, statement: Statement) -> list[str]:
        """The facets that a limit keeps out of the event, each with the reason."""
        messages = []
        for name, written in self._writes_by_name(statement).items():
            if self._over_limit(written):
                columns, limit = len(written.schema), self.options.schema_limit
                messages.append(f"columnLineage of {name.name}: {columns} columns, schemaSizeLimit {limit}")
            elif not self.options.dataset_lineage and not lineage_facets.repeats_rows(written, self.options):
                messages.append(f"columnLineage of {name.name}: too many edges to repeat those of all columns on each")
        return messages

    @property
    def _has_lineage_facet(self) -> bool:
        return self.options.lineage_facet and self.options.has_facet("lineage")

    def _input(
        self, name: Name, group: list[Dataset], statement: Statement, statistics: RunStatistics, *, in_full: bool
    ) -> InputDataset:
        fields = _union_of_schemas(map(statement.reads.__getitem__, group)) if in_full else ()
        if fields:
            # A part does not have the columns in the names of its folders; the dataset does.
            folders = {
                name: type_ for dataset in group for name, type_ in self.catalog.partition_columns(dataset).items()
            }
            fields = _with_more(fields, _fields_of(folders))
        input_facets: dict[str, InputDatasetFacet] = {}
        if name in statistics.reads:
            input_facets["inputStatistics"] = facets.input_statistics(statistics.reads[name])
        parts = (dataset for dataset in group if not dataset.table and self.catalog.is_part(dataset))
        places = sorted({dataset.location for dataset in parts if dataset.location})
        if places and in_full:
            input_facets["subset"] = facets.subset(places)
        if all(dataset in statement.behind_views for dataset in group):
            views = (view for dataset in group for view in statement.behind_views[dataset])
            input_facets["headwater_behindViews"] = facets.behind_views(self._names(views))
        return InputDataset(
            name.namespace,
            name.name,
            facets=self.options.enabled_facets(self._dataset_facets(group, name, fields)),
            inputFacets=self.options.enabled_facets(input_facets),
        )

    def _names(self, datasets: Iterable[Dataset]) -> list[Name]:
        return [name for dataset in datasets if (name := self.catalog.name(dataset)) is not None]

    def _output_facets(
        self, written: Written, name: Name, views: Iterable[Dataset], *, in_full: bool, listed: bool
    ) -> dict[str, DatasetFacet]:
        output_facets = self._dataset_facets([written.dataset], name, written.schema if in_full else ())
        previous = None if written.previous is None else self.catalog.name(written.previous)
        lifecycle = facets.lifecycle(written.change, previous)
        if lifecycle is not None:
            output_facets["lifecycleStateChange"] = lifecycle
        # No facet means "unknown"; a facet without columns would mean "made from nothing".
        known = bool(written.fields or written.rows)
        shown = in_full and known and not self._over_limit(written)
        if shown and self.options.has_facet("columnLineage"):
            output_facets["columnLineage"] = lineage_facets.column_lineage(written, self.catalog, self.options)
            if written.by_views is not None and self.options.has_facet("headwater_views"):
                output_facets["headwater_views"] = lineage_facets.lineage_by_views(
                    written.by_views, self._names(views), self.catalog, self.options
                )
        by_columns = self.options.has_facet("columnLineage") or self._has_lineage_facet
        if shown and by_columns and self.options.has_facet("headwater_rows"):
            rows = lineage_facets.rows_facet(written, name, self.catalog, self.options, listed=listed)
            if rows is not None:
                output_facets["headwater_rows"] = rows
        return self.options.enabled_facets(output_facets)

    def _dataset_facets(self, group: list[Dataset], name: Name, fields: tuple[Field, ...]) -> dict[str, DatasetFacet]:
        """The facets of a dataset, read or written; its parts must agree on the version."""
        dataset_facets: dict[str, DatasetFacet] = {"dataSource": facets.data_source(name)}
        if fields and self.options.has_facet("schema"):
            dataset_facets["schema"] = facets.schema(fields)
        symlink = next((link for dataset in group if (link := self.catalog.symlink(dataset)) is not None), None)
        if symlink is not None:
            dataset_facets["symlinks"] = facets.symlinks(symlink)
        catalog = next((dataset.catalog for dataset in group if dataset.catalog is not None), None)
        if catalog is not None:
            dataset_facets["catalog"] = facets.catalog(catalog)
        storage = facets.storage(group[0].format)
        if storage is not None:
            dataset_facets["storage"] = storage
        versions = {dataset.version for dataset in group}
        version = versions.pop()
        if not versions and version is not None:
            dataset_facets["version"] = facets.version(version)
        return dataset_facets

    def _writes_by_name(self, statement: Statement) -> dict[Name, Written]:
        by_name: dict[Name, Written] = {}
        for written in statement.writes:
            name = self.catalog.name(written.dataset)
            if name is not None:
                whole = self._as_whole(written) if self.catalog.is_part(written.dataset) else written
                by_name[name] = _union_of_writes(by_name[name], whole) if name in by_name else whole
        return by_name

    def _as_whole(self, written: Written) -> Written:
        """A write to a part of a dataset, as a write to the dataset. Its folders' names are columns of the dataset."""
        columns = _fields_of(self.catalog.partition_columns(written.dataset))
        whole = _with_constants(_change_to_whole(written), columns)
        return replace(whole, by_views=whole.by_views and _with_constants(whole.by_views, columns))

    def _over_limit(self, written: Written) -> bool:
        limit = self.options.schema_limit
        return limit is not None and len(written.schema) > limit


def _union_of_schemas(schemas: Iterable[tuple[Field, ...]]) -> tuple[Field, ...]:
    fields: dict[str, Field] = {}
    for schema in schemas:
        for field in schema:
            fields.setdefault(field.name, field)
    return tuple(fields.values())


def _union_of_writes(first: Written, other: Written) -> Written:
    """Two writes of one statement into the same dataset."""
    mine, theirs = first.fields or {}, other.fields or {}
    fields = {name: merge([mine.get(name, {}), theirs.get(name, {})]) for name in {**mine, **theirs}}
    change = first.change if first.change is not Change.APPEND else other.change
    by_views = None
    if first.by_views is not None or other.by_views is not None:
        by_views = _union_of_writes(
            first.by_views or replace(first, by_views=None), other.by_views or replace(other, by_views=None)
        )
    rows, counted = merge([first.rows, other.rows]), both_counted(first.counted, other.counted)
    return replace(first, change=change, fields=fields, rows=rows, by_views=by_views, counted=counted)


def _fields_of(columns: Mapping[str, str]) -> tuple[Field, ...]:
    return tuple(Field(name, type_) for name, type_ in columns.items())


def _with_more(schema: tuple[Field, ...], columns: Iterable[Field]) -> tuple[Field, ...]:
    """A schema with more columns; one that it has stays as it is."""
    own = {field.name.lower() for field in schema}
    return (*schema, *(column for column in columns if column.name.lower() not in own))


def _with_constants(written: Written, columns: Iterable[Field]) -> Written:
    """A write that also fills columns with constants; where the lineage of its columns is unknown, so it stays."""
    columns = list(columns)
    written = replace(written, schema=written.schema and _with_more(written.schema, columns))
    if not (written.fields or written.rows):
        return written
    own = {name.lower() for name in written.fields or {}}
    added: dict[str, Sources] = {join_path((field.name,)): {} for field in columns if field.name.lower() not in own}
    return replace(written, fields={**(written.fields or {}), **added})


def _change_to_whole(written: Written) -> Written:
    """A change to one folder of a dataset, as a change to the whole: the other folders stay."""
    return replace(written, change=_TO_THE_WHOLE.get(written.change, written.change))

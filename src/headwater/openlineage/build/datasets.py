"""What a statement reads and writes, as the datasets of an event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from openlineage.client.event_v2 import InputDataset, OutputDataset, StaticDataset
from openlineage.client.facet_v2 import DatasetFacet, InputDatasetFacet, JobFacet, OutputDatasetFacet

from headwater.openlineage.build import facets, lineage_facets
from headwater.openlineage.build.options import EventOptions
from headwater.openlineage.build.statistics import Measured
from headwater.openlineage.naming.datasets import Catalog, Name
from headwater.rules.plan.sources import merge
from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.statements import Change, Field, Statement, Written

_F = TypeVar("_F")
_NOTHING_MEASURED = Measured()
# What a change to a part of a dataset is to the dataset.
_TO_THE_WHOLE = {
    Change.OVERWRITE: Change.OVERWRITE_PARTITIONS,
    Change.TRUNCATE: Change.ALTER,
    Change.DROP: Change.ALTER,
}


@dataclass(frozen=True)
class Datasets:
    """Writes the datasets of events.

    What is the same under one name is one dataset: the paths of a wildcard, the partitions of a table, two of its
    versions. The first event of a run only names its datasets: the last one repeats all there is to say.
    """

    catalog: Catalog
    options: EventOptions

    def inputs(
        self, statement: Statement, *, in_full: bool, measured: Measured = _NOTHING_MEASURED
    ) -> list[InputDataset]:
        """What the statement reads."""
        grouped: dict[Name, list[Dataset]] = {}
        for dataset in statement.reads:
            name = self.catalog.name(dataset)
            if name is not None:
                grouped.setdefault(name, []).append(dataset)
        return [self._input(name, group, statement, measured, in_full=in_full) for name, group in grouped.items()]

    def outputs(
        self, statement: Statement, *, in_full: bool, measured: Measured = _NOTHING_MEASURED
    ) -> list[OutputDataset]:
        """What the statement writes."""
        found = []
        for name, written in self._written(statement).items():
            of_writing: dict[str, OutputDatasetFacet] = {}
            if name in measured.writes:
                of_writing["outputStatistics"] = facets.output_statistics(measured.writes[name])
            kept = self._kept(of_writing)
            described = self._of_output(written, name, in_full=in_full)
            found.append(OutputDataset(name.namespace, name.name, facets=described, outputFacets=kept))
        return found

    def declared(self, statement: Statement) -> Iterator[StaticDataset]:
        """What the statement declares: views, which no run writes."""
        for name, written in self._written(statement).items():
            described = {**self._of_output(written, name, in_full=True), "datasetType": facets.view()}
            described.pop("lifecycleStateChange", None)
            if self._wants_lineage_facet and not self._over_limit(written):
                described["lineage"] = lineage_facets.dataset_lineage(
                    written, statement.reads, self.catalog, self.options
                )
            yield StaticDataset(name.namespace, name.name, facets=self._kept(described))

    def job_lineage(self, statement: Statement) -> dict[str, JobFacet]:
        """The job's `lineage` facet under its name, where it is asked for."""
        if not self._wants_lineage_facet:
            return {}
        written = self._written(statement)
        # Of several outputs nobody knows which one an input went to if no column of it did.
        reads = statement.reads if len(written) == 1 else ()
        entries = [
            lineage_facets.lineage_entry(one, name, reads, self.catalog, self.options)
            for name, one in written.items()
            if (one.fields or one.rows) and not self._over_limit(one)
        ]
        return {"lineage": lineage_facets.job_lineage(entries)} if entries else {}

    def withheld(self, statement: Statement) -> list[str]:
        """What a limit keeps out of the event."""
        said = []
        for name, written in self._written(statement).items():
            if self._over_limit(written):
                columns, limit = len(written.schema), self.options.schema_limit
                said.append(f"columnLineage of {name.name}: {columns} columns, schemaSizeLimit {limit}")
            elif not self.options.dataset_lineage and not lineage_facets.repeats_rows(written, self.options):
                said.append(f"columnLineage of {name.name}: too many edges to repeat those of all columns on each")
        return said

    @property
    def _wants_lineage_facet(self) -> bool:
        return self.options.lineage_facet and "lineage" not in self.options.disabled_facets

    def _input(
        self, name: Name, group: list[Dataset], statement: Statement, measured: Measured, *, in_full: bool
    ) -> InputDataset:
        fields = _united(statement.reads[dataset] for dataset in group) if in_full else ()
        described = self._described(group, name, fields)
        of_reading: dict[str, InputDatasetFacet] = {}
        if name in measured.reads:
            of_reading["inputStatistics"] = facets.input_statistics(measured.reads[name])
        parts = (dataset for dataset in group if not dataset.table and self.catalog.is_part(dataset))
        places = sorted({dataset.location for dataset in parts if dataset.location})
        if places and in_full:
            of_reading["subset"] = facets.subset(places)
        return InputDataset(name.namespace, name.name, facets=self._kept(described), inputFacets=self._kept(of_reading))

    def _of_output(self, written: Written, name: Name, *, in_full: bool) -> dict[str, DatasetFacet]:
        described = self._described([written.dataset], name, written.schema if in_full else ())
        previous = None if written.previous is None else self.catalog.name(written.previous)
        changed = facets.lifecycle(written.change, previous)
        if changed is not None:
            described["lifecycleStateChange"] = changed
        # No facet is "unknown", one without columns would be "made from nothing".
        known = bool(written.fields or written.rows)
        if in_full and known and self._is_wanted("columnLineage") and not self._over_limit(written):
            described["columnLineage"] = lineage_facets.column_lineage(written, self.catalog, self.options)
        return self._kept(described)

    def _described(self, group: list[Dataset], name: Name, fields: tuple[Field, ...]) -> dict[str, DatasetFacet]:
        """What there is to say about a dataset, read or written; what its parts do not agree on is left out."""
        described: dict[str, DatasetFacet] = {"dataSource": facets.data_source(name)}
        if fields and self._is_wanted("schema"):
            described["schema"] = facets.schema(fields)
        symlink = next((link for dataset in group if (link := self.catalog.symlink(dataset)) is not None), None)
        if symlink is not None:
            described["symlinks"] = facets.symlinks(symlink)
        catalog = next((dataset.catalog for dataset in group if dataset.catalog is not None), None)
        if catalog is not None:
            described["catalog"] = facets.catalog(catalog)
        storage = facets.storage(group[0].format)
        if storage is not None:
            described["storage"] = storage
        versions = {dataset.version for dataset in group}
        version = versions.pop()
        if not versions and version is not None:
            described["version"] = facets.version(version)
        return described

    def _written(self, statement: Statement) -> dict[Name, Written]:
        found: dict[Name, Written] = {}
        for one in statement.writes:
            name = self.catalog.name(one.dataset)
            if name is not None:
                written = _of_a_part(one) if self.catalog.is_part(one.dataset) else one
                found[name] = _joined(found[name], written) if name in found else written
        return found

    def _over_limit(self, written: Written) -> bool:
        limit = self.options.schema_limit
        return limit is not None and len(written.schema) > limit

    def _is_wanted(self, facet: str) -> bool:
        return facet not in self.options.disabled_facets

    def _kept(self, found: Mapping[str, _F]) -> dict[str, _F]:
        return {name: facet for name, facet in found.items() if self._is_wanted(name)}


def _united(schemas: Iterable[tuple[Field, ...]]) -> tuple[Field, ...]:
    found: dict[str, Field] = {}
    for schema in schemas:
        for field in schema:
            found.setdefault(field.name, field)
    return tuple(found.values())


def _joined(one: Written, other: Written) -> Written:
    """Two writes of one statement into the same dataset."""
    mine, theirs = one.fields or {}, other.fields or {}
    fields = {name: merge([mine.get(name, {}), theirs.get(name, {})]) for name in {**mine, **theirs}}
    change = one.change if one.change is not Change.APPEND else other.change
    return replace(one, change=change, fields=fields, rows=merge([one.rows, other.rows]))


def _of_a_part(written: Written) -> Written:
    """A change to one folder of a dataset as the change that it is to the whole: the other folders stay."""
    return replace(written, change=_TO_THE_WHOLE.get(written.change, written.change))

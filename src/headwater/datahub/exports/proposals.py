"""A store's lineage as DataHub's change proposals (MCP), in the form of its files.

Aspects that came from DataHub go back unchanged as long as the store still says the same; all others are written anew.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from headwater.common.column_path import ancestors
from headwater.datahub.aspects.aspect_store import Key, aspects_at, without_urns
from headwater.datahub.aspects.fine_grained import fine_grained
from headwater.datahub.aspects.lineage import field_mappings, job_io, read_job_io, upstream_lineage
from headwater.datahub.aspects.reading import Known, Name, Reading
from headwater.datahub.aspects.schema import (
    field_info,
    listed_paths,
    nested,
    schema_metadata,
    written_path,
    written_paths,
)
from headwater.datahub.exports.field_tags import Words, field_aspects, words_of_fields
from headwater.datahub.exports.inventory import Inventory, Written, inventory
from headwater.datahub.imports.entity_state import (
    FIELD_INFO,
    JOB_IO,
    MAPPINGS,
    SCHEMA,
    UPSTREAM,
    EntityState,
    declared_lineage,
    schema_of,
)
from headwater.datahub.naming.datasets import Naming
from headwater.datahub.naming.store_names import ENTITIES, job_urn
from headwater.fields import make_urn
from headwater.fields.errors import DataHubError
from headwater.fields.paths import SchemaFields, rfc_path
from headwater.fields.urn import Urn
from headwater.openlineage.model.event import ColumnLineage, SchemaField
from headwater.openlineage.model.parse_facets import schema_fields, sort_edges
from headwater.store import Store
from headwater.store.db.session import Session
from headwater.store.model.meaning import with_rows_folded
from headwater.store.reads.transfer import last_event_until

_NOTHING = ColumnLineage((), ())


class Form(Enum):
    """Where lineage is written: on jobs, on datasets, or on datasets by the RFC."""

    JOBS = "jobs"
    DATASETS = "datasets"
    RFC = "rfc"


@dataclass
class Export:
    """What is written, and how.

    Attributes:
        inventory: the store at the moment.
        stored: aspects of datasets and of jobs that came from DataHub.
        us: the moment.
        env: the environment of jobs.
        form: where lineage is written.
        today: write the RFC's form for the classes that DataHub has today; otherwise in the RFC's own words, with
            the fieldInfo of each field.
        indirect: write inputs that only filter, join, group, sort or decide.
        words: tags and descriptions of fields that did not come from DataHub.
        propagated: when the propagated ones of each dataset were derived.
        problems: each dataset or job that cannot be written, and why.
        unsure: the URNs of those that have one.
    """

    inventory: Inventory
    stored: Mapping[str, Mapping[Name, Mapping[Key, Any]]]
    us: int
    env: str = "PROD"
    form: Form = Form.JOBS
    today: bool = True
    indirect: bool = True
    words: Words = field(default_factory=dict)
    propagated: Mapping[Name, int] = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)
    unsure: set[str] = field(default_factory=set)
    _paths: dict[Name, dict[str, str]] = field(default_factory=dict)
    _field_urns: dict[Name, dict[str, str]] = field(default_factory=dict)

    @cached_property
    def _written(self) -> dict[Name, list[Written]]:
        written: dict[Name, list[Written]] = {}
        for output in self.inventory.written:
            written.setdefault(output.dataset, []).append(output)
        return written

    def records(self) -> Iterator[dict[str, Any]]:
        """One proposal for each aspect, datasets before jobs."""
        by_urn: dict[str, Name] = {}
        for name in self.inventory.datasets:
            if name == ENTITIES:
                continue
            try:
                urn = self.inventory.names.urn_of(name)
                Urn.parse(urn, "dataset")
            except DataHubError as error:
                self.problems.append(("/".join(name), str(error)))
                continue
            if (other := by_urn.setdefault(urn, name)) != name:
                why = f"{'/'.join(other)} has the same URN, {urn}: set a platform instance for one of the namespaces."
                self.problems.append(("/".join(name), why))
                continue
            try:
                yield from list(self._dataset(name, urn))
            except DataHubError as error:
                self.problems.append(("/".join(name), str(error)))
                self.unsure.add(urn)
        if self.form is Form.JOBS:
            yield from self._jobs()
        for key, value in self._stored("dataset", ENTITIES).items():
            yield self.proposal(key.urn, key.aspect, value)

    def proposal(self, urn: str, aspect: str, value: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
        """A proposal of one aspect, as a file has it."""
        return {
            "entityType": urn.removeprefix("urn:li:").partition(":")[0],
            "entityUrn": urn,
            "changeType": "UPSERT",
            "aspectName": aspect,
            "aspect": {"json": value},
            "systemMetadata": {"lastObserved": self.us // 1000, "runId": "headwater"},
        }

    def job_urns(self) -> set[str]:
        """The URNs of all jobs of the store, and of their flows, whether they are written or not."""
        urns: set[str] = set()
        for job in self.inventory.jobs:
            with suppress(DataHubError):  # a job without a URN was never written
                urn = job_urn(job, self.env)
                urns |= {urn, str(Urn.parse(urn).urn(0))}
        return urns

    def _stored(self, table: str, name: Name) -> Mapping[Key, Any]:
        return self.stored.get(table, {}).get(name, {})

    def _dataset(self, name: Name, urn: str) -> Iterator[dict[str, Any]]:
        for aspect, value in (self.aspects(name) or {"status": {"removed": False}}).items():
            yield self.proposal(urn, aspect, value)
        of_fields = {key: value for key, value in self._stored("dataset", name).items() if key.urn}
        words, us = self.words.get(name, {}), self.propagated.get(name, self.us)
        of_fields |= field_aspects(name, words, of_fields, self.schema_field, us)
        if self.form is Form.RFC and not self.today:
            of_fields = {**self._field_infos(name), **of_fields}
        for key, value in of_fields.items():
            yield self.proposal(key.urn, key.aspect, value)

    def _field_infos(self, name: Name) -> dict[Key, Any]:
        """The RFC's FieldInfo of each field: leaves only, as in its paths."""
        fields = self.inventory.schemas.get(name, [])
        around = {parent for field in fields for parent in ancestors(field.path)}
        leaves = [field for field in fields if field.path not in around]
        return {
            Key(FIELD_INFO, self.dataset_field(name, field.path)): field_info(rfc_path(field.path), None, field)
            for field in leaves
        }

    def aspects(self, name: Name) -> dict[str, Any]:
        """The aspects of a dataset itself."""
        state = EntityState(dict(self._stored("dataset", name)))
        plain = without_urns(state.aspects)
        fields = self.inventory.schemas.get(name, [])
        aspects: dict[str, Any] = {}
        if state.removed:
            pass  # a removed dataset has only the aspects that came from DataHub
        elif self._has_same_schema(name):
            aspects[SCHEMA] = plain[SCHEMA]
        elif fields:
            parsed = Urn.parse(self.inventory.names.urn_of(name))
            aspects[SCHEMA] = schema_metadata(parsed.text(1), str(parsed.urn(0)), fields, us=self.us)
        aspects |= self._lineage(name, state)
        written = {SCHEMA, UPSTREAM, MAPPINGS}
        return aspects | {aspect: value for aspect, value in plain.items() if state.removed or aspect not in written}

    def _lineage(self, name: Name, state: EntityState) -> dict[str, Any]:
        """The aspects with the lineage of a dataset."""
        written = [output for output in self._written.get(name, []) if self.form is not Form.JOBS or output.job is None]
        if not written:
            return {}
        lineage = _union(output.lineage for output in written)
        sources = sorted({source for output in written for source in output.inputs} - {name})
        if self.form is Form.RFC:
            mappings = field_mappings(lineage, name, self.dataset_field, us=self.us if self.today else None)
            return {MAPPINGS: mappings} if mappings["fieldMappings"] else {}
        if state.has_lineage and all(output.job is None for output in written):
            declared, _ = declared_lineage(name, state, self._known)
            if declared is not None and _same(declared, lineage):
                plain = without_urns(state.aspects)
                return {aspect: plain[aspect] for aspect in (UPSTREAM, MAPPINGS) if aspect in plain}
        upstreams = [self.inventory.names.urn_of(source) for source in sources]
        columns = self._columns(name)
        return {
            UPSTREAM: upstream_lineage(
                lineage, name, upstreams, columns, self.schema_field, us=self.us, indirect=self.indirect
            )
        }

    def _jobs(self) -> Iterator[dict[str, Any]]:
        by_job: dict[Name, list[Written]] = {}
        for output in self.inventory.written:
            if output.job is not None:
                by_job.setdefault(output.job, []).append(output)
        there = set(self._stored("dataset", ENTITIES))
        flows: set[str] = set()
        for job, outputs in sorted(by_job.items()):
            urn = ""
            try:
                urn = job_urn(job, self.env)
                aspect = self.job_io(job, outputs)
            except DataHubError as error:
                self.problems.append(("/".join(job), str(error)))
                if urn:
                    self.unsure.add(urn)
                continue
            flow = str(Urn.parse(urn).urn(0))
            if flow not in flows and Key("dataFlowInfo", flow) not in there:
                yield self.proposal(flow, "dataFlowInfo", {"customProperties": {}, "name": Urn.parse(flow).text(1)})
            flows.add(flow)
            if Key("dataJobInfo", urn) not in there:
                info = {"customProperties": {}, "name": job[1], "type": {"string": "COMMAND"}}
                yield self.proposal(urn, "dataJobInfo", info)
            yield self.proposal(urn, JOB_IO, aspect)

    def job_io(self, job: Name, outputs: list[Written]) -> dict[str, Any]:
        """`dataJobInputOutput` of a job with these outputs.

        Raises:
            DataHubError: DataHub cannot hold a name.
        """
        stored = self._stored("job", job).get(Key(JOB_IO))
        if stored is not None:
            reading = Reading(self._known)
            _, written = read_job_io(stored, reading)
            now = {output.dataset: output.lineage or _NOTHING for output in outputs}
            if set(written) == now.keys() and all(_same(reading.lineage(name), now[name]) for name in written):
                return dict(stored)
        urn_of = self.inventory.names.urn_of
        entries: list[dict[str, Any]] = []
        for output in outputs:
            columns = self._columns(output.dataset)
            lineage = output.lineage or _NOTHING
            entries += fine_grained(lineage, output.dataset, columns, self.schema_field, indirect=self.indirect)
        read = sorted({source for output in outputs for source in output.inputs})
        return job_io(map(urn_of, read), (urn_of(output.dataset) for output in outputs), entries)

    @cached_property
    def _known(self) -> Known:
        fields = {name: SchemaFields(_paths(listed)) for name, listed in self.inventory.schemas.items()}
        return Known(self.inventory.names.name_of, fields.get)

    def _columns(self, name: Name) -> list[str]:
        """The fields of a dataset: what decides on its rows goes into each."""
        paths = _paths(self.inventory.schemas.get(name, []))
        if not paths:
            lineages = [output.lineage for output in self._written.get(name, []) if output.lineage]
            paths = sorted({column for lineage in lineages for column in lineage.columns})
        return paths

    def _has_same_schema(self, name: Name) -> bool:
        """Whether the schema that came from DataHub still holds."""
        stored = self._stored("dataset", name)
        return Key(SCHEMA) in stored and _paths(_fields_of(stored)) == _paths(self.inventory.schemas.get(name, []))

    def schema_field(self, name: Name, path: str) -> str:
        """The URN of a field as DataHub names it today.

        Raises:
            DataHubError: DataHub cannot hold its name.
        """
        urns = self._field_urns.setdefault(name, {})
        urn = urns.get(path)
        if urn is None:
            urn = urns[path] = self._make_schema_field(name, path)
        return urn

    def _make_schema_field(self, name: Name, path: str) -> str:
        written = self._paths.get(name)
        if written is None:
            if self._has_same_schema(name):
                written = listed_paths(self._stored("dataset", name)[Key(SCHEMA)])
            else:
                paths = written_paths(self.inventory.schemas.get(name, []))
                written = {own: path.path for own, path in paths.items()}
            self._paths[name] = written
        return str(make_urn.schema_field(self.inventory.names.urn_of(name), written_path(path, written)))

    def dataset_field(self, name: Name, path: str) -> str:
        """The URN of a field as the RFC names it.

        Raises:
            DataHubError: DataHub cannot hold its name.
        """
        return str(make_urn.dataset_field(self.inventory.names.urn_of(name), rfc_path(path)))


def _fields_of(aspects: Mapping[Key, Any]) -> list[SchemaField]:
    """The fields of a schema from DataHub as the store has them: structs around nested fields too, listed or not."""
    listed = [] if EntityState(dict(aspects)).removed else schema_of(aspects) or []
    return list(schema_fields({"fields": nested(listed)}))


def _paths(fields: Iterable[Any]) -> list[str]:
    return [field.path for field in fields]


def _union(lineages: Iterable[ColumnLineage | None]) -> ColumnLineage:
    known = [lineage for lineage in lineages if lineage is not None]
    columns = sorted({column for lineage in known for column in lineage.columns})
    return ColumnLineage(tuple(columns), sort_edges({edge for lineage in known for edge in lineage.edges}))


def _same(stored: ColumnLineage, now: ColumnLineage) -> bool:
    """Whether two are equal but for their texts, of which the store keeps the first."""

    def structure(lineage: ColumnLineage) -> set[tuple[object, ...]]:
        return {
            (edge.out, edge.namespace, edge.name, edge.path, edge.type, edge.subtype, edge.masking)
            for edge in with_rows_folded(lineage).edges
        }

    return structure(stored) == structure(now)


def export_of(  # noqa: PLR0913  as it is asked for
    store: Store,
    naming: Naming,
    *,
    at: int | None = None,
    form: Form = Form.JOBS,
    today: bool = True,
    indirect: bool = True,
) -> Export:
    """A store's lineage, now or at a moment, ready to be written."""
    with store.read() as session:
        export = export_in(session, inventory(session, naming, at), naming, at=at, form=form, indirect=indirect)
        export.today = today
        export.words, export.propagated = words_of_fields(session, session.moment(at))
        return export


def export_in(  # noqa: PLR0913  as it is asked for
    session: Session,
    inventory: Inventory,
    naming: Naming,
    *,
    at: int | None = None,
    form: Form = Form.JOBS,
    indirect: bool = True,
) -> Export:
    """An inventory, ready to be written, without the words on fields that did not come from DataHub."""
    us = at if at is not None else last_event_until(session, session.now) or 0
    jobs = {output.job for output in inventory.written if output.job is not None}
    moment = session.moment(at)
    stored = {
        "dataset": aspects_at(session, "dataset", {*inventory.datasets, *inventory.beside}, moment),
        "job": aspects_at(session, "job", jobs, moment),
    }
    if at is not None:
        # The store's own schemas are those of now; DataHub's schemas of the moment are still there.
        inventory.schemas |= {
            name: _fields_of(aspects) for name, aspects in stored["dataset"].items() if schema_of(aspects) is not None
        }
    return Export(inventory, stored, us, naming.env, form, indirect=indirect)

"""A store's lineage as DataHub's change proposals (MCP), in the form of its files.

What came from DataHub is given back as it came, as long as the store still says the same; all else is written anew.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from headwater.datahub.aspects.aspect_store import Key, kept_aspects, without_urns
from headwater.datahub.aspects.fine_grained import fine_grained
from headwater.datahub.aspects.lineage import field_mappings, job_io, read_job_io, upstream_lineage
from headwater.datahub.aspects.reading import Known, Name, Reading
from headwater.datahub.aspects.schema import listed_paths, nested, schema_metadata, written_path, written_paths
from headwater.datahub.exports.field_tags import Words, field_aspects, words_of_fields
from headwater.datahub.exports.inventory import Inventory, Written, inventory
from headwater.datahub.imports.entity_state import (
    JOB_IO,
    MAPPINGS,
    SCHEMA,
    UPSTREAM,
    Thing,
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
from headwater.store.db.codes import NOW
from headwater.store.db.session import Session
from headwater.store.model.meaning import with_rows_folded

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
        found: the store at the moment.
        kept: aspects as they came from DataHub, of datasets and of jobs.
        us: when that was.
        env: the environment of jobs.
        form: where lineage is written.
        indirect: write inputs that only filter, join, group, sort or decide.
        words: tags and descriptions of fields that did not come from DataHub.
        came: when those that came with the data were found.
        problems: of what could not be written: the dataset or job, and why.
        unsure: the URNs of those among them that have one.
    """

    found: Inventory
    kept: Mapping[str, Mapping[Name, Mapping[Key, Any]]]
    us: int
    env: str = "PROD"
    form: Form = Form.JOBS
    indirect: bool = True
    words: Words = field(default_factory=dict)
    came: Mapping[Name, int] = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)
    unsure: set[str] = field(default_factory=set)
    _paths: dict[Name, dict[str, str]] = field(default_factory=dict)
    _field_urns: dict[Name, dict[str, str]] = field(default_factory=dict)

    @cached_property
    def _written(self) -> dict[Name, list[Written]]:
        found: dict[Name, list[Written]] = {}
        for one in self.found.written:
            found.setdefault(one.dataset, []).append(one)
        return found

    def records(self) -> Iterator[dict[str, Any]]:
        """One proposal for each aspect, datasets before jobs."""
        taken: dict[str, Name] = {}
        for name in self.found.datasets:
            if name == ENTITIES:
                continue
            try:
                urn = self.found.names.urn_of(name)
                Urn.parse(urn, "dataset")
            except DataHubError as error:
                self.problems.append(("/".join(name), str(error)))
                continue
            if (other := taken.setdefault(urn, name)) != name:
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
        for key, value in self._kept("dataset", ENTITIES).items():
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
        found: set[str] = set()
        for job in self.found.jobs:
            with suppress(DataHubError):  # one that cannot be named was never written
                urn = job_urn(job, self.env)
                found |= {urn, str(Urn.parse(urn).urn(0))}
        return found

    def _kept(self, table: str, name: Name) -> Mapping[Key, Any]:
        return self.kept.get(table, {}).get(name, {})

    def _dataset(self, name: Name, urn: str) -> Iterator[dict[str, Any]]:
        for aspect, value in (self.aspects(name) or {"status": {"removed": False}}).items():
            yield self.proposal(urn, aspect, value)
        of_fields = {key: value for key, value in self._kept("dataset", name).items() if key.urn}
        words, us = self.words.get(name, {}), self.came.get(name, self.us)
        of_fields |= field_aspects(name, words, of_fields, self.schema_field, us)
        for key, value in of_fields.items():
            yield self.proposal(key.urn, key.aspect, value)

    def aspects(self, name: Name) -> dict[str, Any]:
        """The aspects of a dataset itself."""
        thing = Thing(dict(self._kept("dataset", name)))
        plain = without_urns(thing.aspects)
        fields = self.found.schemas.get(name, [])
        aspects: dict[str, Any] = {}
        if thing.gone:
            pass  # of what is removed, the store says nothing but what came
        elif self._keeps_schema(name):
            aspects[SCHEMA] = plain[SCHEMA]
        elif fields:
            parsed = Urn.parse(self.found.names.urn_of(name))
            aspects[SCHEMA] = schema_metadata(parsed.text(1), str(parsed.urn(0)), fields, us=self.us)
        aspects |= self._lineage(name, thing)
        made = {SCHEMA, UPSTREAM, MAPPINGS}
        return aspects | {aspect: value for aspect, value in plain.items() if thing.gone or aspect not in made}

    def _lineage(self, name: Name, thing: Thing) -> dict[str, Any]:
        """The aspects that say what a dataset is made of."""
        mine = [one for one in self._written.get(name, []) if self.form is not Form.JOBS or one.job is None]
        if not mine:
            return {}
        lineage = _union(one.lineage for one in mine)
        sources = sorted({source for one in mine for source in one.inputs} - {name})
        if self.form is Form.RFC:
            said = field_mappings(lineage, name, self.dataset_field, us=self.us)
            return {MAPPINGS: said} if said["fieldMappings"] else {}
        if thing.has_lineage and all(one.job is None for one in mine):
            kept, _ = declared_lineage(name, thing, self._known)
            if kept is not None and _same(kept, lineage):
                plain = without_urns(thing.aspects)
                return {aspect: plain[aspect] for aspect in (UPSTREAM, MAPPINGS) if aspect in plain}
        upstreams = [self.found.names.urn_of(source) for source in sources]
        said = upstream_lineage(
            lineage, name, upstreams, self._columns(name), self.schema_field, us=self.us, indirect=self.indirect
        )
        return {UPSTREAM: said}

    def _jobs(self) -> Iterator[dict[str, Any]]:
        by_job: dict[Name, list[Written]] = {}
        for one in self.found.written:
            if one.job is not None:
                by_job.setdefault(one.job, []).append(one)
        there = set(self._kept("dataset", ENTITIES))
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
        """`dataJobInputOutput` of a job that writes these.

        Raises:
            DataHubError: DataHub cannot hold a name.
        """
        kept = self._kept("job", job).get(Key(JOB_IO))
        if kept is not None:
            reading = Reading(self._known)
            _, written = read_job_io(kept, reading)
            now = {one.dataset: one.lineage for one in outputs}
            if set(written) == now.keys() and all(_same(reading.lineage(one), now[one] or _NOTHING) for one in written):
                return dict(kept)
        urn_of = self.found.names.urn_of
        entries: list[dict[str, Any]] = []
        for one in outputs:
            columns = self._columns(one.dataset)
            lineage = one.lineage or _NOTHING
            entries += fine_grained(lineage, one.dataset, columns, self.schema_field, indirect=self.indirect)
        read = sorted({source for one in outputs for source in one.inputs})
        return job_io(map(urn_of, read), (urn_of(one.dataset) for one in outputs), entries)

    @cached_property
    def _known(self) -> Known:
        fields = {name: SchemaFields(_paths(listed)) for name, listed in self.found.schemas.items()}
        return Known(self.found.names.name_of, fields.get)

    def _columns(self, name: Name) -> list[str]:
        """The fields that have nothing inside: what decides on rows goes into each."""
        paths = [one.path for one in self.found.schemas.get(name, [])]
        if not paths:
            mine = [one.lineage for one in self._written.get(name, []) if one.lineage]
            paths = sorted({column for lineage in mine for column in lineage.columns})
        return paths

    def _keeps_schema(self, name: Name) -> bool:
        """Whether the schema that came from DataHub still holds."""
        kept = self._kept("dataset", name)
        return Key(SCHEMA) in kept and _paths(_fields_of(kept)) == _paths(self.found.schemas.get(name, []))

    def schema_field(self, name: Name, path: str) -> str:
        """The URN of a field as DataHub names it today.

        Raises:
            DataHubError: DataHub cannot hold its name.
        """
        made = self._field_urns.setdefault(name, {})
        found = made.get(path)
        if found is None:
            found = made[path] = self._made_schema_field(name, path)
        return found

    def _made_schema_field(self, name: Name, path: str) -> str:
        written = self._paths.get(name)
        if written is None:
            if self._keeps_schema(name):
                written = listed_paths(self._kept("dataset", name)[Key(SCHEMA)])
            else:
                made = written_paths(self.found.schemas.get(name, []))
                written = {own: found.path for own, found in made.items()}
            self._paths[name] = written
        return str(make_urn.schema_field(self.found.names.urn_of(name), written_path(path, written)))

    def dataset_field(self, name: Name, path: str) -> str:
        """The URN of a field as the RFC names it.

        Raises:
            DataHubError: DataHub cannot hold its name.
        """
        return str(make_urn.dataset_field(self.found.names.urn_of(name), rfc_path(path)))


def _fields_of(kept: Mapping[Key, Any]) -> list[SchemaField]:
    """The fields of the schema that is kept, as the store has them: with what is around a nested one, listed or not."""
    listed = [] if Thing(dict(kept)).gone else schema_of(kept) or []
    return list(schema_fields({"fields": nested(listed)}))


def _paths(fields: Iterable[Any]) -> list[str]:
    return [one.path for one in fields]


def _union(lineages: Iterable[ColumnLineage | None]) -> ColumnLineage:
    some = [one for one in lineages if one is not None]
    columns = sorted({column for one in some for column in one.columns})
    return ColumnLineage(tuple(columns), sort_edges({edge for one in some for edge in one.edges}))


def _same(kept: ColumnLineage, now: ColumnLineage) -> bool:
    """Whether two say the same but for the texts: of those the store keeps the first."""

    def structure(lineage: ColumnLineage) -> set[tuple[object, ...]]:
        return {
            (edge.out, edge.namespace, edge.name, edge.path, edge.type, edge.subtype, edge.masking)
            for edge in with_rows_folded(lineage).edges
        }

    return structure(kept) == structure(now)


def export_of(
    store: Store, naming: Naming, *, at: int | None = None, form: Form = Form.JOBS, indirect: bool = True
) -> Export:
    """A store's lineage, now or at a moment, ready to be written."""
    with store.read() as session:
        made = export_in(session, inventory(session, naming, at), naming, at=at, form=form, indirect=indirect)
        made.words, made.came = words_of_fields(session, NOW if at is None else at)
        return made


def export_in(  # noqa: PLR0913  as it is asked for
    session: Session,
    found: Inventory,
    naming: Naming,
    *,
    at: int | None = None,
    form: Form = Form.JOBS,
    indirect: bool = True,
) -> Export:
    """What was found in a store, ready to be written, but for words about fields that did not come from DataHub."""
    ((last,),) = session.rows("SELECT max(event.us) FROM event")
    us = at if at is not None else last or 0
    jobs = {one.job for one in found.written if one.job is not None}
    moment = NOW if at is None else at
    kept = {
        "dataset": kept_aspects(session, "dataset", {*found.datasets, *found.beside}, moment),
        "job": kept_aspects(session, "job", jobs, moment),
    }
    if at is not None:
        # The store's own schemas are those of now; of what came from DataHub, those of the moment are kept.
        found.schemas |= {
            name: _fields_of(held) for name, held in kept["dataset"].items() if schema_of(held) is not None
        }
    return Export(found, kept, us, naming.env, form, indirect)

"""A store's lineage as DataHub's change proposals (MCP), in the form of its files.

What came from DataHub is given back as it came, as long as the store still says the same; all else is written anew.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from headwater.datahub import urns
from headwater.datahub.errors import DataHubError
from headwater.datahub.field_paths import SchemaFields, rfc_path
from headwater.datahub.field_words import Words, field_aspects, words_of_fields
from headwater.datahub.fine_grained import fine_grained
from headwater.datahub.inventory import Inventory, Written, inventory
from headwater.datahub.kept import Key, kept_aspects, without_urns
from headwater.datahub.lineage_aspects import field_mappings, job_io, read_job_io, upstream_lineage
from headwater.datahub.names import Naming
from headwater.datahub.reading import Known, Name, Reading
from headwater.datahub.schema_aspects import listed_paths, nested, schema_metadata, written_path, written_paths
from headwater.datahub.store_names import ENTITIES, job_urn
from headwater.datahub.things import JOB_IO, MAPPINGS, SCHEMA, UPSTREAM, Thing, declared_lineage, schema_of
from headwater.datahub.urn import Urn
from headwater.openlineage.model import ColumnLineage
from headwater.openlineage.parse_facets import schema_fields, sort_edges
from headwater.store import Store
from headwater.store.derive import FOREVER
from headwater.store.meaning import with_rows_folded

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
    _paths: dict[Name, dict[str, str]] = field(default_factory=dict)

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
                why = f"{'/'.join(other)} has the same URN, {urn}: name a platform instance for one of the namespaces."
                self.problems.append(("/".join(name), why))
                continue
            yield from self._dataset(name, urn)
        if self.form is Form.JOBS:
            yield from self._jobs()
        for key, value in self._kept("dataset", ENTITIES).items():
            yield self._proposal(key.urn, key.aspect, value)

    def _kept(self, table: str, name: Name) -> Mapping[Key, Any]:
        return self.kept.get(table, {}).get(name, {})

    def _dataset(self, name: Name, urn: str) -> Iterator[dict[str, Any]]:
        thing = Thing(dict(self._kept("dataset", name)))
        plain = without_urns(thing.aspects)
        fields = self.found.schemas.get(name, [])
        aspects: dict[str, Any] = {}
        if self._keeps_schema(name):
            aspects[SCHEMA] = plain[SCHEMA]
        elif fields:
            parsed = Urn.parse(urn)
            aspects[SCHEMA] = schema_metadata(parsed.text(1), str(parsed.urn(0)), fields, us=self.us)
        aspects |= self._lineage(name, thing)
        aspects |= {aspect: value for aspect, value in plain.items() if aspect not in {SCHEMA, UPSTREAM, MAPPINGS}}
        for aspect, value in (aspects or {"status": {"removed": False}}).items():
            yield self._proposal(urn, aspect, value)
        of_fields = {key: value for key, value in thing.aspects.items() if key.urn}
        words, us = self.words.get(name, {}), self.came.get(name, self.us)
        of_fields |= field_aspects(name, words, of_fields, self._schema_field, us)
        for key, value in of_fields.items():
            yield self._proposal(key.urn, key.aspect, value)

    def _lineage(self, name: Name, thing: Thing) -> dict[str, Any]:
        """The aspects that say what a dataset is made of."""
        mine = [one for one in self._written.get(name, []) if self.form is not Form.JOBS or one.job is None]
        if not mine:
            return {}
        lineage = _union(one.lineage for one in mine)
        sources = sorted({source for one in mine for source in one.inputs} - {name})
        if self.form is Form.RFC:
            said = field_mappings(lineage, name, self._dataset_field, us=self.us)
            return {MAPPINGS: said} if said["fieldMappings"] else {}
        if self.form is Form.JOBS and thing.has_lineage:
            kept, _ = declared_lineage(name, thing, self._known)
            if kept is not None and _same(kept, lineage):
                plain = without_urns(thing.aspects)
                return {aspect: plain[aspect] for aspect in (UPSTREAM, MAPPINGS) if aspect in plain}
        upstreams = [self.found.names.urn_of(source) for source in sources]
        said = upstream_lineage(
            lineage, name, upstreams, self._columns(name), self._schema_field, us=self.us, indirect=self.indirect
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
            try:
                urn = job_urn(job, self.env)
                aspect = self._job_io(job, outputs)
            except DataHubError as error:
                self.problems.append(("/".join(job), str(error)))
                continue
            flow = str(Urn.parse(urn).urn(0))
            if flow not in flows and Key("dataFlowInfo", flow) not in there:
                yield self._proposal(flow, "dataFlowInfo", {"name": Urn.parse(flow).text(1)})
            flows.add(flow)
            if Key("dataJobInfo", urn) not in there:
                yield self._proposal(urn, "dataJobInfo", {"name": job[1], "type": {"string": "COMMAND"}})
            yield self._proposal(urn, JOB_IO, aspect)

    def _job_io(self, job: Name, outputs: list[Written]) -> dict[str, Any]:
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
            entries += fine_grained(lineage, one.dataset, columns, self._schema_field, indirect=self.indirect)
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
        if Key(SCHEMA) not in kept:
            return False
        # The store has what is around a nested field as well, whether it is listed or not.
        told = schema_fields({"fields": nested(schema_of(kept) or [])})
        return _paths(told) == _paths(self.found.schemas.get(name, []))

    def _schema_field(self, name: Name, path: str) -> str:
        written = self._paths.get(name)
        if written is None:
            if self._keeps_schema(name):
                written = listed_paths(self._kept("dataset", name)[Key(SCHEMA)])
            else:
                made = written_paths(self.found.schemas.get(name, []))
                written = {own: found.path for own, found in made.items()}
            self._paths[name] = written
        return str(urns.schema_field(self.found.names.urn_of(name), written_path(path, written)))

    def _dataset_field(self, name: Name, path: str) -> str:
        return str(urns.dataset_field(self.found.names.urn_of(name), rfc_path(path)))

    def _proposal(self, urn: str, aspect: str, value: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
        return {
            "entityType": urn.removeprefix("urn:li:").partition(":")[0],
            "entityUrn": urn,
            "changeType": "UPSERT",
            "aspectName": aspect,
            "aspect": {"json": value},
            "systemMetadata": {"lastObserved": self.us // 1000, "runId": "headwater"},
        }


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
        found = inventory(session, naming, at)
        ((last,),) = session.rows("SELECT max(event.us) FROM event")
        us = at if at is not None else last or 0
        jobs = {one.job for one in found.written if one.job is not None}
        moment = FOREVER - 1 if at is None else at
        kept = {
            "dataset": kept_aspects(session, "dataset", found.datasets, moment),
            "job": kept_aspects(session, "job", jobs, moment),
        }
        words, came = words_of_fields(session, moment)
    return Export(found, kept, us, naming.env, form, indirect, words, came)

"""Event templates of a simulated warehouse, with slots for what differs from run to run."""

from functools import lru_cache

from headwater.simulate import facets
from headwater.simulate.facets import PRODUCER, SPEC, Json, facet
from headwater.simulate.jobs import Job, Jobs, Source
from headwater.simulate.template import Template, text
from headwater.simulate.warehouse import CATALOG, Table, Warehouse
from headwater.simulate.words import Word

JOBS = "warehouse"
"""The namespace of all jobs."""
CACHED = 12_000
"""How many templates are cached, of about 10 kB each."""
_MAINTENANCE = ("maintenance.archive", "maintenance.drop")


class Events:
    """Event templates, each built on first use and cached."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._warehouse: Warehouse = jobs.warehouse
        self.start = lru_cache(CACHED)(self._start)
        self.end = lru_cache(CACHED)(self._end)
        self.application = lru_cache(CACHED)(self._application)

    def _start(self, number: int) -> Template:
        """The first event of a run: its start and its parent."""
        job = self._jobs.job(number)
        # A streaming run is marked from its first event on.
        about = {"jobType": facets.kind("STREAMING", "SQL_JOB")} if job.streaming else {}
        return Template(_run_event("START", job.name, about, _parent_of(job)))

    def _end(self, number: int, variant: int, state: str) -> Template:
        """A run event with all facets: COMPLETE, RUNNING, or FAIL with the reason."""
        job = self._jobs.job(number)
        event = _run_event(state, job.name, facets.of_job(job, self._sql(job)), _parent_of(job))
        if state == "FAIL":
            event["run"]["facets"]["errorMessage"] = facets.error()
        event["inputs"] = [self._input(job, place) for place in range(len(job.parents))]
        event["outputs"] = [self._output(job, variant, finished=state != "FAIL")]
        return Template(event)

    def declared(self, number: int, team: str) -> Template:
        """A table as a catalog crawler describes it."""
        table = self._warehouse.table(number)
        described = {"schema": facets.schema(table), **facets.notes(table, team), "dataSource": _store_of(table)}
        return Template(
            _stamped("DatasetEvent", dataset={"namespace": table.namespace, "name": table.name, "facets": described})
        )

    def planned(self, number: int, variant: int) -> Template:
        """A job as its project declares it, without a run."""
        job = self._jobs.job(number)
        sources, rows = self._jobs.sources(number, variant)
        table = self._warehouse.table(job.target)
        output_facets = {"schema": facets.schema(table), "columnLineage": self._lineage(job, sources, rows, "")}
        return Template(
            _stamped(
                "JobEvent",
                job={"namespace": JOBS, "name": f"{job.name}.declared", "facets": facets.of_job(job, "")},
                inputs=[_named(self._warehouse.table(parent)) for parent in job.parents],
                outputs=[{**_named(table), "facets": output_facets}],
            )
        )

    def _application(self, name: str, state: str) -> Template:
        """An application that other runs belong to."""
        about = {"jobType": facets.kind("BATCH", "APPLICATION")}
        return Template(_run_event(state, name, about, {"processing_engine": facets.engine()}))

    def maintenance(self, number: int, *, renames: bool, state: str) -> Template:
        """A table archived under another name, or dropped."""
        table = self._warehouse.table(number)
        output = _named(table)
        change: Json = {"lifecycleStateChange": "DROP"}
        if renames:
            change = {"lifecycleStateChange": "RENAME", "previousIdentifier": _named(table)}
            output["name"] = f"archive/{table.name.rpartition('/')[2]}_{text('day')}"
        output["facets"] = {"lifecycleStateChange": facet("1-0-1", "LifecycleStateChangeDatasetFacet", **change)}
        event = _run_event(state, _MAINTENANCE[not renames], {}, {})
        if state == "COMPLETE":
            event["outputs"] = [output]
        return Template(event)

    def _input(self, job: Job, place: int) -> Json:
        table = self._warehouse.table(job.parents[place])
        # Some engines describe what they read, others only what they write.
        input_facets: Json = (
            {} if place or (table.layer and table.number % 2) else {"schema": facets.schema(table, described=False)}
        )
        if table.versioned:
            input_facets["version"] = facets.version(f"read{place}")
        if table.alias and not job.by_alias[place]:
            input_facets["symlinks"] = facets.symlinks(table.alias)
        name = dict(zip(("namespace", "name"), self._read_as(job, place), strict=True))
        return {**name, "facets": input_facets, **({} if place else {"inputFacets": facets.read()})}

    def _output(self, job: Job, variant: int, *, finished: bool) -> Json:
        table = self._warehouse.table(job.target)
        sources, rows = self._jobs.sources(job.number, variant)
        more = []
        if self._warehouse.settings.columns is None and variant and sources:
            more = [Word(f"added_{variant}", "string")]
            sources = [*sources, (more[0].name, sources[0][1])]
        day = f" /* {text('day')} */ AND day = '{text('day')}'" if job.dated else ""
        output_facets: Json = {
            "schema": facets.schema(table, more),
            "columnLineage": self._lineage(job, sources, rows, day),
            **({"dataSource": _store_of(table), **facets.notes(table, job.team)} if job.described else {}),
        }
        if table.alias:
            output_facets["symlinks"] = facets.symlinks(table.alias)
        if table.versioned and finished:
            output_facets["version"] = facets.version("version")
        if job.overwrites:
            output_facets["lifecycleStateChange"] = facet(
                "1-0-1", "LifecycleStateChangeDatasetFacet", lifecycleStateChange="OVERWRITE"
            )
        return {**_named(table), "facets": output_facets, "outputFacets": facets.written() if finished else {}}

    def _lineage(self, job: Job, sources: list[tuple[str, list[Source]]], rows: list[Source], day: str) -> Json:
        """`day` is in the texts of the first column only, like a filter's literal."""
        places = {parent: self._read_as(job, place) for place, parent in enumerate(job.parents)}
        fields = [
            (name, [facets.source(source, *places[source.table], day if at == 0 else "") for source in column_sources])
            for at, (name, column_sources) in enumerate(sources)
        ]
        return facets.lineage(fields, [facets.source(source, *places[source.table], "") for source in rows])

    def _read_as(self, job: Job, place: int) -> tuple[str, str]:
        """The name by which a job reads a table: its own, or the catalog's."""
        table = self._warehouse.table(job.parents[place])
        return (CATALOG, table.alias) if table.alias and job.by_alias[place] else (table.namespace, table.name)

    def _sql(self, job: Job) -> str:
        target = self._warehouse.table(job.target)
        read = " JOIN ".join(self._read_as(job, place)[1].rpartition("/")[2] for place in range(len(job.parents)))
        day = f" WHERE day = '{text('day')}'" if job.dated else ""
        how = "INSERT OVERWRITE" if job.overwrites else "INSERT INTO"
        return f"{how} {target.name.replace('/', '.')} SELECT * FROM {read}{day}"  # noqa: S608  a text, never run


def _stamped(kind: str, **event: object) -> Json:
    return {
        "eventTime": text("time"),
        "producer": PRODUCER,
        "schemaURL": f"{SPEC}2-0-2/OpenLineage.json#/$defs/{kind}",
        **event,
    }


def _run_event(state: str, name: str, of_job: Json, of_run: Json) -> Json:
    """An event of a run that reads and writes nothing yet."""
    job = {"namespace": JOBS, "name": name, "facets": of_job}
    run = {"runId": text("run"), "facets": of_run}
    return _stamped("RunEvent", eventType=state, run=run, job=job, inputs=[], outputs=[])


def _parent_of(job: Job) -> Json:
    return {} if job.streaming else {"parent": facets.parent(JOBS, job.application)}


def _named(table: Table) -> Json:
    return {"namespace": table.namespace, "name": table.name}


def _store_of(table: Table) -> Json:
    return facet("1-0-1", "DatasourceDatasetFacet", name=table.namespace, uri=table.namespace)

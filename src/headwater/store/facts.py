"""Merging events into facts. Each merge is a union or keeps the greatest stamp: any order, any repetition."""

import sqlite3
from enum import IntEnum

from headwater.openlineage.model import Dataset, DatasetEvent, Event, Facets, JobEvent, RunEvent, SchemaField
from headwater.openlineage.parse import is_deleted
from headwater.store.mappings import store_mapping
from headwater.store.names import Names
from headwater.store.order import hearsay, stamp

READ, WRITTEN = 1, 2
_NO_DATASET = 0
_STATIC_RANK = 0


class Scope(IntEnum):
    """What a facet is about."""

    RUN = 0
    JOB = 1
    INPUT = 2
    OUTPUT = 3
    INPUT_ROLE = 4
    OUTPUT_ROLE = 5


_MERGE_RUN = """
UPDATE run SET
    first_us = min(coalesce(first_us, :us), :us),
    job = CASE WHEN :stamp > coalesce(job_stamp, x'') THEN :job ELSE job END,
    job_stamp = max(coalesce(job_stamp, x''), :stamp)
WHERE id = :run
"""
_MERGE_HEARSAY = """
UPDATE run SET job = :job, job_stamp = :stamp WHERE id = :run AND (job_stamp IS NULL OR job_stamp < :stamp)
"""
_MERGE_PARENT = """
UPDATE run SET parent = :parent, parent_stamp = :stamp
WHERE id = :run AND (parent_stamp IS NULL OR parent_stamp < :stamp)
"""
_MERGE_END = """
UPDATE run SET end_type = :type, end_stamp = :stamp WHERE id = :run AND (end_stamp IS NULL OR end_stamp < :stamp)
"""
_MERGE_FACET = """
INSERT INTO facet (run, scope, dataset, name, stamp, body, mapping, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (run, scope, dataset, name) DO UPDATE
SET stamp = excluded.stamp, body = excluded.body, mapping = excluded.mapping, state = excluded.state
WHERE excluded.stamp > facet.stamp
"""
_MERGE_SCHEMA = """
INSERT INTO dataset_schema (dataset, body, stamp) VALUES (:dataset, :body, :stamp)
ON CONFLICT (dataset, body) DO UPDATE SET stamp = excluded.stamp WHERE excluded.stamp > dataset_schema.stamp
"""
_NEWER_SCHEMA = """
SELECT 1 FROM dataset_schema seen JOIN dataset_schema other ON other.dataset = seen.dataset AND other.stamp > seen.stamp
WHERE seen.dataset = :dataset AND seen.body = :body
"""


class Facts:
    """Merges the events of one transaction and remembers what they touch."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.names = Names(connection)
        self.runs: set[int] = set()
        self.schemas: set[int] = set()

    def merge(self, event: Event, hashed: bytes) -> int | None:
        """Merge one event; returns the key of its run, where it has one."""
        if isinstance(event, RunEvent):
            return self._merge_run_event(event, stamp(event.time_us, event.type.rank, hashed))
        stamped = stamp(event.time_us, _STATIC_RANK, hashed)
        if isinstance(event, JobEvent):
            self.names.job(event.job.namespace, event.job.name)
            for dataset in (*event.inputs, *event.outputs):
                self._merge_names(dataset, stamped)
        elif isinstance(event, DatasetEvent):
            self._merge_names(event.dataset, stamped)
        return None

    def _merge_run_event(self, event: RunEvent, stamped: bytes) -> int:
        execute = self._connection.execute
        run = self.names.run(event.run_id)
        job = self.names.job(event.job.namespace, event.job.name)
        execute(_MERGE_RUN, {"run": run, "us": event.time_us, "job": job, "stamp": stamped})
        if event.type.terminal:
            execute(_MERGE_END, {"run": run, "type": event.type.name, "stamp": stamped})
        if event.parent:
            parent = self.names.run(event.parent.run_id)
            execute(_MERGE_PARENT, {"run": run, "parent": parent, "stamp": stamped})
            if event.parent.job:
                named = self.names.job(event.parent.job.namespace, event.parent.job.name)
                execute(_MERGE_HEARSAY, {"run": parent, "job": named, "stamp": hearsay(stamped)})
        self._merge_facets(run, Scope.RUN, event.run_facets, stamped)
        self._merge_facets(run, Scope.JOB, event.job.facets, stamped)
        for dataset in event.inputs:
            self._merge_dataset(run, READ, dataset, stamped)
        for dataset in event.outputs:
            self._merge_dataset(run, WRITTEN, dataset, stamped)
        self.runs.add(run)
        return run

    def _merge_dataset(self, run: int, role: int, dataset: Dataset, stamped: bytes) -> None:
        key = self._merge_names(dataset, stamped)
        self._connection.execute(
            "INSERT OR IGNORE INTO run_dataset (run, role, dataset) VALUES (?, ?, ?)", (run, role, key)
        )
        scope, role_scope = (Scope.INPUT, Scope.INPUT_ROLE) if role == READ else (Scope.OUTPUT, Scope.OUTPUT_ROLE)
        mapping = None
        if role == WRITTEN and dataset.lineage is not None:
            mapping = store_mapping(self._connection, self.names, key, dataset.lineage)
        self._merge_facets(run, scope, dataset.facets, stamped, dataset=key, mapping=mapping, state=dataset.lifecycle)
        self._merge_facets(run, role_scope, dataset.role_facets, stamped, dataset=key)

    def _merge_names(self, dataset: Dataset, stamped: bytes) -> int:
        key = self.names.dataset(dataset.namespace, dataset.name)
        if dataset.schema is not None:
            self._merge_schema(key, dataset.schema, stamped)
        return key

    def _merge_schema(self, dataset: int, schema: tuple[SchemaField, ...], stamped: bytes) -> None:
        execute = self._connection.execute
        body = self.names.body([(field.path, field.type) for field in schema])
        keys = {"dataset": dataset, "body": body, "stamp": stamped}
        seen = execute("SELECT 1 FROM dataset_schema WHERE dataset = :dataset AND body = :body", keys).fetchone()
        if not seen:
            for field in schema:
                self.names.field(dataset, field.path)
        # A schema that is the dataset's last one already changes no field by being seen again, which is the daily case.
        if not seen or execute(_NEWER_SCHEMA, keys).fetchone():
            self.schemas.add(dataset)
        execute(_MERGE_SCHEMA, keys)

    def _merge_facets(  # noqa: PLR0913  a facet's key has that many parts
        self,
        run: int,
        scope: Scope,
        facets: Facets,
        stamped: bytes,
        *,
        dataset: int = _NO_DATASET,
        mapping: int | None = None,
        state: str | None = None,
    ) -> None:
        for name, facet in facets.items():
            self._connection.execute(
                _MERGE_FACET,
                (
                    run,
                    int(scope),
                    dataset,
                    name,
                    stamped,
                    None if is_deleted(facet) else self.names.body(facet),
                    mapping if name == "columnLineage" else None,
                    state if name == "lifecycleStateChange" else None,
                ),
            )

"""The whole of a store by names: what two stores must agree on to be equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.store import Store

    View = dict[str, list[tuple[object, ...]]]

_DATASET = "(SELECT namespace || ' ' || name FROM dataset WHERE id = {0}.dataset)"
_JOB = "(SELECT namespace || ' ' || name FROM job WHERE id = {0}.job)"
_RUN = "(SELECT uuid FROM run other WHERE id = {0}.run)"
_MAPPING = "(SELECT hex(structure) || hex(text) FROM mapping WHERE id = {0}.mapping)"
_BODY = "(SELECT hex(hash) FROM body WHERE id = {0}.body)"
_FIELD = (
    "(SELECT namespace || ' ' || name || ' ' || path"
    " FROM field JOIN dataset ON dataset.id = dataset WHERE field.id = edge.{0})"
)

_VIEWS = {
    "event": f"SELECT hash, kind, us, {_RUN}, raw FROM event",
    "dataset": "SELECT namespace, name FROM dataset",
    "field": f"SELECT {_DATASET}, path, type, position FROM field",
    "job": "SELECT namespace, name FROM job",
    "run": f"SELECT uuid, first_us, {_JOB}, job_stamp, (SELECT uuid FROM run up WHERE up.id = run.parent),"
    " parent_stamp, end_type, end_stamp FROM run",
    "run_dataset": f"SELECT {_RUN}, role, {_DATASET} FROM run_dataset",
    "facet": f"SELECT {_RUN}, scope, {_DATASET}, name, stamp, {_BODY}, {_MAPPING}, state FROM facet",
    "dataset_schema": f"SELECT {_DATASET}, {_BODY}, stamp FROM dataset_schema",
    "edge": f"SELECT {_MAPPING}, {_FIELD.format('out_field')}, {_FIELD.format('in_field')}, ordinal, type, subtype,"
    " masking, description FROM edge",
    "version": f"SELECT {_DATASET}, stamp, us, {_RUN}, {_JOB}, {_MAPPING}, carried, lifecycle, whole FROM version",
    "slot": f"SELECT {_DATASET}, until_us, {_JOB}, from_us, {_MAPPING} FROM slot",
}


@pytest.fixture(scope="session")
def natural_view() -> Callable[[Store], View]:
    """A function that reads all of a store, with names in the place of keys, sorted."""

    def view(store: Store) -> View:
        with store.read() as connection:
            return {
                table: sorted(connection.execute(statement.format(table)), key=repr)
                for table, statement in _VIEWS.items()
            }

    return view

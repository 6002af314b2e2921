"""Datasets: whether there is lineage on either side, how much is used, and how much is covered."""

from collections.abc import Collection, Mapping

from headwater.store.db.codes import NOTHING, Role
from headwater.store.db.predicates import (
    dataset_of_field,
    has_source,
    in_force,
    in_last_schema,
    is_of_dataset,
)
from headwater.store.db.session import Given, Session, ids
from headwater.store.reads.fields import schemas_now

# What goes into datasets now, and what they go into; a dataset that is made of itself leads nowhere.
_WITH_UPSTREAM = f"""
SELECT given.id FROM {{given}} WHERE EXISTS (
    SELECT 1 FROM slot {{join}} mapping ON mapping.id = slot.mapping
    WHERE slot.dataset = given.id AND {in_force("slot", ":now")} AND EXISTS (
        SELECT 1 FROM edge
        WHERE edge.mapping = mapping.id AND {dataset_of_field("edge.in_field")} <> given.id
    )
)
"""  # noqa: S608  our own words
_WITH_DOWNSTREAM = f"""
SELECT given.id FROM {{given}} WHERE EXISTS (
    SELECT 1 FROM edge
    {{join}} slot ON slot.mapping = edge.mapping AND {in_force("slot", ":now")} AND slot.dataset <> given.id
    WHERE {is_of_dataset("edge.in_field", "given.id")}
)
"""  # noqa: S608  our own words
_BUSIEST = f"""
SELECT dataset.namespace, dataset.name, sum(CASE WHEN mention.role = {Role.READ} THEN given.runs ELSE 0 END),
    sum(CASE WHEN mention.role = {Role.WRITTEN} THEN given.runs ELSE 0 END)
FROM {{given}} {{join}} mention ON mention.shape = given.shape AND mention.role IN ({Role.READ}, {Role.WRITTEN})
{{join}} dataset ON dataset.id = mention.dataset
GROUP BY dataset.namespace, dataset.name ORDER BY sum(given.runs) DESC, dataset.namespace, dataset.name LIMIT :most
"""  # noqa: S608  our own words
_IN_FORCE = f"""
SELECT count(DISTINCT slot.dataset), count(DISTINCT CASE WHEN slot.mapping IS NOT NULL THEN slot.dataset END)
FROM slot WHERE {in_force("slot", ":now")} AND slot.dataset > {NOTHING}
"""  # noqa: S608  our own words
_COLUMNS_IN_FORCE = f"""
SELECT count(*) FROM (SELECT DISTINCT slot.dataset FROM slot WHERE {in_force("slot", ":now")}) now
JOIN field ON field.dataset = now.dataset AND {in_last_schema("field")}
"""  # noqa: S608  our own words
_COLUMNS_TRACED = f"""
SELECT count(DISTINCT edge.out_field)
FROM (SELECT DISTINCT slot.mapping FROM slot WHERE {in_force("slot", ":now")} AND slot.mapping IS NOT NULL) now
JOIN edge ON edge.mapping = now.mapping AND {has_source("edge")}
JOIN field ON field.id = edge.out_field AND {in_last_schema("field")}
"""  # noqa: S608  our own words


# What datasets hold now, and the columns that are made from others; a dataset without any has NULL.
_WRITTEN = f"""
SELECT given.id, edge.out_field FROM {{given}}
{{join}} slot ON slot.dataset = given.id AND {in_force("slot", ":now")}
LEFT JOIN edge ON edge.mapping = slot.mapping AND {has_source("edge")}
"""  # noqa: S608  our own words
_FIELDS = f"""
SELECT given.id, field.id, field.path, CASE WHEN {in_last_schema("field")} THEN 1 ELSE 0 END
FROM {{given}} {{join}} field ON field.dataset = given.id
"""  # noqa: S608  our own words


def with_upstream(session: Session, datasets: Collection[int]) -> set[int]:
    """The datasets whose columns other datasets feed now."""
    return {key for (key,) in session.rows(_WITH_UPSTREAM, ids(datasets), now=session.now)}


def with_downstream(session: Session, datasets: Collection[int]) -> set[int]:
    """The datasets whose columns feed other datasets now."""
    return {key for (key,) in session.rows(_WITH_DOWNSTREAM, ids(datasets), now=session.now)}


def busiest(session: Session, runs_of_shapes: Mapping[int, int], most: int) -> list[tuple[str, str, int, int]]:
    """The datasets that most runs read or write: namespace, name, and how many read it and wrote it.

    The runs are counted by the shapes of their events.
    """
    counts = Given("shape int, runs int", list(runs_of_shapes.items()))
    rows = session.rows(_BUSIEST, counts, most=most)
    return [(namespace, name, int(reads), int(writes)) for namespace, name, reads, writes in rows]


def coverage(session: Session) -> tuple[int, int, int, int]:
    """How many datasets are in force, how many of these have column lineage; of their columns likewise."""
    statements = (_IN_FORCE, _COLUMNS_IN_FORCE, _COLUMNS_TRACED)
    datasets, traced, columns, columns_traced = (
        int(count) for statement in statements for count in session.rows(statement, now=session.now)[0]
    )
    # The rows of `field` are those of the last schemas, which may lie ahead.
    others = schemas_now(session, None)
    written = set(session.rows(_WRITTEN, ids(others), now=session.now))
    held = {dataset for dataset, _ in written}
    for dataset, field, path, listed in session.rows(_FIELDS, ids(held)):
        more = others[dataset].lists(path) - listed
        columns += more
        columns_traced += more if (dataset, field) in written else 0
    return datasets, traced, columns, columns_traced

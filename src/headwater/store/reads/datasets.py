"""Datasets: pages of a namespace, other names, and whether there is lineage on either side."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from headwater.store.db.codes import FOREVER, NOTHING, NOW, Kind, Role
from headwater.store.db.predicates import (
    dataset_of_field,
    in_force,
    in_last_schema,
    is_of_dataset,
    is_rename,
    not_ended,
    still_in_force,
)
from headwater.store.db.session import Given, Session, ids
from headwater.store.reads.visibility import NOT_HIDDEN

_PAGE = f"""
SELECT t.id FROM dataset t WHERE t.namespace = :namespace AND {NOT_HIDDEN[Kind.DATASET]}
ORDER BY t.name LIMIT :most OFFSET :offset
"""  # noqa: S608  our own words
_COUNT = f"SELECT count(*) FROM dataset t WHERE t.namespace = :namespace AND {NOT_HIDDEN[Kind.DATASET]}"  # noqa: S608  our own words
_ALIASES = f"""
SELECT dataset.namespace, dataset.name FROM alias {{join}} dataset ON dataset.id = alias.dataset
WHERE alias.physical = :dataset AND {in_force("alias", ":at")} AND alias.dataset <> :dataset
"""  # noqa: S608  our own words
_WITH_ALIASES = """
SELECT given.id FROM {given}
WHERE EXISTS (SELECT 1 FROM alias WHERE alias.dataset = given.id OR alias.physical = given.id)
"""
_LAST_WRITES = """
SELECT given.id, (SELECT max(version.us) FROM version WHERE version.dataset = given.id) FROM {given}
"""
# What goes into datasets now, and what they go into; a dataset that is made of itself leads nowhere.
_WITH_UPSTREAM = f"""
SELECT given.id FROM {{given}} WHERE EXISTS (
    SELECT 1 FROM slot {{join}} mapping ON mapping.id = slot.mapping
    WHERE slot.dataset = given.id AND {not_ended("slot", ":now")} AND (
        {is_rename("mapping")}
        OR EXISTS (
            SELECT 1 FROM edge
            WHERE edge.mapping = mapping.id AND {dataset_of_field("edge.in_field")} <> given.id
        )
    )
)
"""  # noqa: S608  our own words
_WITH_DOWNSTREAM = f"""
SELECT given.id FROM {{given}} WHERE EXISTS (
    SELECT 1 FROM edge
    {{join}} slot ON slot.mapping = edge.mapping AND {not_ended("slot", ":now")} AND slot.dataset <> given.id
    WHERE {is_of_dataset("edge.in_field", "given.id")}
) OR EXISTS (
    SELECT 1 FROM mapping {{join}} slot ON slot.mapping = mapping.id AND {not_ended("slot", ":now")}
    WHERE mapping.origin = given.id
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
FROM slot WHERE {still_in_force("slot", ":still")} AND slot.dataset > {NOTHING}
"""  # noqa: S608  our own words
_COLUMNS_IN_FORCE = f"""
SELECT count(*) FROM (SELECT DISTINCT slot.dataset FROM slot WHERE {still_in_force("slot", ":still")}) now
JOIN field ON field.dataset = now.dataset AND {in_last_schema("field")}
"""  # noqa: S608  our own words
_COLUMNS_TRACED = f"""
SELECT count(DISTINCT edge.out_field)
FROM (SELECT DISTINCT slot.mapping FROM slot WHERE {still_in_force("slot", ":still")} AND slot.mapping IS NOT NULL) now
JOIN edge ON edge.mapping = now.mapping
JOIN field ON field.id = edge.out_field AND {in_last_schema("field")}
"""  # noqa: S608  our own words


class UsedDataset(NamedTuple):
    """A dataset, and how many runs read it and wrote it."""

    namespace: str
    name: str
    reads: int
    writes: int


class CoverageRow(NamedTuple):
    """Of the datasets in force, how many have column lineage; of their columns likewise."""

    datasets: int
    datasets_traced: int
    columns: int
    columns_traced: int


def page_in_namespace(session: Session, namespace: str, most: int, offset: int) -> list[int]:
    """A page of the visible datasets of a namespace, by name."""
    return [key for (key,) in session.rows(_PAGE, namespace=namespace, most=most, offset=offset)]


def count_in_namespace(session: Session, namespace: str) -> int:
    """How many visible datasets a namespace has."""
    return int(session.rows(_COUNT, namespace=namespace)[0][0])


def aliases_of(session: Session, dataset: int, at: int) -> list[tuple[str, str]]:
    """The namespaces and names of the other names that stand for a dataset at a moment."""
    return [(namespace, name) for namespace, name in session.rows(_ALIASES, dataset=dataset, at=at)]


def last_writes(session: Session, datasets: Collection[int]) -> dict[int, int | None]:
    """When each dataset was last written."""
    return dict(session.rows(_LAST_WRITES, ids(datasets)))


def with_aliases(session: Session, datasets: Collection[int]) -> set[int]:
    """The datasets that ever had another name, or were one."""
    return {key for (key,) in session.rows(_WITH_ALIASES, ids(datasets))}


def with_upstream(session: Session, datasets: Collection[int]) -> set[int]:
    """The datasets whose columns other datasets feed now."""
    return {key for (key,) in session.rows(_WITH_UPSTREAM, ids(datasets), now=NOW)}


def with_downstream(session: Session, datasets: Collection[int]) -> set[int]:
    """The datasets whose columns feed other datasets now."""
    return {key for (key,) in session.rows(_WITH_DOWNSTREAM, ids(datasets), now=NOW)}


def busiest(session: Session, runs_of_shapes: Mapping[int, int], most: int) -> list[UsedDataset]:
    """The datasets that most runs read or write; the runs are counted by the shapes of their events."""
    counts = Given("shape int, runs int", list(runs_of_shapes.items()))
    rows = session.rows(_BUSIEST, counts, most=most)
    return [UsedDataset(namespace, name, int(reads), int(writes)) for namespace, name, reads, writes in rows]


def coverage(session: Session) -> CoverageRow:
    """How much of what is in force has column lineage."""
    ((datasets, datasets_traced),) = session.rows(_IN_FORCE, still=FOREVER)
    ((columns,),) = session.rows(_COLUMNS_IN_FORCE, still=FOREVER)
    ((columns_traced,),) = session.rows(_COLUMNS_TRACED, still=FOREVER)
    return CoverageRow(int(datasets), int(datasets_traced), int(columns), int(columns_traced))

"""Aspects as they came, kept in the store beside what was made of them: notes of datasets and jobs.

An aspect of a dataset or a job is the facet `datahub_<aspect>`; one of a field, or of anything else, has the URN after
an @.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from headwater.datahub.reading import Name
from headwater.openlineage.producer import PRODUCER
from headwater.store.keys import hash_of
from headwater.store.meaning import KEPT
from headwater.store.session import Given, Session

_URL = "urn:headwater:facet:datahub"
# The last event that carries each, up to a moment.
_NOTES = """
SELECT given.place, note.name, note.content,
       (SELECT max(event.us) FROM event WHERE event.shape = note.shape AND event.us <= :at)
FROM {{given}} {{join}} {table} ON {table}.key = given.key
{{join}} note ON note.kind = {kind} AND note.entity = {table}.id
"""
# Who was ever said to be made of a dataset: the dataset, and the job that says so, or none.
_READERS = """
SELECT DISTINCT written.namespace, written.name, job.namespace, job.name
FROM {given} {join} dataset ON dataset.key = given.key
{join} input ON input.dataset = dataset.id
{join} slot ON slot.inputs = input.inputs
{join} dataset written ON written.id = slot.dataset
LEFT JOIN job ON job.id = slot.job
"""


class Key(NamedTuple):
    """An aspect, and whose it is: of the dataset or job itself where `urn` is empty."""

    aspect: str
    urn: str = ""

    @property
    def facet(self) -> str:
        """The name of the facet that keeps it."""
        return f"{KEPT}{self.aspect}@{self.urn}" if self.urn else f"{KEPT}{self.aspect}"

    @classmethod
    def of_facet(cls, name: str) -> "Key":
        """The aspect that a facet keeps.

        >>> Key.of_facet("datahub_globalTags")
        Key(aspect='globalTags', urn='')
        """
        aspect, _, urn = name.removeprefix(KEPT).partition("@")
        return cls(aspect, urn)


def facet_of(value: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    """The facet that keeps an aspect; None is one that was deleted."""
    base = {"_producer": PRODUCER, "_schemaURL": _URL}
    return {**base, "_deleted": True} if value is None else {**base, "value": value}


def kept_aspects(session: Session, table: str, names: Collection[Name], at: int) -> dict[Name, dict[Key, Any]]:
    """What is kept of datasets or jobs, as of a moment."""
    listed = sorted(names)
    given = Given("place int, key bytes", [(place, hash_of(*name)) for place, name in enumerate(listed)])
    statement = _NOTES.format(table=table, kind=0 if table == "dataset" else 1)
    last: dict[tuple[int, str], tuple[int, str]] = {}
    for place, name, content, us in session.rows(statement, given, at=at):
        if us is not None and name.startswith(KEPT):
            last[place, name] = max(last.get((place, name), (us, content)), (us, content))
    found: dict[Name, dict[Key, Any]] = {}
    for (place, name), (_, content) in last.items():
        if content:
            found.setdefault(listed[place], {})[Key.of_facet(name)] = json.loads(content)["value"]
    return found


def readers_of(session: Session, names: Iterable[Name]) -> tuple[set[Name], set[Name]]:
    """The datasets and the jobs that were ever said to read some datasets."""
    rows = session.rows(_READERS, Given("key bytes", [(hash_of(*name),) for name in sorted(names)]))
    datasets = {(namespace, name) for namespace, name, job, _ in rows if job is None}
    return datasets, {(namespace, name) for _, _, namespace, name in rows if namespace is not None}


def without_urns(kept: Mapping[Key, Any]) -> dict[str, Any]:
    """The aspects of the thing itself."""
    return {key.aspect: value for key, value in kept.items() if not key.urn}

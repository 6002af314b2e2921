"""Node ids: `dataset:namespace:name`, `datasetField:namespace:name:field`, `job:namespace:name`, and their versions.

Names may contain colons and hashes, so a text alone does not say where one ends. Every split is compared with the
names in the store: that is exact for `arn:aws:glue:…` and for `s3://bucket:2024/x`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from headwater.openlineage.model.limits import LONGEST_NAME
from headwater.query.graph.answer import FieldName, TableName
from headwater.query.lineage.versions import Version, find_version
from headwater.query.search.resolve import DatasetName, JobName, UnknownName, find_column
from headwater.server.http.errors import ApiError
from headwater.server.marquez.entities.lookups import Entity, datasets_named, jobs_named, visible
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session

FORMS = "dataset:namespace:name, datasetField:namespace:name:field, job:namespace:name or run:uuid"
_KINDS = ("datasetField", "dataset", "job", "run")
# Every colon may be the one that ends a name: a field's id is tried with each two of them.
_COLONS, _COLONS_OF_FIELD = 2_000, 100
_LONGEST = 3 * LONGEST_NAME + 100
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


class DatasetNode(NamedTuple):
    """A dataset or one of its fields, or those of a version of it."""

    dataset: DatasetName
    field: int | None = None
    version: Version | None = None


class JobNode(NamedTuple):
    """A job, or the UUID of a version of it."""

    job: JobName
    version: str | None = None


def dataset_id(name: TableName, version: str | None = None) -> str:
    """The id of a dataset's node.

    >>> dataset_id(TableName("ns", "orders"), "v")
    'dataset:ns:orders#v'
    """
    return f"dataset:{name.namespace}:{name.name}" + (f"#{version}" if version else "")


def job_id(name: TableName) -> str:
    """The id of a job's node."""
    return f"job:{name.namespace}:{name.name}"


def field_id(field: FieldName) -> str:
    """The id of a field's node, of a version where it has one."""
    version = f"#{field.version}" if field.version else ""
    return f"datasetField:{field.namespace}:{field.name}:{field.field}{version}"


def kind_and_rest(text: str) -> tuple[str, str]:
    """The kind of a node id, and all that follows.

    >>> kind_and_rest("job:ns:daily")
    ('job', 'ns:daily')
    """
    kind, colon, rest = text.partition(":")
    if kind not in _KINDS or not colon or not rest:
        raise malformed(text)
    if len(text) > _LONGEST:
        raise ApiError(400, f"nodeId: has {len(text):,} characters; the limit is {_LONGEST:,}")
    most = _COLONS_OF_FIELD if kind == "datasetField" else _COLONS
    if rest.count(":") > most:
        raise ApiError(400, f"nodeId: has more than {most:,} colons")
    return kind, rest


def malformed(text: str) -> ApiError:
    """The refusal of a text that is not a node id."""
    return ApiError(400, f"nodeId: {text[:200]!r} must be one of {FORMS}")


def find_dataset(session: Session, text: str, rest: str) -> DatasetNode:
    """A dataset's node, or that of a version."""
    if ":" not in rest:
        raise malformed(text)
    exact = _only(text, visible(session, Kind.DATASET, datasets_named(session, splits(rest))))
    if exact is not None:
        return DatasetNode(exact)
    for name, version in with_version(rest):
        # A version stays, even of a dataset that is deleted now.
        dataset = _only(text, datasets_named(session, splits(name)))
        if dataset is not None:
            return DatasetNode(dataset, version=find_version(session, dataset, version))
    raise ApiError(404, f"Dataset '{name_in(rest)}' not found.")


def find_field(session: Session, text: str, rest: str) -> DatasetNode:
    """A field's node, or that of a version."""
    if rest.count(":") < 2:  # noqa: PLR2004  namespace, name, field
        raise malformed(text)
    candidates: list[tuple[str, str | None]] = [(rest, None), *with_version(rest)]
    for name, version in candidates:
        for dataset, column in _field_splits(session, name, hidden=version is not None):
            field = find_column(session, dataset, column)
            if field is None:
                continue
            try:
                return DatasetNode(dataset, field, find_version(session, dataset, version) if version else None)
            except UnknownName:
                continue  # the next split may fit
    raise ApiError(404, "Could not find node")


def find_job(session: Session, text: str, rest: str) -> JobNode:
    """A job's node, or that of a version."""
    if ":" not in rest:
        raise malformed(text)
    versions = [(name, version.lower()) for name, version in with_version(rest) if _UUID.fullmatch(version)]
    for name, version in ((rest, None), *versions):
        job = _only(text, visible(session, Kind.JOB, jobs_named(session, splits(name))))
        if job is not None:
            return JobNode(job, version)
    raise ApiError(404, f"Job '{name_in(rest)}' not found.")


def splits(text: str) -> list[TableName]:
    """Every way in which a text may be a namespace and a name.

    >>> [(name.namespace, name.name) for name in splits("s3://b:x")]
    [('s3', '//b:x'), ('s3://b', 'x')]
    """
    places = [place for place, letter in enumerate(text) if letter == ":"]
    return [TableName(text[:place], text[place + 1 :]) for place in places if place and place + 1 < len(text)]


def with_version(text: str) -> list[tuple[str, str]]:
    """Every way in which a text may be a name and a version: behind the last hash, else behind the last colon.

    >>> with_version("ns:orders#7")
    [('ns:orders', '7'), ('ns', 'orders#7')]
    """
    parts = [text.rpartition(mark) for mark in ("#", ":")]
    return [(name, version) for name, mark, version in parts if mark and name and version]


def names_version(text: str) -> bool:
    """Whether a text ends with the UUID of a version.

    >>> names_version("ns:orders#6e7c99e8-5e30-4edc-9062-e2c4b0621758"), names_version("ns:orders#7")
    (True, False)
    """
    return any(_UUID.fullmatch(version) for _, version in with_version(text))


def name_in(rest: str) -> str:
    """The name that is meant, for a message: what follows the namespace as Marquez finds it.

    >>> name_in("gs://bucket:/path/to/data"), name_in("ns:orders")
    ('/path/to/data', 'orders')
    """
    return re.split(r":(?!//|\d)", rest, maxsplit=1)[-1]


def _field_splits(session: Session, text: str, *, hidden: bool) -> Iterator[tuple[DatasetName, str]]:
    """The datasets that a text may begin with, and the fields that then remain; plain field names come first."""
    places = [place for place, letter in enumerate(text) if letter == ":"][1:]
    for group in (places[-1:], places[-2::-1]):
        by_name: dict[TableName, list[str]] = {}
        for place in group:
            for name in splits(text[:place]):
                by_name.setdefault(name, []).append(text[place + 1 :])
        named = datasets_named(session, by_name)
        for dataset, name in named if hidden else visible(session, Kind.DATASET, named):
            for column in by_name[name]:
                if column:
                    yield dataset, column


def _only(text: str, matches: list[tuple[Entity, TableName]]) -> Entity | None:
    if len({entity.id for entity, _ in matches}) > 1:
        names = " and ".join(f"{name.name!r} in {name.namespace!r}" for name in sorted(name for _, name in matches))
        raise ApiError(400, f"nodeId: {text[:200]!r} is ambiguous: {names}")
    return matches[0][0] if matches else None

"""Which columns the schemas of datasets listed in a span of the history.

A dataset that was not heard of by the end of the span had none. Of one that was, but without a schema, nothing is
known: its last schema stands in, which may list a column too many.
"""

from collections.abc import Collection, Iterable

from headwater.query.graph.intervals import Span
from headwater.store.db.codes import NOW
from headwater.store.db.session import Session
from headwater.store.entities.fields import schema_contents, schemas_by
from headwater.store.reads.fields import (
    field_keys,
    field_paths,
    first_mentioned_later,
    last_schemas,
    schemas_between,
)


def listed(session: Session, datasets: Collection[int], span: Span) -> dict[int, set[int]]:
    """The fields that the schemas of datasets listed; of structs also what is around and in them."""
    fields: dict[int, set[int]] = {dataset: set() for dataset in datasets}
    if span.until == session.now and (span.one_moment or span.contents):
        _add(fields, field_keys(session, datasets, listed=True))
        return fields
    schemas = _schemas_in(session, datasets, span)
    lasts = last_schemas(session, datasets)
    without = [dataset for dataset in datasets if not schemas.get(dataset)]
    by_last = {dataset for dataset, keys in schemas.items() if keys == {lasts[dataset]}}
    by_last |= set(without) - not_yet(session, without, span)
    _add(fields, field_keys(session, by_last, listed=True))
    earlier = {dataset: keys for dataset, keys in schemas.items() if dataset not in by_last}
    contents = schema_contents(session, {key for keys in earlier.values() for key in keys})
    paths = {dataset: {path for key in keys for path, *_ in contents[key]} for dataset, keys in earlier.items()}
    _add(fields, ((row.dataset, row.id) for row in field_paths(session, earlier) if row.path in paths[row.dataset]))
    return fields


def not_yet(session: Session, datasets: Collection[int], span: Span) -> set[int]:
    """Which datasets nobody had heard of by the end of the span, but did later."""
    return set() if span.until == NOW else first_mentioned_later(session, datasets, span.until)


def _schemas_in(session: Session, datasets: Collection[int], span: Span) -> dict[int, set[int]]:
    """The schemas that datasets had at any moment of the span."""
    since = span.until if span.contents else span.since
    in_span = {dataset: {schemas[-1]} for dataset, schemas in schemas_by(session, datasets, since).items()}
    if since < span.until:
        _add(in_span, schemas_between(session, datasets, since, span.until))
    return in_span


def _add(sets: dict[int, set[int]], rows: Iterable[tuple[int, int]]) -> None:
    for dataset, key in rows:
        sets.setdefault(dataset, set()).add(key)

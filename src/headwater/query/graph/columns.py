"""Which columns the schemas of datasets listed in a span of the history.

A dataset that was not heard of by the end of the span had none. Of one that was, but without a schema, nothing is
known: its last schema stands in, which may list a column too many.
"""

from collections.abc import Collection, Iterable

from headwater.query.graph.intervals import NOW, Span
from headwater.store.db.predicates import in_last_schema
from headwater.store.db.session import Session, ids
from headwater.store.entities.fields import schema_contents, schemas_by

_LISTED_NOW = f"""
SELECT given.id, field.id FROM {{given}} {{join}} field ON field.dataset = given.id AND {in_last_schema("field")}
"""  # noqa: S608  our own words
_LAST = "SELECT dataset.id, dataset.schema FROM {given} {join} dataset ON dataset.id = given.id"
_PATHS = "SELECT field.dataset, field.path, field.id FROM {given} {join} field ON field.dataset = given.id"
_IN_WINDOW = """
SELECT mention.dataset, mention.schema FROM {given}
{join} mention ON mention.dataset = given.id AND mention.schema IS NOT NULL
WHERE EXISTS (
    SELECT 1 FROM event WHERE event.shape = mention.shape AND event.us > :since AND event.us <= :until
)
"""
# What is only named in lineage is mentioned by no event: when it began is not known.
_NOT_YET = """
SELECT given.id FROM {given}
WHERE EXISTS (SELECT 1 FROM mention WHERE mention.dataset = given.id)
AND NOT EXISTS (
    SELECT 1 FROM mention {join} event ON event.shape = mention.shape AND event.us <= :until
    WHERE mention.dataset = given.id
)
AND NOT EXISTS (SELECT 1 FROM version WHERE version.dataset = given.id AND version.us <= :until)
"""


def listed(session: Session, datasets: Collection[int], span: Span) -> dict[int, set[int]]:
    """The fields that the schemas of datasets listed; of structs also what is around and in them."""
    found: dict[int, set[int]] = {dataset: set() for dataset in datasets}
    if span.until == NOW and (span.one_moment or span.contents):
        _add(found, session.rows(_LISTED_NOW, ids(datasets)))
        return found
    held = _held(session, datasets, span)
    lasts: dict[int, int | None] = dict(session.rows(_LAST, ids(datasets)))
    without = [dataset for dataset in datasets if not held.get(dataset)]
    by_last = {dataset for dataset, schemas in held.items() if schemas == {lasts[dataset]}}
    by_last |= set(without) - not_yet(session, without, span)
    _add(found, session.rows(_LISTED_NOW, ids(by_last)))
    others = {dataset: schemas for dataset, schemas in held.items() if dataset not in by_last}
    contents = schema_contents(session, {schema for schemas in others.values() for schema in schemas})
    paths = {dataset: {path for key in schemas for path, *_ in contents[key]} for dataset, schemas in others.items()}
    for dataset, path, field in session.rows(_PATHS, ids(others)):
        if path in paths[dataset]:
            found[dataset].add(field)
    return found


def not_yet(session: Session, datasets: Collection[int], span: Span) -> set[int]:
    """Which datasets nobody had heard of by the end of the span, but did later."""
    if span.until == NOW or not datasets:
        return set()
    return {dataset for (dataset,) in session.rows(_NOT_YET, ids(datasets), until=span.until)}


def _held(session: Session, datasets: Collection[int], span: Span) -> dict[int, set[int]]:
    """The schemas that held at any moment of the span."""
    since = span.until if span.contents else span.since
    held = {dataset: {schemas[-1]} for dataset, schemas in schemas_by(session, datasets, since).items()}
    if since < span.until:
        for dataset, schema in session.rows(_IN_WINDOW, ids(datasets), since=since, until=span.until):
            held.setdefault(dataset, set()).add(schema)
    return held


def _add(found: dict[int, set[int]], rows: Iterable[tuple[int, int]]) -> None:
    for dataset, field in rows:
        found[dataset].add(field)

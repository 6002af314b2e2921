"""The texts of facts without what is purged: names, descriptions, schemas, and what people said by hand."""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from headwater.store.db.codes import Kind, NoteKind
from headwater.store.db.session import Row, Session, ids
from headwater.store.entities.keys import hash_of, rows_of
from headwater.store.entities.search_terms import (
    Entry,
    add_terms,
    description_entry,
    field_entry,
    name_entry,
    note_entries,
)
from headwater.store.entities.shapes import NOTE_KINDS
from headwater.store.model.compression import packed, unpacked
from headwater.store.model.meaning import Name
from headwater.store.model.order import canonical
from headwater.store.model.short_names import tail_of

Clean: TypeAlias = Callable[[str], str]
"""A text without what is purged."""


class Cleaner(NamedTuple):
    """What is purged, taken from texts, from names, and from facets and schemas as JSON."""

    text: Clean
    name: Clean
    json: Callable[[Any], Any]


_BATCH = 10_000
_NAME_ANEW = """
INSERT INTO named (run, role, dataset, us, stamp, version)
SELECT run, role, :other, us, stamp, version FROM named WHERE dataset = :id
ON CONFLICT (run, role, dataset, us) DO NOTHING
"""
# What says that a dataset or a job is there, once the events that named it are written again.
_REFERRING = {
    Kind.DATASET: (
        "SELECT 1 FROM mention WHERE dataset = :id OR renamed = :id",
        "SELECT 1 FROM symlink WHERE alias = :id OR physical = :id",
        "SELECT 1 FROM made_of WHERE dataset = :id OR source = :id",
    ),
    Kind.JOB: ("SELECT 1 FROM shape WHERE job = :id", "SELECT 1 FROM made_of WHERE job = :id"),
}


def clean_facts(session: Session, clean: Cleaner) -> None:
    """Clean names and texts where no raw event is left to write them again from."""
    columns: tuple[str, ...] = ("mapping", "out_field", "ordinal")
    for *key, stored in list(_rows_with_text(session, "edge", ", ".join(columns), "description", clean.text)):
        _update(session, "edge", dict(zip(columns, key, strict=True)), "description", clean.text(stored))
    columns = ("kind", "entity", "name", "shape")
    for *key, stored in session.rows(f"SELECT {', '.join(columns)}, content FROM note"):  # noqa: S608  our own words
        # Of an aspect of DataHub it is a hash, of what was deleted nothing.
        content = canonical(clean.json(json.loads(stored))).decode() if stored.startswith("{") else stored
        if content != stored:
            _update(session, "note", dict(zip(columns, key, strict=True)), "content", content)
    for key, content in session.rows("SELECT id, content FROM schema"):
        fields = json.loads(unpacked(content))
        cleaned = clean.json(fields)
        if cleaned != fields:
            session.run("UPDATE schema SET content = :c WHERE id = :id", c=packed(canonical(cleaned)), id=key)
    _clean_names(session, clean.name)
    for run, role, dataset, us, version in list(
        _rows_with_text(session, "named", "run, role, dataset, us", "version", clean.text)
    ):
        _update(
            session, "named", {"run": run, "role": role, "dataset": dataset, "us": us}, "version", clean.text(version)
        )
    _clean_by_hand(session, clean.text)


def _clean_names(session: Session, clean: Clean) -> None:
    for table in ("dataset", "job"):
        for key, namespace, name in session.rows(f"SELECT id, namespace, name FROM {table}"):  # noqa: S608  our own words
            cleaned = clean(namespace), clean(name)
            if cleaned != (namespace, name):
                _rename(session, table, key, cleaned)
    for key, stored in list(_rows_with_text(session, "field", "id", "path", clean)):
        session.run(
            "UPDATE field SET path = :path, key = :hash WHERE id = :id",
            path=f"{clean(stored)} {key}".replace(".", "_"),
            hash=hash_of("purged", key),
            id=key,
        )


def _update(session: Session, table: str, key: Mapping[str, object], column: str, value: str) -> None:
    where = " AND ".join(f"{name} = :{name}" for name in key)
    session.run(f"UPDATE {table} SET {column} = :now WHERE {where}", now=value, **key)  # noqa: S608  our own words


def forget_words(session: Session, is_purged: Callable[[str], bool]) -> None:
    """Remove words of the search."""
    removed = [key for key, word in session.rows("SELECT id, word FROM term") if is_purged(word)]
    session.run("DELETE FROM term_use WHERE term IN (SELECT id FROM {given})", ids(removed))
    drop_terms(session)


def index_words(session: Session) -> None:
    """Write all words of the search again, from the names and the texts that there are."""
    session.run("DELETE FROM term_use")
    entries = _entries(session)
    while batch := list(islice(entries, _BATCH)):
        add_terms(session, batch)
    drop_terms(session)


def _entries(session: Session) -> Iterator[Entry]:
    for kind, table in ((Kind.DATASET, "dataset"), (Kind.JOB, "job")):
        for row in session.rows(f"SELECT id, namespace, name FROM {table}"):  # noqa: S608  our own words
            yield name_entry(kind, *row)
    fields: dict[tuple[int, str], int] = {}
    for key, dataset, path in session.rows("SELECT id, dataset, path FROM field"):
        fields[dataset, path] = key
        yield field_entry(key, path)
    for kind, entity, name, content in session.rows("SELECT DISTINCT kind, entity, name, content FROM note"):
        yield from note_entries(NOTE_KINDS[kind], entity, name, content)
    statement = "SELECT DISTINCT mention.dataset, mention.schema, schema.content FROM mention"
    for dataset, _, content in session.rows(f"{statement} JOIN schema ON schema.id = mention.schema"):
        for path, _, text in json.loads(unpacked(content)):
            if text and (dataset, path) in fields:
                yield description_entry(fields[dataset, path], text)


def _rename(session: Session, table: str, key: int, name: Name) -> None:
    """Give a dataset or a job the name without what is purged.

    Where events that were written again have that name already, what else is known of it goes to that one.
    """
    kind = Kind.DATASET if table == "dataset" else Kind.JOB
    session.run("DELETE FROM term_use WHERE kind = :kind AND entity = :id", kind=int(kind), id=key)
    there = session.rows(f"SELECT id FROM {table} WHERE key = :key", key=hash_of(*name))  # noqa: S608  our own words
    if there:
        ((other,),) = there
        if kind is Kind.JOB:
            session.run("UPDATE run SET job = :other WHERE job = :id", other=other, id=key)
        else:
            session.run(_NAME_ANEW, other=other, id=key)
            session.run("DELETE FROM named WHERE dataset = :id", id=key)
        if not any(session.rows(f"{statement} LIMIT 1", id=key) for statement in _REFERRING[kind]):
            drop_dataset(session, key) if kind is Kind.DATASET else _drop_job(session, key)
            return
        # What no raw event is left of keeps a name of its own.
        name = (name[0], f"{name[1]} {key}")
    session.run(
        f"UPDATE {table} SET namespace = :namespace, name = :name, key = :key, tail = :tail WHERE id = :id",  # noqa: S608  our own words
        namespace=name[0],
        name=name[1],
        key=hash_of(*name),
        tail=tail_of(name[1]),
        id=key,
    )


def _drop_job(session: Session, job: int) -> None:
    for table in ("hidden", "tagged"):
        session.run(f"DELETE FROM {table} WHERE kind = {Kind.JOB} AND entity = :id", id=job)  # noqa: S608  our own words
    session.run("DELETE FROM job WHERE id = :id", id=job)


def _clean_by_hand(session: Session, clean: Clean) -> None:
    """Clean what people said by hand; what holds something in its name goes as a whole."""
    for table in ("tag", "namespace", "source"):
        removed = [key for key, _ in _rows_with_text(session, table, "id", "name", clean)]
        session.run(f"DELETE FROM {table} WHERE id IN (SELECT id FROM {{given}})", ids(removed))  # noqa: S608  our own words
    for key, _ in list(_rows_with_text(session, "tagged", "key", "tag", clean)):
        session.run("DELETE FROM tagged WHERE key = :key", key=key)
    for table, column in (
        ("tag", "description"),
        ("namespace", "description"),
        ("namespace", "owner"),
        ("source", "description"),
        ("source", "url"),
    ):
        for key, content in list(_rows_with_text(session, table, "id", column, clean)):
            session.run(
                f"UPDATE {table} SET {column} = :clean WHERE id = :id",  # noqa: S608  our own words
                clean=clean(content),
                id=key,
            )


def _rows_with_text(session: Session, table: str, columns: str, value: str, clean: Clean) -> Iterator[Row]:
    """Rows one of whose texts holds what is purged; compared here, since databases fold case in their own ways."""
    for row in session.rows(f"SELECT {columns}, {value} FROM {table}"):  # noqa: S608  our own words
        if row[-1] and clean(row[-1]) != row[-1]:
            yield row


def without_texts(value: Any, clean: Clean) -> Any:  # noqa: ANN401  JSON
    """A JSON value whose texts and keys are cleaned.

    >>> without_texts({"jane": ["jane", 1]}, lambda text: text.replace("jane", "?"))
    {'?': ['?', 1]}
    """
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [without_texts(item, clean) for item in value]
    if isinstance(value, Mapping):
        return {clean(key): without_texts(item, clean) for key, item in value.items()}
    return value


def drop_terms(session: Session) -> None:
    """Remove the words of the search that nothing uses."""
    session.run("DELETE FROM term WHERE NOT EXISTS (SELECT 1 FROM term_use WHERE term_use.term = term.id)")
    session.run("DELETE FROM gram WHERE NOT EXISTS (SELECT 1 FROM term WHERE term.id = gram.term)")


def drop_dataset(session: Session, dataset: int) -> None:
    """Remove a dataset, its fields and all facts about them."""
    span = {"first": rows_of(dataset), "end": rows_of(dataset + 1)}
    session.run("DELETE FROM edge WHERE in_field >= :first AND in_field < :end", **span)
    session.run("DELETE FROM kin WHERE field >= :first AND field < :end", **span)
    session.run(f"DELETE FROM term_use WHERE kind = {Kind.FIELD} AND entity >= :first AND entity < :end", **span)  # noqa: S608  our own words
    session.run(f"DELETE FROM tagged WHERE kind = {Kind.FIELD} AND entity >= :first AND entity < :end", **span)  # noqa: S608  our own words
    session.run("DELETE FROM field WHERE dataset = :dataset", dataset=dataset)
    session.run(f"DELETE FROM term_use WHERE kind = {Kind.DATASET} AND entity = :dataset", dataset=dataset)  # noqa: S608  our own words
    for table, column in (
        ("edge", "mapping IN (SELECT id FROM mapping WHERE dataset = :dataset OR origin = :dataset)"),
        ("mapping", "(dataset = :dataset OR origin = :dataset)"),
        ("mention", "dataset = :dataset"),
        ("symlink", "(alias = :dataset OR physical = :dataset)"),
        ("note", f"kind = {NoteKind.DATASET} AND entity = :dataset"),
        ("named", "dataset = :dataset"),
        ("hidden", f"kind = {Kind.DATASET} AND entity = :dataset"),
        ("tagged", f"kind = {Kind.DATASET} AND entity = :dataset"),
        ("dataset", "id = :dataset"),
    ):
        session.run(f"DELETE FROM {table} WHERE {column}", dataset=dataset)  # noqa: S608  our own words
    session.run("UPDATE mention SET renamed = NULL WHERE renamed = :dataset", dataset=dataset)

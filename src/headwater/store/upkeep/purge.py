"""A hard purge: a dataset, or a text such as a person's name, goes from everything that is stored, raw events included.

Events that held it are written again without it, under the hash that they came with: should one arrive again, it is
known, and not stored a second time.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from headwater.openlineage.model.event import BadEvent, EventType
from headwater.openlineage.model.parse import parse_event
from headwater.store.db.codes import FOREVER, NO_SHAPE, Kind, NoteKind
from headwater.store.db.predicates import raw_kept
from headwater.store.db.session import Row, Session, ids
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.keys import Keys, find_or_add, hash_of, rows_of
from headwater.store.entities.raw_events import as_received
from headwater.store.entities.shapes import Shapes
from headwater.store.model.compression import packed, unpacked
from headwater.store.model.event_parts import split
from headwater.store.model.meaning import Meaning, Name, meaning_of
from headwater.store.model.order import canonical, digest, stamp
from headwater.store.upkeep.rebuild import rebuild
from headwater.store.upkeep.retention import forget
from headwater.store.upkeep.sweep import sweep

PURGED = "[purged]"
_BATCH = 1_000
_EVENTS = f"""
SELECT event.hash, event.us, event.type, body.content, event.rest
FROM event JOIN body ON body.id = event.body
WHERE event.us >= :since AND (event.us > :since OR event.hash > :last) AND {raw_kept("event")}
ORDER BY event.us, event.hash LIMIT :most
"""  # noqa: S608  our own words
_FORGET = f"UPDATE event SET body = NULL, rest = NULL, shape = {NO_SHAPE} WHERE us = :us AND hash = :hash"  # noqa: S608  our own words
_NOTHING: dict[str, Any] = {}


def purge_dataset(session: Session, cache: Cache, name: Name) -> int:
    """Remove a dataset; returns how many events named it."""
    return _purge(session, cache, lambda event: _without_dataset(event, name), lambda: _drop_dataset(session, name))


def purge_text(session: Session, cache: Cache, text: str) -> int:
    """Remove a text wherever it stands; returns how many events held it."""
    if not text.strip():
        raise ValueError("The text to purge is empty")
    return _purge(session, cache, lambda event: _without_text(event, text), lambda: _drop_text(session, text))


def _purge(
    session: Session, cache: Cache, change: Callable[[dict[str, Any]], dict[str, Any] | None], drop: Callable[[], None]
) -> int:
    session.alone()
    cache.clear()
    changed = 0
    since, last = -FOREVER, b""
    while rows := session.rows(_EVENTS, since=since, last=last, most=_BATCH):
        for hashed, us, kind, body, rest in rows:
            if (event := change(as_received(body, rest))) is not None:
                stamped = stamp(us, EventType(kind).rank, bytes(hashed))
                _write_again(session, cache, {"us": us, "hash": bytes(hashed)}, stamped, event)
                changed += 1
        since, last = rows[-1][1], bytes(rows[-1][0])
    cache.clear()
    drop()
    sweep(session)
    forget(session)
    rebuild(session, cache)
    return changed


def _write_again(
    session: Session, cache: Cache, selected: Mapping[str, Any], stamped: bytes, event: dict[str, Any]
) -> None:
    try:
        meaning: Meaning | None = meaning_of(parse_event(event))
    except BadEvent:
        meaning = None  # nothing that can stand alone is left of it
    if meaning is None:
        session.run(_FORGET, **selected)
        return
    Shapes(Keys(session, cache)).resolve([(meaning, stamped)])
    parts = split(event)
    body = canonical(parts.body)
    row: dict[bytes, Row] = {digest(body): (digest(body), packed(body))}
    key = find_or_add(session, "body", "hash, content", row)[0][digest(body)]
    session.run(
        "UPDATE event SET body = :body, rest = :rest, shape = :shape WHERE us = :us AND hash = :hash",
        body=key,
        rest=packed(canonical(parts.rest)),
        shape=cache.shapes[meaning.hash].id,
        **selected,
    )


def _without_dataset(event: dict[str, Any], name: Name) -> dict[str, Any] | None:
    """The event without a dataset, or None where it does not name it."""
    is_named = False

    def walk(value: Any) -> Any:  # noqa: ANN401  JSON
        nonlocal is_named
        if isinstance(value, list):
            items = []
            for item in value:
                if _names(item, name):
                    is_named = True
                else:
                    items.append(walk(item))
            return items
        if isinstance(value, Mapping):
            members = {}
            for key, item in value.items():
                if key not in ("job", "root") and _names(item, name):
                    is_named = True
                else:
                    members[key] = walk(item)
            return members
        return value

    changed = walk(event)
    return changed if is_named else None


def _names(value: object, name: Name) -> bool:
    return isinstance(value, Mapping) and (value.get("namespace"), value.get("name")) == name


def _without_text(event: dict[str, Any], text: str) -> dict[str, Any] | None:
    """The event without a text, upper and lower case alike, or None where it does not hold it."""
    needle = text.casefold()

    def clean(value: str) -> str:
        folded = value.casefold()
        if needle not in folded:
            return value
        if len(folded) != len(value):  # folding has moved the places: the whole goes
            return PURGED
        parts, at = [], 0
        while (place := folded.find(needle, at)) >= 0:
            parts += [value[at:place], PURGED]
            at = place + len(needle)
        return "".join([*parts, value[at:]])

    def walk(value: Any) -> Any:  # noqa: ANN401  JSON
        if isinstance(value, str):
            return clean(value)
        if isinstance(value, list):
            return [walk(item) for item in value]
        if isinstance(value, Mapping):
            return {clean(key): walk(item) for key, item in value.items()}
        return value

    changed: dict[str, Any] = walk(event)
    return changed if changed != event else None


def _drop_dataset(session: Session, name: Name) -> None:
    rows = session.rows("SELECT id FROM dataset WHERE key = :key", key=hash_of(*name))
    for (dataset,) in rows:
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
    _drop_terms(session)


def _drop_text(session: Session, text: str) -> None:
    """Remove names, texts and words that hold the text, where no raw event is left to write them again from."""
    folded = text.casefold()
    for table, columns in (("edge", "mapping, out_field, ordinal"), ("note", "kind, entity, name, shape")):
        value = "description" if table == "edge" else "content"
        for *key, stored in list(_rows_with_text(session, table, columns, value, folded)):
            where = " AND ".join(f"{name.strip()} = :k{place}" for place, name in enumerate(columns.split(",")))
            session.run(
                f"UPDATE {table} SET {value} = :clean WHERE {where}",  # noqa: S608  our own words
                clean=_cleaned(stored, text),
                **{f"k{place}": part for place, part in enumerate(key)},
            )
    for key, content in session.rows("SELECT id, content FROM schema"):
        fields = json.loads(unpacked(content))
        if folded in json.dumps(fields, ensure_ascii=False).casefold():
            clean = _without_text({"fields": fields}, text) or _NOTHING
            session.run("UPDATE schema SET content = :c WHERE id = :id", c=packed(canonical(clean["fields"])), id=key)
    for table, column in (("dataset", "name"), ("dataset", "namespace"), ("job", "name"), ("job", "namespace")):
        for key, stored in list(_rows_with_text(session, table, "id", column, folded)):
            unique = f"{_cleaned(stored, text)} {key}"
            session.run(
                f"UPDATE {table} SET {column} = :name, key = :hash WHERE id = :id",  # noqa: S608  our own words
                name=unique,
                hash=hash_of(table, unique),
                id=key,
            )
    for key, stored in list(_rows_with_text(session, "field", "id", "path", folded)):
        session.run(
            "UPDATE field SET path = :path, key = :hash WHERE id = :id",
            path=f"{_cleaned(stored, text)} {key}".replace(".", "_"),
            hash=hash_of("purged", key),
            id=key,
        )
    for run, role, dataset, us, _ in list(
        _rows_with_text(session, "named", "run, role, dataset, us", "version", folded)
    ):
        session.run(
            "DELETE FROM named WHERE run = :run AND role = :role AND dataset = :dataset AND us = :us",
            run=run,
            role=role,
            dataset=dataset,
            us=us,
        )
    _drop_text_by_hand(session, text)
    parts = {part for part in folded.split() if part}
    removed = [key for key, word in session.rows("SELECT id, word FROM term") if word in parts or folded in word]
    session.run("DELETE FROM term_use WHERE term IN (SELECT id FROM {given})", ids(removed))
    _drop_terms(session)


def _drop_text_by_hand(session: Session, text: str) -> None:
    """Remove the text from what people said by hand; what has it in its name goes as a whole."""
    folded = text.casefold()
    for table in ("tag", "namespace", "source"):
        removed = [key for key, _ in _rows_with_text(session, table, "id", "name", folded)]
        session.run(f"DELETE FROM {table} WHERE id IN (SELECT id FROM {{given}})", ids(removed))  # noqa: S608  our own words
    for key, _ in list(_rows_with_text(session, "tagged", "key", "tag", folded)):
        session.run("DELETE FROM tagged WHERE key = :key", key=key)
    for table, column in (
        ("tag", "description"),
        ("namespace", "description"),
        ("namespace", "owner"),
        ("source", "description"),
        ("source", "url"),
    ):
        for key, content in list(_rows_with_text(session, table, "id", column, folded)):
            session.run(
                f"UPDATE {table} SET {column} = :clean WHERE id = :id",  # noqa: S608  our own words
                clean=_cleaned(content, text),
                id=key,
            )


def _rows_with_text(session: Session, table: str, columns: str, value: str, folded: str) -> Iterator[Row]:
    """Rows one of whose texts holds what is wanted; compared here, since databases fold case in their own ways."""
    for row in session.rows(f"SELECT {columns}, {value} FROM {table}"):  # noqa: S608  our own words
        if folded in (row[-1] or "").casefold():
            yield row


def _cleaned(content: str, text: str) -> str:
    clean = _without_text({"held": content}, text)
    return str(clean["held"]) if clean else content


def _drop_terms(session: Session) -> None:
    session.run("DELETE FROM term WHERE NOT EXISTS (SELECT 1 FROM term_use WHERE term_use.term = term.id)")
    session.run("DELETE FROM gram WHERE NOT EXISTS (SELECT 1 FROM term WHERE term.id = gram.term)")

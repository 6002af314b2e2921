"""A hard purge: a dataset, secrets, or a text such as a person's name go from all that is stored, raw events included.

Events that held it are written again without it, under the hash that they came with: should one arrive again, it is
known, and not stored a second time.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus

from headwater.common.redaction.text import redact, redact_name
from headwater.openlineage.model.event import BadEvent, EventType
from headwater.openlineage.model.parse import parse_event
from headwater.openlineage.model.redaction import redacted
from headwater.store.db.codes import FOREVER, NO_SHAPE
from headwater.store.db.predicates import raw_kept
from headwater.store.db.session import Row, Session
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.keys import Keys, find_or_add, hash_of
from headwater.store.entities.raw_events import as_received, put_together
from headwater.store.entities.shapes import Shapes
from headwater.store.ingest.redaction import with_received, without_secrets
from headwater.store.model.compression import packed, unpacked
from headwater.store.model.event_parts import RECEIVED, Parts, join, split
from headwater.store.model.meaning import Meaning, Name, meaning_of
from headwater.store.model.order import digest, hearsay, stamp
from headwater.store.upkeep.fact_texts import (
    Clean,
    Cleaner,
    clean_facts,
    drop_dataset,
    drop_terms,
    forget_words,
    index_words,
    without_texts,
)
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
_THERE = "SELECT 1 FROM event WHERE us = :us AND hash = :hash"
_FORGET = f"UPDATE event SET body = NULL, rest = NULL, shape = {NO_SHAPE} WHERE us = :us AND hash = :hash"  # noqa: S608  our own words


def purge_dataset(session: Session, cache: Cache, name: Name) -> int:
    """Remove a dataset; returns how many events named it."""
    return _purge(session, cache, lambda event: _without_dataset(event, name), lambda: _drop_dataset(session, name))


def purge_text(session: Session, cache: Cache, text: str) -> int:
    """Remove a text wherever it stands; returns how many events held it."""
    if not text.strip():
        raise ValueError("The text to purge is empty")
    clean = _cleaner(text)
    folded = text.casefold()
    parts = set(folded.split())

    def drop() -> None:
        clean_facts(session, Cleaner(clean, clean, lambda value: without_texts(value, clean)))
        forget_words(session, lambda word: word in parts or folded in word)

    return _purge(session, cache, lambda event: _without_texts(event, clean), drop)


def purge_secrets(session: Session, cache: Cache) -> int:
    """Remove passwords, tokens and keys that are stored; returns how many events held some.

    From now on these events are known as those that arrive without secrets.
    """

    def drop() -> None:
        clean_facts(session, Cleaner(redact, redact_name, lambda value: redacted(value)[0]))
        index_words(session)

    return _purge(session, cache, _without_secrets, drop, anew=True)


def _purge(
    session: Session,
    cache: Cache,
    change: Callable[[dict[str, Any]], dict[str, Any] | None],
    drop: Callable[[], None],
    *,
    anew: bool = False,
) -> int:
    """Change events and what is left of others; `anew` where they get the hashes of what they are now."""
    session.alone()
    cache.clear()
    changed = 0
    since, last = -FOREVER, b""
    while rows := session.rows(_EVENTS, since=since, last=last, most=_BATCH):
        for hashed, us, kind, body, rest in rows:
            event = change(put_together(body, rest) if anew else as_received(body, rest))
            if event is not None:
                _write_again(
                    session,
                    cache,
                    _Stored(us, bytes(hashed), EventType(kind), RECEIVED.encode() in unpacked(rest)),
                    event,
                    anew=anew,
                )
                changed += 1
        since, last = rows[-1][1], bytes(rows[-1][0])
    cache.clear()
    sweep(session)  # what only the events said that are written again
    drop()
    sweep(session)
    forget(session)
    rebuild(session, cache)
    return changed


class _Stored(NamedTuple):
    """An event as it is stored: its time, hash and type, and whether it was kept as it came."""

    us: int
    hash: bytes
    type: EventType
    received: bool


def _write_again(session: Session, cache: Cache, stored: _Stored, event: dict[str, Any], *, anew: bool) -> None:
    selected = {"us": stored.us, "hash": stored.hash}
    parts = split(event)
    (lasting, body, _), (own, rest, _) = without_secrets(parts.body), without_secrets(parts.rest)
    try:
        meaning: Meaning | None = meaning_of(parse_event(join(Parts(lasting, own))))
    except BadEvent:
        meaning = None  # nothing that can stand alone is left of it
    if meaning is None:
        session.run(_FORGET, **selected)
        return
    hashed = digest(digest(body) + rest) if anew else stored.hash
    if hashed != stored.hash and session.rows(_THERE, us=stored.us, hash=hashed):
        session.run("DELETE FROM event WHERE us = :us AND hash = :hash", **selected)
        return
    stamped = stamp(stored.us, stored.type.rank, hashed)
    if anew and hashed != stored.hash:
        _move(session, {**selected, "new": stamped, "old": stamp(stored.us, stored.type.rank, stored.hash)})
    Shapes(Keys(session, cache)).resolve([(meaning, stamped)])
    row: dict[bytes, Row] = {digest(body): (digest(body), packed(body))}
    key = find_or_add(session, "body", "hash, content", row)[0][digest(body)]
    session.run(
        "UPDATE event SET hash = :now, body = :body, rest = :rest, shape = :shape WHERE us = :us AND hash = :hash",
        now=hashed,
        body=key,
        rest=packed(with_received(own, event) if stored.received and not anew else rest),
        shape=cache.shapes[meaning.hash].id,
        **selected,
    )


def _move(session: Session, moved: Mapping[str, Any]) -> None:
    """Have what an event says of its run stand at the place that the event now has in the order of events."""
    for table, key, column in (
        ("named", "run", "stamp"),
        ("run", "id", "job_stamp"),
        ("run", "id", "parent_stamp"),
        ("run", "id", "end_stamp"),
    ):
        session.run(
            f"UPDATE {table} SET {column} = :new WHERE {column} = :old"  # noqa: S608  our own words
            f" AND {key} IN (SELECT run FROM event WHERE us = :us AND hash = :hash)",
            **moved,
        )
    session.run(
        "UPDATE mapping SET stamp = :new WHERE stamp = :old AND id IN (SELECT mention.mapping FROM event"
        " JOIN mention ON mention.shape = event.shape WHERE event.us = :us AND event.hash = :hash)",
        **moved,
    )
    # What it says of the run that started its own is hearsay.
    session.run(
        "UPDATE run SET job_stamp = :new WHERE job_stamp = :old AND id IN (SELECT child.parent FROM event"
        " JOIN run child ON child.id = event.run WHERE event.us = :us AND event.hash = :hash)",
        **{**moved, "new": hearsay(moved["new"]), "old": hearsay(moved["old"])},
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


def _cleaner(text: str) -> Clean:
    """Replaces a text, upper and lower case alike, also where it is percent-encoded or escaped as in JSON."""
    forms = {text, quote(text), quote(text, safe=""), quote_plus(text), json.dumps(text)[1:-1]}
    # The longest first: one form may be a part of another.
    needles = sorted({form.casefold() for form in forms}, key=len, reverse=True)

    def clean(value: str) -> str:
        for needle in needles:
            value = _replaced(value, needle)
        return value

    return clean


def _replaced(value: str, needle: str) -> str:
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


def _without_texts(event: dict[str, Any], clean: Clean) -> dict[str, Any] | None:
    """The event with cleaned texts, or None where they are clean already."""
    changed: dict[str, Any] = without_texts(event, clean)
    return changed if changed != event else None


def _without_secrets(event: dict[str, Any]) -> dict[str, Any] | None:
    """The event without secrets, or None where it has none."""
    parts = split(event)
    (body, _, in_body), (rest, _, in_rest) = without_secrets(parts.body), without_secrets(parts.rest)
    return join(Parts(body, rest)) if in_body + in_rest else None


def _drop_dataset(session: Session, name: Name) -> None:
    for (dataset,) in session.rows("SELECT id FROM dataset WHERE key = :key", key=hash_of(*name)):
        drop_dataset(session, dataset)
    drop_terms(session)

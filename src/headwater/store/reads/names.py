"""Datasets and jobs by their names, whose tables have the same columns for these; and which of them people deleted."""

from collections.abc import Collection, Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import Kind
from headwater.store.db.predicates import last_event
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.entities.keys import hash_of
from headwater.store.model.meaning import Name
from headwater.store.model.order import before

Table: TypeAlias = Literal["dataset", "job"]

_MOST_REMEMBERED = 20_000

_ALL = "SELECT t.id, t.namespace, t.name FROM {table} t"
_BY_ID = "SELECT t.id, t.namespace, t.name FROM {{given}} {{join}} {table} t ON t.id = given.id"
_BY_KEY = "SELECT t.id, t.namespace, t.name FROM {{given}} {{join}} {table} t ON t.key = given.key"
# By the hash of the last part; what ends with the text only by chance is sorted out afterwards.
_ENDING = f"""{_ALL}
WHERE tail = :tail AND (name = :text OR (
    length(namespace || '/' || name) >= length(:text)
    AND substr(namespace || '/' || name, length(namespace || '/' || name) - length(:text) + 1) = :text
))
"""
# Whatever their case: compared afterwards, and in an order that every store has.
_WITH_TAIL = f"{_ALL} WHERE tail = :tail ORDER BY t.key LIMIT :most"
_BY_TAIL = "SELECT dataset.id FROM {given} {join} dataset ON dataset.tail = given.tail"
# By the hash of the name: an index has it, and the same names are in the same order in every store. An index could not
# hold the names themselves, which may be of any length; and to sort them for each page takes longer the more there are.
_PAGE_BY_KEY = (
    "SELECT t.key, t.namespace, t.name FROM {table} t WHERE t.key > :after {not_ahead} ORDER BY t.key LIMIT :most"
)
# What people deleted stays hidden until an event of a later time names it.
_NAMED_LATER = {
    Kind.DATASET: "SELECT 1 FROM mention JOIN event ON event.shape = mention.shape AND event.us > hidden.us"
    " AND event.us <= :now WHERE mention.dataset = hidden.entity",
    Kind.JOB: "SELECT 1 FROM shape JOIN event ON event.shape = shape.id AND event.us > hidden.us"
    " AND event.us <= :now WHERE shape.job = hidden.entity",
}
_HIDDEN = """
SELECT hidden.entity FROM {{given}} {{join}} hidden ON hidden.kind = :kind AND hidden.entity = given.id
WHERE NOT EXISTS ({named_later})
"""
_NOT_HIDDEN = """NOT EXISTS (
    SELECT 1 FROM hidden WHERE hidden.kind = {kind} AND hidden.entity = t.id AND NOT EXISTS ({named_later})
)"""
# What only events name that lie ahead of the clock is not there yet.
_NOT_AHEAD = (
    """AND NOT (EXISTS ({naming} AND event.us > :now {of}) AND NOT EXISTS ({naming} AND event.us <= :now {of}))"""
)
_NAMING = {
    Kind.DATASET: {
        "naming": "SELECT 1 FROM mention {join} event ON event.shape = mention.shape",
        "of": "WHERE mention.dataset = t.id",
    },
    Kind.JOB: {"naming": "SELECT 1 FROM shape {join} event ON event.shape = shape.id", "of": "WHERE shape.job = t.id"},
}
# Names only are read, all of them: there are as many as there are datasets and jobs.
_LIKE = rf"""{_ALL}
WHERE lower(t.name) LIKE lower(:pattern) ESCAPE '\'
    AND t.namespace = coalesce(:namespace, t.namespace) AND {_NOT_HIDDEN} {{not_ahead}}
ORDER BY t.name, t.namespace LIMIT :most
"""
_IN_NAMESPACE = f"SELECT t.id FROM {{table}} t WHERE t.namespace = :namespace AND {_NOT_HIDDEN} {{not_ahead}}"  # noqa: S608  our own words
# The first dataset and the first job of a namespace tell since when it is there.
_FIRST = """
SELECT t.namespace, min(t.id) FROM {table} t
WHERE t.namespace = coalesce(:name, t.namespace) {not_ahead} GROUP BY t.namespace
"""

# When an event last named a job: by its shapes, a few for each, of which an index has the last time; of one that is
# only the parent of other runs, when the last of these began.
_LAST_NAMED = f"""coalesce(
    (SELECT max({last_event("shape.id")}) FROM shape WHERE shape.job = t.id),
    (SELECT max(child.first_us) FROM run JOIN run child ON child.parent = run.id WHERE run.job = t.id),
    0
)"""  # noqa: S608  our own words

RUNNING, NEW = -1, -2
"""States of a run that has not ended, begun or only announced; the others are the types of events that end one."""
_STATES = {
    "completed": int(EventType.COMPLETE),
    "failed": int(EventType.FAIL),
    "aborted": int(EventType.ABORT),
    "running": RUNNING,
    "new": NEW,
}
_NEVER = -9
# The state of the last run; whether one that has not ended was begun is in its events: those before OTHER.
_IN_STATE = f"""
AND (
    SELECT coalesce(
        CASE WHEN run.end_stamp < :ahead THEN run.end_type ELSE (
            SELECT event.type FROM event
            WHERE event.run = run.id AND event.type >= {EventType.COMPLETE} AND event.us <= :now
                AND run.end_stamp >= :ahead
            ORDER BY event.us DESC, event.hash DESC LIMIT 1
        ) END,
        CASE WHEN EXISTS (
            SELECT 1 FROM event WHERE event.run = run.id AND event.type < {EventType.OTHER} AND event.us <= :now
        )
            THEN {RUNNING} ELSE {NEW} END
    )
    FROM run WHERE run.job = t.id AND run.first_us <= :now
    ORDER BY run.first_us DESC, run.uuid LIMIT 1
) IN (:completed, :failed, :aborted, :running, :new)
"""  # noqa: S608  our own words


class NameRow(NamedTuple):
    """A dataset or a job."""

    id: int
    namespace: str
    name: str


def all_names(session: Session, table: Table) -> dict[int, Name]:
    """The names of all datasets or jobs, by key."""
    return _by_id(session.rows(_ALL.format(table=table)))


def names_by_id(session: Session, table: Table, keys: Iterable[int]) -> dict[int, Name]:
    """The names of some datasets or jobs, by key."""
    known: dict[int, Name] = session.memory(f"{table} by key")
    wanted = set(keys)
    there = {key: known[key] for key in wanted if key in known}
    found = _by_id(session.rows(_BY_ID.format(table=table), ids(wanted - there.keys())))
    remember_names(session, table, found)
    return there | found


def names_by_name(session: Session, table: Table, names: Iterable[Name]) -> list[NameRow]:
    """The datasets or jobs that have one of these namespaces and names."""
    keys = Given("key bytes", sorted({(hash_of(*name),) for name in names}))
    return _met(session, table, session.rows(_BY_KEY.format(table=table), keys))


def names_met(session: Session, table: Table, names: Iterable[Name]) -> list[NameRow]:
    """The same; those that the session has read before are not asked for."""
    known: dict[Name, int] = session.memory(f"{table} by name")
    wanted = set(names)
    there = [NameRow(known[name], *name) for name in wanted if name in known]
    return there + names_by_name(session, table, wanted - known.keys())


def _met(session: Session, table: Table, rows: Iterable[Row]) -> list[NameRow]:
    found = [NameRow._make(row) for row in rows]
    remember_names(session, table, {row.id: (row.namespace, row.name) for row in found})
    return found


def remember_names(session: Session, table: Table, names: Mapping[int, Name]) -> None:
    """Keep the names of datasets or jobs with what the session has read; of very many, the last ones."""
    by_key = session.memory(f"{table} by key")
    by_name = session.memory(f"{table} by name")
    if len(by_key) + len(names) > _MOST_REMEMBERED:
        by_key.clear()
        by_name.clear()
    by_key |= names
    by_name |= {name: key for key, name in names.items()}


def names_ending(session: Session, table: Table, text: str, tail: int) -> list[NameRow]:
    """Datasets or jobs that have a text as their name or as the end of their full name; `tail` is its hash."""
    return _met(session, table, session.rows(_ENDING.format(table=table), text=text, tail=tail))


def names_with_tail(session: Session, table: Table, tail: int, most: int) -> list[NameRow]:
    """Datasets or jobs whose last part has a hash, whatever their case; the first `most`."""
    return [NameRow(*row) for row in session.rows(_WITH_TAIL.format(table=table), tail=tail, most=most)]


def datasets_by_tail(session: Session, tails: Iterable[int]) -> set[int]:
    """The datasets whose names end in a part with one of these hashes."""
    return _keys(session.rows(_BY_TAIL, Given("tail int", [(tail,) for tail in sorted(tails)])))


def page_by_key(session: Session, kind: Kind, after: bytes, most: int) -> list[tuple[bytes, str, str]]:
    """A page of all datasets or jobs, in the order of the hashes of their names: hash, namespace, name."""
    rows = _visible(session, _PAGE_BY_KEY, kind, after=after, most=most)
    return [(bytes(key), namespace, name) for key, namespace, name in rows]


def like(session: Session, kind: Kind, pattern: str, namespace: str | None, most: int) -> list[NameRow]:
    """The visible datasets or jobs whose names match a LIKE pattern in which a backslash escapes, by name."""
    rows = _visible(session, _LIKE, kind, pattern=pattern, namespace=namespace, most=most)
    return [NameRow(*row) for row in rows]


def all_ids(session: Session, kind: Kind) -> set[int]:
    """All datasets or jobs that are there now."""
    return _keys(_visible(session, "SELECT t.id FROM {table} t WHERE 1 = 1 {not_ahead}", kind))


def ids_in_namespace(session: Session, kind: Kind, namespace: str) -> set[int]:
    """The visible datasets or jobs of a namespace."""
    return _keys(_visible(session, _IN_NAMESPACE, kind, namespace=namespace))


def is_namespace_used(session: Session, namespace: str) -> bool:
    """Whether a namespace has a visible dataset or job."""
    return any(_visible(session, f"{_IN_NAMESPACE} LIMIT 1", kind, namespace=namespace) for kind in _NAMED_LATER)


def first_ids(session: Session, kind: Kind, namespace: str | None) -> dict[str, int]:
    """The first dataset or job of each namespace, or of one."""
    return dict(_visible(session, _FIRST, kind, name=namespace))


def hidden_among(session: Session, kind: Kind, keys: Collection[int]) -> set[int]:
    """The datasets or jobs among these that are hidden now."""
    statement = _HIDDEN.format(named_later=_NAMED_LATER[kind])
    return _keys(session.rows(statement, ids(keys), kind=int(kind), now=session.now))


def page_of_datasets(session: Session, namespace: str, most: int, offset: int) -> tuple[list[int], int]:
    """A page of the visible datasets of a namespace, by name; and how many there are."""
    where = f"WHERE t.namespace = :namespace AND {_NOT_HIDDEN} {{not_ahead}}"
    return _page(session, Kind.DATASET, where, "t.name", {"namespace": namespace}, most, offset)


def page_of_jobs(
    session: Session, namespace: str | None, states: Collection[int], most: int, offset: int
) -> tuple[list[int], int]:
    """A page of the visible jobs, of one namespace or of all, and how many there are.

    Those that an event named last come first: what happens now is what a person looks for in a long list.

    Args:
        session: the store.
        namespace: None for all.
        states: the states that a job's last run may have: types of events that end a run, RUNNING, NEW; none for all.
        most: how many jobs the page has at most.
        offset: how many jobs come before it.
    """
    where = f"WHERE {'1 = 1' if namespace is None else 't.namespace = :namespace'} AND {_NOT_HIDDEN} {{not_ahead}}"
    values: dict[str, object] = {} if namespace is None else {"namespace": namespace}
    if states:
        where += _IN_STATE
        # A state that is not asked for is compared with what no run has.
        values |= {name: code if code in states else _NEVER for name, code in _STATES.items()}
    return _page(session, Kind.JOB, where, f"{_LAST_NAMED} DESC, t.id DESC", values, most, offset)


def _page(  # noqa: PLR0913, PLR0917  the parts of a statement
    session: Session, kind: Kind, where: str, order: str, values: dict[str, object], most: int, offset: int
) -> tuple[list[int], int]:
    page = f"SELECT t.id FROM {{table}} t {where} ORDER BY {order} LIMIT :most OFFSET :offset"  # noqa: S608  our own words
    keys = [key for (key,) in _visible(session, page, kind, **values, most=most, offset=offset)]
    total = _visible(session, f"SELECT count(*) FROM {{table}} t {where}", kind, **values)[0][0]  # noqa: S608  our own words
    return keys, int(total)


def _visible(session: Session, statement: str, kind: Kind, **values: object) -> list[Row]:
    """The rows of a statement on the table `t` of datasets or of jobs, as they are now."""
    # Looked at for every name: left out where no event lies ahead.
    not_ahead = _NOT_AHEAD.format(**_NAMING[kind]) if session.any_ahead else ""
    written = statement.format(table=kind.name.lower(), kind=kind, named_later=_NAMED_LATER[kind], not_ahead=not_ahead)
    return session.rows(written, **values, now=session.now, ahead=before(session.now + 1))


def _by_id(rows: Iterable[Row]) -> dict[int, Name]:
    return {key: (namespace, name) for key, namespace, name in rows}


def _keys(rows: Iterable[Row]) -> set[int]:
    return {key for (key,) in rows}

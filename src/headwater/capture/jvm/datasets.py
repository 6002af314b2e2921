"""The reader's descriptions of datasets, as values for the rules. `reader/datasets/Datasets.java` writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from headwater.common.redaction.text import redact
from headwater.rules.operators.relations import FEED, table_name, topics
from headwater.rules.plan.tree import CatalogOf, Dataset, Described

Catalogs: TypeAlias = "Callable[[str], CatalogOf]"

# FileSink[file:/out], DeltaSource[file:/in], KafkaV2[Subscribe[clicks]]
_PLACE = re.compile(r"^[A-Za-z0-9]+\[(.*)\]$", re.DOTALL)
# SELECT … INTO #t FROM …, CREATE TEMPORARY TABLE t AS …: the rows go to a temporary table of the connection.
_INTO = re.compile(r"(?i)\binto\s+#{1,2}(\w+)")
_CREATED = re.compile(
    r"""(?ix) \s* CREATE \s+ (?:(?:GLOBAL|LOCAL|VOLATILE) \s+)? TEMP(?:ORARY)? \s+ TABLE \s+
    (?:IF \s+ NOT \s+ EXISTS \s+)? (\w+|"[^"]+"|`[^`]+`) \s+ AS \b"""
)
# A string or a number; a quoted name stays as it is. An unclosed quote extends to the end.
_VALUE = re.compile(r"""("(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$))|'(?:[^']|'')*(?:'|$)|\b\d+(?:\.\d+)?\b""")
_TOPICS = re.compile(r"^(?:Subscribe|Assign)\[(.*)\]$")


def described(value: Mapping[str, Any], catalogs: Catalogs = CatalogOf) -> Described:
    """Read a description.

    >>> described({"d": "files", "format": "csv", "paths": ["file:/in"]}).dataset.location
    'file:/in'
    """
    return _READERS.get(value["d"], _unknown)(value, catalogs)


def _files(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    form, version = value.get("format"), value.get("version")
    datasets = tuple(Dataset(path, format=form, version=version) for path in value["paths"])
    columns, known = tuple(value.get("columns", ())), value.get("known", True)
    feed = FEED if value.get("feed") else ""
    return Described("files", datasets, columns, known=known, source=feed, schema=value.get("schema"))


def _table(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    table = Dataset(
        value.get("location"),
        tuple(value["name"]),
        value.get("provider"),
        _identity(value),
        version=value.get("version"),
    )
    return Described("table", (table,), query=value.get("query"), schema=value.get("schema"))


def _view(value: Mapping[str, Any], catalogs: Catalogs) -> Described:
    """A view of a catalog of its own.

    >>> _view({"name": ["lake", "db", "v"]}, CatalogOf).dataset.table
    ('lake', 'db', 'v')
    """
    catalog, *_ = name = tuple(value["name"])
    return Described("view", (Dataset(table=name, catalog=catalogs(catalog)),))


def _identity(value: Mapping[str, Any]) -> tuple[str, str] | None:
    namespace, name = value.get("namespace"), value.get("identity")
    return (namespace or "", name or "") if namespace or name else None


def _rdd(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    """The sources of an RDD; `reader/datasets/Rdds.java` documents the form.

    >>> _rdd({"id": 7, "known": True, "behind": [5], "reads": []}, CatalogOf).behind
    (5,)
    """
    reads = tuple(described(read) for read in value["reads"])
    return Described("rdd", known=value["known"], rdd=value["id"], reads=reads, behind=tuple(value["behind"]))


def _jdbc(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    relation = jdbc(value["url"], value.get("table"), value.get("query"), value.get("prepare"))
    if "predicates" not in value:
        return relation
    return filtered(relation, value["predicates"], value.get("table") or "", value.get("prepare"))


def jdbc(url: str, table: str | None, query: str | None = None, prepare: str | None = None) -> Described:
    r"""A table behind JDBC, or a query in its place.

    Spark puts both after FROM, and `prepare` before the whole.

    >>> dataset = jdbc("jdbc:postgresql://h/db?password=hunter2", 'sales."Orders"').dataset
    >>> dataset.location, dataset.table, dataset.format
    ('jdbc:postgresql://h/db?password=***', ('sales', '"Orders"'), 'jdbc')
    >>> jdbc("jdbc:postgresql://h/db", "(SELECT 1) AS q").query
    'SELECT * FROM (SELECT 1) AS q'
    >>> jdbc("jdbc:postgresql://h/db", None, "SELECT a FROM c", "WITH c AS (SELECT a FROM t)").query
    'WITH c AS (SELECT a FROM t)\nSELECT * FROM (SELECT a FROM c\n) spark_query'
    """
    place = Dataset(redact(url), format="jdbc")
    parts = table_name(table or "") if query is None and not prepare else None
    if parts is not None:
        return Described("jdbc", (replace(place, table=parts),))
    if query is None:
        query = f"SELECT * FROM {table}"  # noqa: S608 (it is parsed, never run)
    return Described("jdbc", (place,), query=_prepared(query, prepare) if prepare else query)


def filtered(
    relation: Described, predicates: Sequence[str] | None, table: str, prepare: str | None = None
) -> Described:
    r"""A table, or a query in its place, filtered by predicates; None for too many of them.

    Often there are hundreds that differ only in a number: one of them has the columns of all.

    >>> filtered(jdbc("jdbc:x", "t o"), ["o.a = 1", "o.a = 2", "o.b2 = 'x'"], "t o").filter
    "SELECT * FROM t o WHERE (o.a = 1\n) OR (o.b2 = 'x'\n)"
    """
    if predicates is None:
        return replace(relation, filter="")
    shapes = {_VALUE.sub(lambda match: match[1] or "0", predicate): predicate for predicate in reversed(predicates)}
    # On lines of their own: a predicate may end in a comment.
    conditions = " OR ".join(f"({predicate}\n)" for predicate in reversed(shapes.values()))
    text = f"SELECT * FROM {table} WHERE {conditions}"  # noqa: S608
    if relation.query is None:
        return replace(relation, filter=text)
    return replace(relation, query=_prepared(text, prepare) if prepare else text)


def _prepared(query: str, prepare: str) -> str:
    """A query with the statement that runs before it: WITH, SELECT … INTO #t, or CREATE TEMPORARY TABLE t AS SELECT."""
    query = query.rstrip("; \t\r\n")
    into, created = _INTO.search(prepare), _CREATED.match(prepare)
    if created is not None:
        name, select = created[1], prepare[created.end() :]
    elif into is None or prepare.lstrip("( \t\r\n")[:4].upper() == "WITH":
        return f"{prepare}\nSELECT * FROM ({query}\n) spark_query"
    else:
        name, select = into[1], f"{prepare[: into.start()]} {prepare[into.end() :]}"
    return f"WITH {name} AS ({select.strip().rstrip(';')}\n) SELECT * FROM ({query}\n) spark_query"  # noqa: S608


def _v2(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    source = _simple(value["class"])
    provider, identity = value.get("provider"), _identity(value)
    location = value.get("location") or value.get("place") or _place(value.get("text", ""))
    version = value.get("version") or value.get("branch")
    if "paths" in value and location is None:
        places = tuple(Dataset(path, format=provider) for path in value["paths"])
        return Described("v2", places, known=value.get("known", True), source=source)
    name = value.get("name", "")
    if "bigquery" in value["class"].lower():
        return Described("v2", (Dataset(None, tuple(re.split("[.:]", name)), "bigquery", identity),), source=source)
    dataset = Dataset(location, (), provider, identity, None, version)
    if "about" in value:
        return Described("metadata", (dataset,), tuple(value["about"]), source=source)
    staging = {"staging": "true"} if value.get("staging") else {}
    return Described(
        "v2", (dataset,), source=source, query=value.get("query"), options=staging, schema=value.get("schema")
    )  # fmt: skip


def _stream(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    source, place = _simple(value["class"]), _place(value.get("text", ""))
    if place is None:
        return Described("stream", source=source)
    if "servers" in value:
        match = _TOPICS.match(place)
        named = {"kafka.bootstrap.servers": value["servers"], "subscribe": match[1] if match else place}
        return Described("kafka", topics(named), source=source)
    return Described("stream", (Dataset(place),), source=source)


def _relation(value: Mapping[str, Any], catalogs: Catalogs) -> Described:
    """A relation of the first data source API: Kafka's options name its topics, Delta's change feed has a log.

    For others only the class is known.
    """
    if "location" in value:
        return Described("relation", (Dataset(value["location"], format="delta"),), source=_simple(value["class"]))
    datasets = topics(_options(value.get("options", {"d": "options"})).options)
    return Described("kafka", datasets, source=_simple(value["class"])) if datasets else _unknown(value, catalogs)


def _source(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    options = {**_options(value["options"]).options}
    paths = tuple(value["paths"]) or ((options["path"],) if "path" in options else ())
    form = value["class"]
    return Described("source", tuple(Dataset(path, format=form) for path in paths), source=form, options=options)


def _options(value: Mapping[str, Any], _catalogs: Catalogs = CatalogOf) -> Described:
    """The options that name a dataset; a JDBC URL may also contain a password."""
    return Described(
        "options", options={key: redact(text) if key == "url" else text for key, text in value.items() if key != "d"}
    )


def _catalog(value: Mapping[str, Any], catalogs: Catalogs) -> Described:
    return Described("catalog", catalog=catalogs(value["name"]))


def _unknown(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    return Described(value["d"], known=False, source=_simple(value.get("class", "")))


def _simple(name: str) -> str:
    return re.split(r"[.$]", name.rstrip("$"))[-1]


def _place(text: str) -> str | None:
    match = _PLACE.match(text)
    return match[1] if match else None


_READERS: dict[str, Callable[[Mapping[str, Any], Catalogs], Described]] = {
    "catalog": _catalog,
    "files": _files,
    "jdbc": _jdbc,
    "options": _options,
    "rdd": _rdd,
    "relation": _relation,
    "source": _source,
    "stream": _stream,
    "table": _table,
    "v2": _v2,
    "view": _view,
}

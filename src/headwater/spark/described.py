"""What the reader says about datasets, as values that the rules read. `reader/Datasets.java` writes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from headwater.openlineage.redact import redact
from headwater.rules.relations import table_parts, topics
from headwater.rules.tree import CatalogOf, Dataset, Described

Catalogs: TypeAlias = "Callable[[str], CatalogOf]"

# FileSink[file:/out], DeltaSource[file:/in], KafkaV2[Subscribe[clicks]]
_PLACE = re.compile(r"^[A-Za-z0-9]+\[(.*)\]$", re.DOTALL)
_TOPICS = re.compile(r"^(?:Subscribe|Assign)\[(.*)\]$")


def described(value: Mapping[str, Any], catalogs: Catalogs = CatalogOf) -> Described:
    """What a description says.

    >>> described({"d": "files", "format": "csv", "paths": ["file:/in"]}).dataset.location
    'file:/in'
    """
    return _READERS.get(value["d"], _unknown)(value, catalogs)


def _files(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    form, version = value.get("format"), value.get("version")
    datasets = tuple(Dataset(path, format=form, version=version) for path in value["paths"])
    return Described("files", datasets, tuple(value.get("columns", ())))


def _table(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    table = Dataset(value.get("location"), tuple(value["name"]), value.get("provider"), _identity(value))
    return Described("table", (table,), query=value.get("query"))


def _identity(value: Mapping[str, Any]) -> tuple[str, str] | None:
    namespace, name = value.get("namespace"), value.get("identity")
    return (namespace or "", name or "") if namespace or name else None


def _rdd(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    """What is behind an RDD; `reader/Rdds.java` says what it looks like.

    >>> _rdd({"id": 7, "known": True, "behind": [5], "reads": []}, CatalogOf).behind
    (5,)
    """
    reads = tuple(described(one) for one in value["reads"])
    return Described("rdd", known=value["known"], rdd=value["id"], reads=reads, behind=tuple(value["behind"]))


def _jdbc(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    return jdbc(value["url"], value.get("table"), value.get("query"))


def jdbc(url: str, table: str | None, query: str | None = None) -> Described:
    """A table behind JDBC, or a query in its place.

    >>> jdbc("jdbc:postgresql://h/db?password=x", 'sales."Orders"').dataset
    Dataset(location='jdbc:postgresql://h/db?password=***', table=('sales', '"Orders"'), format='jdbc', identity=None, \
catalog=None, version=None)
    >>> jdbc("jdbc:postgresql://h/db", "(SELECT 1) AS q").query
    'SELECT 1'
    """
    place = redact(url)
    text = (table or "").strip()
    if query is None and text.startswith("("):
        query = text[1 : text.rindex(")")] if ")" in text else text
    if query is not None:
        return Described("jdbc", (Dataset(place, format="jdbc"),), query=query)
    return Described("jdbc", (Dataset(place, table_parts(text), "jdbc"),))


def _v2(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    source = _simple(value["class"])
    provider, identity = value.get("provider"), _identity(value)
    location = value.get("location") or _place(value.get("text", ""))
    version = value.get("version") or value.get("branch")
    if "paths" in value and location is None:
        return Described("v2", tuple(Dataset(path, format=provider) for path in value["paths"]), source=source)
    name = value.get("name", "")
    if "bigquery" in value["class"].lower():
        return Described("v2", (Dataset(None, tuple(re.split("[.:]", name)), "bigquery", identity),), source=source)
    dataset = Dataset(location, (), provider, identity, None, version)
    return Described("v2", (dataset,), source=source, query=value.get("query"))


def _stream(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    source, place = _simple(value["class"]), _place(value.get("text", ""))
    if place is None:
        return Described("stream", source=source)
    if "servers" in value:
        said = _TOPICS.match(place)
        named = {"kafka.bootstrap.servers": value["servers"], "subscribe": said[1] if said else place}
        return Described("kafka", topics(named), source=source)
    return Described("stream", (Dataset(place),), source=source)


def _relation(value: Mapping[str, Any], catalogs: Catalogs) -> Described:
    """A relation of the first data source API: Kafka's options name its topics, of others only the class is known."""
    found = topics(_options(value.get("options", {"d": "options"})).options)
    return Described("kafka", found, source=_simple(value["class"])) if found else _unknown(value, catalogs)


def _source(value: Mapping[str, Any], _catalogs: Catalogs) -> Described:
    options = {**_options(value["options"]).options}
    paths = tuple(value["paths"]) or ((options["path"],) if "path" in options else ())
    form = value["class"]
    return Described("source", tuple(Dataset(path, format=form) for path in paths), source=form, options=options)


def _options(value: Mapping[str, Any], _catalogs: Catalogs = CatalogOf) -> Described:
    """What names a dataset; a JDBC URL may hold a password as well."""
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
    found = _PLACE.match(text)
    return found[1] if found else None


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
}

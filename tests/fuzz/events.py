"""Events to begin from, and what becomes of them: changed in a place or several, and in their text."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from tests.food_delivery import events as food_delivery

if TYPE_CHECKING:
    from random import Random

RUN = "01941f29-7c00-7000-8000-000000000000"
_HEAD = {"_producer": "urn:headwater:producer:1", "_schemaURL": "urn:x"}
_INPUT = {"namespace": "lake", "name": "in", "field": "id"}
# Every facet that is read, each in its usual form.
FULL: dict[str, Any] = {
    "eventTime": "2026-01-01T00:00:00.5+01:00",
    "eventType": "COMPLETE",
    "producer": "urn:x",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    "run": {
        "runId": RUN,
        "facets": {
            "parent": {"run": {"runId": "dag_1"}, "job": {"namespace": "jobs", "name": "dag"}},
            "nominalTime": {"nominalStartTime": "2026-01-01T00:00:00Z"},
            "errorMessage": {"message": "no", "programmingLanguage": "java"},
        },
    },
    "job": {
        "namespace": "jobs",
        "name": "daily",
        "facets": {
            "sql": {"query": "SELECT 'a' FROM t WHERE x > 1"},
            "jobType": {"processingType": "BATCH", "integration": "SPARK"},
            "ownership": {"owners": [{"name": "team", "type": "OWNER"}]},
            "documentation": {"description": "words"},
            "tags": {"tags": [{"key": "tier", "value": "1"}]},
            "lineage": {
                "entries": [{"type": "JOB", "inputs": [{"namespace": "lake", "name": "in", "type": "DATASET"}]}]
            },
        },
    },
    "inputs": [
        {
            "namespace": "lake",
            "name": "in",
            "facets": {
                "schema": {"fields": [{"name": "id", "type": "int", "fields": [{"name": "x", "type": "int"}]}]},
                "version": {"datasetVersion": "7"},
                "symlinks": {"identifiers": [{"namespace": "hive", "name": "in", "type": "TABLE"}]},
            },
            "inputFacets": {"inputStatistics": {"rowCount": 5, "size": 7}, "dataQualityMetrics": {"rowCount": 5}},
        }
    ],
    "outputs": [
        {
            "namespace": "lake",
            "name": "out",
            "facets": {
                "schema": {"fields": [{"name": "id", "type": "int", "description": "the key"}]},
                "columnLineage": {
                    **_HEAD,
                    "fields": {
                        "id": {
                            "inputFields": [{**_INPUT, "transformations": [{"type": "DIRECT", "subtype": "IDENTITY"}]}],
                            "transformationType": "IDENTITY",
                        }
                    },
                    "dataset": [{**_INPUT, "transformations": [{"type": "INDIRECT", "subtype": "FILTER"}]}],
                },
                "lineage": {"inputs": [{"namespace": "lake", "name": "in", "type": "DATASET"}]},
                "dataSource": {"name": "lake", "uri": "s3://lake"},
                "tags": {"tags": [{"key": "PII", "field": "id"}]},
                "lifecycleStateChange": {
                    "lifecycleStateChange": "RENAME",
                    "previousIdentifier": {"namespace": "lake", "name": "old"},
                },
                "version": {"datasetVersion": "8"},
                "headwater_views": {
                    "views": [{"namespace": "lake", "name": "v"}],
                    "fields": {"id": {"inputFields": [_INPUT]}},
                },
                "headwater_rows": {
                    "fields": {"id": [{"namespace": "lake", "name": "in"}]},
                    "dataset": [{"namespace": "lake", "name": "v"}],
                    "byViews": {"fields": {}, "dataset": [{"namespace": "lake", "name": "v"}]},
                },
            },
            "outputFacets": {"outputStatistics": {"rowCount": 5, "size": 7}, "subset": {"locations": ["x"]}},
        }
    ],
}
_JOB: dict[str, Any] = {
    "eventTime": "2026-01-02T00:00:00Z",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent",
    **{key: FULL[key] for key in ("job", "inputs", "outputs")},
}
_DATASET: dict[str, Any] = {"eventTime": "2026-01-03T00:00:00Z", "dataset": FULL["outputs"][0]}
EXAMPLES: list[dict[str, Any]] = [FULL, _JOB, _DATASET, *food_delivery()]
"""Events of all kinds."""

TEXTS = (
    "", " ", "x", "\0", "a\0b", "\ud800", "\udfff x", "\ud83d\ude00", "\N{GRINNING FACE}", "x" * 5000, "%", "%00",
    "%ed%a0%80",
    "'; DROP TABLE event; --", "' OR '1'='1", "$(sleep 9)", "${jndi:ldap://x}", "{{7*7}}", "<script>alert(1)</script>",
    "../../etc/passwd", "..%2f..%2f", "\r\nX-Injected: 1", "a\nb", "{given}", ":name", "%s", "?", "*", "`", "``a.b`",
    "a.b.c", ".",
    "a" * 300 + "/b", "(" * 500, "[" * 300, "'a\\" * 300, "pwd." * 100 + " @", "\u202e", "\u2028", "\ufeff",
    "e\u0301" * 50, "NaN",
    "2026-01-01T00:00:00+99:99", "0000-01-01T00:00:00Z", "2016-12-31T23:59:60Z", "2026-01-01T24:00:00Z",
    "9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00+14:00", "2026-01-01", "2026-13-01T00:00:00Z", "-1", "1e999",
    "9" * 5000,
    "dataset:lake:out", "dataset:lake:out#7", "datasetField:lake:out:id", "job:jobs:daily", "lake/out", "out", "id",
    RUN, "dag_1",
    "urn:li:dataset:(urn:li:dataPlatform:lake,out,PROD)", "urn:li:", "urn:li:tag:\ud800", "urn:li:dataset:((((",
    "List(a,b)",
    "RunEvent", "JobEvent", "x#/$defs/DatasetEvent", "DROP", "ALTER", "RENAME", "OVERWRITE", "DIRECT", "INDIRECT",
    "JOB", "DATASET",
)  # fmt: skip
"""Texts that have broken programs, and texts that mean something here."""
_VALUES: tuple[object, ...] = (
    None, True, False, 0, -1, 1, 1.5, -0.0, 1e300, 2**31, 2**63, -(2**63) - 1, 10**30, 10**400, float("nan"),
    float("inf"),
    [], {}, [None], [[]], {"": {}}, {"_deleted": True}, {"x": "\ud800"}, {"\ud800": {}}, {"\0": "\0"}, [1, "x", {}],
)  # fmt: skip
_KEYS = (
    "facets", "inputFacets", "outputFacets", "version", "columnLineage", "lineage", "schema", "fields", "inputs",
    "outputs",
    "run", "job", "dataset", "eventType", "schemaURL", "name", "namespace", "parent", "subset", "tags", "documentation",
    "symlinks", "lifecycleStateChange", "inputStatistics", "outputStatistics", "datahub_status", "_deleted", "unknown",
)  # fmt: skip


def odd_value(random: Random) -> object:
    """Any value but a good one."""
    return deepcopy(random.choice(_VALUES)) if random.random() < 0.5 else random.choice(TEXTS)


def changed(document: Any, random: Random) -> Any:  # noqa: ANN401  JSON
    """A copy of a document, changed in a place or several."""
    document = deepcopy(document)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 5))):
        document = _changed_once(document, random)
    return document


def _changed_once(document: Any, random: Random) -> Any:  # noqa: ANN401  JSON
    places = list(_places(document))
    if not places:
        return odd_value(random)
    holder, key = random.choice(places)
    how = random.random()
    if how < 0.45:
        holder[key] = odd_value(random)
    elif how < 0.6:
        del holder[key]
    elif how < 0.7:
        other, name = random.choice(places)
        holder[key] = deepcopy(other[name])
    elif how < 0.75:
        holder[key] = [holder[key]]
    elif isinstance(holder, dict):
        name = random.choice(_KEYS) if how < 0.9 else random.choice(TEXTS)
        holder[name] = holder.pop(key) if how < 0.83 else odd_value(random)
    else:
        holder.insert(key, deepcopy(holder[key]))
    return document


def _places(document: Any) -> Any:  # noqa: ANN401  JSON
    """Every place in a document: what holds it, and the key or position there."""
    holders = [document]
    while holders:
        holder = holders.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        for key in keys:
            yield holder, key
            holders.append(holder[key])


def written(document: object, random: Random) -> bytes:
    """A document as bytes, at times in an unusual form, at times damaged."""
    text = json.dumps(document, ensure_ascii=random.random() < 0.7).encode(errors="surrogatepass")
    how = random.random()
    if how < 0.85:
        return text
    place = random.randrange(len(text) + 1)
    damaged = (
        text[:place],
        text[:place] + random.randbytes(random.randint(1, 4)) + text[place:],
        b"\xef\xbb\xbf" + text,
        text.decode(errors="replace").encode("utf-16"),
        text.replace(b'"eventTime"', b'"eventTime": "x", "eventTime"', 1),
        text.replace(b"{", b'{"deep": ' + b"[" * 150 + b"]" * 150 + b", ", 1),
        text.replace(b"{", b'{"deep": ' + b"[" * 300 + b"]" * 300 + b", ", 1),
        text.replace(b"{", b'{"deep": ' + b'{"a":' * 5000, 1),
        text.replace(b"{", b'{"long": ' + b"7" * 5000 + b", ", 1),
        text.replace(b"{", b'{"long": 0.' + b"7" * 5000 + b", ", 1),
        text.replace(b"{", b'{"large": -1e9999, ', 1),
        text.replace(b"{", b'{"nan": NaN, ', 1),
        text.replace(b"{", b"{ \t\r", 1) + b"\r\n",
        text + b"\n" + text,
        text * 2,
    )
    return random.choice(damaged)

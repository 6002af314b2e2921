"""Requests from the OpenAPI page and from events, odd in any part: path, query, headers and body."""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from tests.fuzz.events import EXAMPLES, RUN, TEXTS, changed, odd_value, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_DATASET_URN = "urn:li:dataset:(urn:li:dataPlatform:lake,out,PROD)"
# What the parameters of the page mean, so that a request gets beyond the first check.
_KNOWN: dict[str, tuple[str, ...]] = {
    "namespace": ("lake", "jobs", "food_delivery"),
    "dataset": ("out", "lake/out", "in"),
    "job": ("daily", "jobs/daily", "dag"),
    "nodeId": ("dataset:lake:out", "job:jobs:daily", "datasetField:lake:out:id"),
    "run": (RUN, "dag_1"),
    "runId": (RUN, "dag_1"),
    "id": (RUN, "dag_1"),
    "version": (RUN, "8"),
    "column": ("id", "id.x"),
    "field": ("id",),
    "entity": ("dataset", "tag", "dataJob"),
    "urn": (_DATASET_URN, "urn:li:tag:PII"),
    "aspect": ("schemaMetadata", "globalTags", "status"),
    "action": ("ingestProposal", "ingestProposalBatch", "ingest", "ingestBatch", "delete"),
    "direction": ("INCOMING", "OUTGOING", "upstream"),
    "q": ("out", "id"),
    "asOf": ("2026-01-01", "2026-01-01T00:00:00Z"),
    "depth": ("1", "20"),
    "limit": ("1", "100"),
}
_HEADERS: tuple[tuple[bytes, tuple[bytes, ...]], ...] = (
    (b"Origin", (b"http://[x", b"null", b"http://localhost", b"\xff\xfe", b"")),
    (b"Host", (b"[", b"[::1", b"localhost:x", b"\xff", b"a:b:c", b"")),
    (b"Accept", (b"text/csv", b"*/*;q=x", b"q=1,;,;;", b"\xff", b"application/graphml+xml;q=nan", b"text/*")),
    (b"Accept-Encoding", (b"gzip", b"br;q=0", b"\xff")),
    (b"Authorization", (b"Bearer", b"Bearer x", b"Basic YTpi", b"Bearer \xff\xfe", b"Bearer " + b"x" * 3000)),
    (b"X-Request-ID", (b"\xff", b"a" * 3000, b"a b", b"<x>")),
    (b"X-Forwarded-For", (b"1.2.3.4", b"\xff, x", b"::1")),
    (b"Content-Encoding", (b"br", b"gzip, gzip", b"identity", b"\xff")),
    (
        b"Content-Type",
        (b"text/plain", b"application/json; charset=\xff", b"application/json;;=", b"application/x-ndjson"),
    ),
    (b"Range", (b"bytes=0-", b"bytes=9999999999999999999999-")),
    (b"If-None-Match", (b"*", b'"x"')),
    (b"If-Modified-Since", (b"yesterday", b"Thu, 32 Foo 99999 99:99:99 GMT")),
    (b"Cookie", (b"a=b; \xff", b"=")),
    (b"Upgrade", (b"websocket", b"h2c")),
    (b"Access-Control-Request-Method", (b"POST", b"\xff")),
)
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PURGE")
_JSON = b"application/json"
_EVENT_PATHS = ("/api/v1/lineage", "/api/v1/lineage", "/api/v1/lineage/batch", "/openapi/openlineage/api/v1/lineage")
_ASPECTS: tuple[tuple[str, Any], ...] = (
    ("globalTags", {"tags": [{"tag": "urn:li:tag:PII"}]}),
    ("status", {"removed": False}),
    ("ownership", {"owners": [{"owner": "urn:li:corpuser:a", "type": "DATAOWNER"}]}),
    (
        "schemaMetadata",
        {
            "schemaName": "out",
            "platform": "urn:li:dataPlatform:lake",
            "version": 0,
            "hash": "",
            "platformSchema": {"com.linkedin.schema.OtherSchema": {"rawSchema": ""}},
            "fields": [
                {
                    "fieldPath": "[version=2.0].[type=string].id",
                    "nativeDataType": "int",
                    "type": {"type": {"com.linkedin.schema.StringType": {}}},
                }
            ],
        },
    ),
    (
        "upstreamLineage",
        {
            "upstreams": [{"dataset": "urn:li:dataset:(urn:li:dataPlatform:lake,in,PROD)", "type": "TRANSFORMED"}],
            "fineGrainedLineages": [
                {
                    "upstreamType": "FIELD_SET",
                    "upstreams": ["urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:lake,in,PROD),id)"],
                    "downstreamType": "FIELD",
                    "downstreams": [f"urn:li:schemaField:({_DATASET_URN},id)"],
                }
            ],
        },
    ),
)


@dataclass(frozen=True, slots=True)
class Request:
    """A request as its bytes; `label` says which operation it is for."""

    label: str
    method: str
    content: bytes


class Requests:
    """Requests by their numbers: the same number and seed make the same request."""

    def __init__(self, page: Mapping[str, Any], seed: int, generated: Sequence[Request] = ()) -> None:
        self._seed = seed
        self._generated = generated
        self._page = page
        self._operations = [
            (path, method, operation, (*described.get("parameters", ()), *operation.get("parameters", ())))
            for path, described in sorted(page["paths"].items())
            for method, operation in described.items()
            if method in {"get", "post", "put", "patch", "delete"}
        ]

    def __getitem__(self, number: int) -> Request:
        if number < len(self._generated):
            return self._generated[number]
        random = Random(f"{self._seed}:{number}")
        how = random.random()
        if how < 0.45:
            return self._events(random)
        if how < 0.6:
            return self._proposals(random)
        return self._operation(random)

    def _events(self, random: Random) -> Request:
        path = random.choice(_EVENT_PATHS)
        if path.endswith("batch"):
            many = [_event(random) for _ in range(random.randint(1, 6))]
            as_lines = random.random() < 0.5
            separator = b"\n" if as_lines else b","
            body = separator.join(line.replace(b"\n", b" ") for line in many)
            kind = b"application/x-ndjson" if as_lines else _JSON
            return _request(random, path, "POST", path, body if as_lines else b"[" + body + b"]", kind)
        return _request(random, path, "POST", path, _event(random), _JSON)

    def _proposals(self, random: Random) -> Request:
        name, value = random.choice(_ASPECTS)
        record: dict[str, Any] = {
            "entityType": "dataset",
            "entityUrn": _DATASET_URN,
            "changeType": random.choice(("UPSERT", "UPSERT", "PATCH", "DELETE", "CREATE")),
            "aspectName": name,
            "aspect": {"value": json.dumps(changed(value, random)), "contentType": "application/json"},
            "systemMetadata": {"lastObserved": 1_767_225_600_000},
        }
        record = changed(record, random) if random.random() < 0.5 else record
        choice = random.random()
        if choice < 0.4:
            target, body = "/aspects?action=ingestProposal", {"proposal": record}
        elif choice < 0.6:
            target, body = "/aspects?action=ingestProposalBatch", {"proposals": [record, record]}
        elif choice < 0.8:
            target = "/openapi/v3/entity/dataset?createIfNotExists=" + random.choice(("true", "false"))
            body = [changed({"urn": _DATASET_URN, name: {"value": value}}, random)]  # type: ignore[assignment]
        else:
            snapshot = {"urn": _DATASET_URN, "aspects": [{f"com.linkedin.pegasus2avro.x.{name}": value}]}
            target = "/entities?action=ingest"
            body = changed({"entity": {"value": {"com.linkedin.DatasetSnapshot": snapshot}}}, random)
        method = "PATCH" if target.startswith("/openapi") and random.random() < 0.3 else "POST"
        return _request(random, target.partition("?")[0], method, target, written(body, random), _JSON)

    def _operation(self, random: Random) -> Request:
        path, method, operation, parameters = random.choice(self._operations)
        target = path
        query: list[tuple[str, str]] = []
        for parameter in parameters:
            name = parameter["name"]
            if parameter["in"] == "path":
                target = target.replace(f"{{{name}}}", _segment(_value(name, random), random))
            elif parameter["in"] == "query" and (parameter.get("required") or random.random() < 0.4):
                query.append((name, _value(name, random)))
        if random.random() < 0.05:
            query.append((random.choice(TEXTS), random.choice(TEXTS)))
        if query:
            target += "?" + _query(query, random)
        body = b""
        if "requestBody" in operation:
            body = written(self._body(operation, random), random)
        verb = random.choice(_METHODS) if random.random() < 0.05 else method.upper()
        return _request(random, f"{method.upper()} {path}", verb, target, body, _JSON)

    def _body(self, operation: Mapping[str, Any], random: Random) -> object:
        content = operation["requestBody"]["content"]
        schema = content.get("application/json", {}).get("schema", {})
        good = self._example(schema, random, 0)
        return changed(good, random) if random.random() < 0.6 else good

    def _example(self, schema: Mapping[str, Any], random: Random, level: int) -> Any:  # noqa: ANN401, C901, PLR0911  JSON
        """A value that a schema describes, more or less."""
        if "$ref" in schema:
            found: Any = self._page
            for part in schema["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            return self._example(found, random, level)
        for choice in ("anyOf", "oneOf", "allOf"):
            if choice in schema:
                return self._example(random.choice(schema[choice]), random, level)
        if "enum" in schema:
            return random.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        kind = schema.get("type")
        kind = random.choice(kind) if isinstance(kind, list) else kind
        if kind == "object":
            required = set(schema.get("required", ()))
            return {
                name: _value(name, random)
                if name in _KNOWN and inner.get("type", "string") == "string"
                else self._example(inner, random, level + 1)
                for name, inner in schema.get("properties", {}).items()
                if name in required or (level < 4 and random.random() < 0.5)
            }
        if kind == "array":
            return [self._example(schema.get("items", {}), random, level + 1) for _ in range(random.randint(0, 2))]
        if kind in {"integer", "number"}:
            return random.choice((0, 1, 7))
        if kind == "boolean":
            return random.random() < 0.5
        return None if kind == "null" else random.choice(TEXTS)


def _event(random: Random) -> bytes:
    example = random.choice(EXAMPLES)
    return written(changed(example, random) if random.random() < 0.9 else example, random)


def _value(name: str, random: Random) -> str:
    if name in _KNOWN and random.random() < 0.6:
        return random.choice(_KNOWN[name])
    return random.choice(TEXTS) if random.random() < 0.9 else str(odd_value(random))


def _segment(value: str, random: Random) -> str:
    """A value as a segment of a path, at times with bytes that are no UTF-8."""
    if random.random() < 0.05:
        return random.choice(("%", "%zz", "%ff%fe", "%ed%a0%80", "%00", "%2e%2e", "%2F%2F", "..", "\xff"))
    return quote(value.encode(errors="surrogatepass"), safe=random.choice(("", ":", "/:")))


def _query(parameters: Sequence[tuple[str, str]], random: Random) -> str:
    text = urlencode(
        [(name.encode(errors="surrogatepass"), value.encode(errors="surrogatepass")) for name, value in parameters]
    )
    return text if random.random() < 0.95 else text.replace("%", random.choice(("", "%%", "%ed%a0%80")), 3) + "&&=&a"


def _request(  # noqa: PLR0913, PLR0917  the parts of a request
    random: Random, label: str, method: str, target: str, body: bytes, kind: bytes
) -> Request:
    """The bytes of a request; a header or two may be odd."""
    headers: dict[bytes, bytes] = {b"Host": b"localhost"}
    if body or method in {"POST", "PUT", "PATCH"}:
        headers[b"Content-Type"] = kind
    if body and random.random() < 0.05:
        packed = gzip.compress(body, 1, mtime=0)
        body = packed if random.random() < 0.8 else packed[: random.randrange(len(packed))]
        headers[b"Content-Encoding"] = b"gzip"
    for name, values in random.sample(_HEADERS, random.choice((0, 0, 0, 0, 1, 2))):
        headers[name] = random.choice(values)
    if random.random() < 0.02:
        headers[b"X-Odd"] = random.choice(TEXTS).encode(errors="surrogatepass")
    if body or method in {"POST", "PUT", "PATCH"}:
        if body and random.random() < 0.1:
            headers[b"Transfer-Encoding"] = b"chunked"
            cut = random.randrange(len(body) + 1)
            pieces = [piece for piece in (body[:cut], body[cut:]) if piece]
            body = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
        else:
            headers[b"Content-Length"] = b"%d" % len(body)
    head = b"".join(b"%b: %b\r\n" % item for item in headers.items())
    line = f"{method} {target} HTTP/1.1\r\n".encode("utf-8", errors="replace")
    return Request(label, method, line + head + b"\r\n" + body)


def generated_by_schemathesis(page: Mapping[str, Any], examples: int, seed: int) -> Iterator[Request]:
    """Requests that schemathesis makes of the page: some that it describes, and some that it does not."""
    import schemathesis  # noqa: PLC0415  it takes a second
    from hypothesis import HealthCheck, Phase, given, settings  # noqa: PLC0415
    from hypothesis import seed as seeded  # noqa: PLC0415
    from hypothesis.errors import Unsatisfiable  # noqa: PLC0415

    plain = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    cases: list[Any] = []
    schema = schemathesis.openapi.from_dict(dict(page))
    results: list[Any] = list(schema.get_all_operations())
    for operation in (result.ok() for result in results):
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
            take = seeded(seed)(plain(given(case=operation.as_strategy(generation_mode=mode))(_into(cases))))
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    take()
            except Unsatisfiable:
                continue  # nothing is wrong for an operation without parameters
    random = Random(seed)
    for case in cases:
        target = case.formatted_path.encode(errors="surrogatepass").decode("latin-1")
        query = {name: value if isinstance(value, list) else [value] for name, value in dict(case.query or {}).items()}
        pairs = [(str(name), str(value)) for name, values in query.items() for value in values]
        target = quote(target, safe="/%:@~!$&'()*+,;=") + ("?" + _query(pairs, random) if pairs else "")
        body = case.body if isinstance(case.body, bytes) else b""
        if not isinstance(case.body, bytes) and case.media_type is not None:
            body = json.dumps(case.body, default=str).encode()
        kind = (case.media_type or "application/json").encode()
        yield _request(random, case.operation.label, case.method, target, body, kind)


def _into(cases: list[Any]) -> Any:  # noqa: ANN401  a test of hypothesis
    def take(case: Any) -> None:  # noqa: ANN401  schemathesis's own
        cases.append(case)

    return take

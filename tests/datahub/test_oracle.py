"""DataHub's own package says the same: URNs, and paths of version 2 from its converters."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from tests.datahub import oracle

from headwater.datahub.schemas.formats import Format, tree_of
from headwater.fields import make_urn
from headwater.fields.errors import BadUrn
from headwater.fields.paths_v2 import v2_paths
from headwater.fields.urn import Urn

SEED = 20_260_815
_AVRO = ["int", "long", "string", "boolean", "double", "bytes"]
_JSON = ["string", "integer", "number", "boolean"]


class _Avro:
    """Avro schemas at random; names of types are given once."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311  not for secrets
        self.names: list[str] = []

    def type(self, depth: int) -> Any:  # noqa: ANN401, PLR0911  JSON; a kind each
        kind = self.rng.choice(["scalar", "scalar", "record", "array", "map", "option", "union", "enum", "again"])
        if kind == "again" and self.names:
            return self.rng.choice(self.names)
        if kind == "enum":
            return {"type": "enum", "name": self.name(), "symbols": ["A", "B"]}
        if depth == 0 or kind in {"scalar", "again"}:
            return self.rng.choice(_AVRO)
        if kind == "record":
            return self.record(depth)
        if kind == "array":
            return {"type": "array", "items": self.type(depth - 1)}
        if kind == "map":
            return {"type": "map", "values": self.type(depth - 1)}
        if kind == "option":
            return self.rng.sample(["null", self.rng.choice(_AVRO)], 2)
        return ["int", *(["null"] if self.rng.random() < 0.5 else []), self.record(depth - 1), "string"]

    def record(self, depth: int) -> Any:  # noqa: ANN401  JSON
        # Named once it is whole: DataHub's converter does not come to an end on most records that are inside
        # themselves.
        name = f"R{self.rng.randrange(10**9)}"
        fields = [{"name": f"f{at}", "type": self.type(max(depth - 1, 0))} for at in range(self.rng.randint(1, 4))]
        self.names.append(name)
        return {"type": "record", "name": name, "fields": fields}

    def name(self) -> str:
        return f"E{self.rng.randrange(10**9)}"


def _json_type(rng: random.Random, depth: int) -> Any:  # noqa: ANN401, PLR0911  JSON; a kind each
    kind = rng.choice(["scalar", "scalar", "object", "array", "map", "option", "union", "enum"])
    if kind == "enum":
        return {"enum": ["a", "b"]}
    if depth == 0 or kind == "scalar":
        return {"type": rng.choice(_JSON), **({"format": "date"} if rng.random() < 0.3 else {})}
    if kind == "object":
        titled = {"title": f"T{rng.randrange(10**9)}"} if rng.random() < 0.5 else {}
        names = [f"f{at}" for at in range(rng.randint(1, 4))]
        return {"type": "object", **titled, "properties": {name: _json_type(rng, depth - 1) for name in names}}
    if kind == "array":
        return {"type": "array", "items": _json_type(rng, depth - 1)}
    if kind == "map":
        return {"type": "object", "additionalProperties": _json_type(rng, depth - 1)}
    if kind == "option":
        return {"type": rng.sample(["null", rng.choice(_JSON)], 2)}
    return {rng.choice(["oneOf", "anyOf"]): [_json_type(rng, depth - 1) for _ in range(rng.randint(1, 3))]}


def _ours(text: str, format_: Format) -> list[str]:
    return [found.path for found in v2_paths(tree_of(text.encode(), format_))]


def _same(question: str, texts: list[str], format_: Format) -> None:
    answers = oracle.ask(question, texts)
    assert sum(answer is not None for answer in answers) > len(answers) / 2  # DataHub itself fails on some
    for text, answer in zip(texts, answers, strict=True):
        if answer is not None:
            assert (text, _ours(text, format_)) == (text, answer)


def test_avro_at_random_has_datahubs_paths() -> None:
    pytest.importorskip("fastavro", reason="needs fastavro: pip install 'headwater[datahub]'")
    _same("avro", [json.dumps(_Avro(SEED + at).record(3)) for at in range(150)], Format.AVRO)


def test_json_schemas_at_random_have_datahubs_paths() -> None:
    rng = random.Random(SEED)  # noqa: S311  not for secrets
    texts = [
        json.dumps({"type": "object", "properties": {f"p{at}": _json_type(rng, 3) for at in range(3)}})
        for _ in range(150)
    ]
    _same("json-schema", texts, Format.JSON_SCHEMA)


def test_protobuf_has_datahubs_paths() -> None:
    pytest.importorskip("protoxy", reason="needs protoxy: pip install 'headwater[datahub]'")
    # Packages keep them apart: DataHub compiles all of them into one pool.
    head = 'syntax = "proto3";\npackage p.q{};\n'
    bodies = [
        "message M { oneof x { int32 p = 1; string q = 2; } repeated bytes l = 3; }",
        "message A { B b = 1; map<string, B> m = 2; }\nmessage B { fixed32 f = 1; bool g = 2; }",
        "message A { sint64 x = 1; }\nmessage B { A a = 1; }\nmessage C { A a = 1; double d = 2; }",
    ]
    texts = [head.format(at) + body for at, body in enumerate(bodies)]
    _same("proto", texts, Format.PROTO)


def test_columns_have_datahubs_paths() -> None:
    types = [
        "int", "bigint", "string", "varchar(20)", "decimal(10,2)", "date", "timestamp", "boolean", "binary", "float",
        "array<int>", "map<string,int>", "struct<a:int,b:string>", "array<struct<c:string,d:array<int>>>",
        "map<string,struct<x:int,y:map<string,bigint>>>",
    ]  # fmt: skip
    for type_, answer in zip(types, oracle.ask("hive", [["col", one] for one in types]), strict=True):
        assert (type_, _ours(f"col {type_}", Format.SPARK)) == (type_, answer)


def test_urns_are_datahubs() -> None:
    parts = [
        ("kafka", "demo.orders", "PROD", ""), ("s3", "a/b,c(d)", "DEV", ""), ("x)%(),␟", "t%(),␟", "PROD", "i%(),␟"),
        ("hive", "größe.ñ", "QA", "eu"),
    ]  # fmt: skip
    made = [str(make_urn.dataset(platform, name, env, instance)) for platform, name, env, instance in parts]
    assert made == oracle.ask("dataset", parts)
    fields = [(one, "count(1), [version=2.0].x") for one in made]
    assert [str(make_urn.schema_field(*one)) for one in fields] == oracle.ask("schema-field", fields)


def test_what_is_a_urn_is_datahubs_opinion_too() -> None:
    # Of kinds that it does not know DataHub also takes brackets that do not match; we do not.
    texts = [
        "urn:li:tag:a:b", "urn:li:tag:", "urn:li:tag:(a)", "urn:li:x:(a,b)", "urn:li:x:()", "urn:li:x:a",
        "urn:li:dataset:(urn:li:dataPlatform:a,b,PROD)", "urn:li:dataset:(urn:li:tag:a,b,PROD)", "urn:li", "x",
        "urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:a,b,PROD),c)", "urn:li:corpuser:a,b",
    ]  # fmt: skip
    accepted = {text: answer is not None for text, answer in zip(texts, oracle.ask("parse", texts), strict=True)}
    assert {text: _is_urn(text) for text in texts} == accepted


def _is_urn(text: str) -> bool:
    try:
        Urn.parse(text)
    except BadUrn:
        return False
    return True

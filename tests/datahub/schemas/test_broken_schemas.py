"""Broken, deep, wide and cyclic schemas: a tree or a clear error, in bounded time and memory."""

from __future__ import annotations

import io
import json
import random
import resource
from collections.abc import Iterator

import pyarrow as pa
import pytest
from pyarrow import orc, parquet
from tests.datahub.schemas.samples import LONG_LIST, PROTO, RFC

from headwater.datahub.schemas.formats import Format, tree_of
from headwater.datahub.schemas.listing import field_list
from headwater.fields.errors import BadSchema, DataHubError, MissingLibrary
from headwater.fields.schema_tree import MOST

SEED = 20_260_815
JSON_SCHEMA = json.dumps(
    {
        "type": "object",
        "$defs": {"N": {"title": "N", "properties": {"next": {"$ref": "#/$defs/N"}, "v": {"enum": [1, "a"]}}}},
        "properties": {
            "a": {"$ref": "#/$defs/N"},
            "b": {"anyOf": [{"type": "string"}, {"type": "array", "items": {}}]},
        },
    }
)
DDL = "CREATE TABLE t (a INT NOT NULL COMMENT 'x', `b c` STRUCT<d: ARRAY<MAP<STRING, DECIMAL(10,2)>>>)"
FACET = json.dumps({"fields": [{"name": "a", "type": "struct", "fields": [{"name": "b", "type": "array<int>"}]}]})
SPARK = json.dumps({"type": "struct", "fields": [{"name": "a", "type": {"type": "array", "elementType": "long"}}]})
JUNK = [
    b"{",
    b"}",
    b"[",
    b'"type"',
    b"null",
    b"-1",
    b'{"type":',
    b"\x00",
    b"\xff",
    b"<",
    b">",
    b",",
    b'"$ref": "#"',
    b"1e999",
]


def _files() -> Iterator[tuple[Format, bytes]]:
    table = pa.table({"a": [1], "b": [[{"c": "x"}]]})
    for write, format_ in ((parquet.write_table, Format.PARQUET), (orc.write_table, Format.ORC)):
        file = io.BytesIO()
        write(table, file)
        yield format_, file.getvalue()


TEXTS = [
    (Format.AVRO, RFC.encode()),
    (Format.AVRO, LONG_LIST.encode()),
    (Format.JSON_SCHEMA, JSON_SCHEMA.encode()),
    (Format.PROTO, PROTO.encode()),
    (Format.DESCRIPTORS, b'\n\x1e\n\x07a.proto"\x13\n\x01M\x12\x0e\n\x01x\x18\x01 \x01(\x05R\x01x'),
    (Format.SPARK, DDL.encode()),
    (Format.HIVE, DDL.encode()),
    (Format.SQL, DDL.encode()),
    (Format.SPARK_JSON, SPARK.encode()),
    (Format.OPENLINEAGE, FACET.encode()),
    *_files(),
]


def _broken(content: bytes, rng: random.Random) -> bytes:
    """The same with some of it cut, doubled, moved or overwritten."""
    made = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        at, end = sorted(rng.randrange(len(made) + 1) for _ in range(2))
        what = rng.randrange(4)
        if what == 0:
            del made[at : min(end, at + 20)]
        elif what == 1:
            made[at:at] = rng.choice(JUNK)
        elif what == 2:
            made[at:at] = made[at : min(end, at + 40)]
        elif made:
            made[at % len(made)] = rng.randrange(256)
    return bytes(made)


@pytest.mark.parametrize(("format_", "content"), TEXTS, ids=lambda one: one.value if isinstance(one, Format) else "")
def test_a_broken_schema_gives_a_tree_or_a_clear_error(format_: Format, content: bytes) -> None:
    rng = random.Random(SEED)  # noqa: S311  not for secrets
    outcomes = {_outcome(_broken(content, rng), format_) for _ in range(150)}
    if "missing" in outcomes:
        pytest.skip(f"the library that reads {format_.value} is not installed: pip install 'headwater[datahub]'")
    assert "error" in outcomes


def _outcome(content: bytes, format_: Format) -> str:
    try:
        schema = tree_of(content, format_)
        for kind in ("rfc", "v2", "v1"):
            field_list(schema, kind).to_dict()
    except MissingLibrary:
        return "missing"
    except DataHubError as error:
        said = str(error)
        assert said.endswith(".")
        assert "\n" not in said
        assert len(said) < 800
        return "error"
    return "tree"


def _deep(levels: int) -> Iterator[tuple[Format, str]]:
    avro = '{"type":"array","items":' * levels + '"int"' + "}" * levels
    yield Format.AVRO, avro
    yield Format.AVRO, "[" * levels + "]" * levels
    yield Format.JSON_SCHEMA, '{"type":"array","items":' * levels + "{}" + "}" * levels
    yield Format.JSON_SCHEMA, '{"anyOf":[' * levels + "{}" + "]}" * levels
    yield Format.SPARK_JSON, '{"type":"array","elementType":' * levels + '"int"' + "}" * levels
    inner = '"fields":[{"name":"a",' * levels + '"type":"x"' + "}]" * levels
    yield Format.OPENLINEAGE, '{"fields":[{"name":"a","type":"struct",' + inner + "}]}"
    yield Format.SPARK, "a " + "array<" * levels + "int" + ">" * levels
    yield Format.SQL, "CREATE TABLE t (a " + "(" * levels + ")" * levels + ")"
    yield Format.PROTO, 'syntax = "proto3";' + "message M {" * levels + "}" * levels


@pytest.mark.parametrize("levels", [1_000, 100_000])
def test_deep_nesting_is_refused(levels: int) -> None:
    for format_, text in _deep(levels):
        assert (format_, _outcome(text.encode(), format_)) in {(format_, "error"), (format_, "missing")}


def _bomb(kind: Format) -> str:
    """Each of forty types has two of the next: a small text for a tree that no machine can hold."""
    if kind is Format.AVRO:
        inner: object = "int"
        for at in range(40):
            again = f"R{at - 1}" if at else "int"
            fields = [{"name": "a", "type": inner}, {"name": "b", "type": again}]
            inner = {"type": "record", "name": f"R{at}", "fields": fields}
        return json.dumps(inner)
    if kind is Format.JSON_SCHEMA:
        both = {f"R{at}": {"properties": {name: {"$ref": f"#/$defs/R{at + 1}"} for name in "ab"}} for at in range(40)}
        return json.dumps({"$ref": "#/$defs/R0", "$defs": {**both, "R40": {"type": "string"}}})
    messages = "".join(f"message R{at} {{ R{at + 1} a = 1; R{at + 1} b = 2; }}" for at in range(40))
    return f'syntax = "proto3"; {messages} message R40 {{ int32 x = 1; }}'


@pytest.mark.parametrize("format_", [Format.AVRO, Format.JSON_SCHEMA, Format.PROTO])
def test_a_schema_that_grows_by_its_references_is_refused_in_bounded_memory(format_: Format) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises((BadSchema, MissingLibrary), match=f"more than {MOST:,}|needs "):
        tree_of(_bomb(format_).encode(), format_)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # in kB


@pytest.mark.parametrize(
    "text",
    [
        '{"$ref": "#"}',
        '{"properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"}}}',
        '{"anyOf": [{"$ref": "#"}, {"type": "null"}]}',
        '{"properties": {"p": {}}, "oneOf": [{"$ref": "#"}, {"$ref": "#"}]}',
        '{"type": "array", "items": {"$ref": "#"}}',
        '{"additionalProperties": {"$ref": "#"}}',
        '{"allOf": [{"$ref": "#"}]}',
    ],
)
def test_references_that_lead_back_come_to_an_end(text: str) -> None:
    assert _outcome(text.encode(), Format.JSON_SCHEMA) in {"tree", "error"}


def test_a_wide_schema_is_read() -> None:
    columns = ", ".join(f"c{at} INT" for at in range(2_000))
    assert len(field_list(tree_of(columns.encode(), Format.SPARK), "rfc").paths) == 2_000

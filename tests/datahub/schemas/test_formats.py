"""Every format becomes a tree, and the tree the three kinds of paths."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import orc, parquet
from tests.datahub.schemas.samples import LONG_LIST, PROTO, RFC

from headwater.datahub.schemas.formats import Format, guess_format, tree_of
from headwater.datahub.schemas.libraries import needed
from headwater.fields.errors import BadSchema, MissingLibrary
from headwater.fields.paths_rfc import rfc_paths
from headwater.fields.paths_v2 import v1_paths, v2_paths
from headwater.fields.schema_tree import Map, Record, Recursive, Schema

NESTED = "id BIGINT NOT NULL COMMENT 'the key', h STRUCT<a: INT, l: ARRAY<STRUCT<x: STRING>>>, m MAP<STRING, DOUBLE>"
LEAVES = ["/id", "/h/a", "/h/l/_element/x", "/m/key", "/m/value"]


def _rfc(schema: Schema) -> list[str]:
    return [found.path for found in rfc_paths(schema)]


def _tree(text: str, format_: Format) -> Schema:
    needs = {Format.AVRO: "fastavro", Format.PROTO: "protoxy"}
    if format_ in needs:
        pytest.importorskip(needs[format_], reason=f"needs {needs[format_]}: pip install 'headwater[datahub]'")
    return tree_of(text.encode(), format_)


def test_the_rfcs_schema_has_the_paths_of_all_three_kinds() -> None:
    schema = _tree(RFC, Format.AVRO)
    assert _rfc(schema) == ["/foo1", "/foo2/bar1", "/foo2/bar2/int"]
    assert [(found.path, found.nullable) for found in v2_paths(schema)] == [
        ("[version=2.0].[type=Record1].[type=int].foo1", False),
        ("[version=2.0].[type=Record1].[type=Record2].foo2", False),
        ("[version=2.0].[type=Record1].[type=Record2].foo2.[type=string].bar1", False),
        ("[version=2.0].[type=Record1].[type=Record2].foo2.[type=int].bar2", True),
    ]
    assert [found.path for found in v1_paths(schema)] == ["foo1", "foo2", "foo2.bar1", "foo2.bar2"]


def test_a_list_inside_itself_ends_and_says_so() -> None:
    schema = _tree(LONG_LIST, Format.AVRO)
    assert [(found.path, isinstance(found.type, Recursive)) for found in rfc_paths(schema)] == [
        ("/value", False),
        ("/next/LongList", True),
    ]
    assert [found.path for found in v2_paths(schema)][-1] == "[version=2.0].[type=LongList].[type=LongList].next"


def test_branches_of_one_name_keep_their_namespaces() -> None:
    records = [
        {"type": "record", "name": name, "fields": [{"name": "f", "type": "int"}]} for name in ("a.X", "b.X", "b.Y")
    ]
    schema = _tree(json.dumps({"type": "record", "name": "R", "fields": [{"name": "u", "type": records}]}), Format.AVRO)
    assert _rfc(schema) == ["/u/a.X/f", "/u/b.X/f", "/u/Y/f"]


def test_a_slash_and_a_tilde_in_a_name_are_escaped_in_the_rfcs_paths_only() -> None:
    schema = _tree("`a/b` INT, `c~d` INT, `e.[f]` INT", Format.SPARK)
    assert _rfc(schema) == ["/a~1b", "/c~0d", "/e.[f]"]
    assert [found.path for found in v2_paths(schema)] == [
        "[version=2.0].[type=int].a/b",
        "[version=2.0].[type=int].c~d",
        "[version=2.0].[type=int].e.[f]",
    ]


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        (NESTED, Format.SPARK),
        (f"CREATE TABLE t ({NESTED})", Format.SPARK),
        (f"CREATE TABLE t ({NESTED})", Format.HIVE),
        ("struct<id:bigint,h:struct<a:int,l:array<struct<x:string>>>,m:map<string,double>>", Format.SPARK),
        ("CREATE TABLE t (id BIGINT, h ROW(a INT, l ARRAY(ROW(x VARCHAR))), m MAP(VARCHAR, DOUBLE))", Format.SQL),
    ],
)
def test_sql_becomes_its_leaves(text: str, format_: Format) -> None:
    assert _rfc(_tree(text, format_)) == LEAVES


def test_what_sql_says_of_a_column_is_kept() -> None:
    schema = _tree(f"CREATE TABLE t ({NESTED}) PARTITIONED BY (day DATE) STORED AS ORC", Format.HIVE)
    assert isinstance(schema.root, Record)
    key, *_, day = schema.root.fields
    assert (key.nullable, key.description, day.name) == (False, "the key", "day")


def test_sparks_json_is_read_as_spark_reads_it() -> None:
    types = pytest.importorskip("pyspark.sql.types", reason="needs PySpark: pip install 'headwater[spark]'")
    written = types.StructType(
        [
            types.StructField("id", types.LongType(), nullable=False, metadata={"comment": "the key"}),
            types.StructField(
                "h", types.StructType().add("a", "integer").add("l", types.ArrayType(types.StringType()))
            ),
            types.StructField("m", types.MapType(types.StringType(), types.DecimalType(10, 2))),
        ]
    )
    schema = _tree(written.json(), Format.SPARK_JSON)
    assert _rfc(schema) == ["/id", "/h/a", "/h/l/_element", "/m/key", "/m/value"]
    assert isinstance(schema.root, Record)
    assert [field.name for field in schema.root.fields] == types.StructType.fromJson(json.loads(written.json())).names
    assert (schema.root.fields[0].nullable, schema.root.fields[0].description) == (False, "the key")
    assert _rfc(_tree(written.simpleString(), Format.SPARK)) == _rfc(schema)


def test_files_of_parquet_and_orc_tell_their_schema() -> None:
    arrow = pa.schema(
        [
            pa.field("id", pa.int64(), nullable=False),
            ("h", pa.struct([("a", pa.int32()), ("l", pa.list_(pa.struct([("x", pa.string())])))])),
            ("m", pa.map_(pa.string(), pa.float64())),
        ]
    )
    table = arrow.empty_table()
    for write, format_ in ((parquet.write_table, Format.PARQUET), (orc.write_table, Format.ORC)):
        file = io.BytesIO()
        write(table, file)
        assert guess_format("data", file.getvalue()) is format_
        schema = tree_of(file.getvalue(), format_)
        assert _rfc(schema) == LEAVES
        assert v2_paths(schema)[-1].path == "[version=2.0].[type=struct].[type=map].[type=double].m"


def test_protobuf_has_its_maps_oneofs_and_a_message_inside_itself() -> None:
    schema = _tree(PROTO, Format.PROTO)
    found = {path.path: path.type for path in rfc_paths(schema)}
    assert list(found) == [
        "/id", "/lines/_element/sku", "/counts/key", "/counts/value", "/paid/card", "/paid/cash", "/table", "/parent",
        "/at/seconds", "/at/nanos",
    ]  # fmt: skip
    assert found["/parent"] == Recursive("shop_Order")
    v2 = [path.path for path in v2_paths(schema)]
    assert "[version=2.0].[type=shop_Order].[type=union].paid.[type=bool].cash" in v2
    assert "[version=2.0].[type=shop_Order].[type=array].[type=shop_Order_CountsEntry].counts.[type=long].value" in v2


def test_descriptors_are_the_same_as_their_proto(tmp_path: Path) -> None:
    protoxy = pytest.importorskip("protoxy", reason="needs protoxy: pip install 'headwater[datahub]'")
    file = tmp_path / "order.proto"
    file.write_text(PROTO, encoding="utf-8")
    content = protoxy.compile([file], [tmp_path]).SerializeToString()
    assert tree_of(content, Format.DESCRIPTORS) == tree_of(PROTO.encode(), Format.PROTO)


def test_a_proto_finds_its_imports_in_its_folder(tmp_path: Path) -> None:
    pytest.importorskip("protoxy", reason="needs protoxy: pip install 'headwater[datahub]'")
    (tmp_path / "other.proto").write_text('syntax = "proto3"; message Other { int32 x = 1; }', encoding="utf-8")
    text = b'syntax = "proto3"; import "other.proto"; message M { Other o = 1; }'
    assert _rfc(tree_of(text, Format.PROTO, tmp_path)) == ["/o/x"]


def test_a_facet_has_fields_in_fields_or_types_written_out() -> None:
    text = [{"name": "x", "type": "string"}]
    fields = [
        {"name": "id", "type": "bigint", "description": "the key"},
        {"name": "h", "type": "struct", "fields": [
            {"name": "a", "type": "int"},
            {"name": "l", "type": "array", "fields": [{"name": "_element", "type": "struct", "fields": text}]},
        ]},
        {"name": "m", "type": "map<string,double>"},
    ]  # fmt: skip
    schema = _tree(json.dumps({"schema": {"fields": fields}}), Format.OPENLINEAGE)
    assert _rfc(schema) == LEAVES
    assert isinstance(schema.root, Record)
    assert isinstance(schema.root.fields[2].type, Map)
    assert schema.root.fields[0].description == "the key"


def test_a_json_schema_follows_references_and_never_leaves_the_document() -> None:
    text = {"properties": {"a": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"properties": {"next": {"$ref": "#/$defs/N"}}}}}
    assert [
        (one.path, isinstance(one.type, Recursive)) for one in rfc_paths(_tree(json.dumps(text), Format.JSON_SCHEMA))
    ] == [("/a/next", True)]
    with pytest.raises(BadSchema, match="Cannot parse the"):
        _tree('{"properties": {"a": {"$ref": "https://example.com/x.json"}}}', Format.JSON_SCHEMA)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.avsc", b"", Format.AVRO),
        ("a.PROTO", b"", Format.PROTO),
        ("a.json", b'{"type": "record", "fields": []}', Format.AVRO),
        ("a.json", b'{"properties": {}}', Format.JSON_SCHEMA),
        ("a.json", b'{"fields": []}', Format.OPENLINEAGE),
        ("-", b'{"type": "struct", "fields": []}', Format.SPARK_JSON),
    ],
)
def test_the_format_is_told_by_the_name_or_by_what_is_in_it(name: str, content: bytes, expected: Format) -> None:
    assert guess_format(name, content) is expected


def test_a_format_that_cannot_be_told_is_asked_for() -> None:
    with pytest.raises(BadSchema, match="--format"):
        guess_format("a.txt", b"\x00\x01")


def test_a_missing_library_is_named_with_what_to_install() -> None:
    with pytest.raises(MissingLibrary, match=r"needs no_such_library: .*headwater\[datahub\]"):
        needed("no_such_library.inner", "such files")

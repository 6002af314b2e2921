"""What is rendered is read back, wherever the paths tell enough."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.fields.errors import BadSchema
from headwater.fields.paths_rfc import path_of, rfc_paths, steps_of
from headwater.fields.paths_v2 import downgraded, v1_paths, v2_paths
from headwater.fields.paths_v2_parse import groups_of, schema_of_v2
from headwater.fields.schema_tree import Array, Field, Map, Record, Recursive, Scalar, Schema, Type, Union

SCALARS = st.sampled_from([Scalar("int"), Scalar("string"), Scalar("string(uuid)"), Scalar("enum")])
# The rule: no `.[type=` in a name, none at its start, no `]` in a type's name, no type called array, map or union.
NAMES = st.text(st.sampled_from("abc/.[]~,( _"), min_size=1, max_size=6).filter(lambda name: ".[" not in name)
TYPE_NAMES = st.sampled_from(["A", "B", "Order", "struct"])


def _records(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    fields = st.lists(st.builds(Field, NAMES, types), min_size=1, max_size=4, unique_by=lambda field: field.name)
    return st.builds(Record, TYPE_NAMES, fields.map(tuple))


def _unions(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    branches = st.lists(
        types.filter(lambda type_: not isinstance(type_, Union)), min_size=2, max_size=3, unique_by=_token
    )
    return branches.map(lambda found: Union(tuple(Field(_token(one), one) for one in found)))


def _token(type_: Type) -> str:
    if isinstance(type_, Scalar | Record | Recursive):
        return type_.name
    return "array" if isinstance(type_, Array) else "map" if isinstance(type_, Map) else "union"


def _inside(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    maps = st.builds(Map, st.just(Scalar("string", "string")), types)
    return st.one_of(_records(types), st.builds(Array, types), maps, _unions(types))


TYPES = st.recursive(SCALARS, _inside, max_leaves=8)


@given(_records(TYPES), st.booleans())
def test_any_tree_of_records_is_itself_again_from_its_paths_of_version_2(root: Record, is_key: bool) -> None:  # noqa: FBT001
    schema = Schema(root, is_key=is_key)
    assert schema_of_v2(found.path for found in v2_paths(schema)) == schema


@given(st.lists(st.text(min_size=0, max_size=8), min_size=1, max_size=5))
def test_any_steps_are_themselves_again_from_a_path_of_the_rfc(steps: list[str]) -> None:
    assert steps_of(path_of(steps)) == tuple(steps)


@given(_records(TYPES))
def test_every_leaf_has_a_path_of_the_rfc_and_no_two_the_same(root: Record) -> None:
    paths = [found.path for found in rfc_paths(Schema(root))]
    assert len(set(paths)) == len(paths) == _leaves(root)


def _leaves(type_: Type) -> int:
    if isinstance(type_, Record):
        return sum(_leaves(field.type) for field in type_.fields)
    if isinstance(type_, Union):
        return sum(_leaves(field.type) for field in type_.branches)
    if isinstance(type_, Array):
        return _leaves(type_.item)
    return _leaves(type_.key) + _leaves(type_.value) if isinstance(type_, Map) else 1


@given(_records(TYPES))
def test_version_1_has_each_name_once(root: Record) -> None:
    paths = [found.path for found in v1_paths(Schema(root))]
    assert len(set(paths)) == len(paths)
    assert {field.name for field in root.fields} <= set(paths)


@given(st.text(max_size=40), st.sampled_from(["{}", "[version=2.0]{}", "[version=2.0].[type={}"]))
def test_any_text_is_a_path_or_a_clear_error(text: str, around: str) -> None:
    said = ""
    try:
        groups_of(around.format(text))
    except BadSchema as error:
        said = str(error)
    assert not said or "is not a v2 field path" in said


def test_paths_of_two_records_are_refused() -> None:
    with pytest.raises(BadSchema, match="must belong to one record"):
        schema_of_v2(["[version=2.0].[type=A].[type=int].a", "[version=2.0].[type=B].[type=int].a"])


@given(st.lists(st.sampled_from(["[type=", "[key=", "]", ".", "a", "["]), max_size=12).map("".join))
def test_types_are_taken_out_as_by_a_pattern(text: str) -> None:
    """As this one, which looks for the end of each type again."""
    assert downgraded(text) == re.sub(r"(?:^|(?<=\.))\[(?:version|key|type)=[^\]]*\](?:\.|$)", "", text)

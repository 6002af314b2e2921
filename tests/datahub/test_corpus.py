"""What DataHub's own tests say of schemas and URNs."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headwater.datahub.aspects.fine_grained import fine_grained
from headwater.datahub.naming.datasets import Naming, Registry, Symlink
from headwater.datahub.naming.store_names import StoreNames
from headwater.datahub.schemas.formats import Format, tree_of
from headwater.fields import make_urn
from headwater.fields.errors import BadUrn, MissingLibrary
from headwater.fields.paths_rfc import rfc_paths
from headwater.fields.paths_v2 import downgraded, v2_paths
from headwater.fields.urn import Urn, escape
from headwater.openlineage.model.parse import column_lineage

REPO = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("HEADWATER_CORPUS") or REPO.parent / "shared" / "corpus") / "datahub.jsonl"
if not CORPUS.is_file():
    pytest.skip("needs the corpus: set HEADWATER_CORPUS to the folder of datahub.jsonl", allow_module_level=True)

CASES = {case["id"]: case for case in map(json.loads, CORPUS.read_text(encoding="utf-8").splitlines())}
FORMATS = {"avro": Format.AVRO, "jsonschema": Format.JSON_SCHEMA, "protobuf": Format.PROTO}
# Where Headwater differs, and why.
DIFFERENT = {
    "protobuf-09": "DataHub loses a whole schema when a message is inside itself; ours ends at the message and says so",
    "urn-20": "path specs are DataHub's own setting; Headwater trims partitions when it names the dataset",
    "urn-24": "the same",
    "urn-25": "the same",
    "lineage-91": "of `name`, DataHub names the step of an input that it leaves out; ours are those of what is there",
}


def _of(kinds: set[str]) -> list[str]:
    return [id_ for id_, case in CASES.items() if case["kind"] in kinds and id_ not in DIFFERENT]


@pytest.mark.parametrize("id_", _of(set(FORMATS)))
def test_a_schema_has_the_paths_that_datahubs_tests_expect(id_: str) -> None:
    case = CASES[id_]
    given, expected = case["input"], case["expected"]
    text = given["schema"] if isinstance(given["schema"], str) else json.dumps(given["schema"])
    try:
        tree = tree_of(text.encode(), FORMATS[case["kind"]])
    except MissingLibrary as error:
        pytest.skip(str(error))
    found = v2_paths(replace(tree, is_key=given["is_key_schema"]))
    paths = [one.path for one in found]
    assert paths == expected.get("v2_field_paths", paths)
    assert set(expected.get("v2_field_paths_include", ())) <= set(paths)
    assert len(paths) == expected.get("field_count", len(paths))
    assert [one.nullable for one in found] == expected.get("nullable", [one.nullable for one in found])
    leaves = [one.path for one in rfc_paths(tree)]
    assert leaves == expected.get("rfc_leaf_paths", leaves)


def _is_urn(text: str) -> bool:
    try:
        return str(Urn.parse(text)) == text
    except BadUrn:
        return False


def _made(given: dict[str, Any]) -> str:
    if given["entity"] == "dataset":
        return str(make_urn.dataset(given["platform"], given["name"], given["env"], given.get("platform_instance")))
    if given["entity"] == "schemaField":
        return str(make_urn.schema_field(given["parent"], given["field_path"]))
    return str(make_urn.corp_user(*given["ids"]))


def _naming(config: dict[str, Any]) -> Naming:
    instances = {key: value["platformInstance"] for key, value in config.get("connections", {}).items()}
    return Naming(
        env=config.get("env", "PROD"),
        instance=config.get("dataset.platformInstance"),
        instances=instances,
        lower_case=config.get("lowerCaseUrns", False),
    )


@pytest.mark.parametrize("id_", _of({"urn"}))
def test_a_urn_is_what_datahubs_tests_expect(id_: str) -> None:
    given, expected = CASES[id_]["input"], CASES[id_]["expected"]
    if "parse" in given:
        urn = Urn.parse(given["parse"])
        assert (urn.kind, [str(part) for part in urn.parts]) == (expected["entity_type"], expected["entity_ids"])
        assert str(urn) == given["parse"]
    elif "parse_each" in given:
        valid = "all_valid" in expected
        assert [text for text in given["parse_each"] if _is_urn(text) is not valid] == []
    elif "construct" in given:
        assert _made(given["construct"]) == expected["urn"]
    elif "encode_each" in given:
        assert [escape(text) for text in given["encode_each"]] == given["encode_each"]
    elif "downgrade_each" in given:
        assert [downgraded(path) for path in given["downgrade_each"]] == expected["v1"]
    elif "downgrade_v2_to_v1" in given:
        field = Urn.parse(given["downgrade_v2_to_v1"])
        assert str(make_urn.schema_field(field.urn(0), downgraded(field.text(1)))) == expected["urn"]
    elif "openlineage_dataset" in given:
        dataset = given["openlineage_dataset"]
        links = [Symlink(one["namespace"], one["name"]) for one in dataset["symlinks"]]
        found = _naming(given["config"]).urn_of(dataset["namespace"], dataset["name"], links)
        assert str(found) == expected["urn"]
    else:
        registry = Registry(_naming(given["config"]))
        assert [registry.to_urn(*one).text(1) for one in given["openlineage_to_urn"]] == expected["names"]


FROM_OPENLINEAGE = [id_ for id_ in _of({"lineage"}) if "openlineage_output" in CASES[id_]["input"]]
"""The other cases of lineage are of DataHub's SQL parser, which Headwater has no need of."""


def _fine_grained(id_: str) -> tuple[str, list[dict[str, Any]]]:
    given = CASES[id_]["input"]
    output = given["openlineage_output"]
    names = StoreNames(Naming(env=given["config"]["env"]))
    name = (output["namespace"], output["name"])

    def field_urn(dataset: tuple[str, str], path: str) -> str:
        return str(make_urn.schema_field(names.urn_of(dataset), path))

    lineage = column_lineage({"fields": output["columnLineage_fields"]})
    indirect = given["config"]["includeIndirectColumnLineage"]
    return names.urn_of(name), fine_grained(lineage, name, lineage.columns, field_urn, indirect=indirect)


@pytest.mark.parametrize("id_", FROM_OPENLINEAGE)
def test_lineage_of_openlineage_is_written_as_datahubs_converter_does(id_: str) -> None:
    expected = CASES[id_]["expected"]
    urn, entries = _fine_grained(id_)
    assert urn == expected["output_urn"]
    assert entries[0]["transformOperation"] == expected["fineGrainedLineages[0].transformOperation"]


def test_without_indirect_inputs_there_are_as_many_upstreams_as_datahubs_converter_has() -> None:
    expected = CASES["lineage-91"]["expected"]
    _, entries = _fine_grained("lineage-91")
    for entry in entries:
        column = Urn.parse(entry["downstreams"][0]).text(1)
        assert len(entry["upstreams"]) == expected[column]["upstream_count"]
    assert entries[0]["transformOperation"] == expected["age"]["transformOperation"]

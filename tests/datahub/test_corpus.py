"""What DataHub's own tests say of schemas and URNs."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headwater.datahub import urns
from headwater.datahub.errors import BadUrn, MissingLibrary
from headwater.datahub.formats import Format, tree_of
from headwater.datahub.names import Naming, Registry, Symlink
from headwater.datahub.paths_rfc import rfc_paths
from headwater.datahub.paths_v2 import downgraded, v2_paths
from headwater.datahub.urn import Urn, escape

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
        return str(urns.dataset(given["platform"], given["name"], given["env"], given.get("platform_instance")))
    if given["entity"] == "schemaField":
        return str(urns.schema_field(given["parent"], given["field_path"]))
    return str(urns.corp_user(*given["ids"]))


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
        assert str(urns.schema_field(field.urn(0), downgraded(field.text(1)))) == expected["urn"]
    elif "openlineage_dataset" in given:
        dataset = given["openlineage_dataset"]
        links = [Symlink(one["namespace"], one["name"]) for one in dataset["symlinks"]]
        found = _naming(given["config"]).urn_of(dataset["namespace"], dataset["name"], links)
        assert str(found) == expected["urn"]
    else:
        registry = Registry(_naming(given["config"]))
        assert [registry.to_urn(*one).text(1) for one in given["openlineage_to_urn"]] == expected["names"]

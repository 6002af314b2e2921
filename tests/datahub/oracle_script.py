"""Run by a Python that has acryl-datahub: reads questions as JSON, prints DataHub's answers as JSON."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from importlib import import_module
from itertools import count
from typing import Any

logging.disable(logging.CRITICAL)
_NUMBERS = count()


def _paths(fields: Any) -> list[str]:  # noqa: ANN401  DataHub's
    return [field.fieldPath for field in fields]


def _avro(text: str) -> list[str]:
    library = import_module("datahub.ingestion.extractor.schema_util")
    return _paths(library.avro_schema_to_mce_fields(text, swallow_exceptions=False))


def _json_schema(text: str) -> list[str]:
    translator = import_module("datahub.ingestion.extractor.json_schema_util").JsonSchemaTranslator
    return _paths(translator.get_fields_from_schema(json.loads(text), swallow_exceptions=False))


def _protobuf(text: str) -> list[str]:
    library = import_module("datahub.ingestion.extractor.protobuf_util")
    name = f"oracle_{next(_NUMBERS)}.proto"
    return _paths(library.protobuf_schema_to_mce_fields(library.ProtobufSchema(name, text)))


def _hive(column: list[str]) -> list[str]:
    return _paths(import_module("datahub.utilities.hive_schema_to_avro").get_schema_fields_for_hive_column(*column))


def _dataset(parts: list[str]) -> str:
    platform, name, env, instance = parts
    builder = import_module("datahub.emitter.mce_builder")
    return str(builder.make_dataset_urn_with_platform_instance(platform, name, instance or None, env))


def _schema_field(parts: list[str]) -> str:
    return str(import_module("datahub.emitter.mce_builder").make_schema_field_urn(*parts))


def _parse(text: str) -> str:
    return str(import_module("datahub.metadata.urns").Urn.from_string(text).urn())


ASKED: dict[str, Callable[[Any], Any]] = {
    "avro": _avro,
    "json-schema": _json_schema,
    "proto": _protobuf,
    "hive": _hive,
    "dataset": _dataset,
    "schema-field": _schema_field,
    "parse": _parse,
}


def _answer(question: str, item: Any) -> Any:  # noqa: ANN401  JSON
    try:
        return ASKED[question](item)
    except Exception:  # noqa: BLE001  that it failed is the answer
        return None


if __name__ == "__main__":
    print(json.dumps([_answer(sys.argv[1], item) for item in json.load(sys.stdin)]))  # noqa: T201

"""Run by a Python that has acryl-datahub: reads questions as JSON, prints DataHub's answers as JSON."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from typing import Any

logging.disable(logging.CRITICAL)


def _avro(text: str) -> list[str]:
    from datahub.ingestion.extractor.schema_util import avro_schema_to_mce_fields  # noqa: PLC0415

    return [field.fieldPath for field in avro_schema_to_mce_fields(text, swallow_exceptions=False)]


def _json_schema(text: str) -> list[str]:
    from datahub.ingestion.extractor.json_schema_util import JsonSchemaTranslator  # noqa: PLC0415

    found = JsonSchemaTranslator.get_fields_from_schema(json.loads(text), swallow_exceptions=False)
    return [field.fieldPath for field in found]


def _protobuf(text: str) -> list[str]:
    from datahub.ingestion.extractor.protobuf_util import (  # noqa: PLC0415
        ProtobufSchema,
        protobuf_schema_to_mce_fields,
    )

    _protobuf.count = getattr(_protobuf, "count", 0) + 1  # type: ignore[attr-defined]
    name = f"oracle_{_protobuf.count}.proto"  # type: ignore[attr-defined]
    return [field.fieldPath for field in protobuf_schema_to_mce_fields(ProtobufSchema(name, text))]


def _hive(column: list[str]) -> list[str]:
    from datahub.utilities.hive_schema_to_avro import get_schema_fields_for_hive_column  # noqa: PLC0415

    return [field.fieldPath for field in get_schema_fields_for_hive_column(*column)]


def _dataset(parts: list[str]) -> str:
    from datahub.emitter.mce_builder import make_dataset_urn_with_platform_instance  # noqa: PLC0415

    platform, name, env, instance = parts
    return make_dataset_urn_with_platform_instance(platform, name, instance or None, env)


def _schema_field(parts: list[str]) -> str:
    from datahub.emitter.mce_builder import make_schema_field_urn  # noqa: PLC0415

    return make_schema_field_urn(*parts)


def _parse(text: str) -> str:
    from datahub.metadata.urns import Urn  # noqa: PLC0415

    return Urn.from_string(text).urn()


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

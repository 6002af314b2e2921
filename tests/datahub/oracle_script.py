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


def _record(record: dict[str, Any]) -> list[Any]:
    """What DataHub's file source makes of a record: whose it is, the class of the aspect, and the aspect again."""
    item = import_module("datahub.ingestion.source.file")._from_obj_for_file(record)
    assert item.validate()
    return [item.entityUrn, type(item.aspect).__name__, item.aspect.to_obj()]


def _patches(_: Any) -> list[Any]:  # noqa: ANN401  JSON
    """The proposals that DataHub's own builder of patches makes."""
    classes = import_module("datahub.metadata.schema_classes")
    target, source = (f"urn:li:dataset:(urn:li:dataPlatform:hive,db.{name},PROD)" for name in ("t", "s"))
    builder = import_module("datahub.specific.dataset").DatasetPatchBuilder(target)
    builder.add_upstream_lineage(classes.UpstreamClass(dataset=source, type="TRANSFORMED"))
    for column in ("b", "c"):
        fields = [f"urn:li:schemaField:({source},a)"], [f"urn:li:schemaField:({target},{column})"]
        builder.add_fine_grained_lineage(
            classes.FineGrainedLineageClass("FIELD_SET", "FIELD", *fields, transformOperation="DIRECT:IDENTITY")
        )
    builder.add_tag(classes.TagAssociationClass("urn:li:tag:pii"))
    builder.for_field("b").add_tag(classes.TagAssociationClass("urn:li:tag:secret"))
    builder.add_term(classes.GlossaryTermAssociationClass("urn:li:glossaryTerm:money"))
    return [item.to_obj() for item in builder.build()]


ASKED: dict[str, Callable[[Any], Any]] = {
    "avro": _avro,
    "json-schema": _json_schema,
    "proto": _protobuf,
    "hive": _hive,
    "dataset": _dataset,
    "schema-field": _schema_field,
    "parse": _parse,
    "record": _record,
    "patches": _patches,
}


def _answer(question: str, item: Any) -> Any:  # noqa: ANN401  JSON
    try:
        return ASKED[question](item)
    except Exception:  # noqa: BLE001  that it failed is the answer
        return None


if __name__ == "__main__":
    print(json.dumps([_answer(sys.argv[1], item) for item in json.load(sys.stdin)]))  # noqa: T201

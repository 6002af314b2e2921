"""DataHub's stock client against a server: run by the Python that has acryl-datahub; prints what it was told as JSON.

Every wire form writes a dataset of its own from the same source, so that each is seen to work by itself.
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

warnings.simplefilter("ignore")
s = import_module("datahub.metadata.schema_classes")
_graph = import_module("datahub.ingestion.graph.client")
Emitter = import_module("datahub.emitter.rest_emitter").DatahubRestEmitter
Wrapper = import_module("datahub.emitter.mcp").MetadataChangeProposalWrapper
PatchBuilder = import_module("datahub.specific.dataset").DatasetPatchBuilder

SOURCE = "urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD)"


def made(name: str) -> str:
    return f"urn:li:dataset:(urn:li:dataPlatform:hive,demo.{name},PROD)"


def field(dataset: str, name: str) -> str:
    return f"urn:li:schemaField:({dataset},{name})"


def schema(*names: str) -> Any:  # noqa: ANN401  DataHub's
    return s.SchemaMetadataClass(
        schemaName="orders",
        platform="urn:li:dataPlatform:kafka",
        version=0,
        hash="",
        platformSchema=s.OtherSchemaClass(rawSchema=""),
        fields=[
            s.SchemaFieldClass(
                fieldPath=name, type=s.SchemaFieldDataTypeClass(type=s.StringTypeClass()), nativeDataType="string"
            )
            for name in names
        ],
    )


def fine(of: str, source: str = "total") -> Any:  # noqa: ANN401  DataHub's
    return s.FineGrainedLineageClass(
        upstreamType="FIELD_SET",
        downstreamType="FIELD",
        upstreams=[field(SOURCE, source)],
        downstreams=[field(of, "amount")],
    )


def lineage(of: str, source: str = "total") -> Any:  # noqa: ANN401  DataHub's
    upstream = s.UpstreamClass(dataset=SOURCE, type="TRANSFORMED")
    return s.UpstreamLineageClass(upstreams=[upstream], fineGrainedLineages=[fine(of, source)])


def wrapped(urn: str, aspect: object) -> Any:  # noqa: ANN401  DataHub's
    return Wrapper(entityUrn=urn, aspect=aspect)


def patch(of: str) -> list[Any]:
    builder = PatchBuilder(of)
    builder.add_upstream_lineage(s.UpstreamClass(dataset=SOURCE, type="TRANSFORMED"))
    builder.add_fine_grained_upstream_lineage(fine(of))
    return list(builder.build())


def refused(call: Callable[[], object]) -> str:
    try:
        call()
    except Exception as error:  # noqa: BLE001  whatever the client raises
        return str(error)
    return ""


def run_page(file: str, url: str, token: str) -> None:
    """Run the program that the page shows; that the server asks for a token is all that differs."""
    vars(import_module("datahub.emitter.rest_emitter"))["DatahubRestEmitter"] = partial(Emitter, token=token)
    (program,) = re.findall(r"^```python\n(.*?)^```", Path(file).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    sys.argv[1:] = [url]
    exec(compile(program, file, "exec"), {"__name__": "__main__"})  # noqa: S102  our own page


def main(url: str, token: str, reader: str, page: str) -> dict[str, Any]:
    run_page(page, url, token)
    result: dict[str, Any] = {}
    for api, form in ((False, "restli"), (True, "openapi")):
        emitter = Emitter(url, token=token, openapi_ingestion=api)
        emitter.test_connection()
        emitter.emit_mcp(wrapped(SOURCE, schema("id", "total")))
        mcpw, mcp, batch, patched = (made(f"{form}_{item}") for item in ("mcpw", "mcp", "batch", "patch"))
        emitter.emit_mcp(wrapped(mcpw, schema("amount")))
        emitter.emit_mcp(wrapped(mcpw, lineage(mcpw)))
        for aspect in (schema("amount"), lineage(mcp)):
            emitter.emit_mcp(wrapped(mcp, aspect).make_mcp())
        emitter.emit_mcps([wrapped(batch, lineage(batch)), wrapped(batch, schema("amount"))])
        emitter.emit_mcp(wrapped(patched, schema("amount")))
        for item in patch(patched):
            emitter.emit_mcp(item)
        bad = [wrapped(made(f"{form}_kept"), schema("amount")), wrapped(batch, lineage(batch, "no_such_field"))]
        result[f"{form} refused"] = refused(partial(emitter.emit_mcps, bad))
        emitter.emit_mcps([wrapped(batch, lineage(batch))])
    snapshot = s.DatasetSnapshotClass(urn=made("mce"), aspects=[schema("amount"), lineage(made("mce"))])
    emitter.emit_mce(s.MetadataChangeEventClass(proposedSnapshot=snapshot))

    graph = _graph.DataHubGraph(_graph.DatahubClientConfig(server=url, token=token))
    mce = made("mce")
    result["paths"] = [item.fieldPath for item in graph.get_schema_metadata(SOURCE).fields]
    result["lineage"] = graph.get_aspect(mce, s.UpstreamLineageClass).to_obj() == lineage(mce).to_obj()
    result["exists"] = [graph.exists(mce), graph.exists(made("nothing"))]
    result["aspects"] = sorted(graph.get_entity_semityped(mce))
    result["entities"] = list(graph.get_entities("dataset", [mce, made("nothing")], ["schemaMetadata"]))
    way = graph.RelationshipDirection
    for urn, direction, kind in (
        (SOURCE, way.INCOMING, "DownstreamOf"),
        (SOURCE, way.OUTGOING, "HasField"),
        (field(mce, "amount"), way.OUTGOING, "DataDerivedFrom"),
        (field(SOURCE, "id"), way.INCOMING, "DownstreamOf"),
    ):
        result[f"{kind} {direction.value} {urn}"] = [
            item.urn for item in graph.get_related_entities(urn, [kind], direction)
        ]
    graph.emit(wrapped(made("to_delete"), schema("a")))
    rows, _ = graph.hard_delete_entity(made("to_delete"))
    result["deleted"] = [rows, graph.exists(made("to_delete"))]
    with graph.make_rest_sink() as sink:
        sink.emit_async(wrapped(made("sink"), s.DatasetPropertiesClass(description="By the sink.")))
    result["sink"] = graph.get_dataset_properties(made("sink")).description

    only = Emitter(url, token=reader, openapi_ingestion=False, retry_max_times=0)
    result["reader"] = refused(lambda: only.emit_mcp(wrapped(SOURCE, schema("id"))))
    result["nobody"] = refused(lambda: Emitter(url, token=f"{reader}x").test_connection())
    return result


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))  # noqa: T201  to who asked

"""Changes of DataHub as its files have them, and a store that has taken them in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from headwater.datahub.imports.ingest import Imported, Refused, import_changes, read_changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.store import Store

ORDERS = "urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD)"
FACTS = "urn:li:dataset:(urn:li:dataPlatform:hdfs,/demo/fact_orders,PROD)"
MINUTE = 60_000_000


def proposal(urn: str, aspect: str, value: Any, minute: int = 1, change: str = "UPSERT") -> dict[str, Any]:  # noqa: ANN401  JSON
    """An MCP as the file sink writes it."""
    return {
        "entityType": urn.split(":")[2],
        "entityUrn": urn,
        "changeType": change,
        "aspectName": aspect,
        "aspect": {"json": value},
        "systemMetadata": {"lastObserved": minute * 60_000},
    }


def schema(*paths: str, platform: str = "urn:li:dataPlatform:kafka") -> dict[str, Any]:
    """A schemaMetadata of fields that are all strings."""
    string: dict[str, Any] = {"type": {"com.linkedin.schema.StringType": {}}}
    return {
        "schemaName": "s",
        "platform": platform,
        "version": 0,
        "hash": "",
        "platformSchema": {"com.linkedin.schema.OtherSchema": {"rawSchema": ""}},
        "fields": [{"fieldPath": path, "type": string, "nativeDataType": "string", "nullable": True} for path in paths],
    }


def field(dataset: str, path: str) -> str:
    """The URN of a field of today."""
    return f"urn:li:schemaField:({dataset},{path})"


def derived(out: str, *sources: str, operation: str | None = "DIRECT:IDENTITY") -> dict[str, Any]:
    """A fine-grained entry."""
    entry: dict[str, Any] = {
        "upstreamType": "FIELD_SET" if sources else "NONE",
        "upstreams": list(sources),
        "downstreamType": "FIELD",
        "downstreams": [out],
        "confidenceScore": 1.0,
    }
    return entry if operation is None else {**entry, "transformOperation": operation}


def lineage(*entries: dict[str, Any], upstreams: Sequence[str] = (ORDERS,)) -> dict[str, Any]:
    """An upstreamLineage."""
    listed = [{"dataset": urn, "type": "TRANSFORMED"} for urn in upstreams]
    return {"upstreams": listed, "fineGrainedLineages": list(entries)}


def take_in(store: Store, records: Sequence[Any], *, lines: bool = False) -> Imported:
    """Import records, written as an array with each on one line, or as lines."""
    texts = [record if isinstance(record, str) else json.dumps(record) for record in records]
    text = "\n".join(texts) if lines else "[\n" + ",\n".join(texts) + "\n]"
    refused: list[Refused] = []
    done = import_changes(store, list(read_changes("f.json", text, 0, refused)))
    done.refused[:0] = refused
    return done

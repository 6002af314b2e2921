"""How fast DataHub's change proposals become lineage in a store.

Run: python -m benchmarks.bench_datahub

Each dataset has a schema of ten fields, a lineage of ten fields from two others, and tags: three proposals, each at a
moment of its own, as an ingestion of DataHub sends them. Read from the text of a file, built, and written to SQLite.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from benchmarks.measure import console
from benchmarks.stores import Figures, Place, places, remove, timed

from headwater.datahub.exporting import export_of
from headwater.datahub.importing import Imported, Refused, import_changes, read_changes
from headwater.datahub.names import Naming
from headwater.store import open_store

_DATASETS = 2_000
_FIELDS = 10
_START = 1_760_000_000_000


def _urn(number: int) -> str:
    return f"urn:li:dataset:(urn:li:dataPlatform:hive,shop.table_{number},PROD)"


def _field(number: int, field: int) -> str:
    return f"urn:li:schemaField:({_urn(number)},field_{field})"


def proposals(datasets: int) -> Iterator[dict[str, Any]]:
    """Three for each dataset."""
    for number in range(datasets):
        fields = [
            {
                "fieldPath": f"field_{at}",
                "nativeDataType": "string",
                "type": {"type": {"com.linkedin.schema.StringType": {}}},
            }
            for at in range(_FIELDS)
        ]
        sources = [source for source in (number - 1, number - 7) if source >= 0]
        entries = [
            {
                "upstreamType": "FIELD_SET",
                "upstreams": [_field(sources[at % len(sources)], at)],
                "downstreamType": "FIELD",
                "downstreams": [_field(number, at)],
                "transformOperation": "DIRECT:TRANSFORMATION: concat(a, b)",
                "confidenceScore": 1.0,
            }
            for at in range(_FIELDS if sources else 0)
        ]
        upstreams = [{"dataset": _urn(source), "type": "TRANSFORMED"} for source in sources]
        aspects: dict[str, dict[str, Any]] = {
            "schemaMetadata": {
                "schemaName": f"table_{number}",
                "platform": "urn:li:dataPlatform:hive",
                "fields": fields,
            },
            "upstreamLineage": {"upstreams": upstreams, "fineGrainedLineages": entries},
            "globalTags": {"tags": [{"tag": f"urn:li:tag:team_{number % 20}"}]},
        }
        for place, (name, value) in enumerate(aspects.items()):
            yield {
                "entityType": "dataset",
                "entityUrn": _urn(number),
                "changeType": "UPSERT",
                "aspectName": name,
                "aspect": {"json": value},
                "systemMetadata": {"lastObserved": _START + 3 * number + place},
            }


def measure(place: Place, text: str, records: int, figures: Figures) -> None:
    """Bring all into a store, and write it out again."""
    refused: list[Refused] = []
    done: list[Imported] = []
    written: list[int] = []
    with open_store(place.url) as store:
        seconds = timed(lambda: done.append(import_changes(store, list(read_changes("bench", text, 0, refused)))))
        assert not refused + done[0].refused
        edges = f"{_DATASETS * _FIELDS:,} edges of fields"
        figures.at_least(f"{records:,} MCPs into {place.name}", records / seconds, 2_000, "MCPs/s", edges)
        seconds = timed(lambda: written.append(sum(1 for _ in export_of(store, Naming()).records())))
        figures.at_least(f"{written[0]:,} MCPs out of {place.name}", written[0] / seconds, 2_000, "MCPs/s", "")
    remove(place)


def main() -> None:
    """Measure, and print a table."""
    records = list(proposals(_DATASETS))
    text = "".join(json.dumps(record) + "\n" for record in records)
    figures = Figures("DataHub's changes", console())
    with places(["sqlite"]) as make:
        for place in make("datahub"):
            measure(place, text, len(records), figures)
    figures.show()


if __name__ == "__main__":
    main()

"""How fast DataHub's change proposals become lineage in a store.

    python benchmarks/bench_datahub.py

An MCP is here what an ingestion of DataHub sends, each at a moment of its own: of every dataset schemaMetadata with 20
columns, upstreamLineage with an entry for each of them from two other datasets, globalTags, and datasetProperties. They
are read from the text of a file, built, and written to SQLite. Then one aspect at a time is taken, as a server does.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import console
from benchmarks.stores import Figures, Place, places, remove, timed

from headwater.datahub.exports.proposals import export_of
from headwater.datahub.imports.ingest import Imported, Importer, Refused, import_changes, read_changes
from headwater.datahub.naming.datasets import Naming
from headwater.store import open_store

_DATASETS = 2_000
_FIELDS = 20
_ONE_BY_ONE = 200
_MOST_MS = 10.0
_ASPECTS = 4
_START = 1_760_000_000_000


def _urn(number: int) -> str:
    return f"urn:li:dataset:(urn:li:dataPlatform:hive,shop.table_{number},PROD)"


def _field(number: int, field: int) -> str:
    return f"urn:li:schemaField:({_urn(number)},field_{field})"


def proposals(datasets: int) -> Iterator[dict[str, Any]]:
    """Four for each dataset."""
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
            "datasetProperties": {
                "description": f"Orders of shop {number}, one row each.",
                "customProperties": {"owner": f"team_{number % 20}", "format": "parquet", "retention": "90 days"},
                "tags": [],
            },
        }
        for place, (name, value) in enumerate(aspects.items()):
            yield {
                "entityType": "dataset",
                "entityUrn": _urn(number),
                "changeType": "UPSERT",
                "aspectName": name,
                "aspect": {"json": value},
                "systemMetadata": {"lastObserved": _START + _ASPECTS * number + place},
            }


def measure(place: Place, text: str, records: int, figures: Figures) -> None:
    """Bring all into a store, and write it out again."""
    refused: list[Refused] = []
    done: list[Imported] = []
    written: list[int] = []
    with open_store(place.url) as store:
        seconds = timed(
            lambda: done.append(import_changes(store, list(read_changes("bench", text, 0, refused)), own_process=True))
        )
        assert not refused + done[0].refused
        edges = f"{_DATASETS * _FIELDS:,} edges of fields"
        figures.at_least(f"{records:,} MCPs into {place.name}", records / seconds, 2_000, "MCPs/s", edges)
        late = list(proposals(_DATASETS))[-_ONE_BY_ONE:]
        for record in late:
            record["systemMetadata"] = {"lastObserved": _START + 10 * _DATASETS}
        importer = Importer(store, Naming())
        changes = list(read_changes("bench", "".join(json.dumps(record) + "\n" for record in late), 0, refused))
        seconds = timed(lambda: [importer.take([change]) for change in changes])
        took = 1_000 * seconds / len(changes)
        figures.at_most(f"one MCP a call into {place.name}", took, _MOST_MS, "ms", f"{_DATASETS:,} datasets")
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

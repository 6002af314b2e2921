"""How fast schemas become field paths, beside DataHub's own converter on the same schemas.

    python benchmarks/bench_schemas.py

DataHub's package runs in a Python of its own, as for the tests (`tests/datahub/oracle.py`); without it its column is
empty.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import console
from benchmarks.stores import Figures, timed
from tests.datahub import oracle

from headwater.datahub.schemas.formats import Format, tree_of
from headwater.fields.errors import MissingLibrary
from headwater.fields.paths_rfc import rfc_paths
from headwater.fields.paths_v2 import v2_paths
from headwater.fields.schema_tree import Schema

_ROUNDS = 3
_FIELDS = 5_000
_THEIRS = """
import json, logging, sys, time
logging.disable(logging.CRITICAL)
from datahub.ingestion.extractor.schema_util import avro_schema_to_mce_fields
from datahub.ingestion.extractor.json_schema_util import JsonSchemaTranslator
avro, schema = json.load(sys.stdin)
def best(call):
    times = []
    for _ in range({rounds}):
        started = time.perf_counter()
        count = len(call())
        times.append(time.perf_counter() - started)
    return min(times), count
print(json.dumps([
    best(lambda: avro_schema_to_mce_fields(avro, swallow_exceptions=False)),
    best(lambda: list(JsonSchemaTranslator.get_fields_from_schema(json.loads(schema), swallow_exceptions=False))),
]))
"""


def nested_avro(fields: int) -> str:
    """A record of records of records, with options, arrays and maps among the fields."""
    kinds = ["long", ["null", "string"], {"type": "array", "items": "int"}, {"type": "map", "values": "double"}]
    outer = []
    for number in range(fields // 50):
        inner = [{"name": f"f{at}", "type": kinds[at % len(kinds)], "doc": "words"} for at in range(48)]
        middle = {"type": "record", "name": f"Inner{number}", "fields": inner}
        wrapped = {"type": "record", "name": f"Outer{number}", "fields": [{"name": "inner", "type": middle}]}
        outer.append({"name": f"o{number}", "type": wrapped})
    return json.dumps({"type": "record", "name": "Wide", "namespace": "bench", "fields": outer})


def nested_json_schema(fields: int) -> str:
    """The same shape as a JSON Schema."""
    kinds = [{"type": "integer"}, {"type": ["null", "string"]}, {"type": "number", "description": "words"}]
    outer = {}
    for number in range(fields // 50):
        inner = {f"f{at}": kinds[at % len(kinds)] for at in range(48)}
        middle = {"type": "object", "title": f"Inner{number}", "properties": inner}
        outer[f"o{number}"] = {"type": "object", "title": f"Outer{number}", "properties": {"inner": middle}}
    return json.dumps({"type": "object", "title": "Wide", "properties": outer})


def columns(fields: int) -> str:
    """Spark's DDL of as many columns."""
    return ", ".join(f"c{at} {('INT', 'STRING', 'ARRAY<BIGINT>')[at % 3]}" for at in range(fields))


def theirs(avro: str, schema: str) -> Sequence[tuple[float, int]] | None:
    """Seconds and fields of DataHub's converters, in a process of their own."""
    python = oracle.python()
    if python is None:
        return None
    run = subprocess.run(
        [python, "-c", _THEIRS.replace("{rounds}", str(_ROUNDS))],
        input=json.dumps([avro, schema]),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "DATAHUB_TELEMETRY_ENABLED": "false", "PYTHONPATH": ""},
    )
    figures: list[tuple[float, int]] = json.loads(run.stdout.splitlines()[-1])
    return figures


def _best(paths: Callable[[Schema], object], content: bytes, format_: Format) -> float:
    return min(timed(lambda: paths(tree_of(content, format_))) for _ in range(_ROUNDS))


def main() -> None:
    """Measure, and print a table."""
    avro, schema = nested_avro(_FIELDS), nested_json_schema(_FIELDS // 5)
    datahub = theirs(avro, schema)
    figures = Figures("Schemas to field paths", console())
    for place, (format_, text) in enumerate(
        (
            (Format.AVRO, avro),
            (Format.JSON_SCHEMA, schema),
            (Format.SPARK, columns(_FIELDS)),
        )
    ):
        content = text.encode()
        try:
            count = len(v2_paths(tree_of(content, format_)))
        except MissingLibrary as error:
            print(error, file=sys.stderr)
            continue
        seconds = _best(v2_paths, content, format_)
        leaves = _best(rfc_paths, content, format_)
        name = f"{format_.value}, {count:,} fields"
        figures.at_least(
            f"{name}, v2", count / seconds, 10_000, "fields/s", f"RFC paths {count / leaves:,.0f} fields/s"
        )
        if format_ is Format.AVRO:
            figures.at_most(f"{name}, time", seconds, 1, "s")
        if datahub is not None and place < len(datahub):
            other, others = datahub[place]
            assert others == count, f"DataHub finds {others} fields, Headwater {count}"
            figures.at_least(
                f"{name}, times DataHub's", other / seconds, 5, "times", f"DataHub: {others / other:,.0f} fields/s"
            )
    figures.show()


if __name__ == "__main__":
    main()

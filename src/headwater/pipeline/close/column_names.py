"""Renamed columns at a moment (rule 9), over tables of a lake: the other names of each, and the one shown."""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from headwater.common.groups import lists_by_key
from headwater.lake.lake import Lake
from headwater.lake.workers import in_python
from headwater.openlineage.model.event import EventType
from headwater.query.graph.column_names import fold_names
from headwater.store.db.codes import NOW, Flag
from headwater.store.db.predicates import in_last_schema
from headwater.store.entities.keys import dataset_of
from headwater.store.model.compression import unpacked
from headwater.store.model.meaning import ALTER, RENAMED
from headwater.store.reads.renamed_columns import Rename

if TYPE_CHECKING:
    import pyarrow as pa

NAMES = "field bigint, other bigint, up boolean, down boolean, shown boolean"

_RENAMES = f"""
SELECT DISTINCT edge.in_field AS old, edge.out_field AS new, version.stamp, version.us
FROM {{edge}} edge JOIN {{step}} step ON step.id = edge.step AND step.type = '{RENAMED}'
JOIN {{version}} version ON version.mapping = edge.mapping
    AND version.lifecycle = '{ALTER}' AND version.carried = {Flag.NO} AND version.us <= {{as_of}}
"""  # noqa: S608  our own words
_NAMED = """
SELECT field.id, field.dataset, field.path, field.position FROM {field} field LEFT SEMI JOIN (
    SELECT old AS id FROM {renames} UNION SELECT new FROM {renames}
) named ON named.id = field.id
"""
# The last schema of a dataset then, in the order of events.
_SCHEMAS = f"""
SELECT last.dataset, schema.content FROM (
    SELECT mention.dataset, max_by(
        mention.schema, struct(event.us, least(event.type, {EventType.COMPLETE.rank}) AS rank,
                               substring(event.hash, 1, 8) AS hash, mention.role)
    ) AS schema
    FROM {{mention}} mention JOIN {{event}} event ON event.shape = mention.shape AND event.us <= {{as_of}}
    LEFT SEMI JOIN {{named}} named ON named.dataset = mention.dataset
    WHERE mention.schema IS NOT NULL GROUP BY mention.dataset
) last JOIN {{schema}} schema ON schema.id = last.schema
"""  # noqa: S608  our own words


def column_names(lake: Lake, as_of: int) -> DataFrame | None:
    """The `other` names of fields, the directions in which they count, and whether one is `shown`; None without any."""
    if lake.read("step").where(f"type = '{RENAMED}'").isEmpty():
        return None
    edge, step, version = (lake.read(table) for table in ("edge", "step", "version"))
    renames = lake.spark.sql(_RENAMES, as_of=as_of, edge=edge, step=step, version=version)
    named = lake.spark.sql(_NAMED, renames=renames, field=lake.read("field"))
    rows = renames.unionByName(_there(lake, named, as_of).withColumnRenamed("id", "old"), allowMissingColumns=True)
    # Few columns are ever renamed: one task resolves them all.
    return in_python(rows.coalesce(1), _names_of_batches, NAMES)


def _there(lake: Lake, named: DataFrame, as_of: int) -> DataFrame:
    """Of fields, those that their datasets' schemas list at a moment."""
    if as_of == NOW:
        return named.where(in_last_schema("")).select("id")
    mention, event, schema = (lake.read(table) for table in ("mention", "event", "schema"))
    schemas = lake.spark.sql(_SCHEMAS, mention=mention, event=event, named=named, schema=schema, as_of=as_of)
    paths = in_python(schemas.coalesce(1), _paths_of_batches, "dataset bigint, path string")
    return named.join(paths, ["dataset", "path"], "left_semi").select("id")


def _paths_of_batches(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa  # noqa: PLC0415  on the executor

    for batch in batches:
        rows = [
            (row["dataset"], path) for row in batch.to_pylist() for path, *_ in json.loads(unpacked(row["content"]))
        ]
        columns = [pa.array([dataset for dataset, _ in rows], pa.int64()), pa.array([path for _, path in rows])]
        yield pa.RecordBatch.from_arrays(columns, ["dataset", "path"])


def _names_of_batches(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa  # noqa: PLC0415  on the executor

    renames: list[Rename] = []
    there: set[int] = set()
    for batch in batches:
        for row in batch.to_pylist():
            if row["new"] is None:
                there.add(row["old"])
            else:
                renames.append(Rename(row["old"], row["new"], row["stamp"], row["us"]))
    renames.sort(key=lambda rename: (rename.stamp, rename.new))
    pairs: dict[tuple[int, int], list[bool]] = {}
    for listed in lists_by_key((dataset_of(rename.new), rename) for rename in renames).values():
        names = fold_names(listed, there)
        for place, others in enumerate((names.up, names.down, {key: {name} for key, name in names.shown.items()})):
            for field, known in others.items():
                for other in known:
                    pairs.setdefault((field, other), [False, False, False])[place] = True
    columns = [(*pair, *flags) for pair, flags in sorted(pairs.items())]
    schema = pa.schema(
        [("field", pa.int64()), ("other", pa.int64()), ("up", pa.bool_()), ("down", pa.bool_()), ("shown", pa.bool_())]
    )
    yield pa.RecordBatch.from_pylist([dict(zip(schema.names, row, strict=True)) for row in columns], schema=schema)

"""The edges in force with their names, for any engine to read."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.common.masking import MASKS_CODE
from headwater.lake.lake import Lake
from headwater.lake.spark_sql import dataset_of_field
from headwater.store.db.predicates import has_source, in_force, is_rename
from headwater.store.model.meaning import RENAMED

# The path of a dataset's rows is empty: an edge to them reaches every column.
_NAMED = f"""
SELECT edges.in_field, source.namespace AS in_namespace, source.name AS in_name, source.path AS in_path,
       edges.out_field, target.namespace AS out_namespace, target.name AS out_name,
       coalesce(written.path, '') AS out_path,
       edges.job, job.namespace AS job_namespace, job.name AS job_name,
       edges.type, edges.subtype, edges.masking, edges.description, edges.from_us, edges.until_us
FROM {{edges}} edges
JOIN {{fields}} source ON source.id = edges.in_field
JOIN {{dataset}} target ON target.id = {dataset_of_field("edges.out_field")}
LEFT JOIN {{field}} written ON written.id = edges.out_field
LEFT JOIN {{job}} job ON job.id = edges.job
"""  # noqa: S608  our own words
_RENAMED = f"""
SELECT old.id AS in_field, new.id AS out_field, slot.job, 'DIRECT' AS type, 'IDENTITY' AS subtype, false AS masking,
       '' AS description, slot.from_us, slot.until_us
FROM {{mapping}} mapping JOIN {{slot}} slot ON slot.mapping = mapping.id
JOIN {{field}} new ON new.dataset = slot.dataset
JOIN {{field}} old ON old.dataset = mapping.origin AND old.key = new.key
WHERE {is_rename("mapping")}
"""  # noqa: S608  our own words


def readable_edges(lake: Lake, as_of: int) -> DataFrame:
    """The rows of the table column_edge; a rename is a copy of every column."""
    slot = lake.read("slot").where(in_force("", str(as_of)))
    intervals = slot.select("mapping", "job", "from_us", "until_us")
    steps = lake.read("step").select(
        sf.col("id").alias("step"),
        sf.expr(f"CASE WHEN type = '{RENAMED}' THEN 'DIRECT' ELSE type END AS type"),
        "subtype",
        sf.expr(f"masking & {MASKS_CODE} <> 0 AS masking"),
    )
    columns = ("in_field", "out_field", "job", "type", "subtype", "masking", "description", "from_us", "until_us")
    edges = (
        lake.read("edge")
        .where(has_source(""))
        .join(intervals, "mapping")
        .join(sf.broadcast(steps), "step")
        .select(*columns)
    )
    field, dataset = lake.read("field"), lake.read("dataset")
    renamed = lake.spark.sql(_RENAMED, mapping=lake.read("mapping"), slot=slot, field=field)
    fields = field.join(dataset.select(sf.col("id").alias("dataset"), "namespace", "name"), "dataset")
    return lake.spark.sql(
        _NAMED,
        edges=edges.unionByName(renamed),
        fields=fields.select("id", "namespace", "name", "path"),
        dataset=dataset,
        field=field,
        job=lake.read("job"),
    )

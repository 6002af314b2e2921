"""The edges in force with their names, for any engine to read."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.pipeline.close_arcs import in_force
from headwater.pipeline.lake import Lake

# The path of a dataset's rows is empty: what decides on them goes to every column.
_NAMED = """
SELECT edges.in_field, source.namespace AS in_namespace, source.name AS in_name, source.path AS in_path,
       edges.out_field, target.namespace AS out_namespace, target.name AS out_name,
       coalesce(written.path, '') AS out_path,
       edges.job, job.namespace AS job_namespace, job.name AS job_name,
       edges.type, edges.subtype, edges.masking, edges.description, edges.from_us, edges.until_us
FROM {edges} edges
JOIN {fields} source ON source.id = edges.in_field
JOIN {dataset} target ON target.id = shiftright(edges.out_field, 20)
LEFT JOIN {field} written ON written.id = edges.out_field
LEFT JOIN {job} job ON job.id = edges.job
"""
_RENAMED = """
SELECT old.id AS in_field, new.id AS out_field, slot.job, 'DIRECT' AS type, 'IDENTITY' AS subtype, false AS masking,
       '' AS description, slot.from_us, slot.until_us
FROM {mapping} mapping JOIN {slot} slot ON slot.mapping = mapping.id
JOIN {field} new ON new.dataset = slot.dataset
JOIN {field} old ON old.dataset = mapping.origin AND old.key = new.key
WHERE mapping.origin IS NOT NULL
"""


def readable_edges(lake: Lake, as_of: int) -> DataFrame:
    """The rows of the table column_edge; a rename is a copy of every column."""
    slot = lake.read("slot").where(in_force(as_of))
    held = slot.select("mapping", "job", "from_us", "until_us")
    steps = lake.read("step").select(sf.col("id").alias("step"), "type", "subtype", sf.expr("masking <> 0 AS masking"))
    columns = ("in_field", "out_field", "job", "type", "subtype", "masking", "description", "from_us", "until_us")
    edges = lake.read("edge").join(held, "mapping").join(sf.broadcast(steps), "step").select(*columns)
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

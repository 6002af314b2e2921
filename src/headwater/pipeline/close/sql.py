"""The queries of `arcs`: those of headwater.query.graph.steps and aliases, for all columns at once.

A hop is a step before aliases are resolved. `node` is the column it starts from, `match` the one that stands for it in
the mapping, and `how` is one of `Kin`.
"""

from headwater.lake.spark_sql import dataset_of_field, is_column, rows_of_dataset
from headwater.store.db.codes import NO_JOB, Kin
from headwater.store.db.predicates import in_last_schema, is_rename
from headwater.store.reads.table_reads import EMPTY_LINEAGE

RENAMES = """
SELECT mapping.id AS mapping, force.job, new.id AS out_field, old.id AS in_field,
       cast(0 AS tinyint) AS label, true AS renames
FROM {mapping} mapping JOIN {force} force ON force.mapping = mapping.id
JOIN {field} new ON new.dataset = force.dataset
JOIN {field} old ON old.dataset = mapping.origin AND old.key = new.key
"""
# Inputs of which a job names no column, under any of their names: it counts their rows, at least. `names` is empty
# where the lake has no aliases.
READ_AS_TABLES = f"""
SELECT reading.*, input.dataset AS read FROM {{reading}} reading
JOIN {{input}} input ON input.inputs = reading.inputs
JOIN {{mapping}} mapping ON mapping.id = reading.mapping AND NOT {is_rename("mapping")}
    AND mapping.structure <> unhex('{EMPTY_LINEAGE["nothing"].hex()}')
LEFT JOIN {{names}} known ON known.dataset = input.dataset
LEFT JOIN {{names}} own ON own.dataset = reading.dataset
LEFT ANTI JOIN (
    SELECT DISTINCT edges.mapping, coalesce(names.top, {dataset_of_field("edges.in_field")}) AS dataset
    FROM {{edges}} edges LEFT JOIN {{names}} names ON names.dataset = {dataset_of_field("edges.in_field")}
    WHERE {is_column("edges.in_field")}
) named ON named.mapping = reading.mapping AND named.dataset = coalesce(known.top, input.dataset)
WHERE coalesce(own.top, reading.dataset) <> coalesce(known.top, input.dataset)
"""  # noqa: S608  our own words
# A run lists the inputs of all that it writes: one that another of its outputs names is explained by that.
COUNTED = f"""
SELECT reads.mapping, reads.job, {rows_of_dataset("reads.dataset")} AS out_field,
       {rows_of_dataset("reads.read")} AS in_field, cast({{label}} AS tinyint) AS label, false AS renames
FROM {{reads}} reads
LEFT ANTI JOIN (
    SELECT DISTINCT reads.dataset, reads.job, reads.read, reads.mapping FROM {{reads}} reads
    JOIN {{slot}} other ON other.inputs = reads.inputs AND other.job = reads.job AND reads.job <> {NO_JOB}
        AND other.dataset <> reads.dataset AND other.from_us < reads.until_us AND other.until_us > reads.from_us
    JOIN {{edge}} edge ON edge.mapping = other.mapping AND {dataset_of_field("edge.in_field")} = reads.read
        AND {is_column("edge.in_field")}
) elsewhere ON elsewhere.dataset = reads.dataset AND elsewhere.job = reads.job AND elsewhere.read = reads.read
    AND elsewhere.mapping = reads.mapping
"""  # noqa: S608  our own words
# From rows to rows, where columns lead from one dataset to the other, and none decides about rows.
ROWS_ON = f"""
SELECT DISTINCT edges.job, {rows_of_dataset(dataset_of_field("edges.out_field"))} AS out_field,
       {rows_of_dataset(dataset_of_field("edges.in_field"))} AS in_field, cast({{label}} AS tinyint) AS label
FROM {{edges}} edges
LEFT ANTI JOIN (
    SELECT mapping, {dataset_of_field("in_field")} AS dataset FROM {{edges}} WHERE NOT ({is_column("out_field")})
) deciding ON deciding.mapping = edges.mapping AND deciding.dataset = {dataset_of_field("edges.in_field")}
WHERE {dataset_of_field("edges.in_field")} <> {dataset_of_field("edges.out_field")}
"""  # noqa: S608  our own words
# Of datasets that have several names: the fields of the same path.
SAME = """
SELECT field.id AS node, other.id AS match FROM {names} one
JOIN {names} two ON two.top = one.top AND two.dataset <> one.dataset
JOIN {field} field ON field.dataset = one.dataset
JOIN {field} other ON other.dataset = two.dataset AND other.key = field.key
"""
# What stands for a field under other names: the same path, what is kin to it, and a struct around or inside where only
# that is known there.
BY_NAME = f"""
SELECT node, match, {Kin.ITSELF} AS how FROM {{same}}
UNION
SELECT same.node, kin.other, kin.how FROM {{same}} same JOIN {{kin}} kin ON kin.field = same.match
UNION
SELECT kin.field, same.match, {Kin.ITSELF} FROM {{kin}} kin JOIN {{same}} same ON same.node = kin.other
LEFT ANTI JOIN {{same}} known ON known.node = kin.field AND known.match = same.match
WHERE kin.how < {Kin.ALIKE}
UNION
SELECT {rows_of_dataset("one.dataset")}, {rows_of_dataset("two.dataset")}, {Kin.ITSELF}
FROM {{names}} one JOIN {{names}} two ON two.top = one.top AND two.dataset <> one.dataset
"""  # noqa: S608  our own words
SHOWN = f"""
SELECT same.node AS field, same.match AS shown FROM {{same}} same
JOIN {{names}} names ON names.dataset = {dataset_of_field("same.node")} AND names.top = {dataset_of_field("same.match")}
UNION ALL
SELECT {rows_of_dataset("dataset")}, {rows_of_dataset("top")} FROM {{names}} WHERE dataset <> top
"""  # noqa: S608  our own words
# A renamed column under its other names, and what is kin to it there.
BY_COLUMN_NAME = f"""
SELECT field AS node, other AS match, {Kin.ITSELF} AS how FROM {{columns}}
UNION
SELECT columns.field, kin.other, kin.how FROM {{columns}} columns JOIN {{kin}} kin ON kin.field = columns.other
"""  # noqa: S608  our own words
# The same path in another dataset, where the column may have other names in both.
SAME_AND_RENAMED = """
WITH here AS (
    SELECT node, match FROM {same}
    UNION
    SELECT columns.field, same.match FROM {columns} columns JOIN {same} same ON same.node = columns.other
)
SELECT node, match FROM here
UNION
SELECT here.node, columns.other FROM here JOIN {columns} columns ON columns.field = here.match
"""
# The name of a column now; in the dataset that an alias stands for, the name that it has there.
SHOWN_NOW = """
WITH now AS (SELECT field, other FROM {columns} WHERE shown),
there AS (
    SELECT now.field, coalesce(shown.shown, now.other) AS shown
    FROM now LEFT JOIN {shown} shown ON shown.field = now.other
    UNION ALL
    SELECT shown.field, shown.shown FROM {shown} shown LEFT ANTI JOIN now ON now.field = shown.field
)
SELECT there.field, coalesce(now.other, there.shown) AS shown
FROM there LEFT JOIN now ON now.field = there.shown
"""
# A match that differs in case counts where a mapping has no other and it is the only one (rule 11).
ONLY_MATCHES = f"""
SELECT DISTINCT weak.node, weak.mapping FROM {{hops}} weak
LEFT ANTI JOIN (SELECT node, mapping FROM {{hops}} WHERE how <> {Kin.ALIKE}) strong
    ON strong.node = weak.node AND strong.mapping = weak.mapping
LEFT ANTI JOIN (
    SELECT one.node, one.mapping FROM {{hops}} one
    JOIN {{hops}} two ON two.node = one.node AND two.mapping = one.mapping AND two.how = {Kin.ALIKE}
    JOIN {{kin}} kin ON kin.field = one.match AND kin.other = two.match AND kin.how = {Kin.ALIKE}
    WHERE one.how = {Kin.ALIKE}
) rivals ON rivals.node = weak.node AND rivals.mapping = weak.mapping
WHERE weak.how = {Kin.ALIKE}
"""  # noqa: S608  our own words
BY_CASE_UP = f"""
SELECT hops.* FROM {{hops}} hops LEFT JOIN {{good}} good ON good.node = hops.node AND good.mapping = hops.mapping
WHERE hops.how <> {Kin.ALIKE} OR good.node IS NOT NULL
"""  # noqa: S608  our own words
# What reads a column by another case reads this one, if from there the way up leads here.
BY_CASE_DOWN = f"""
SELECT hops.* FROM {{hops}} hops
LEFT JOIN (SELECT DISTINCT node, match FROM {{up}} WHERE how = {Kin.ALIKE}) leads
    ON leads.node = hops.match AND leads.match = hops.node
WHERE hops.how <> {Kin.ALIKE} OR leads.node IS NOT NULL
"""  # noqa: S608  our own words
# A column is renamed from the one of its own path; structs around or inside stand in only where there is none.
WITHOUT_WIDER = f"""
SELECT hops.* FROM {{hops}} hops
LEFT JOIN (SELECT DISTINCT node, mapping FROM {{hops}} WHERE renames AND how = {Kin.ITSELF}) exact
    ON exact.node = hops.node AND exact.mapping = hops.mapping
WHERE NOT hops.renames OR hops.how = {Kin.ITSELF} OR exact.node IS NULL
"""  # noqa: S608  our own words
# The columns of the last schema, and those that what is in force writes; a struct is there by its fields.
LISTED = f"""
WITH there AS (
    SELECT id FROM {{field}} WHERE {in_last_schema("")}
    UNION
    SELECT out_field FROM {{edges}} WHERE {is_column("out_field")}
)
SELECT there.id FROM there LEFT ANTI JOIN (
    SELECT kin.field FROM {{kin}} kin JOIN there ON there.id = kin.other WHERE kin.how = {Kin.INSIDE}
) structs ON structs.field = there.id
"""  # noqa: S608  our own words

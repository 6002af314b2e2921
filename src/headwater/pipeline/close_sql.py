"""What `close_arcs` asks of tables: headwater.graph.steps and aliases, said of all columns at once.

A hop is a step before names are made plain. `node` is the column that it is taken from, `match` the one that stands for
it in the mapping, and `how`: -1 by its own path, 0 as it is inside, 1 around, 2 by a name in another case.
"""

RENAMES = """
SELECT mapping.id AS mapping, force.job, new.id AS out_field, old.id AS in_field,
       cast(0 AS tinyint) AS label, true AS renames
FROM {mapping} mapping JOIN {force} force ON force.mapping = mapping.id
JOIN {field} new ON new.dataset = force.dataset
JOIN {field} old ON old.dataset = mapping.origin AND old.key = new.key
"""
# Of datasets that have several names: the fields of the same path.
SAME = """
SELECT field.id AS node, other.id AS match FROM {names} one
JOIN {names} two ON two.top = one.top AND two.dataset <> one.dataset
JOIN {field} field ON field.dataset = one.dataset
JOIN {field} other ON other.dataset = two.dataset AND other.key = field.key
"""
# What stands for a field under other names: the same path, what is kin to it, and a struct around or inside where only
# that is known there.
BY_NAME = """
SELECT node, match, -1 AS how FROM {same}
UNION
SELECT same.node, kin.other, kin.how FROM {same} same JOIN {kin} kin ON kin.field = same.match
UNION
SELECT kin.field, same.match, -1 FROM {kin} kin JOIN {same} same ON same.node = kin.other
LEFT ANTI JOIN {same} known ON known.node = kin.field AND known.match = same.match
WHERE kin.how < 2
UNION
SELECT shiftleft(one.dataset, 20), shiftleft(two.dataset, 20), -1
FROM {names} one JOIN {names} two ON two.top = one.top AND two.dataset <> one.dataset
"""
SHOWN = """
SELECT same.node AS field, same.match AS shown FROM {same} same
JOIN {names} names ON names.dataset = shiftright(same.node, 20) AND names.top = shiftright(same.match, 20)
UNION ALL
SELECT shiftleft(dataset, 20), shiftleft(top, 20) FROM {names} WHERE dataset <> top
"""
# A match that differs in case counts where a mapping has no other and it is the only one (rule 11).
ONLY_MATCHES = """
SELECT DISTINCT weak.node, weak.mapping FROM {hops} weak
LEFT ANTI JOIN (SELECT node, mapping FROM {hops} WHERE how <> 2) strong
    ON strong.node = weak.node AND strong.mapping = weak.mapping
LEFT ANTI JOIN (
    SELECT one.node, one.mapping FROM {hops} one
    JOIN {hops} two ON two.node = one.node AND two.mapping = one.mapping AND two.how = 2
    JOIN {kin} kin ON kin.field = one.match AND kin.other = two.match AND kin.how = 2
    WHERE one.how = 2
) rivals ON rivals.node = weak.node AND rivals.mapping = weak.mapping
WHERE weak.how = 2
"""
BY_CASE_UP = """
SELECT hops.* FROM {hops} hops LEFT JOIN {good} good ON good.node = hops.node AND good.mapping = hops.mapping
WHERE hops.how <> 2 OR good.node IS NOT NULL
"""
# What reads a column by another case reads this one, if from there the way up leads here.
BY_CASE_DOWN = """
SELECT hops.* FROM {hops} hops
LEFT JOIN (SELECT DISTINCT node, match FROM {up} WHERE how = 2) leads
    ON leads.node = hops.match AND leads.match = hops.node
WHERE hops.how <> 2 OR leads.node IS NOT NULL
"""
# A column is renamed from the one of its own path; structs around or inside stand in only where there is none.
WITHOUT_WIDER = """
SELECT hops.* FROM {hops} hops
LEFT JOIN (SELECT DISTINCT node, mapping FROM {hops} WHERE renames AND how = -1) exact
    ON exact.node = hops.node AND exact.mapping = hops.mapping
WHERE NOT hops.renames OR hops.how = -1 OR exact.node IS NULL
"""
# The columns of the last schema, and those that what is in force writes; a struct is there by its fields.
LISTED = """
WITH there AS (
    SELECT id FROM {field} WHERE position IS NOT NULL
    UNION
    SELECT out_field FROM {edges} WHERE out_field & 1048575 <> 0
)
SELECT there.id FROM there LEFT ANTI JOIN (
    SELECT kin.field FROM {kin} kin JOIN there ON there.id = kin.other WHERE kin.how = 0
) structs ON structs.field = there.id
"""

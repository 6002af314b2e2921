"""The pure core: a plan as a tree of data in, the lineage of what it writes out.

Nothing here knows Spark, the network or the store, so every rule is tested with trees written by hand.

- `plan`: what plans and lineage are made of, and what a statement may cost
- `expressions`: what a column takes from its arguments, one rule per expression
- `operators`: what a relation takes from its inputs, one rule per operator; which datasets a leaf reads
- `statements`: what a command writes, one rule per command, and the whole answer for it
- `session`: what earlier statements of a session tell about later ones
- `sqltext`: what a SQL text takes from its tables, where another engine runs it
"""

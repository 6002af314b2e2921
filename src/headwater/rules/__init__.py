"""The pure core: a plan as a tree of data in, the lineage of what it writes out.

Nothing here knows Spark, the network or the store, so every rule is tested with trees written by hand.

- `tree`, `types`: what a plan is made of
- `model`, `shapes`: what lineage is made of, how it adds up along a path, and nested values
- `expressions`, `nested`, `lambdas`, `generators`: what a column takes from its arguments, one rule per expression
- `operators`, `sets`: what a relation takes from its inputs, one rule per operator
- `relations`: which datasets a leaf reads
- `sqltext`: what a SQL text takes from its tables, where another engine runs it
- `statements`: which command writes what, and the whole answer for it
- `analysis`: the way through a plan, and what becomes of what has no rule
- `text`: an expression as SQL, in the names of the source columns
"""

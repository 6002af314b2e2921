"""The pure core: a plan as a tree of data in, the lineage of what it writes out.

Nothing here knows Spark, the network or the store, so every rule is tested with trees written by hand.

- `tree`: what a plan is made of
- `model`: what lineage is made of, and how it adds up along a path
- `expressions`: what a column takes from its arguments, one rule per expression
- `operators`: what a relation takes from its inputs, one rule per operator
- `relations`: which datasets a leaf reads
- `statements`: which command writes what, and the whole answer for it
- `text`: an expression as SQL, in the names of the source columns
"""

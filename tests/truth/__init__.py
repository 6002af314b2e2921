"""Truth by perturbation: change one input field, run the query again, and see whether the lineage knew.

`generate` writes random queries, `perturb` checks one, `run` checks many from the command line.
"""

"""Datasets, jobs, runs and versions: what the store knows of them, in Marquez's form."""

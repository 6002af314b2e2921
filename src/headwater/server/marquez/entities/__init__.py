"""Datasets, jobs, runs and versions from the store, in Marquez's format."""

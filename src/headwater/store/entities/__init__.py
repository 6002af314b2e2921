"""Rows for what has a name or a hash: datasets, fields, jobs, shapes, search terms, raw events."""

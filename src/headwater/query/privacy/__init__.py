"""Metadata that travels with the data: which tags, terms and descriptions reach a field, and where a field went."""

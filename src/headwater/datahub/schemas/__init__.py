"""Schemas of many formats as one tree: the schema normalizers."""

"""Lineage at volume, on Spark: events to lake tables, lake tables to a store and back."""

"""OpenLineage: the names of datasets, events read and events built, and how they are sent."""

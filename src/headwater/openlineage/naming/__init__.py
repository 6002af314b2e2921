"""Names of datasets by OpenLineage's naming rules."""

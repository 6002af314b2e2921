"""DataHub's changes for the store: what they mean, as OpenLineage events."""

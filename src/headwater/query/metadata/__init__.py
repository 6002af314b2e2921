"""What is known of datasets and jobs beside lineage: tags, owners, facets, deletions."""

"""Search: from what a person types to datasets, columns and jobs."""

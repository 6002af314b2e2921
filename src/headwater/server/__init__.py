"""The store as a service: OpenLineage's and Marquez's API, the version proposal's, and Headwater's own questions."""

"""Events in: `POST /api/v1/lineage` and its batch."""

"""Fields as entities: their URNs, their paths in three notations, and the schemas that they are part of; pure."""

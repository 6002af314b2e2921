"""A plan as frozen data, what lineage is made of, and what working it out may cost."""

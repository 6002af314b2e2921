"""A lake: the store's tables as files, Iceberg or Delta tables, changed by one atomic commit over all of them."""

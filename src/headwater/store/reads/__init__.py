"""Named queries on the store's tables: what other rooms read, in SQL that stands here alone."""

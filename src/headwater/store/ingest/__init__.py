"""Events into the store, a batch in one transaction."""

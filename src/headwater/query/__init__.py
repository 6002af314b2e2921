"""Questions and their answers: what can be asked of a store, and the functions that answer."""

"""Load: a lake into a store, and a store into a lake."""

"""The part of a lake that a question needs, as a store of its own."""

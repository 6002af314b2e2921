"""Rules for expressions: what a column takes from its arguments."""

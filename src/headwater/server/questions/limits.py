"""How much one request may ask for."""

MOST_NODES = 100_000
"""The largest limit that a question may name."""
MOST_QUESTIONS = 100
"""In one batch."""
MOST_BYTES = 32_000_000
"""Of a batch's answers; the first is always given, whatever its size."""
WORTH_COMPRESSING = 2_000
"""Bytes."""

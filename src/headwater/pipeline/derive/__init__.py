"""Derive: from validated events to the changed rows of every table."""

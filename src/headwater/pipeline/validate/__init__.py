"""Validate: each line is an event to derive from, or a row of the quarantine."""

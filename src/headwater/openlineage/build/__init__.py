"""Events, built from captured statements."""

"""Lineage from Python, wherever it is stored: a file, a server, or a lake."""

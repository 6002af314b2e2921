"""The settings of a server."""

"""Delivery of events: to disk first, then to their endpoint."""

"""Helpers that several rooms share: column paths, addresses, HTTP, JSON, backoff, worker processes."""

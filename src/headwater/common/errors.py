"""Errors that several rooms raise."""


class StoreError(RuntimeError):
    """The store cannot be opened, read or written; the message is for the user."""

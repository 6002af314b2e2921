"""Errors that several rooms raise: the message is one sentence for the user."""


class StoreError(RuntimeError):
    """The store cannot be opened, read or written; the message is for the user."""

"""Errors of a lake, in one sentence that names the place and what to do."""

from headwater.common.errors import StoreError


class LakeError(StoreError):
    """The lake cannot be opened, read or written; the message is for the user."""


class LakeChanged(LakeError):  # noqa: N818  it says what happened
    """Another writer committed to the lake meanwhile: this change is based on an outdated snapshot."""

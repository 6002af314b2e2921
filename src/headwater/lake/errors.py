"""What goes wrong with a lake, in one sentence that names the place and what to do."""

from headwater.common.errors import StoreError


class LakeError(StoreError):
    """The lake cannot be opened, read or written; the message is for the user."""


class LakeChanged(LakeError):  # noqa: N818  it says what happened
    """Another writer has committed to the lake meanwhile: what was made is of a state that is no more."""

"""The error of a question that cannot be answered by any store."""


class BadQuestion(ValueError):  # noqa: N818  a sentence for the user
    """Options that contradict each other, or a value that is none; the message names the option."""

"""The error of a question that cannot be answered by any store."""


class BadQuestion(ValueError):  # noqa: N818  a sentence for the user
    """Options that contradict each other, or a value that is none.

    Attributes:
        parts: the names of the options that it is about.

    >>> BadQuestion("since is after until", "since", "until").parts
    ('since', 'until')
    """

    def __init__(self, message: str, *parts: str) -> None:
        super().__init__(message)
        self.parts = parts

"""Errors about DataHub's URNs, names, schemas and aspects; messages are sentences for the user."""


class DataHubError(ValueError):
    """A URN, a name or a schema that cannot be used; the message says why and what to do."""


class BadUrn(DataHubError):  # noqa: N818  it says what it is
    """A text that is not a URN, or not of the expected kind."""


class BadSchema(DataHubError):  # noqa: N818  it says what it is
    """A schema that its own library rejects, or that is too deep or too large."""


class MissingLibrary(DataHubError):  # noqa: N818  it says what is the matter
    """The library that reads this format is not installed."""


class NameClash(DataHubError):  # noqa: N818  it says what is the matter
    """Two datasets would have the same URN."""


class BadAspect(DataHubError):  # noqa: N818  it says what it is
    """An aspect, or a change to one, that is not as DataHub writes it."""

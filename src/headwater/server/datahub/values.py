"""Aspects as DataHub's server writes them: names of classes as in Rest.li, not as in its files."""

from typing import Any

_IN_FILES, _ON_THE_WIRE = "com.linkedin.pegasus2avro.", "com.linkedin."


def as_sent(value: Any) -> Any:  # noqa: ANN401  JSON
    """An aspect with the names that clients expect from a server.

    >>> as_sent({"com.linkedin.pegasus2avro.schema.OtherSchema": {"rawSchema": ""}})
    {'com.linkedin.schema.OtherSchema': {'rawSchema': ''}}
    """
    if isinstance(value, dict):
        return {
            _ON_THE_WIRE + key[len(_IN_FILES) :] if key.startswith(_IN_FILES) else key: as_sent(one)
            for key, one in value.items()
        }
    return [as_sent(one) for one in value] if isinstance(value, list) else value

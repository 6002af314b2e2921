"""Facets of datasets and jobs as Marquez shows them: descriptions, sources, registrations; pure."""

from headwater.openlineage.model.check import is_object
from headwater.query.metadata.notes import Notes
from headwater.store.model.meaning import REGISTERED

DEFAULT_SOURCE = "default"
_TYPES = ("DB_TABLE", "STREAM")
_STREAMS = ("kafka", "kinesis", "pulsar", "pubsub", "eventhub", "amqp", "mqtt", "nats")


def description(notes: Notes) -> str | None:
    """The description in the documentation facet."""
    return _text(notes, "documentation", "description") or None


def source_name(notes: Notes) -> str:
    """The source of a dataset.

    >>> source_name({"dataSource": {"name": "db", "uri": "postgres://db"}}), source_name({})
    ('db', 'default')
    """
    return _text(notes, "dataSource", "name") or DEFAULT_SOURCE


def dataset_type(notes: Notes, namespace: str) -> str:
    """Whether a dataset is a table or a stream: as it was registered, else by where it is.

    >>> dataset_type({}, "kafka://broker:9092"), dataset_type({}, "postgres://db:5432")
    ('STREAM', 'DB_TABLE')
    """
    if (registered := _text(notes, REGISTERED, "type")) in _TYPES:
        return registered
    places = (namespace, _text(notes, "dataSource", "uri"))
    return "STREAM" if any(place.casefold().startswith(_STREAMS) for place in places) else "DB_TABLE"


def physical_name(notes: Notes, name: str) -> str:
    """The physical name of a dataset: its name, unless another was registered."""
    return _text(notes, REGISTERED, "physicalName") or name


def _text(notes: Notes, facet: str, key: str) -> str:
    facets = notes.get(facet)
    value = facets.get(key) if is_object(facets) else None
    return value if isinstance(value, str) else ""

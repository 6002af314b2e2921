"""Requests of DataHub's clients, split into records of the form that its files have; pure.

Each record is one proposal or one snapshot, for `changes_of` to read. One that cannot be read is replaced by the error
that says why, so that the others count. A body that holds none at all raises `BadAspect`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from headwater.datahub.json_values import a_list, an_object
from headwater.fields.errors import BadAspect

_NO_ASPECT = frozenset({"urn", "@class", "type"})


def of_proposal(body: Any) -> Iterator[Any]:  # noqa: ANN401  JSON
    """The record of `ingestProposal`."""
    yield _required(body, "proposal")


def of_proposals(body: Any) -> Iterator[Any]:  # noqa: ANN401  JSON
    """The records of `ingestProposalBatch`."""
    yield from a_list(_required(body, "proposals"), "proposals")


def of_snapshot(body: Any) -> Iterator[Any]:  # noqa: ANN401  JSON
    """The record of `ingest`: a snapshot."""
    yield _snapshot(_required(body, "entity"), body.get("systemMetadata"), "entity")


def of_snapshots(body: Any) -> Iterator[Any]:  # noqa: ANN401  JSON
    """The records of `ingestBatch`: snapshots, with one systemMetadata for each or one for all."""
    entities = a_list(_required(body, "entities"), "entities")
    metadata = body.get("systemMetadata")
    for place, entity in enumerate(entities):
        system = metadata[place] if isinstance(metadata, list) and place < len(metadata) else metadata
        yield _snapshot(entity, system, f"entities[{place}]")


def of_entities(kind: str, body: Any, change: str = "UPSERT") -> Iterator[Any]:  # noqa: ANN401  JSON
    """The records of OpenAPI's entities: a list, in which each has a URN and its aspects by name.

    >>> body = [{"urn": "urn:li:tag:a", "status": {"value": {"removed": False}}}]
    >>> [(record["entityUrn"], record["aspectName"], record["aspect"]) for record in of_entities("tag", body)]
    [('urn:li:tag:a', 'status', {'json': {'removed': False}})]
    """
    for place, raw in enumerate(a_list(body, "The body")):
        names = [name for name in raw if name not in _NO_ASPECT] if isinstance(raw, Mapping) else []
        if not names:
            yield BadAspect(f"The body's [{place}] must be an object with a urn and at least one aspect.")
        for name in names:
            yield of_aspect(kind, raw.get("urn"), name, raw[name], change)


def of_aspect(kind: str, urn: Any, name: str, body: Any, change: str = "UPSERT") -> dict[str, Any] | BadAspect:  # noqa: ANN401  JSON
    """The record of one aspect of OpenAPI's: its value, and its systemMetadata."""
    if not isinstance(body, Mapping) or "value" not in body:
        return BadAspect(f'{name} of {urn} must be {{"value": …}}.')
    if str(urn).startswith("urn:li:") and not str(urn).startswith(f"urn:li:{kind}:"):
        return BadAspect(f"{urn} is not the URN of a {kind}: send it to /openapi/v3/entity/ and its own kind.")
    return {
        "entityType": kind,
        "entityUrn": urn,
        "changeType": change,
        "aspectName": name,
        "aspect": {"json": body["value"]},
        "systemMetadata": body.get("systemMetadata"),
    }


def deletion(urn: str, aspect: str) -> dict[str, Any]:
    """The record that deletes an aspect."""
    return {"entityUrn": urn, "changeType": "DELETE", "aspectName": aspect}


def _required(body: Any, key: str) -> Any:  # noqa: ANN401  JSON
    value = an_object(body, "The body").get(key)
    if value is None:
        raise BadAspect(f"The body has no {key!r}.")
    return value


def _snapshot(entity: Any, system: Any, where: str) -> dict[str, Any] | BadAspect:  # noqa: ANN401  JSON
    if not isinstance(entity, Mapping) or "value" not in entity:
        return BadAspect(f'{where} must be {{"value": {{"<snapshot>": …}}}}.')
    return {"proposedSnapshot": entity["value"], "systemMetadata": system}

"""Requests as DataHub's clients send them, taken apart into records of the form that its files have; pure.

Each record is one proposal or one snapshot; what is in it is for `changes_of` to say. In place of one that cannot be
read stands the error that says why, so that the rest is kept.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from headwater.datahub.json_values import a_list, an_object
from headwater.fields.errors import BadAspect

_NO_ASPECT = frozenset({"urn", "@class", "type"})


def of_proposal(body: Any) -> Iterator[Any]:  # noqa: ANN401  JSON
    """The record of `ingestProposal`.

    Raises:
        BadAspect: there is none.
    """
    yield _held(body, "proposal")


def of_proposals(body: Any) -> Iterator[Any]:  # noqa: ANN401  JSON
    """The records of `ingestProposalBatch`.

    Raises:
        BadAspect: there is no list of them.
    """
    yield from a_list(_held(body, "proposals"), "proposals")


def of_snapshot(body: Any) -> Iterator[Any]:  # noqa: ANN401  JSON
    """The record of `ingest`: a snapshot.

    Raises:
        BadAspect: there is none.
    """
    yield _snapshot(_held(body, "entity"), body.get("systemMetadata"), "entity")


def of_snapshots(body: Any) -> Iterator[Any]:  # noqa: ANN401  JSON
    """The records of `ingestBatch`: snapshots, with a list of what the system says of them or one for all.

    Raises:
        BadAspect: there are none.
    """
    entities = a_list(_held(body, "entities"), "entities")
    said = body.get("systemMetadata")
    for place, entity in enumerate(entities):
        system = said[place] if isinstance(said, list) and place < len(said) else said
        yield _snapshot(entity, system, f"entities[{place}]")


def of_entities(kind: str, body: Any, change: str = "UPSERT") -> Iterator[Any]:  # noqa: ANN401  JSON
    """The records of OpenAPI's entities: a list, in which each has a URN and its aspects by name.

    >>> body = [{"urn": "urn:li:tag:a", "status": {"value": {"removed": False}}}]
    >>> [(one["entityUrn"], one["aspectName"], one["aspect"]) for one in of_entities("tag", body)]
    [('urn:li:tag:a', 'status', {'json': {'removed': False}})]

    Raises:
        BadAspect: it is no such list.
    """
    for place, raw in enumerate(a_list(body, "The body")):
        names = [name for name in raw if name not in _NO_ASPECT] if isinstance(raw, Mapping) else []
        if not names:
            yield BadAspect(f"The body's [{place}] must be an object with a urn and at least one aspect.")
        for name in names:
            yield of_aspect(kind, raw.get("urn"), name, raw[name], change)


def of_aspect(kind: str, urn: Any, name: str, said: Any, change: str = "UPSERT") -> dict[str, Any] | BadAspect:  # noqa: ANN401  JSON
    """The record of one aspect of OpenAPI's: its value, and what the system says of it."""
    if not isinstance(said, Mapping) or "value" not in said:
        return BadAspect(f'{name} of {urn} must be {{"value": …}}.')
    if str(urn).startswith("urn:li:") and not str(urn).startswith(f"urn:li:{kind}:"):
        return BadAspect(f"{urn} is not the URN of a {kind}: send it to /openapi/v3/entity/ and its own kind.")
    return {
        "entityType": kind,
        "entityUrn": urn,
        "changeType": change,
        "aspectName": name,
        "aspect": {"json": said["value"]},
        "systemMetadata": said.get("systemMetadata"),
    }


def deletion(urn: str, aspect: str) -> dict[str, Any]:
    """The record that deletes an aspect."""
    return {"entityUrn": urn, "changeType": "DELETE", "aspectName": aspect}


def _held(body: Any, key: str) -> Any:  # noqa: ANN401  JSON
    held = an_object(body, "The body").get(key)
    if held is None:
        raise BadAspect(f"The body has no {key!r}.")
    return held


def _snapshot(entity: Any, system: Any, what: str) -> dict[str, Any] | BadAspect:  # noqa: ANN401  JSON
    if not isinstance(entity, Mapping) or "value" not in entity:
        return BadAspect(f'{what} must be {{"value": {{"<snapshot>": …}}}}.')
    return {"proposedSnapshot": entity["value"], "systemMetadata": system}

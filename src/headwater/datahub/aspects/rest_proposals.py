"""Change proposals as DataHub's server takes them over Rest.li, and digests that tell whether one changed.

A file has an aspect as JSON; the server wants it as a text, and without nulls.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from headwater.datahub.aspects.class_names import text_without_avro
from headwater.datahub.aspects.lineage import ACTOR

# The limits of the stock emitter: the server takes 16,000,000 bytes, and so many aspects within its timeout.
_AT_ONCE = 200
_BYTES = 15 * 1024 * 1024
_DISCRIMINATOR = "fieldDiscriminator"
# Most aspects have none of these: one look at the text tells.
_TO_REWRITE = (":null", ",null", "[null", _DISCRIMINATOR)
# Our own stamps have the time of the export: they are no change.
_STAMP = re.compile(rf'\{{"time":\d+,"actor":"{ACTOR}"\}}')


class Place(NamedTuple):
    """The entity and the name of an aspect."""

    urn: str
    aspect: str


class Proposal(NamedTuple):
    """One aspect to send.

    Attributes:
        place: where it goes.
        digest: of its content.
        text: the proposal as JSON.
        last: it removes the entity, with all other aspects.
    """

    place: Place
    digest: bytes
    text: str
    last: bool = False


def proposal_of(record: Mapping[str, Any], *, last: bool = False) -> Proposal:
    """A record of a file as the server takes it."""
    value = record["aspect"]["json"]
    text = text_without_avro(value)
    if any(sign in text for sign in _TO_REWRITE):
        text = text_without_avro(_rewritten(value))
    sent = {**record, "aspect": {"value": text, "contentType": "application/json"}}
    place = Place(record["entityUrn"], record["aspectName"])
    return Proposal(place, digest_of(text), json.dumps(sent, separators=(",", ":")), last)


def digest_of(text: str) -> bytes:
    """A hash of an aspect, without our own stamps."""
    return hashlib.sha256(_STAMP.sub("{}", text).encode()).digest()[:16]


def _rewritten(value: Any) -> Any:  # noqa: ANN401  JSON
    """An aspect as Rest.li has it.

    >>> _rewritten({"a": None, "cost": {"costId": 1.0, "costCode": None, "fieldDiscriminator": "costId"}})
    {'cost': {'costId': 1.0}}
    """
    if isinstance(value, list):
        return [_rewritten(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    if _DISCRIMINATOR in value:
        # Avro names the member of a union that counts; Rest.li has only that member.
        meant = value[_DISCRIMINATOR]
        return {meant: _rewritten(value.get(meant))}
    return {name: _rewritten(inner) for name, inner in value.items() if inner is not None}


def in_batches(proposals: Iterable[Proposal]) -> Iterator[list[Proposal]]:
    """Proposals in batches of a size that the server takes."""
    batch: list[Proposal] = []
    size = 0
    for proposal in proposals:
        if batch and (len(batch) == _AT_ONCE or size + len(proposal.text) > _BYTES):
            yield batch
            batch, size = [], 0
        batch.append(proposal)
        size += len(proposal.text)
    if batch:
        yield batch


def batch_document(batch: Sequence[Proposal]) -> bytes:
    """The body of a request; not `async`, so that the answer is that of the database and not of a queue."""
    return f'{{"proposals":[{",".join(proposal.text for proposal in batch)}],"async":"false"}}'.encode()

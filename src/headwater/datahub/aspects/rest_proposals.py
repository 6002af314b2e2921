"""Change proposals as DataHub's server takes them over Rest.li, and what tells whether one has changed.

A file has an aspect as JSON; the server wants it as a text, and without what is null.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from headwater.datahub.aspects.class_names import text_without_avro
from headwater.datahub.aspects.lineage import ACTOR

# What the stock emitter keeps to: the server takes 16,000,000 bytes, and so many aspects within its time.
_AT_ONCE = 200
_BYTES = 15 * 1024 * 1024
_DISCRIMINATOR = "fieldDiscriminator"
# Most aspects have none of this: one look at the text tells.
_TO_REWRITE = (":null", ",null", "[null", _DISCRIMINATOR)
# Our own stamps say when the store was looked at: they are no change.
_STAMP = re.compile(rf'\{{"time":\d+,"actor":"{ACTOR}"\}}')


class Place(NamedTuple):
    """Where an aspect is."""

    urn: str
    aspect: str


class Proposal(NamedTuple):
    """One aspect on its way.

    Attributes:
        place: where it goes.
        digest: of what it says.
        text: the proposal as JSON.
        last: the entity is removed by it, and nothing else of it is there any more.
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
    """What stays the same as long as an aspect says the same."""
    return hashlib.sha256(_STAMP.sub("{}", text).encode()).digest()[:16]


def _rewritten(value: Any) -> Any:  # noqa: ANN401  JSON
    """An aspect as Rest.li has it.

    >>> _rewritten({"a": None, "cost": {"costId": 1.0, "costCode": None, "fieldDiscriminator": "costId"}})
    {'cost': {'costId': 1.0}}
    """
    if isinstance(value, list):
        return [_rewritten(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    if _DISCRIMINATOR in value:
        # Avro's way to tell the members of a union apart; Rest.li has only the one that is meant.
        meant = value[_DISCRIMINATOR]
        return {meant: _rewritten(value.get(meant))}
    return {name: _rewritten(inner) for name, inner in value.items() if inner is not None}


def in_batches(proposals: Iterable[Proposal]) -> Iterator[list[Proposal]]:
    """Proposals, so many together as the server takes at once."""
    batch: list[Proposal] = []
    size = 0
    for one in proposals:
        if batch and (len(batch) == _AT_ONCE or size + len(one.text) > _BYTES):
            yield batch
            batch, size = [], 0
        batch.append(one)
        size += len(one.text)
    if batch:
        yield batch


def batch_document(batch: Sequence[Proposal]) -> bytes:
    """The body of a request; not `async`: the answer is then that of the database, not that of a queue."""
    return f'{{"proposals":[{",".join(one.text for one in batch)}],"async":"false"}}'.encode()

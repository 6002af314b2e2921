"""The parts of an event without secrets, and the event as it came where the store is told to keep it.

Whatever is derived, shown or exported comes from the parts without secrets: nothing else of the store knows the others.
"""

import os
from collections.abc import Mapping
from typing import Any

from headwater.common.redaction.text import may_hold_secrets
from headwater.openlineage.model.check import is_object
from headwater.openlineage.model.producer import PRODUCER
from headwater.openlineage.model.redaction import marked, redacted
from headwater.store.model.event_parts import RECEIVED
from headwater.store.model.order import canonical

KEEP_SECRETS = "HEADWATER_KEEP_SECRETS"
"""The environment variable that tells a store to keep events as they came, beside those without secrets."""

_YES = frozenset({"1", "true", "yes", "on"})
# Where a part says how many values were removed from it. What a run says of itself does not repeat.
_MARKED = ("run", "job", "dataset")


def keeps_secrets(environment: Mapping[str, str] | None = None) -> bool:
    """Whether events are also kept as they came.

    >>> keeps_secrets({}), keeps_secrets({"HEADWATER_KEEP_SECRETS": "yes"})
    (False, True)
    """
    value = (os.environ if environment is None else environment).get(KEEP_SECRETS, "")
    return value.strip().casefold() in _YES


def without_secrets(part: dict[str, Any]) -> tuple[dict[str, Any], bytes, int]:
    """A part of an event without secrets, its canonical form, and how many values were removed.

    What is removed is marked in the part. Once more changes nothing, so an exported event is known when it comes back.

    >>> part, _, removed = without_secrets({"job": {"name": "j", "facets": {"sql": {"query": "SET pwd='x7y8z9'"}}}})
    >>> part["job"]["facets"]["sql"], part["job"]["facets"]["headwater_redaction"]["values"], removed
    ({'query': "SET pwd='***'"}, 1, 1)
    """
    content = canonical(part)
    if not may_hold_secrets(content):
        return part, content, 0
    clean, removed = redacted(part)
    if not removed:
        return part, content, 0
    for name in _MARKED:
        holder = clean.get(name)
        # The facets of a dataset that are not in the body would come back in it.
        if is_object(holder) and (name != "dataset" or "name" in holder):
            clean[name] = {**holder, "facets": marked(holder.get("facets"), removed, PRODUCER)}
            break
    return clean, canonical(clean), removed


def with_received(rest: dict[str, Any], event: Mapping[str, Any]) -> bytes:
    """The part that does not repeat, with the event as it came."""
    return canonical({**rest, RECEIVED: event})

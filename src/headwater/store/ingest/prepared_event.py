"""From an event as it arrives to one that is ready to be written; pure, and done before any lock is taken."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from headwater.common.redaction.text import redact_name
from headwater.openlineage.model.check import an_object, is_deeper
from headwater.openlineage.model.event import BadEvent, EventType, Parent
from headwater.openlineage.model.facet_schemas import check_facets
from headwater.openlineage.model.limits import MOST_BYTES, MOST_LEVELS
from headwater.openlineage.model.memo import as_written
from headwater.openlineage.model.parse import check_rest, event_shape, is_deleted, parse_event, parse_happening
from headwater.openlineage.model.parse_facets import dataset_version
from headwater.store.db.codes import EventKind, Role
from headwater.store.ingest.redaction import with_received, without_secrets
from headwater.store.model.event_parts import KnownBody, split
from headwater.store.model.meaning import Meaning, Name, meaning_of
from headwater.store.model.order import digest, stamp
from headwater.store.timeline.runs import uuid_bytes

_KINDS = {"RunEvent": EventKind.RUN, "JobEvent": EventKind.JOB, "DatasetEvent": EventKind.DATASET}
_HAPPENED = {"eventTime": "1970-01-01T00:00:00Z"}
_HAPPENED_IN_A_RUN = {**_HAPPENED, "run": {"runId": "00000000-0000-0000-0000-000000000000"}}
SHAPES = {kind: shape for shape, kind in _KINDS.items()}
"""What OpenLineage calls the kinds of events."""
_ROLES = (("inputs", Role.READ), ("outputs", Role.WRITTEN))


@dataclass(slots=True)
class Ready:
    """An event checked, taken apart and hashed.

    `meaning` is None and `body` empty where the body is known already, by `written`.
    """

    raw: Mapping[str, Any]
    hash: bytes
    stamp: bytes
    kind: EventKind
    us: int
    type: EventType
    run: bytes | None
    parent: Parent | None
    versions: tuple[tuple[Role, Name, str], ...]
    written: bytes | None
    body_hash: bytes
    body: bytes
    rest: bytes
    meaning: Meaning | None

    def read(self) -> Meaning:
        """What the event means, read now if it was not before."""
        if self.meaning is None:
            self.meaning = meaning_of_body(without_secrets(split(self.raw).body)[0], self.kind)
        return self.meaning

    def content(self) -> bytes:
        """The body, written now if it was not before."""
        return self.body or without_secrets(split(self.raw).body)[1]

    def remember(self, known: dict[bytes, KnownBody]) -> None:
        """Note the body as known, for `make_ready`."""
        if self.written and self.body:
            known[self.written] = KnownBody(self.body_hash, len(self.body))


def make_ready(
    raw: Mapping[str, Any], known: Mapping[bytes, KnownBody] = MappingProxyType({}), *, keep_secrets: bool = False
) -> Ready:
    """Check an event, whose body need not be read again where it is known, by the hash of it as written.

    Body and rest are each checked by themselves. So an event is valid or not whatever is known.

    Secrets are removed first, so they play no part in what it means, nor in its hash; with `keep_secrets`, the event is
    also kept as it came, for nobody but who opens the store itself.

    Raises:
        BadEvent: it cannot be stored; says which field is at fault and why.
    """
    an_object(raw, "event")
    shape = event_shape(raw)
    kind = _KINDS[shape]
    parts = split(raw)
    # A body that was seen just so is known by a hash that costs less than its canonical form.
    written = as_written(parts.body)
    remembered = known.get(written) if written and not keep_secrets else None
    own, rest, removed = _clean(parts.rest)
    happened = parse_happening(own, shape)
    lasting, body = parts.body, b""
    if remembered is None:
        lasting, body, removed_from_body = _clean(parts.body)
        removed += removed_from_body
    size = len(rest) + (len(body) if remembered is None else remembered.size)
    if size > MOST_BYTES:
        raise BadEvent("", f"The event is {size / 1_000_000:.0f} MB; the limit is {MOST_BYTES // 1000000} MB")
    _check_depth(own, rest)
    meaning = None
    if remembered is None:
        _check_depth(lasting, body)
        check_facets(lasting)
        meaning = meaning_of_body(lasting, kind)
    check_facets(own)
    check_rest(own, shape)
    body_hash = digest(body) if remembered is None else remembered.hash
    hashed = digest(body_hash + rest)
    return Ready(
        raw=raw,
        hash=hashed,
        stamp=stamp(happened.time_us, happened.type.rank, hashed),
        kind=kind,
        us=happened.time_us,
        type=happened.type,
        run=uuid_bytes(happened.run_id) if happened.run_id else None,
        parent=happened.parent,
        versions=tuple(versions_in(raw, own)) if happened.run_id else (),
        written=written,
        body_hash=body_hash,
        body=body,
        rest=with_received(own, raw) if keep_secrets and removed else rest,
        meaning=meaning,
    )


def _clean(part: dict[str, Any]) -> tuple[dict[str, Any], bytes, int]:
    try:
        return without_secrets(part)
    except RecursionError:
        raise _too_deep() from None
    except (TypeError, ValueError) as error:
        raise BadEvent("", f"The event is not JSON: {error}") from None


def _check_depth(part: Mapping[str, Any], written: bytes) -> None:
    # What has no more brackets than levels need not be walked through.
    if written.count(b"{") + written.count(b"[") > MOST_LEVELS and is_deeper(part, MOST_LEVELS + 1):
        raise _too_deep()


def _too_deep() -> BadEvent:
    return BadEvent("", f"The event is nested more than {MOST_LEVELS} levels deep")


def meaning_of_body(body: Mapping[str, Any], kind: EventKind) -> Meaning:
    """What an event of a kind means whose body this is: run and time, which are not in it, play no part."""
    happened = _HAPPENED_IN_A_RUN if kind is EventKind.RUN else _HAPPENED
    return meaning_of(parse_event({**body, **happened}, SHAPES[kind]))


def versions_in(event: Mapping[str, Any], rest: Mapping[str, Any]) -> Iterator[tuple[Role, Name, str]]:
    """What the version facets of an event's datasets say; of the event, its body will do."""
    for key, role in _ROLES:
        for place, own in rest.get(key, {}).items():
            facet = own.get("facets", {}).get("version")
            where = f"{key}[{place}].facets.version"
            if facet is not None and not is_deleted(an_object(facet, where)):
                dataset = event[key][int(place)]
                name = redact_name(dataset["namespace"]), redact_name(dataset["name"])
                yield role, name, dataset_version(facet, where)

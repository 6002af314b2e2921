"""From an event as it arrives to one that is ready to be written; pure, and done before any lock is taken."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from headwater.common.redaction.text import redact_name
from headwater.openlineage.model.check import an_object
from headwater.openlineage.model.event import BadEvent, EventType, Parent
from headwater.openlineage.model.facet_schemas import check_facets
from headwater.openlineage.model.limits import MOST_BYTES
from headwater.openlineage.model.memo import as_written
from headwater.openlineage.model.parse import event_shape, is_deleted, parse_event, parse_happening
from headwater.openlineage.model.parse_facets import dataset_version
from headwater.store.db.codes import EventKind, Role
from headwater.store.ingest.redaction import with_received, without_secrets
from headwater.store.model.event_parts import Parts, join, split
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

    `meaning` is None and `body` empty where the body is known to the store already, by `written`.
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
            self.meaning = meaning_of(parse_event(_clean_event(self.raw)))
        return self.meaning

    def content(self) -> bytes:
        """The body, written now if it was not before."""
        return self.body or without_secrets(split(self.raw).body)[1]


def make_ready(
    raw: Mapping[str, Any], known: Mapping[bytes, bytes] = MappingProxyType({}), *, keep_secrets: bool = False
) -> Ready:
    """Check an event, whose body need not be read again where it is known: the hash of it as written to its own hash.

    Secrets are removed first, so they play no part in what it means, nor in its hash; with `keep_secrets`, the event is
    also kept as it came, for nobody but who opens the store itself.

    Raises:
        BadEvent: it cannot be stored; says which field is at fault and why.
    """
    an_object(raw, "event")
    shape = event_shape(raw)
    parts = split(raw)
    # A body that was seen just so is known by a hash that costs less than its canonical form.
    written = as_written(parts.body)
    remembered = known.get(written) if written and not keep_secrets else None
    removed = 0
    body = b""
    try:
        own, rest, removed_here = without_secrets(parts.rest)
        if remembered is None:
            lasting, body, removed = without_secrets(parts.body)
    except RecursionError:
        raise BadEvent("", "The event is nested too deeply") from None
    except (TypeError, ValueError) as error:
        raise BadEvent("", f"The event is not JSON: {error}") from None
    if len(body) + len(rest) > MOST_BYTES:
        size = (len(body) + len(rest)) / 1_000_000
        raise BadEvent("", f"The event is {size:.0f} MB; the limit is {MOST_BYTES // 1000000} MB")
    happened = parse_happening(own, shape)
    body_hash = digest(body) if remembered is None else remembered
    hashed = digest(body_hash + rest)
    meaning = None
    if remembered is None:
        event = join(Parts(lasting, own)) if removed + removed_here else raw
        check_facets(event)
        meaning = meaning_of(parse_event(event))
    else:
        check_facets(own)
    return Ready(
        raw=raw,
        hash=hashed,
        stamp=stamp(happened.time_us, happened.type.rank, hashed),
        kind=_KINDS[shape],
        us=happened.time_us,
        type=happened.type,
        run=uuid_bytes(happened.run_id) if happened.run_id else None,
        parent=happened.parent,
        versions=tuple(versions_in(raw, own)) if happened.run_id else (),
        written=written,
        body_hash=body_hash,
        body=body,
        rest=with_received(own, raw) if keep_secrets and removed + removed_here else rest,
        meaning=meaning,
    )


def meaning_of_body(body: Mapping[str, Any], kind: EventKind) -> Meaning:
    """What an event of a kind means whose body this is: run and time, which are not in it, play no part."""
    happened = _HAPPENED_IN_A_RUN if kind is EventKind.RUN else _HAPPENED
    return meaning_of(parse_event({**body, **happened}))


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


def _clean_event(raw: Mapping[str, Any]) -> dict[str, Any]:
    parts = split(raw)
    return join(Parts(without_secrets(parts.body)[0], without_secrets(parts.rest)[0]))

"""From an event as it arrives to one that is ready to be written; pure, and done before any lock is taken."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from headwater.common.json_text import read_json
from headwater.common.redaction.text import redact_name
from headwater.openlineage.model.check import an_object, is_deeper
from headwater.openlineage.model.event import BadEvent, EventType, Parent
from headwater.openlineage.model.facet_schemas import check_facets
from headwater.openlineage.model.limits import MOST_BYTES, MOST_LEVELS
from headwater.openlineage.model.memo import as_written
from headwater.openlineage.model.parse import (
    Happening,
    check_rest,
    event_shape,
    is_deleted,
    parse_event,
    parse_happening,
)
from headwater.openlineage.model.parse_facets import dataset_version
from headwater.store.db.codes import EventKind, Role
from headwater.store.ingest.redaction import with_received, without_secrets
from headwater.store.model.event_parts import KnownBody, split
from headwater.store.model.event_texts import WrittenEvent, written_event
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

    `meaning` is None and `body` empty where the body is known already, by `written`. `raw` is the event as parsed JSON,
    or as it is written where only its rest was read.
    """

    raw: Mapping[str, Any] | bytes
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
            self.meaning = meaning_of_body(self._lasting()[0], self.kind)
        return self.meaning

    def content(self) -> bytes:
        """The body, written now if it was not before."""
        return self.body or self._lasting()[1]

    def _lasting(self) -> tuple[dict[str, Any], bytes, int]:
        raw = read_json(self.raw) if isinstance(self.raw, bytes) else self.raw
        return without_secrets(split(raw).body)

    def remember(self, known: dict[bytes, KnownBody]) -> None:
        """Note the body as known, for `make_ready`."""
        if self.written and self.body:
            known[self.written] = KnownBody(self.body_hash, len(self.body), self.kind)


def ready_of_text(
    text: bytes,
    read: Callable[[bytes], Any],
    known: Mapping[bytes, KnownBody],
    *,
    levels: int = MOST_LEVELS,
    keep_secrets: bool = False,
) -> Ready:
    """The same as `make_ready` of what `read` reads in a text; where the body is known as it is written, without it.

    Args:
        text: JSON.
        read: reads JSON; raises where it cannot, or where more than `levels` of it are nested.
        known: bodies that were checked before, all under the same `levels`.
        levels: how deep events may be nested; the event itself is one level more.
        keep_secrets: whether the event is also kept as it came.
    """
    parts = None if keep_secrets else written_event(text)
    body = known.get(parts.written) if parts else None
    if parts and body and (ready := _ready_again(text, parts, body, levels)):
        return ready
    return make_ready(read(text), known, keep_secrets=keep_secrets, written=parts.written if parts else None)


def _ready_again(text: bytes, parts: WrittenEvent, body: KnownBody, levels: int) -> Ready | None:
    """An event whose body is known; None where anything is wrong with the rest: who reads all of it says what."""
    shape = SHAPES[body.kind]
    try:
        own, rest, _ = _clean(parts.read_rest())
        happened = parse_happening(own, shape)
        check_facets(own)
        check_rest(own, shape)
        names = tuple(versions_in(parts.read_names(), own)) if happened.run_id else ()
    except (ValueError, RecursionError):
        return None
    if len(rest) + body.size > MOST_BYTES or _is_deep(own, rest, min(levels, MOST_LEVELS)):
        return None
    return _ready(text, body.kind, happened, names, parts.written, body.hash, b"", rest, None)


def make_ready(
    raw: Mapping[str, Any],
    known: Mapping[bytes, KnownBody] = MappingProxyType({}),
    *,
    keep_secrets: bool = False,
    written: bytes | None = None,
) -> Ready:
    """Check an event, whose body need not be read again where it is known, by the hash of it as written.

    Body and rest are each checked by themselves. So an event is valid or not whatever is known.

    Secrets are removed first, so they play no part in what it means, nor in its hash; with `keep_secrets`, the event is
    also kept as it came, for nobody but who opens the store itself. `written` stands for the body as it is written,
    where that is known.

    Raises:
        BadEvent: it cannot be stored; says which field is at fault and why.
    """
    an_object(raw, "event")
    shape = event_shape(raw)
    kind = _KINDS[shape]
    parts = split(raw)
    # A body that was seen just so is known by a hash that costs less than its canonical form.
    written = written or as_written(parts.body)
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
    names = tuple(versions_in(raw, own)) if happened.run_id else ()
    ready = _ready(raw, kind, happened, names, written, body_hash, body, rest, meaning)
    if keep_secrets and removed:
        ready.rest = with_received(own, raw)
    return ready


def _ready(  # noqa: PLR0913, PLR0917  the parts of an event
    raw: Mapping[str, Any] | bytes,
    kind: EventKind,
    happened: Happening,
    versions: tuple[tuple[Role, Name, str], ...],
    written: bytes | None,
    body_hash: bytes,
    body: bytes,
    rest: bytes,
    meaning: Meaning | None,
) -> Ready:
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
        versions=versions,
        written=written,
        body_hash=body_hash,
        body=body,
        rest=rest,
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
    if _is_deep(part, written, MOST_LEVELS):
        raise _too_deep()


def _is_deep(part: Mapping[str, Any], written: bytes, levels: int) -> bool:
    # What has no more brackets than levels need not be walked through.
    return written.count(b"{") + written.count(b"[") > levels and is_deeper(part, levels + 1)


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

"""Changes as DataHub sends them (MCE, MAE, MCP and MCL, as JSON), each as one aspect of one entity.

>>> aspect = {"json": {"tags": []}}
>>> (change,) = changes_of({"entityUrn": "urn:li:tag:a", "changeType": "UPSERT", "aspectName": "x", "aspect": aspect})
>>> change.urn, change.aspect, change.value
('urn:li:tag:a', 'x', {'tags': []})
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from headwater.common.json_text import UNSTORABLE, read_json
from headwater.datahub.json_values import a_list, a_text, an_object, shown
from headwater.fields.errors import BadAspect
from headwater.fields.urn import Urn

_SET = frozenset({"UPSERT", "CREATE", "UPDATE", "CREATE_ENTITY", "RESTATE", "UPSERT_IF_NEWER"})
_YEAR_10000 = 253_402_300_800_000
_NO_TEXTS = (type(None), bool, int, float)
# Only a change log has these.
_OF_LOG = ("previousAspectValue", "previousSystemMetadata", "created")


class How(Enum):
    """What a change does to an aspect."""

    SET = "set"
    PATCH = "patch"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one aspect of one entity; `us` is its time, if it has one."""

    urn: str
    aspect: str
    how: How
    value: Any
    us: int | None


def changes_of(record: Any, *, stamped: bool = True) -> Iterator[Change]:  # noqa: ANN401  JSON
    """The changes in a record that can be stored; an MCE or an MAE has several.

    Args:
        record: the MCE, MAE, MCP or MCL.
        stamped: take the time from the aspect's own stamp where the record has none. Wrong for a live stream: a
            schema that was last modified a year ago may be sent today.

    Raises:
        DataHubError: it is none of the four, a URN is malformed, or an aspect is not JSON, or holds text that no
            database can store.
    """
    for change in _changes_of(record, stamped=stamped):
        _check_texts(change)
        yield change


def _check_texts(change: Change) -> None:
    texts = [change.urn, change.aspect]
    rest: list[Any] = [[change.value]]
    while rest:
        part = rest.pop()
        if type(part) is not list:
            texts += [key for key in part if isinstance(key, str)]
            part = part.values()
        # Most values are texts: hence the order, and the exact comparison of types.
        for value in part:
            kind = type(value)
            if kind is str:
                texts.append(value)
            elif kind not in _NO_TEXTS and isinstance(value, list | Mapping):
                rest.append(value)
    # All at once: to look at each text by itself took longer than to read the JSON.
    every = "".join(texts)
    if "\0" in every or (not every.isascii() and UNSTORABLE.search(every)):
        raise BadAspect("It contains a NUL character or an unpaired surrogate.")


def _changes_of(record: Any, *, stamped: bool) -> Iterator[Change]:  # noqa: ANN401  JSON
    fields = an_object(record, "A change")
    if "proposedSnapshot" in fields or "newSnapshot" in fields:
        yield from _of_snapshot(fields, stamped=stamped)
    elif "aspectName" in fields or "entityUrn" in fields or "aspect" in fields:
        yield _of_proposal(fields, stamped=stamped)
    elif any(key in fields for key in _OF_LOG):
        raise BadAspect(_WITHOUT_PROPOSAL)
    else:
        raise BadAspect(
            "Not a DataHub change: an MCE has proposedSnapshot, an MAE has newSnapshot, an MCP and an MCL have"
            " entityUrn, aspectName and aspect."
        )


_WITHOUT_PROPOSAL = "A change log (MCL) must contain its proposal (MCP): entityUrn, aspectName, changeType and aspect."


@lru_cache(maxsize=10_000)
def _checked(urn: str) -> str:
    """A URN, checked; cached, as the changes of one entity come one after another."""
    return str(Urn.parse(urn))


def _of_proposal(fields: Mapping[str, Any], *, stamped: bool) -> Change:
    is_log = any(key in fields for key in _OF_LOG)
    missing = [key for key in ("entityUrn", "aspectName") if not fields.get(key)]
    if missing:
        raise BadAspect(_WITHOUT_PROPOSAL if is_log else f"A proposal needs {' and '.join(missing)}.")
    urn = _checked(a_text(fields["entityUrn"], "entityUrn"))
    aspect = a_text(fields["aspectName"], "aspectName")
    kind = a_text(fields.get("changeType") or "UPSERT", "changeType")
    us = _time(fields)
    if kind == "DELETE":
        return Change(urn, aspect, How.DELETE, None, us)
    if kind not in _SET and kind != "PATCH":
        raise BadAspect(f"Unknown changeType {shown(kind)}: use UPSERT, CREATE, UPDATE, RESTATE, PATCH or DELETE.")
    if fields.get("aspect") is None:
        raise BadAspect(_WITHOUT_PROPOSAL if is_log else f"The proposal for {aspect} has no aspect.")
    value = _value(fields["aspect"])
    if kind == "PATCH":
        return Change(urn, aspect, How.PATCH, value, us)
    return Change(urn, aspect, How.SET, an_object(value, aspect), _stamped(value) if us is None and stamped else us)


def _value(aspect: Any) -> Any:  # noqa: ANN401  JSON
    """An aspect as an object, as in files, or as a text, as on the wire."""
    fields = an_object(aspect, "aspect")
    if "json" in fields:
        return fields["json"]
    if isinstance(fields.get("value"), str):
        try:
            return read_json(fields["value"])
        except ValueError as error:
            raise BadAspect(f"aspect.value is not JSON: {error}.") from None
        except RecursionError:
            raise BadAspect("aspect.value is nested too deeply.") from None
    raise BadAspect('aspect must be {"json": …} or {"value": "…", "contentType": "application/json"}.')


def _of_snapshot(fields: Mapping[str, Any], *, stamped: bool) -> Iterator[Change]:
    snapshot = fields.get("proposedSnapshot") or fields.get("newSnapshot")
    if snapshot is None:
        raise BadAspect("The snapshot is empty: add at least one aspect.")
    _, body = _union(snapshot, "the snapshot")
    urn = _checked(a_text(body.get("urn"), "urn"))
    us = _time(fields)
    for place, raw in enumerate(a_list(body.get("aspects"), "aspects")):
        name, value = _union(raw, f"aspects[{place}]")
        short = name.rpartition(".")[2]
        if short.endswith("Key"):
            continue  # the URN has the same parts
        aspect = short[:1].lower() + short[1:]
        yield Change(urn, aspect, How.SET, value, _stamped(value) if us is None and stamped else us)


def _union(value: Any, where: str) -> tuple[str, Mapping[str, Any]]:  # noqa: ANN401  JSON
    """A record with the name of its class, as `{name: record}` or as `[name, record]`."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):  # noqa: PLR2004  a pair
        return value[0], an_object(value[1], where)
    fields = an_object(value, where)
    if len(fields) != 1:
        raise BadAspect(f'{where} must be {{"<class>": …}}, with one class.')
    ((name, body),) = fields.items()
    return name, an_object(body, where)


def _time(fields: Mapping[str, Any]) -> int | None:
    """The time that the sender observed, else the one that DataHub recorded."""
    for key, inner in (("systemMetadata", "lastObserved"), ("created", "time"), ("auditHeader", "time")):
        stamp = fields.get(key)
        millis = stamp.get(inner) if isinstance(stamp, Mapping) else None
        if (us := _us(millis)) is not None:
            return us
    return None


def _stamped(value: Any) -> int | None:  # noqa: ANN401  JSON
    """The time in an aspect's own stamp."""
    for key in ("lastModified", "created"):
        stamp = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(stamp, Mapping) and (us := _us(stamp.get("time"))) is not None:
            return us
    return None


def _us(millis: Any) -> int | None:  # noqa: ANN401  JSON
    whole = isinstance(millis, int) and not isinstance(millis, bool)
    return millis * 1000 if whole and 0 < millis < _YEAR_10000 else None

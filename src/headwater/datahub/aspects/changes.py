"""Changes as DataHub sends them (MCE, MAE, MCP and MCL, as JSON), each as one aspect of one entity that is set.

>>> aspect = {"json": {"tags": []}}
>>> (one,) = changes_of({"entityUrn": "urn:li:tag:a", "changeType": "UPSERT", "aspectName": "x", "aspect": aspect})
>>> one.urn, one.aspect, one.value
('urn:li:tag:a', 'x', {'tags': []})
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, NoReturn

from headwater.datahub.json_values import a_list, a_text, an_object, shown
from headwater.fields.errors import BadAspect
from headwater.fields.urn import Urn

_SET = frozenset({"UPSERT", "CREATE", "UPDATE", "CREATE_ENTITY", "RESTATE", "UPSERT_IF_NEWER"})
_YEAR_10000 = 253_402_300_800_000
# What only a change log has.
_OF_LOG = ("previousAspectValue", "previousSystemMetadata", "created")


class How(Enum):
    """What a change does to an aspect."""

    SET = "set"
    PATCH = "patch"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Change:
    """One aspect of one entity; `us` is when, None where nothing says so."""

    urn: str
    aspect: str
    how: How
    value: Any
    us: int | None


def changes_of(record: Any, *, stamped: bool = True) -> Iterator[Change]:  # noqa: ANN401  JSON
    """The changes that a record says; there are several in an MCE or an MAE.

    Args:
        record: the MCE, MAE, MCP or MCL.
        stamped: where nothing else says when it was, an aspect's own stamp does. Not so for what comes while it
            happens: a schema that was last modified a year ago may be told of today.

    Raises:
        DataHubError: it is none of the four, a URN is malformed, or an aspect is no JSON.
    """
    held = an_object(record, "A change")
    if "proposedSnapshot" in held or "newSnapshot" in held:
        yield from _of_snapshot(held, stamped=stamped)
    elif "aspectName" in held or "entityUrn" in held or "aspect" in held:
        yield _of_proposal(held, stamped=stamped)
    elif any(key in held for key in _OF_LOG):
        raise BadAspect(_WITHOUT_PROPOSAL)
    else:
        raise BadAspect(
            "Not a DataHub change: an MCE has proposedSnapshot, an MAE has newSnapshot, an MCP and an MCL have"
            " entityUrn, aspectName and aspect."
        )


_WITHOUT_PROPOSAL = "A change log (MCL) must contain its proposal (MCP): entityUrn, aspectName, changeType and aspect."


@lru_cache(maxsize=10_000)
def _checked(urn: str) -> str:
    """A URN that is one; those of one entity come one after another."""
    return str(Urn.parse(urn))


def _of_proposal(held: Mapping[str, Any], *, stamped: bool) -> Change:
    is_log = any(key in held for key in _OF_LOG)
    missing = [key for key in ("entityUrn", "aspectName") if not held.get(key)]
    if missing:
        raise BadAspect(_WITHOUT_PROPOSAL if is_log else f"A proposal needs {' and '.join(missing)}.")
    urn = _checked(a_text(held["entityUrn"], "entityUrn"))
    aspect = a_text(held["aspectName"], "aspectName")
    kind = held.get("changeType") or "UPSERT"
    us = _time(held)
    if kind == "DELETE":
        return Change(urn, aspect, How.DELETE, None, us)
    if kind not in _SET and kind != "PATCH":
        raise BadAspect(f"Unknown changeType {shown(kind)}: use UPSERT, CREATE, UPDATE, RESTATE, PATCH or DELETE.")
    if held.get("aspect") is None:
        raise BadAspect(_WITHOUT_PROPOSAL if is_log else f"The proposal for {aspect} has no aspect.")
    value = _value(held["aspect"])
    if kind == "PATCH":
        return Change(urn, aspect, How.PATCH, value, us)
    return Change(urn, aspect, How.SET, an_object(value, aspect), _stamped(value) if us is None and stamped else us)


def _value(aspect: Any) -> Any:  # noqa: ANN401  JSON
    """An aspect inlined, as files have it, or as a text, as it is on the wire."""
    held = an_object(aspect, "aspect")
    if "json" in held:
        return held["json"]
    if isinstance(held.get("value"), str):
        try:
            return json.loads(held["value"], parse_constant=_refuse)
        except ValueError as error:
            raise BadAspect(f"aspect.value is not JSON: {error}.") from None
        except RecursionError:
            raise BadAspect("aspect.value is nested too deeply.") from None
    raise BadAspect('aspect must be {"json": …} or {"value": "…", "contentType": "application/json"}.')


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _of_snapshot(held: Mapping[str, Any], *, stamped: bool) -> Iterator[Change]:
    snapshot = held.get("proposedSnapshot") or held.get("newSnapshot")
    if snapshot is None:
        raise BadAspect("The snapshot is empty: add at least one aspect.")
    _, body = _union(snapshot, "the snapshot")
    urn = _checked(a_text(body.get("urn"), "urn"))
    us = _time(held)
    for place, one in enumerate(a_list(body.get("aspects"), "aspects")):
        name, value = _union(one, f"aspects[{place}]")
        short = name.rpartition(".")[2]
        if short.endswith("Key"):
            continue  # it says what the URN says
        aspect = short[:1].lower() + short[1:]
        yield Change(urn, aspect, How.SET, value, _stamped(value) if us is None and stamped else us)


def _union(value: Any, what: str) -> tuple[str, Mapping[str, Any]]:  # noqa: ANN401  JSON
    """A record with the name of its class, as `{name: record}` or as `[name, record]`."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):  # noqa: PLR2004  a pair
        return value[0], an_object(value[1], what)
    held = an_object(value, what)
    if len(held) != 1:
        raise BadAspect(f'{what} must be {{"<class>": …}}, with one class.')
    ((name, body),) = held.items()
    return name, an_object(body, what)


def _time(held: Mapping[str, Any]) -> int | None:
    """When: as the one who sent it saw it, else as DataHub wrote it down."""
    for key, inner in (("systemMetadata", "lastObserved"), ("created", "time"), ("auditHeader", "time")):
        said = held.get(key)
        millis = said.get(inner) if isinstance(said, Mapping) else None
        if (us := _us(millis)) is not None:
            return us
    return None


def _stamped(value: Any) -> int | None:  # noqa: ANN401  JSON
    """When an aspect says that it was changed."""
    for key in ("lastModified", "created"):
        said = value.get(key) if isinstance(value, Mapping) else None
        if isinstance(said, Mapping) and (us := _us(said.get("time"))) is not None:
            return us
    return None


def _us(millis: Any) -> int | None:  # noqa: ANN401  JSON
    whole = isinstance(millis, int) and not isinstance(millis, bool)
    return millis * 1000 if whole and 0 < millis < _YEAR_10000 else None

"""Patch proposals: JSON patches on aspects whose lists DataHub addresses by keys, not by positions.

`/upstreams/<dataset>`, `/tags/<tag>`, `/fineGrainedLineages/<operation or NONE>/<field>/<query or NONE>/<field>`: each
list is turned into objects by its keys, patched, and turned back.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from headwater.datahub.json_values import a_list, a_text, an_object
from headwater.fields.errors import BadAspect

_GLUE = "␟"
_TAGS, _TERMS = {"tags": ("tag",)}, {"terms": ("urn",)}
# The keys of lists, by aspect; a path with dots goes into the items of another list.
_KEYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "upstreamLineage": {"upstreams": ("dataset",)},
    "globalTags": _TAGS,
    "glossaryTerms": _TERMS,
    "ownership": {"owners": ("owner", "type")},
    "editableSchemaMetadata": {
        "editableSchemaFieldInfo": ("fieldPath",),
        "editableSchemaFieldInfo.globalTags.tags": ("tag",),
        "editableSchemaFieldInfo.glossaryTerms.terms": ("urn",),
    },
    "dataJobInputOutput": {
        "inputDatasetEdges": ("destinationUrn",),
        "outputDatasetEdges": ("destinationUrn",),
        "inputDatajobEdges": ("destinationUrn",),
    },
}
_FINE = "fineGrainedLineages"
_NONE = "NONE"
_OPS = frozenset({"add", "replace", "remove"})


def patched(aspect_name: str, before: Mapping[str, Any], patch: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    """An aspect after a patch; `before` is not changed.

    >>> add = {"op": "add", "path": "/tags/urn:li:tag:pii", "value": {"tag": "urn:li:tag:pii"}}
    >>> patched("globalTags", {}, [add])
    {'tags': [{'tag': 'urn:li:tag:pii'}]}

    Raises:
        BadAspect: it is no patch.
    """
    keys = dict(_KEYS.get(aspect_name, {}))
    if isinstance(patch, Mapping):
        own_keys = an_object(patch.get("arrayPrimaryKeys") or {}, "arrayPrimaryKeys")
        keys |= {name: tuple(a_list(listed, "arrayPrimaryKeys")) for name, listed in own_keys.items()}
        patch = patch.get("patch")
    after: dict[str, Any] = copy.deepcopy(dict(before))
    ordered = sorted(keys, key=lambda name: name.count("."), reverse=True)
    for name in ordered:  # the innermost lists first
        _at(after, name.split("."), lambda items, name=name: _by_keys(items, keys[name]))
    fine = aspect_name in {"upstreamLineage", "dataJobInputOutput"}
    if fine:
        after[_FINE] = _fine_by_keys(after.get(_FINE))
    for place, raw in enumerate(a_list(patch, "patch")):
        operation = an_object(raw, f"patch[{place}]")
        _apply(after, operation, f"patch[{place}]")
    if fine:
        after[_FINE] = _fine_listed(after.get(_FINE))
        if not after[_FINE] and _FINE not in before:
            del after[_FINE]
    for name in reversed(ordered):
        _at(after, name.split("."), lambda items, name=name: _listed(items, keys[name]))
    return after


def _apply(target: dict[str, Any], operation: Mapping[str, Any], where: str) -> None:
    op, path = operation.get("op"), operation.get("path")
    if op not in _OPS or not isinstance(path, str) or not path.startswith("/"):
        raise BadAspect(f"{where} must be an add, a replace or a remove, with a path that begins with a slash.")
    *steps, last = (step.replace("~1", "/").replace("~0", "~") for step in path[1:].split("/"))
    node: Any = target
    for step in steps:
        if isinstance(node, list):
            node = node[_place(step, node, where)]
            continue
        if op == "remove" and step not in node:
            return  # nothing to remove
        inner = node.setdefault(step, {})
        if not isinstance(inner, dict | list):
            raise BadAspect(f"{where}: {path[:200]} leads into a value that is not an object.")
        node = inner
    if isinstance(node, list):
        if op == "add" and last == "-":
            node.append(operation.get("value"))
        elif op == "remove":
            del node[_place(last, node, where)]
        else:
            node[_place(last, node, where)] = operation.get("value")
    elif op == "remove":
        node.pop(last, None)
    else:
        node[last] = operation.get("value")


def _place(step: str, items: Sequence[Any], where: str) -> int:
    if step.isdecimal() and int(step) < len(items):
        return int(step)
    raise BadAspect(f"{where} has no position {step[:60]!r} in a list of {len(items)}.")


def _at(holder: Any, steps: Sequence[str], change: Any) -> None:  # noqa: ANN401  JSON
    """Change the value at the end of steps, in every item of a list, or of an object made from one, on the way."""
    if not isinstance(holder, dict):
        return
    first, *rest = steps
    if first not in holder:
        return
    if not rest:
        holder[first] = change(holder[first])
        return
    inner = holder[first]
    items = inner if isinstance(inner, list) else list(inner.values()) if _keyed(inner, rest[0]) else [inner]
    for item in items:
        _at(item, rest, change)


def _keyed(inner: Any, step: str) -> bool:  # noqa: ANN401  JSON
    return isinstance(inner, dict) and step not in inner


def _key(item: Any, key: str) -> str:  # noqa: ANN401  JSON
    for step in key.split(_GLUE):
        item = item.get(step) if isinstance(item, Mapping) else None
    return item if isinstance(item, str) else ""


def _by_keys(items: Any, keys: Sequence[str]) -> Any:  # noqa: ANN401  JSON
    if not isinstance(items, list):
        return items
    keyed: dict[str, Any] = {}
    for item in items:
        into = keyed
        for key in keys[:-1]:
            into = into.setdefault(_key(item, key), {})
        into[_key(item, keys[-1])] = item
    return keyed


def _listed(keyed: Any, keys: Sequence[str]) -> Any:  # noqa: ANN401  JSON
    if not isinstance(keyed, dict):
        return keyed
    if len(keys) == 1:
        # A field that has only a tag so far has no name in it yet.
        return [
            {keys[0]: key, **item} if _GLUE not in keys[0] and isinstance(item, dict) else item
            for key, item in keyed.items()
        ]
    return [item for inner in keyed.values() for item in _listed(inner, keys[1:])]


def _fine_by_keys(entries: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    keyed: dict[str, Any] = {}
    for place, raw in enumerate(a_list(entries, _FINE)):
        entry = an_object(raw, f"{_FINE}[{place}]")
        for down in a_list(entry.get("downstreams"), "downstreams"):
            by_query = keyed.setdefault(entry.get("transformOperation") or _NONE, {}).setdefault(down, {})
            into = by_query.setdefault(entry.get("query") or _NONE, {})
            for up in a_list(entry.get("upstreams"), "upstreams"):
                into[up] = {"confidenceScore": entry.get("confidenceScore", 1.0)}
    return keyed


def _fine_listed(keyed: Any) -> list[dict[str, Any]]:  # noqa: ANN401  JSON
    entries = []
    for operation, by_down in an_object(keyed or {}, _FINE).items():
        for down, by_query in an_object(by_down, _FINE).items():
            for query, ups in an_object(by_query, _FINE).items():
                upstreams = an_object(ups, _FINE)
                scores = [up.get("confidenceScore", 1.0) for up in upstreams.values() if isinstance(up, Mapping)]
                entry: dict[str, Any] = {
                    "upstreamType": _upstream_type(upstreams),
                    "upstreams": [a_text(up, "upstreams") for up in upstreams],
                    "downstreamType": "FIELD",
                    "downstreams": [down],
                    "confidenceScore": min(scores, default=1.0),
                }
                named = {"transformOperation": operation, "query": query}
                entries.append(entry | {name: text for name, text in named.items() if text != _NONE})
    return entries


def _upstream_type(upstreams: Mapping[str, Any]) -> str:
    if not upstreams:
        return "NONE"
    return "DATASET" if all(urn.startswith("urn:li:dataset:") for urn in upstreams) else "FIELD_SET"

"""Fields as DataHub's URNs name them, and as Headwater does: `header.customerId`, `lines._element.sku`, `m.value`.

Paths of version 2 show where arrays and maps are, which become steps; paths of version 1 do not, and are matched with
the fields of a schema (`SchemaFields`). Branches of a union with the same names are one field here.

>>> path_of("[version=2.0].[type=Order].[type=array].[type=Line].lines.[type=string].sku")
'lines._element.sku'
>>> path_of("header.id"), path_of("/header/customerId", rfc=True)
('header.id', 'header.customerId')
"""

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from typing import NamedTuple

from headwater.common.column_path import join_path, normal_path, split_path
from headwater.fields.errors import BadSchema, BadUrn
from headwater.fields.make_urn import LONGEST_PATH
from headwater.fields.paths_rfc import path_of as rfc_path_of
from headwater.fields.paths_rfc import steps_of
from headwater.fields.paths_v2 import VERSION
from headwater.fields.paths_v2_parse import groups_of
from headwater.fields.urn import RESERVED, Urn, unescape
from headwater.rules.plan.types import ELEMENT, KEY, VALUE

_INSIDE = frozenset({ELEMENT, KEY, VALUE})
_STEPS = {"array": ELEMENT, "map": VALUE}


class Field(NamedTuple):
    """A field of a dataset; an `rfc` path has a step for each branch of a union."""

    dataset: str
    path: str
    rfc: bool


@lru_cache(maxsize=50_000)
def field_of(urn: str) -> Field:
    """The dataset and the path of a datasetField or a schemaField.

    Raises:
        BadUrn: it is not the URN of a field, or its path is too long.
    """
    kind, _, inner = urn.removeprefix("urn:li:").partition(":(")
    rfc = kind == "datasetField"
    if rfc or kind == "schemaField":
        of, comma, path = inner.removesuffix(")").rpartition(",")
        # The full parser below says what is wrong.
        if comma and of.startswith("urn:li:dataset:(") and path and not RESERVED.search(path) and inner[-1] == ")":
            path = unescape(path)
            if rfc and len(path) > LONGEST_PATH:
                raise BadUrn(
                    f"The path {path[:60]}… has {len(path)} characters: DataHub allows {LONGEST_PATH} at most."
                )
            return Field(_dataset(of), path_of(path, rfc=rfc), rfc)
    parsed = Urn.parse(urn)
    if parsed.kind not in {"datasetField", "schemaField"}:
        raise BadUrn(f"{urn[:200]} is the URN of a {parsed.kind}: the URN of a field begins with urn:li:schemaField:(.")
    raise BadUrn(f"{urn[:200]} is a field of a {parsed.urn(0).kind}: only fields of datasets have lineage here.")


@lru_cache(maxsize=10_000)
def _dataset(urn: str) -> str:
    return str(Urn.parse(urn, "dataset"))


def path_of(written: str, *, rfc: bool = False) -> str:
    """A path of DataHub's as one of Headwater's.

    Raises:
        BadUrn: it is none.
    """
    if rfc:
        return join_path(steps_of(written))
    if not written.startswith(VERSION):
        if "." not in written and "`" not in written:
            return written
        return ".".join(join_path([step]) for step in written.split("."))
    try:
        groups = groups_of(written)
    except BadSchema as error:
        raise BadUrn(str(error)) from None
    segments: list[str] = []
    around: list[str] = []
    for types, name in groups:
        segments += around
        if name:
            segments.append(name)
        # The last type is the field's own; those before it lead to it.
        around = [_STEPS[kind] for kind in types[:-1] if kind in _STEPS]
    return join_path(segments or [written])


def path_to_find(text: str) -> tuple[str, Callable[[str], bool]]:
    """A path in any notation: its last part, and a test of whether it means a path of Headwater's.

    >>> last, is_meant = path_to_find("/lines/_element/sku")
    >>> last, is_meant("lines._element.sku"), is_meant("sku")
    ('sku', True, False)
    >>> path_to_find("lines.sku")[1]("lines._element.sku")
    True

    Raises:
        BadUrn: it is no path.
    """
    rfc = text.startswith("/")
    path = path_of(text, rfc=rfc) if rfc or text.startswith(VERSION) else normal_path(text)
    meant = {path.casefold(), plain_path(path).casefold()}

    def is_meant(other: str) -> bool:
        return other.casefold() in meant or plain_path(other).casefold() in meant

    return split_path(path)[-1], is_meant


def rfc_path(path: str) -> str:
    """A path of Headwater's as the RFC writes it.

    >>> rfc_path("lines._element.sku")
    '/lines/_element/sku'
    """
    return rfc_path_of(split_path(path))


def plain_path(path: str) -> str:
    """A path of version 1: names and dots, without steps into arrays and maps.

    >>> plain_path("lines._element.sku")
    'lines.sku'
    """
    segments = split_path(path)
    return ".".join((segments[0], *(segment for segment in segments[1:] if segment not in _INSIDE)))


class SchemaFields:
    """The fields of a schema; finds the one that a path of any kind means."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = tuple(dict.fromkeys(paths))
        self._exact = frozenset(self.paths)

    @cached_property
    def _plain(self) -> dict[str, str]:
        return {plain_path(path): path for path in reversed(self.paths)}

    @cached_property
    def _lower(self) -> dict[str, str | None]:
        paths: dict[str, str | None] = {}
        for path in self.paths:
            paths[path.lower()] = None if path.lower() in paths else path
        return paths

    @cached_property
    def _around(self) -> set[str]:
        """Fields that have others inside."""
        return {join_path(split_path(path)[:-1]) for path in self.paths}

    def find(self, path: str, *, rfc: bool = False) -> str | None:
        """The field that a path means, None where the schema has none.

        >>> SchemaFields(["lines", "lines._element.sku"]).find("lines.sku")
        'lines._element.sku'
        """
        if path in self._exact:
            return path
        match = self._plain.get(path) or self._plain.get(plain_path(path)) or self._lower.get(path.lower())
        if match is not None or not rfc:
            return match
        # A step for the branch of a union leads to the field itself, if it has no others inside.
        outer = join_path(split_path(path)[:-1])
        return outer if outer in self._exact and outer not in self._around else None

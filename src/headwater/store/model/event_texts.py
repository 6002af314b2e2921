"""An event as it is written, in the two parts of `event_parts`, of which only the rest is read.

What repeats from run to run most often repeats byte by byte. So its bytes stand for it: where they were seen before,
nothing in them has to be read, checked or sorted again. Whatever is not plain is left to `split`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from headwater.common.json_text import IS_FAST, NOT_FAST, read_json
from headwater.openlineage.model.memo import as_written
from headwater.store.model.event_parts import HAPPENED, LASTING_ROLE_FACETS, LISTS, ROLE_FACETS, VERSION

if IS_FAST:
    import msgspec

if TYPE_CHECKING:
    from msgspec import Raw

_Members: TypeAlias = "dict[str, Raw]"
_NAME = ("namespace", "name")


def _decoder(kind: Any) -> Callable[[Any], Any]:  # noqa: ANN401  a type
    decode: Callable[[Any], Any] = msgspec.json.Decoder(kind).decode
    return decode


if IS_FAST:
    _members: Callable[[Any], _Members] = _decoder(dict[str, msgspec.Raw])
    _items: Callable[[Any], "list[_Members]"] = _decoder(list[dict[str, msgspec.Raw]])
    _texts: Callable[[Any], "list[Raw]"] = _decoder(list[msgspec.Raw])


class WrittenEvent(NamedTuple):
    """An event's parts: `written` stands for its body, `rest` is not read yet.

    `names` are the namespaces and names of the datasets with a version, in the lists and at the places where they are.
    """

    written: bytes
    rest: Mapping[str, Any]
    names: Mapping[str, Mapping[int, Any]]

    def read_rest(self) -> dict[str, Any]:
        """The part of the event that does not repeat, as `split` gives it."""
        rest: dict[str, Any] = _read(self.rest)
        return rest

    def read_names(self) -> dict[str, Any]:
        """The datasets with a version, as far as their names go."""
        names: dict[str, Any] = _read(self.names)
        return names


def written_event(text: bytes) -> WrittenEvent | None:
    r"""Take an event apart as it is written; None where it takes reading all of it, or where it is not JSON.

    >>> first = written_event(b'{"eventTime": "T", "job": {"name": "j"}, "outputs": [{"outputFacets": {"size": 1}}]}')
    >>> first.read_rest()
    {'eventTime': 'T', 'outputs': {'0': {'outputFacets': {'size': 1}}}}
    >>> second = written_event(b'{"eventTime": "U", "job": {"name": "j"}, "outputs": [{"outputFacets": {}}]}')
    >>> first.written == second.written
    True
    """
    if not IS_FAST:
        return None
    try:
        return _taken_apart(_members(text))
    except NOT_FAST:
        return None


def elements(text: bytes) -> Iterator[bytes] | None:
    """The elements of a JSON array, as they are written; None where it is not one.

    >>> list(elements(b' [1, {"a" : []}] '))
    [b'1', b'{"a" : []}']
    """
    if not IS_FAST:
        return None
    try:
        return map(bytes, _texts(text))
    except NOT_FAST:
        return None


def _taken_apart(event: _Members) -> WrittenEvent | None:
    body: list[object] = []
    rest: dict[str, Any] = {}
    names: dict[str, dict[int, Any]] = {}
    for key, raw in event.items():
        written = bytes(raw)
        if key in HAPPENED:
            rest[key] = written
        elif key in LISTS and written[:1] == b"[":
            lasting: list[object] = []
            moved: dict[str, Any] = {}
            for place, item in enumerate(_items(raw)):
                own = _split_dataset(item, lasting)
                if own:
                    moved[str(place)] = own
                    if "facets" in own:
                        names.setdefault(key, {})[place] = {part: bytes(item[part]) for part in _NAME if part in item}
            body.append((key, lasting))
            if moved:
                rest[key] = moved
        elif key == "dataset":
            return None
        else:
            body.append((key, written))
    hashed = as_written(body)
    return None if hashed is None else WrittenEvent(hashed, rest, names)


def _split_dataset(item: _Members, lasting: list[object]) -> dict[str, Any]:
    """What does not repeat of a dataset; adds to what does."""
    members: list[object] = []
    own: dict[str, Any] = {}
    for key, raw in item.items():
        written = bytes(raw)
        of_role = key in ROLE_FACETS
        if written[:1] == b"{" and (of_role or (key == "facets" and _may_have_version(written))):
            kept: list[object] = []
            moved: dict[str, bytes] = {}
            for name, facet in _members(raw).items():
                if name in LASTING_ROLE_FACETS if of_role else name != VERSION:
                    kept.append((name, bytes(facet)))
                else:
                    moved[name] = bytes(facet)
            if kept or not of_role:
                members.append((key, kept))
            if moved or of_role:
                own[key] = moved
        else:
            members.append((key, written))
    lasting.append(members)
    return own


def _may_have_version(facets: bytes) -> bool:
    # A name may be written with escapes.
    return b'"version"' in facets or b"\\u" in facets


def _read(unread: Any) -> Any:  # noqa: ANN401  JSON
    """The same with the bytes in it read."""
    if isinstance(unread, bytes):
        return read_json(unread)
    return {key: _read(value) for key, value in unread.items()}

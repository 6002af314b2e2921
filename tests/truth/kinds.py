"""The types of columns, small enough to generate from, and the paths of their leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A type: a scalar by its name, or a struct, array or map with the types inside it.

    The names inside are the segments of lineage paths: a struct's fields, `_element`, `key` and `value`.
    """

    name: str
    inside: tuple[tuple[str, Kind], ...] = ()

    @property
    def ddl(self) -> str:
        """The type as Spark writes it."""
        if not self.inside:
            return self.name
        if self.name == "struct":
            return "struct<" + ",".join(f"{name}:{kind.ddl}" for name, kind in self.inside) + ">"
        return f"{self.name}<{','.join(kind.ddl for _, kind in self.inside)}>"

    @property
    def orderable(self) -> bool:
        """Whether Spark can sort and group by it: anything without a map inside."""
        return self.name != "map" and all(kind.orderable for _, kind in self.inside)

    def leaves(self, path: str) -> Iterator[tuple[str, Kind]]:
        """The paths of the leaves below `path`, with their types.

        >>> [leaf for leaf, _ in array(struct(a=INT, b=STRING)).leaves("xs")]
        ['xs._element.a', 'xs._element.b']
        """
        if not self.inside:
            yield path, self
        for name, kind in self.inside:
            yield from kind.leaves(f"{path}.{name}")


INT = Kind("int")
DOUBLE = Kind("double")
STRING = Kind("string")
BOOLEAN = Kind("boolean")
DATE = Kind("date")
TIMESTAMP = Kind("timestamp")
SCALARS = (INT, DOUBLE, STRING, BOOLEAN, DATE, TIMESTAMP)


def array(element: Kind) -> Kind:
    """An array."""
    return Kind("array", (("_element", element),))


def map_of(key: Kind, value: Kind) -> Kind:
    """A map."""
    return Kind("map", (("key", key), ("value", value)))


def struct(**fields: Kind) -> Kind:
    """A struct."""
    return Kind("struct", tuple(fields.items()))


INTS = array(INT)
LINE = struct(sku=STRING, n=INT)
LINES = array(LINE)
COUNTS = map_of(STRING, INT)
PLACE = struct(city=STRING, zip=INT)


@dataclass(frozen=True)
class Col:
    """A column that a query can use: how to write it, and its type."""

    name: str
    kind: Kind


def reachable(scope: Sequence[Col]) -> Iterator[Col]:
    """The columns in scope, and what can be picked out of them."""
    for col in scope:
        yield col
        if col.kind.name == "struct":
            yield from reachable([Col(f"{col.name}.{name}", kind) for name, kind in col.kind.inside])
        elif col.kind == LINES:
            yield Col(f"{col.name}.n", INTS)
            yield Col(f"{col.name}[0].sku", STRING)
            yield Col(f"get({col.name}, 1).n", INT)
        elif col.kind == INTS:
            yield Col(f"{col.name}[0]", INT)
        elif col.kind == COUNTS:
            yield Col(f"{col.name}['b']", INT)

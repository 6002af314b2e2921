"""The lives of all columns of a dataset take as long as its schemas and its renames are long."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from headwater.client.local import StoredLineage
from headwater.query.graph.lifetimes import Sighting, lifetime, lifetimes, names_of_columns
from headwater.store.db.codes import ALWAYS
from headwater.store.reads.fields import SchemaChange
from headwater.store.reads.renamed_columns import Rename

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pytest
    from tests.conftest import EventMaker

    from headwater.store import Store
    from headwater.store.db.session import Given, Row, Session


class _Counted(list[Rename]):
    """A list that counts how many of its items are read."""

    read = 0

    def __iter__(self) -> Iterator[Rename]:
        for item in super().__iter__():
            self.read += 1
            yield item

    def __reversed__(self) -> Iterator[Rename]:
        for item in super().__reversed__():
            self.read += 1
            yield item


def _one_by_one(renames: Sequence[Rename], column: int) -> list[tuple[int, int]]:
    names: list[tuple[int, int]] = []
    for rename in reversed(renames):
        if rename.new == column:
            names.append((rename.us, column))
            column = rename.old
    return [(ALWAYS, column), *reversed(names)]


def test_renames_are_read_once_for_all_columns() -> None:
    renames = _Counted(Rename(column, column + 1000, b"", 1) for column in range(1000))
    names = list(names_of_columns(renames, range(2000)))
    assert names[1000:] == [[(ALWAYS, column), (1, column + 1000)] for column in range(1000)]
    assert renames.read == 1000


def test_each_column_has_the_names_that_lead_to_it() -> None:
    random = Random(7)  # noqa: S311  the same every time
    for _ in range(300):
        times = sorted(random.choices(range(9), k=6))
        renames = [Rename(old, new, b"", us) for us in times for old, new in [random.sample(range(5), 2)]]
        assert list(names_of_columns(renames, range(5))) == [_one_by_one(renames, column) for column in range(5)]


def test_schemas_that_do_not_list_a_column_say_nothing_of_its_life() -> None:
    random = Random(8)  # noqa: S311  the same every time
    for _ in range(300):
        times = sorted(random.sample(range(20), 8))
        sightings = [
            Sighting(
                SchemaChange(us, us, None, 0), frozenset(random.sample("abcd", random.randint(0, 3))), us == times[0]
            )
            for us in times
        ]
        since = sorted(random.sample(range(20), 2))
        names = [(ALWAYS, "a"), (since[0], "b"), (since[1], random.choice("ac"))]
        assert list(lifetimes(sightings, [names])) == [lifetime(sightings, names)]


def test_of_a_dataset_with_one_schema_the_first_event_is_read(
    any_store: Store, maker: EventMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns: dict[str, Any] = {"columns": {"a": ["in.a"]}, "schema": {"a": "int"}}
    any_store.ingest([maker(minute, **columns) for minute in range(1, 60)])
    lineage = StoredLineage(any_store)
    rows: list[int] = []
    with any_store.read() as session:
        run = type(session).rows

    def counted(reader: Session, statement: str, given: Given | None = None, /, **values: object) -> list[Row]:
        if "lag(mention.schema)" in statement:
            inner = statement.partition("FROM (")[2].partition(") seen LEFT JOIN")[0]
            rows.append(len(run(reader, inner, given, **values)))
        return run(reader, statement, given, **values)

    monkeypatch.setattr(type(session), "rows", counted)
    lineage.history("out", "a")
    assert rows == [1]
    any_store.ingest([maker(70, columns={"a": ["in.a"]}, schema={"a": "int", "b": "int"})])
    assert [change.happened.value for change in lineage.history("out", "b").changes] == ["added"]

"""A column that a schema lists and column lineage leaves out may be made of anything: never an all-clear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import ask, impact

from headwater.client.local import StoredLineage
from headwater.openlineage.model.producer import PRODUCER
from headwater.query.graph.answer import Answer, Direction
from headwater.query.lineage.roots import RootKind

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.query.lineage.impact import Impact
    from headwater.query.privacy.pii import Pii
    from headwater.store import Store
    from headwater.store.db.session import Given, Row, Session

Json = dict[str, Any]


def _partial(maker: EventMaker, minute: int = 1, **more: Any) -> Json:  # noqa: ANN401  any of the maker's
    """The job `load` writes `id` from raw.id, and says nothing of `city`."""
    given = {"job": "load", "out": "mid", "columns": {"id": ["raw.id"]}, "schema": {"id": "int", "city": "string"}}
    return maker(minute, **{"reads": ["raw", "codes"], **given, **more})


def _ours(event: Json) -> Json:
    for output in event["outputs"]:
        output["facets"]["columnLineage"]["_producer"] = PRODUCER
    return event


def _unknown(answer: Impact | Answer | Pii) -> list[str]:
    return [
        f"{entry.why.value}: {', '.join(name.name for name in entry.reads)} -[{entry.job.name if entry.job else ''}]-> "
        f"{entry.dataset.name if entry.dataset else ''}({', '.join(entry.columns)}) {entry.distance}"
        for entry in answer.unknown
        if entry.why.may_reach
    ]


def _impact(store: Store, dataset: str, column: str | None = None, **options: object) -> Impact:
    with store.read() as session:
        return impact(session, dataset, column, **options)


def test_a_column_that_is_left_out_may_be_made_of_what_the_job_reads(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([_partial(maker)])
    expected = ["LEFT_OUT: raw -[load]-> mid(city) 1"]
    assert _unknown(_impact(any_store, "raw", "id")) == expected
    assert _unknown(ask(any_store, Direction.DOWNSTREAM, "raw", "id")) == expected
    assert _unknown(_impact(any_store, "raw")) == expected
    # Of `codes` no column is named at all: any column of `mid` may be made of it.
    assert _unknown(_impact(any_store, "codes")) == ["TABLE_ONLY: codes -[load]-> mid() 1"]


def test_upstream_only_the_column_that_is_left_out_is_unknown(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([_partial(maker, reads=["raw"]), maker(2, out="raw", columns={"id": ["source.id"]})])
    expected = ["LEFT_OUT: raw -[load]-> mid(city) 1", "AFTER_UNKNOWN: source -[job]-> raw() 2"]
    assert _unknown(ask(any_store, Direction.UPSTREAM, "mid", "city")) == expected
    assert _unknown(ask(any_store, Direction.UPSTREAM, "mid")) == expected
    assert _unknown(ask(any_store, Direction.UPSTREAM, "mid", "id")) == []


def test_what_reads_the_column_is_unknown_and_what_reads_others_is_not(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            _partial(maker, reads=["raw"]),
            maker(2, job="cities", out="cities", columns={"name": ["mid.city"]}),
            maker(3, job="ids", out="ids", columns={"id": ["mid.id"]}),
            maker(4, job="last", out="last", columns={"name": ["cities.name"], "other": ["ids.id"]}),
            maker(5, job="copy", out="whole", reads=["cities"]),
        ]
    )
    beyond = [
        "AFTER_UNKNOWN: mid -[cities]-> cities(name) 2",
        "AFTER_UNKNOWN: cities -[last]-> last(name) 3",
        "NO_COLUMNS: cities -[copy]-> whole() 3",
    ]
    assert _unknown(_impact(any_store, "raw", "id")) == ["LEFT_OUT: raw -[load]-> mid(city) 1", *beyond]
    # What nothing is known to read may arrive there as well.
    assert _unknown(_impact(any_store, "raw", depth=2)) == ["LEFT_OUT: raw -[load]-> mid(city) 1", beyond[0]]
    assert _unknown(ask(any_store, Direction.UPSTREAM, "last", "name")) == ["LEFT_OUT: raw -[load]-> mid(city) 3"]
    assert _unknown(ask(any_store, Direction.UPSTREAM, "last", "other")) == []


def test_a_column_that_decides_on_rows_makes_all_of_them_unknown(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            _partial(maker, reads=["raw"]),
            maker(2, job="some", out="some", columns={"id": ["mid.id"]}, rows=["mid.city FILTER"]),
        ]
    )
    assert _unknown(_impact(any_store, "raw", "id")) == [
        "LEFT_OUT: raw -[load]-> mid(city) 1",
        "AFTER_UNKNOWN: mid -[some]-> some() 2",
    ]


def test_what_is_reached_for_certain_is_not_unknown(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            _partial(maker, reads=["raw"]),
            maker(2, job="other", out="mid", columns={"city": ["raw.city"]}),
            maker(3, job="end", out="end", columns={"city": ["mid.city"]}),
        ]
    )
    answer = _impact(any_store, "raw", "city")
    assert [column.node.field.name for dataset in answer.datasets for column in dataset.columns] == ["mid", "end"]
    assert _unknown(answer) == []


def test_our_own_events_are_complete(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([_ours(_partial(maker, reads=["raw"]))])
    assert _unknown(_impact(any_store, "raw")) == []
    assert _unknown(ask(any_store, Direction.UPSTREAM, "mid")) == []


def test_lineage_that_names_every_column_of_its_schema_leaves_nothing_out(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([_partial(maker, reads=["raw"], columns={"ID": ["raw.id"], "city": []})])
    assert _unknown(_impact(any_store, "raw")) == []


def test_the_next_event_may_say_it_all(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            _partial(maker, reads=["raw"]),
            _partial(maker, 3, reads=["raw"], columns={"id": ["raw.id"], "city": ["raw.city"]}),
        ]
    )
    assert _unknown(_impact(any_store, "raw", "id")) == []
    assert _unknown(_impact(any_store, "raw", "id", as_of=maker.us(2))) == ["LEFT_OUT: raw -[load]-> mid(city) 1"]
    in_window = _impact(any_store, "raw", "id", since=maker.us(1), until=maker.us(4))
    assert _unknown(in_window) == ["LEFT_OUT: raw -[load]-> mid(city) 1"]


def test_what_a_facet_names_and_no_input_lists_may_be_there_too(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([_partial(maker, reads=[])])
    assert _unknown(_impact(any_store, "raw")) == ["LEFT_OUT: raw -[load]-> mid(city) 1"]
    assert _unknown(ask(any_store, Direction.UPSTREAM, "mid", "city")) == ["LEFT_OUT: raw -[load]-> mid(city) 1"]


def test_a_dataset_that_is_renamed_keeps_what_is_unknown(any_store: Store, maker: EventMaker) -> None:
    rename = maker(2, job="rename", out="new", lifecycle="RENAME")
    rename["outputs"][0]["facets"]["lifecycleStateChange"]["previousIdentifier"] = {"namespace": "lake", "name": "mid"}  # type: ignore[index]
    any_store.ingest([_partial(maker, reads=["raw"]), rename])
    assert _unknown(_impact(any_store, "raw", "id")) == ["LEFT_OUT: raw -[load]-> new(city) 1"]
    assert _unknown(ask(any_store, Direction.UPSTREAM, "new", "city")) == ["LEFT_OUT: raw -[load]-> new(city) 1"]
    assert _unknown(ask(any_store, Direction.UPSTREAM, "new", "id")) == []


def test_a_struct_or_a_field_of_it(any_store: Store, maker: EventMaker) -> None:
    event = _partial(maker, reads=["raw"], columns={"place.city": ["raw.city"]})
    place = {"name": "place", "fields": [{"name": "city"}, {"name": "zip"}]}
    event["outputs"][0]["facets"]["schema"] = {"fields": [place, {"name": "who", "fields": [{"name": "first"}]}]}
    any_store.ingest([event])
    assert _unknown(_impact(any_store, "raw")) == ["LEFT_OUT: raw -[load]-> mid(place.zip, who) 1"]
    for column, expected in {"who.first": "who", "place.zip": "place.zip", "place": "place.zip"}.items():
        assert _unknown(ask(any_store, Direction.UPSTREAM, "mid", column)) == [
            f"LEFT_OUT: raw -[load]-> mid({expected}) 1"
        ]
    assert _unknown(ask(any_store, Direction.UPSTREAM, "mid", "place.city")) == []


def test_a_version_has_what_is_left_out(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [_partial(maker, reads=["raw"], run="r"), maker(2, job="end", out="end", columns={"x": ["mid.city"]})]
    )
    run = maker.run_id("r")
    assert _unknown(ask(any_store, Direction.UPSTREAM, "mid", "city", version=run)) == [
        "LEFT_OUT: raw -[load]-> mid(city) 1"
    ]
    assert _unknown(ask(any_store, Direction.UPSTREAM, "mid", "id", version=run)) == []
    end = maker.run_id("end 2")
    assert _unknown(ask(any_store, Direction.UPSTREAM, "end", "x", version=end)) == [
        "LEFT_OUT: raw -[load]-> mid(city) 2"
    ]


def test_roots_do_not_take_it_for_a_constant(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            _partial(
                maker, reads=["raw"], columns={"id": ["raw.id"], "one": []}, schema={"id": "", "one": "", "city": ""}
            )
        ]
    )
    lineage = StoredLineage(any_store)
    (root,) = lineage.roots("mid", "city").roots
    assert (root.root, lineage.roots("mid", "city").complete) == (RootKind.UNKNOWN, False)
    (root,) = lineage.roots("mid", "one").roots
    assert (root.node.field.name, root.node.field.field, root.root) == ("raw", None, RootKind.SOURCE)
    assert lineage.roots("mid", "one").complete


@pytest.mark.parametrize("dataset", ["raw", "mid", None])
def test_personal_data_may_be_there(any_store: Store, maker: EventMaker, dataset: str | None) -> None:
    personal = {"tags": {"tags": [{"key": "PII", "value": "true", "field": "mail"}]}}
    raw = maker(0, job="land", out="raw", schema={"id": "int", "mail": "string"}, facets=personal)
    any_store.ingest([raw, _partial(maker, reads=["raw"])])
    answer = StoredLineage(any_store).pii(dataset)
    assert _unknown(answer) == ["LEFT_OUT: raw -[load]-> mid(city) 1"]
    assert answer


def test_a_column_that_is_left_out_and_dropped_is_no_longer_there(any_store: Store, maker: EventMaker) -> None:
    drop = maker(2, job="alter", out="mid", schema={"id": "int"}, lifecycle="ALTER")
    any_store.ingest([_partial(maker, reads=["raw"]), drop])
    assert [node.field.field for node in ask(any_store, Direction.DOWNSTREAM, "mid").nodes] == ["id"]


def test_a_long_way_down_is_asked_for_a_few_statements_at_each_level(
    store: Store, maker: EventMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _partial(maker, 0, out="t0", reads=["raw"])
    store.ingest(
        [first, *(maker(n, job=f"j{n}", out=f"t{n}", columns={"city": [f"t{n - 1}.city"]}) for n in range(1, 20))]
    )
    counts = []
    with store.read() as session:
        run, asked = type(session).rows, list[str]()

        def counted(reader: Session, statement: str, given: Given | None = None, /, **values: object) -> list[Row]:
            asked.append(statement)
            return run(reader, statement, given, **values)

        monkeypatch.setattr(type(session), "rows", counted)
        for depth in (5, 15):
            asked.clear()
            assert impact(session, "raw", "id", depth=depth).counts.unknown == depth
            counts.append(len(asked))
    # The edges, the names of columns, who reads the datasets as tables, and what columns are left out there.
    assert counts[1] - counts[0] == 10 * 4

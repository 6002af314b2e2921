"""What stands in events: facets from statements, as the options ask for them, valid by OpenLineage's own schemas."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from openlineage.client.event_v2 import RunState
from openlineage.client.serde import Serde

from headwater.common.masking import Masking
from headwater.openlineage.build.events import RunDetails
from headwater.openlineage.build.options import Owner, RunName, Tag
from headwater.openlineage.build.serialize import to_dict
from headwater.openlineage.build.statistics import Counts, RunStatistics
from headwater.openlineage.model.event import RunEvent
from headwater.openlineage.model.parse import parse_event
from headwater.openlineage.naming.datasets import Name
from headwater.rules.plan.sources import How, Mark, SourceField, Sources
from headwater.rules.plan.tree import CatalogOf, Dataset
from headwater.rules.statements.statements import Change, Field, Statement, Stream, Written

RUN = "01890a5d-ac96-774b-bcce-b302099a8057"
OTHER_RUN = "01890a5d-ac96-774b-bcce-b302099a8058"
ORDERS = Dataset("s3a://lake/orders", format="parquet")
TOTALS = Dataset("s3a://lake/totals", format="parquet")
ID = Field("id", "long")
WHO = Field("who", {"type": "struct", "fields": [{"name": "name", "type": "string"}]})


def _from(
    dataset: Dataset, field: str, how: How = How.IDENTITY, text: str = "", *, masking: Masking = Masking.NONE
) -> Sources:
    return {SourceField(dataset, field): frozenset({Mark(how, masking, text)})}


def _written(dataset: Dataset = TOTALS, change: Change = Change.APPEND, **more: Any) -> Written:  # noqa: ANN401
    schema = more.pop("schema", (ID, WHO))
    fields = more.pop("fields", {"id": _from(ORDERS, "id"), "who.name": _from(ORDERS, "name")})
    return Written(dataset, schema, change, fields, more.pop("rows", {}), **more)


def _statement(*writes: Written, reads: Any = None, **more: Any) -> Statement:  # noqa: ANN401
    return Statement("AppendData", {ORDERS: (ID, WHO)} if reads is None else reads, writes or (_written(),), **more)


# --- datasets --------------------------------------------------------------------------------------------------------


def test_start_names_its_datasets_and_the_last_event_describes_them(sender: Callable[..., Any]) -> None:
    start = sender().statement(_statement(), RunState.START)
    complete = sender().statement(_statement())
    assert [(dataset["namespace"], dataset["name"]) for dataset in start["outputs"]] == [("s3://lake", "totals")]
    assert set(start["outputs"][0]["facets"]) == {"dataSource"}
    assert set(complete["outputs"][0]["facets"]) == {"dataSource", "schema", "columnLineage"}
    assert set(complete["inputs"][0]["facets"]) == {"dataSource", "schema"}


@pytest.mark.parametrize(
    ("folder", "change", "expected"),
    [
        ("", Change.OVERWRITE, "OVERWRITE"),
        ("/day=2024-05-02", Change.OVERWRITE, None),
        ("/2024-05-02", Change.OVERWRITE, None),
        ("/2024/05/02", Change.OVERWRITE, None),
        ("/country=de/202405", Change.TRUNCATE, "ALTER"),
        ("/day=2024-05-02", Change.DROP, "ALTER"),
        ("/day=2024-05-02", Change.CREATE, "CREATE"),
    ],
)
def test_what_happens_to_one_folder_does_not_happen_to_the_whole_dataset(
    sender: Callable[..., Any], folder: str, change: Change, expected: str | None
) -> None:
    (output,) = sender().statement(_statement(_written(Dataset(f"s3a://lake/totals{folder}"), change)))["outputs"]
    assert output["name"] == "totals"
    assert output["facets"].get("lifecycleStateChange", {}).get("lifecycleStateChange") == expected


def test_the_folder_of_a_partition_is_a_column(sender: Callable[..., Any]) -> None:
    written = _written(Dataset("s3a://lake/totals/country=de/Order%20Id=1"))
    (output,) = sender().statement(_statement(written))["outputs"]
    columns = output["facets"]["columnLineage"]["fields"]
    assert list(columns) == [*(written.fields or {}), "country", "Order Id"]
    assert columns["country"]["inputFields"] == []
    schema = [(field["name"], field["type"]) for field in output["facets"]["schema"]["fields"]]
    assert schema == [("id", "long"), ("who", "struct"), ("country", "string"), ("Order Id", "integer")]
    part = Dataset("s3a://lake/orders/day=2024-05-02")
    (read,) = sender().statement(_statement(reads={part: (ID,)}))["inputs"]
    assert [field["name"] for field in read["facets"]["schema"]["fields"]] == ["id", "day"]

    unknown = replace(written, fields={}, rows={})
    (output,) = sender().statement(_statement(unknown))["outputs"]
    assert "columnLineage" not in output["facets"]  # one column alone would say that the others are made of nothing


def test_a_schema_has_its_nested_fields(sender: Callable[..., Any]) -> None:
    (output,) = sender().statement(_statement())["outputs"]
    assert output["facets"]["schema"]["fields"] == [
        {"name": "id", "type": "long", "ordinal_position": 1},
        {
            "name": "who",
            "type": "struct",
            "ordinal_position": 2,
            "fields": [{"name": "name", "type": "string", "ordinal_position": 1}],
        },
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change.APPEND, None),
        (Change.CREATE, "CREATE"),
        (Change.OVERWRITE, "OVERWRITE"),
        (Change.OVERWRITE_PARTITIONS, None),  # the rest of the dataset is still there
        (Change.TRUNCATE, "TRUNCATE"),
        (Change.DROP, "DROP"),
        (Change.ALTER, "ALTER"),
        (Change.RENAME, "RENAME"),
    ],
)
def test_what_becomes_of_a_dataset(sender: Callable[..., Any], change: Change, said: str | None) -> None:
    (output,) = sender().statement(_statement(_written(change=change)))["outputs"]
    assert output["facets"].get("lifecycleStateChange", {}).get("lifecycleStateChange") == said


def test_a_renamed_table_says_what_it_was_called(sender: Callable[..., Any]) -> None:
    renamed = _written(change=Change.RENAME, schema=(), fields={}, previous=Dataset("s3a://lake/sums"))
    (output,) = sender().statement(_statement(renamed, reads={}))["outputs"]
    identifier = output["facets"]["lifecycleStateChange"]["previousIdentifier"]
    assert identifier == {"namespace": "s3://lake", "name": "sums"}
    assert "schema" not in output["facets"]
    assert "columnLineage" not in output["facets"]  # no facet is unknown; an empty one would be "from nothing"


def test_a_table_of_a_catalog_says_which_and_how_it_is_kept(sender: Callable[..., Any]) -> None:
    catalog = CatalogOf("lake", "jdbc", "iceberg", "s3://lake/wh", "jdbc:postgresql://me:hunter2@db/iceberg")
    table = Dataset("s3a://lake/wh/db/t", ("lake", "db", "t"), "iceberg", catalog=catalog, version="42")
    event = sender().statement(_statement(_written(table), reads={table: (ID,)}))
    for dataset in (*event["inputs"], *event["outputs"]):
        facets = dataset["facets"]
        assert facets["version"]["datasetVersion"] == "42"
        assert facets["storage"]["storageLayer"] == "iceberg"
        said = {key: value for key, value in facets["catalog"].items() if not key.startswith("_")}
        assert said == {
            "framework": "iceberg",
            "type": "jdbc",
            "name": "lake",
            "source": "spark",
            "warehouseUri": "s3://lake/wh",
            "metadataUri": "jdbc:postgresql://***@db/iceberg",
        }
        assert facets["symlinks"]["identifiers"][0]["type"] == "TABLE"
        assert facets["dataSource"]["name"] == "s3://lake"


def test_partitions_are_one_input_that_says_which_were_read(sender: Callable[..., Any]) -> None:
    days = [Dataset(f"s3a://lake/orders/day={day}") for day in (1, 2)]
    more = (ID, Field("extra", "string"))
    written = _written(fields={"id": {SourceField(day, "id"): frozenset({Mark(How.IDENTITY)}) for day in days}})
    event = sender().statement(_statement(written, reads={days[0]: (ID,), days[1]: more}))
    (read,) = event["inputs"]
    assert read["name"] == "orders"
    # The event names the whole dataset, which has the column; without it, the column would seem to be dropped.
    assert [field["name"] for field in read["facets"]["schema"]["fields"]] == ["id", "extra", "day"]
    condition = read["inputFacets"]["subset"]["inputCondition"]
    assert condition == {"type": "location", "locations": [day.location for day in days]}
    assert [one["field"] for one in _inputs_of(event, "id")] == ["id"]


def test_two_versions_of_a_table_are_one_input_without_a_version(sender: Callable[..., Any]) -> None:
    old, new = replace(ORDERS, version="1"), replace(ORDERS, version="2")
    one = {SourceField(old, "id"): frozenset({Mark(How.IDENTITY)})}
    other = {SourceField(new, "id"): frozenset({Mark(How.TRANSFORMATION, text="id + 1")})}
    event = sender().statement(_statement(_written(fields={"id": {**one, **other}}), reads={old: (ID,), new: (ID,)}))
    (read,) = event["inputs"]
    assert "version" not in read["facets"]
    (field,) = _inputs_of(event, "id")
    assert [step["subtype"] for step in field["transformations"]] == ["IDENTITY", "TRANSFORMATION"]


def test_two_writes_of_one_statement_into_one_dataset_are_one_output(sender: Callable[..., Any]) -> None:
    first = _written(change=Change.OVERWRITE, fields={"id": _from(ORDERS, "id")})
    second = _written(fields={"id": _from(ORDERS, "other")})
    event = sender().statement(_statement(first, second))
    (output,) = event["outputs"]
    assert [one["field"] for one in _inputs_of(event, "id")] == ["id", "other"]
    assert output["facets"]["lifecycleStateChange"]["lifecycleStateChange"] == "OVERWRITE"


def test_statistics_of_what_was_read_and_written(sender: Callable[..., Any]) -> None:
    counts = RunStatistics({Name("s3://lake", "orders"): Counts(7, 700, 2)}, {Name("s3://lake", "totals"): Counts(3)})
    event = sender().statement(_statement(), details=RunDetails(statistics=counts))
    read = event["inputs"][0]["inputFacets"]["inputStatistics"]
    assert (read["rowCount"], read["size"], read["fileCount"]) == (7, 700, 2)
    wrote = event["outputs"][0]["outputFacets"]["outputStatistics"]
    assert (wrote["rowCount"], "size" in wrote) == (3, False)


# --- column lineage --------------------------------------------------------------------------------------------------


def _inputs_of(event: dict[str, Any], column: str) -> list[dict[str, Any]]:
    (output,) = event["outputs"]
    found: list[dict[str, Any]] = output["facets"]["columnLineage"]["fields"][column]["inputFields"]
    return found


FILTERED = _statement(
    _written(
        fields={"id": _from(ORDERS, "id", How.TRANSFORMATION, "id + 1"), "who": {}},
        rows=_from(ORDERS, "state", How.FILTER, "state = 'open'"),
    )
)


def test_what_decided_the_rows_stands_once(sender: Callable[..., Any]) -> None:
    event = sender().statement(FILTERED)
    facet = event["outputs"][0]["facets"]["columnLineage"]
    step = {"type": "DIRECT", "subtype": "TRANSFORMATION", "masking": False, "description": "id + 1"}
    assert facet["fields"]["id"]["inputFields"] == [
        {"namespace": "s3://lake", "name": "orders", "field": "id", "transformations": [step]}
    ]
    assert facet["fields"]["who"]["inputFields"] == []
    assert [(one["field"], one["transformations"][0]["type"]) for one in facet["dataset"]] == [("state", "INDIRECT")]


@pytest.mark.parametrize(
    ("masking", "expected"),
    [
        (Masking.NONE, {"masking": False}),
        (Masking.IRREVERSIBLE, {"masking": True, "headwater_masking": "irreversible"}),
        (Masking.KEYED, {"masking": True, "headwater_masking": "keyed"}),
        (Masking.PARTIAL, {"masking": True, "headwater_masking": "partial"}),
        (Masking.UNMASKS, {"masking": False, "headwater_masking": "unmask"}),
        (Masking.MAY_UNMASK, {"masking": False, "headwater_masking": "may-unmask"}),
    ],
)
@pytest.mark.parametrize("lineage_facet", [False, True])
def test_how_a_value_is_masked_stands_beside_openlineages_word(
    sender: Callable[..., Any],
    masking: Masking,
    expected: dict[str, Any],
    lineage_facet: bool,  # noqa: FBT001
) -> None:
    written = _written(fields={"id": _from(ORDERS, "id", How.TRANSFORMATION, "f(id)", masking=masking), "who": {}})
    event = sender(lineage_facet=lineage_facet).statement(_statement(written))
    (source,) = _inputs_of(event, "id")
    assert source["transformations"] == [
        {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": "f(id)", **expected}
    ]
    read = parse_event(event)
    assert isinstance(read, RunEvent)
    assert read.outputs[0].lineage is not None
    assert [edge.masking for edge in read.outputs[0].lineage.edges] == [masking]


def test_or_it_is_repeated_on_every_column(sender: Callable[..., Any]) -> None:
    facet = sender(dataset_lineage=False).statement(FILTERED)["outputs"][0]["facets"]["columnLineage"]
    fields = {name: [one["field"] for one in field["inputFields"]] for name, field in facet["fields"].items()}
    assert fields == {"id": ["id", "state"], "who": ["state"]}
    assert facet["dataset"] == []


def test_an_input_that_is_direct_and_indirect_is_two_entries_where_rows_are_repeated(
    sender: Callable[..., Any],
) -> None:
    written = _written(fields={"id": _from(ORDERS, "id", How.IDENTITY)}, rows=_from(ORDERS, "id", How.FILTER))
    inputs = _inputs_of(sender(dataset_lineage=False).statement(_statement(written)), "id")
    found = [(source["field"], [step["type"] for step in source["transformations"]]) for source in inputs]
    assert found == [("id", ["DIRECT"]), ("id", ["INDIRECT"])]


def test_without_descriptions_what_differs_in_them_is_the_same(sender: Callable[..., Any]) -> None:
    marks = frozenset({Mark(How.TRANSFORMATION, text="id + 1"), Mark(How.TRANSFORMATION, text="id + 2")})
    written = _written(fields={"id": {SourceField(ORDERS, "id"): marks}})
    (field,) = _inputs_of(sender(descriptions=False).statement(_statement(written)), "id")
    assert field["transformations"] == [{"type": "DIRECT", "subtype": "TRANSFORMATION", "masking": False}]


def test_nested_fields_may_be_folded_to_their_columns(sender: Callable[..., Any]) -> None:
    facet = sender(nested=False).statement(_statement())["outputs"][0]["facets"]["columnLineage"]
    assert list(facet["fields"]) == ["id", "who"]


def test_over_the_limit_there_is_no_column_lineage_and_the_event_says_so(sender: Callable[..., Any]) -> None:
    assert "columnLineage" in sender(schema_limit=2).statement(_statement())["outputs"][0]["facets"]
    event = sender(schema_limit=1, lineage_facet=True).statement(_statement())
    assert "columnLineage" not in event["outputs"][0]["facets"]
    assert "lineage" not in event["job"]["facets"]
    (said,) = event["run"]["facets"]["headwater_capture"]["withheld"]
    assert said == "columnLineage of totals: 2 columns, schemaSizeLimit 1"


def test_the_lineage_facet_has_every_input_of_an_output(sender: Callable[..., Any]) -> None:
    unused = Dataset("s3a://lake/unused")
    written = _written(rows=_from(ORDERS, "state", How.FILTER))
    event = sender(lineage_facet=True).statement(_statement(written, reads={ORDERS: (ID,), unused: (ID,)}))
    (entry,) = event["job"]["facets"]["lineage"]["entries"]
    assert (entry["namespace"], entry["name"], entry["type"]) == ("s3://lake", "totals", "DATASET")
    assert [(field["name"], field.get("field")) for field in entry["inputs"]] == [
        ("orders", "state"),
        ("unused", None),
    ]
    assert [(field["name"], field["field"]) for field in entry["fields"]["who.name"]["inputs"]] == [("orders", "name")]
    assert "lineage" not in sender().statement(_statement())["job"]["facets"]


VIEW = Dataset(table=("spark_catalog", "db", "v"))


def _reading_a_view(**more: Any) -> Statement:  # noqa: ANN401 (any part)
    by_views = _written(fields={"id": _from(VIEW, "number"), "who.name": {}}, rows=_from(ORDERS, "flag", How.FILTER))
    return _statement(_written(by_views=by_views), named_views=(VIEW,), behind_views={ORDERS: (VIEW,)}, **more)


@pytest.mark.parametrize("state", [RunState.START, RunState.COMPLETE])
def test_an_input_says_that_it_was_read_through_a_view(sender: Callable[..., Any], state: RunState) -> None:
    (source,) = sender().statement(_reading_a_view(), state)["inputs"]
    assert source["name"] == "orders"
    assert [view["name"] for view in source["inputFacets"]["headwater_behindViews"]["views"]] == ["/warehouse/db.db/v"]


def test_an_output_has_what_it_takes_from_views_beside_its_column_lineage(sender: Callable[..., Any]) -> None:
    (output,) = sender().statement(_reading_a_view())["outputs"]
    facet = output["facets"]["headwater_views"]
    assert [field["name"] for field in output["facets"]["columnLineage"]["fields"]["id"]["inputFields"]] == ["orders"]
    assert [(field["name"], field["field"]) for field in facet["fields"]["id"]["inputFields"]] == [
        ("/warehouse/db.db/v", "number")
    ]
    assert [(field["name"], field["field"]) for field in facet["dataset"]] == [("orders", "flag")]
    assert [view["name"] for view in facet["views"]] == ["/warehouse/db.db/v"]


def test_both_forms_of_lineage_can_be_switched_off(sender: Callable[..., Any]) -> None:
    def facets(*disabled: str) -> set[str]:
        to = sender(disabled_facets=frozenset(disabled))
        return set(to.statement(_reading_a_view())["outputs"][0]["facets"])

    assert "headwater_views" not in facets("headwater_views")
    assert {"columnLineage", "headwater_views"} & facets("columnLineage") == set()


OTHERS = Dataset("s3a://lake/others")


def _rows_facet(statement: Statement, sender: Callable[..., Any], **options: Any) -> dict[str, Any] | None:  # noqa: ANN401
    """What the first output says of rows that are counted: by column, names alone; those for all columns under `*`."""
    facet = sender(**options).statement(statement)["outputs"][0]["facets"].get("headwater_rows")
    if facet is None:
        return None
    assert facet["_producer"].startswith("urn:headwater:producer:")
    assert facet["_schemaURL"] == "urn:headwater:facet:1-0-0:RowsDatasetFacet"
    listed = {**facet["fields"], **({"*": facet["dataset"]} if facet["dataset"] else {})}
    return {column: [source["name"] for source in sources] for column, sources in listed.items()}


_BOTH = frozenset({ORDERS, OTHERS})
_APART = {"id": _from(ORDERS, "id"), "x": _from(OTHERS, "x")}
_MIXED = {"id": _from(ORDERS, "id"), "who.name": {**_from(ORDERS, "name"), **_from(OTHERS, "x")}}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        # An edge says so, to the column or to all.
        ({"fields": _MIXED, "counted": {"who.name": _BOTH}}, None),
        ({"fields": _MIXED, "counted": {None: _BOTH}}, {"id": ["others"]}),
        ({"fields": _MIXED, "counted": {None: _BOTH}, "rows": _from(OTHERS, "x", How.FILTER)}, None),
        # Nobody counts these rows for the other columns.
        ({"fields": _MIXED, "counted": {"id": _BOTH}}, {"id": ["others"]}),
        # Whoever reads the event knows of a column that comes from nowhere, and of an input that none comes from.
        ({"fields": {**_MIXED, "n": {}}, "counted": {"n": _BOTH}}, None),
        ({"fields": {"id": _from(ORDERS, "id")}, "counted": {None: _BOTH}}, None),
        ({"fields": _APART, "counted": {None: _BOTH}}, {"id": ["others"], "x": ["orders"]}),
        ({"fields": _APART, "counted": {"x": frozenset({ORDERS}), "id": _BOTH}}, {"id": ["others"], "x": ["orders"]}),
        # The rows of the dataset itself.
        ({"fields": {**_MIXED, "x": _from(ORDERS, "x")}, "counted": {None: frozenset({TOTALS})}}, None),
    ],
)  # fmt: skip
def test_an_output_says_which_rows_are_counted_where_no_edge_does(
    sender: Callable[..., Any], more: dict[str, Any], expected: dict[str, list[str]] | None
) -> None:
    statement = _statement(_written(**more), reads={ORDERS: (ID,), OTHERS: (ID,)})
    assert _rows_facet(statement, sender) == expected
    assert _rows_facet(statement, sender, disabled_facets=frozenset({"headwater_rows"})) is None
    without = frozenset({"columnLineage"})
    assert _rows_facet(statement, sender, disabled_facets=without) is None
    assert _rows_facet(statement, sender, disabled_facets=without, lineage_facet=True) == expected


def test_the_inputs_of_several_outputs_do_not_tell_whose_rows_each_counts(sender: Callable[..., Any]) -> None:
    counting = _written(fields={"n": {}, "id": _from(ORDERS, "id")}, counted={"n": frozenset({OTHERS})})
    other = _written(Dataset("s3a://lake/more"))
    assert _rows_facet(_statement(counting, other), sender) == {"n": ["others"]}
    assert _rows_facet(_statement(counting), sender) is None


def test_counted_rows_are_folded_with_their_columns(sender: Callable[..., Any]) -> None:
    fields = {"s.a": _from(ORDERS, "a"), "s.b": _from(ORDERS, "b"), "x": _from(OTHERS, "x")}
    statement = _statement(_written(fields=fields, counted={"s.b": frozenset({OTHERS})}))
    assert _rows_facet(statement, sender) == {"s.b": ["others"]}
    assert _rows_facet(statement, sender, nested=False) == {"s": ["others"]}


@pytest.mark.parametrize("columns", [100, 101, 1000])
def test_rows_that_very_many_columns_count_are_counted_by_all(sender: Callable[..., Any], columns: int) -> None:
    fields = {f"c{at}": _from(ORDERS, f"c{at}") for at in range(columns)} | {"x": _from(OTHERS, "x")}
    facet = _rows_facet(_statement(_written(fields=fields, counted={None: frozenset({OTHERS})})), sender)
    assert facet == ({f"c{at}": ["others"] for at in range(100)} if columns == 100 else {"*": ["others"]})


def test_rows_that_all_columns_count_are_listed_once(sender: Callable[..., Any]) -> None:
    fields = {"id": _from(ORDERS, "id"), "x": _from(ORDERS, "x")}
    view = _written(fields=fields, counted={None: _BOTH})
    (event,) = sender().application.view_events(0, _statement(view, view=True))
    rows = Serde.to_dict(event)["dataset"]["facets"]["headwater_rows"]
    assert (rows["fields"], [source["name"] for source in rows["dataset"]]) == ({}, ["others"])


def test_the_rows_of_views_count_beside_those_behind_them(sender: Callable[..., Any]) -> None:
    fields = {"id": _from(VIEW, "number"), "x": _from(OTHERS, "x")}
    by_views = _written(fields=fields, counted={None: frozenset({VIEW, OTHERS})})
    behind = {"id": _from(ORDERS, "id"), "x": _from(OTHERS, "x")}
    written = _written(fields=behind, counted={"x": frozenset({ORDERS})}, by_views=by_views)
    event = sender().statement(_statement(written, named_views=(VIEW,), reads={ORDERS: (ID,), OTHERS: (ID,)}))
    rows = event["outputs"][0]["facets"]["headwater_rows"]
    assert {column: source["name"] for column, (source,) in rows["fields"].items()} == {"x": "orders"}
    assert {column: source["name"] for column, (source,) in rows["byViews"]["fields"].items()} == {
        "id": "others",
        "x": "/warehouse/db.db/v",
    }
    lineage = parse_event(event).outputs[0].lineage  # type: ignore[union-attr]
    assert lineage is not None
    assert lineage.row_sources is not None
    assert {source.out: source.name for source in lineage.row_sources} == {"id": "others", "x": "/warehouse/db.db/v"}


def test_the_definition_of_a_view_has_the_name_that_create_view_gives_it(sender: Callable[..., Any]) -> None:
    to = sender()
    view = _written(VIEW, Change.CREATE)
    (created,) = (to.json(one) for one in to.application.view_events(1000, _statement(view, view=True)))
    read = to.json(to.application.definition_event(1000, view))
    assert read == created


def test_a_view_is_declared_not_written_by_a_job(sender: Callable[..., Any]) -> None:
    view = _statement(_written(Dataset(table=("spark_catalog", "db", "v")), Change.CREATE), view=True)
    to = sender(lineage_facet=True)
    (event,) = (to.json(one) for one in to.application.view_events(1000, view))
    facets = event["dataset"]["facets"]
    assert (event["dataset"]["namespace"], event["dataset"]["name"]) == ("file", "/warehouse/db.db/v")
    assert facets["datasetType"]["datasetType"] == "VIEW"
    assert list(facets["columnLineage"]["fields"]) == list(facets["lineage"]["fields"]) == ["id", "who.name"]
    assert "lifecycleStateChange" not in facets


# --- jobs and runs ---------------------------------------------------------------------------------------------------


def test_a_statement_belongs_to_the_application(sender: Callable[..., Any]) -> None:
    parent = sender().statement(_statement())["run"]["facets"]["parent"]
    itself = {"run": {"runId": RUN}, "job": {"namespace": "shop", "name": "app"}}
    assert {"run": parent["run"], "job": parent["job"]} == parent["root"] == itself


def test_the_application_belongs_to_who_started_it(sender: Callable[..., Any]) -> None:
    dag = RunName("airflow", "dag", OTHER_RUN)
    task = RunName("airflow", "dag.task", OTHER_RUN)
    to = sender(parent=task, root=dag)
    of_application = to.json(to.application.event(RunState.START, 1000))["run"]["facets"]["parent"]
    assert of_application["job"]["name"] == "dag.task"
    assert of_application["root"]["job"]["name"] == "dag"
    of_statement = to.statement(_statement())["run"]["facets"]["parent"]
    assert of_statement["job"]["name"] == "app"
    assert of_statement["root"]["job"]["name"] == "dag"
    # Without a root the parent is the first that is known.
    assert sender(parent=task).statement(_statement())["run"]["facets"]["parent"]["root"]["job"]["name"] == "dag.task"


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "app.append_data.lake_totals"),
        ({"append_dataset_name": False}, "app.append_data"),
        ({"replace_dots": True}, "app_append_data_lake_totals"),
    ],
)
def test_names_of_jobs_stay_the_same(sender: Callable[..., Any], options: dict[str, Any], name: str) -> None:
    written = _written(Dataset("file:/lake/totals/day=1"))
    assert sender(**options).statement(_statement(written))["job"]["name"] == name


def test_what_kind_of_job_it_is(sender: Callable[..., Any]) -> None:
    to = sender()
    application = to.json(to.application.event(RunState.START, 1000))["job"]["facets"]["jobType"]
    assert (application["processingType"], application["jobType"]) == ("BATCH", "APPLICATION")
    stream = to.statement(_statement(stream=Stream("q", 1)))["job"]["facets"]["jobType"]
    assert (stream["processingType"], stream["jobType"], stream["integration"]) == ("STREAMING", "SQL_JOB", "SPARK")


def test_owners_and_tags(sender: Callable[..., Any]) -> None:
    to = sender(
        owners=(Owner("team", "Food"),), job_tags=(Tag("layer", "silver"),), run_tags=(Tag("try", "2", "AIRFLOW"),)
    )
    for event in (to.statement(_statement()), to.json(to.application.event(RunState.COMPLETE, 1000))):
        assert event["job"]["facets"]["ownership"]["owners"] == [{"name": "Food", "type": "team"}]
        assert event["job"]["facets"]["tags"]["tags"] == [{"key": "layer", "value": "silver", "source": "CONFIG"}]
        assert event["run"]["facets"]["tags"]["tags"] == [{"key": "try", "value": "2", "source": "AIRFLOW"}]


def test_the_text_of_a_statement_and_why_it_failed_are_without_secrets(sender: Callable[..., Any]) -> None:
    details = RunDetails(
        sql="INSERT INTO t OPTIONS (password 'hunter2') SELECT '4111111111111111'",
        error="no route to jdbc:postgresql://h/db?password=hunter2\n\tat a.B.c(B.scala:1)",
    )
    event = sender(secrets=re.compile("[0-9]{16}")).statement(_statement(), RunState.FAIL, details)
    assert event["job"]["facets"]["sql"]["query"] == "INSERT INTO t OPTIONS (password '***') SELECT '***'"
    error = event["run"]["facets"]["errorMessage"]
    assert error["message"] == "no route to jdbc:postgresql://h/db?password=***"
    assert error["stackTrace"] == "\tat a.B.c(B.scala:1)"


def test_what_was_not_understood_and_what_was_lost(sender: Callable[..., Any]) -> None:
    to = sender()
    event = to.statement(_statement(opaque={"Thing": 2}), details=RunDetails(lost={"droppedMessages": 3}))
    facet = event["run"]["facets"]["headwater_capture"]
    assert (facet["opaque"], facet["lost"]) == ({"Thing": 2}, {"droppedMessages": 3})
    end = to.json(to.application.event(RunState.COMPLETE, 1000, {"undeliveredEvents": 1}))
    assert end["run"]["facets"]["headwater_capture"]["lost"] == {"undeliveredEvents": 1}
    assert "headwater_capture" not in to.statement(_statement())["run"]["facets"]


@pytest.mark.parametrize(
    "facet",
    [
        *("schema", "dataSource", "columnLineage", "lineage", "lifecycleStateChange", "symlinks", "inputStatistics"),
        *(
            "outputStatistics",
            "sql",
            "jobType",
            "parent",
            "processing_engine",
            "headwater_capture",
            "tags",
            "ownership",
        ),
    ],
)
def test_any_facet_can_be_switched_off(sender: Callable[..., Any], facet: str) -> None:
    table = Dataset("file:/warehouse/t", ("spark_catalog", "db", "t"))
    statement = _statement(_written(table, Change.CREATE), opaque={"Thing": 1})
    counts = RunStatistics({Name("s3://lake", "orders"): Counts(1)}, {Name("file", "/warehouse/t"): Counts(1)})
    options = {"lineage_facet": True, "run_tags": (Tag("a"),), "job_tags": (Tag("a"),), "owners": (Owner("a", "b"),)}
    details = RunDetails(sql="SELECT 1", statistics=counts)
    assert f"'{facet}'" in str(sender(**options).statement(statement, details=details))
    without = sender(**options, disabled_facets=frozenset({facet})).statement(statement, details=details)
    assert f"'{facet}'" not in str(without)


@pytest.mark.parametrize(
    ("options", "statement", "wanted"),
    [
        ({}, _statement(), True),
        ({}, Statement("Unknown", {}, (), {"Unknown": 1}), True),
        ({}, Statement("Project", {ORDERS: (ID,)}, ()), False),
        ({"emit_reads": True}, Statement("Project", {ORDERS: (ID,)}, ()), True),
        ({"emit_reads": True}, Statement("ShowTables", {}, ()), False),
        ({"allowed": frozenset({"Aggregate"})}, Statement("Aggregate", {ORDERS: (ID,)}, ()), True),
        ({"allowed": frozenset({"Aggregate"})}, Statement("Project", {ORDERS: (ID,)}, ()), False),
        ({"denied": frozenset({"AppendData"})}, _statement(), False),
    ],
)
def test_which_statements_get_events(
    sender: Callable[..., Any], options: dict[str, Any], statement: Statement, *, wanted: bool
) -> None:
    assert sender(**options).application.wants(statement) is wanted


# --- as JSON ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [RunState.START, RunState.COMPLETE])
def test_an_event_becomes_what_openlineage_makes_of_it(sender: Callable[..., Any], state: RunState) -> None:
    application = sender(lineage_facet=True, run_tags=(Tag("a"),)).application
    details = RunDetails(sql="SELECT 1", error="x", lost={"y": 1})
    event = application.statement_event(state, 1000, run_id=RUN, job="j", statement=FILTERED, details=details)
    assert to_dict(event) == Serde.to_dict(event)


# --- very many edges -------------------------------------------------------------------------------------------------


def test_a_text_on_very_many_edges_is_said_once(sender: Callable[..., Any]) -> None:
    texts = [f"coalesce({n}, {'c, ' * 300}d)" for n in range(90)]
    fields = {
        f"d{n}": {SourceField(ORDERS, f"c{m}"): frozenset({Mark(How.CONDITIONAL, text=texts[n])}) for m in range(90)}
        for n in range(90)
    }
    facet = sender().statement(_statement(_written(fields=fields)))["outputs"][0]["facets"]["columnLineage"]
    said = {
        name: [field["transformations"][0]["description"] for field in one["inputFields"]]
        for name, one in facet["fields"].items()
    }
    # Every expression is there as it is, at least once, and on every edge by its beginning.
    assert all(texts[n] in said[f"d{n}"] for n in range(90))
    assert all(text.startswith(f"coalesce({n}, ") for n in range(90) for text in said[f"d{n}"])
    assert sum(len(text) for some in said.values() for text in some) < 2_000_000


def test_texts_that_edges_have_in_ever_new_combinations_are_said_once(sender: Callable[..., Any]) -> None:
    """Each column of a chain is decided by what decided the ones before, and by one thing more."""
    marks = [Mark(How.CONDITIONAL, text=f"{n} > {'c, ' * 300}d") for n in range(300)]
    fields = {f"d{n}": {SourceField(ORDERS, "c"): frozenset(marks[max(0, n - 60) : n + 1])} for n in range(300)}
    facet = sender().statement(_statement(_written(fields=fields)))["outputs"][0]["facets"]["columnLineage"]
    said = [
        [step["description"] for field in one["inputFields"] for step in field["transformations"]]
        for one in facet["fields"].values()
    ]
    assert all(marks[n].text in said[n] for n in range(300))
    assert [len(texts) for texts in said] == [min(n + 1, 61) for n in range(300)]
    assert sum(map(len, functools.reduce(operator.iadd, said, []))) < 3_000_000


def test_new_texts_without_end_are_cut_short_in_the_end(sender: Callable[..., Any]) -> None:
    fields = {
        f"d{n}": {SourceField(ORDERS, "c"): frozenset({Mark(How.TRANSFORMATION, text=f"f{n}({'c, ' * 300}d)")})}
        for n in range(9000)
    }
    facet = sender().statement(_statement(_written(fields=fields)))["outputs"][0]["facets"]["columnLineage"]
    said = [field["inputFields"][0]["transformations"][0]["description"] for field in facet["fields"].values()]
    assert all(text.startswith(f"f{n}(") for n, text in enumerate(said))
    assert sum(map(len, said)) < 6_000_000


def test_lineage_by_tables_stands_in_the_list_of_the_dataset(sender: Callable[..., Any]) -> None:
    every = frozenset({Mark(How.TRANSFORMATION), Mark(How.FILTER)})
    written = _written(fields={}, rows={SourceField(ORDERS, "id"): every})
    event = sender().statement(_statement(written, opaque={"given up for lack of edges": 1}))
    facet = event["outputs"][0]["facets"]["columnLineage"]
    assert facet["fields"] == {}
    assert [(step["type"], step["subtype"]) for one in facet["dataset"] for step in one["transformations"]] == [
        ("DIRECT", "TRANSFORMATION"),
        ("INDIRECT", "FILTER"),
    ]
    assert event["run"]["facets"]["headwater_capture"]["opaque"] == {"given up for lack of edges": 1}


def test_rows_are_not_repeated_on_very_many_columns(sender: Callable[..., Any]) -> None:
    rows = {SourceField(ORDERS, f"c{n}"): frozenset({Mark(How.FILTER)}) for n in range(400)}
    written = _written(fields={f"d{n}": {} for n in range(400)}, rows=rows)
    event = sender(dataset_lineage=False).statement(_statement(written))
    assert len(event["outputs"][0]["facets"]["columnLineage"]["dataset"]) == 400
    (withheld,) = event["run"]["facets"]["headwater_capture"]["withheld"]
    assert withheld == "columnLineage of totals: too many edges to repeat those of all columns on each"

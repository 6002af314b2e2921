"""Which statements of an application are one job, and which are several."""

from __future__ import annotations

from dataclasses import replace

import pytest

from headwater.capture.job_names import JobNames
from headwater.common.masking import Masking
from headwater.openlineage.build.events import Application
from headwater.openlineage.naming.datasets import Catalog
from headwater.rules.plan.sources import Counted, How, Mark, SourceField, Sources
from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.statements import Change, Statement, Stream, Written

NAME = "shop.append_data.gold_orders"


@pytest.fixture
def names() -> JobNames:
    return JobNames(Application("ns", "shop", "run", "4.1.4", Catalog("file:/warehouse")))


def _from(source: str, column: str = "id", *, masking: Masking = Masking.NONE, text: str = "") -> Sources:
    return {SourceField(Dataset(f"s3a://lake/{source}"), column): frozenset({Mark(How.IDENTITY, masking, text)})}


def _write(sources: Sources, change: Change = Change.APPEND, *, stream: Stream | None = None) -> Statement:
    written = Written(Dataset(table=("gold", "orders")), (), change, {"id": sources}, {})
    return Statement("AppendData", {}, (written,), stream=stream)


@pytest.mark.parametrize("change", [Change.APPEND, Change.CREATE, Change.OVERWRITE_PARTITIONS])
@pytest.mark.parametrize(
    "other", [_from("people"), _from("orders", "customer"), _from("orders", masking=Masking.IRREVERSIBLE)]
)
def test_what_adds_other_columns_to_the_same_table_is_another_job(
    names: JobNames, change: Change, other: Sources
) -> None:
    first, second = _write(_from("orders"), change), _write(other, change)
    assert [names.name(statement) for statement in (first, second, first, second)] == [NAME, f"{NAME}.2"] * 2


def test_what_adds_the_numbers_of_rows_of_another_table_is_another_job(names: JobNames) -> None:
    first, second = (_counting(source) for source in ("orders", "people"))
    assert [names.name(statement) for statement in (first, second, first)] == [NAME, f"{NAME}.2", NAME]
    days = [_counting(f"landing/{day}.csv") for day in ("2026-11-14", "2026-11-15")]
    assert {names.name(statement) for statement in days} == {f"{NAME}.3"}


def _counting(source: str) -> Statement:
    (written,) = _write({}).writes
    counted: Counted = {None: frozenset({Dataset(f"s3a://lake/{source}")})}
    return Statement("AppendData", {}, (replace(written, counted=counted),))


def test_overwriting_a_folder_of_a_dataset_adds_to_it(names: JobNames) -> None:
    known = set()
    for day, source in enumerate(("orders", "people")):
        folder = Dataset(f"s3a://lake/gold/orders/day={day}")
        (written,) = _write(_from(source), Change.OVERWRITE).writes
        known.add(names.name(Statement("AppendData", {}, (replace(written, dataset=folder),))))
    assert known == {NAME, f"{NAME}.2"}


def test_the_same_statement_over_again_is_the_same_job(names: JobNames) -> None:
    days = [_write(_from(f"landing/{day}.csv", text=f"day = '{day}'")) for day in ("2026-11-14", "2026-11-15")]
    assert {names.name(statement) for statement in days} == {NAME}


def test_what_replaces_the_table_and_what_a_stream_adds_keep_their_name(names: JobNames) -> None:
    for source in ("orders", "people"):
        assert names.name(_write(_from(source), Change.OVERWRITE)) == NAME
        assert names.name(_write(_from(source), stream=Stream("q", 1)), "clicks") == "shop.clicks.gold_orders"


@pytest.mark.parametrize("other", [_from("people"), _from("orders", masking=Masking.IRREVERSIBLE)])
def test_what_is_added_after_an_overwrite_leaves_its_lineage(names: JobNames, other: Sources) -> None:
    overwrite, insert = _write(_from("orders"), Change.OVERWRITE), _write(other)
    assert [names.name(statement) for statement in (overwrite, insert, overwrite, insert)] == [NAME, f"{NAME}.2"] * 2


def test_an_overwrite_between_others_has_a_name_of_its_own(names: JobNames) -> None:
    first, second = _write(_from("orders")), _write(_from("people"))
    assert [names.name(first), names.name(second)] == [NAME, f"{NAME}.2"]
    assert names.name(_write(_from("carts"), Change.OVERWRITE)) == NAME
    assert [names.name(second), names.name(first)] == [f"{NAME}.2", f"{NAME}.3"]


def test_names_are_bounded(names: JobNames) -> None:
    known = {names.name(_write(_from("orders", f"column{number}"))) for number in range(1_200)}
    assert len(known) == 1_000

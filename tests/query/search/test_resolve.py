"""What people type, and what it leads to."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

import pytest
from tests.work import MOST, work

from headwater.query.search.resolve import AmbiguousName, UnknownName, resolve_column, resolve_dataset, resolve_job

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

_NAMES = ["/lake/raw/orders", "/lake/clean/orders", "/lake/menus", "shop.public.customers", "customers", "topic:a b%💧"]


@pytest.fixture
def named(any_store: Store, maker: EventMaker) -> Store:
    columns = {"Id": ["in.x"], "header.customerId": ["in.x"], "`a.b`": ["in.x"], "twin": ["in.x"], "TWIN": ["in.x"]}
    any_store.ingest([maker(1, job=name, out=name, columns=columns) for name in _NAMES])
    return any_store


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("lake//lake/menus", "/lake/menus"),
        ("/lake/menus", "/lake/menus"),
        ("lake/menus", "/lake/menus"),
        ("menus", "/lake/menus"),
        ("/menus", "/lake/menus"),
        ("raw/orders", "/lake/raw/orders"),
        ("public.customers", "shop.public.customers"),
        ("customers", "customers"),  # the whole of one name, though the end of another
        ("a b%💧", "topic:a b%💧"),
        ("Lake/Menus", "/lake/menus"),
        ("MENUS", "/lake/menus"),
        ("Lake//Lake/Menus", "/lake/menus"),
        ("Shop.Public.Customers", "shop.public.customers"),
        ("Customers", "customers"),
        ("`shop`.`public`.`customers`", "shop.public.customers"),
        ('"shop"."Public"."customers"', "shop.public.customers"),
    ],
)
def test_a_dataset_by_any_end_of_its_name(named: Store, text: str, name: str) -> None:
    with named.read() as session:
        assert resolve_dataset(session, text).name == name


def test_an_end_that_several_have_is_ambiguous(named: Store) -> None:
    with named.read() as session, pytest.raises(AmbiguousName, match="2 datasets") as caught:
        resolve_dataset(session, "orders")
    assert caught.value.candidates == ("lake//lake/clean/orders", "lake//lake/raw/orders")


def test_a_name_as_it_is_written_comes_before_one_of_another_case(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, out=name, columns={}) for name in ("db.Orders", "db.orders", "db.Items", "db.ITEMS")])
    with any_store.read() as session:
        assert resolve_dataset(session, "orders").name == "db.orders"
        assert resolve_dataset(session, "Orders").name == "db.Orders"
        with pytest.raises(AmbiguousName, match="2 datasets"):
            resolve_dataset(session, "items")


@pytest.mark.parametrize(("text", "nearest"), [("menu", "lake//lake/menus"), ("Custmers", "lake/customers")])
def test_an_unknown_dataset_gets_the_nearest(named: Store, text: str, nearest: str) -> None:
    with named.read() as session, pytest.raises(UnknownName) as caught:
        resolve_dataset(session, text)
    assert nearest in caught.value.candidates


def test_part_of_a_word_is_no_end(named: Store) -> None:
    with named.read() as session, pytest.raises(UnknownName):
        resolve_dataset(session, "enus")
    with named.read() as session, pytest.raises(UnknownName):
        resolve_dataset(session, "")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Id", "Id"),
        ("ID", "Id"),
        ("header", "header"),
        ("header.customerid", "header.customerId"),
        ("`header`.customerId", "header.customerId"),
        ("a.b", "`a.b`"),
        ('"header"."customerId"', "header.customerId"),
        ("TWIN", "TWIN"),
    ],
)
def test_a_column_exactly_or_by_the_only_match_without_case(named: Store, text: str, path: str) -> None:
    with named.read() as session:
        field = resolve_column(session, resolve_dataset(session, "menus"), text)
        assert session.rows("SELECT path FROM field WHERE id = :id", id=field) == [(path,)]


def test_columns_that_differ_in_case_alone_are_ambiguous_by_another_case(named: Store) -> None:
    with named.read() as session, pytest.raises(AmbiguousName) as caught:
        resolve_column(session, resolve_dataset(session, "menus"), "Twin")
    assert set(caught.value.candidates) == {"twin", "TWIN"}


def test_an_unknown_column_gets_the_nearest_also_by_its_last_part(named: Store) -> None:
    with named.read() as session, pytest.raises(UnknownName) as caught:
        resolve_column(session, resolve_dataset(session, "menus"), "customer_id")
    assert caught.value.candidates == ("header.customerId",)


def _alias(name: str) -> dict[str, object]:
    return {"symlinks": {"identifiers": [{"namespace": "hive", "name": name, "type": "TABLE"}]}}


def test_rule_9_an_alias_that_was_never_written_leads_to_what_it_stood_for_then(
    any_store: Store, maker: EventMaker
) -> None:
    any_store.ingest(
        [
            maker(10, out="/lake/old", columns={"a": ["in.x"]}, facets=_alias("db.orders")),
            maker(20, out="/lake/new", columns={"a": ["in.x"]}, facets=_alias("db.orders")),
        ]
    )
    with any_store.read() as session:
        assert resolve_dataset(session, "db.orders").name == "/lake/new"
        assert resolve_dataset(session, "hive/db.orders", maker.us(15)).name == "/lake/old"
        assert resolve_dataset(session, "orders", maker.us(5)).name == "db.orders"


def test_rule_9_an_alias_that_was_written_itself_is_itself(any_store: Store, maker: EventMaker) -> None:
    written = maker(20, out="db.orders", columns={"a": ["in.x"]})
    written["outputs"][0]["namespace"] = "hive"  # type: ignore[index]
    any_store.ingest([maker(10, out="/lake/orders", columns={"a": ["in.x"]}, facets=_alias("db.orders")), written])
    with any_store.read() as session:
        assert resolve_dataset(session, "db.orders").name == "db.orders"


def test_rule_9_a_name_and_its_alias_are_not_ambiguous(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(10, out="/lake/orders", columns={"a": ["in.x"]}, facets=_alias("db.orders"))])
    with any_store.read() as session:
        assert resolve_dataset(session, "orders").name == "/lake/orders"


def test_a_job_by_any_end_of_its_name(named: Store) -> None:
    with named.read() as session:
        assert resolve_job(session, "raw/orders").name == "/lake/raw/orders"
        assert resolve_job(session, "jobs/customers").name == "customers"
        with pytest.raises(AmbiguousName, match="2 jobs"):
            resolve_job(session, "orders")
        with pytest.raises(UnknownName, match="No job matches 'menu'") as caught:
            resolve_job(session, "menu")
    assert caught.value.candidates[0] == "jobs//lake/menus"


def test_a_full_name_of_which_another_is_an_end(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, out="lake/t", columns={}), maker(2, out="t", columns={})])
    with any_store.read() as session:
        assert resolve_dataset(session, "lake/t").name == "t"
        assert resolve_dataset(session, "lake/lake/t").name == "lake/t"


def test_long_names_are_compared_by_their_ends(store: Store, maker: EventMaker) -> None:
    """To compare two names letter by letter takes the product of their lengths."""
    long = "ab" * 1_900
    store.ingest([maker(1, out=long, columns={long: ["in.x"]})])

    def lines(size: int) -> float:
        def ask() -> None:
            text = f"{'ba' * size}{'ab' * size}"
            with store.read() as session:
                with pytest.raises(UnknownName):
                    resolve_dataset(session, text)
                with pytest.raises(UnknownName):
                    resolve_column(session, resolve_dataset(session, long), text)

        return work(ask, float("inf"), difflib)

    lines(50)
    assert lines(900) / lines(450) <= MOST


def test_the_nearest_of_very_many_columns_are_found(store: Store, maker: EventMaker) -> None:
    fields = [{"name": f"measure_{number}"} for number in range(3_000)] + [{"name": "customer_id"}]
    event: dict[str, Any] = maker(1, out="wide")
    event["outputs"][0]["facets"]["schema"] = {"fields": fields}
    store.ingest([event])
    with store.read() as session, pytest.raises(UnknownName) as unknown:
        resolve_column(session, resolve_dataset(session, "wide"), "custmer_id")
    assert unknown.value.candidates[0] == "customer_id"

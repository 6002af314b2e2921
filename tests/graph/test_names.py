"""What people type, and what it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.graph.names import AmbiguousName, UnknownName, resolve_column, resolve_dataset

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

_NAMES = ["/lake/raw/orders", "/lake/clean/orders", "/lake/menus", "shop.public.customers", "customers", "topic:a b%💧"]


@pytest.fixture
def named(store: Store, maker: EventMaker) -> Store:
    columns = {"Id": ["in.x"], "header.customerId": ["in.x"], "`a.b`": ["in.x"], "twin": ["in.x"], "TWIN": ["in.x"]}
    store.ingest([maker(1, job=name, out=name, columns=columns) for name in _NAMES])
    return store


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
    ],
)
def test_a_dataset_by_any_end_of_its_name(named: Store, text: str, name: str) -> None:
    with named.read() as connection:
        assert resolve_dataset(connection, text).name == name


def test_an_end_that_several_have_is_ambiguous(named: Store) -> None:
    with named.read() as connection, pytest.raises(AmbiguousName, match="2 datasets") as caught:
        resolve_dataset(connection, "orders")
    assert caught.value.candidates == ("lake//lake/clean/orders", "lake//lake/raw/orders")


@pytest.mark.parametrize(("text", "nearest"), [("menu", "lake//lake/menus"), ("Custmers", "lake/customers")])
def test_an_unknown_dataset_gets_the_nearest(named: Store, text: str, nearest: str) -> None:
    with named.read() as connection, pytest.raises(UnknownName) as caught:
        resolve_dataset(connection, text)
    assert nearest in caught.value.candidates


def test_part_of_a_word_is_no_end(named: Store) -> None:
    with named.read() as connection, pytest.raises(UnknownName):
        resolve_dataset(connection, "enus")
    with named.read() as connection, pytest.raises(UnknownName):
        resolve_dataset(connection, "")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Id", "Id"),
        ("ID", "Id"),
        ("header", "header"),
        ("header.customerid", "header.customerId"),
        ("`header`.customerId", "header.customerId"),
        ("a.b", "`a.b`"),
        ("TWIN", "TWIN"),
    ],
)
def test_a_column_exactly_or_by_the_only_match_without_case(named: Store, text: str, path: str) -> None:
    with named.read() as connection:
        found = resolve_column(connection, resolve_dataset(connection, "menus"), text)
        assert connection.execute("SELECT path FROM field WHERE id = ?", (found,)).fetchone() == (path,)


def test_columns_that_differ_in_case_alone_are_ambiguous_by_another_case(named: Store) -> None:
    with named.read() as connection, pytest.raises(AmbiguousName) as caught:
        resolve_column(connection, resolve_dataset(connection, "menus"), "Twin")
    assert set(caught.value.candidates) == {"twin", "TWIN"}


def test_an_unknown_column_gets_the_nearest_also_by_its_last_part(named: Store) -> None:
    with named.read() as connection, pytest.raises(UnknownName) as caught:
        resolve_column(connection, resolve_dataset(connection, "menus"), "customer_id")
    assert caught.value.candidates == ("header.customerId",)

"""Search: words of names, tags and descriptions, also misspelt, and a bounded number of rows however common a word."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from headwater.common.codec import plain
from headwater.query.catalog.listing import list_names
from headwater.query.search.fuzzy import nearest, search
from headwater.query.search.spelling import How, agreement, distance
from headwater.store import open_store
from headwater.store.db.codes import Kind, What
from headwater.store.db.session import Session
from headwater.store.entities.search_terms import add_terms
from headwater.store.model.words import gram_text, grams_of, words_of, words_of_description, words_of_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.conftest import EventMaker

    from headwater.store import Store


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("customer_id", ["customer", "id"]),
        ("customerId", ["customer", "id"]),
        ("HTTPServerLog2024", ["http", "server", "log", "2024"]),
        ("straßeName", ["strasse", "name"]),
        ("Café Ünder", ["cafe", "under"]),
        ("客户 名称", ["客户", "名称"]),
        ("a  a", ["a"]),
        ("-/.", []),
        ("", []),
    ],
)
def test_text_is_split_where_a_person_would(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_a_name_is_found_by_its_last_part_as_one_word_too() -> None:
    assert words_of_name("s3://lake/customer_id") == ("s", "3", "lake", "customer", "id", "customerid")


def test_a_name_of_signs_only_is_one_word() -> None:
    assert words_of_name("📦") == ("📦",)
    assert words_of_name(" \t\x00\ud800") == ()


def test_long_names_and_descriptions_give_a_bounded_number_of_words() -> None:
    long = " ".join(f"w{'x' * (n % 7)}{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(600))
    assert len(words_of_name(long)) <= 65
    assert len(words_of_description(long)) == 64
    assert {len(word) for word in words_of_name("y" * 2000)} == {64}


def test_trigrams_of_any_characters_fit_a_database_integer() -> None:
    grams = grams_of("\U0010ffff" * 3)
    assert max(grams) < 2**63
    assert gram_text(grams[-1]) == "\U0010ffff\U0010ffff "


@pytest.mark.parametrize(
    ("left", "right", "steps"),
    [("amount", "amount", 0), ("amuont", "amount", 1), ("amnt", "amount", 2), ("", "ab", 2), ("color", "colour", 1)],
)
def test_distance_counts_letters_that_differ(left: str, right: str, steps: int) -> None:
    assert distance(left, right, 3) == distance(right, left, 3) == steps


def test_a_whole_word_is_worth_more_than_its_beginning_and_that_more_than_a_misspelt_one() -> None:
    exact, prefix, near = (agreement("order", word) for word in ("order", "orderlinenumber", "orfer"))
    assert exact
    assert prefix
    assert near
    assert [exact[0], prefix[0], near[0]] == [How.EXACT, How.PREFIX, How.NEAR]
    assert exact[1] > prefix[1] > near[1]


def test_another_number_is_another_thing() -> None:
    assert agreement("2024", "2025") is None


@pytest.fixture
def filled(any_store: Store, maker: EventMaker) -> Iterator[Session]:
    tags = {"tags": {"tags": [{"key": "pii", "value": "email"}]}}
    words = {"documentation": {"description": "Net amounts of all shipments"}}
    events = [
        maker(1, job="load_orders", out="sales.orders", schema={"id": "int", "customer_id": "int", "amount": "double"}),
        maker(2, job="load_customers", out="crm.customers", schema={"id": "int", "emailAddress": "string"}),
        maker(3, job="load_parts", out="sales.order_items", schema={"id": "int", "amount": "double"}, facets=words),
        maker(4, job="load_people", out="hr.people", schema={"name": "string"}, facets=tags),
    ]
    assert any_store.ingest(events).accepted == len(events)
    with any_store.read() as session:
        yield session


@pytest.fixture
def matching_names(filled: Session) -> Callable[..., list[str]]:
    def names(text: str, **options: Any) -> list[str]:  # noqa: ANN401  whatever search takes
        return [hit.full.removeprefix("lake/").removeprefix("jobs/") for hit in search(filled, text, **options).hits]

    return names


def test_an_exact_name_comes_before_names_that_begin_so(matching_names: Callable[..., list[str]]) -> None:
    assert matching_names("order", kinds=[Kind.DATASET]) == ["sales.order_items", "sales.orders"]
    assert matching_names("orders", kinds=[Kind.DATASET]) == ["sales.orders", "sales.order_items"]


def test_misspelt_words_are_found(matching_names: Callable[..., list[str]]) -> None:
    assert matching_names("custmers", kinds=[Kind.DATASET]) == ["crm.customers"]
    assert "crm.customers.emailAddress" in matching_names("emial adress")


def test_all_words_must_match_somewhere(matching_names: Callable[..., list[str]]) -> None:
    assert matching_names("customer id", kinds=[Kind.FIELD])[0] == "sales.orders.customer_id"
    assert matching_names("customer zebra") == []


def test_a_column_is_found_by_its_name_and_its_table(matching_names: Callable[..., list[str]]) -> None:
    assert matching_names("orders amount", kinds=[Kind.FIELD])[0] == "sales.orders.amount"


def test_a_name_written_as_one_word_is_found(matching_names: Callable[..., list[str]]) -> None:
    assert matching_names("customerid")[0] == "sales.orders.customer_id"
    assert matching_names("email_address") == ["crm.customers.emailAddress"]


def test_a_full_name_is_found_with_its_namespace(matching_names: Callable[..., list[str]]) -> None:
    assert matching_names("lake/sales.orders")[0] == "sales.orders"
    assert matching_names("lake orders", kinds=[Kind.DATASET])[0] == "sales.orders"
    assert matching_names("jobs/load_people") == ["load_people"]


def test_tags_and_descriptions_are_found_after_names(filled: Session, matching_names: Callable[..., list[str]]) -> None:
    assert matching_names("pii") == ["hr.people"]
    assert matching_names("shipments") == ["sales.order_items"]
    assert matching_names("email", limit=2) == ["crm.customers.emailAddress", "hr.people"]
    (hit,) = search(filled, "shipments").hits
    assert [(match.word, match.what) for match in hit.matches] == [("shipments", What.DESCRIPTION)]


def test_jobs_are_found(matching_names: Callable[..., list[str]]) -> None:
    assert matching_names("load people", kinds=[Kind.JOB]) == ["load_people"]


def test_namespaces_leave_others_out(matching_names: Callable[..., list[str]]) -> None:
    assert matching_names("load", namespaces=["lake"]) == []
    assert len(matching_names("load", namespaces=["jobs"])) == 4


def test_a_limit_says_that_there_is_more(filled: Session) -> None:
    assert search(filled, "id", limit=2).partial
    assert not search(filled, "people").partial


def test_a_hit_says_what_it_is(filled: Session) -> None:
    hit = search(filled, "customer_id", kinds=[Kind.FIELD]).hits[0]
    matches = [{"asked": word, "word": word, "what": "NAME", "how": "EXACT"} for word in ("customer", "id")]
    assert plain(hit) == {
        "kind": "FIELD",
        "namespace": "lake",
        "name": "sales.orders",
        "field": "customer_id",
        "type": "int",
        "score": 1.0,
        "matches": [{**left, "worth": match.worth} for left, match in zip(matches, hit.matches, strict=True)],
    }
    row = search(filled, "customer_id", kinds=[Kind.FIELD]).rows()[0]
    assert row["matched"] == "customer id"


@pytest.mark.parametrize("text", ["", "   ", "%", "'; --", "\0", "\ud800", "x" * 5000, "a " * 500])
def test_odd_texts_find_nothing_and_harm_nothing(matching_names: Callable[..., list[str]], text: str) -> None:
    assert len(matching_names(text)) <= 20


def test_what_may_have_been_meant_is_named(filled: Session) -> None:
    assert nearest(filled, "sales.ordes", Kind.DATASET)[0] == "lake/sales.orders"
    assert nearest(filled, "lod_people", Kind.JOB)[0] == "jobs/load_people"
    assert nearest(filled, "qqqqqqq", Kind.DATASET) == []


def test_words_written_twice_are_there_once(any_store: Store) -> None:
    entries = [(int(Kind.FIELD), (1 << 20) + 1, int(What.NAME), "customer_id")]
    known: dict[str, int] = {}
    for _ in range(2):
        known |= any_store.transact(lambda session: add_terms(session, entries))
    any_store.transact(lambda session: add_terms(session, entries, known))
    with any_store.read() as session:
        assert session.rows("SELECT count(*) FROM term") == [(3,)]
        assert session.rows("SELECT count(*) FROM term_use") == [(3,)]
        assert {word for (word,) in session.rows("SELECT word FROM term")} == set(known)


def test_what_is_found_as_well_comes_in_the_same_order_in_every_store(tmp_path: Path, maker: EventMaker) -> None:
    events = [maker(n, out=f"orders_{n}", job=f"orders_{n}", columns={f"orders_{n}": []}) for n in range(150)]
    answers = []
    for name, ingested in (("one", events), ("other", events[::-1])):
        with open_store(str(tmp_path / name)) as store:
            for event in ingested:
                store.ingest([event])
            with store.read() as session:
                first = list_names(session, Kind.DATASET, limit=100)
                last = list_names(session, Kind.DATASET, limit=100, cursor=first.cursor)
                matching_names = search(session, "orders", limit=450)
                meant = nearest(session, "lake/orders", Kind.DATASET)
        assert len({*first.names, *last.names}) == len(first.names) + len(last.names) == 150
        assert len(matching_names.hits) == 450
        answers.append((first, last, matching_names, meant))
    assert answers[0] == answers[1]


def test_a_common_word_is_found_together_with_another_common_word(any_store: Store) -> None:
    """Both words are used by more columns than are read at first; only the last column has both."""
    count = 600
    fields = [((1 << 20) + n, "alpha" if n % 2 else "beta") for n in range(1, count)] + [
        ((1 << 20) + count, "alpha_x_beta")
    ]

    def write(session: Session) -> None:
        session.insert("dataset", "id, key, tail, namespace, name", [(1, b"d", 0, "lake", "wide")])
        rows = [(key, 1, key.to_bytes(8, "big"), f"{path}{key}") for key, path in fields]
        session.insert("field", "id, dataset, key, path", rows)
        add_terms(session, [(int(Kind.FIELD), key, int(What.NAME), path) for key, path in fields])

    any_store.transact(write)
    with any_store.read() as session:
        result = search(session, "alpha beta")
        assert [hit.field for hit in result.hits] == [f"alpha_x_beta{fields[-1][0]}"]
        assert len(search(session, "alpha", limit=1000).hits) <= 300


def test_a_search_reads_a_bounded_number_of_rows(any_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many columns have a word, a search takes as many rows as before."""

    def use(first: int, last: int) -> None:
        def write(session: Session) -> None:
            rows = [(key, 1, key.to_bytes(8, "big"), "amount") for key in range(first, last)]
            session.insert("field", "id, dataset, key, path", rows)
            add_terms(session, [(int(Kind.FIELD), key, int(What.NAME), "amount") for key in range(first, last)])

        any_store.transact(write)

    any_store.transact(
        lambda session: session.insert("dataset", "id, key, tail, namespace, name", [(1, b"d", 0, "lake", "wide")])
    )
    counts = []
    for last in (2_000, 8_000):
        use((1 << 20) + last // 4, (1 << 20) + last)
        with any_store.read() as session:
            read = session.rows
            fetched: list[Any] = []
            monkeypatch.setattr(session, "rows", partial(_reading, read, fetched))
            assert search(session, "amount").partial
            counts.append(len(fetched))
    assert counts[0] == counts[1]


def _reading(read: Callable[..., list[Any]], fetched: list[Any], *given: object, **values: object) -> list[Any]:
    rows = read(*given, **values)
    fetched.extend(rows)
    return rows

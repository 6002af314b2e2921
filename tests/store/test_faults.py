"""Bad events, places that cannot be used, locks that others hold: said in a sentence, and the store stays sound."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from tests.postgres import free_port

from headwater.common.column_path import normal_path
from headwater.store import StoreError, open_store
from headwater.store.db.schema import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import EventMaker
    from tests.postgres import Postgres

    from headwater.store import Store


def _count(store: Store, table: str = "event") -> int:
    with store.read() as session:
        return int(session.rows(f"SELECT count(*) FROM {table}")[0][0])


def test_bad_events_are_reported_by_index_and_the_others_kept(any_store: Store, maker: EventMaker) -> None:
    bad = maker(2)
    del bad["eventTime"]
    result = any_store.ingest([maker(1), bad, maker(3), {"eventTime": "2026-01-01T00:00:00Z", "x": float("nan")}])
    assert result.accepted == 2
    assert [(item.index, item.field, item.reason) for item in result.rejected] == [
        (1, "eventTime", "is missing"),
        (3, "run", "is missing"),
    ]
    assert _count(any_store) == 2


def test_a_value_that_is_no_json_is_refused(store: Store, maker: EventMaker) -> None:
    result = store.ingest([{**maker(1), "odd": float("nan")}, {**maker(2), "odd": {1, 2}}])
    assert [str(item).split(":")[0] for item in result.rejected] == ["The event is not JSON", "The event is not JSON"]


@pytest.mark.parametrize(
    "text",
    ["a\0b", "\ud800 alone", "\udfff"],
    ids=["NUL", "half a character", "the other half"],
)
def test_text_that_no_database_takes_is_refused_by_its_place_and_the_rest_kept(
    any_store: Store, maker: EventMaker, text: str
) -> None:
    """A name is refused wherever it stands; other words are kept without what cannot be."""
    events = [
        maker(1, run="r", job=text),
        maker(1, run="r", out=text),
        maker(1, run="r", columns={text: ["in.x"]}),
        maker(1, run="r", columns={"a": [f"in.{text}"]}),
        maker(1, run="r", schema={text: "int"}),
        maker(1, run="r", reads=[text]),
        maker(1, run="r", schema={"a": text}),
    ]
    result = any_store.ingest(events)
    assert [item.index for item in result.rejected] == [0, 1, 2, 3, 4, 5]
    assert all(item.field for item in result.rejected)
    assert (result.accepted, _count(any_store)) == (1, 1)
    with any_store.read() as session:
        assert [path for (path,) in session.rows("SELECT path FROM field")] == ["a"]


@pytest.mark.parametrize("text", ["a\0b", "\ud800"], ids=["NUL", "half a character"])
def test_an_unknown_facet_is_kept_whatever_text_is_in_it(any_store: Store, maker: EventMaker, text: str) -> None:
    """Nothing reads it, so it goes into the raw event as it is."""
    result = any_store.ingest([maker(1, facets={"odd": {"x": text}, "documentation": {"description": "fine"}})])
    assert (result.accepted, result.rejected) == (1, ())


def test_names_of_all_kinds_are_taken(any_store: Store, maker: EventMaker) -> None:
    names = ["a:b c/d", 'it\'s "quoted"', "100%", "%s {given} :name", "🌊", "n" * 2000, "\\", "a.b", "`", "?"]
    for minute, name in enumerate(names):
        source = {"namespace": name, "name": name, "field": name}
        lineage = {"fields": {name: {"inputFields": [source]}}}
        event = maker(minute, job=name, out=name, facets={"columnLineage": lineage})
        assert any_store.ingest([event]).rejected == ()
    with any_store.read() as session:
        rows = session.rows(
            "SELECT dataset.namespace, dataset.name, field.path FROM field JOIN dataset ON TRUE"
            " WHERE dataset.id = field.dataset"
        )
        assert {(name, name, normal_path(name)) for name in names} <= set(rows)


def test_a_question_to_a_missing_store_says_so_and_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with pytest.raises(StoreError, match=r"No store at .*none\.db"), open_store(str(path)).read():
        pass
    assert not path.exists()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, maker: EventMaker) -> None:
    with pytest.raises(StoreError, match=r"Cannot open the store .*missing/x\.db: check that its folder exists"):
        open_store(str(tmp_path / "missing" / "x.db")).ingest([maker(1)])


def test_a_file_that_is_no_database_is_refused(tmp_path: Path, maker: EventMaker) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, and long enough to be read as one " * 40)
    for use in (lambda: open_store(str(path)).ingest([maker(1)]), lambda: open_store(str(path)).read().__enter__()):
        with pytest.raises(StoreError, match=r"notes\.txt is not a Headwater store"):
            use()


def test_a_database_of_someone_else_is_left_alone(tmp_path: Path, maker: EventMaker) -> None:
    path = tmp_path / "theirs.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(StoreError, match="not a Headwater store"):
        open_store(str(path)).ingest([maker(1)])


def test_a_postgresql_database_of_someone_else_is_left_alone(postgres_server: Postgres, maker: EventMaker) -> None:
    url = postgres_server.create("theirs")
    postgres_server.run("CREATE TABLE meta (x int); CREATE TABLE event (y int)", "theirs")
    with pytest.raises(StoreError, match="not a Headwater store"):
        open_store(url).ingest([maker(1)])
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    assert postgres_server.run(tables, "theirs") == "2"


@pytest.mark.parametrize(
    ("version", "who", "message"), [(999, "newer", "upgrade Headwater"), (2, "older", "a new store")]
)
def test_a_store_of_another_version_is_refused_and_left_alone(
    any_url: str, maker: EventMaker, version: int, who: str, message: str
) -> None:
    with open_store(any_url) as store:
        store.ingest([maker(1)])
    _set_version(any_url, version)
    with open_store(any_url) as store:
        with pytest.raises(StoreError, match=rf"written by an? {who} Headwater \(store version {version}"):
            store.ingest([maker(2)])
        with pytest.raises(StoreError, match=message) as error, store.read():
            pass
    assert "Kept-Secret" not in str(error.value)
    _set_version(any_url, VERSION)
    with open_store(any_url) as store:
        assert store.ingest([maker(1)]).duplicates == 1


def _set_version(url: str, version: int) -> None:
    if url.startswith("sqlite"):
        connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.close()
    else:
        with psycopg.connect(url) as server:
            server.execute("UPDATE meta SET value = %s WHERE key = 'version'", [str(version)])


def test_a_locked_file_is_said_to_be_locked(tmp_path: Path, maker: EventMaker) -> None:
    with open_store(str(tmp_path / "x.db"), timeout=0.1) as store:
        store.ingest([maker(1)])
        other = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked by another process"):
            store.ingest([maker(2)])
        assert _count(store) == 1, "a writer does not hinder readers"
        other.execute("ROLLBACK")
        other.close()
        assert store.ingest([maker(2)]).accepted == 1


def test_rows_that_another_process_locks_are_said_to_be_locked(postgres_url: str, maker: EventMaker) -> None:
    with open_store(postgres_url, timeout=1) as store:
        store.ingest([maker(1, columns={"a": ["in.x"]})])
        with psycopg.connect(postgres_url) as other:
            other.execute("SELECT 1 FROM dataset FOR UPDATE")
            with pytest.raises(StoreError, match=r"locked by another process: wait for it"):
                store.ingest([maker(2, columns={"a": ["in.y"]})])
            assert _count(store) == 1, "a writer does not hinder readers"
            other.rollback()
        assert store.ingest([maker(2, columns={"a": ["in.y"]})]).accepted == 1
        assert _count(store, "version") == 2


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("Kept-Secret-81c7f3", "Not-This-One-5f"), "rejected the login: check the user and password"),
        (("/missing", "/nowhere"), "The database of the store .*/nowhere does not exist"),
        (("Kept-Secret-81c7f3", "Kept%ZZSecret"), "Invalid store URL"),
        (("127.0.0.1:", "127.0.0.1:x"), "check the host and port"),
    ],
    ids=["wrong password", "no such database", "a password not encoded", "a port that is no number"],
)
def test_what_is_wrong_with_a_url_is_said_without_its_password(
    postgres_server: Postgres, change: tuple[str, str], reason: str, maker: EventMaker
) -> None:
    url = postgres_server.store_url("missing").replace(*change)
    for use in (lambda: open_store(url).ingest([maker(1)]), lambda: open_store(url).read().__enter__()):
        with pytest.raises(StoreError, match=reason) as error:
            use()
        for secret in ("Kept-Secret", "Not-This-One", "ZZSecret"):
            assert secret not in str(error.value)


def test_a_port_where_nobody_listens_is_said(maker: EventMaker) -> None:
    url = f"postgresql://jane:Kept-Secret@127.0.0.1:{free_port()}/lineage"
    with pytest.raises(
        StoreError, match=r"Cannot reach the database server of .*: start it, or check the host and port"
    ) as error:
        open_store(url).ingest([maker(1)])
    assert "Kept-Secret" not in str(error.value)


@contextmanager
def _without_rights() -> Iterator[None]:
    """Act as nobody, where the tests run as the one user who may write everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_store_in_a_folder_that_cannot_be_written_is_read_and_not_written(maker: EventMaker) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.db"
        store = open_store(str(path))
        store.ingest([maker(1)])
        store.close()
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        with _without_rights():
            assert _count(store) == 1
            with pytest.raises(StoreError, match=r"Cannot write the store .*x\.db: give this user write access"):
                store.ingest([maker(2)])
            with pytest.raises(StoreError, match=r"Cannot open the store .*y\.db: check that its folder exists and is"):
                open_store(f"{folder}/y.db").ingest([maker(2)])
        Path(folder).chmod(0o755)


def test_a_user_who_may_only_read_reads_and_does_not_write(
    postgres_server: Postgres, postgres_url: str, maker: EventMaker
) -> None:
    database = postgres_url.rpartition("/")[2]
    with open_store(postgres_url) as store:
        store.ingest([maker(1)])
    postgres_server.run(
        "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD 'Read-Only-9a';"
        " GRANT pg_read_all_data TO reader",
        database,
    )
    url = postgres_url.replace("warehouse:Kept-Secret-81c7f3", "reader:Read-Only-9a")
    with open_store(url) as store:
        assert _count(store) == 1
        with pytest.raises(StoreError, match=r"This user lacks permission in the store postgresql://reader@"):
            store.ingest([maker(2)])


@pytest.mark.parametrize(
    ("url", "reason"),
    [("mysql://host/db", "Invalid store"), ("sqlite:x.db", "Invalid store"), ("sqlite:///", "has no file name")],
)
def test_urls_that_are_no_store(url: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason):
        open_store(url)


def test_a_url_that_is_not_understood_is_said_without_its_password() -> None:
    with pytest.raises(StoreError, match="Invalid store") as error:
        open_store("postgresql+psycopg://jane:Kept-Secret@host/db")
    assert "Kept-Secret" not in str(error.value)


def test_files_of_stores(tmp_path: Path, maker: EventMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for url, name in (
        ("sqlite:///a.db", "a.db"),
        (f"sqlite:///{tmp_path}/b.db", "b.db"),
        ("with%20space.db", "with%20space.db"),
        ("sqlite:///with%20space.db", "with space.db"),
    ):
        with open_store(url) as store:
            monkeypatch.chdir("/")
            store.ingest([maker(1)])
            monkeypatch.chdir(tmp_path)
        assert (tmp_path / name).is_file()

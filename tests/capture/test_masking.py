"""What is masked and unmasked again, from Spark's statements to the answer about personal data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 (as everyone calls it)
from tests.live_server import served

import headwater
from headwater.capture.settings.settings import Settings, settings
from headwater.client.local import StoredLineage
from headwater.query.graph.answer import FieldName
from headwater.query.privacy.pii import Pii
from headwater.store import open_store

if TYPE_CHECKING:
    from tests.capture.conftest import Capture

    from headwater.client.lineage import Lineage

pytestmark = pytest.mark.spark

_KEY = "'0123456789abcdef'"
_MAIL = "canary@example.com"


@pytest.fixture
def people(spark: SparkSession, fresh_database: str) -> Iterator[str]:
    """A table with a value that is easy to find again."""
    spark.createDataFrame([(1, _MAIL, "Canary Smith")], "id INT, mail STRING, name STRING").write.saveAsTable("people")
    yield "people"
    del fresh_database


def _lineage(captured: Capture, folder: Path) -> StoredLineage:
    store = open_store(str(folder / "lineage.db"))
    assert not store.ingest(captured.all).rejected
    return StoredLineage(store)


def _exposures(answer: Pii) -> dict[str, str]:
    return {_short(item.field): item.exposure.name.lower() for source in answer.sources for item in source.reached}


def _short(name: FieldName) -> str:
    return f"{name.name.rpartition('/')[2]}.{name.field}"


def _holds(spark: SparkSession, table: str) -> set[str]:
    """The columns of a table that hold the value as it is."""
    found: set[str] = set()
    for row in spark.table(table).collect():
        for name, value in row.asDict().items():
            text = value.decode("utf-8", "replace") if isinstance(value, bytes | bytearray) else str(value)
            found |= {name} if _MAIL in text else set()
    return found


def test_what_one_job_encrypts_and_another_decrypts_is_in_the_clear(
    spark: SparkSession, capture: Callable[..., Capture], people: str, tmp_path: Path
) -> None:
    captured = capture()
    opened = F.udf(lambda _sealed: _MAIL, "string", useArrow=False)
    spark.sql(
        f"CREATE TABLE vault USING parquet AS SELECT aes_encrypt(mail, {_KEY}) AS sealed,"
        f" base64(aes_encrypt(mail, {_KEY})) AS text,"
        f" base64(mail) AS coded, hex(mail) AS hexed, sha2(mail, 256) AS hashed, mask(mail) AS masked,"
        f" mask(mail, NULL, NULL, NULL) AS kept, CAST(aes_decrypt(aes_encrypt(mail, {_KEY}), {_KEY}) AS STRING) AS both"
        f" FROM {people}"
    )
    spark.sql(
        f"CREATE TABLE report USING parquet AS SELECT CAST(aes_decrypt(sealed, {_KEY}) AS STRING) AS mail,"
        f" CAST(try_aes_decrypt(unbase64(text), {_KEY}) AS STRING) AS tried, upper(text) AS text,"
        f" unbase64(coded) AS decoded, hashed, masked FROM vault"
    )
    spark.table("vault").select(opened("sealed").alias("opened"), opened("hashed").alias("guessed")).write.saveAsTable(
        "elsewhere"
    )
    rows = spark.table("vault").select("sealed").rdd.map(lambda row: (row[0],))
    spark.createDataFrame(rows, "sealed BINARY").write.saveAsTable("rows")
    lineage = _lineage(captured, tmp_path)
    answer = lineage.pii("people", "mail")
    exposures = _exposures(answer)
    assert exposures == {
        **dict.fromkeys(("vault.coded", "vault.hexed", "vault.kept", "vault.both"), "clear"),
        **dict.fromkeys(("report.mail", "report.tried", "report.decoded"), "clear"),
        **dict.fromkeys(("elsewhere.opened", "rows.sealed"), "possible"),
        **dict.fromkeys(("vault.masked", "report.masked"), "partial"),
        **dict.fromkeys(("vault.sealed", "vault.text", "vault.hashed", "report.text", "report.hashed"), "masked"),
        "elsewhere.guessed": "masked",
    }
    (mail,) = (item for item in answer.sources[0].reached if item.field.field == "mail")
    way = mail.ways[0]
    assert way.masked_at is not None
    assert way.unmasked_at is not None
    assert way.masked_at.how.description.startswith("aes_encrypt(mail, '***'")
    assert way.unmasked_at.how.description.startswith("CAST(aes_decrypt(sealed, '***'")
    # What is there to be found is where the answer says that it is, or may be.
    for table in ("vault", "report", "rows"):
        for column in _holds(spark, table):
            assert exposures[f"{table}.{column}"] in {"clear", "possible"}
    nodes = lineage.downstream("people", "mail").nodes
    hidden = {_short(node.field) for node in nodes if node.masked}
    assert hidden == {name for name, exposure in exposures.items() if exposure in {"masked", "partial"}}


def test_the_answer_over_http_is_the_same(
    spark: SparkSession, capture: Callable[..., Capture], people: str, tmp_path: Path
) -> None:
    captured = capture()
    spark.sql(f"CREATE TABLE vault USING parquet AS SELECT aes_encrypt(mail, {_KEY}) AS sealed FROM {people}")
    spark.sql(f"CREATE TABLE report USING parquet AS SELECT aes_decrypt(sealed, {_KEY}) AS mail FROM vault")
    local = _lineage(captured, tmp_path)
    with served(local.store) as url, headwater.connect(url) as remote:
        answers = [_asked(lineage) for lineage in (local, remote)]
    assert answers[0] == answers[1]
    assert _exposures(answers[0]) == {"report.mail": "clear", "vault.sealed": "masked"}


def _asked(lineage: Lineage) -> Pii:
    return lineage.pii("people", "mail")


def test_a_declared_tokeniser_and_its_inverse(
    spark: SparkSession, capture: Callable[..., Capture], people: str, tmp_path: Path
) -> None:
    declared = settings(
        {"spark.headwater.masking.keyed": "tokenise", "spark.headwater.masking.unmask": "detokenise"}, {}
    )
    captured = capture(replace(Settings(), masking=declared.masking))
    spark.udf.register("tokenise", lambda text: text[::-1], "string")
    spark.udf.register("detokenise", lambda text: text[::-1], "string")
    spark.udf.register("whatever", lambda text: text, "string")
    create = "CREATE TABLE {} USING parquet AS SELECT {} AS {}, whatever({}) AS other FROM {}"
    spark.sql(create.format("tokens", "tokenise(mail)", "token", "mail", people))
    spark.sql(create.format("opened", "detokenise(token)", "mail", "token", "tokens"))
    assert _exposures(_lineage(captured, tmp_path).pii("people", "mail")) == {
        "tokens.token": "masked",
        "tokens.other": "clear",
        "opened.mail": "clear",
        "opened.other": "possible",
    }
    assert _holds(spark, "opened") == {"mail"}


def test_lineage_without_a_run_knows_what_is_declared(spark: SparkSession, people: str) -> None:
    spark.udf.register("tokenise", lambda text: text[::-1], "string")
    query = f"SELECT tokenise(mail) AS token FROM {people}"
    assert [found.masking for found in headwater.lineage(spark, query).inputs("token")] == [False]
    spark.conf.set("spark.headwater.masking.keyed", "tokenise")
    try:
        assert [found.masking for found in headwater.lineage(spark, query).inputs("token")] == [True]
    finally:
        spark.conf.unset("spark.headwater.masking.keyed")

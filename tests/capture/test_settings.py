"""Every setting of docs/configuration.md, under our prefix and the agent's; what cannot be used is said, not raised."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from openlineage.client.transport import get_default_factory

from headwater.capture.settings import settings as settings_module
from headwater.capture.settings.conf import Conf
from headwater.capture.settings.settings import Settings, settings
from headwater.openlineage.build.options import Owner, RunName, Tag

RUN = "01890a5d-ac96-774b-bcce-b302099a8057"
DOCS = Path(__file__).resolve().parents[2] / "docs" / "configuration.md"


def _read(conf: dict[str, str], environment: dict[str, str] | None = None) -> Settings:
    """Settings from keys without their prefix, which are tried under both."""
    ours = settings({f"spark.headwater.{key}": value for key, value in conf.items()}, environment or {})
    theirs = settings({f"spark.openlineage.{key}": value for key, value in conf.items()}, environment or {})
    assert (ours.problems, theirs.problems) == ((), ())
    assert ours == theirs
    return ours


def test_nothing_has_to_be_set() -> None:
    assert settings({"spark.app.name": "x", "spark.sql.shuffle.partitions": "1"}, {}) == Settings()


@pytest.mark.parametrize(
    ("key", "value", "name", "expected"),
    [
        ("disabled", "true", "disabled", True),
        ("namespace", "food", "namespace", "food"),
        ("appName", "Daily", "app_name", "Daily"),
        ("applicationRunId", RUN, "run_id", RUN),
        ("store", "sqlite:///x.db", "store", "sqlite:///x.db"),
        ("dataset.removePath.pattern", "(?<remove>/tmp)", "remove_path", "(?<remove>/tmp)"),
        ("dataset.disabledTrimmers", "a.DateTrimmer", "disabled_trimmers", "a.DateTrimmer"),
        ("spool.disabled", "true", "spool_disabled", True),
        ("spool.directory", "/var/spool", "spool_directory", "/var/spool"),
        ("spool.maxBytes", "1000", "spool_bytes", 1000),
        ("queueLength", "5", "queue_length", 5),
        ("queueChars", "5", "queue_chars", 5),
        ("planMillis", "5", "plan_millis", 5),
        ("planChars", "5", "plan_chars", 5),
        ("applicationMillis", "5", "application_millis", 5),
        ("freeHeapPercent", "5", "free_heap_percent", 5),
        ("gcPercent", "5", "gc_percent", 5),
        ("flushSeconds", "5", "flush_seconds", 5),
    ],
)
def test_settings_of_the_application(key: str, value: str, name: str, expected: object) -> None:
    assert getattr(Settings(), name) != expected
    assert getattr(_read({key: value}), name) == expected


@pytest.mark.parametrize(
    ("key", "value", "name", "expected"),
    [
        ("columnLineage.nested", "false", "nested", False),
        ("columnLineage.datasetLineageEnabled", "false", "dataset_lineage", False),
        ("columnLineage.descriptionsEnabled", "false", "descriptions", False),
        ("columnLineage.schemaSizeLimit", "1000", "schema_limit", 1000),
        ("lineageFacet", "true", "lineage_facet", True),
        ("emitReads", "true", "emit_reads", True),
        ("jobName.appendDatasetName", "false", "append_dataset_name", False),
        ("jobName.replaceDotWithUnderscore", "TRUE", "replace_dots", True),
        ("job.owners.team", "Some Team", "owners", (Owner("team", "Some Team"),)),
        ("job.tags", "layer:silver;urgent", "job_tags", (Tag("layer", "silver"), Tag("urgent"))),
        ("run.tags", "[try:2:AIRFLOW]", "run_tags", (Tag("try", "2", "AIRFLOW"),)),
        ("facets.columnLineage.disabled", "true", "disabled_facets", frozenset({"columnLineage"})),
        ("facets.spark.logicalPlan.disabled", "true", "disabled_facets", frozenset({"spark.logicalPlan"})),
        ("facets.disabled", "[schema;sql;]", "disabled_facets", frozenset({"schema", "sql"})),
        ("filter.allowedSparkNodes", "[o.a.s.Aggregate]", "allowed", frozenset({"Aggregate"})),
        ("filter.deniedSparkNodes", "[o.a.s.A;B]", "denied", frozenset({"A", "B"})),
    ],
)
def test_settings_of_events(key: str, value: str, name: str, expected: object) -> None:
    assert getattr(Settings().events, name) != expected
    assert getattr(_read({key: value}).events, name) == expected


@pytest.mark.parametrize("which", ["parent", "rootParent"])
def test_who_started_the_application(which: str) -> None:
    name = {"parent": "parent", "rootParent": "root"}[which]
    given = {f"{which}JobNamespace": "airflow", f"{which}JobName": "dag.task", f"{which}RunId": RUN}
    assert getattr(_read(given).events, name) == RunName("airflow", "dag.task", RUN)
    del given[f"{which}JobNamespace"]
    assert getattr(_read({**given, "namespace": "food"}).events, name) == RunName("food", "dag.task", RUN)


@pytest.mark.parametrize(
    ("variable", "value", "read"),
    [
        ("OPENLINEAGE_DISABLED", "true", lambda chosen: chosen.disabled),
        ("OPENLINEAGE_NAMESPACE", "food", lambda chosen: chosen.namespace == "food"),
        ("HEADWATER_STORE", "x.db", lambda chosen: chosen.store == "x.db"),
        ("OPENLINEAGE_PARENT_ID", f"a/b/{RUN}", lambda chosen: chosen.events.parent == RunName("a", "b", RUN)),
        ("OPENLINEAGE_ROOT_PARENT_ID", f"a/b/{RUN}", lambda chosen: chosen.events.root == RunName("a", "b", RUN)),
    ],
)
def test_what_the_environment_says(variable: str, value: str, read: Any) -> None:  # noqa: ANN401 (a function)
    assert not read(settings({}, {}))
    assert read(settings({}, {variable: value}))


def test_ours_win_over_the_agents_and_both_over_the_environment() -> None:
    conf = {"spark.openlineage.namespace": "theirs"}
    environment = {"OPENLINEAGE_NAMESPACE": "environment"}
    assert settings(conf, environment).namespace == "theirs"
    assert settings({**conf, "spark.headwater.namespace": "ours"}, environment).namespace == "ours"


def test_what_spark_takes_out_of_its_texts_is_taken_out_of_ours() -> None:
    secrets = settings({"spark.redaction.string.regex": "[0-9]{16}"}, {}).events.secrets
    assert secrets is not None
    assert secrets.pattern == "[0-9]{16}"


def test_namespace_resolvers_by_name() -> None:
    prefix = "dataset.namespaceResolvers."
    found = _read({f"{prefix}prod.type": "hostList", f"{prefix}prod.hosts": "[a;b]", f"{prefix}prod.schema": "kafka"})
    assert found.namespace_resolvers == {"prod": {"type": "hostList", "hosts": "[a;b]", "schema": "kafka"}}


# --- circuit breakers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("breaker", "expected"),
    [
        ({"type": "timeout", "timeoutInSeconds": "90"}, {"plan_millis": 90_000}),
        ({"type": "simpleMemory"}, {"free_heap_percent": 20, "gc_percent": 0}),
        ({"type": "simpleMemory", "memoryThreshold": "5"}, {"free_heap_percent": 5}),
        ({"type": "javaRuntime", "timeoutInSeconds": "1"}, {"free_heap_percent": 20, "plan_millis": 1000}),
        ({"type": "javaRuntime", "gcCpuThreshold": "30"}, {"gc_percent": 30, "check_millis": 1000}),
        ({"type": "javaRuntime", "circuitCheckIntervalInMillis": "5"}, {"gc_percent": 10, "check_millis": 5}),
        ({"type": "asyncTaskQueue", "queueSize": "10"}, {"queue_length": 10, "flush_seconds": 30}),
        ({"type": "asyncTaskQueue", "shutdownTimeoutSeconds": "6"}, {"queue_length": 10_000, "flush_seconds": 6}),
        ({"type": "asyncTaskQueue", "threadCount": "2", "blockingTimeInSeconds": "1"}, {"queue_length": 10_000}),
    ],
)  # fmt: skip
def test_what_a_circuit_breaker_becomes(breaker: dict[str, str], expected: dict[str, int]) -> None:
    found = _read({f"circuitBreaker.{key}": value for key, value in breaker.items()})
    assert {name: getattr(found, name) for name in expected} == expected


def test_shares_of_the_breakers_timeout() -> None:
    breaker = {"circuitBreaker.type": "timeout", "circuitBreaker.timeoutInSeconds": "10"}
    shares = {"timeout.buildDatasetsTimePercentage": "40", "timeout.facetsBuildingTimePercentage": "80"}
    assert _read({**breaker, **shares}).plan_millis == 4000


def test_our_own_limits_win_over_a_breaker() -> None:
    breaker = {"circuitBreaker.type": "timeout", "circuitBreaker.timeoutInSeconds": "10"}
    assert _read({**breaker, "planMillis": "7"}).plan_millis == 7


# --- transports ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "console"}, {"type": "console"}),
        ({"type": "file", "location": "/e.jsonl"}, {"type": "file", "append": True, "log_file_path": "/e.jsonl"}),
        ({"type": "http", "url": "http://h:5000"}, {"type": "http", "url": "http://h:5000"}),
        (
            {"type": "http", "url": "http://h", "endpoint": "/v2/x", "timeoutInMillis": "2500", "compression": "gzip"},
            {"type": "http", "url": "http://h", "endpoint": "/v2/x", "timeout": 2.5, "compression": "gzip"},
        ),
        (
            {"type": "http", "url": "http://h", "headers.X-Team": "food", "urlParams.a.b": "1 2"},
            {"type": "http", "url": "http://h", "custom_headers": {"X-Team": "food"},
             "endpoint": "api/v1/lineage?a.b=1+2"},
        ),
        (
            {"type": "http", "url": "http://h", "auth.type": "apiKey", "auth.apiKey": "k"},
            {"type": "http", "url": "http://h", "auth": {"type": "api_key", "apiKey": "k"}},
        ),
        (
            {"type": "http", "url": "http://h", "auth.type": "jwt", "auth.apiKey": "k",
             "auth.tokenEndpoint": "http://t", "auth.tokenFields": "[token;access_token]"},
            {"type": "http", "url": "http://h", "auth": {"type": "jwt", "apiKey": "k", "tokenEndpoint": "http://t",
             "tokenFields": ["token", "access_token"]}},
        ),
        (
            {"type": "http", "url": "http://h", "sslContext.caCertPath": "/ca.pem", "retry.total": "2"},
            {"type": "http", "url": "http://h", "sslContext": {"caCertPath": "/ca.pem"}, "retry": {"total": 2}},
        ),
        (
            {"type": "kafka", "topicName": "t", "messageKey": "k", "properties.bootstrap.servers": "a:1,b:1",
             "properties.key.serializer": "org.apache.kafka.X"},
            {"type": "kafka", "topic": "t", "messageKey": "k", "config": {"bootstrap.servers": "a:1,b:1"}},
        ),
        (
            {"type": "composite", "continueOnFailure": "false", "withThreadPool": "true",
             "transports.one.type": "console", "transports.two.type": "kafka", "transports.two.topicName": "t",
             "transports.two.properties.bootstrap.servers": "a:1"},
            {"type": "composite", "continue_on_failure": False, "transports": {"one": {"type": "console"},
             "two": {"type": "kafka", "topic": "t", "config": {"bootstrap.servers": "a:1"}}}},
        ),
        (
            {"type": "amazon_datazone_api", "domainId": "d"},
            {"type": "amazon_datazone_api", "domainId": "d"},
        ),
        (
            {"type": "gcplineage", "projectId": "p", "credentialsFile": "/c.json", "location": "eu"},
            {"type": "gcplineage", "project_id": "p", "credentials_path": "/c.json", "location": "eu"},
        ),
        ({"type": "transform", "transformer_class": "a.B", "transport.type": "console"},
         {"type": "transform", "transformer_class": "a.B", "transport": {"type": "console"}}),
        ({"type": "my.own.Transport", "x": "y"}, {"type": "my.own.Transport", "x": "y"}),
    ],
)  # fmt: skip
def test_transports_in_the_agents_words(given: dict[str, str], expected: dict[str, Any]) -> None:
    assert _read({f"transport.{key}": value for key, value in given.items()}).transport == expected


@pytest.mark.parametrize(
    "given",
    [
        {"type": "console"},
        {"type": "file", "location": "events.jsonl"},
        {"type": "http", "url": "http://h:5000/api/v1?api_key=k&x=y", "timeoutInMillis": "100", "headers.a": "b"},
        {"type": "http", "url": "http://h", "auth.type": "jwt", "auth.apiKey": "k", "auth.tokenEndpoint": "http://t"},
        {"type": "http", "url": "http://h", "sslContext.clientCertPath": "/c", "sslContext.clientKeyPath": "/k"},
        {"type": "composite", "transports.a.type": "console", "transports.b.type": "http", "transports.b.url": "http://h"},
    ],
)  # fmt: skip
def test_openlineage_can_make_the_transport(given: dict[str, str]) -> None:
    chosen = settings({f"spark.openlineage.transport.{key}": value for key, value in given.items()}, {})
    assert chosen.transport is not None
    assert get_default_factory().create(dict(chosen.transport)).kind == given["type"]


def test_the_agents_url_may_hold_more_than_the_server() -> None:
    url = "https://h:5000/api/v2/lineage?api_key=k&team=food&timeout=3"
    theirs = settings({"spark.openlineage.transport.type": "http", "spark.openlineage.transport.url": url}, {})
    assert theirs.transport == {
        "type": "http",
        "url": "https://h:5000",
        "endpoint": "/api/v2/lineage?team=food",
        "auth": {"type": "api_key", "apiKey": "k"},
        "timeout": 3.0,
    }
    ours = settings({"spark.headwater.transport.type": "http", "spark.headwater.transport.url": url}, {})
    assert ours.transport == {"type": "http", "url": url}


def test_a_token_never_goes_to_another_server() -> None:
    conf = {
        "spark.openlineage.transport.type": "http",
        "spark.openlineage.transport.url": "http://theirs",
        "spark.openlineage.transport.auth.type": "api_key",
        "spark.openlineage.transport.auth.apiKey": "secret",
        "spark.headwater.transport.type": "http",
        "spark.headwater.transport.url": "http://ours",
    }
    assert settings(conf, {}).transport == {"type": "http", "url": "http://ours"}


# --- what cannot be used ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("disabled", "yes", "must be true or false"),
        ("planMillis", "soon", "must be a whole number, at least 1"),
        ("queueLength", "0", "must be a whole number, at least 1"),
        ("applicationRunId", "latest", "must be a UUID"),
        ("columnLineage.schemaSizeLimit", "-5", "must be a whole number, at least 1"),
        ("parentRunId", RUN, "has no effect without spark.headwater.parentJobName"),
        ("rootParentJobName", "dag", "has no effect without spark.headwater.rootParentRunId"),
        ("circuitBreaker.type", "static", "must be one of timeout, simpleMemory, javaRuntime, asyncTaskQueue"),
        ("dataset.namespaceResolvers.a.type", "dns", "must be one of hostList, pattern, patternGroup"),
        ("dataset.namespaceResolvers.a.hosts", "[x]", "dataset.namespaceResolvers.a.type is missing"),
        ("facets.spark.logicalPlan.disabled", "false", "does not send a facet spark.logicalPlan"),
        ("facets.variables", "[A]", "Headwater has no setting"),
        ("transport.type", "s3", "must be one of composite, http"),
        ("transport.type", "kinesis", "must be one of composite, http"),
        ("transport.type", "http", "transport.url is missing"),
        ("transport.type", "composite", "lists no transports"),
        ("transport.location", "/x", "transport.type is missing"),
        ("capturedProperties", "a", "Headwater has no setting"),
        ("namespce", "a", "Did you mean spark.headwater.namespace?"),
    ],
)
@pytest.mark.parametrize("prefix", ["spark.headwater.", "spark.openlineage."])
def test_what_cannot_be_used_is_said_in_one_sentence_and_left_out(prefix: str, key: str, value: str, said: str) -> None:
    chosen = settings({prefix + key: value}, {})
    (problem,) = chosen.problems
    assert said in problem
    assert chosen == Settings(problems=chosen.problems)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"auth.type": "com.acme.Tokens"}, "transport.auth.type is com.acme.Tokens; it must be one of api_key, jwt"),
        ({"sslContext.keyStorePath": "/k.jks"}, "Java key store"),
        ({"timeoutInMillis": "soon"}, "must be a positive number"),
    ],
)
def test_what_of_http_cannot_be_used(more: dict[str, str], said: str) -> None:
    given = {"type": "http", "url": "http://h", **more}
    chosen = settings({f"spark.openlineage.transport.{key}": value for key, value in given.items()}, {})
    (problem,) = chosen.problems
    assert said in problem
    assert chosen.transport is not None


def test_what_only_javas_kafka_client_knows_is_said() -> None:
    given = {
        "type": "kafka",
        "topicName": "t",
        "properties.ssl.truststore.location": "/t.jks",
        "properties.acks": "all",
    }
    chosen = settings({f"spark.openlineage.transport.{key}": value for key, value in given.items()}, {})
    (problem,) = chosen.problems
    assert "properties.ssl.truststore.location only applies to Java's Kafka client" in problem
    assert chosen.transport == {"type": "kafka", "topic": "t", "config": {"acks": "all"}}


def test_a_secret_is_in_no_sentence() -> None:
    conf = {"type": "http", "url": "http://h", "auth.type": "x.Y", "auth.apiKey": "hunter2", "auth.apikye": "hunter2"}
    problems = settings({f"spark.openlineage.transport.{key}": value for key, value in conf.items()}, {}).problems
    assert "hunter2" not in " ".join(problems)


# --- the reference ---------------------------------------------------------------------------------------------------


def test_the_reference_has_every_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()

    class Listening(Conf):
        def text(self, key: str) -> str | None:
            asked.add(key)
            return super().text(key)

    monkeypatch.setattr(settings_module, "Conf", Listening)
    settings({}, {})
    text = DOCS.read_text(encoding="utf-8")
    assert {key for key in asked if f"{key}`" not in text} == set()


def test_the_reference_has_no_other() -> None:
    documented = set(re.findall(r"`spark\.headwater\.([\w.]+)`", DOCS.read_text(encoding="utf-8")))
    problems = settings({f"spark.headwater.{key}": "?" for key in documented}, {}).problems
    assert [problem for problem in problems if "has no setting" in problem] == []

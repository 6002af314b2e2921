"""Marquez's own Java client against a real server: each of its methods, called in a JVM of its own.

Python calls them through py4j, so that a Java runtime is enough: nothing has to be compiled.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import httpx
import pytest
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway
from py4j.protocol import Py4JJavaError
from tests.maven import Artifact, NotFetched, NotThere, fetch

from headwater.capture.jvm.java import ensure_java

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.conftest import EventMaker

# Not every release is on Maven Central. The older one has half of the methods, and does not escape names in paths.
RELEASED, NEWEST = (
    Artifact("io.github.marquezproject", "marquez-java", version) for version in ("0.4.3-rc.1", "0.51.1")
)
JARS = "HEADWATER_MARQUEZ_JAVA"


class Calling:
    """A client that notes which of its methods were called, with how many arguments."""

    def __init__(self, jvm: Any, url: str) -> None:  # noqa: ANN401  py4j's view of Java
        self.jvm, self.models = jvm, jvm.marquez.client.models
        self._client = jvm.marquez.client.MarquezClient(url)
        self.called: set[tuple[str, int]] = set()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: object) -> Any:  # noqa: ANN401  whatever the client returns
            self.called.add((name, len(arguments)))
            return getattr(self._client, name)(*arguments)

        return call

    @property
    def methods(self) -> set[tuple[str, int]]:
        """All that a user of the client can call on it."""
        modifier = self.jvm.java.lang.reflect.Modifier
        return {
            (method.getName(), method.getParameterCount())
            for method in self._client.getClass().getDeclaredMethods()
            if modifier.isPublic(method.getModifiers()) and not modifier.isStatic(method.getModifiers())
        }

    def at(self, text: str) -> Any:  # noqa: ANN401  an Instant
        """A moment, as Java has it."""
        return self.jvm.java.time.Instant.parse(text)


@contextmanager
def _running(jars: Sequence[Path]) -> Iterator[Any]:
    """A JVM with jars."""
    port, token = launch_gateway(
        classpath=os.pathsep.join(map(str, jars)), java_path=str(ensure_java()), die_on_exit=True, enable_auth=True
    )
    gateway = JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token=token, auto_convert=True))
    try:
        yield gateway.jvm
    finally:
        gateway.shutdown()


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A JVM with the client that Maven Central has."""
    try:
        jars = fetch(ensure_java(), tmp_path_factory.mktemp("released"), {"client": [RELEASED]})["client"]
    except NotFetched as error:
        pytest.skip(f"needs {error}")
    with _running(jars) as jvm:
        # It refuses fields that it does not know, which are those that Marquez added since: here it passes over them.
        mapper = jvm.java.lang.Class.forName("marquez.client.Utils").getDeclaredField("MAPPER")
        mapper.setAccessible(True)
        unknown = jvm.com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES
        mapper.get(None).configure(unknown, False)  # noqa: FBT003  Java has no names for arguments
        yield jvm


@pytest.fixture(scope="module")
def newest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A JVM with the newest client."""
    if given := os.environ.get(JARS):
        jars: Sequence[Path] = sorted(Path(given).glob("*.jar"))
    else:
        try:
            jars = fetch(ensure_java(), tmp_path_factory.mktemp("newest"), {"client": [NEWEST]})["client"]
        except NotThere:
            pytest.skip(f"Maven Central has no {NEWEST}: set {JARS} to a folder of it and what it needs")
        except NotFetched as error:
            pytest.skip(f"needs {error}")
    with _running(jars) as jvm:
        yield jvm


def test_every_method_of_the_client_on_maven_central(released: Any, address: str) -> None:  # noqa: ANN401
    client = Calling(released, address)
    _register(client, "shop", "daily")
    _run(client, "shop", "daily")
    assert client.called == client.methods


def test_every_method_of_the_newest_client(newest: Any, address: str, maker: EventMaker) -> None:  # noqa: ANN401
    client, namespace, job = Calling(newest, address), "s3://bucket:2024/x", "daily/build 100%"
    _register(client, namespace, job)
    _run(client, namespace, job)
    event = {
        **maker(1, columns={"a": ["orders.id"]}, reads=["orders"]),
        "producer": "https://e.com",
        "schemaURL": "u:s",
    }
    assert httpx.post(f"{address}/api/v1/lineage", json=event, trust_env=False).status_code == 201
    _ask(client)
    _tag_and_delete(client, namespace, job)
    assert client.called == client.methods


def test_what_is_missing_is_an_error_of_the_client(released: Any, address: str) -> None:  # noqa: ANN401
    with pytest.raises(Py4JJavaError) as caught:
        Calling(released, address).getDataset("nowhere", "nothing")
    assert "MarquezHttpException(code=404, message=Dataset 'nothing' not found." in str(caught.value)


def _register(client: Calling, namespace: str, job: str) -> None:
    """Namespaces, sources, datasets and jobs, as the client writes and reads them."""
    models = client.models
    created = client.createNamespace(
        namespace, models.NamespaceMeta.builder().ownerName("me").description("where it is").build()
    )
    assert (created.getName(), created.getOwnerName(), _plain(created.getDescription())) == (
        namespace,
        "me",
        "where it is",
    )
    assert client.getNamespace(namespace).equals(created)
    assert [item.getName() for item in client.listNamespaces()] == ["default", namespace]
    assert [item.getName() for item in client.listNamespaces(1, 1)] == [namespace]

    url = "postgresql://host:5432/db"
    source = client.createSource(
        "db", models.SourceMeta.builder().type("POSTGRESQL").connectionUrl(url).description("all").build()
    )
    assert (source.getType(), source.getConnectionUrl().toString()) == ("POSTGRESQL", url)
    assert client.getSource("db").equals(source)
    assert [item.equals(source) for item in (*client.listSources(), *client.listSources(1, 0))] == [True, True]

    fields = [
        models.Field.builder().name("id").type("INTEGER").tags({"KEY"}).description("which").build(),
        models.Field.builder().name("email").type("TEXT").build(),
    ]
    table = models.DbTableMeta.builder().physicalName("public.orders").sourceName("db").fields(fields).tags({"GOLD"})
    orders = client.createDataset(namespace, "orders", table.description("all orders").build())
    assert (orders.getPhysicalName(), orders.getSourceName(), set(orders.getTags())) == (
        "public.orders",
        "db",
        {"GOLD"},
    )
    assert (orders.getNamespace(), _plain(orders.getDescription())) == (namespace, "all orders")
    assert [_field(field) for field in orders.getFields()] == [
        ("id", "INTEGER", {"KEY"}, "which"),
        ("email", "TEXT", set(), None),
    ]
    stream = models.StreamMeta.builder().physicalName("t").sourceName("db")
    topic = client.createDataset(
        namespace, "topic", stream.schemaLocation(client.jvm.java.net.URL("http://registry/topic")).build()
    )
    assert topic.getClass().getSimpleName() == "Stream"
    assert client.getDataset(namespace, "orders").equals(orders)
    assert [item.getName() for item in client.listDatasets(namespace)] == ["orders", "topic"]
    assert [item.getName() for item in client.listDatasets(namespace, 1, 1)] == ["topic"]
    assert set(client.tagDatasetWith(namespace, "orders", "PII").getTags()) == {"GOLD", "PII"}
    tagged = client.tagFieldWith(namespace, "orders", "email", "PII").getFields()[1]
    assert _field(tagged) == ("email", "TEXT", {"PII"}, None)
    assert {tag.getName() for tag in client.listTags()} == {"GOLD", "KEY", "PII"}
    assert {tag.getName() for tag in client.listTags(1, 1)} == {"KEY"}

    read, written = (models.DatasetId(namespace, name) for name in ("orders", "out"))
    build = models.JobMeta.builder().type("BATCH").inputs({read}).outputs({written}).location("https://code/build.sql")
    declared = client.createJob(namespace, job, build.description("builds").build())
    assert (declared.getName(), declared.getType().toString()) == (job, "BATCH")
    assert _plain(declared.getLocation()).toString() == "https://code/build.sql"
    assert [item.getName() for item in declared.getInputs()] == ["orders"]
    assert [item.getName() for item in declared.getOutputs()] == ["out"]
    assert client.getJob(namespace, job).equals(declared)
    assert [item.getName() for item in (*client.listJobs(namespace), *client.listJobs(namespace, 1, 0))] == [job, job]


def _run(client: Calling, namespace: str, job: str) -> None:
    """Runs through all their states."""
    states, meta = client.models.RunState, client.models.RunMeta.builder
    run_id = str(uuid4())
    run = client.createRun(
        namespace, job,
        meta().id(run_id).args({"day": "1"}).nominalStartTime(client.at("2026-01-01T00:00:00Z")).build(),
    )  # fmt: skip
    assert (run.getId(), run.getState().toString(), run.getArgs()["day"]) == (run_id, "NEW", "1")
    assert _plain(run.getNominalStartTime()).toString() == "2026-01-01T00:00:00Z"
    assert client.getRun(run_id).equals(run)
    soon = datetime.now(timezone.utc) + timedelta(hours=1)  # within what clocks may differ by
    late, later = f"{soon:%Y-%m-%dT%H:%M:}00.250Z", f"{soon:%Y-%m-%dT%H:%M:}01Z"
    assert client.markRunAsRunning(run_id, client.at(late)).getState().toString() == "RUNNING"
    done = client.markRunAsCompleted(run_id, client.at(later))
    assert (done.getState().toString(), _plain(done.getDurationMs())) == ("COMPLETED", 750)
    assert (_plain(done.getStartedAt()).toString(), _plain(done.getEndedAt()).toString()) == (late, later)

    ends: dict[str, tuple[Callable[[str], Any], Callable[[str], Any]]] = {
        "COMPLETED": (client.markRunAsCompleted, lambda run: client.markRunAs(run, states.COMPLETED)),
        "FAILED": (client.markRunAsFailed, lambda run: client.markRunAsFailed(run, client.at(later))),
        "ABORTED": (client.markRunAsAborted, lambda run: client.markRunAsAborted(run, client.at(later))),
    }
    for state, ways in ends.items():
        for end in ways:
            other = client.createRunAndStart(namespace, job, meta().build())
            assert other.getState().toString() == "RUNNING"
            assert end(other.getId()).getState().toString() == state
    again = client.createRun(namespace, job, meta().build()).getId()
    assert client.markRunAsRunning(again).getState().toString() == "RUNNING"
    assert client.markRunAs(again, states.FAILED, client.at(later)).getState().toString() == "FAILED"
    assert len(client.listRuns(namespace, job)) == 8
    assert [item.getId() for item in client.listRuns(namespace, job, 1, 0)] == [again]
    assert _plain(client.getJob(namespace, job).getLatestRun()).getId() == again


def _ask(client: Calling) -> None:
    """Versions, graphs, events and search; of the dataset that one event wrote."""
    models, node = client.models, client.models.NodeId.of
    (version,) = client.listDatasetVersions("lake", "out")
    assert client.getDatasetVersion("lake", "out", version.getVersion()).equals(version)
    assert [item.equals(version) for item in client.listDatasetVersions("lake", "out", 1, 0)] == [True]
    assert [_field(field) for field in version.getFields()] == [("a", None, set(), None)]
    (of_job,) = client.listJobVersions("jobs", "job", 10, 0)
    assert client.getJobVersion("jobs", "job", str(of_job.getId().getVersion())).equals(of_job)
    assert [item.getName() for item in of_job.getOutputs()] == ["out"]

    whole = {"dataset:lake:orders", "job:jobs:job", "dataset:lake:out"}
    out = models.DatasetId("lake", "out")
    assert _ids(client.getLineage(node(out))) == _ids(client.getLineage(node(models.JobId("jobs", "job")), 1)) == whole
    columns = {"datasetField:lake:orders:id", "datasetField:lake:out:a"}
    read = models.DatasetFieldId("lake", "orders", "id")
    assert _ids(client.getColumnLineage(node(out))) == _ids(client.getColumnLineage(node(read), 1, True)) == columns  # noqa: FBT003
    id_ = client.jvm.java.util.UUID.fromString(version.getVersion())
    then = client.getColumnLineage(node(models.DatasetFieldVersionId("lake", "out", "a", id_)))
    assert _ids(then) == {"datasetField:lake:orders:id", f"datasetField:lake:out:a#{id_.toString()}"}

    sort = client.jvm.java.lang.Class.forName("marquez.client.MarquezClient$SortDirection").getEnumConstants()
    ascending = next(item for item in sort if item.toString() == "ASC")
    events = client.listLineageEvents()
    assert [item.getEventTime().toInstant().toString() for item in events][-1] == "2026-01-01T00:01:00Z"
    assert client.listLineageEvents(ascending, 1)[0].equals(events[-1])
    before, after = (client.jvm.java.time.ZonedDateTime.parse(text) for text in (
        "2026-01-01T01:02:00+01:00", "2026-01-01T00:00:00Z",
    ))  # fmt: skip
    (event,) = client.listLineageEvents(ascending, before, after, 10)
    assert (event.getEventType(), event.getJob()["name"]) == ("COMPLETE", "job")
    assert [item["name"] for item in event.getOutputs()] == ["out"]

    jobs, by_name = models.SearchFilter.JOB, models.SearchSort.NAME
    assert client.search("out").getTotalCount() == 2
    assert {item.getName() for item in client.search("o", by_name).getResults()} >= {"out", "orders", "job"}
    assert len(client.search("o", 1).getResults()) == 1
    # With a filter and no order the client fails before it asks.
    (hit,) = client.search("job", jobs, by_name, 5).getResults()
    assert (hit.getNodeId(), hit.getNamespace()) == ("job:jobs:job", "jobs")


def _tag_and_delete(client: Calling, namespace: str, job: str) -> None:
    """Tags come and go, and so does all that was registered."""
    personal = client.createTag("PERSONAL", "of a person")
    assert (personal.getName(), _plain(personal.getDescription())) == ("PERSONAL", "of a person")
    assert _plain(client.createTag("PLAIN").getDescription()) is None
    assert set(client.tagJobWith(namespace, job, "PERSONAL").getTags()) == {"PERSONAL"}
    assert set(client.deleteJobTag(namespace, job, "PERSONAL").getTags()) == set()
    assert set(client.deleteDatasetTag(namespace, "orders", "PII").getTags()) == {"GOLD"}
    untagged = client.deleteDatasetFieldTag(namespace, "orders", "email", "PII").getFields()[1]
    assert _field(untagged) == ("email", "TEXT", set(), None)
    assert client.deleteJob(namespace, job).getName() == job
    assert len(client.listJobs(namespace)) == 0
    assert client.deleteDataset(namespace, "orders").getName() == "orders"
    assert [item.getName() for item in client.listDatasets(namespace)] == ["out", "topic"]
    client.deleteNamespace(namespace)
    assert namespace not in {item.getName() for item in client.listNamespaces()}


def _plain(value: Any) -> Any:  # noqa: ANN401  any value of Java's
    """What is in an Optional; newer clients have more of them than older ones."""
    is_optional = hasattr(value, "getClass") and value.getClass().getName() == "java.util.Optional"
    return value.orElse(None) if is_optional else value


def _field(field: Any) -> tuple[str, str | None, set[str], str | None]:  # noqa: ANN401  the client's own class
    return field.getName(), _plain(field.getType()), set(field.getTags()), _plain(field.getDescription())


def _ids(lineage: Any) -> set[str]:  # noqa: ANN401  the client's own class
    return {node.getId().getValue() for node in lineage.getGraph()}

"""What all tests share: skips that fail where nothing may be missing, OpenLineage's JSON schemas, and stores."""

from __future__ import annotations

import gc
import itertools
import json
import logging
import os
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from uuid import NAMESPACE_URL, uuid5

import pytest
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from headwater.common.masking import read_masking
from headwater.openlineage.model.parse_facets import masking_keys
from headwater.store import Store, open_store
from tests import java_names, quick_java
from tests.postgres import NoPostgres, Postgres, running_postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

# Of every Spark that a test starts, in this process or in one of its own.
quick_java.prepare()
java_names.remember()
# No example has a deadline: the machine may be busy.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")

# What a test runs in a process, or with a Python, of its own.
collect_ignore = ["capture/connectors/job.py", "server/datahub/stock_client.py"]
_NEEDS = "Skipped: needs "


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs the jars of Iceberg and Delta beside tests that start Spark without them: a JVM has one set."""
    if any(_starts_plain_spark(item) for item in items):
        skip = pytest.mark.skip(reason="runs in a process of its own: make test, or pytest -m lake")
        for item in items:
            if item.get_closest_marker("lake"):
                item.add_marker(skip)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Look at what is there before the first test no more when garbage is collected: all modules, and all tests."""
    gc.collect()
    gc.freeze()


def _starts_plain_spark(item: pytest.Item) -> bool:
    if item.get_closest_marker("lake"):
        return False
    return item.get_closest_marker("spark") is not None or "pipeline_spark" in getattr(item, "fixturenames", ())


def _fail_if_something_is_missing(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip for a missing thing ("needs …") into a failure when HEADWATER_STRICT_SKIPS is set."""
    if not os.environ.get("HEADWATER_STRICT_SKIPS") or report.outcome != "skipped":
        return
    # A skip is reported as (file, line, "Skipped: reason"); an expected failure is not.
    if isinstance(report.longrepr, tuple) and report.longrepr[2].startswith(_NEEDS):
        file, line, reason = report.longrepr
        report.outcome = "failed"
        report.longrepr = (
            f"{file}:{line}: {reason}\nHEADWATER_STRICT_SKIPS is set: nothing that tests need may be missing."
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """See to skipped tests."""
    report = yield
    _fail_if_something_is_missing(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """See to skipped modules."""
    report = yield
    _fail_if_something_is_missing(report)
    return report


def _spec() -> Path | None:
    given = os.environ.get("HEADWATER_SPEC")
    folder = Path(given) if given else Path(__file__).resolve().parents[2] / "shared" / "spec"
    return folder if (folder / "OpenLineage.json").is_file() else None


@pytest.fixture(scope="session")
def spec_dir() -> Path:
    """The folder of OpenLineage's JSON schemas, with `OpenLineage.json` and `facets/` in it."""
    folder = _spec()
    if folder is None:
        # `skip` never returns; its type does not say so in every pytest.
        return cast("Path", pytest.skip("needs OpenLineage's JSON schemas: set HEADWATER_SPEC to their folder"))
    return folder


class Spec:
    """OpenLineage's published schemas, to hold events to."""

    def __init__(self, folder: Path) -> None:
        schemas = {}
        for path in (folder / "OpenLineage.json", *sorted((folder / "facets").glob("*.json"))):
            schema = json.loads(path.read_text(encoding="utf-8"))
            schemas[schema["$id"]] = schema
        self._registry: Registry[Any] = Registry().with_resources(
            (id_, Resource.from_contents(schema, default_specification=DRAFT202012)) for id_, schema in schemas.items()
        )
        self._newest = {id_.rsplit("/", 1)[-1]: id_ for id_ in schemas}

    def errors(self, event: Mapping[str, Any]) -> list[str]:
        """What is wrong with an event: by its own schema, and by those of every facet in it."""
        shape = event["schemaURL"].rsplit("/", 1)[-1]
        found = self._errors(f"{self._newest['OpenLineage.json']}#/$defs/{shape}", event, "event")
        holders = [event.get("run", {}), event.get("job", {}), event.get("dataset", {})]
        for holder in (*holders, *event.get("inputs", ()), *event.get("outputs", ())):
            for group in ("facets", "inputFacets", "outputFacets"):
                for name, facet in holder.get(group, {}).items():
                    file = facet["_schemaURL"].partition("#")[0].rsplit("/", 1)[-1]
                    if file in self._newest:
                        # The file describes an object that has the facet under its name.
                        found += self._errors(self._newest[file], {name: facet}, name)
                    else:
                        assert name.startswith("headwater_"), f"{name} has no published schema"
        return found

    def _errors(self, reference: str, instance: object, what: str) -> list[str]:
        validator = Draft202012Validator({"$ref": reference}, registry=self._registry, format_checker=FormatChecker())
        return [f"{what}: {error.message}" for error in validator.iter_errors(instance)]


@pytest.fixture(scope="session")
def event_errors(spec_dir: Path) -> Callable[[Mapping[str, Any]], list[str]]:
    """What OpenLineage's published schemas find wrong with an event: its own, and those of every facet in it."""
    return Spec(spec_dir).errors


@pytest.fixture(scope="session")
def hold_to_spec() -> Callable[[Iterable[Mapping[str, Any]]], None]:
    """Fail where an event is not as OpenLineage's schemas have it; without the schemas nothing is looked at."""
    folder = _spec()
    if folder is None:
        return lambda _events: None
    spec = Spec(folder)

    def check(events: Iterable[Mapping[str, Any]]) -> None:
        assert [error for event in events for error in spec.errors(event)] == []

    return check


@pytest.fixture(scope="module")
def durable_server() -> Iterator[Postgres]:
    """A PostgreSQL that tests stop and kill: what it acknowledges is on disk."""
    try:
        with running_postgres(durable=True, databases=()) as server:
            yield server
    except NoPostgres as error:
        pytest.skip(f"needs {error}")


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """A server that a test starts in this process sets up the log of all of it."""
    loggers = [logging.getLogger(name) for name in ("headwater", "uvicorn")]
    before = [(logger.handlers, logger.propagate, logger.level) for logger in loggers]
    yield
    for logger, (handlers, propagate, level) in zip(loggers, before, strict=True):
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


class EventMaker:
    """Writes OpenLineage events from a few words.

    `maker(1, columns={"total": ["orders.amount AGGREGATION"]})` is a COMPLETE in minute 1 of a run that writes the
    dataset `out`. A source is `dataset.column`, then its subtype, then MASKED where it is; runs and parents are any
    short text.
    """

    INDIRECT = frozenset({"FILTER", "JOIN", "GROUP_BY", "SORT", "WINDOW", "CONDITIONAL"})
    NAMESPACE = "lake"

    def __call__(  # noqa: PLR0913  the parts of an event
        self,
        minute: int,
        type: str = "COMPLETE",  # noqa: A002  as OpenLineage calls it
        *,
        run: str | None = None,
        job: str = "job",
        out: str | None = "out",
        columns: Mapping[str, Sequence[str]] | None = None,
        rows: Sequence[str] = (),
        schema: Mapping[str, str] | None = None,
        lifecycle: str | None = None,
        parent: str | None = None,
        facets: Mapping[str, object] | None = None,
        reads: Sequence[str] = (),
    ) -> dict[str, object]:
        """One run event."""
        found: dict[str, object] = dict(facets or {})
        if columns is not None or rows:
            fields = {
                name: {"inputFields": [self.source(text) for text in texts]} for name, texts in (columns or {}).items()
            }
            found["columnLineage"] = {"fields": fields, "dataset": [self.source(text) for text in rows]}
        if schema is not None:
            found["schema"] = {"fields": [{"name": name, "type": kind} for name, kind in schema.items()]}
        if lifecycle is not None:
            found["lifecycleStateChange"] = {"lifecycleStateChange": lifecycle}
        run_facets = {"parent": {"run": {"runId": self.run_id(parent)}}} if parent else {}
        return {
            "eventType": type,
            "eventTime": f"2026-01-01T{minute // 60:02}:{minute % 60:02}:00Z",
            "run": {"runId": self.run_id(run or f"{job} {minute}"), "facets": run_facets},
            "job": {"namespace": "jobs", "name": job},
            "inputs": [{"namespace": self.NAMESPACE, "name": name} for name in reads],
            "outputs": [{"namespace": self.NAMESPACE, "name": out, "facets": found}] if out else [],
        }

    def source(self, text: str) -> dict[str, object]:
        """An input field with one transformation: `src.a TRANSFORMATION MASKED keyed`."""
        place, *words = text.split()
        name, _, field = place.partition(".")
        masking = "MASKED" in words
        subtype = next((word for word in words if word != "MASKED" and word.isupper()), "IDENTITY")
        kind = "INDIRECT" if subtype in self.INDIRECT else "DIRECT"
        step = {"type": kind, "subtype": subtype, "masking": masking, "description": f"of {field}"}
        if effect := " ".join(word for word in words if word.islower()):
            step |= masking_keys(read_masking(effect, masks=masking))
        return {"namespace": self.NAMESPACE, "name": name, "field": field, "transformations": [step]}

    @staticmethod
    def run_id(name: str) -> str:
        """The same UUID for the same name."""
        return str(uuid5(NAMESPACE_URL, name))

    @staticmethod
    def us(minute: int) -> int:
        """A minute as the store counts time."""
        return int(datetime(2026, 1, 1, tzinfo=timezone.utc).timestamp() + minute * 60) * 1_000_000


@pytest.fixture(scope="session")
def maker() -> EventMaker:
    """Writes events for the tests of the store and of what asks it."""
    return EventMaker()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store of its own, in a file."""
    with open_store(str(tmp_path / "lineage.db")) as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """A PostgreSQL of the tests' own; what it acknowledges is not on disk, which makes it fast."""
    try:
        with running_postgres(databases=()) as server:
            yield server
    except NoPostgres as error:
        pytest.skip(f"needs {error}")


@pytest.fixture(scope="session")
def empty_database(postgres_server: Postgres) -> str:
    """The name of a database that holds an empty store, to copy; nobody may connect to it."""
    name = "empty"
    with open_store(postgres_server.create(name)) as opened, opened.read():
        pass
    return name


_NUMBERS = itertools.count()


@pytest.fixture
def postgres_url(postgres_server: Postgres, empty_database: str) -> Iterator[str]:
    """The URL of an empty store of its own, in PostgreSQL; it goes away with the test."""
    name = f"test{next(_NUMBERS)}"
    yield postgres_server.create(name, empty_database)
    postgres_server.drop(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def any_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store of its own, in a file and in PostgreSQL: the test runs on both."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'lineage.db'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def any_store(any_url: str) -> Iterator[Store]:
    """An empty store of its own, in a file and in PostgreSQL: the test runs on both."""
    with open_store(any_url) as opened:
        yield opened

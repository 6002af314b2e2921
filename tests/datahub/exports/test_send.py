"""`headwater datahub send`: all of it arrives, once, and nothing that did not change is sent again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from tests.datahub.changes import FACTS, ORDERS, derived, field, lineage, proposal, schema, take_in
from tests.datahub.exports.recording_gms import CUT, RecordingGms, Taken, recording_gms
from tests.datahub.oracle import ask
from tests.food_delivery import WEDNESDAY, events
from typer.testing import CliRunner

from headwater.cli import app
from headwater.datahub.aspects.schema import schema_metadata
from headwater.datahub.exports.proposals import Form, export_of
from headwater.datahub.exports.receipts import open_sent
from headwater.datahub.naming.datasets import Naming
from headwater.openlineage.model.event import SchemaField
from headwater.simulate import History, Settings
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKEN = "hunter2hunter2"  # noqa: S105  so that it can be looked for
JOB = "urn:li:dataJob:(urn:li:dataFlow:(airflow,shop,PROD),daily)"


@pytest.fixture
def gms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[RecordingGms]:
    """A DataHub, and a user who has sent nothing yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("DATAHUB_GMS_TOKEN", TOKEN)
    monkeypatch.setenv("HEADWATER_TOKEN", "another")
    with recording_gms() as gms:
        monkeypatch.setenv("DATAHUB_GMS_URL", gms.url)
        yield gms


def _filled(url: str, until: str = "9") -> str:
    with open_store(url) as store:
        store.ingest([event for event in events() if str(event["eventTime"]) < until])
    return url


@pytest.fixture
def food(tmp_path: Path) -> str:
    """A store of three days."""
    return _filled(str(tmp_path / "food.db"))


def _run(store: str, *words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["datahub", "send", "--store", store, *words])
    assert result.exit_code == code, result.output
    assert TOKEN not in result.output
    return result.output


def _exported(store: str, form: Form = Form.JOBS) -> list[Taken]:
    with open_store(store) as opened:
        records = list(export_of(opened, Naming(), form=form).records())
    return [Taken(record["entityUrn"], record["aspectName"], record["aspect"]["json"]) for record in records]


def test_what_an_export_writes_arrives_once_and_a_changed_edge_is_one_aspect(any_url: str, gms: RecordingGms) -> None:
    _filled(any_url, WEDNESDAY)
    assert "0 unchanged" in _run(any_url)
    assert gms.taken() == (before := _exported(any_url))
    asked = gms.posts
    assert f"0 aspects sent to {gms.url}; {len(before)} unchanged." in _run(any_url)
    assert gms.posts == asked

    _filled(any_url)
    assert f"1 aspect sent to {gms.url}: 1 dataJobInputOutput; {len(before) - 1} unchanged." in _run(any_url)
    ((urn, aspect, value),) = gms.taken()
    assert urn.endswith(",customers)")
    assert aspect == "dataJobInputOutput"
    assert "sha2(lower(email), 256)" in json.dumps(value)

    assert "0 unchanged" in _run(any_url, "--full")
    assert gms.taken() == _exported(any_url)


def test_failures_that_pass_are_waited_for(food: str, gms: RecordingGms) -> None:
    gms.script.extend([CUT, 503, 429, 502, 500])
    assert "waiting" not in _run(food)
    assert gms.taken() == _exported(food)
    assert not gms.script


@pytest.mark.parametrize("status", [400, 403, 422, 500])
def test_an_aspect_that_is_refused_is_told_and_the_others_arrive(food: str, gms: RecordingGms, status: int) -> None:
    refused = _exported(food)[3]
    gms.refuse = lambda one: status * (one["entityUrn"] == refused.urn and one["aspectName"] == refused.aspect)
    gms.words = f"Authorization: Bearer {TOKEN} may not {TOKEN}"
    said = _run(food, code=1)
    assert f"DataHub refused {refused.aspect} of {refused.urn}: {status}: " in said
    assert "1 refused." in said
    assert sorted(gms.taken()) == sorted(one for one in _exported(food) if one != refused)
    gms.refuse = lambda _one: 0
    _run(food)
    assert gms.taken() == [refused]


def test_a_server_that_takes_nothing_is_given_up_and_what_it_took_is_not_sent_again(
    gms: RecordingGms, tmp_path: Path
) -> None:
    store = _warehouse(tmp_path)
    gms.script.extend([200, 503])
    gms.retry_after = 50
    said = _run(store, "--timeout", "40", code=1)
    assert "is not accepting changes (status 503)" in said
    assert "200 aspects sent" in said
    assert " waiting." in said
    first = gms.taken()
    _run(store)
    assert first + gms.taken() == _exported(store)


def test_killed_in_the_middle_the_next_send_brings_the_rest(gms: RecordingGms, tmp_path: Path) -> None:
    store = _warehouse(tmp_path)
    in_the_middle, over = threading.Event(), threading.Event()

    def hold(number: int) -> None:
        if number == 2:
            in_the_middle.set()
            over.wait(30)

    gms.before = hold
    # The first batch is acknowledged; the second is not yet.
    command = [sys.executable, "-m", "headwater", "datahub", "send", "--store", store]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ)) as sender:
        assert in_the_middle.wait(60)
        sender.send_signal(signal.SIGKILL)
    first = gms.batches[0][:]
    gms.before = lambda _number: None
    over.set()
    gms.batches.clear()
    _run(store)
    again = [
        taken
        for taken in gms.taken()
        if any(one["entityUrn"] == taken.urn and one["aspectName"] == taken.aspect for one in first)
    ]
    assert again == []
    assert "0 aspects sent" in _run(store)
    assert len(first) == 200


def _warehouse(tmp_path: Path) -> str:
    """A store with more to send than goes into one request."""
    settings = Settings(datasets=90, days=1, columns=3, seed=5)
    url = str(tmp_path / "warehouse.db")
    with open_store(url) as store:
        store.ingest([json.loads(line.text) for line in History(settings).lines(0)])
    assert 200 < len(_exported(url)) < 400
    return url


def test_who_does_not_answer_as_datahub_does_gets_nothing(food: str, gms: RecordingGms) -> None:
    gms.config = b"<html>"
    assert "No DataHub answers at" in _run(food, code=1)
    gms.config = b'{"noCode":"true"}'
    gms.script.append(401)
    assert "set a valid one in DATAHUB_GMS_TOKEN" in _run(food, code=1)
    assert {headers.get("Authorization") for headers in gms.headers} == {f"Bearer {TOKEN}"}
    assert gms.taken() == []
    for url in ("http://127.0.0.1:1", f"http://{TOKEN}@127.0.0.1:1"):
        assert "http://127.0.0.1:1 cannot be reached" in _run(food, url, "--timeout", "1", code=1)
    for url in (f"ftp://{TOKEN}@h", f"http://{TOKEN}@", f"http://{TOKEN}@h:x"):
        _run(food, url, code=2)


def test_a_dry_run_says_what_would_be_sent_and_sends_nothing(food: str, gms: RecordingGms, tmp_path: Path) -> None:
    said = json.loads(_run(food, "--dry-run", "-o", "json"))
    assert gms.headers == []
    assert not (tmp_path / "state").exists()
    assert f"{sum(said['sent'].values())} aspects would be sent to {gms.url}" in _run(food, "--dry-run")
    done = json.loads(_run(food, "-o", "json"))
    assert done == {**said, "dry_run": False}
    assert gms.counts() == Counter(said["sent"])
    assert json.loads(_run(food, "--dry-run", "-o", "json"))["sent"] == {}
    assert _run(food, "-o", "csv").splitlines()[1].endswith(",0,0,0,0,0")


def test_what_left_the_store_is_told_and_removed_only_on_demand(food: str, gms: RecordingGms) -> None:
    _run(food)
    gms.taken()
    name = "/food/warehouse/newsletter"
    urn = f"urn:li:dataset:(urn:li:dataPlatform:file,{name},PROD)"
    with open_store(food) as store:
        store.purge_dataset("file", name)
    assert f"{urn} is no longer in the store but stays in DataHub." in _run(food)
    assert urn not in {one.urn for one in gms.taken()}
    _run(food, "--remove")
    assert gms.taken() == [Taken(urn, "status", {"removed": True})]
    assert "no longer" not in _run(food, "--remove")
    with open_store(food) as store:
        take_in(store, [proposal(urn, "schemaMetadata", schema("name", platform="urn:li:dataPlatform:file"))])
    _run(food)
    (back,) = (one for one in _exported(food) if one.urn == urn)
    assert gms.taken() == [back, Taken(urn, "status", {"removed": False})]


def test_lineage_that_is_no_longer_in_force_is_sent_empty(gms: RecordingGms, tmp_path: Path) -> None:
    url = str(tmp_path / "s.db")
    io: dict[str, Any] = {"inputDatasets": [ORDERS], "outputDatasets": [FACTS]}
    entry = derived(field(FACTS, "id"), field(ORDERS, "id"))
    with open_store(url) as store:
        take_in(store, [proposal(JOB, "dataJobInputOutput", {**io, "fineGrainedLineages": [entry]})])
        _run(url)
        assert gms.counts()["dataJobInputOutput"] == 1
        take_in(store, [proposal(JOB, "dataJobInputOutput", {"inputDatasets": [], "outputDatasets": []}, minute=2)])
    _run(url)
    ((urn, aspect, value),) = gms.taken()
    assert (urn, aspect) == (JOB, "dataJobInputOutput")
    assert not any(value.values())
    assert "0 aspects sent" in _run(url)


def test_with_another_form_the_lineage_of_the_first_is_taken_back(food: str, gms: RecordingGms) -> None:
    _run(food)
    gms.taken()
    _run(food, "--as", "datasets")
    by_aspect: dict[str, list[Any]] = {}
    for one in gms.taken():
        by_aspect.setdefault(one.aspect, []).append(one.value)
    assert by_aspect.keys() == {"dataJobInputOutput", "upstreamLineage"}
    assert not any(any(value.values()) for value in by_aspect["dataJobInputOutput"])
    assert all(value["upstreams"] for value in by_aspect["upstreamLineage"])


def test_a_state_is_of_one_store_and_one_datahub_and_of_one_sender_at_a_time(
    food: str, gms: RecordingGms, tmp_path: Path
) -> None:
    state = tmp_path / "mine.db"
    _run(food, "--state", str(state))
    assert "belongs to sending" in _run(food, gms.url.replace("127.0.0.1", "localhost"), "--state", str(state), code=1)
    assert "is not a state file of" in _run(food, "--state", food, code=1)
    (tmp_path / "text").write_text("no database " * 100, encoding="utf-8")
    assert "Cannot use the state file" in _run(food, "--state", str(tmp_path / "text"), code=1)
    assert state.stat().st_mode & 0o077 == 0


def test_a_state_that_is_in_use_is_not_taken(
    food: str, gms: RecordingGms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwater.datahub.exports.receipts._BUSY_SECONDS", 0.05)
    state = tmp_path / "mine.db"
    with open_sent(state, gms.url, food):
        assert "Another process is sending" in _run(food, "--state", str(state), code=1)


def test_it_goes_on_sending_until_it_is_ended(
    food: str, gms: RecordingGms, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = _filled(str(tmp_path / "watched.db"), WEDNESDAY)
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 1:
            gms.script.extend([401])  # a round that fails does not end it
            _filled(store)
        elif len(pauses) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("headwater.cli.datahub.send.time.sleep", pause)
    assert "rejected the token, or none was sent" in _run(store, "--watch", "7")
    assert pauses == [7, 7, 7]
    assert len(gms.taken()) == len(_exported(food)) + 1


def test_what_datahub_itself_would_send_of_an_exported_file_is_what_is_sent(gms: RecordingGms, tmp_path: Path) -> None:
    url = str(tmp_path / "s.db")
    _filled(url)
    avro: dict[str, Any] = {"type": {"com.linkedin.pegasus2avro.schema.StringType": {}}}
    told = schema_metadata("s", "urn:li:dataPlatform:kafka", [SchemaField("id", "string")], us=1)
    told["fields"][0] |= {"type": avro, "description": None}
    made = lineage(derived(field(FACTS, "id"), field(ORDERS, "id")))
    made["upstreams"][0]["auditStamp"] = {"time": 1, "actor": "urn:li:corpuser:jane"}
    with open_store(url) as store:
        take_in(store, [proposal(ORDERS, "schemaMetadata", told), proposal(FACTS, "upstreamLineage", made)])
    forms = ("jobs", "datasets")
    for form in (*forms, "rfc"):
        file = str(tmp_path / f"{form}.json")
        result = CliRunner().invoke(app, ["datahub", "export", file, "--as", form, "--store", url])
        assert result.exit_code == 0, result.output
    # The RFC has words that DataHub never took over.
    assert ask("emit", [[str(tmp_path / "rfc.json"), gms.url]]) == [None]
    gms.taken()
    counts = ask("emit", [[str(tmp_path / f"{form}.json"), gms.url] for form in forms])
    theirs = gms.taken()
    assert sum(counts) == len(theirs)
    for form in forms:
        _run(url, "--as", form, "--state", str(tmp_path / form))
    assert gms.taken() == theirs

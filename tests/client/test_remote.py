"""Lineage behind a server is what it is in the store: `headwater.connect("http://…")`."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tests.live_server import served, serving
from tests.question_strategies import questions
from tests.store.histories import Event, histories

import headwater
from headwater.client.lineage import Lineage
from headwater.client.local import StoredLineage
from headwater.query.errors import BadQuestion
from headwater.query.graph.answer import Answer, Direction
from headwater.query.questions import Datasets, Follow, HistoryOf, Question
from headwater.query.search.resolve import AmbiguousName, NameNotFound, NotKnownThen, UnknownName
from headwater.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from starlette.requests import Request
    from tests.conftest import EventMaker

    from headwater.store import Store

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
UPSTREAM = Direction.UPSTREAM


@pytest.fixture
def remote(any_store: Store) -> Iterator[Lineage]:
    """A server on an empty store."""
    with served(any_store) as url, headwater.connect(url) as lineage:
        yield lineage


@pytest.fixture
def local(any_store: Store) -> Lineage:
    """The same store, without a server."""
    return StoredLineage(any_store)


def outcome(ask: Callable[[], object]) -> object:
    """What a question gives: an answer, or an error with all that it says."""
    try:
        return ask()
    except (NameNotFound, BadQuestion) as error:
        return said(error)


def said(error: object) -> object:
    if isinstance(error, Exception):
        return type(error), str(error), getattr(error, "candidates", None)
    return error


# What fails depends on all that came before, so there is nothing to make smaller.
@settings(max_examples=30, suppress_health_check=_SLOW, phases=[Phase.generate])
@given(events=histories(), asked=st.lists(questions(), min_size=10, max_size=25))
def test_every_question_is_answered_as_in_the_store(
    local: Lineage, remote: Lineage, events: Sequence[Event], asked: Sequence[Question[Any]]
) -> None:
    # The store keeps what earlier examples brought: its history grows.
    local.ingest(events)
    expected = [outcome(lambda one=question: local.ask(one)) for question in asked]  # type: ignore[misc]
    assert [outcome(lambda one=question: remote.ask(one)) for question in asked] == expected  # type: ignore[misc]
    assert [said(one) for one in remote.ask_all(asked)] == expected
    assert [said(one) for one in local.ask_all(asked)] == expected


@pytest.fixture
def both(local: Lineage, remote: Lineage, maker: EventMaker) -> tuple[Lineage, Lineage]:
    """A small store and a server on it."""
    remote.ingest(
        [
            maker(1, job="clean", out="clean", columns={"id": ["raw.id"], "mail": ["raw.mail"]}, reads=["raw"]),
            maker(2, job="sum", out="report", columns={"n": ["clean.id AGGREGATION"]}, reads=["clean"]),
            maker(9, job="sum", out="report", columns={"n": ["clean.mail AGGREGATION"]}, reads=["clean"]),
        ]
    )
    return local, remote


def test_every_method_gives_equal_values(both: tuple[Lineage, Lineage], maker: EventMaker) -> None:
    run = maker.run_id("sum 2")
    calls: list[Callable[[Lineage], object]] = [
        lambda on: on.upstream("report", "n", as_of="2026-01-01T00:05:00Z"),
        lambda on: on.downstream("raw", "*", direct=True, depth=1),
        lambda on: on.upstream("report", since="2026-01-01", until="2026-01-01", namespaces=["lake"]),
        lambda on: on.downstream(job="clean", collapse=True),
        lambda on: on.provenance("report", run, "n"),
        lambda on: on.roots("report", "n"),
        lambda on: on.impact("raw", "mail", as_of="2026-01-02"),
        lambda on: on.diff("raw", since="2026-01-01T00:05:00Z", direction="downstream"),
        lambda on: on.diff("report", versions=(run, maker.run_id("sum 9"))),
        lambda on: on.history("report", "n"),
        lambda on: on.search("reprot", kinds=["dataset"], limit=3),
        lambda on: list(on.datasets()),
        lambda on: list(on.jobs(namespaces=["jobs"])),
        lambda on: list(on.events(until="2026-01-01T00:02:00Z")),
        lambda on: on.stats(),
    ]
    local, remote = both
    for call in calls:
        expected = call(local)
        assert expected
        assert call(remote) == expected


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda on: on.upstream("reprt", "n"), UnknownName),
        (lambda on: on.upstream("report", "m"), UnknownName),
        (lambda on: on.provenance("report", "no such version"), UnknownName),
        (lambda on: on.upstream("report", "n", version="x", as_of=5), BadQuestion),
        (lambda on: on.upstream(), BadQuestion),
        (lambda on: on.diff("report"), BadQuestion),
        (lambda on: on.upstream("report", since=9, until=5), BadQuestion),
        (lambda on: on.upstream("report", as_of=10**30), BadQuestion),
        (lambda on: on.upstream("report", depth=-1), BadQuestion),
        (lambda on: on.upstream("report", limit=0), BadQuestion),
        (lambda on: on.upstream("a\0b"), BadQuestion),
        (lambda on: on.search("x", kinds=["table"]), BadQuestion),
        (lambda on: on.diff("report", versions=("1",)), BadQuestion),
        (lambda on: on.diff("report", since=0, direction="sideways"), BadQuestion),
    ],
)
def test_errors_are_those_of_the_store(
    both: tuple[Lineage, Lineage], call: Callable[[Lineage], object], kind: type[Exception]
) -> None:
    local, remote = both
    expected = outcome(lambda: call(local))
    assert isinstance(expected, tuple)
    assert expected[0] is kind
    assert outcome(lambda: call(remote)) == expected


def test_a_name_of_two_things_carries_both(both: tuple[Lineage, Lineage], maker: EventMaker) -> None:
    local, remote = both
    other: Any = maker(3, out="report")
    other["outputs"][0]["namespace"] = "elsewhere"
    local.ingest([other])
    with pytest.raises(AmbiguousName) as caught:
        remote.upstream("report")
    assert caught.value.candidates == ("elsewhere/report", "lake/report")


def test_many_questions_have_an_answer_or_an_error_each(both: tuple[Lineage, Lineage]) -> None:
    local, remote = both
    asked: list[Question[Any]] = [
        Follow(direction=UPSTREAM, dataset="report", column="n"),
        HistoryOf(dataset="reprt", column="n"),
        Datasets(cursor="none of this list"),
    ] * 50
    found = [said(one) for one in remote.ask_all(asked)]
    assert found == [said(one) for one in local.ask_all(asked)]
    assert isinstance(found[0], Answer)
    assert [one[0] for one in found[1:3] if isinstance(one, tuple)] == [UnknownName, BadQuestion]


def test_lists_go_on_over_many_pages(both: tuple[Lineage, Lineage], maker: EventMaker) -> None:
    local, remote = both
    local.ingest([maker(minute % 60, run=f"{minute}", job=f"j{minute}", out=f"t{minute}") for minute in range(1_200)])
    assert len(list(remote.datasets())) == 1_203
    assert list(remote.jobs()) == list(local.jobs())
    assert list(remote.events()) == list(local.events())


_ODD = [
    ("s3://bucket:2024/x y", "a:b/c'd\"e%f%20&g=h+#?\N{GRINNING FACE}"),
    ("n" * 2000, "\N{GRINNING FACE}" * 2000),
    ("arn:aws:glue:eu:1:table", "db.t#1"),
]


@pytest.mark.parametrize("named", _ODD, ids=["marks", "long", "arn"])
def test_any_name_can_be_asked_for(both: tuple[Lineage, Lineage], maker: EventMaker, named: tuple[str, str]) -> None:
    local, remote = both
    column = named[1].replace(".", "-")
    event: Any = maker(20, job=named[1], columns={column: ["raw.id"]})
    event["outputs"][0] |= {"namespace": named[0], "name": named[1]}
    assert local.ingest([event]).accepted == 1
    full = "/".join(named)
    answer = remote.upstream(full, column)
    assert (answer.root.namespace, answer.root.name) == named
    assert answer == local.upstream(full, column)
    assert remote.history(full, column) == local.history(full, column)
    assert remote.upstream(job=named[1]) == local.upstream(job=named[1])


def test_a_limit_gives_a_partial_answer_that_says_so(both: tuple[Lineage, Lineage]) -> None:
    _, remote = both
    answer = remote.upstream("report", "n", limit=2)
    assert (len(answer.nodes), answer.partial) == (2, True)


def test_events_are_counted_as_in_the_store(both: tuple[Lineage, Lineage], maker: EventMaker) -> None:
    local, remote = both
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    events: list[Any] = [
        maker(30, out="new"),
        {"run": 1},
        3,
        {**maker(31), "x": float("nan")},
        {**maker(32), "x": object()},
        {**maker(33), "x": deep},
        maker(30, out="new"),
    ]
    result = remote.ingest(events)
    assert (result.accepted, result.duplicates) == (1, 1)
    assert [one.index for one in result.rejected] == [1, 2, 3, 4, 5]
    assert result.rejected == local.ingest(events).rejected
    assert [one.accepted for one in remote.ingest_many([[maker(40)], [maker(41)], []])] == [1, 1, 0]


def test_more_events_than_one_request_takes_keep_their_places(both: tuple[Lineage, Lineage], maker: EventMaker) -> None:
    _, remote = both
    events: list[Any] = [maker(1, run=f"many {number}", out=f"m{number}") for number in range(1_500)]
    events[1_400] = {"broken": True}
    result = remote.ingest(events)
    assert (result.accepted, [one.index for one in result.rejected]) == (1_499, [1_400])


# What servers may say.


class Scripted:
    """A server that answers one request after the other as told, and remembers them."""

    def __init__(self, *replies: Response) -> None:
        self.requests: list[Request] = []
        self.bodies: list[bytes] = []
        self._replies = list(replies)
        methods = ["GET", "POST"]
        self.app = Starlette(routes=[Route("/{path:path}", self._answer, methods=methods)])

    async def _answer(self, request: Request) -> Response:
        self.requests.append(request)
        self.bodies.append(await request.body())
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


_STATS = {"wire": 1, "kind": "NamesPage", "answer": {"names": [], "cursor": None}}
_BUSY = {"code": 429, "message": "too many requests"}


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (JSONResponse({"code": 401, "message": "no token"}, 401), "rejected your token, or you sent none"),
        (
            JSONResponse({"code": 403, "message": "needs write"}, 403),
            r"Your token does not allow this .*\(needs write\)",
        ),
        (JSONResponse(_BUSY, 429, {"Retry-After": "0"}), "is busy"),
        (JSONResponse({"code": 500, "message": "it broke"}, 500), "failed: it broke"),
        (PlainTextResponse("<html>", 502), "No Headwater server"),
        (PlainTextResponse("<html>hello", 200), "No Headwater server .*not JSON"),
        (JSONResponse({"detail": "Not Found"}, 404), "No Headwater server"),
        (JSONResponse({"code": 404, "message": "Not Found"}, 404), "No Headwater server"),
        (JSONResponse([1]), "No Headwater server"),
        (JSONResponse({"wire": 1, "kind": "Nonsense", "answer": {}}), "'Nonsense' is not a kind of answer"),
        (JSONResponse({"wire": 1, "kind": "NamesPage", "answer": {"names": 3}}), "3 is not a list"),
        (JSONResponse({"wire": 2, "kind": "NamesPage"}), "uses a newer answer format .* upgrade Headwater here"),
        (JSONResponse({}, 302, {"Location": "http://elsewhere.example/"}), "No Headwater server"),
    ],
)
def test_what_a_server_refuses_is_a_sentence(reply: Response, words: str) -> None:
    with serving(Scripted(reply).app) as url, headwater.connect(url, token="hunter2") as lineage:  # noqa: S106
        with pytest.raises(StoreError, match=words) as caught:
            list(lineage.datasets())
        assert url in str(caught.value)
        assert "hunter2" not in str(caught.value)


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    scripted = Scripted(
        JSONResponse(_BUSY, 429, {"Retry-After": "0"}),
        JSONResponse({"code": 503, "message": "starting"}, 503, {"Retry-After": "0"}),
        JSONResponse(_STATS),
    )
    with serving(scripted.app) as url, headwater.connect(url) as lineage:
        assert list(lineage.datasets()) == []
    assert len(scripted.requests) == 3


def test_fields_of_a_later_server_are_passed_over() -> None:
    names = [{"namespace": "a", "name": "b", "tags": ["later"]}]
    reply = JSONResponse({"wire": 1, "kind": "NamesPage", "answer": {"names": names, "cursor": None, "more": 1}})
    with serving(Scripted(reply).app) as url, headwater.connect(url) as lineage:
        assert [name.full for name in lineage.datasets()] == ["a/b"]


def test_no_server_is_a_sentence() -> None:
    with serving(Scripted(JSONResponse(_STATS)).app) as url:
        pass
    with (
        headwater.connect(url) as lineage,
        pytest.raises(StoreError, match=r"Cannot reach the server .*: start it .*refused"),
    ):
        lineage.stats()


@pytest.mark.parametrize("url", ["http://", "https://:5000", "http://host:port", "http://[host"])
def test_an_address_that_is_none_is_a_sentence(url: str) -> None:
    with pytest.raises(StoreError, match=r"write http://host:5000"):
        headwater.connect(url)


def test_tls_is_tried_where_the_address_says_so() -> None:
    with serving(Scripted(JSONResponse(_STATS)).app) as url:
        lineage = headwater.connect(url.replace("http://", "https://"))
        with lineage, pytest.raises(StoreError, match="Cannot verify the certificate"):
            lineage.stats()


@pytest.mark.parametrize("way", ["argument", "address", "password", "environment"])
def test_a_token_is_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    secret = "hunter2/%é"[:8]
    monkeypatch.delenv("HEADWATER_TOKEN", raising=False)
    if way == "environment":
        monkeypatch.setenv("HEADWATER_TOKEN", secret)
    scripted = Scripted(JSONResponse(_STATS))
    before = {"address": "hunter2%2F@", "password": "me:hunter2%2F@"}.get(way, "")
    with serving(scripted.app) as url:
        lineage = headwater.connect(
            url.replace("http://", f"http://{before}"), token=secret if way == "argument" else None
        )
        with lineage:
            assert list(lineage.datasets()) == []
            assert "hunter2" not in repr(lineage)
            assert "hunter2" not in str(scripted.requests[0].url)
    assert scripted.requests[0].headers["authorization"] == f"Bearer {secret}"


def test_a_token_that_cannot_be_one_is_refused_and_not_shown() -> None:
    with pytest.raises(StoreError, match="contains invalid characters") as caught:
        headwater.connect("http://host", token="hunter2\r\nX: y")  # noqa: S106
    assert "hunter2" not in str(caught.value)


def test_a_connection_is_kept() -> None:
    scripted = Scripted(JSONResponse(_STATS))
    with serving(scripted.app) as url, headwater.connect(url) as lineage:
        for _ in range(3):
            list(lineage.datasets())
    assert len({request.client.port for request in scripted.requests if request.client}) == 1


def test_a_base_path_is_kept() -> None:
    scripted = Scripted(JSONResponse(_STATS))
    with serving(scripted.app) as url, headwater.connect(f"{url}/lineage/") as lineage:
        list(lineage.datasets())
    assert scripted.requests[0].url.path == "/lineage/api/v1/questions/datasets"


def test_a_question_is_asked_by_url_while_that_is_short() -> None:
    scripted = Scripted(JSONResponse({"code": 400, "message": "no", "kind": "BadQuestion"}, 400))
    with serving(scripted.app) as url, headwater.connect(url) as lineage:
        for name in ("short", "long" * 2_000):
            with pytest.raises(BadQuestion):
                lineage.upstream(name)
    assert [request.method for request in scripted.requests] == ["GET", "POST"]
    assert json.loads(scripted.bodies[1]) == {"dataset": "long" * 2_000}


def test_many_events_are_compressed() -> None:
    scripted = Scripted(JSONResponse({"received": 2, "accepted": 2, "duplicates": 0, "rejected": []}))
    events = [{"eventTime": "x" * 2_000}] * 2
    with serving(scripted.app) as url, headwater.connect(url) as lineage:
        assert lineage.ingest(events).accepted == 2
    assert scripted.requests[0].headers["content-encoding"] == "gzip"
    assert json.loads(gzip.decompress(scripted.bodies[0])) == events


def test_a_refused_ingest_is_a_sentence() -> None:
    reply = JSONResponse({"code": 413, "message": "at most 10 MB"}, 413)
    words = "The request is too large for the server .*: at most 10 MB"
    with serving(Scripted(reply).app) as url, headwater.connect(url) as lineage, pytest.raises(StoreError, match=words):
        lineage.ingest([{}])


def test_what_needs_the_database_says_so() -> None:
    from headwater.store import open_store  # noqa: PLC0415

    with pytest.raises(StoreError, match="is a server, but this command needs its database") as caught:
        open_store("https://jane:hunter2@lineage.example")
    assert "hunter2" not in str(caught.value)


def test_a_server_is_trusted_by_its_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl, to make a certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    asked = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1", "-nodes"]
    made = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", *asked, *made], check=True, capture_output=True)
    app = Scripted(JSONResponse(_STATS)).app
    with serving(app, ssl_certfile=str(certificate), ssl_keyfile=str(key)) as url:
        with headwater.connect(url) as lineage, pytest.raises(StoreError, match=r"Cannot verify .*certificate"):
            list(lineage.datasets())
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with headwater.connect(url) as lineage:
            assert list(lineage.datasets()) == []


def test_a_column_that_was_not_known_then_is_the_same_error(local: Lineage, remote: Lineage, maker: EventMaker) -> None:
    schemas = ({"a": "int"}, {"a": "int", "b": "int"})
    remote.ingest([maker(minute, columns={"a": ["in.a"]}, schema=schema) for minute, schema in enumerate(schemas, 1)])
    asked = [lambda on=on: on.upstream("out", "b", as_of=maker.us(1)) for on in (local, remote)]
    expected, found = (outcome(one) for one in asked)
    assert found == expected
    assert expected[:2] == (  # type: ignore[index]
        NotKnownThen,
        "lake/out.b was not known at 2026-01-01T00:01:00Z: it was first seen 2026-01-01T00:02:00Z",
    )


def test_an_answer_about_a_time_ahead_says_so_from_a_server_too(
    local: Lineage, remote: Lineage, maker: EventMaker
) -> None:
    remote.ingest([maker(1, columns={"a": ["in.a"]})])
    answers = [on.upstream("out", "a", as_of="9000-01-01") for on in (local, remote)]
    assert answers[0] == answers[1]
    assert answers[0].moment.ahead
